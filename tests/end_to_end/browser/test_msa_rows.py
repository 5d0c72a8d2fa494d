"""Rows of an MSA of other kinds: paired ones, those of further databases, and those that cannot be had."""

import json
import re

import pytest
from playwright.sync_api import expect

from shardwater.sequences.fasta import read_fasta
from tests.support.accessibility import faults, overflow
from tests.support.browser import Begin, Visit
from tests.support.msa_page import STRANGER, made, pressed
from tests.support.server import Server

PROBLEM = {
    "type": "about:blank",
    "title": "The server failed",
    "status": 500,
    "detail": "MSA 1 is not what was kept",
    "retryable": False,
}


@pytest.fixture(scope="module")
def records(queries: str) -> list[str]:
    """The demo's proteins in FASTA, one by one."""
    return [f">{each.header}\n{each.residues.decode()}" for each in read_fasta(queries.encode())]


def test_a_chain_without_a_partner_has_no_figures(begin: Begin, taxa_server: Server, records: list[str]) -> None:
    chains = [records[0], records[1], records[3]]
    path = made(taxa_server, queries=[{"chains": chains}], databases=["demo"], pairing="greedy")
    page = begin(taxa_server.url).open(f"{path}#1/pairs")
    alignment = page.get_by_role("application")
    alignment.focus()
    page.keyboard.press("ArrowDown")
    detail = page.get_by_role("region", name="Chosen row")
    expect(detail).to_contain_text("None of this chain's rows is of this pair's organism.")
    expect(detail.locator(".detail-facts")).to_have_count(0)
    expect(page.locator(".msa-readout")).to_have_text("Row 1 of 1: no partner")
    alignment.hover(position={"x": 300, "y": 50})
    expect(page.locator(".msa-readout")).to_contain_text(": no partner")
    # It has no identity, be it of 0 %.
    page.get_by_label("Identity ≥").fill("0.1")
    expect(page.get_by_text("No row passes these filters.")).to_be_visible()
    assert faults(page) == []


def test_a_link_leads_to_the_paired_rows_of_a_chain(begin: Begin, taxa_server: Server, records: list[str]) -> None:
    path = made(taxa_server, queries=[{"chains": [*records[:2], STRANGER]}], databases=["demo"], pairing="complete")
    page = begin(taxa_server.url).open(path)
    page.get_by_role("button", name="Paired rows").click()
    expect(page.get_by_text("No organism has rows of as many chains as pairs need.")).to_be_visible()
    page.get_by_role("navigation", name="Chains").get_by_role("link").nth(1).click()
    page.wait_for_url(re.compile(r"#2/pairs$"))
    page.reload()
    pressed(page, "Paired rows")
    expect(page.locator(".query-head")).to_contain_text("Casein kinase")
    page.go_back()
    page.go_back()
    pressed(page, "All rows")
    expect(page.locator(".query-head")).to_contain_text("GTPase Obg")


def test_further_databases_are_searched_with_a_profile(visit: Visit, server: Server, records: list[str]) -> None:
    path = made(server, queries=records[2], databases=["demo"], then=["demo"], iterations=1)
    page = visit.open(path)
    searched = page.get_by_role("region", name="Rounds").get_by_role("row").nth(1).get_by_role("cell").nth(1)
    expect(searched).to_have_text("the query")
    pressed(page, "First databases")
    further = page.get_by_role("button", name="Further databases")
    further.click()
    pressed(page, "Further databases")
    expect(searched).to_have_text("a profile")
    box = further.bounding_box()
    assert box is not None
    # As high as any button, whatever stands beside it.
    assert box["height"] < 40
    page.set_viewport_size({"width": 390, "height": 844})
    assert overflow(page) == 0


@pytest.mark.parametrize("asked", ["results", "columns"])
def test_what_cannot_be_had_is_said(visit: Visit, server: Server, records: list[str], asked: str) -> None:
    path = made(server, queries=records[3], databases=["demo"], iterations=1)
    visit.refusals.add(500)
    visit.page.route(
        f"**/{asked}?*",
        lambda route: route.fulfill(status=500, content_type="application/problem+json", body=json.dumps(PROBLEM)),
    )
    page = visit.open(path)
    expect(page.get_by_role("alert")).to_contain_text("MSA 1 is not what was kept")
    expect(page.get_by_text("Counting…")).to_have_count(0)
    # What is not there is neither complete nor waited for.
    expect(page.locator(".certificate")).to_have_count(1 if asked == "columns" else 0)
    expect(page.locator("progress")).to_have_count(0)
    assert faults(page) == []


def test_the_keyboard_goes_on_where_a_row_is_closed(visit: Visit, server: Server, records: list[str]) -> None:
    page = visit.open(made(server, queries=records[3], databases=["demo"], iterations=1))
    alignment = page.get_by_role("application")
    alignment.focus()
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Close").press("Enter")
    expect(page.get_by_role("region", name="Chosen row")).to_have_count(0)
    expect(alignment).to_be_focused()


def test_the_tab_is_named_by_how_an_msa_has_ended(visit: Visit, server: Server) -> None:
    with server.http as http:
        asked = {"queries": (">slow\n" + "MKVLAAGWDERTYHIPSNQCG" * 2300 + "\n") * 2, "databases": ["demo"]}
        running = http.post("/v1/msas", json=asked).json()["id"]
    page = visit.open(f"/msas/{running}")
    # Equal chains are searched once.
    expect(page.locator(".facts")).to_contain_text(re.compile(r"Different chains done\s*0 of 1"))
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cancelled MSA")
    expect(page).to_have_title("Cancelled - MSA - Shardwater")
    assert faults(page) == []


def test_a_complex_of_too_many_chains_is_refused_while_it_is_typed(visit: Visit) -> None:
    page = visit.open("/msas")
    page.get_by_label("Protein sequences in FASTA").fill("".join(f">c{number}\nMKVLAAGW\n" for number in range(101)))
    build = page.get_by_role("button", name="Build", exact=True)
    expect(build).to_be_enabled()
    page.get_by_label("Chains").select_option("greedy")
    expect(page.locator("#fault-pairing")).to_have_text("a complex has at most 100 chains")
    expect(build).to_be_disabled()
