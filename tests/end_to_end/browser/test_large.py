"""A large result and a proxy's sub-path: a second service, with 12,000 sequences, shown below /lab."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browser import PRINTED_ROWS, Begin
from tests.support.server import Server, make_database, running

QUERY = ">q\nMGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLG"
ROOT_PATH = "/lab"
SUBJECTS = 12_000
MOST_ROWS = 120


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("many")
    chance = random.Random(7)
    letters = "ACDEFGHIKLMNPQRSTVWY"
    fasta = folder / "many.fasta"
    with fasta.open("w") as file:
        file.write(f"{QUERY.replace('>q', '>s0 the query itself')}\n")
        for number in range(1, SUBJECTS):
            file.write(f">s{number} protein number {number}\n{''.join(chance.choices(letters, k=60))}\n")
    make_database(fasta, folder / "data", shards=1, name="many")
    with running(Server(folder / "data", environment={"SHARDWATER_ROOT_PATH": ROOT_PATH})) as server:
        server.url += ROOT_PATH
        yield server


def test_ten_thousand_hits_draw_few_rows(begin: Begin, below: Server) -> None:
    visit = begin(below.url)
    page = visit.open("/")
    page.get_by_label("Protein sequences in FASTA").fill(QUERY)
    page.get_by_label("Hits at most").fill("10000")
    page.get_by_label("E-value at most").fill("1e9")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator(".toolbar [role=status]")).to_have_text("10,000 hits")
    assert page.locator(".hit").count() <= MOST_ROWS
    page.locator("[role=columnheader]").nth(2).get_by_role("button").click()
    expect(page.locator(".hit .accession").first).to_have_text("s0")
    page.get_by_role("columnheader", name="#").get_by_role("button").click()
    page.evaluate("() => document.querySelector('.methods').scrollIntoView({ block: 'end' })")
    expect(page.locator(".hit-rank").last).to_have_text("10000")
    assert page.locator(".hit").count() <= MOST_ROWS
    assert page.evaluate(PRINTED_ROWS) == 10_000
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert page.locator(".hit").count() <= MOST_ROWS
    # Where the keyboard is in the list is not lost by going through it.
    page.evaluate("() => scrollTo(0, 0)")
    row = page.get_by_label("Select s0", exact=True)
    row.focus()
    page.keyboard.press("End")
    expect(page.locator(".hit-rank").last).to_have_text("10000")
    expect(row).to_be_focused()
    assert page.locator(".hit").count() <= MOST_ROWS
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="s0 the query itself")).to_be_focused()
    page.get_by_label("Words in accession, title or organism").fill("number 77")
    expect(page.locator(".toolbar [role=status]")).to_contain_text("of 10,000 hits")
    page.get_by_label("Select all hits shown").check()
    page.get_by_role("button", name="Download selected").click()
    expect(page.locator(".menu-head").first).to_contain_text("selected hits")


def test_everything_is_below_the_sub_path(begin: Begin, below: Server) -> None:
    visit = begin(below.url)
    search = visit.search(QUERY)
    page = visit.page
    assert page.url.startswith(f"{below.url}/searches/{search}")
    code = page.locator(".code").inner_text()
    assert f"server={below.url}\n" in code
    assert "$server/v1/searches" in code
    addresses = page.evaluate("() => [...document.links].map((link) => link.href)")
    assert len(addresses) > 4
    assert [address for address in addresses if not address.startswith(f"{below.url}/")] == []
    page.get_by_role("link", name="Edit search").click()
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(QUERY)
    assert page.url == f"{below.url}/"
