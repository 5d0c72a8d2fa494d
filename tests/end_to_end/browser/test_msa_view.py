"""How the rows of an MSA are shown: in what order, which part of them, in what look, and on paper."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from shardwater.sequences.fasta import read_fasta
from tests.support.accessibility import faults
from tests.support.browser import Begin, Visit
from tests.support.msa_page import STRANGER, made, pressed
from tests.support.server import Server

WRITTEN = """(() => {
    window.written = new Set();
    const write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        window.written.add(text);
        return write.call(this, text, ...place);
    };
})()"""
"""Keeps every text that is written on a canvas."""


@pytest.fixture(scope="module")
def records(queries: str) -> list[str]:
    """The demo's proteins in FASTA, one by one."""
    return [f">{each.header}\n{each.residues.decode()}" for each in read_fasta(queries.encode())]


@pytest.fixture(scope="module")
def path(server: Server, records: list[str]) -> str:
    """The address of an MSA."""
    return made(server, queries=records[0], databases=["demo"], iterations=1, title="Obg")


def rows_of(server: Server, path: str) -> list[dict[str, Any]]:
    """What the interface says of the first chain's rows."""
    with server.http as http:
        return list(http.get(f"/v1{path}/results", params={"format": "json", "chain": 1}).json()["rows"])


def chosen(page: Page, key: str) -> Locator:
    """The line that tells a row, once a key has chosen it."""
    page.get_by_role("application").press(key)
    return page.locator(".msa-readout")


def test_best_first_comes_back_after_another_order(visit: Visit, server: Server, path: str) -> None:
    page = visit.open(path)
    best = rows_of(server, path)[0]["name"]
    order = page.get_by_label("Order")
    order.select_option("accession")
    order.select_option("best first")
    expect(chosen(page, "Home")).to_contain_text(f": {best} ")


def test_paper_has_the_whole_row_its_colours_and_the_filter(visit: Visit, path: str) -> None:
    page = visit.open(path)
    page.get_by_label("Identity ≥").fill("30 %")
    expect(page.get_by_text(re.compile(r"^\d+ of \d+ rows$"))).to_be_visible()
    expect(chosen(page, "ArrowDown")).to_contain_text("E-value")
    alignment = page.locator(".msa-detail .alignment")
    hidden = "(box) => box.scrollHeight - box.clientHeight"
    assert alignment.evaluate(hidden) > 0
    page.emulate_media(media="print")
    assert alignment.evaluate("(box) => getComputedStyle(box).overflowY") == "visible"
    assert alignment.evaluate(hidden) == 0
    expect(page.get_by_text("hydrophobic")).to_be_visible()
    expect(page.get_by_label("Order")).to_be_visible()
    expect(page.get_by_label("Identity ≥")).to_be_visible()
    expect(page.get_by_label("Coverage ≥")).to_be_hidden()
    expect(page.get_by_role("button", name="Larger")).to_be_hidden()


def test_columns_that_only_the_query_has_have_no_figures(visit: Visit, server: Server, records: list[str]) -> None:
    residues = records[2].partition("\n")[2]
    tail = STRANGER.partition("\n")[2]
    page = visit.open(made(server, queries=f">longer\n{residues}{tail}", databases=["demo"], iterations=1))
    drawing = page.locator(".conservation .drawing")
    width = drawing.evaluate("(drawing) => drawing.clientWidth")
    for line in ("identity", "conserved"):
        ends = re.findall(r"H([\d.]+)", page.locator(f".line-{line}").get_attribute("d") or "")
        assert float(ends[-1]) == pytest.approx(width * len(residues) / len(residues + tail), abs=width / 50)
    page.get_by_text("In numbers").click()
    last = page.get_by_role("region", name="Columns in numbers").get_by_role("row").last.get_by_role("cell")
    expect(last).to_have_text(["293", "G", "0", "–", "–"])


def test_no_plot_where_nothing_is_aligned(visit: Visit, server: Server) -> None:
    page = visit.open(made(server, queries=STRANGER, databases=["demo"], iterations=1))
    expect(page.get_by_text("Nothing was found but the query itself.")).to_be_visible()
    expect(page.get_by_text("Nothing is aligned to the query.")).to_be_visible()
    expect(page.locator(".conservation .drawing")).to_have_count(0)
    # Nothing was left out, either.
    expect(page.locator(".query-head .facts")).not_to_contain_text("filter")


def test_keyboard_and_look_stay_from_chain_to_chain(begin: Begin, taxa_server: Server, records: list[str]) -> None:
    complex_of_two = [{"chains": [records[3], records[1]]}]
    paired = made(taxa_server, queries=complex_of_two, databases=["demo"], pairing="greedy", iterations=1)
    page = begin(taxa_server.url).open(paired)
    page.get_by_role("button", name="By identity").click()
    page.get_by_role("button", name="Larger").click()
    page.get_by_label("Order").select_option("accession")
    page.get_by_label("Coverage ≥").fill("1")
    switch = page.get_by_role("button", name="Paired rows")
    switch.press("Enter")
    pressed(page, "Paired rows")
    page.get_by_role("application").wait_for()
    expect(switch).to_be_focused()
    page.get_by_role("navigation", name="Chains").get_by_role("link").nth(1).click()
    expect(page.locator(".query-head")).to_contain_text("Casein kinase")
    pressed(page, "By identity")
    expect(page.get_by_role("button", name="Larger")).to_be_disabled()
    expect(page.get_by_label("Order")).to_have_value("accession")
    expect(page.get_by_label("Coverage ≥")).to_have_value("1")


def test_a_chosen_row_is_brought_into_view(visit: Visit, server: Server, records: list[str]) -> None:
    header, _, residues = records[2].partition("\n")
    strange = STRANGER.partition("\n")[2] * 2
    page = visit.open(made(server, queries=f"{header}\n{strange}{residues}", databases=["demo"], iterations=1))
    alignment = page.get_by_role("application")
    alignment.press("ArrowDown")
    left, gutter, letter = alignment.evaluate("(box) => box.scrollLeft"), 190, 11
    begins = gutter + len(strange) * letter
    assert left < begins < left + alignment.evaluate("(box) => box.clientWidth")
    # One that is in view already stays where it is.
    alignment.press("ArrowDown")
    assert alignment.evaluate("(box) => box.scrollLeft") == left


def test_the_first_screen_has_rows_and_what_is_told_of_them(begin: Begin, server: Server, path: str) -> None:
    page = begin(server.url, viewport={"width": 1366, "height": 768}).open(path)
    page.get_by_role("application").wait_for()
    box, told = page.get_by_role("application").bounding_box(), page.locator(".msa-readout").bounding_box()
    assert box is not None
    assert told is not None
    assert box["y"] + 36 + 8 * 16 < 768
    assert told["y"] + told["height"] < 768


def test_a_narrow_window_tells_the_rows_apart(begin: Begin, server: Server, path: str) -> None:
    visit = begin(server.url, viewport={"width": 390, "height": 844})
    visit.page.add_init_script(WRITTEN)
    page = visit.open(path)
    alignment = page.get_by_role("application")
    alignment.wait_for()
    rows = rows_of(server, path)
    written = page.evaluate("[...window.written]")
    for row in rows[:10]:
        accession = row["name"].split("|")[1]
        assert any(text.startswith(accession) for text in written), accession
    # The whole of a name is told.
    place = "(box) => box.getBoundingClientRect().top - box.closest('.panel').getBoundingClientRect().top"
    before = alignment.evaluate(place)
    alignment.hover(position={"x": 20, "y": 36 + 16 + 8})
    expect(page.locator(".msa-readout")).to_contain_text(f"Row 2 of {len(rows)}: {rows[1]['name']} {rows[1]['title']}")
    assert alignment.evaluate(place) == before
    expect(page.get_by_role("navigation", name="Site").get_by_role("button", name="Menu")).to_be_visible()
    assert faults(page) == []


def test_thresholds_are_taken_as_they_are_written(visit: Visit, path: str) -> None:
    page = visit.open(path)
    page.get_by_label("Coverage ≥").fill("half")
    fault = page.get_by_role("search", name="Filter the rows").get_by_role("alert")
    expect(fault).to_have_text("A number is needed, such as 50.")
    page.get_by_label("Coverage ≥").fill("50%")
    expect(fault).to_have_count(0)
    page.get_by_label("E ≤").fill("little")
    expect(fault).to_have_text("A number is needed, such as 1e-5.")
    form = visit.open("/msas")
    field = form.get_by_label("Sequences at most")
    field.fill(str(field.get_attribute("placeholder")))
    expect(field).to_have_attribute("aria-invalid", "false")


def test_an_msa_that_is_deleted_meanwhile_is_said_to_be_gone(visit: Visit, server: Server, records: list[str]) -> None:
    path = made(server, queries="\n".join(records[2:]), databases=["demo"], iterations=1)
    page = visit.open(path)
    page.get_by_role("application").wait_for()
    visit.refusals.add(404)
    with server.http as http:
        assert http.delete(f"/v1{path}").status_code == 204
    page.get_by_role("navigation", name="Chains").get_by_role("link").nth(1).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("No such MSA")
