"""The table of a result's hits in a browser: columns, order, filters, ticks, organisms."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser import Visit, send_on
from tests.support.hit_table import named, rows, show_columns
from tests.support.server import Server


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    """The demo's four queries, searched as the page searches them, with alignments of the best thirty alone."""
    return server.search(
        queries, max_target_seqs=40, alignments=30, evalue=1000, score_distribution=True, title="Four queries"
    )


@pytest.fixture
def page(visit: Visit, result: dict[str, Any]) -> Page:
    """The result's page, at its second query."""
    page = visit.open(f"/searches/{result['search']}#2")
    expect(page.locator(".query-head h2")).to_contain_text(result["results"][1]["query"]["id"])
    return page


SORTED = (
    ("Identity %", "identity", True),
    ("Coverage %", "query_coverage", True),
    ("Length", "length", True),
    ("E-value", "evalue", False),
    ("Accession and title", "accession", False),
)
"""Columns, what they show, and whether they descend when they are clicked first."""


def test_the_table_sorts(page: Page, result: dict[str, Any]) -> None:
    hits = result["results"][1]["hits"]
    show_columns(page, "Length")
    for column, member, descending in SORTED:
        known = [hit for hit in hits if hit[member] is not None]
        unknown = [hit for hit in hits if hit[member] is None]
        sign = -1 if descending else 1
        order = sorted(known, key=lambda hit: hit[member] if member == "accession" else sign * hit[member])
        header = page.locator(".hit-head").get_by_role("columnheader", name=column)
        header.get_by_role("button").click()
        expect(header).to_have_attribute("aria-sort", "descending" if descending else "ascending")
        ranks = [int(row[0]) for row in rows(page)]
        assert ranks == [hit["rank"] for hit in [*order, *unknown]][: len(ranks)], column
        assert ranks != sorted(ranks) or member == "evalue"


def test_columns_are_chosen_and_stay_chosen(page: Page, result: dict[str, Any]) -> None:
    hits = result["results"][1]["hits"]
    assert "Score" not in page.locator(".hit-head").inner_text()
    show_columns(page, "Score", "Length")
    page.get_by_role("button", name="Columns").click()
    page.locator(".menu-list").get_by_label("Coverage %").uncheck()
    page.reload()
    page.locator(".hit").first.wait_for()
    head = page.locator(".hit-head").get_by_role("columnheader").all_inner_texts()
    assert [name.removesuffix("\n↑") for name in head[1:]] == [
        "#", "Accession and title", "Organism", "Score", "Bits", "E-value", "Identity %", "Length",
    ]  # fmt: skip
    assert [rows(page)[0][3], rows(page)[0][7]] == [f"{hits[0]['score']:,}", f"{hits[0]['length']:,}"]


def test_organisms_are_counted_and_one_is_chosen(page: Page, result: dict[str, Any]) -> None:
    hits = result["results"][1]["hits"]
    organisms = [named(hit["title"])[1] for hit in hits]
    panel = page.locator(".organisms")
    expect(panel.get_by_role("heading")).to_have_text(f"{len(set(organisms))} organisms")
    first = panel.locator("tbody tr").first.locator("td").all_inner_texts()
    assert first[:2] == [organisms[0], str(organisms.count(organisms[0]))]
    panel.get_by_role("button", name=organisms[0], exact=True).click()
    expect(page.locator(".toolbar [role=status]")).to_contain_text(f"of {len(hits)} hits")
    assert {row[2] for row in rows(page)} == {organisms[0]}


def test_all_alignments_are_opened_and_closed_at_once(page: Page) -> None:
    page.locator(".hit-open").nth(3).click()
    page.get_by_role("button", name="Open all").click()
    # Thirty are aligned, and the others say that they are not.
    expect(page.locator(".detail .alignment")).to_have_count(30)
    page.get_by_role("button", name="Close all").click()
    expect(page.locator(".detail")).to_have_count(0)
    expect(page.get_by_role("button", name="Close all")).to_have_count(0)


def test_ticked_hits_make_the_profile_of_another_round(page: Page, result: dict[str, Any], server: Server) -> None:
    ranks = [row.get_by_role("checkbox") for row in page.locator(".hit-list .hit").all()[:4]]
    for ticked in (ranks[0], ranks[2]):
        ticked.check()
    page.get_by_role("button", name="Next round").click()
    query = result["results"][1]["query"]["id"]
    title = f"{query} and its hits 1,3"
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator(".query-head")).to_have_text(re.compile("Cells[^ ]+ (million|billion)$"))
    expect(page.locator(".methods")).to_contain_text(f"a position-specific scoring matrix, “{title}”")
    expect(page.locator(".rounds h2")).to_have_text("Profile")
    with server.http as http:
        profile = http.get(f"/v1/searches/{result['search']}/pssm", params={"query": 2, "hits": "1,3"}).text
        again = {"database": "demo", "pssm": profile, **{name: result["parameters"][name] for name in ("evalue",)}}
        told = http.post("/v1/searches", json=again, headers={"Prefer": "wait=60"}).json()["results"][0]["query"]
        shown = http.get(f"/v1/searches/{page.url.rsplit('/', 1)[1]}/results").json()["results"][0]["query"]
    assert shown["profile"] == told["profile"]
    page.get_by_role("link", name="Edit search").click()
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(re.compile(r"^\{"))
    expect(page.locator(".notes")).to_have_count(0)
    page.get_by_role("navigation", name="Site").get_by_role("link", name="History").click()
    expect(page.locator(".recent-list li").first).to_contain_text(title)


def test_a_profile_is_made_of_hits_that_are_aligned(page: Page, result: dict[str, Any]) -> None:
    page.get_by_label("Select all hits shown").check()
    unaligned = len(result["results"][1]["hits"]) - 30
    button = page.get_by_role("button", name="Next round")
    expect(button).to_be_disabled()
    expect(button).to_have_attribute("title", f"{unaligned} hits of these are not aligned.")


def test_a_line_stands_where_chance_begins(page: Page, result: dict[str, Any]) -> None:
    hits = result["results"][1]["hits"]
    edge = page.locator(".hit-row.edge")
    first = next(hit for hit in hits if hit["evalue"] > 0.001)
    expect(edge.locator(".hit-rank")).to_have_text(str(first["rank"]))
    page.locator(".hit-head").get_by_role("columnheader", name="Bits").get_by_role("button").click()
    expect(edge).to_have_count(0)


FILTERS = (
    ("E ≤", "1e-8", "evalue", lambda value: value is not None and value <= 1e-8),
    ("Identity ≥", "30", "identity", lambda value: value is not None and value >= 30),
    ("Coverage ≥", "55", "query_coverage", lambda value: value is not None and value >= 55),
    ("Words in accession, title or organism", "TYROSINE src", "title", None),
)
"""Labels, what is filled in there, and which hits it keeps by what of them."""


def test_the_table_filters(page: Page, result: dict[str, Any]) -> None:
    hits = result["results"][1]["hits"]
    for label, text, member, keeps in FILTERS:
        if keeps is None:
            expected = [hit for hit in hits if "tyrosine" in hit["title"].lower() and "src" in str(hit).lower()]
        else:
            expected = [hit for hit in hits if keeps(hit[member])]
        assert 0 < len(expected) < len(hits)
        page.get_by_label(label).fill(text)
        unaligned = "; 10 not aligned yet" if member in ("identity", "query_coverage") else ""
        expect(page.locator(".toolbar [role=status]")).to_have_text(f"{len(expected)} of {len(hits)} hits{unaligned}")
        assert [int(row[0]) for row in rows(page)] == [hit["rank"] for hit in expected][: len(rows(page))], label
        page.get_by_label(label).fill("")
    page.get_by_label("Words in accession, title or organism").fill("no such hit")
    left = page.get_by_text("No hit passes these filters.")
    assert left.evaluate("(line) => parseFloat(getComputedStyle(line).paddingLeft)") >= 12


def test_a_tick_for_all_leaves_what_is_hidden_as_it_is(page: Page, result: dict[str, Any]) -> None:
    hits = result["results"][1]["hits"]
    apart = [hit for hit in hits if "tyrosine" not in hit["title"].lower()]
    for hit in apart[:2]:
        page.get_by_label(f"Select {hit['accession']}").check()
    page.get_by_label("Words in accession, title or organism").fill("tyrosine")
    expect(page.locator(".toolbar [role=status]")).to_have_text(f"{len(hits) - len(apart)} of 40 hits")
    page.get_by_label("Select all hits shown").check()
    expect(page.get_by_role("button", name=f"{len(hits) - len(apart) + 2} selected, clear")).to_be_visible()
    page.get_by_label("Select all hits shown").uncheck()
    expect(page.get_by_role("button", name="2 selected, clear")).to_be_visible()


def test_no_number_is_rounded_to_all_or_none(visit: Visit, result: dict[str, Any]) -> None:
    def nearly(route: Route) -> None:
        reply = route.fetch()
        body = reply.json()
        body["certificate"]["cells"] = 999_900_000
        first, second = body["results"][0]["hits"][:2]
        first["identity"], second["identity"] = 99.97, 0.03
        first["hsps"][0].update(identity=383, positive=384, gaps=1, align_len=384)
        route.fulfill(response=reply, json=body)

    visit.page.route("**/results?query=2*", nearly)
    page = visit.open(f"/searches/{result['search']}#2")
    page.locator(".hit-open").first.click()
    expect(page.locator(".detail-facts")).to_contain_text("Identities 383/384 (99 %)Positives 384/384 (100 %)")
    expect(page.locator(".detail-facts")).to_contain_text("Gaps 1/384 (1 %)")
    assert page.locator(".hit .hit-identity").all_inner_texts()[:2] == ["99.9", "0.1"]
    page.locator(".certificate summary").click()
    expect(page.locator(".certificate .facts")).to_contain_text("Cells scored1.00 billion")


STRAY = [
    {"label": "Astray", "field": "accession", "pattern": "^(x?)[^|]*\\|(.*)$", "url": "/{1}/{2}"},
    {"label": "Kept", "field": "accession", "pattern": "^(x?)[^|]*\\|(.*)$", "url": "/at/{1}/{2}/{constructor}"},
    {"label": "There", "field": "accession", "pattern": "(?:)", "url": "https://site.example//{accession}"},
]
"""Rules of which the server would refuse the first."""
BEGINS = "(element) => element.getBoundingClientRect().left"
ENDS = "(element) => element.getBoundingClientRect().right"


def test_names_turn_nothing_round_and_lead_nowhere_else(visit: Visit, result: dict[str, Any]) -> None:
    def strange(route: Route) -> None:
        reply = route.fetch()
        body = reply.json()
        first, second = body["results"][0]["hits"][:2]
        first |= {
            "accession": "gi|evil.example",
            "title": "\u202etitle OS=\u202eABC OX=1",
            "organism": "\u202eABC",
            "taxid": 1,
        }
        second["accession"] = "gi|\x1f\x7f"
        route.fulfill(response=reply, json=body)

    visit.page.route("**/results?query=2*", strange)
    address = f"/searches/{result['search']}"
    visit.page.route(f"{visit.url}{address}", lambda route: send_on(route, lambda view: view.update(links=STRAY)))
    page = visit.open(f"{address}#2")
    names = page.locator(".hit-open").first.locator("span"), page.locator(".hit-organism > span").first
    for name in (names[0].nth(0), names[0].nth(1), names[1], page.locator(".organisms .link").first):
        expect(name).to_have_css("unicode-bidi", "isolate")
    page.locator(".hit-open").first.click()
    page.locator(".hit-open").nth(1).click()
    detail = page.locator(".detail").first
    title, rest = detail.locator(".detail-title > bdi"), detail.locator(".detail-title > .dim")
    assert rest.evaluate(BEGINS) >= title.evaluate(ENDS)
    expect(detail.get_by_role("link", name="Sequence, FASTA")).to_have_count(1)
    expect(page.locator(".detail").nth(1).get_by_role("link", name="Sequence, FASTA")).to_have_count(0)
    expect(detail.get_by_role("link", name="Astray")).to_have_count(0)
    expect(detail.get_by_role("link", name="Kept")).to_have_attribute("href", "/at//evil.example/")
    expect(detail.get_by_role("link", name="There")).to_have_attribute(
        "href", "https://site.example//gi%7Cevil.example"
    )
