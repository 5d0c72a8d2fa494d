"""Organisms chosen in the form, and shown beside hits."""

from playwright.sync_api import expect

from tests.support.browser import Begin
from tests.support.server import Server


def test_organisms_are_chosen_by_their_taxids(begin: Begin, taxa_server: Server, queries: str) -> None:
    page = begin(taxa_server.url).open("/")
    page.get_by_text("More parameters").click()
    page.get_by_label("Protein sequences in FASTA").fill(f">{queries.split('>')[2]}")
    taxids, search = page.get_by_label("Organisms (taxids)"), page.get_by_role("button", name="Search", exact=True)
    taxids.fill("mouse")
    expect(page.locator("#fault-taxids")).to_have_text("numbers, as 9606,10090")
    expect(search).to_be_disabled()
    taxids.fill("9989")
    page.get_by_label("But not (taxids)").fill("10116, 9606")
    search.click()
    expect(page.locator(".methods")).to_contain_text(
        "Only sequences of taxon 9989 and not of taxa 9606, 10116, with all that descends from each, were searched."
    )
    expect(page.locator(".hit-organism").first).to_have_text("Mus musculus")
