"""Going about in a result: links to queries and hits, what is kept on the way, paper, and what stays where it is."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import PRINTED_ROWS, Begin, Visit
from tests.support.server import Server

LETTERS = "ACDEFGHIKLMNPQRSTVWY"


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    return server.search(queries, max_target_seqs=60, evalue=1000, score_distribution=True, title="Four/queries")


@pytest.fixture
def page(visit: Visit, result: dict[str, Any]) -> Iterator[Page]:
    """The result's page, at its second query."""
    page = visit.open(f"/searches/{result['search']}#2")
    expect(page.locator(".hit").first).to_be_visible()
    yield page


def heading(page: Page):
    return page.locator(".query-head h2")


def opened(page: Page) -> list[str]:
    return page.locator(".hit-open[aria-expanded=true] .accession").all_inner_texts()


def test_every_hit_of_some_hundred_is_in_the_page(page: Page, result: dict[str, Any]) -> None:
    hits = result["results"][1]["hits"]
    assert len(hits) == 60
    assert page.locator(".hit-rank").all_inner_texts() == [str(hit["rank"]) for hit in hits]
    found = page.evaluate("(text) => window.find(text)", hits[-1]["title"].partition(" OS=")[0])
    assert found


def test_a_link_to_a_hit_opens_it(visit: Visit, page: Page, result: dict[str, Any]) -> None:
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hits = result["results"][2]["hits"]
    page = visit.open(f"/searches/{result['search']}#3/40")
    expect(page.locator(".alignment")).to_be_in_viewport()
    assert opened(page) == [hits[39]["accession"]]
    copied = "async (text) => (await navigator.clipboard.readText()) === text"
    address = f"{visit.url}/searches/{result['search']}#3"
    for name, text in (("Copy link to this hit", f"{address}/40"), ("Copy link", address)):
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_function(copied, arg=text)


def test_a_filter_gives_way_to_a_link_to_a_hit(page: Page, result: dict[str, Any]) -> None:
    page.get_by_label("Words in accession, title or organism").fill("tyrosine")
    expect(page.locator(".toolbar [role=status]")).to_contain_text(" of ")
    page.evaluate("() => { location.hash = '#2/50' }")
    expect(page.locator(".alignment")).to_be_in_viewport()
    assert opened(page) == [result["results"][1]["hits"][49]["accession"]]


@pytest.mark.parametrize("kind", ["searches", "msas"])
def test_the_index_is_where_the_page_is(visit: Visit, server: Server, kind: str) -> None:
    texts = "".join(f">q{number}\nMKVLAAGW{LETTERS[number % 20]}{LETTERS[number // 20]}\n" for number in range(40))
    asked = {"sequence": texts, "database": "demo"} if kind == "searches" else {"queries": texts, "databases": ["demo"]}
    with server.http as http:
        assert http.post(f"/v1/{kind}", json=asked, headers={"Prefer": "wait=60"}).status_code == 200
        made = http.get(f"/v1/{kind}").json()["items"][0]["id"]
    page = visit.open(f"/{kind}/{made}#35")
    current = page.locator(".index a[aria-current]")
    expect(current).to_contain_text("q34")
    expect(current).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => scrollY") == 0


def test_back_leads_to_the_first_query_too(visit: Visit, result: dict[str, Any]) -> None:
    page = visit.open(f"/searches/{result['search']}")
    page.locator(".index li a").nth(2).click()
    expect(heading(page)).to_contain_text(result["results"][2]["query"]["id"])
    page.go_back()
    expect(heading(page)).to_contain_text(result["results"][0]["query"]["id"])
    expect(page.locator(".index li a").first).to_have_attribute("aria-current", "true")
    assert page.url == f"{visit.url}/searches/{result['search']}"


def test_what_is_not_there_is_named(visit: Visit, page: Page, result: dict[str, Any]) -> None:
    page.evaluate("() => { location.hash = '#99' }")
    expect(page.locator(".result-main")).to_contain_text("This search has 4 queries: there is no number 99.")
    page.get_by_role("link", name="Show the first one").click()
    expect(heading(page)).to_contain_text(result["results"][0]["query"]["id"])
    page.evaluate("() => { location.hash = '#2/999' }")
    expect(page.locator(".toolbar")).to_contain_text("there is no number 999")


def test_the_link_to_the_content_leads_to_no_other_query(page: Page, result: dict[str, Any]) -> None:
    page.get_by_text("Skip to content").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.hash === '#main'")
    expect(heading(page)).to_contain_text(result["results"][1]["query"]["id"])


def test_going_to_another_query_and_back_loses_nothing(page: Page, result: dict[str, Any]) -> None:
    hits = result["results"][1]["hits"]
    page.get_by_label("E ≤").fill("1e-5")
    expect(page.locator(".toolbar [role=status]")).to_contain_text(" of ")
    column = page.locator(".hit-head").get_by_role("columnheader", name="Accession")
    column.get_by_role("button").click()
    page.locator(".hit-open").nth(3).click()
    page.get_by_label("Select", exact=False).nth(2).check()
    chosen, status = opened(page), page.locator(".toolbar [role=status]").inner_text()
    page.evaluate("() => scrollTo(0, 500)")
    page.get_by_label("Next query").click()
    expect(heading(page)).to_contain_text(result["results"][2]["query"]["id"])
    expect(page.get_by_label("E ≤")).to_have_value("")
    assert opened(page) == []
    for back in ("Previous query", "reload"):
        page.reload() if back == "reload" else page.get_by_label(back).click()
        expect(heading(page)).to_contain_text(result["results"][1]["query"]["id"])
        expect(page.get_by_label("E ≤")).to_have_value("1e-5")
        expect(page.locator(".toolbar [role=status]")).to_have_text(status)
        expect(page.get_by_role("button", name="1 selected, clear")).to_be_visible()
        expect(column).to_have_attribute("aria-sort", "ascending")
        assert opened(page) == chosen != [hits[3]["accession"]]
        assert page.evaluate("() => scrollY") == 500


def test_a_threshold_that_is_no_number_is_marked(page: Page, result: dict[str, Any]) -> None:
    page.get_by_label("E ≤").fill("abc")
    expect(page.get_by_label("E ≤")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_have_text("A number is needed, such as 1e-5.")
    expect(page.locator(".toolbar [role=status]")).to_have_text(f"{len(result['results'][1]['hits'])} hits")
    page.get_by_label("E ≤").fill("1e-5")
    expect(page.get_by_role("alert")).to_have_count(0)


NAMES = [
    ("Download all", "JSON", "Four_queries.json"),
    ("Download", "JSON", "Four_queries.2_{query}.json"),
    ("Download", "Table, tab-separated", "Four_queries.2_{query}.tsv"),
    ("Download", "Hits along the query, SVG", "Four_queries.2_{query}.hits.svg"),
    ("Download selected", "Aligned parts", "Four_queries.2_{query}.selected.parts.fasta"),
]


def test_files_are_named_by_title_and_query(page: Page, result: dict[str, Any]) -> None:
    query = result["results"][1]["query"]["id"].replace("|", "_")
    for button, format_name, name in NAMES:
        if button == "Download selected":
            page.get_by_label("Select", exact=False).nth(1).check()
        page.get_by_role("button", name=button, exact=True).click()
        with page.expect_download() as download:
            page.locator(".menu-list").get_by_text(format_name, exact=format_name == "JSON").click()
        assert download.value.suggested_filename == name.format(query=query)


def test_a_hit_becomes_the_query_under_the_same_parameters(visit: Visit, server: Server) -> None:
    found = server.search(
        "MGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLG",
        matrix="BLOSUM45",
        evalue=5,
        min_identity=20,
        max_target_seqs=7,
    )
    page = visit.open(f"/searches/{found['search']}")
    page.locator(".hit-open").first.click()
    page.get_by_role("link", name="Search with this hit").click()
    expect(page.get_by_label("Protein sequences in FASTA")).not_to_have_value("")
    expect(page.get_by_label("Matrix")).to_have_value("BLOSUM45")
    expect(page.get_by_label("E-value at most")).to_have_value("5")
    expect(page.get_by_label("Identity at least, %")).to_have_value("20")
    expect(page.get_by_label("Hits at most")).to_have_value("7")
    expect(page.get_by_label("Alignments for the best")).to_have_value("")


def test_paper_shows_every_hit_in_light_colours(begin: Begin, result: dict[str, Any]) -> None:
    visit = begin(color_scheme="dark")
    page = visit.open(f"/searches/{result['search']}#2/2")
    expect(page.locator(".alignment")).to_be_visible()
    assert page.evaluate(PRINTED_ROWS) == len(result["results"][1]["hits"])
    page.emulate_media(media="print")
    hidden = ("nav.index", ".filters", ".toolbar-end", ".top", ".foot", ".detail-links", ".repeat", ".methods button")
    assert {name: page.locator(name).first.is_visible() for name in hidden} == dict.fromkeys(hidden, False)
    for name in (".certificate", ".drawing", ".distribution .histogram", ".alignment", ".methods p"):
        expect(page.locator(name).first).to_be_visible()
    assert page.evaluate("() => getComputedStyle(document.querySelector('.hit-title')).whiteSpace") == "normal"
    assert page.evaluate("() => getComputedStyle(document.body).color") == "rgb(23, 33, 43)"
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")


def test_an_address_that_leads_nowhere_has_a_page(visit: Visit) -> None:
    visit.refusals.add(404)
    page = visit.open("/no/such/page")
    expect(page.get_by_role("heading", name="There is nothing at this address")).to_be_visible()
    page.get_by_role("link", name="New search").last.click()
    expect(page.get_by_label("Protein sequences in FASTA")).to_be_visible()


def test_a_search_of_a_part_of_its_query_says_so_and_is_edited_whole(visit: Visit, server: Server) -> None:
    sequence = ">q\n" + "MGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLG"
    visit.refusals.add(422)
    found = server.search(sequence, query_loc="11-50", evalue=1000, order="score")
    page = visit.open(f"/searches/{found['search']}")
    cells = 40 * found["certificate"]["residues"]
    assert found["certificate"]["cells"] == cells
    expect(page.locator(".query-head")).to_contain_text("11-50")
    expect(page.locator(".query-head")).to_contain_text(f"{cells / 1e6:.3g} million")
    expect(page.locator(".methods")).to_contain_text("Residues 11-50 of each query were searched.")
    expect(page.locator(".methods")).to_contain_text("subjects of each query by raw score were reported")
    page.get_by_role("link", name="Edit search").click()
    expect(page.get_by_label("Part of each query")).to_have_value("11-50")
    expect(page.get_by_label("Order").locator("option:checked")).to_have_text("highest score first")
    expect(page.locator(".notes")).to_have_count(0)
    page.get_by_label("Part of each query").fill("50")
    expect(page.get_by_role("button", name="Search", exact=True)).to_be_disabled()
