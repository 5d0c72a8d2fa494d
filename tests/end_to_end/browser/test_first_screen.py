"""What is seen of a result before anything is scrolled, on a desk and on a phone, and that it stays where it is."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from shardwater.formats.number_text import evalue_text
from tests.support.browser import Begin
from tests.support.hit_table import named, rows, show_scores
from tests.support.server import Server

DESK, PHONE = {"width": 1366, "height": 768}, {"width": 390, "height": 844}
LAPTOP = {"width": 1366, "height": 630}
"""A laptop's screen without what the browser puts around the page."""
WHOLE_ROWS = """() => [...document.querySelectorAll(".hit .hit-row")].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
}).length"""
TOPS_OF_PARTS = """(tools) => {
    const middle = (part) => Math.round((part.getBoundingClientRect().top + part.getBoundingClientRect().bottom) / 20);
    const parts = [...tools.querySelectorAll(":scope > :not(.visually-hidden), .filters > *, .toolbar-end > *")];
    return parts.map(middle);
}"""
"""How far down the middle of each tool is, in tens of pixels."""
SHIFTS = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifted += shift.value;
    }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    return server.search(queries, max_target_seqs=40, score_distribution=True, title="On one screen")


def opened(begin: Begin, result: dict[str, Any], viewport: dict[str, int]) -> Page:
    page = begin(viewport=viewport).open(f"/searches/{result['search']}#2")
    expect(page.locator(".query-head h2")).to_contain_text(result["results"][1]["query"]["id"])
    page.locator(".overview .drawing").wait_for()
    return page


@pytest.mark.parametrize(("viewport", "least"), [(LAPTOP, 4), (PHONE, 3)], ids=["laptop", "phone"])
def test_hits_are_on_the_first_screen_by_name(
    begin: Begin, result: dict[str, Any], viewport: dict[str, int], least: int
) -> None:
    page = opened(begin, result, viewport)
    assert page.evaluate(WHOLE_ROWS) >= least
    for row, hit in zip(rows(page)[:least], result["results"][1]["hits"], strict=False):
        title, organism = named(hit["title"])
        said = " ".join(row)
        assert hit["accession"] in said
        assert title.split()[0] in said
        assert organism in said
        assert {evalue_text(hit["evalue"]), f"{hit['identity']:.1f}", f"{hit['query_coverage']:.1f}"} <= {
            cell.removeprefix("≠").strip() for cell in row
        }


def test_the_tools_stay_on_one_line(begin: Begin, result: dict[str, Any]) -> None:
    page = opened(begin, result, LAPTOP)

    def lines() -> int:
        tops = page.locator(".hits .toolbar").evaluate(TOPS_OF_PARTS)
        return len(set(tops))

    assert lines() == 1
    page.get_by_role("button", name="Open all").click()
    expect(page.get_by_role("button", name="Close all")).to_be_visible()
    assert lines() == 1


def test_the_certificate_is_one_line_with_its_numbers_in_the_details(begin: Begin, result: dict[str, Any]) -> None:
    for window in (LAPTOP, PHONE):
        page = opened(begin, result, window)
        certificate = result["certificate"]
        summary = page.locator(".certificate summary")
        assert summary.inner_text().split("\n")[0].startswith("Exact and complete")
        expect(summary).to_have_text(f"Exact and completeall {certificate['subjects']:,} sequences")
        assert summary.evaluate("(each) => each.clientHeight") < 30
        summary.click()
        expect(page.locator(".certificate .facts")).to_contain_text(f"Residues{certificate['residues']:,}Cells scored")


def test_the_distribution_of_scores_is_folded_until_somebody_unfolds_it(begin: Begin, result: dict[str, Any]) -> None:
    page = opened(begin, result, LAPTOP)
    expect(page.locator(".histogram")).to_have_count(0)
    show_scores(page)
    page.get_by_label("Next query").click()
    expect(page.locator(".query-head h2")).to_contain_text(result["results"][2]["query"]["id"])
    expect(page.locator(".histogram")).to_be_visible()
    page.reload()
    expect(page.locator(".histogram")).to_be_visible()
    page.get_by_role("button", name="Score distribution").click()
    page.reload()
    page.locator(".overview .drawing").wait_for()
    expect(page.locator(".histogram")).to_have_count(0)


def test_the_drawing_has_names_and_unfolds(begin: Begin, result: dict[str, Any]) -> None:
    page = opened(begin, result, DESK)
    hits = [hit for hit in result["results"][1]["hits"] if hit["hsps"]]
    names = page.locator(".overview-names li")
    assert [name.split(" ")[0] for name in names.all_inner_texts()] == [hit["accession"] for hit in hits[:12]]
    page.locator(".overview").get_by_role("button", name=f"All {len(hits)}", exact=True).click()
    expect(names).to_have_count(len(hits))
    names.nth(3).click()
    expect(page.get_by_role("button", name=hits[3]["accession"])).to_have_attribute("aria-expanded", "true")


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_jumps_where_a_result_takes_the_place_of_the_waiting(
    begin: Begin, server: Server, viewport: dict[str, int]
) -> None:
    letter = "Y" if viewport is DESK else "W"
    search = server.post(f">middling_{letter}\n" + f"MKVLC{letter}GWDERTYHIPSNQCF" * 400).json()["id"]
    visit = begin(viewport=viewport)
    visit.page.add_init_script(f"({SHIFTS})()")
    page = visit.open(f"/searches/{search}")
    expect(page.locator(".certificate")).to_contain_text("Exact and complete")
    page.locator(".methods").wait_for()
    assert page.evaluate("() => window.shifted") <= 0.05


def test_a_query_without_hits_is_told_what_to_do(begin: Begin, server: Server) -> None:
    found = server.search(">peptide\nWWPHWKWHCM", evalue=1e-9, score_distribution=True)
    assert found["results"][0]["hits"] == []
    counts = found["results"][0]["distribution"]
    best = max(score for score, subjects in enumerate(counts["counts"]) if subjects)
    assert counts["bin_width"] == 1
    page = begin().open(f"/searches/{found['search']}")
    panel = page.locator(".panel", has=page.get_by_role("heading", name="Hits", exact=True))
    expect(panel).to_contain_text(f"The best score of any subject is {best}.")
    expect(panel.get_by_role("link", name="Edit search")).to_be_visible()
    panel.get_by_role("link", name="Try as a short peptide").click()
    expect(page.get_by_label("Matrix")).to_have_value("PAM30")
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(">peptide\nWWPHWKWHCM")


@pytest.mark.parametrize("from_top", [True, False])
def test_the_menu_of_downloads_is_whole_in_the_window(begin: Begin, result: dict[str, Any], from_top: bool) -> None:
    page = opened(begin, result, {"width": 1366, "height": 630})
    button = page.get_by_role("button", name="Download", exact=True).first
    if not from_top:
        page.locator("main").evaluate("(main) => (main.style.paddingTop = '900px')")
    button.evaluate("(button, block) => button.scrollIntoView({ block })", "start" if from_top else "end")
    before = page.evaluate("scrollY")
    button.click()
    listed = page.locator(".menu-list")
    assert listed.locator("a").count() > 10
    box = listed.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 630
    listed.locator("a").last.focus()
    expect(listed.locator("a").last).to_be_in_viewport(ratio=0.95)
    assert page.evaluate("scrollY") == before
