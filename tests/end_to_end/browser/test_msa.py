"""MSAs in a browser: built from a search and from the form, drawn, filtered, told in numbers, downloaded."""

import re
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Page, expect

from shardwater.sequences.fasta import read_fasta
from tests.support.accessibility import faults, overflow
from tests.support.browser import Visit, send_form
from tests.support.server import Server

PIXEL = """(canvas, [x, y]) => {
    const ratio = canvas.width / canvas.clientWidth;
    const pixel = canvas.getContext("2d").getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1);
    return [...pixel.data].slice(0, 3);
}"""
SAME, PLOT = [11, 100, 120], [255, 255, 255]
"""The query's letter, and what lies outside an alignment, as msa/colours.ts has them."""


@pytest.fixture(scope="module")
def http(server: Server) -> Any:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def records(queries: str) -> list[str]:
    """The demo's proteins in FASTA, one by one."""
    return [f">{each.header}\n{each.residues.decode()}\n" for each in read_fasta(queries.encode())]


def drawn(page: Page) -> Any:
    """The alignment, once it is there."""
    alignment = page.get_by_role("application")
    alignment.wait_for()
    return alignment


def made_of(page: Page, http: httpx.Client) -> dict[str, Any]:
    """What the interface says of the MSA that a page shows."""
    drawn(page)
    job = urlsplit(page.url).path
    return dict(http.get(f"/v1{job}/results?format=json&chain=1").json()) | {"path": f"/v1{job}"}


def test_a_searched_query_becomes_an_msa(visit: Visit, http: httpx.Client, queries: str) -> None:
    page = visit.page
    visit.search(queries)
    page.get_by_role("button", name="Build an MSA").click()
    told = made_of(page, http)
    rows, columns = told["rows"], http.get(f"{told['path']}/columns").json()
    alignment = drawn(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(columns["id"])
    expect(alignment).to_have_attribute("aria-label", re.compile(rf"^{len(rows)} rows aligned to .*, 384 positions$"))
    expect(page.locator(".certificate .seal")).to_have_text("Exact and complete")
    expect(page.get_by_role("region", name="Rounds").get_by_role("row").nth(1)).to_contain_text("the query")
    # The rows are chosen by keys, and told.
    alignment.focus()
    page.keyboard.press("End")
    last = rows[-1]
    detail = page.get_by_role("region", name="Chosen row")
    expect(detail).to_contain_text(last["name"])
    expect(page.locator("[role=status]").filter(has_text=f"Row {len(rows)} of {len(rows)}")).to_contain_text(
        last["title"]
    )
    # Its letters are those of the row.
    lines = [line.split() for line in detail.locator(".alignment").inner_text().splitlines()]
    letters = "".join(line[2] for line in lines if line[:1] == ["Sbjct"])
    assert letters == last["row"].strip("-").upper()
    page.keyboard.press("Home")
    expect(detail).to_contain_text(rows[0]["name"])
    page.keyboard.press("Escape")
    expect(detail).to_have_count(0)
    # The best row is the query itself: all of it is the query's letter, also beside what is written.
    page.get_by_role("button", name="By identity").click()
    expect(page.get_by_role("button", name="By identity")).to_have_attribute("aria-pressed", "true")
    canvas = alignment.locator("canvas")
    assert canvas.evaluate(PIXEL, [191, 51]) == SAME
    page.get_by_label("Order").select_option("identity")
    best = max(rows, key=lambda row: row["identity"])
    page.get_by_role("search", name="Filter the rows").get_by_label("Identity ≥").fill("100")
    expect(page.get_by_text(f"1 of {len(rows)} rows")).to_be_visible()
    assert best["identity"] == 100
    # Below the only row there is nothing.
    assert canvas.evaluate(PIXEL, [191, 70]) == PLOT
    page.get_by_text("In numbers").click()
    numbers = page.get_by_role("region", name="Columns in numbers").get_by_role("row")
    expect(numbers).to_have_count(1 + 192)
    cells = numbers.nth(1).get_by_role("cell").all_inner_texts()
    assert cells[:2] == ["1–2", columns["residues"][:2]]
    assert float(cells[4]) == pytest.approx(sum(columns["entropy"][:2]) / 2, abs=0.01)
    assert faults(page) == []
    visit.shoot("msa")
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Stockholm").click()
    assert saved.value.suggested_filename.endswith(".sto")
    assert saved.value.path().read_text().startswith("# STOCKHOLM 1.0")
    page.set_viewport_size({"width": 390, "height": 844})
    assert overflow(page) == 0


def test_an_msa_of_a_search_says_what_it_does_not_take_over(
    visit: Visit, http: httpx.Client, records: list[str]
) -> None:
    asked = {"query_loc": "11-150", "matrix": "BLOSUM45", "mask": "seg", "min_identity": 20}
    body = {"sequence": records[2], "database": "demo", **asked}
    reply = http.post("/v1/searches", json=body, headers={"Prefer": "wait=60"}).json()
    page = visit.open(f"/searches/{reply['search']}")
    expect(page.locator(".query-head")).to_contain_text(
        "An MSA does not take over this search's matrix, least identity, mask."
    )
    expect(page.locator(".query-head")).to_contain_text("An MSA is built of 11-150 alone.")
    with page.expect_request("**/v1/msas") as sent:
        page.get_by_role("button", name="Build an MSA").click()
    header, _, residues = records[2].partition("\n")
    part = residues.replace("\n", "")[10:150]
    assert sent.value.post_data_json == {"queries": f"{header}\n{part}", "databases": ["demo"]}
    assert made_of(page, http)["query"]["row"] == part


def test_the_form_builds_an_msa_of_a_complex(visit: Visit, http: httpx.Client, records: list[str]) -> None:
    page = visit.open("/msas")
    page.get_by_label("Protein sequences in FASTA").fill("".join(records[:2]))
    page.get_by_label("Rounds at most").fill("21")
    build = page.get_by_role("button", name="Build", exact=True)
    expect(page.get_by_text("at most 20", exact=True)).to_be_visible()
    expect(build).to_be_disabled()
    page.get_by_label("Rounds at most").fill("1")
    page.get_by_label("Chains").select_option("greedy")
    page.get_by_label("Name of this MSA").fill("A complex")
    assert faults(page) == []
    with page.expect_request("**/v1/msas") as sent:
        build.click()
    asked = sent.value.post_data_json
    assert asked == {
        "queries": [{"chains": [each.rstrip("\n") for each in records[:1]] + records[1:2]}],
        "databases": ["demo"],
        "iterations": 1,
        "pairing": "greedy",
        "title": "A complex",
    }
    told = made_of(page, http)
    index = page.get_by_role("navigation", name="Chains")
    expect(index.get_by_role("link")).to_have_count(2)
    index.get_by_role("link").nth(1).click()
    page.wait_for_url(re.compile(r"#2$"))
    chain = http.get(told["path"]).json()["chains"][1]
    expect(page.get_by_role("heading", level=2).first).to_have_text("2 chains")
    expect(page.locator(".query-head")).to_contain_text(chain["title"])
    page.get_by_role("button", name="Paired rows").click()
    paired = http.get(f"{told['path']}/results?format=json&chain=2&pairs=true").json()["rows"]
    expect(page.locator(".query-head .facts")).to_contain_text(f"Paired{len(paired)}")
    # It is found again from the forms.
    for form in ("/msas", "/"):
        visit.open(form)
        expect(page.get_by_role("link", name="A complex")).to_have_attribute("href", told["path"].removeprefix("/v1"))


def test_the_form_says_how_chains_that_a_colon_joins_are_given(visit: Visit) -> None:
    page = visit.open("/msas")
    page.get_by_label("Protein sequences in FASTA").fill(">a\nMKV:MKL\n")
    fault = "record 1, line 2, column 4: ':' is not an amino acid letter: make each chain a record"
    expect(page.get_by_text(f"{fault}, and choose “one complex” under Chains")).to_be_visible()
    expect(page.get_by_role("button", name="Build", exact=True)).to_be_disabled()


def test_another_sites_form_fills_the_form(visit: Visit, records: list[str]) -> None:
    page = visit.page
    fields = {"queries": records[0], "databases": "demo", "iterations": "2", "filter": "none", "pair": "yes"}
    send_form(page, f"{visit.url}/msas", fields)
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(records[0])
    expect(page.locator("[name=iterations]")).to_have_value("2")
    expect(page.locator("[name=filter]")).to_have_value("none")
    expect(page.get_by_role("radio", name="demo")).to_be_checked()
    expect(page.locator(".notes p")).to_have_text("“pair” is no field of this form, and was left out.")
    visit.open("/msas?databases=nothing&queries=M")
    expect(page.locator(".notes p")).to_have_text("There is no database of proteins “nothing” here: choose one.")
    expect(page.locator(".estimate")).to_have_text("Choose a database.")
    expect(page).to_have_url(f"{visit.url}/msas")


def test_ways_to_no_msa(visit: Visit) -> None:
    visit.refusals.add(404)
    page = visit.open(f"/msas/msa-{'W' * 34}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No such MSA")
    expect(page.get_by_role("link", name="New MSA")).to_have_attribute("href", "/msas")
