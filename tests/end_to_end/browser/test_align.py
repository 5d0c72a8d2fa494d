"""A job of pairs in a browser: waiting, the table, an alignment, files, programs, paper."""

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.accessibility import faults, overflow
from tests.support.browser import PRINTED_ROWS, Begin, Visit
from tests.support.comparison_page import SHIFTED
from tests.support.demo import DEMO
from tests.support.pair_page import cells, opened, rows, table
from tests.support.server import Server

WAIT = {"Prefer": "wait=60", "Cache-Control": "no-cache"}
READS = ">r1\nACGTACGTTAGCCATTACGA\n>r2\nTTGACCAGTCCATGATTACAGG\n"
REFERENCES = ">t1\nACGTACGTAGCCATTACGA\n>t2\nCCTGTAATCATGGACTGGTCAA\n"
LETTERS = "ACGTTGCATTGACCAGTCCATGATTACAGG"


@pytest.fixture(scope="module")
def http(server: Server) -> Any:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def proteins() -> tuple[str, str]:
    """Two lists of four."""
    records = gzip.decompress((DEMO / "proteins.fasta.gz").read_bytes()).decode().split(">")[1:9]
    return "".join(f">{each}" for each in records[:4]), "".join(f">{each}" for each in records[4:])


@pytest.fixture(scope="module")
def result(http: httpx.Client, proteins: tuple[str, str]) -> dict[str, Any]:
    body = {"queries": proteins[0], "subjects": proteins[1], "pairing": "all", "title": "four by four"}
    return dict(http.post("/v1/alignments", json=body, headers=WAIT).json())


def numbered(result: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    return list(enumerate(result["alignments"], start=1))


def letters_of(name: str, letters: str) -> str:
    """A record."""
    return f">{name}\n{letters}\n"


def shown(page: Page) -> tuple[str, str]:
    """The letters of the alignment that is open, gaps included."""
    lines = [line.split() for line in page.locator(".alignment").inner_text().splitlines()]
    rows = {side: [words[2] for words in lines if words[:1] == [side]] for side in ("Query", "Sbjct")}
    return "".join(rows["Query"]), "".join(rows["Sbjct"])


def aligned(http: httpx.Client, job: str, number: int) -> tuple[str, str]:
    """The same as the service writes them."""
    text = http.get(f"/v1/alignments/{job}/results?format=fasta&pairs={number}").text
    query, subject = ("".join(record.split("\n")[1:]) for record in text.split(">")[1:])
    return query, subject


def test_the_table_has_every_pair_sorts_and_filters(visit: Visit, http: httpx.Client, result: dict[str, Any]) -> None:
    page = opened(visit, f"/alignments/{result['id']}")
    assert page.evaluate(SHIFTED) < 0.05
    expect(page).to_have_title("four by four - Shardwater")
    pairs = numbered(result)
    assert rows(page) == [cells(*pair) for pair in pairs]
    page.get_by_role("button", name="Score", exact=True).click()
    best_first = sorted(pairs, key=lambda pair: (-pair[1]["score"], pair[0]))
    assert rows(page) == [cells(*pair) for pair in best_first]
    expect(page.get_by_role("columnheader", name="Score")).to_have_attribute("aria-sort", "descending")
    page.get_by_label("Identity ≥").fill("30 %")
    alike = [pair for pair in best_first if pair[1]["identity"] >= 0.3 * pair[1]["align_len"]]
    assert 0 < len(alike) < len(pairs)
    expect(page.get_by_role("status").last).to_have_text(f"{len(alike)} of 16 pairs")
    assert rows(page) == [cells(*pair) for pair in alike]
    name = pairs[0][1]["subject"]
    page.get_by_label("Words in the names").fill(name.lower())
    of_one = [pair for pair in alike if pair[1]["subject"] == name]
    expect(page.get_by_role("status").last).to_have_text(f"{len(of_one)} of 16 pairs")
    # As it was looked at, so it is found again.
    page.reload()
    table(page).wait_for()
    assert rows(page) == [cells(*pair) for pair in of_one]
    page.get_by_label("Score ≥").fill("none")
    expect(page.get_by_role("alert")).to_have_text("A number is needed, such as 50.")
    page.get_by_label("Score ≥").fill("1000000")
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_role("status").last).to_have_text("16 pairs")


def test_a_pair_opens_with_its_alignment_and_its_files(
    begin: Begin, http: httpx.Client, result: dict[str, Any]
) -> None:
    visit = begin(permissions=["clipboard-read", "clipboard-write"])
    page = opened(visit, f"/alignments/{result['id']}")
    # The longest one has several lines.
    number, pair = max(numbered(result), key=lambda pair: int(pair[1]["align_len"]))
    assert pair["align_len"] > 60
    page.locator(".hit-open").nth(number - 1).click()
    page.locator(".alignment").wait_for()
    assert shown(page) == aligned(http, result["id"], number)
    facts = page.locator(".detail-facts")
    expect(facts).to_contain_text(f"Identities {pair['identity']}/{pair['align_len']}")
    expect(facts).to_contain_text(f"Positives {pair['positive']}/{pair['align_len']}")
    midline = page.locator(".alignment .middle").all_inner_texts()
    assert sum(len(line.replace(" ", "").strip()) for line in midline) == pair["positive"]
    page.get_by_role("button", name="Copy alignment").click()
    copied = str(page.evaluate("navigator.clipboard.readText()"))
    assert copied.split() == page.locator(".alignment").inner_text().split()
    assert faults(page) == []
    visit.shoot("pairs")
    with page.expect_download() as saved:
        page.locator(".detail").get_by_role("link", name="PAF").click()
    assert saved.value.path().read_text().split("\t")[0] == pair["query"]
    page.get_by_role("button", name="Copy link to this pair").click()
    link = str(page.evaluate("navigator.clipboard.readText()"))
    assert link == f"{visit.url}/alignments/{result['id']}#{number}"
    page.get_by_role("button", name="Download").click()
    for name, beginning in (("Text, as EMBOSS", "####"), ("SAM", "@HD"), ("JSON, one a line", '{"query"')):
        with page.expect_download() as saved:
            page.locator(".menu-list").get_by_role("link", name=name).click()
        assert saved.value.path().read_text().startswith(beginning)
        page.get_by_role("button", name="Download").click()
    expect(page.locator(".menu-list a")).to_have_count(7)


def test_a_link_leads_to_its_pair(visit: Visit, result: dict[str, Any]) -> None:
    page = opened(visit, f"/alignments/{result['id']}#7")
    expect(page.locator(".detail-facts")).to_contain_text("Pair 7")
    page = opened(visit, f"/alignments/{result['id']}#17")
    page.reload()
    expect(page.get_by_text("There is no pair 17 in this list.")).to_be_visible()


def test_a_reverse_strand_counts_backwards(visit: Visit, http: httpx.Client) -> None:
    body = {"queries": READS, "subjects": REFERENCES, "strand": "both"}
    found = http.post("/v1/alignments", json=body, headers=WAIT).json()
    page = opened(visit, f"/alignments/{found['id']}")
    assert [pair["strand"] for pair in found["alignments"]] == ["+", "-"]
    assert rows(page) == [cells(*pair) for pair in numbered(found)]
    page.locator(".hit-open").nth(1).click()
    page.locator(".alignment").wait_for()
    assert shown(page) == aligned(http, found["id"], 2) == ("CCTGTAATCATGGACTGGTCAA",) * 2
    assert page.locator(".alignment .place").first.inner_text().split() == ["Query", "22"]
    expect(page.locator(".detail-facts")).to_contain_text("reverse complement")


def test_of_a_long_alignment_the_beginning_is_shown(visit: Visit, http: httpx.Client) -> None:
    letters = LETTERS * 440
    body = {"queries": letters_of("q", letters), "subjects": letters_of("#s", letters[:-9]), "mode": "global"}
    found = http.post("/v1/alignments", json=body, headers=WAIT).json()
    page = opened(visit, f"/alignments/{found['id']}")
    # There is one pair alone: it is open.
    page.locator(".alignment").wait_for()
    query, subject = aligned(http, found["id"], 1)
    assert shown(page) == (query[:12_000], subject[:12_000])
    expect(page.locator(".detail")).to_contain_text(f"The first 12,000 of {len(query):,} columns; the files have all.")


def test_a_report_of_less_has_a_smaller_table(visit: Visit, http: httpx.Client) -> None:
    body = {"queries": READS, "subjects": ">none\nNNNN\n>t2\nTTGACC\n", "report": "ends"}
    found = http.post("/v1/alignments", json=body, headers=WAIT).json()["id"]
    page = opened(visit, f"/alignments/{found}")
    assert rows(page) == [["1", "r1", "none", "0", "–", "–"], ["2", "r2", "t2", "12", "1–6", "1–6"]]
    page.locator(".hit-open").first.click()
    expect(page.locator(".detail")).to_contain_text("Alignments were not asked for")
    page.get_by_role("button", name="Download").click()
    expect(page.locator(".menu-list a")).to_have_text(["Table, tab-separated", "JSON", "JSON, one a line"])
    assert faults(page) == []
    whole = http.post("/v1/alignments", json={**body, "report": "alignment"}, headers=WAIT).json()["id"]
    page = opened(visit, f"/alignments/{whole}")
    page.locator(".hit-open").first.click()
    expect(page.locator(".detail")).to_contain_text("No letters are alike: there is no local alignment.")


def test_thousands_of_pairs_are_drawn_as_they_come_into_view_and_all_are_printed(
    visit: Visit, http: httpx.Client
) -> None:
    body = {
        "queries": "".join(f">q{number}\n{LETTERS[number % 9 :]}\n" for number in range(60)),
        "subjects": "".join(f">s{number}\n{LETTERS[number % 11 :]}\n" for number in range(10)),
        "pairing": "all",
    }
    found = http.post("/v1/alignments", json=body, headers=WAIT).json()
    page = opened(visit, f"/alignments/{found['id']}")
    expect(table(page)).to_have_attribute("aria-rowcount", "601")
    assert 0 < len(rows(page)) < 100
    page.locator(".hit-open").first.click()
    page.locator(".alignment").wait_for()
    visit.open(f"/alignments/{found['id']}#553")
    page.reload()
    expect(page.get_by_label("Alignment of q55 with s2", exact=True)).to_be_in_viewport()
    assert rows(page)[-1][0] != "600" or len(rows(page)) < 200
    # The row that is open stays open on paper.
    assert page.evaluate(PRINTED_ROWS) == 600
    assert rows(page) == [cells(*pair) for pair in numbered(found)]
    expect(page.locator(".alignment")).to_have_count(2)


def test_progress_is_shown_and_a_cancel_ends_it(visit: Visit, http: httpx.Client) -> None:
    slow = {"queries": ">q\n" + LETTERS * 20_000, "subjects": ">s\n" + LETTERS[::-1] * 20_000, "title": "slow"}
    job = http.post("/v1/alignments", json=slow, headers={"Cache-Control": "no-cache"}).json()["id"]
    page = visit.open(f"/alignments/{job}")
    expect(page.get_by_role("heading", level=1)).to_have_text("slow")
    page.locator("progress").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("main")).to_contain_text("This alignment was cancelled")
    assert http.get(f"/v1/alignments/{job}").json()["state"] == "cancelled"


@pytest.mark.parametrize("language", ["curl", "Python"])
def test_the_same_without_the_page(
    visit: Visit, http: httpx.Client, result: dict[str, Any], proteins: tuple[str, str], tmp_path: Path, language: str
) -> None:
    page = opened(visit, f"/alignments/{result['id']}")
    page.get_by_role("group", name="Language").get_by_role("button", name=language).click()
    program = page.locator(".code").inner_text()
    for name, text in zip(("queries", "subjects"), proteins, strict=True):
        (tmp_path / f"{name}.fasta").write_text(text)
    command = ["bash", "-euc", program] if language == "curl" else [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    if language == "curl":
        again = httpx.Response(200, content=(tmp_path / "result.json").read_bytes()).json()
        assert (again["alignments"], again["parameters"]) == (result["alignments"], result["parameters"])
    else:
        assert done.stdout.splitlines() == [
            "\t".join(str(pair[name]) for name in ("query", "subject", "score", "cigar"))
            for pair in result["alignments"]
        ]


def test_methods_say_what_was_done(visit: Visit, http: httpx.Client, result: dict[str, Any]) -> None:
    page = opened(visit, f"/alignments/{result['id']}")
    expect(page.locator(".methods")).to_contain_text("each query with each subject: 16 pairs")
    expect(page.locator(".methods")).to_contain_text("Smith-Waterman algorithm with affine gaps")
    expect(page.locator(".methods")).to_contain_text("BLOSUM62, a gap of n letters costing 11 + 1n.")
    page.locator(".certificate summary").click()
    expect(page.locator(".certificate")).to_contain_text("by a CPU")
    ends = {"free_ends": ["query_end"], "gap_open": 0}
    body = {"queries": READS, "subjects": REFERENCES, **ends}
    found = http.post("/v1/alignments", json=body, headers=WAIT).json()["id"]
    page = opened(visit, f"/alignments/{found}")
    expect(page.locator(".methods")).to_contain_text("letters at no cost at the query's end with linear gaps")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_result_is_for_everybody(begin: Begin, result: dict[str, Any], scheme: str) -> None:
    visit = begin(color_scheme=scheme, viewport={"width": 390, "height": 844})
    page = opened(visit, f"/alignments/{result['id']}")
    row = page.locator(".hit-open").nth(6)
    row.focus()
    page.keyboard.press("Enter")
    page.locator(".alignment").wait_for()
    assert faults(page) == []
    assert overflow(page) <= 0
    visit.shoot(f"pairs-phone-{scheme}")
    page.keyboard.press("Enter")
    expect(page.locator(".alignment")).to_have_count(0)
    expect(row).to_be_focused()
    page.get_by_role("button", name="Download").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".menu-list a").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".menu-list")).to_have_count(0)


def test_ways_to_no_alignment(visit: Visit) -> None:
    visit.refusals.add(404)
    page = visit.open(f"/alignments/alignment-{'W' * 34}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No such alignment")
    expect(page.get_by_role("link", name="New alignment")).to_have_attribute("href", "/align")
