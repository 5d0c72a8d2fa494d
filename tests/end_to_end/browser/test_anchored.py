"""A query's hits aligned to it in the table's order, and downloads of what its filters leave."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from Bio import AlignIO
from playwright.sync_api import Page, expect

from shardwater.formats.msas.a3m import read_a3m
from tests.support.accessibility import faults, overflow
from tests.support.browser import Begin, Visit
from tests.support.server import Server

ROWS = """(root) => [...root.querySelectorAll(".anchored-block")].map((block) =>
    [...block.querySelectorAll("[role=row]:not(.anchored-query)")].map((row) => [
        row.querySelector("[role=rowheader]").textContent,
        row.querySelector(".anchored-letters").textContent,
        row.querySelectorAll(".other").length,
    ]))"""
"""Of each block its rows: name, letters, and how many runs of letters are marked as others than the query's."""


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    return server.search(queries, max_target_seqs=40, alignments=30, evalue=1000, max_hsps=2, title="To be aligned")


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


def opened(visit: Visit, result: dict[str, Any], number: int = 2) -> Page:
    """A query's hits, aligned to it."""
    page = visit.open(f"/searches/{result['search']}#{number}")
    expect(page.locator(".query-head h2")).to_contain_text(result["results"][number - 1]["query"]["id"])
    page.get_by_role("button", name="Aligned to the query", exact=True).click()
    page.locator(".anchored-block").first.wait_for()
    return page


def blocks(page: Page) -> list[list[list[Any]]]:
    found: list[list[list[Any]]] = page.locator(".anchored").evaluate(ROWS)
    return found


def of_query(page: Page) -> str:
    """The query's row, all of its blocks."""
    return "".join(page.locator(".anchored-query .anchored-letters").all_text_contents())


def names(page: Page) -> list[str]:
    """The rows' names, each once, in their order."""
    return list(dict.fromkeys(row[0] for block in blocks(page) for row in block))


def test_rows_are_those_of_the_file(visit: Visit, result: dict[str, Any], http: httpx.Client) -> None:
    page = opened(visit, result)
    text = http.get(f"/v1/searches/{result['search']}/results?format=a3m&query=2").content
    msa = read_a3m(io.BytesIO(text))
    expect(page.locator(".anchored-query .anchored-letters").last).to_be_attached()
    assert of_query(page) == msa.query.residues.decode()
    width = len(page.locator(".anchored-query .anchored-letters").first.inner_text())
    assert width % 10 == 0
    expected = []
    for first in range(0, msa.columns, width):
        block = []
        for number, row in enumerate(msa):
            if row.query_start < first + width and row.query_end > first:
                letters = bytes(letter for letter in msa.a3m(number) if not chr(letter).islower()).decode()
                begin, end = (min(max(0, at - first), width) for at in (row.query_start, row.query_end))
                block.append([row.name, " " * begin + letters[first + begin : first + end]])
        expected.append(block)
    assert [[row[:2] for row in block] for block in blocks(page)] == expected
    expect(page.locator(".anchored-note")).to_have_text(f"{len(msa)} rows, an alignment each; 10 hits not aligned yet.")
    visit.shoot("anchored")


def test_what_differs_is_marked_and_what_is_the_same_is_dots(visit: Visit, result: dict[str, Any]) -> None:
    page = opened(visit, result)
    hsp = result["results"][1]["hits"][5]["hsps"][0]
    accession = result["results"][1]["hits"][5]["accession"]
    pairs = [pair for pair in zip(hsp["qseq"], hsp["hseq"], strict=True) if pair[0] != "-"]

    def letters(kind: str = "") -> str:
        rows = page.locator(".anchored-row", has_text=accession)
        return "".join(rows.locator(f".anchored-letters {kind}").all_text_contents()).replace(" ", "")

    assert letters(".other") == "".join(subject for query, subject in pairs if subject not in ("-", query))
    query = of_query(page)
    page.get_by_label("Dots for the query's letters").check()
    assert letters() == "".join("." if subject == query else subject for query, subject in pairs)
    assert of_query(page) == query
    page.get_by_role("button", name="By property").click()
    expect(page.locator(".anchored .other")).to_have_count(0)
    expect(page.locator(".anchored .legend")).to_contain_text("hydrophobic")
    page.get_by_label("Dots for the query's letters").uncheck()
    shown = page.locator(".anchored-row:not(.anchored-query) .anchored-letters span", has_text="C").first
    assert shown.evaluate("(span) => span.style.background") != ""


def test_letters_between_the_querys_are_told(visit: Visit, result: dict[str, Any]) -> None:
    one = result["results"][1]
    gapped = next(hit for hit in one["hits"] if any("-" in hsp["qseq"].strip("-") for hsp in hit["hsps"]))
    page = opened(visit, result)
    page.get_by_label("Words in accession, title or organism").fill(gapped["accession"])
    expect(page.locator(".toolbar [role=status]").first).to_have_text("1 of 40 hits")
    places = "".join(hsp["qseq"] for hsp in gapped["hsps"])
    runs = [run for run in "".join("-" if letter == "-" else " " for letter in places).split(" ") if run]
    marks = page.locator(".anchored .inserted")
    expect(marks).to_have_count(len(runs))
    title = marks.first.get_attribute("title") or ""
    assert title.endswith(
        tuple(
            f" left out behind it: {hsp['hseq'][at : at + len(run)]}"
            for hsp in gapped["hsps"]
            for run in runs
            for at in range(hsp["align_len"])
            if hsp["qseq"][at : at + len(run)] == run
        )
    )


def test_rows_follow_the_tables_order_and_filters(visit: Visit, result: dict[str, Any]) -> None:
    hits = [hit for hit in result["results"][1]["hits"] if hit["hsps"]]
    page = visit.open(f"/searches/{result['search']}#2")
    page.get_by_role("columnheader", name="Identity").get_by_role("button").click()
    expect(page.get_by_role("columnheader", name="Identity")).to_have_attribute("aria-sort", "descending")
    page.get_by_role("button", name="Aligned to the query", exact=True).click()
    page.locator(".anchored-block").first.wait_for()
    ordered = [hit["accession"] for hit in sorted(hits, key=lambda hit: (-hit["identity"], hit["rank"]))]
    first = [row[0] for row in blocks(page)[0]]
    assert first == sorted(first, key=ordered.index)
    assert sorted(names(page)) == sorted(ordered)
    page.get_by_label("Identity ≥").fill("30")
    left = [hit["accession"] for hit in hits if hit["identity"] >= 30]
    expect(page.locator(".toolbar [role=status]").first).to_contain_text(f"{len(left)} of 40 hits")
    assert sorted(names(page)) == sorted(left)
    # It stays so, from query to query and when the page comes again.
    page.reload()
    page.locator(".anchored-block").first.wait_for()
    assert sorted(names(page)) == sorted(left)
    page.get_by_label("Identity ≥").fill("100.1")
    page.get_by_role("button", name="Show all").click()
    page.locator(".anchored-block").first.wait_for()


def test_a_name_opens_the_hit_in_the_table(visit: Visit, result: dict[str, Any]) -> None:
    page = opened(visit, result)
    accession = result["results"][1]["hits"][25]["accession"]
    # By keys: each row is come by once.
    button = page.locator(".anchored").get_by_role("button", name=accession).first
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Table", exact=True)).to_have_attribute("aria-pressed", "true")
    opens = page.locator(".hit-open", has_text=accession)
    expect(opens).to_have_attribute("aria-expanded", "true")
    expect(opens).to_be_in_viewport()
    page.get_by_role("button", name="Aligned to the query", exact=True).click()
    stops = page.locator(".anchored-name button[tabindex='0']").all_text_contents()
    rows = sum(len(hit["hsps"]) for hit in result["results"][1]["hits"])
    assert len(stops) == rows


def test_an_address_of_a_hit_opens_it_in_the_table(visit: Visit, result: dict[str, Any]) -> None:
    page = opened(visit, result)
    page.evaluate("() => { location.hash = '#2/17'; }")
    opens = page.locator(".hit-open[aria-expanded='true']")
    expect(opens).to_contain_text(result["results"][1]["hits"][16]["accession"])
    expect(opens).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_differences_stand_out_in_the_systems_few_colours(begin: Begin, result: dict[str, Any], scheme: str) -> None:
    page = opened(begin(forced_colors="active", color_scheme=scheme), result)
    look = "(part) => [getComputedStyle(part).backgroundColor, getComputedStyle(part).color]"
    other, same = (page.locator(f".anchored-letters{part}").nth(3).evaluate(look) for part in (" .other", ":not(.dim)"))
    assert other[0] != same[0]
    assert other[1] not in other[:1] + same[:1]


@pytest.mark.parametrize(
    ("scheme", "viewport"), [("light", {"width": 1280, "height": 900}), ("dark", {"width": 375, "height": 720})]
)
def test_it_is_for_everybody(begin: Begin, result: dict[str, Any], scheme: str, viewport: dict[str, int]) -> None:
    visit = begin(color_scheme=scheme, viewport=viewport)
    page = opened(visit, result)
    # Some dozen rows have all that there is to look at.
    page.get_by_label("Identity ≥").fill("40")
    expect(page.locator(".toolbar [role=status]")).to_contain_text(" of ")
    for colours in ("By difference", "By property"):
        page.get_by_role("button", name=colours).click()
        assert faults(page) == []
        assert overflow(page) <= 0
    # Letters are not cut off.
    assert page.locator(".anchored-letters").evaluate_all(
        "(all) => all.every((each) => each.scrollWidth <= each.clientWidth + 1)"
    )
    visit.shoot(f"anchored-{scheme}")


def test_many_rows_come_in_parts_and_are_printed_together(visit: Visit, server: Server, queries: str) -> None:
    found = server.search(queries, max_target_seqs=1200, alignments=1200, evalue=1e9)
    number = max(range(4), key=lambda place: found["results"][place]["query"]["length"]) + 1
    letters = [
        hsp["query_to"] - hsp["query_from"] + 1 for hit in found["results"][number - 1]["hits"] for hsp in hit["hsps"]
    ]
    assert 40_000 < sum(letters) < 160_000
    page = opened(visit, found, number)
    first = next(place for place in range(len(letters)) if sum(letters[: place + 1]) > 40_000)
    note = page.locator(".anchored-note")
    expect(note).to_contain_text(f"The first {first} of {len(letters):,} rows")
    assert len(names(page)) == first
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert len(names(page)) == len(letters)
    assert {len(text) for text in page.locator(".anchored-query .anchored-letters").all_text_contents()[:-1]} == {60}
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert len(names(page)) == first
    page.get_by_role("button", name="Show more rows").click()
    expect(note).to_contain_text(f"{len(letters):,} rows, an alignment each")
    assert len(names(page)) == len(letters)
    # Of so many the table has only those in view.
    page.locator(".anchored-name button").nth(1000).click()
    expect(page.locator(".hit-open[aria-expanded='true']")).to_be_in_viewport()


def test_a_profiles_query_has_the_letters_of_its_alignments(
    visit: Visit, server: Server, http: httpx.Client, queries: str
) -> None:
    rounds = server.search(queries, iterations=2, max_target_seqs=20)
    pssm = http.get(f"/v1/searches/{rounds['search']}/pssm", params={"format": "json", "query": 3}).text
    reply = http.post("/v1/searches", json={"pssm": pssm, "database": "demo"}, headers={"Prefer": "wait=30"})
    page = visit.open(f"/searches/{reply.json()['search']}")
    page.get_by_role("button", name="Aligned to the query", exact=True).click()
    page.locator(".anchored-block").first.wait_for()
    best = reply.json()["results"][0]["hits"][0]["hsps"][0]
    assert of_query(page)[best["query_from"] - 1 : best["query_to"]] == best["qseq"].replace("-", "")


def choices(page: Page) -> list[str]:
    page.get_by_role("button", name="Download", exact=True).click()
    return page.locator(".menu-head label").all_inner_texts()


def saved(page: Page, name: str) -> str:
    with page.expect_download() as download:
        page.locator(".menu-list").get_by_text(name).click()
    return Path(download.value.path()).read_text()


def test_the_hits_shown_are_downloaded_alone(visit: Visit, result: dict[str, Any]) -> None:
    hits = result["results"][1]["hits"]
    page = visit.open(f"/searches/{result['search']}#2")
    page.locator(".hit-row").nth(1).wait_for()
    assert choices(page) == []
    expect(page.locator(".menu-head").first).to_have_text("All hits of this query")
    page.keyboard.press("Escape")
    page.get_by_label("Identity ≥").fill("30")
    left = [hit for hit in hits if hit["identity"] is not None and hit["identity"] >= 30]
    assert 1 < len(left) < 30
    expect(page.locator(".toolbar [role=status]").first).to_contain_text(f"{len(left)} of 40 hits")
    assert choices(page) == [f"The {len(left)} hits shown", "All hits of this query"]
    table = saved(page, "Table, tab-separated")
    kept = [hit["accession"] for hit in left for _ in hit["hsps"]]
    assert [line.split("\t")[1] for line in table.splitlines()] == kept
    choices(page)
    alignment = AlignIO.read(io.StringIO(saved(page, "Aligned to the query, FASTA")), "fasta")
    assert [row.id.partition("/")[0] for row in alignment] == [result["results"][1]["query"]["id"], *kept]
    choices(page)
    assert saved(page, "Aligned parts without gaps, FASTA").count(">") == len(kept)
    # All of them are one choice away, for this once.
    choices(page)
    page.get_by_label("All hits of this query").check()
    table = saved(page, "Table, tab-separated")
    assert len({line.split("\t")[1] for line in table.splitlines()}) == 40
    choices(page)
    expect(page.get_by_label(f"The {len(left)} hits shown")).to_be_checked()
    page.keyboard.press("Escape")
    # What is ticked goes before what is shown.
    page.get_by_label(f"Select {left[0]['accession']}").check()
    page.get_by_role("button", name="Download selected").click()
    expect(page.locator(".menu-head").first).to_have_text("1 selected hit")


def test_all_queries_are_no_one_alignment(visit: Visit, result: dict[str, Any]) -> None:
    page = visit.open(f"/searches/{result['search']}#2")
    page.get_by_role("button", name="Download all").click()
    expect(page.locator(".menu-list")).to_contain_text("Aligned to the query, Stockholm")
    expect(page.locator(".menu-list")).not_to_contain_text("Aligned to the query, FASTA")
    with page.expect_download() as download:
        page.get_by_role("link", name="Aligned to the query, Stockholm").click()
    read = list(AlignIO.parse(Path(download.value.path()), "stockholm"))
    assert [each[0].id for each in read] == [one["query"]["id"] for one in result["results"]]
