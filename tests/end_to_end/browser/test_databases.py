"""Several databases chosen in the form, and their one result."""

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.support.accessibility import overflow
from tests.support.browser import Begin
from tests.support.server import FASTA, Server, make_database, running

QUERY = ">q\nMKVLAAGWDEHHKLMNPQRSTVWY\n"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service over two small databases, whose sequences have the same names."""
    folder = tmp_path_factory.mktemp("several")
    for name, text in (("one", FASTA), ("two", FASTA.replace("MKVLAAGW", "MKVLCAGW"))):
        (folder / f"{name}.fasta").write_text(text)
        make_database(folder / f"{name}.fasta", folder / "data", shards=1, name=name)
    with running(Server(folder / "data")) as started:
        yield started


def database(page: Page, name: str, kind: str = "checkbox"):
    return page.get_by_role("group" if kind == "checkbox" else "radiogroup", name="Database").get_by_role(
        kind,
        name=name,  # type: ignore[arg-type]
    )


def test_several_are_chosen_with_the_keyboard_and_searched_as_one(begin: Begin, service: Server) -> None:
    page = begin(service.url).open("/")
    page.get_by_label("Protein sequences in FASTA").fill(QUERY)
    expect(database(page, "one", "radio")).to_be_checked()
    several = page.get_by_role("switch", name="Several, as if one held all their sequences")
    several.press("Space")
    expect(database(page, "one")).to_be_checked()
    database(page, "two").press("Space")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("table", name="Hits").wait_for()
    expect(page.locator(".result-head")).to_contain_text(re.compile(r"one \w{12}, two \w{12}"))
    # Each row says which one it is from, wherever it is read.
    row = page.get_by_role("row").filter(has_text="first protein").nth(1)
    expect(page.get_by_role("columnheader", name="Database")).to_be_visible()
    told = row.get_by_role("cell").filter(has_text=re.compile("^two$"))
    places: tuple[tuple[int, Literal["screen", "print"]], ...] = ((1366, "screen"), (390, "screen"), (800, "print"))
    for width, medium in places:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(media=medium)
        expect(told).to_be_visible()
        assert overflow(page) <= 0
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1366, "height": 844})
    row.get_by_role("button").first.click()
    expect(page.locator(".detail-title")).to_contain_text(", of two")
    link = page.get_by_role("link", name="Sequence, FASTA").get_attribute("href")
    assert link is not None
    assert "/v1/databases/two/sequences/one" in link
    page.get_by_text("Exact and complete").click()
    expect(page.get_by_role("region", name="Shards")).to_contain_text("1 of 1 of two")
    expect(page.locator(".certificate")).to_contain_text("Checksum of one")
    # What was searched is what is edited.
    page = begin(service.url).open("/?database=one+two")
    expect(database(page, "one")).to_be_checked()
    expect(database(page, "two")).to_be_checked()
    page.get_by_role("switch", name="Several, as if one held all their sequences").press("Space")
    expect(database(page, "one", "radio")).to_be_checked()
    expect(database(page, "two", "radio")).not_to_be_checked()
