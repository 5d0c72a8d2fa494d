"""Every kind of work from its form to what is taken away and back from the history, in windows of three sizes."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.accessibility import faults, faults_in_both, overflow
from tests.support.browser import Begin
from tests.support.comparison_page import SHIFTED
from tests.support.flows import FLOWS, SIZES, Flow, told
from tests.support.pictures import picture
from tests.support.server import Server

LOOKS: dict[str, Callable[[Page], list[str]]] = {"phone": faults_in_both, "desk": lambda _: [], "large": faults}
"""What axe-core is asked in each window: a desk's has the parts of a large one."""


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


def go(page: Page, place: str) -> None:
    """To a place of the navigation, which on a phone is in a menu."""
    menu, site = page.get_by_role("button", name="Menu"), page.get_by_role("navigation", name="Site")
    if menu.is_visible():
        menu.click()
    site.get_by_role("link", name=place, exact=True).click()


def take(page: Page, http: httpx.Client, entry: str) -> bytes:
    """Download an entry of the open menu; it is what the interface answers."""
    link = page.locator(".menu-list a").get_by_text(entry, exact=True).first
    address = link.get_attribute("href") or ""
    with page.expect_download() as saved:
        link.click()
    content = saved.value.path().read_bytes()
    assert content == http.get(address).content
    return content


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.noun)
@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=() if size == "phone" else pytest.mark.thorough) for size in SIZES]
)
def test_from_input_to_download_and_back(begin: Begin, http: httpx.Client, flow: Flow, size: str) -> None:
    page = begin(viewport=SIZES[size], color_scheme="dark" if size == "large" else "light").open("/history")
    go(page, flow.tab)
    for field, text in flow.fields(page):
        field.fill(text)
    expect(page.locator(".estimate")).to_contain_text("cells" if flow.jobs in ("searches", "alignments") else " ")
    expect(flow.sender(page)).to_be_enabled()
    assert LOOKS[size](page) == []
    assert overflow(page) <= 0
    flow.sender(page).click()
    flow.wait(page)
    result = told(http, page)
    assert flow.screen(page, result)
    assert page.evaluate(SHIFTED) <= 0.05
    assert overflow(page) <= 0
    flow.row(page).click(position=flow.place)
    page.locator(flow.opened).wait_for()
    page.locator(".result").get_by_role("button", name="Download", exact=True).click()
    assert LOOKS[size](page) == []
    assert overflow(page) <= 0
    name, begins = flow.file
    assert take(page, http, name).startswith(begins)
    if flow.figure:
        page.locator(".result").get_by_role("button", name="Download", exact=True).click()
        picture(take(page, http, flow.figure).decode())
    label, limit, left = flow.filtered
    page.get_by_label(label).fill(limit)
    expect(page.locator(".result [role=status]").filter(has_text=" of ").first).to_contain_text(left(result))
    address = urlsplit(page.url).path
    if size == "phone":
        page.get_by_role("button", name="Menu").click()
        assert faults(page) == []
        page.keyboard.press("Escape")
    go(page, "History")
    line = page.get_by_role("list", name="Jobs").get_by_role("listitem")
    expect(line).to_contain_text("succeeded")
    line.get_by_role("link", name=flow.title).click()
    flow.wait(page)
    assert urlsplit(page.url).path == address


LONG = ">" + "long_name_of_a_sequence_" * 6
WIDTHS = (320, 480, 760, 761, 940, 1020, 1180, 1440, 1920)


@pytest.mark.thorough
@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.noun)
def test_long_names_fit_any_window(begin: Begin, http: httpx.Client, flow: Flow) -> None:
    named = {name: re.sub(r">\S+", f"{LONG}{name} ", text) for name, text in flow.typed.items() if ">" in text}
    page = begin().open(flow.form)
    for place in ("form", "result"):
        if place == "result":
            page.goto(urljoin(page.url, flow.made(http, **named)))
            flow.wait(page)
            flow.row(page).click(position=flow.place)
            page.locator(flow.opened).first.wait_for()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert overflow(page) <= 0, (place, width)
