"""Every kind of work by the keyboard alone: each stop of Tab is seen, none is lost, and their order is a reader's."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect

from tests.support.browser import Begin
from tests.support.flows import FLOWS, SIZES, Flow
from tests.support.keyboard import tab_to
from tests.support.server import Server


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.noun)
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_keyboard_alone_does_it(begin: Begin, http: httpx.Client, flow: Flow, size: str) -> None:
    flow.made(http)
    visit = begin(viewport=SIZES[size])
    page = visit.open("/history")
    keys = page.keyboard
    tab_to(page.get_by_text("Skip to content"))
    keys.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page = visit.open("/history")
    if size == "phone":
        tab_to(page.get_by_role("button", name="Menu"))
        keys.press("Enter")
    tab_to(page.get_by_role("navigation", name="Site").get_by_role("link", name=flow.tab, exact=True))
    keys.press("Enter")
    page.get_by_role("form").wait_for()
    for field, text in flow.fields(page):
        tab_to(field)
        keys.insert_text(text)
    expect(flow.sender(page)).to_be_enabled()
    if size == "desk":
        # The button stands below the query, before the parameters in the other column.
        keys.press("Control+Enter")
    else:
        tab_to(flow.sender(page))
        keys.press("Enter")
    flow.wait(page)
    download = page.locator(".result").get_by_role("button", name="Download", exact=True)
    row = flow.row(page)
    tab_to(row)
    keys.press("ArrowDown" if flow.place else "Enter")
    page.locator(flow.opened).wait_for()
    expect(row).to_be_focused()
    page.reload()
    flow.wait(page)
    tab_to(download)
    keys.press("Enter")
    tab_to(page.locator(".menu-list a").get_by_text(flow.file[0], exact=True).first)
    with page.expect_download():
        keys.press("Enter")
    expect(page.locator(".menu-list")).to_have_count(0)
    expect(download).to_be_focused()
