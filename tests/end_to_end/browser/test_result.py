"""A result in a browser, from paste to download: what is shown is what the interface answers."""

import re
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from Bio import SeqIO
from playwright.sync_api import Page, expect

from shardwater.formats.number_text import evalue_text
from tests.support.browser import Visit
from tests.support.hit_table import bits_shown, cells, plain, rows, show_scores
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


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


def saved(page: Page, name: str, selected: bool = False) -> str:
    """A file of the table's download menu."""
    page.get_by_role("button", name="Download selected" if selected else "Download", exact=True).click()
    with page.expect_download() as download:
        page.locator(".menu-list").get_by_text(name).click()
    return Path(download.value.path()).read_text()


def test_from_paste_to_download(visit: Visit, server: Server, queries: str) -> None:
    search = visit.search(queries)
    with server.http as http:
        answer = http.get(f"/v1/searches/{search}/results").json()
        page = visit.page
        hits = answer["results"][0]["hits"]
        expect(page.locator(".hit-table")).to_have_attribute("aria-rowcount", str(len(hits) + 1))
        shown = rows(page)
        assert len(shown) >= 8
        assert list(map(plain, shown)) == list(map(cells, hits[: len(shown)]))
        certificate = page.locator(".certificate").inner_text()
        assert "Exact and complete" in certificate
        assert f"all {answer['certificate']['subjects']:,} sequences" in certificate
        page.locator(".certificate summary").click()
        expect(page.locator(".certificate")).to_contain_text(f"Result digest {answer['digest']}")
        expect(page.locator(".certificate")).to_contain_text(answer["database"]["checksum"])
        table = http.get(f"/v1/searches/{search}/results", params={"format": "tab", "query": 1}).text
        assert saved(page, "Table, tab-separated") == table
        assert table.count("\n") == len(hits)


def test_every_query_is_in_the_index_with_its_best_hit(page: Page, result: dict[str, Any]) -> None:
    index = page.locator(".index li a")
    expect(index.last).to_contain_text("best E")
    entries = index.all_inner_texts()
    for entry, one in zip(entries, result["results"], strict=True):
        best = one["hits"][0]
        assert one["query"]["id"] in entry
        assert str(len(one["hits"])) in entry.split("\n")
        assert f"best E {evalue_text(best['evalue'])}, {bits_shown(best['bits'])} bits" in entry
    page.get_by_label("Next query").click()
    expect(page.locator(".query-head h2")).to_contain_text(result["results"][2]["query"]["id"])
    assert page.url.endswith("#3")


def test_an_alignment_is_copied(visit: Visit, page: Page, result: dict[str, Any]) -> None:
    hsp = result["results"][1]["hits"][0]["hsps"][0]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".hit-open").first.click()
    page.get_by_role("button", name="Copy alignment").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    text = page.evaluate("() => navigator.clipboard.readText()")
    lines = [line.split() for line in text.splitlines() if line.startswith("Query")]
    assert "".join(line[2] for line in lines) == hsp["qseq"]
    assert (int(lines[0][1]), int(lines[-1][3])) == (hsp["query_from"], hsp["query_to"])


def test_an_alignment_is_drawn_when_it_is_opened(visit: Visit, page: Page, result: dict[str, Any]) -> None:
    one = result["results"][1]
    hit, hsp = one["hits"][0], one["hits"][0]["hsps"][0]
    expect(page.locator(".alignment")).to_have_count(0)
    page.get_by_role("button", name=hit["accession"]).click()
    lines = page.locator(".alignment").inner_text().split("\n")
    row = re.compile(r"(Query|Sbjct) +(\d+)  (\S+)  (\d+)")
    found = {"Query": [], "Sbjct": []}
    for line in lines:
        if match := row.fullmatch(line):
            found[match[1]].append((int(match[2]), match[3], int(match[4])))
    assert "".join(letters for _, letters, _ in found["Query"]) == hsp["qseq"]
    assert "".join(letters for _, letters, _ in found["Sbjct"]) == hsp["hseq"]
    assert {len(letters) for _, letters, _ in found["Query"][:-1]} == {60}
    assert (found["Query"][0][0], found["Query"][-1][2]) == (hsp["query_from"], hsp["query_to"])
    assert (found["Sbjct"][0][0], found["Sbjct"][-1][2]) == (hsp["hit_from"], hsp["hit_to"])
    width = lines[0].index(found["Query"][0][1])
    middle = [line[width:] for before, line in pairwise(lines) if before.startswith("Query")]
    assert "".join(text.ljust(60) for text in middle).rstrip() == hsp["midline"].rstrip()
    link = page.get_by_role("link", name="UniProt")
    assert link.get_attribute("href") == f"https://www.uniprot.org/uniprotkb/{hit['accession'].split('|')[1]}/entry"
    visit.shoot("alignment")


def test_all_alignments_of_a_hit_are_shown(visit: Visit, server: Server, queries: str) -> None:
    found = server.search(queries, max_target_seqs=20, evalue=1.0, max_hsps=5)
    several = (
        (n, hit) for n, one in enumerate(found["results"], start=1) for hit in one["hits"] if len(hit["hsps"]) > 1
    )
    number, hit = next(several)
    page = visit.open(f"/searches/{found['search']}#{number}")
    page.get_by_role("button", name=hit["accession"]).click()
    hsps, track = hit["hsps"], page.locator(".hit-row", has_text=hit["accession"]).locator(".span-track i")
    expect(page.locator(".alignment")).to_have_count(len(hsps))
    expect(track).to_have_count(len(hsps))
    facts = page.locator(".detail-facts")
    expect(facts).to_have_count(len(hsps))
    last = hsps[-1]
    expect(facts.last).to_contain_text(f"Alignment {len(hsps)} of {len(hsps)}Score {last['score']}")
    expect(facts.last).to_contain_text(f"E-value {evalue_text(last['evalue'])}")
    expect(facts.last).to_contain_text(f"Query {last['query_from']}–{last['query_to']}")


def test_a_hit_without_alignment_says_why(page: Page, result: dict[str, Any]) -> None:
    page.get_by_label("Words in accession, title or organism").fill(result["results"][1]["hits"][35]["accession"])
    expect(page.locator(".toolbar [role=status]")).to_have_text("1 of 40 hits")
    page.locator(".hit-open").click()
    expect(page.locator(".detail")).to_contain_text(
        "This hit is not aligned yet: the search aligned only the first 30."
    )
    expect(page.locator(".span-track")).to_have_count(0)
    page.get_by_label("Words in accession, title or organism").fill("")
    page.get_by_label("Identity ≥").fill("0")
    expect(page.locator(".toolbar [role=status]")).to_have_text("40 of 40 hits")
    page.get_by_label("Identity ≥").fill("0.1")
    expect(page.locator(".toolbar [role=status]")).to_contain_text("; 10 not aligned yet")
    page.get_by_label("Identity ≥").fill("")
    expect(page.locator(".toolbar [role=status]")).to_have_text("40 hits")
    assert saved(page, "Aligned parts without gaps, FASTA (30 of 40 hits)").count(">") == 30


def test_selected_hits_are_downloaded_in_each_format(page: Page, result: dict[str, Any], http: httpx.Client) -> None:
    hits = result["results"][1]["hits"]
    chosen = [hits[0], hits[2], hits[3]]
    for hit in chosen:
        page.get_by_label(f"Select {hit['accession']}").check()
    expect(page.get_by_role("button", name="3 selected, clear")).to_be_visible()
    whole = list(SeqIO.parse(StringIO(saved(page, "Whole sequences, FASTA", selected=True)), "fasta"))
    assert [(record.id, len(record)) for record in whole] == [(hit["accession"], hit["length"]) for hit in chosen]
    aligned = list(SeqIO.parse(StringIO(saved(page, "Aligned parts without gaps, FASTA", selected=True)), "fasta"))
    parts = [hit["hsps"][0] for hit in chosen]
    assert [str(record.seq) for record in aligned] == [part["hseq"].replace("-", "") for part in parts]
    names = [f"{hit['accession']}/{hit['hsps'][0]['hit_from']}-{hit['hsps'][0]['hit_to']}" for hit in chosen]
    assert [record.id for record in aligned] == names
    table = saved(page, "Table, tab-separated", selected=True)
    assert [line.split("\t")[1] for line in table.splitlines()] == [hit["accession"] for hit in chosen]
    known = set(http.get("/v1/service-info").json()["formats"]) - {"ndjson"}
    page.get_by_role("button", name="Download selected").click()
    addresses = [link.get_attribute("href") for link in page.locator(".menu-list a[href*='format=']").all()]
    assert {(address or "").partition("format=")[2].partition("&")[0] for address in addresses} == known
    # Programs open that one by a click, and would take text for formulas.
    apart = [address for address in addresses if "&spreadsheet=true&" in (address or "")]
    assert apart == [address for address in addresses if "format=csv" in (address or "")]
    for address in addresses:
        assert http.get(address or "").status_code == 200


def test_a_bar_of_the_drawing_opens_its_hit(page: Page, result: dict[str, Any]) -> None:
    page.locator(".drawing .bar").nth(4).click()
    hit = result["results"][1]["hits"][4]
    expect(page.get_by_role("button", name=hit["accession"])).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".alignment")).to_be_in_viewport()


def test_hits_without_bit_scores_are_drawn_in_one_colour(visit: Visit, server: Server, queries: str) -> None:
    found = server.search(queries[: queries.index("\n>")], statistics="none", max_target_seqs=5)
    best = found["results"][0]["hits"][0]
    page = visit.open(f"/searches/{found['search']}")
    bars = page.locator(".drawing .bar rect[height='6']")
    expect(bars).to_have_count(5)
    assert {bar.get_attribute("fill") for bar in bars.all()} == {"#2593a8"}
    expect(page.locator(".overview .legend")).to_have_count(0)
    expect(page.locator(".drawing .bar title").first).to_contain_text(f"\nscore {best['score']}, ")


def test_every_score_is_in_the_histogram(visit: Visit, page: Page, result: dict[str, Any]) -> None:
    show_scores(page)
    panel = page.locator(".distribution")
    subjects, hits = result["certificate"]["subjects"], len(result["results"][1]["hits"])
    assert sum(result["results"][1]["distribution"]["counts"]) == subjects
    expect(panel.get_by_role("img")).to_have_attribute(
        "aria-label", f"Histogram of {subjects:,} scores; {hits} are hits"
    )
    # Subjects, hits, and the curve of what chance would give; the axes say what they count.
    fill = "(part) => getComputedStyle(part).fill"
    assert panel.locator(".bar-all").first.evaluate(fill) == "rgb(195, 205, 214)"
    assert panel.locator(".bar-hit").first.evaluate(fill) == "rgb(11, 100, 120)"
    assert panel.locator(".curve").evaluate("(part) => getComputedStyle(part).stroke") == "rgb(194, 87, 26)"
    expect(panel.locator("svg")).to_contain_text("subjects, logarithmic")
    panel.scroll_into_view_if_needed()
    visit.shoot("distribution")


def test_a_bar_of_the_histogram_is_read_out(visit: Visit, page: Page, result: dict[str, Any]) -> None:
    show_scores(page)
    told, panel = result["results"][1]["distribution"], page.locator(".distribution")
    panel.locator(".bar-all").first.hover(force=True)
    readout = panel.locator(".histogram-readout")
    expect(readout).to_contain_text("by chance")
    found = re.match(r"Score (\d+) to (\d+): (\d+) subjects?, (\d+) hits?", readout.inner_text())
    assert found
    first, last, subjects, hits = map(int, found.groups())
    width = told["bin_width"]
    assert subjects == sum(told["counts"][first // width : last // width + 1]) > 0
    assert hits == sum(first <= hit["score"] <= last for hit in result["results"][1]["hits"])
    # By keys, too, and no further than there are bars.
    panel.locator(".plot").focus()
    visit.page.keyboard.press("ArrowRight")
    before = readout.inner_text()
    visit.page.keyboard.press("ArrowRight")
    expect(readout).not_to_have_text(before)
    for _ in range(30):
        visit.page.keyboard.press("ArrowLeft")
    expect(readout).to_contain_text("Score 0 to ")


def test_all_scores_stay_chosen_beside_another_query(visit: Visit, page: Page) -> None:
    show_scores(page)
    page.get_by_role("button", name="All scores").click()
    page.get_by_role("link", name="Next query").click()
    expect(page.get_by_role("button", name="All scores")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("link", name="Previous query").click()
    expect(page.get_by_role("button", name="All scores")).to_have_attribute("aria-pressed", "true")
    assert visit.page.locator(".bar-hit").count() > 0


def test_a_hit_becomes_the_query(visit: Visit, page: Page, result: dict[str, Any], http: httpx.Client) -> None:
    hit = result["results"][1]["hits"][1]
    page.get_by_role("button", name=hit["accession"]).click()
    page.get_by_role("link", name="Search with this hit").click()
    fasta = http.get(f"/v1/databases/demo/sequences/{hit['accession'].replace('|', '%7C')}").text
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(fasta)
    assert page.url == f"{visit.url}/"


def test_a_search_is_edited_with_all_that_it_asked_for(page: Page, queries: str) -> None:
    page.get_by_role("link", name="Edit search").click()
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(queries)
    expect(page.get_by_label("Hits at most")).to_have_value("40")
    expect(page.get_by_label("Alignments for the best")).to_have_value("30")
    expect(page.get_by_label("Name of this search")).to_have_value("Four queries")


def test_the_search_as_curl_and_as_python_runs(page: Page, result: dict[str, Any], tmp_path: Path) -> None:
    with page.expect_download() as download:
        page.get_by_role("button", name="queries.fasta").click()
    download.value.save_as(tmp_path / "queries.fasta")
    curl = page.locator(".code").inner_text()
    subprocess.run(["bash", "-euc", curl], cwd=tmp_path, check=True)
    again = httpx.Response(200, content=(tmp_path / "result.json").read_bytes()).json()
    # An equal request is answered by the same search.
    assert again["search"] == result["search"]
    assert again["results"] == result["results"]
    page.get_by_role("group", name="Language").get_by_role("button", name="Python").click()
    program = page.locator(".code").inner_text()
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    expected = [(one["query"]["id"], hit["accession"]) for one in result["results"] for hit in one["hits"]]
    assert [(line[0], line[1]) for line in lines] == expected


def test_the_methods_box_names_versions_and_constants(page: Page, result: dict[str, Any]) -> None:
    text = page.locator(".methods").inner_text()
    fit = result["results"][1]["statistics"]["fit"]
    for part in (
        f"Shardwater {result['software']['version']}",
        f"version {result['database']['version']}",
        f"{result['certificate']['residues']:,} residues",
        "BLOSUM62, a gap of n residues costing 11 + 1n",
        f"score = {fit['rho']:.4g} ln(length) + {fit['mu']:.4g}, variance {fit['variance']:.4g}",
        "subjects of each query by E-value were reported, with E-value at most 10",
        f"{fit['subjects']:,}",
    ):
        assert part in text


def test_no_hits_is_an_answer(visit: Visit, server: Server) -> None:
    nothing = server.search(">w\nWWWW", evalue=1e-30)
    page = visit.open(f"/searches/{nothing['search']}")
    expect(page.locator("main")).to_contain_text("No hits. Every sequence was compared; none met the cutoffs.")


def test_text_of_strangers_stays_text(visit: Visit, server: Server) -> None:
    hostile = "<img src=x onerror=alert(1)> </script><b>x</b>"
    found = server.search(f">{hostile}\nMKVLAAGWKKLLFFSS", title=hostile, evalue=1000)
    page = visit.open(f"/searches/{found['search']}")
    expect(page.locator("h1")).to_have_text(hostile)
    expect(page.locator(".query-head")).to_contain_text("onerror=alert(1)")
    assert page.locator("img:not(.brand img)").count() == 0
