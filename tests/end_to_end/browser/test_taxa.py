"""Organisms chosen in the form, and shown beside hits."""

from playwright.sync_api import expect

from tests.support.browser import Begin
from tests.support.server import Server


def test_organisms_are_chosen_by_their_taxids(begin: Begin, taxa_server: Server, queries: str) -> None:
    visit = begin(taxa_server.url)
    visit.refusals.add(422)
    page = visit.open("/")
    page.get_by_text("More parameters").click()
    page.get_by_label("Protein sequences in FASTA").fill(f">{queries.split('>')[2]}")
    taxids, search = page.get_by_label("Organisms (taxids)"), page.get_by_role("button", name="Search", exact=True)
    taxids.fill("mouse")
    expect(page.locator("#fault-taxids")).to_contain_text("a taxid is a whole number from 1")
    expect(search).to_be_disabled()
    taxids.fill("9989")
    page.get_by_label("But not (taxids)").fill("10116, 9606")
    search.click()
    expect(page.locator(".methods")).to_contain_text(
        "Only sequences of taxon 9989 and not of taxa 9606, 10116, with all that descends from each, were searched."
    )
    expect(page.locator(".hit-organism").first).to_have_text("Mus musculus")


def test_organisms_are_listed_by_lineage(begin: Begin, taxa_server: Server, queries: str) -> None:
    found = taxa_server.search(f">{queries.split('>')[2]}", evalue=1e9, max_target_seqs=500, alignments=10)
    page = begin(taxa_server.url).open(f"/searches/{found['search']}")
    panel = page.locator(".organisms")
    panel.get_by_role("button", name="By lineage").click()
    with taxa_server.http as http:
        told = http.get(f"/v1/searches/{found['search']}/taxa").json()
    taxa = told["items"]
    assert told["without_taxid"] > 1
    expect(panel).to_contain_text(f"{told['without_taxid']} hits have no taxid.")
    lines = [row.locator("td").all_inner_texts() for row in panel.locator("tbody tr").all()]
    assert lines == [
        [each["name"], each["rank"], str(each["hits"]), each["ranks"].split("-")[0].split(",")[0]] for each in taxa
    ]
    branch = next(each for each in taxa if each["parent"] is not None and each["rank"] != "species")
    panel.get_by_role("button", name=branch["name"], exact=True).click()
    expect(page.locator(".toolbar [role=status]")).to_have_text(f"{branch['hits']} of 500 hits")
    page.get_by_role("button", name=f"{branch['name']} alone").click()
    expect(page.locator(".toolbar [role=status]")).to_have_text("500 hits")
