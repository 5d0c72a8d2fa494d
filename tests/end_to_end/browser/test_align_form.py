"""The form for pairs in a browser: lists that come in any way, parameters, and what is wrong with them."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.support.accessibility import faults, overflow
from tests.support.browser import Begin, Visit, send_form
from tests.support.comparison_page import SHIFTED
from tests.support.pair_page import cells, rows, table
from tests.support.server import Server

PROTEINS = ">p1 one\nMKVLAAGWDEHHKLMNPQRSTVWY\n>p2\nMKVLAAGWMKVLAAGWEEDK\n"
OTHERS = ">s1\nMKVLAAGWDEHHLMNPQRSTVWY\n>s2\nHHKLMNPQRSTVWYACDEFG\n"
DNA = ">r1\nACGTACGTTAGCCATTACGA\n>r2\nTTGACCAGTCCATGATTACAGG\n"
OTHER_DNA = ">t1\nACGTACGTAGCCATTACGA\n>t2\nCCTGTAATCATGGACTGGTCAA\n"


def fill(page: Page, queries: str, subjects: str) -> None:
    page.get_by_label("Queries: sequences in FASTA").fill(queries)
    page.get_by_label("Subjects: sequences in FASTA").fill(subjects)


def asked(page: Page) -> dict[str, Any]:
    """What is sent when the button is pressed, without the sequences."""
    button = page.get_by_role("button", name="Align", exact=True)
    expect(button).to_be_enabled()
    expect(page.locator(".estimate")).to_contain_text("cells")
    with page.expect_request("**/v1/alignments") as sent:
        button.click()
    body: dict[str, Any] = sent.value.post_data_json
    return {name: value for name, value in body.items() if name not in ("queries", "subjects")}


def test_from_two_pasted_lists_to_their_table(visit: Visit, server: Server) -> None:
    page = visit.open("/align")
    queries = page.get_by_label("Queries: sequences in FASTA")
    queries.fill(PROTEINS.replace("MKVLAAGWMKV", "MKVL@AGWMKV"))
    status = page.locator("#queries-status")
    expect(status).to_contain_text("Record 2, line 4, column 5: “@” is no letter of proteins or DNA")
    status.get_by_role("button", name="Show").click()
    assert queries.evaluate("(area) => area.value.slice(area.selectionStart, area.selectionEnd)") == "@"
    fill(page, PROTEINS, OTHERS)
    expect(status).to_contain_text("2 records, 44 letters")
    expect(page.get_by_text("Taken for proteins.")).to_be_visible()
    page.get_by_label("Gap open").fill("0.25")
    expect(page.locator(".fault")).to_have_text("one digit after the point at most")
    expect(page.get_by_role("button", name="Align", exact=True)).to_be_disabled()
    page.get_by_label("Gap open").fill("9.5")
    page.locator("[name=matrix]").select_option("BLOSUM45")
    # Another matrix has other costs.
    expect(page.get_by_label("Gap open")).to_have_value("")
    expect(page.get_by_label("Gap open")).to_have_attribute("placeholder", "14")
    page.locator("[name=pairing]").select_option("all")
    expect(page.locator(".estimate")).to_contain_text("4 pairs, 1,892 cells")
    assert faults(page) == []
    page.reload()
    # What was typed is still there.
    expect(queries).to_have_value(PROTEINS)
    expect(page.locator("[name=matrix]")).to_have_value("BLOSUM45")
    expect(page.locator(".estimate")).to_contain_text("4 pairs")
    queries.press("Control+Enter")
    table(page).wait_for()
    with server.http as http:
        known = http.get(f"/v1{urlsplit(page.url).path}/results").json()
    assert (known["parameters"]["pairing"], known["parameters"]["matrix"]) == ("all", "BLOSUM45")
    assert rows(page) == [cells(number, pair) for number, pair in enumerate(known["alignments"], start=1)]
    expect(page.locator(".certificate")).to_contain_text("all 4 pairs")
    expect(page.get_by_role("heading", level=1)).to_have_text("p1 and s1, and 3 more pairs")
    page.get_by_role("link", name="Align", exact=True).click()
    recent = page.locator(".recent-title")
    expect(recent).to_have_text("p1 and s1, and 3 more pairs")
    assert urlsplit(str(recent.get_attribute("href"))).path == f"/alignments/{known['id']}"


def test_an_example_fills_both_lists(visit: Visit) -> None:
    page = visit.open("/align?alphabet=dna")
    page.get_by_role("button", name="Example", exact=True).click()
    expect(page.locator("#queries-status")).to_have_text("1 record, 142 letters")
    expect(page.locator("#subjects-status")).to_have_text("1 record, 147 letters")
    expect(page.get_by_text("Taken for proteins.")).to_be_visible()
    expect(page.locator(".estimate")).to_contain_text("1 pair, 20,874 cells")


DROP = """(box) => {
    const dropped = new DataTransfer();
    for (const name of ["one.fq", "other.fa"]) {
        const text = name === "one.fq" ? "@r\\nACGTACGA\\n+\\nIIIIIIII\\n" : ">t\\nACGTCGA\\n";
        dropped.items.add(new File([text], name));
    }
    box.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: dropped }));
}"""
"""Two files at once."""


def test_lists_come_as_files_too(visit: Visit, tmp_path: Path) -> None:
    visit.refusals.add(422)
    page = visit.open("/align")
    wrong = tmp_path / "wrong.fasta"
    wrong.write_text(">s\nACGT\nAC3GT\n")
    page.get_by_label("Queries: FASTA file").set_input_files(wrong)
    expect(page.locator("#queries-status")).to_contain_text("record 1, line 3, column 3: '3' is no letter")
    page.locator(".genome .drop").first.evaluate(DROP)
    expect(page.locator(".file-card strong")).to_have_text(["one.fq", "other.fa"])
    # Only the server has read them: it says what they look like.
    expect(page.get_by_text("Taken for DNA.")).to_be_visible()
    page.get_by_label("Mismatch").fill("-2")
    page.locator("[name=strand]").select_option("both")
    # Several alignments of a pair go with one strand.
    expect(page.get_by_label("Alignments of a pair")).to_have_count(0)
    page.locator("[name=mode]").select_option("free")
    page.get_by_label("the subject's end").check()
    page.get_by_label("the query's begin").check()
    page.get_by_label("Name of this alignment").fill("reads")
    assert faults(page) == []
    assert asked(page) == {
        "mismatch": -2,
        "strand": "both",
        "free_ends": ["query_begin", "subject_end"],
        "title": "reads",
    }
    table(page).wait_for()
    expect(page.get_by_role("heading", level=1)).to_have_text("reads")
    expect(page.locator(".parameters")).to_contain_text("the query's begin, the subject's end")
    # The uploads are kept while the tab is open.
    page.get_by_role("link", name="Align", exact=True).click()
    expect(page.locator(".estimate")).to_contain_text("aligned before: no wait")


def test_what_the_server_has_against_it_stands_beside_the_field(visit: Visit) -> None:
    visit.refusals.add(422)
    page = visit.open("/align")
    fill(page, PROTEINS, OTHERS + ">s3\nMKV\n")
    pairs = page.locator(".field", has=page.locator("[name=pairing]"))
    expect(pairs.locator(".fault")).to_contain_text(
        "2 queries and 3 subjects: pairs of first with first (pairing zip) need as many"
    )
    expect(page.get_by_role("button", name="Align", exact=True)).to_be_disabled()
    page.locator("[name=pairing]").select_option("all")
    expect(page.locator(".fault")).to_have_count(0)
    fill(page, DNA, OTHERS)
    letters = page.locator(".field", has=page.locator("[name=alphabet]"))
    expect(letters.locator(".fault")).to_contain_text("the queries look like DNA and the subjects like proteins")
    page.locator("[name=alphabet]").select_option("dna")
    expect(page.locator("#subjects-status")).to_contain_text("Record 1, line 2, column 4: “L” is no letter of DNA")
    fill(page, DNA, OTHER_DNA)
    page.get_by_text("A table of scores").click()
    page.locator("[name=table]").fill("A C G T\nA 5 0 0\n")
    expect(page.get_by_role("alert").or_(page.locator(".more .fault"))).to_contain_text("row")
    page.locator("[name=table]").fill("  A C G T\nA 5 -4 -4 -4\nC -4 5 -4 -4\nG -4 -4 5 -4\nT -4 -4 -4 5\n")
    # It has all scores.
    expect(page.get_by_label("Mismatch")).to_have_count(0)
    assert set(asked(page)) == {"pairing", "alphabet", "table"}
    table(page).wait_for()
    expect(page.locator(".methods")).to_contain_text("a table of scores")


def test_several_alignments_of_a_pair_are_asked_for(visit: Visit, server: Server) -> None:
    page = visit.open("/align")
    fill(page, ">r\nACGTTGCATTGACC\n", "TTGACCAAAAACGTTGCAGGGGGTTGACC")
    page.get_by_label("Alignments of a pair").fill("3")
    page.get_by_label("Apart, letters of the query").fill("0")
    assert asked(page) == {"best": 3, "query_apart": 0}
    table(page).wait_for()
    with server.http as http:
        known = http.get(f"/v1{urlsplit(page.url).path}/results").json()["alignments"]
    assert [each["rank"] for each in known] == [1, 2, 3]
    assert [row[0] for row in rows(page)] == ["1.1", "1.2", "1.3"]
    assert [row[3:] for row in rows(page)] == [cells(1, pair)[3:] for pair in known]
    page.locator(".hit-open").nth(2).click()
    shown = "".join(page.locator(".alignment .block").first.inner_text().split("\n")[0].split()[2:-1])
    assert shown.replace("-", "") == "ACGTTGCATTGACC"[known[2]["query_from"] - 1 : known[2]["query_to"]]


def test_a_link_fills_the_form(visit: Visit) -> None:
    page = visit.open("/align?queries=%3Ea%0AACGTACGT&mode=global&match=5&report=none&colour=red&pairing=all")
    expect(page).to_have_url(f"{visit.url}/align")
    expect(page.get_by_label("Queries: sequences in FASTA")).to_have_value(">a\nACGTACGT")
    expect(page.locator("[name=mode]")).to_have_value("global")
    expect(page.get_by_label("Match", exact=True)).to_have_value("5")
    notes = page.locator(".notes p")
    expect(notes).to_have_text(
        [
            "“none” is no report of this server: alignment is set.",
            "“colour” is no field of this form, and was left out.",
        ]
    )
    assert faults(page) == []
    page.get_by_label("Subjects: sequences in FASTA").fill("ACGTACG")
    expect(notes).to_have_count(0)
    assert asked(page) == {"mode": "global", "match": 5, "pairing": "all"}
    table(page).wait_for()
    page = visit.open("/align?toString=b&constructor=2&__proto__=c&mode=global")
    strange = ["toString", "constructor", "__proto__"]
    expect(notes).to_have_text([f"“{name}” is no field of this form, and was left out." for name in strange])
    expect(page.locator("[name=mode]")).to_have_value("global")
    page = visit.open("/align?free_ends=query_begin,subject_front")
    expect(page.locator(".notes")).to_contain_text("“subject_front” is no end of a sequence")


def test_another_sites_form_fills_the_form(visit: Visit) -> None:
    page = visit.page
    hostile = ">a </script><script>alert(1)</script>\nACGTACGT"
    send_form(page, f"{visit.url}/align", {"queries": hostile, "mode": "global"})
    expect(page.get_by_label("Queries: sequences in FASTA")).to_have_value(hostile)
    expect(page.locator("[name=mode]")).to_have_value("global")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_form_is_for_everybody(begin: Begin, scheme: str) -> None:
    visit = begin(color_scheme=scheme, viewport={"width": 390, "height": 844})
    page = visit.open("/align")
    assert page.evaluate(SHIFTED) < 0.01
    fill(page, DNA, OTHER_DNA)
    page.locator("[name=mode]").select_option("free")
    expect(page.locator(".estimate")).to_contain_text("2 pairs")
    assert faults(page) == []
    assert overflow(page) <= 0
    visit.shoot(f"align-form-{scheme}")
    # From field to field, and on to the table, without a mouse.
    page.get_by_label("the query's begin").focus()
    page.keyboard.press("Space")
    expect(page.get_by_label("the query's begin")).to_be_checked()
    button = page.get_by_role("button", name="Align", exact=True)
    expect(button).to_be_enabled()
    button.focus()
    page.keyboard.press("Enter")
    table(page).wait_for()


def test_records_of_a_database_are_a_list(visit: Visit) -> None:
    visit.refusals.add(422)
    page = visit.open("/align")
    page.get_by_label("Queries: sequences in FASTA").fill("MKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERF")
    page.get_by_role("button", name="From a database").nth(1).click()
    accessions = page.get_by_label("Subjects: accessions")
    accessions.fill("sp|Q9X284|EFP_THEMA sp|nobody")
    page.locator("[name=pairing]").select_option("all")
    expect(page.locator("#subjects-status")).to_contain_text("sp|nobody: no such sequence in demo")
    expect(page.get_by_role("button", name="Align", exact=True)).to_be_disabled()
    accessions.fill("sp|Q9X284|EFP_THEMA sp|A9H6E1|EFP_GLUDA")
    assert faults(page) == []
    assert asked(page) == {"pairing": "all"}
    table(page).wait_for()
    assert [row[1:3] for row in rows(page)] == [["query", "sp|Q9X284|EFP_THEMA"], ["query", "sp|A9H6E1|EFP_GLUDA"]]
    expect(page.locator(".methods")).to_contain_text("The subjects: 2 records of the database demo.")
    expect(page.locator(".repeat")).to_contain_text("Save the queries as queries.fasta, then run this")
    records = '"subjects": {"database":"demo","accessions":["sp|Q9X284|EFP_THEMA","sp|A9H6E1|EFP_GLUDA"]}'
    expect(page.locator(".code")).to_contain_text(records)
    page.get_by_role("button", name="shardwater_client").click()
    expect(page.locator(".code")).to_contain_text("from shardwater_client import Client, DatabaseSequences")
