"""What people paste, drop and follow that is not quite a query: mended in one click, warned of, never dropped."""

import gzip
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from shardwater.errors import FastaFormatError
from shardwater.search.parameters import Parameters
from shardwater.search.warnings import SHORT_EVALUE, SHORT_MATRIX, numbered_warnings
from shardwater.sequences.fasta import read_fasta
from tests.support.browser import Visit
from tests.support.server import Server

GLOBIN = ">globin\nMGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLGAHAEKVFGMV\n"
OTHER = ">other\nMKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERFSSSDYLEKAELEQK\n"
DROP = """(files) => {
    const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([text], name));
    document.querySelector(".drop").dispatchEvent(
        new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def editor(page: Page) -> Locator:
    return page.get_by_label("Protein sequences in FASTA")


def status(page: Page) -> Locator:
    return page.locator("#query-status")


def button(page: Page, name: str = "Search") -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def test_dna_is_warned_of_as_the_server_warns(visit: Visit) -> None:
    visit.page.route("**/v1/searches:estimate", lambda route: route.fulfill(status=503))
    visit.refusals.add(503)
    page = visit.open("/")
    for text in (
        ">dna\n" + "ACGTTGCA" * 12,
        "acgtunACGTUNacgtunAC",
        "ACGTACGTACGTACGTACG",
        ">a\n" + "ACGTACGTA" * 10 + "WWWWWWWWWW\n>b\n" + "ACGTACGTA" * 10 + "WWWWWWWWWWW",
        GLOBIN,
    ):
        editor(page).fill(text)
        expect(page.locator(".good")).to_contain_text("2 sequences" if ">b" in text else "1 sequence")
        records = read_fasta(text.encode())
        number = "Query 1: " if len(records) > 1 else ""
        found = [each for each in numbered_warnings(records, Parameters()) if each.code == "looks-like-dna"]
        expected = [f"{number}{each.detail}." for each in found]
        expect(page.locator(".notes p")).to_have_text(expected)
        expect(button(page)).to_be_enabled()


def test_the_servers_other_warnings_are_shown_too(visit: Visit) -> None:
    def odd(route) -> None:
        reply = route.fetch()
        warning = {"query": 1, "code": "short-query", "detail": "it is short"}
        route.fulfill(response=reply, json={**reply.json(), "warnings": [warning]})

    visit.page.route("**/v1/searches:estimate", odd)
    page = visit.open("/")
    editor(page).fill(GLOBIN)
    expect(page.locator(".notes")).to_have_text("It is short.")


def test_what_suits_a_short_query_is_set_in_one_click(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_label("Hits at most").fill("50")
    editor(page).fill("MKVLAAGW")
    expect(page.locator(".notes")).to_contain_text("It is short (8 residues)")
    button(page, "Set PAM30, E-values up to 20,000 and highest score first").click()
    expect(page.locator(".query-status .notes")).to_have_count(0)
    with page.expect_request("**/v1/searches") as sent:
        button(page).click()
    advised = {"matrix": SHORT_MATRIX, "evalue": SHORT_EVALUE, "order": "score", "max_target_seqs": 50}
    assert {name: sent.value.post_data_json.get(name) for name in (*advised, "gap_open")} == {
        **advised,
        "gap_open": None,
    }


def test_a_result_of_dna_says_so_and_marks_its_hits(visit: Visit, server: Server) -> None:
    dna = "".join(random.Random(5).choices("ACGT", k=900))
    result = server.search(f">dna\n{dna}", score_distribution=True, composition="none")
    page = visit.open(f"/searches/{result['search']}")
    expect(page.locator(".query-head .notes")).to_contain_text("nucleotide FASTA where a protein is expected?")
    best = result["results"][0]["hits"][0]["evalues"]
    assert max(best["table"], best["fitted"]) < 1e-6
    expect(page.locator(".hit").first.get_by_label("E-values differ")).to_be_visible()
    marks = page.get_by_label("E-values differ").count()
    assert marks == sum(hit["evalues"]["differ"] for hit in result["results"][0]["hits"])


ALMOST = [
    ("        1 mkisansirt gnilvynndl\n       21 wvvsk\n", "Remove 2 line numbers", "mkisansirt gnilvynndl wvvsk"),
    ("ORIGIN\n        1 mkisansirt\n//\n", "Remove 2 lines of GenBank and 1 line number", "mkisansirt"),
    (">a\nMK--VL\n>b\nMKA.VL", "Remove 3 gap characters", ">a MKVL >b MKAVL"),
    (">a\u00a0b\nMKV\u00a0LL\u2003A", "Remove 2 special blanks", ">a\u00a0b MKVLLA"),
    (">a\nMKV\n  >b-c\nMK--L", "Remove 2 gap characters", ">a MKV >b-c MKL"),
    (">a\nMet-Lys-Ile-\nSer", "Turn it into one-letter code", ">a MKI S"),
]


def test_what_is_almost_fasta_is_mended_in_one_click(visit: Visit) -> None:
    page = visit.open("/")
    for text, offer, mended in ALMOST:
        editor(page).fill(text)
        expect(button(page)).to_be_disabled()
        button(page, offer).click()
        expect(button(page)).to_be_enabled()
        assert re.split(r"[ \n]+", editor(page).input_value().strip(" \n")) == mended.split(" ")


def test_what_cannot_be_mended_is_not_offered(visit: Visit) -> None:
    page = visit.open("/")
    for text in (">a\nMK@V", ">a\nMK1VL", "text\n>a\nMKV", "Met-Lys-Ile-Nle"):
        editor(page).fill(text)
        expect(status(page).locator(".bad")).to_be_visible()
        expect(page.locator(".mend")).to_have_count(0)


def test_words_are_questioned_as_the_server_does(visit: Visit) -> None:
    page = visit.open("/")
    for text in ("hemoglobin alpha human", "Insulin human", "alpha amylase", "p53 tumor suppressor"):
        editor(page).fill(text)
        expect(status(page).locator(".bad")).to_contain_text("looks like words")
        with pytest.raises(FastaFormatError) as caught:
            read_fasta(text.encode())
        expect(page.locator("#query-fault")).to_have_text(str(caught.value)[0].upper() + str(caught.value)[1:])
        expect(button(page)).to_be_disabled()
    for text in (
        "MKISANSIRT GNILVYNNDL WVVSK",
        "mkisansirt gnilvynndl\nwvvsktpeht",
        "ACGU ACGU GGCC",
        "mki san sir tgn il",
    ):
        editor(page).fill(text)
        expect(page.locator(".good")).to_contain_text("1 sequence")


def test_a_genome_is_told_where_to_go(visit: Visit) -> None:
    page = visit.open("/")
    editor(page).fill(">genome\n" + "ACGTTGCA" * 6_300)
    expect(status(page)).to_contain_text("50,400 residues; at most 50,000 are accepted. This looks like DNA")
    expect(status(page)).to_contain_text("For genomes use Compare")


def test_three_letter_code_is_known_from_residues(visit: Visit) -> None:
    page = visit.open("/")
    for text, plain in (("MetLysIleSer", "MKIS"), (">a\nMET LYS ILE\nSER TER", ">a\nMKI\nS*")):
        editor(page).fill(text)
        expect(status(page)).to_contain_text("This is three-letter code: each of its letters would count as a residue.")
        button(page, "Turn it into one-letter code").click()
        expect(editor(page)).to_have_value(plain)
        expect(page.locator(".mend", has_text="one-letter")).to_have_count(0)


def test_an_accession_is_fetched_from_the_databases_here(visit: Visit, server: Server) -> None:
    visit.refusals.add(404)
    page = visit.open("/")
    editor(page).fill("Q12816")
    button(page, "Fetch Q12816 from the databases here").click()
    with server.http as http:
        fasta = http.get("/v1/databases/demo/sequences/sp%7CQ12816%7CTROP_HUMAN?format=fasta").text
    expect(editor(page)).to_have_value(fasta)
    editor(page).fill("XP_000001.1, XP_000002.1")
    button(page, "Fetch these 2 accessions from the databases here").click()
    expect(status(page)).to_contain_text("No database here has XP_000001.1.")


def test_a_link_with_an_accession_fetches_it_from_any_database_here(visit: Visit) -> None:
    page = visit.open("/?accession=Q12816&matrix=PAM70")
    expect(editor(page)).to_have_value(re.compile(r"^>sp\|Q12816\|TROP_HUMAN "))
    expect(page.get_by_label("Matrix")).to_have_value("PAM70")
    visit.refusals.add(404)
    visit.open("/?accession=XP_000001.1")
    expect(page.get_by_role("alert")).to_contain_text("No database here has XP_000001.1.")


def test_files_are_unpacked_and_put_together(visit: Visit, tmp_path: Path) -> None:
    packed, plain, wide = tmp_path / "a.fasta.gz", tmp_path / "b.fasta", tmp_path / "c.txt"
    packed.write_bytes(gzip.compress(GLOBIN.encode()))
    plain.write_text(OTHER)
    page = visit.open("/")
    page.get_by_label("FASTA file").set_input_files([packed, plain])
    expect(editor(page)).to_have_value(GLOBIN + OTHER)
    for encoding, text in (("utf-16", GLOBIN), ("utf-16-le", OTHER), ("utf-16-be", GLOBIN)):
        wide.write_text(text, encoding=encoding)
        page.get_by_label("FASTA file").set_input_files(wide)
        expect(editor(page)).to_have_value(text)
    wide.write_bytes(b">caf\xe9 \x80\nMKV\n")
    page.get_by_label("FASTA file").set_input_files(wide)
    expect(editor(page)).to_have_value(">caf\u00e9 \u20ac\nMKV\n")
    page.evaluate(DROP, [["a", OTHER], ["b", GLOBIN]])
    expect(editor(page)).to_have_value(OTHER + GLOBIN)
    page.evaluate(DROP, [["a", OTHER], ["b", "MKVLL"]])
    expect(status(page)).to_contain_text("b has no FASTA header")
    page.evaluate(DROP, [["a", OTHER], ["b", f"text\n{GLOBIN}"]])
    expect(status(page)).to_contain_text("b has text before its first FASTA header")
    page.evaluate(DROP, [["a", OTHER], ["b", f"\n; comment\r\n{GLOBIN}"]])
    expect(status(page)).to_contain_text("2 sequences")


def test_packed_files_of_several_members_are_unpacked(visit: Visit, tmp_path: Path) -> None:
    packed, cut = tmp_path / "bgzip.fasta.gz", tmp_path / "cut.fasta.gz"
    # As bgzip ends its files, with an empty member; and one whose bytes look like the beginning of another.
    name = gzip.compress(OTHER.encode())
    odd = name[:3] + b"\x08" + name[4:10] + b"\x1f\x8b\x08\0" + name[10:]
    members = [gzip.compress(GLOBIN.encode()), odd, gzip.compress(GLOBIN.encode()), gzip.compress(b"")]
    packed.write_bytes(b"".join(members))
    cut.write_bytes(b"".join(members)[:-40])
    page = visit.open("/")
    page.get_by_label("FASTA file").set_input_files(packed)
    expect(editor(page)).to_have_value(GLOBIN + OTHER + GLOBIN)
    page.get_by_label("FASTA file").set_input_files(cut)
    expect(status(page)).to_contain_text("cut.fasta.gz cannot be unpacked: it is not whole, or damaged")


def test_a_file_that_is_no_text_is_refused_and_not_shown(visit: Visit, tmp_path: Path) -> None:
    page = visit.open("/")
    editor(page).fill(GLOBIN)
    pdf, picture = tmp_path / "paper.pdf", tmp_path / "gel.png"
    pdf.write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Length 44 >>\nstream\n" + bytes(range(256)) * 20)
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + random.Random(1).randbytes(4000))
    for file, why in ((pdf, "this looks like a PDF file: save its sequences as"), (picture, "this is no text file")):
        page.get_by_label("FASTA file").set_input_files(file)
        expect(status(page)).to_contain_text(f"{file.name} cannot be read as sequences: {why}")
        expect(editor(page)).to_have_value("")
        expect(button(page)).to_be_disabled()
        button(page, "Back to the query before").click()
        expect(editor(page)).to_have_value(GLOBIN)


def test_an_empty_file_takes_the_place_of_nothing(visit: Visit) -> None:
    page = visit.open("/")
    editor(page).fill(GLOBIN)
    page.evaluate(DROP, [["none.fasta", " \n"]])
    expect(status(page)).to_contain_text("none.fasta is empty: the query stays as it was.")
    expect(status(page)).to_contain_text("1 sequence, 70 residues")
    expect(editor(page)).to_have_value(GLOBIN)
    editor(page).fill(OTHER)
    expect(status(page)).not_to_contain_text("empty")


def test_a_refused_file_leaves_nothing_to_be_sent_by_mistake(visit: Visit, server: Server, tmp_path: Path) -> None:
    with server.http as http:
        most = http.get("/v1/service-info").json()["limits"]["max_body_bytes"]
    bomb = tmp_path / "bomb.fasta.gz"
    bomb.write_bytes(gzip.compress(b"A" * (most + 1), 9))
    page = visit.open("/")
    editor(page).fill(GLOBIN)
    expect(button(page)).to_be_enabled()
    page.get_by_label("FASTA file").set_input_files(bomb)
    expect(status(page)).to_contain_text(f"bomb.fasta.gz has more than {most:,} bytes unpacked; at most {most:,}")
    expect(button(page)).to_be_disabled()
    button(page, "Back to the query before").click()
    expect(editor(page)).to_have_value(GLOBIN)
    page.get_by_label("FASTA file").set_input_files(bomb)
    expect(status(page)).to_contain_text("bomb.fasta.gz")
    editor(page).fill("MKVLL")
    # The server's advice on short queries may follow.
    expect(status(page)).to_contain_text("1 sequence, 5 residues")
    expect(status(page)).not_to_contain_text("bomb.fasta.gz")


def test_control_and_enter_search(visit: Visit) -> None:
    page = visit.open("/")
    editor(page).fill(GLOBIN)
    expect(button(page)).to_be_enabled()
    page.get_by_label("Matrix").press("Control+Enter")
    page.get_by_role("table", name="Hits").wait_for()
    page.get_by_role("link", name="Edit search").click()
    expect(button(page)).to_be_enabled()
    editor(page).press("Control+Enter")
    page.get_by_role("table", name="Hits").wait_for()


def test_an_address_that_asks_for_what_is_not_here_is_told_so(visit: Visit) -> None:
    page = visit.open("/?sequence=MKVLAAGW&database=nope&matrix=NOPE&statistics=FITTED&colour=red")
    assert page.locator(".notes p").all_inner_texts() == [
        "There is no database of proteins “nope” here: choose one.",
        "“colour” is no field of this form, and was left out.",
        "“NOPE” is no matrix of this server: BLOSUM62 is set.",
    ]
    expect(page.get_by_label("Matrix")).to_have_value("BLOSUM62")
    expect(page.get_by_label("Statistics")).to_have_value("fitted")
    expect(page.get_by_role("radio")).not_to_be_checked()
    expect(button(page)).to_be_disabled()
    page.get_by_role("radio").check()
    expect(button(page)).to_be_enabled()


def test_a_link_with_settings_alone_keeps_what_was_typed(visit: Visit) -> None:
    page = visit.open("/")
    editor(page).fill(GLOBIN)
    page = visit.open("/?matrix=PAM70")
    expect(editor(page)).to_have_value(GLOBIN)
    expect(page.get_by_label("Matrix")).to_have_value("PAM70")


def test_a_link_with_settings_means_the_same_whatever_was_set_before(visit: Visit) -> None:
    page = visit.open("/")
    editor(page).fill(GLOBIN)
    page.get_by_label("Hits at most").fill("33")
    page = visit.open("/?sequence=&matrix=PAM70")
    expect(editor(page)).to_have_value(GLOBIN)
    expect(page.get_by_label("Hits at most")).to_have_value("")
    expect(page.get_by_label("Matrix")).to_have_value("PAM70")
    visit.open("/?matrix=NOPE&databases=demo+nope")
    said = ["There is no database of proteins “nope” here.", "“NOPE” is no matrix of this server: BLOSUM62 is set."]
    expect(page.locator(".notes p")).to_have_text(said)
    expect(page.get_by_label("Matrix")).to_have_value("BLOSUM62")
    expect(page.get_by_role("radio", name="demo")).to_be_checked()


def test_gap_costs_of_ones_own_come_and_go_with_their_statistics(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_text("More parameters").click()
    statistics, costs = page.get_by_label("Statistics"), page.get_by_label("Gap open, extend")
    statistics.select_option("table")
    costs.select_option("other")
    expect(statistics).to_have_value("fitted")
    page.get_by_label("Gap open", exact=True).fill("11")
    page.get_by_label("Gap extend").fill("1")
    expect(page.get_by_label("Gap extend")).to_be_focused()
    expect(page.get_by_label("Gap open", exact=True)).to_have_value("11")
    costs.select_option("11/1")
    expect(statistics).to_have_value("table")
    expect(page.get_by_label("Gap extend")).to_have_count(0)


def test_an_estimate_says_what_was_answered_before(visit: Visit, server: Server) -> None:
    visit.search(GLOBIN)
    page = visit.open("/")
    editor(page).fill(GLOBIN)
    expect(page.locator(".estimate")).to_contain_text("answered before: no wait")


def test_an_estimate_of_no_time_reads_well(visit: Visit) -> None:
    visit.page.route(
        "**/v1/searches:estimate",
        lambda route: route.fulfill(json={**route.fetch().json(), "seconds": 0.0001, "reused": False}),
    )
    page = visit.open("/")
    editor(page).fill(OTHER)
    expect(page.locator(".estimate")).to_have_text("under 1 ms, 86.1 million cells")
