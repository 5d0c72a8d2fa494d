"""The page for everybody: axe-core's rules, the keyboard alone, a phone's width, both colour schemes."""

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import faults, overflow
from tests.support.browser import Begin, Visit
from tests.support.server import Server

PHONE = {"width": 375, "height": 720}


@pytest.fixture(scope="module")
def search(server: Server, queries: str) -> str:
    return str(server.search(queries, max_target_seqs=60, score_distribution=True, iterations=2)["search"])


# Colours go with the scheme, and layout with the width: two pictures show each of both.
@pytest.mark.parametrize(
    ("scheme", "viewport"),
    [("light", {"width": 1280, "height": 900}), ("dark", PHONE)],
    ids=["light-desk", "dark-phone"],
)
def test_axe_finds_no_fault(begin: Begin, search: str, queries: str, scheme: str, viewport: dict[str, int]) -> None:
    visit = begin(color_scheme=scheme, viewport=viewport)
    name = f"{scheme}-{viewport['width']}"
    page = visit.open("/")
    page.get_by_label("Protein sequences in FASTA").fill(queries)
    page.get_by_text("More parameters").click()
    expect(page.locator(".estimate")).to_contain_text("cells")
    assert faults(page) == []
    assert overflow(page) <= 0
    visit.shoot(f"form-{name}")
    page = visit.open(f"/searches/{search}#2")
    page.locator(".hit-open").nth(1).click()
    page.locator(".alignment").wait_for()
    page.locator(".certificate summary").click()
    page.get_by_label("Select", exact=False).nth(1).check()
    page.get_by_role("button", name="Download selected").click()
    assert faults(page) == []
    assert overflow(page) <= 0
    visit.shoot(f"result-{name}")


def test_pages_without_a_result_have_no_fault(visit: Visit, server: Server) -> None:
    visit.refusals.add(404)
    for missing in ("/searches/AAAAAAAAAAAAAAAAAAAAAAAA", "/nowhere"):
        page = visit.open(missing)
        page.locator("h1").wait_for()
        assert faults(page) == []
    page = visit.open("/?database=nope&sequence=ACGT-ACGTACGTACGTACGTACGT")
    page.get_by_role("button", name="Remove 1 gap character").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Remove 1 gap character").click()
    page.get_by_label("Instant hits while typing").check()
    page.locator(".query .notes").wait_for()
    assert faults(page) == []
    running = server.post(">slow\n" + "MKVLAAGWDERTYHIPSNQCG" * 2300).json()["id"]
    page = visit.open(f"/searches/{running}")
    page.locator("progress").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("was cancelled").wait_for()
    assert faults(page) == []


@pytest.mark.parametrize("path", ["/docs", "/help"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_in_words_have_no_fault(begin: Begin, scheme: str, path: str) -> None:
    page = begin(color_scheme=scheme, viewport={"width": 390, "height": 844}).open(path)
    assert faults(page) == []
    assert overflow(page) <= 0


def test_a_search_needs_no_mouse(visit: Visit) -> None:
    page = visit.open("/")
    keys = page.keyboard
    keys.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.get_by_label("Protein sequences in FASTA").focus()
    keys.insert_text(">globin\nMGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLG")
    button = page.get_by_role("button", name="Search", exact=True)
    expect(button).to_be_enabled()
    keys.press("Tab")
    expect(button).to_be_focused()
    keys.press("Enter")
    page.get_by_role("table", name="Hits").wait_for()
    page.locator(".hit-open").first.focus()
    keys.press("Enter")
    expect(page.locator(".alignment")).to_be_visible()
    keys.press("Enter")
    expect(page.locator(".alignment")).to_have_count(0)
    page.get_by_role("button", name="Download", exact=True).focus()
    keys.press("Enter")
    keys.press("Tab")
    expect(page.locator(".menu-list a").first).to_be_focused()
    keys.press("Escape")
    expect(page.locator(".menu-list")).to_have_count(0)
    expect(page.get_by_role("button", name="Download", exact=True)).to_be_focused()


GROUND = "(part) => getComputedStyle(part).backgroundColor"
COLOURS = """(drawing) => new Set([...drawing.querySelectorAll("rect, path")].map((part) => {
    const style = getComputedStyle(part);
    return style.fill + style.stroke;
})).size"""
"""How many colours the parts of a drawing have."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_few_colours_tell_as_much(begin: Begin, search: str, scheme: str) -> None:
    visit = begin(forced_colors="active", color_scheme=scheme)
    page = visit.open(f"/searches/{search}#2")
    page.get_by_label("Select", exact=False).nth(1).check()
    page.locator(".hit-open").first.click()

    def ground(part: str, of: str = "") -> str:
        return str(page.locator(f"{part}{of}").first.evaluate(GROUND))

    swatches = page.locator(".overview .swatch").all()
    assert len({swatch.evaluate(GROUND) for swatch in swatches}) == len(swatches) == 5
    assert page.locator(".histogram").evaluate(COLOURS) >= 3
    assert ground(".index li a", "[aria-current]") != ground(".index li a", ":not([aria-current])")
    assert ground(".tabs button", "[aria-pressed=true]") != ground(".tabs button", "[aria-pressed=false]")
    assert len({ground(".panel"), ground(".span-track i"), "rgba(0, 0, 0, 0)"}) == 3
    assert ground(".alignment .same") != ground(".alignment .other")
    outline = "(part) => getComputedStyle(part).outlineStyle"
    assert [row.evaluate(outline) for row in page.locator(".hit .hit-row").all()[:2]] == ["solid", "none"]
    expect(page.locator(".distribution .histogram")).to_be_visible()
    assert faults(page) == []
    visit.shoot(f"forced-{scheme}")


def test_colours_are_kept_from_page_to_page(visit: Visit) -> None:
    page = visit.open("/")
    background = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Dark colours").click()
    dark = page.evaluate(background)
    assert light != dark
    # Chromium stores a cookie while the script goes on; to read it is to wait until it is stored.
    assert "shardwater_theme=dark" in page.evaluate("document.cookie")
    page = visit.open("/")
    # The server's first bytes have it, before any script runs.
    assert 'data-theme="dark"' in page.request.get(visit.url).text()
    assert page.evaluate(background) == dark
    page.get_by_role("button", name="Light colours").click()
    assert page.evaluate(background) == light
