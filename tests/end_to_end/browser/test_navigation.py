"""The navigation of all pages in a browser: tabs for each kind of work, and on a phone a menu."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.accessibility import faults, overflow
from tests.support.browser import Begin, Visit
from tests.support.server import Server

PHONE = {"width": 390, "height": 844}
WORK = ["Search", "Align", "Compare", "MSA"]
OTHERS = ["History", "Help", "API"]


def site(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Site")


@pytest.mark.parametrize(
    ("path", "tab"),
    [
        *[("/", "Search"), ("/?database=demo", "Search"), ("/searches/AAAAAAAAAAAAAAAAAAAAAAAA", "Search")],
        *[("/compare", "Compare"), (f"/comparisons/comparison-{'W' * 34}", "Compare")],
        *[("/msas", "MSA"), (f"/msas/msa-{'W' * 34}", "MSA"), ("/history", "History"), ("/nowhere", "")],
        *[("/help", "Help"), ("/docs", "API")],
    ],
)
def test_the_tab_of_where_one_is_is_marked(visit: Visit, path: str, tab: str) -> None:
    visit.refusals.add(404)
    page = visit.open(path)
    expect(site(page).get_by_role("link")).to_have_text(WORK + OTHERS)
    expect(site(page).locator("[aria-current=page]")).to_have_text([tab] if tab else [])


def test_tabs_lead_to_the_forms(visit: Visit, server: Server) -> None:
    page = visit.open("/history")
    addresses = [link.get_attribute("href") for link in site(page).get_by_role("link").all()]
    assert addresses == ["/", "/align", "/compare", "/msas", "/history", "/help", "/docs"]
    expect(page.get_by_role("button", name="Menu")).to_be_hidden()
    site(page).get_by_role("link", name="MSA").click()
    expect(page.get_by_role("form", name="New MSA")).to_be_visible()
    site(page).get_by_role("link", name="Compare").click()
    expect(page.get_by_role("form", name="New comparison")).to_be_visible()
    site(page).get_by_role("link", name="Search").click()
    expect(page.get_by_role("form", name="New search")).to_be_visible()
    visit.shoot("navigation")


PLACED = """() => [...document.querySelectorAll(".top a, .slogan")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [each.textContent, getComputedStyle(each).fontWeight, ...[x, y, width, height].map(Math.round)];
})"""
"""What the head of a page has, and where."""


@pytest.mark.parametrize("path", ["/help", "/docs"])
def test_pages_in_words_have_the_same_head(begin: Begin, path: str) -> None:
    visit = begin(viewport={"width": 1280, "height": 800})
    page = visit.open("/")
    expect(site(page).get_by_role("link")).to_have_text(WORK + OTHERS)
    head = page.evaluate(PLACED)
    assert visit.open(path).evaluate(PLACED) == head
    page.set_viewport_size(PHONE)
    expect(site(page).get_by_role("link").last).to_be_in_viewport()
    assert overflow(page) <= 0


def test_on_a_phone_a_menu_is_opened_and_closed_by_keys(begin: Begin) -> None:
    visit = begin(viewport=PHONE)
    page = visit.open("/")
    button, links = page.get_by_role("button", name="Menu"), site(page).get_by_role("link")
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(links).to_have_count(0)
    keys = page.keyboard
    button.focus()
    keys.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(links).to_have_text(WORK + OTHERS)
    assert faults(page) == []
    assert overflow(page) <= 0
    visit.shoot("menu-phone")
    keys.press("Tab")
    expect(links.first).to_be_focused()
    keys.press("Escape")
    expect(links).to_have_count(0)
    expect(button).to_be_focused()
    # Whoever goes on past its end leaves it.
    keys.press("Space")
    links.last.focus()
    keys.press("Tab")
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    button.click()
    expect(links).to_have_count(0)
    button.focus()
    keys.press("Enter")
    for _ in range(4):
        keys.press("Tab")
    expect(links.filter(has_text="MSA")).to_be_focused()
    keys.press("Enter")
    expect(page.get_by_role("form", name="New MSA")).to_be_visible()
    expect(links).to_have_count(0)


def test_what_is_pressed_elsewhere_closes_the_menu(begin: Begin) -> None:
    page = begin(viewport=PHONE).open("/history")
    page.get_by_role("button", name="Menu").click()
    expect(site(page).get_by_role("link")).to_have_count(7)
    page.locator("main").click(position={"x": 20, "y": 600})
    expect(site(page).get_by_role("link")).to_have_count(0)


@pytest.mark.parametrize("width", [320, 760, 940, 1000])
def test_the_head_fits_any_window(begin: Begin, width: int) -> None:
    page = begin(viewport={"width": width, "height": 700}).open("/history")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    assert overflow(page) <= 0
