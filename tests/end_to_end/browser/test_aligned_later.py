"""Hits that the search did not align, aligned from the result's page: the same as the search itself would have."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.browser import Visit
from tests.support.server import Server

ALIGNED, HITS = 5, 150
KEPT = """() => {
    const real = fetch;
    globalThis.aligned = [];
    globalThis.fetch = (address, asked) => {
        if (address.endsWith("/v1/alignments")) globalThis.aligned.push(JSON.parse(asked.body));
        return real(address, asked);
    };
}"""
"""Keeps what the page asks the service to align."""


@pytest.fixture(scope="module")
def second(queries: str) -> str:
    return ">" + queries.split(">")[2]


@pytest.fixture(scope="module")
def few(server: Server, second: str) -> dict[str, Any]:
    """A search that aligns its first hits only."""
    return server.search(second, max_target_seqs=HITS, alignments=ALIGNED, evalue=1e6, score_distribution=True)


@pytest.fixture(scope="module")
def all_aligned(server: Server, second: str) -> list[dict[str, Any]]:
    """The hits of the same search with all alignments."""
    found = server.search(second, max_target_seqs=HITS, alignments=HITS, evalue=1e6, score_distribution=True)
    hits: list[dict[str, Any]] = found["results"][0]["hits"]
    assert len(hits) == HITS
    return hits


@pytest.fixture
def page(visit: Visit, few: dict[str, Any]) -> Page:
    visit.page.add_init_script(f"({KEPT})()")
    page = visit.open(f"/searches/{few['search']}")
    page.locator(".methods").wait_for()
    return page


def not_aligned(page: Page, accession: str) -> Locator:
    return page.get_by_role("button", name=f"Align {accession} and the other hits on the screen")


def test_hits_on_the_screen_are_aligned_as_the_search_would_have(
    visit: Visit, page: Page, all_aligned: list[dict[str, Any]]
) -> None:
    hit = all_aligned[ALIGNED]
    not_aligned(page, hit["accession"]).click()
    expect(not_aligned(page, hit["accession"])).to_have_count(0)
    row = page.locator(f".hit[data-place='{ALIGNED}'] .hit-row")
    expect(row).to_contain_text(f"{hit['query_coverage']:.1f}")
    [asked] = page.evaluate("() => globalThis.aligned")
    assert 1 < len(asked["subjects"]["accessions"]) <= 100
    seen = all_aligned[ALIGNED : ALIGNED + len(asked["subjects"]["accessions"])]
    assert asked["subjects"]["accessions"] == [each["accession"] for each in seen]
    for place, each in enumerate(seen, ALIGNED):
        row = page.locator(f".hit[data-place='{place}']")
        expect(row.locator(".hit-identity")).to_have_text(f"{each['identity']:.1f}")
        expect(row.locator(".coverage-number")).to_have_text(f"{each['query_coverage']:.1f}")
        row.locator(".hit-open").click()
        hsp = each["hsps"][0]
        detail = row.locator(".detail")
        text = detail.locator(".alignment").inner_text().splitlines()
        letters = ["".join(line.split()[2] for line in text if line.startswith(side)) for side in ("Query", "Sbjct")]
        assert letters == [hsp["qseq"], hsp["hseq"]]
        facts = detail.locator(".detail-facts").first
        expect(facts).to_contain_text(f"Score {each['score']:,}")
        expect(facts).to_contain_text(f"Positives {hsp['positive']}/{hsp['align_len']}")
        expect(facts).to_contain_text(f"Query {hsp['query_from']}–{hsp['query_to']}")
        expect(facts).to_contain_text(f"Subject {hsp['hit_from']}–{hsp['hit_to']}")
    visit.shoot("aligned-later")


def test_what_a_filter_leaves_out_for_want_of_an_alignment_is_aligned(
    page: Page, all_aligned: list[dict[str, Any]]
) -> None:
    least = sorted(hit["identity"] for hit in all_aligned)[-20]
    page.get_by_label("Identity ≥").fill(str(least))
    status = page.locator(".toolbar [role=status]").first
    expect(status).to_contain_text(f"{HITS - ALIGNED} not aligned yet")
    page.get_by_role("button", name="Align the first 100").click()
    expect(status).to_contain_text(f"{HITS - ALIGNED - 100} not aligned yet")
    page.get_by_role("button", name=f"Align {HITS - ALIGNED - 100} hits").click()
    expect(status).to_have_text(f"20 of {HITS} hits")
    names = page.locator(".hit .accession").all_inner_texts()
    assert names == [hit["accession"] for hit in all_aligned if hit["identity"] >= least]


def test_the_drawing_says_why_it_is_empty_and_fills(page: Page, all_aligned: list[dict[str, Any]]) -> None:
    last = all_aligned[-1]
    page.get_by_label("Words in accession").fill(last["accession"])
    overview = page.locator(".overview")
    expect(overview).to_contain_text("These hits are not aligned yet. Align them to draw them here.")
    expect(overview.locator(".drawing")).to_be_hidden()
    overview.get_by_role("button", name="Align 1 hit").click()
    expect(overview.locator(".overview-names li")).to_have_count(1)
    expect(overview.locator(".drawing")).to_be_visible()
    hsp = last["hsps"][0]
    expect(overview.locator(".bar title")).to_contain_text(f"{hsp['query_from']}–{hsp['query_to']}")
    page.get_by_label("Words in accession").fill("no such words")
    expect(overview).to_contain_text("No hit passes the filters.")


def test_a_part_of_a_query_is_aligned_in_its_own_places(visit: Visit, server: Server, second: str) -> None:
    common = {"query_loc": "40-200", "max_target_seqs": 20, "evalue": 1e6}
    few, whole = (server.search(second, alignments=count, **common) for count in (1, 20))
    hit = whole["results"][0]["hits"][1]
    page = visit.open(f"/searches/{few['search']}#1/2")
    page.get_by_role("button", name="Align this hit").click()
    hsp = hit["hsps"][0]
    expect(page.locator(".detail-facts")).to_contain_text(f"Query {hsp['query_from']}–{hsp['query_to']}")
    expect(page.locator(".hit[data-place='1'] .coverage-number")).to_have_text(f"{hit['query_coverage']:.1f}")


def test_a_score_that_is_not_the_searchs_is_never_shown(visit: Visit, few: dict[str, Any]) -> None:
    def changed(route: Route) -> None:
        reply = route.fetch()
        body = reply.json()
        body["alignments"][0]["score"] += 1
        route.fulfill(response=reply, json=body)

    visit.page.route("**/alignments/*/results?format=json", changed)
    page = visit.open(f"/searches/{few['search']}#1/{ALIGNED + 1}")
    page.get_by_role("button", name="Align this hit").click()
    expect(page.locator(".hits .trouble")).to_contain_text("The database demo has changed since this search.")
    expect(page.locator(".detail .alignment")).to_have_count(0)


def test_hits_of_rounds_say_that_only_a_search_aligns_them(visit: Visit, server: Server, second: str) -> None:
    found = server.search(second, iterations=2, max_target_seqs=20, alignments=1)
    page = visit.open(f"/searches/{found['search']}#1/2")
    expect(page.locator(".detail")).to_contain_text("This hit is not aligned yet: the search aligned only the first 1.")
    expect(page.get_by_role("link", name="Edit the search")).to_be_visible()
    expect(page.locator(".hit[data-place='1'] .hit-coverage")).to_have_text("not aligned")
    expect(page.get_by_role("button", name="Align this hit")).to_have_count(0)


def test_aligning_can_be_cancelled_and_begun_again(visit: Visit, page: Page, all_aligned: list[dict[str, Any]]) -> None:
    hit = all_aligned[ALIGNED]
    held: list[Route] = []
    # The job may have ended before the page hears of it: then it cannot be cancelled any more.
    visit.refusals.add(409)

    def hold(route: Route) -> None:
        held.append(route)

    visit.page.route("**/alignments/*/results?format=json", hold)
    not_aligned(page, hit["accession"]).click()
    expect(page.locator(".toolbar")).to_contain_text("Aligning ")
    # One request at a time.
    expect(page.locator(".hit-coverage .link").last).to_be_disabled()
    page.get_by_role("button", name="Cancel").click()
    visit.page.unroute("**/alignments/*/results?format=json")
    not_aligned(page, hit["accession"]).click()
    expect(page.locator(f".hit[data-place='{ALIGNED}'] .hit-identity")).to_have_text(f"{hit['identity']:.1f}")
