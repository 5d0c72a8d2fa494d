"""The form of a comparison in a browser: genomes that come in any way, and parameters, up to the plot."""

import re
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import faults
from tests.support.browser import Begin, Visit, send_form, send_on
from tests.support.comparison_page import SHIFTED, cells, opened, plain, plot, rows
from tests.support.planted_genomes import CHR1, QUERY, SUBJECT
from tests.support.server import Server


def test_from_two_genomes_to_their_plot(visit: Visit, server: Server, tmp_path: Path) -> None:
    page = visit.open("/compare")
    visit.refusals.add(422)
    query = page.get_by_label("Query: DNA in FASTA")
    query.fill(QUERY.replace("ACG", "AJG", 1))
    expect(page.locator("#query-status")).to_contain_text("“J” is no letter of DNA")
    query.fill(QUERY)
    expect(page.locator("#query-status")).to_contain_text("2 records, 18,000 letters")
    wrong = tmp_path / "wrong.fasta"
    wrong.write_text(">s\nACGT\nACEGT\n")
    chooser = page.get_by_label("Subject: FASTA file")
    chooser.set_input_files(wrong)
    expect(page.locator("#subject-status")).to_contain_text("E")
    expect(page.get_by_role("button", name="Compare", exact=True)).to_be_disabled()
    right = tmp_path / "strain.fasta"
    right.write_text(SUBJECT)
    chooser.set_input_files(right)
    expect(page.locator("#subject-status")).to_contain_text("2 records, 18,000 letters")
    page.get_by_label("Length at least").fill("0")
    expect(page.locator(".fault")).to_have_text("at least 1")
    page.get_by_label("Length at least").fill("150")
    page.get_by_label("Cut HSPs").fill("0")
    expect(page.locator(".estimate")).to_contain_text("36,000 letters")
    page.reload()
    # What was typed and uploaded is still there.
    expect(query).to_have_value(QUERY)
    expect(page.get_by_label("Length at least")).to_have_value("150")
    expect(page.locator(".estimate")).to_contain_text("36,000 letters")
    assert faults(page) == []
    expect(page.get_by_role("button", name="Compare", exact=True)).to_be_enabled()
    query.press("Control+Enter")
    plot(page).wait_for()
    with server.http as http:
        known = http.get(f"/v1{urlsplit(page.url).path}/results", params={"format": "json"}).json()
    assert (known["parameters"]["min_length"], known["parameters"]["x_drop"]) == (150, 0)
    listed = [plain(row) for row in rows(page)]
    assert sorted(listed) == sorted(map(cells, known["hsps"]))
    assert [row[2] for row in listed] == [
        f"{each:,}" for each in sorted((hsp["length"] for hsp in known["hsps"]), reverse=True)
    ]
    expect(page.locator(".certificate")).to_contain_text("All seeds followed")
    expect(page.get_by_role("heading", level=1)).to_have_text("chr1 and strain.fasta")
    page.goto(f"{visit.url}/compare")
    expect(page.locator(".recent-title")).to_have_text("chr1 and strain.fasta")


def test_an_example_fills_both_sides_and_shows_what_is_turned_round(visit: Visit, server: Server) -> None:
    page = visit.open("/compare")
    page.get_by_role("button", name="Example", exact=True).click()
    for side in ("query", "subject"):
        expect(page.locator(f"#{side}-status")).to_have_text("1 record, 3,000 letters")
    page.get_by_role("button", name="Compare", exact=True).click()
    plot(page).wait_for()
    with server.http as http:
        known = http.get(f"/v1{urlsplit(page.url).path}/results", params={"format": "json"}).json()
    assert sorted((hsp["strand"], hsp["query_from"] // 900) for hsp in known["hsps"]) == [("+", 0), ("+", 2), ("-", 1)]
    assert all(hsp["length"] > 900 and hsp["identity"] > 95 for hsp in known["hsps"])


GENOMES = {"name": "genomes", "title": "", "alphabet": "dna", "sequences": 2, "residues": 18_000}
DROP = """(box) => {
    const dropped = new DataTransfer();
    for (const name of ["one.fa", "other.fa"]) dropped.items.add(new File([`>${name}\nACGTACGT\n`], name));
    box.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: dropped }));
}"""
"""Two files at once."""


def test_a_genome_comes_in_many_ways(visit: Visit) -> None:
    visit.page.route("**/compare", lambda route: send_on(route, lambda view: view["databases"].append(GENOMES)))
    visit.refusals.add(422)
    page = visit.open("/compare")
    subject = page.get_by_label("Subject: DNA in FASTA")
    subject.fill("@read\nACGT\n+\nIII\n")
    expect(page.locator("#subject-status")).to_contain_text("line 4: a read needs one quality for each letter")
    subject.fill("@read x\nACGT\n+other\nIIII\n")
    expect(page.locator("#subject-status")).to_contain_text("Record 1, line 3: the third line of a read must be “+”")
    subject.fill("@read x\nACGT\n+read\nII\u0007I\n")
    expect(page.locator("#subject-status")).to_contain_text("line 4: a read needs one quality for each letter")
    subject.fill("#c\n>a\nACGT\n;>b\nAC\n")
    expect(page.locator("#subject-status")).to_contain_text("1 record, 6 letters")
    subject.fill("ACGT\nACGTT\n")
    expect(page.locator("#subject-status")).to_contain_text("1 record, 9 letters")
    page.get_by_role("button", name="From a database").first.click()
    with page.expect_request("**/v1/comparisons:estimate") as asked:
        page.get_by_label("Query: accessions").fill("chr1, chr2")
    assert asked.value.post_data_json == {
        "query": {"database": "genomes", "accessions": ["chr1", "chr2"]},
        "subject": ">subject\nACGT\nACGTT\n",
    }
    expect(page.locator("#query-status")).to_contain_text("no database of this name")
    page.locator(".genome .drop").last.evaluate(DROP)
    expect(page.locator(".file-card strong")).to_have_text(["one.fa", "other.fa"])
    expect(page.locator(".estimate")).to_contain_text("16 letters")


def test_a_database_and_a_text_take_turns_and_neither_is_lost(begin: Begin) -> None:
    visit = begin(viewport={"width": 390, "height": 844})
    visit.page.route("**/compare", lambda route: send_on(route, lambda view: view["databases"].append(GENOMES)))
    page = visit.open("/compare")
    assert page.evaluate(SHIFTED) < 0.01
    missing, turn = page.locator(".estimate"), page.get_by_role("button", name="From a database").first
    expect(missing).to_have_text("Add both genomes.")
    letters, accessions = page.get_by_label("Query: DNA in FASTA"), page.get_by_label("Query: Accessions")
    letters.fill("ACGT")
    expect(missing).to_have_text("Add the other genome.")
    turn.click()
    accessions.fill("chr1")
    turn.click()
    expect(letters).to_have_value("ACGT")
    turn.click()
    expect(accessions).to_have_value("chr1")


def test_line_numbers_go_at_a_click(visit: Visit) -> None:
    page = visit.open("/compare")
    letters = page.get_by_label("Query: DNA in FASTA")
    letters.fill(">chr\n        1 acgtacgtac acgt\n       61 acgtacgt\n")
    expect(page.locator("#query-status")).to_contain_text("Record 1, line 2, column 9: “1” is no letter of DNA")
    page.get_by_role("button", name="Remove 2 line numbers").click()
    expect(page.locator("#query-status")).to_have_text("1 record, 22 letters")
    expect(letters).to_have_value(re.compile(r"^>chr\n\s+acgtacgtac acgt\n\s+acgtacgt\n$"))


@pytest.mark.parametrize("form", [False, True], ids=["address", "form"])
def test_an_address_and_another_sites_form_fill_it(visit: Visit, *, form: bool) -> None:
    fields = {"query": ">a\nACGTACGT", "word": "16", "strands": "both", "colour": "red", "gapped": "some"}
    if form:
        send_form(visit.page, f"{visit.url}/compare", fields)
    else:
        visit.open(f"/compare?{urlencode(fields)}")
    page = visit.page
    expect(page.get_by_label("Query: DNA in FASTA")).to_have_value(">a\nACGTACGT")
    expect(page.locator("[name=word]")).to_have_value("16")
    notes = ["“colour” is no field of this form, and was left out.", "“some” is no gapped of this server: none is set."]
    expect(page.locator(".notes p")).to_have_text(notes)
    expect(page).to_have_url(f"{visit.url}/compare")


def test_a_genome_beside_itself_has_no_main_diagonal(visit: Visit, server: Server) -> None:
    request = {"query": f">a\n{CHR1[:300]}\n", "subject": f">b\n{CHR1[:300]}\n"}
    with server.http as http:
        compared = http.post("/v1/comparisons", json=request, headers={"Prefer": "wait=60"}).json()
    page = opened(visit, f"/comparisons/{compared['id']}")
    expect(page.get_by_text("Both genomes are the same: the main diagonal is left out.")).to_have_count(2)
    expect(page.get_by_text("0 HSPs. Both genomes are the same")).to_be_visible()
    assert page.evaluate(SHIFTED) < 0.01
