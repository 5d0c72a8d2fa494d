"""Where each page ends: at its foot, whatever its scroll boxes and its hidden text hold."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Begin, Visit
from tests.support.comparison_page import altered, hsps_in_place
from tests.support.msa_page import made
from tests.support.planted_genomes import QUERY, SUBJECT
from tests.support.server import Server

WINDOWS = {
    "laptop": {"width": 1366, "height": 630},
    "large": {"width": 1920, "height": 1080},
    "phone": {"width": 390, "height": 844},
}
HSPS = 466
LONG_NAME = "a_name_of_more_letters_than_a_line_has_room_for_{}"
BEYOND_FOOT = """() => {
    const { bottom } = document.body.getBoundingClientRect();
    return document.documentElement.scrollHeight - Math.max(innerHeight, Math.ceil(bottom + scrollY));
}"""
"""Pixels that the page scrolls on below its foot, which is the last part of its body."""
ESCAPED = """() => {
    const isBox = (each) => /auto|scroll/.test(getComputedStyle(each).overflowY) && each !== document.documentElement;
    const boxes = [...document.querySelectorAll("body *")].filter(isBox);
    const out = (box) => [...box.querySelectorAll("*")].filter((each) => {
        const { position } = getComputedStyle(each);
        return position === "absolute" && each.offsetParent && !box.contains(each.offsetParent);
    });
    return boxes.flatMap((box) => out(box).map((each) => `${each.outerHTML.slice(0, 90)} in ${box.className}`));
}"""
"""What is placed absolutely within a scroll box by something outside of it: it does not scroll with the box."""


def search(visit: Visit, server: Server, queries: str) -> Page:
    """Queries of long names, whose index scrolls; an alignment is open."""
    record = queries.split(">")[1].partition("\n")[2]
    many = "".join(f">{LONG_NAME.format(number)}\n{record}\n" for number in range(30))
    found = server.search(many, max_target_seqs=40, score_distribution=True)
    page = visit.open(f"/searches/{found['search']}")
    expect(page.locator(".index .id").first).to_be_attached()
    page.locator(".hit-open").first.click()
    page.locator(".methods").wait_for()
    return page


def comparison(visit: Visit, server: Server, queries: str) -> Page:
    """As many HSPs as two related bacteria have."""
    del queries
    with server.http as http:
        asked = {"query": QUERY, "subject": SUBJECT}
        compared = http.post("/v1/comparisons", json=asked, headers={"Prefer": "wait=60"}).json()
    strands = [each | {"hsps": HSPS // 2} for each in compared["summary"]["strands"]]
    change = {"summary": compared["summary"] | {"strands": strands}}
    visit.page.route(f"**/comparisons/{compared['id']}", lambda route: altered(route, change))
    visit.page.add_init_script(hsps_in_place(HSPS))
    page = visit.open(f"/comparisons/{compared['id']}")
    expect(page.locator(".hsp-list .hsp-row")).to_have_count(HSPS)
    page.locator(".methods").wait_for()
    return page


def pairs(visit: Visit, server: Server, queries: str) -> Page:
    """Pairs of long names, one of them open."""
    records = [record.partition("\n")[2] for record in queries.split(">")[1:]]
    many = "".join(f">{LONG_NAME.format(number)}\n{record}\n" for number, record in enumerate(records * 3))
    with server.http as http:
        asked = {"queries": many, "subjects": many, "pairing": "all"}
        job = http.post("/v1/alignments", json=asked, headers={"Prefer": "wait=60"}).json()
    page = visit.open(f"/alignments/{job['id']}")
    page.locator(".hit-open").first.click()
    page.locator(".detail .alignment").wait_for()
    return page


def msa(visit: Visit, server: Server, queries: str) -> Page:
    """Several chains; the numbers of one are unfolded, and a row is open."""
    page = visit.open(made(server, queries=queries, databases=["demo"]))
    page.get_by_role("application").click(position={"x": 20, "y": 44})
    page.locator(".msa-detail .alignment").wait_for()
    page.locator(".conservation details summary").click()
    return page


def history(visit: Visit, server: Server, queries: str) -> Page:
    """Jobs of several kinds."""
    del server
    visit.search(queries)
    page = visit.open("/history")
    page.locator("main a[href*='/searches/']").first.wait_for()
    return page


def at(path: str) -> Callable[[Visit, Server, str], Page]:
    """A page that needs nothing before."""
    return lambda visit, *_: visit.open(path)


PAGES = {
    "search": search,
    "comparison": comparison,
    "pairs": pairs,
    "msa": msa,
    "history": history,
    **{path: at(path) for path in ("/", "/align", "/compare", "/msas", "/help")},
}


@pytest.mark.parametrize("kind", PAGES)
def test_a_page_ends_at_its_foot(begin: Begin, server: Server, queries: str, kind: str) -> None:
    page = PAGES[kind](begin(), server, queries)
    for name, window in WINDOWS.items():
        page.set_viewport_size(window)  # type: ignore[arg-type]
        assert page.evaluate(BEYOND_FOOT) <= 0, name
        assert page.evaluate(ESCAPED) == [], name
