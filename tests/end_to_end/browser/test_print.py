"""Results of every kind on paper: all of each, nothing cut off, and the screen as it was when that is done."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser import Begin, Visit
from tests.support.comparison_page import altered, hsps_in_place, opened
from tests.support.msa_page import made
from tests.support.planted_genomes import QUERY, SUBJECT
from tests.support.server import Server

PAPER = {"width": 688, "height": 1000}
"""A4 without its margins, in pixels of the page."""
ASKED = "window.print = () => { window.asked = document.querySelectorAll('.query-head').length; }"
"""Instead of the browser's dialog: keeps how many queries are there when it would open."""
BEFORE_PRINT = "() => dispatchEvent(new Event('beforeprint'))"
CUT = """() => {
    const isCut = (each) => {
        const { width, right } = each.getBoundingClientRect();
        const hides = getComputedStyle(each).overflowX !== "visible" && each.scrollWidth > each.clientWidth + 1;
        return width > 2 && (hides || right > innerWidth + 1);
    };
    const all = [...document.querySelectorAll("main *")].filter((each) => !each.closest(".overview-names"));
    return all.filter(isCut).map((each) => each.outerHTML.slice(0, 200));
}"""
"""What of the page goes beyond the paper, or is cut off within its column."""


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    """The demo's four queries, with some hundred hits for the last one."""
    return server.search(queries, max_target_seqs=150, evalue=1000, score_distribution=True, title="Four queries")


def printed(page: Page) -> Page:
    """The page as a printer gets it: Chromium draws for paper what the page has made of it before."""
    page.evaluate(BEFORE_PRINT)
    return on_paper(page)


def on_paper(page: Page) -> Page:
    """The page in the width and the looks of paper."""
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)  # type: ignore[arg-type]
    return page


def pages_of(page: Page) -> int:
    """How many pages Chromium's own file has; it prints as people do, with all that comes before and after."""
    page.emulate_media(media="null")
    page.set_viewport_size({"width": 1280, "height": 900})
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


def test_all_queries_are_printed_with_every_hit_that_their_filters_leave(begin: Begin, result: dict[str, Any]) -> None:
    visit = begin(color_scheme="dark")
    visit.page.add_init_script(ASKED)
    page = visit.open(f"/searches/{result['search']}#2")
    page.get_by_label("E ≤").fill("1e-6")
    expect(page.locator(".toolbar [role=status]")).to_contain_text(" of ")
    page.evaluate("() => { location.hash = '#4/1' }")
    expect(page.locator(".alignment")).to_be_in_viewport()
    # As far down as the button is still to be seen.
    page.evaluate("() => scrollTo(0, 40)")
    top = page.evaluate("() => scrollY")
    assert top == 40
    page.get_by_role("button", name="Print all queries").click()
    page.wait_for_function("() => window.asked === 4")
    printed(page)
    left = [one["hits"] for one in result["results"]]
    left[1] = [hit for hit in left[1] if hit["evalue"] <= 1e-6]
    assert 0 < len(left[1]) < len(result["results"][1]["hits"])
    names = page.locator(".hit .accession [aria-hidden], .hit .accession:not(:has(span))").all_inner_texts()
    expected = [hit["accession"] for hits in left for hit in hits]
    assert "".join(names) == "".join(expected)
    for number, one in enumerate(result["results"], start=1):
        expect(page.locator(f"#query-{number} h2")).to_contain_text(one["query"]["id"])
    for picture in (".overview .drawing", ".distribution .histogram"):
        expect(page.locator(picture)).to_have_count(4)
        assert page.locator(picture).evaluate_all("(all) => all.every(({ clientWidth }) => clientWidth > 300)")
    expect(page.locator(".alignment")).to_have_count(1)
    expect(page.locator(".methods")).to_have_count(1)
    expect(page.get_by_text("Print all queries", exact=False)).to_be_hidden()
    assert page.evaluate(CUT) == []
    visit.shoot("print-search")
    assert pages_of(page) >= len(expected) / 60
    expect(page.locator(".query-head")).to_have_count(1)
    assert page.evaluate("() => scrollY") == top


def test_a_printout_says_how_many_it_has_of_very_many_hits(visit: Visit, result: dict[str, Any]) -> None:
    def many(route: Route) -> None:
        reply = route.fetch()
        body = reply.json()
        [one] = body["results"]
        one["hits"] = [one["hits"][0] | {"rank": rank, "hsps": []} for rank in range(1, 6001)]
        route.fulfill(response=reply, json=body | {"next_page_token": None})

    visit.page.route("**/results?query=*", many)
    visit.page.add_init_script(ASKED)
    page = visit.open(f"/searches/{result['search']}#3")
    page.get_by_role("button", name="Print all queries").click()
    page.wait_for_function("() => window.asked === 2")
    said = "The first 2 of 4 queries are printed, with 10,000 hits in all: the files have all."
    expect(page.locator(".result-main > .on-paper")).to_have_text(said)
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".query-head h2")).to_contain_text("query 3 of 4")


def test_one_query_says_that_there_are_others(visit: Visit, result: dict[str, Any]) -> None:
    page = visit.open(f"/searches/{result['search']}#3")
    page.locator(".hit").first.wait_for()
    printed(page)
    expect(page.locator(".query-head")).to_contain_text("This is one of 4 queries")
    assert page.evaluate(CUT) == []


def test_an_msa_is_printed_row_by_row(begin: Begin, server: Server, queries: str) -> None:
    path = made(server, queries=queries, databases=["demo"], iterations=2, title="four chains")
    with server.http as http:
        rows = http.get(f"/v1{path}/results", params={"format": "json", "chain": 1}).json()["rows"]
    visit = begin(color_scheme="dark")
    page = visit.open(path)
    page.get_by_role("application").wait_for()
    printed(page)
    blocks = page.locator(".anchored-block")
    letters: dict[str, str] = {}
    for block in blocks.all():
        for row in block.get_by_role("row").all()[1:]:
            name, _, text = row.locator(":scope > *").all_text_contents()
            letters[name] = letters.get(name, "") + text.strip()
    # In A3M small letters are those between two of the query's.
    assert letters == {row["name"]: re.sub("[a-z]", "", row["row"]).strip("-") for row in rows}
    first = blocks.first.locator(".anchored-letters")
    assert len(first.nth(1).text_content() or "") == 60
    assert (first.first.text_content() or "").split() == ["10", "20", "30", "40", "50", "60"]
    coloured = blocks.first.locator(".anchored-letters span").first
    assert coloured.evaluate("(each) => getComputedStyle(each).printColorAdjust") == "exact"
    for name in (".conservation .drawing", ".certificate", ".rounds, [aria-label=Rounds]"):
        expect(page.locator(name).first).to_be_visible()
    expect(page.locator(".msa-drawing")).to_be_hidden()
    assert page.evaluate(CUT) == []
    visit.shoot("print-msa")
    assert pages_of(page) > 1
    expect(page.locator(".anchored-block")).to_have_count(0)


PLOT_ON_PAPER = """(plot) => {
    const [canvas] = plot.querySelectorAll("canvas");
    const box = plot.getBoundingClientRect();
    return [canvas.width / canvas.height, box.width, box.height, canvas.clientWidth];
}"""
"""A plot's own shape, its room and the width of its canvas on paper, in pixels."""
PARTS_ON_PAPER = [".certificate", ".plot-panel", ".blocks", ".methods", ".hsp-panel"]
MOST_PAGES = 8


def test_a_comparison_is_printed_plot_and_blocks_first_on_few_pages(begin: Begin, server: Server) -> None:
    visit = begin(viewport={"width": 1366, "height": 630})
    with server.http as http:
        asked = {"query": QUERY, "subject": SUBJECT, "title": "On paper"}
        compared = http.post("/v1/comparisons", json=asked, headers={"Prefer": "wait=60"}).json()
    change = {"summary": compared["summary"] | {"strands": [e | {"hsps": 233} for e in compared["summary"]["strands"]]}}
    visit.page.route(f"**/comparisons/{compared['id']}", lambda route: altered(route, change))
    visit.page.add_init_script(hsps_in_place(466))
    page = opened(visit, f"/comparisons/{compared['id']}")
    expect(page.get_by_text("466 HSPs")).to_be_visible()
    page.locator(".methods").wait_for()
    printed(page)
    tops = [page.locator(part).first.evaluate("(each) => each.getBoundingClientRect().top") for part in PARTS_ON_PAPER]
    assert tops == sorted(tops)
    shape, width, height, drawn = page.locator(".dotplot").evaluate(PLOT_ON_PAPER)
    assert shape == pytest.approx(1, abs=0.15)
    assert drawn <= PAPER["width"]
    assert height == pytest.approx(min(width, 0.9 * PAPER["width"]), rel=0.15)
    expect(page.locator(".hsp-list .hsp-row")).to_have_count(50)
    rest = "Printed: the first 50 of 466. The page and its downloads have all."
    expect(page.get_by_text(rest)).to_be_visible()
    assert page.evaluate(CUT) == []
    visit.shoot("print-comparison-order")
    assert pages_of(page) <= MOST_PAGES
    expect(page.locator(".hsp-list .hsp-row")).to_have_count(466)


def test_a_comparison_is_printed_with_all_blocks_and_many_hsps(visit: Visit, server: Server) -> None:
    with server.http as http:
        asked = {"query": QUERY, "subject": SUBJECT, "title": "On paper"}
        compared = http.post("/v1/comparisons", json=asked, headers={"Prefer": "wait=60"}).json()
    summary = compared["summary"]
    synteny = summary["synteny"]
    first = synteny["blocks"][0]
    change = {
        "strands": [each | {"hsps": 6000} for each in summary["strands"]],
        "synteny": synteny | {"blocks": [first | {"query_from": number} for number in range(1, 31)]},
    }
    visit.page.route(f"**/comparisons/{compared['id']}", lambda route: altered(route, {"summary": summary | change}))
    visit.page.add_init_script(hsps_in_place(12_000))
    page = opened(visit, f"/comparisons/{compared['id']}")
    expect(page.get_by_text("12,000 HSPs")).to_be_visible()
    # The other way round, as browsers do it and the tests above, all rows would be laid out three times.
    on_paper(page).evaluate(BEFORE_PRINT)
    expect(page.locator(".blocks tbody tr")).to_have_count(30)
    rows = page.locator(".hsp-list .hsp-row")
    assert rows.count() == 50
    assert page.locator(".hsp-list .hsp-length").first.inner_text() == "109"
    expect(page.get_by_text("Printed: the first 50 of 12,000. The page and its downloads have all.")).to_be_visible()
    expect(page.locator(".dotplot")).to_be_visible()
    assert page.evaluate(CUT) == []
    visit.shoot("print-comparison")


def test_pairs_are_printed_whole(visit: Visit, server: Server, queries: str) -> None:
    with server.http as http:
        asked = {"queries": queries, "subjects": queries, "pairing": "all", "title": "four by four"}
        job: dict[str, Any] = http.post("/v1/alignments", json=asked, headers={"Prefer": "wait=60"}).json()
    page = visit.open(f"/alignments/{job['id']}")
    page.locator(".hit-open").nth(1).click()
    page.locator(".alignment").wait_for()
    printed(page)
    names = [row.locator(".mono").all_inner_texts() for row in page.locator(".hit .pair-row").all()]
    assert names == [[each["query"], each["subject"]] for each in job["alignments"]]
    expect(page.locator(".alignment")).to_be_visible()
    assert page.evaluate(CUT) == []
    visit.shoot("print-pairs")
