"""The form in a browser: the query checked as the server checks it, parameters as the server has them, prefilling."""

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from shardwater.errors import FastaFormatError
from shardwater.sequences.encoding import decoded
from shardwater.sequences.fasta import read_fasta
from tests.support.browser import Begin, Visit
from tests.support.server import Server

GLOBIN = ">globin\nMGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLGAHAEKVFGMV\n"
FAULTY = [
    ">a\nMKV1LL\n",
    "MKV-LL",
    "text\n>a\nMKV",
    ">a\n>b\nMKV",
    ">a\nMKV\n>b\n",
    ">a\nMK>V\n",
    ">a\nMKV ;comment\nMKV",
    ";c\n>a\n  #comment\nMK-V",
    "# STOCKHOLM 1.0\na MKV\n//\n",
    "\n# STOCKHOLM 1.0\n>a\nMK\n# STOCKHOLM 1.0\nV1\n",
    "#! STOCKHOLM\n>a\nMK1",
    ">a\n!>b\n>c\nMKV",
    "#c\n!d",
    ">a\nMKÄV\n",
    ">a\nMK\x01V\n",
    "\n \n",
    ">\n",
    ">a\nMKV\n\n>b\n \n\t\n>c\nMMM",
    "P12345",
    "sp|P10105|LAB_DROME",
    "P10105\nQ12816, NP_000509.1\n",
    ">P1;CRAB\nsome title\nMKISANSIRT\nGNIL*\n",
    "  >a\n  MKV\n\t>b\n MK>",
    "LOCUS       NP_1\n",
    "CLUSTAL W\n\na MKV-L\n",
    "@read\nACGT\n+\nIIII\n",
    '{"sequence": "MKV"}',
    "<html><p>MKV",
    ">a\nMK\u00a0V",
    ">a\nMK\0V",
    *map(decoded, (b"\x1f\x8b\x08\0\0a", b"\xfd7zXZ\0", b"\xd0\xcf\x11\xe0", b"\xff\xfeM\0K\0")),
    "\ufffdPNG\n\0\0\0\rIHDR",
]


def editor(page: Page):
    return page.get_by_label("Protein sequences in FASTA")


def status(page: Page):
    return page.locator("#query-status")


def judged(text: str) -> tuple[str, bool]:
    """What the server's own reader says of a text, and whether it takes it."""
    try:
        records = read_fasta(text.encode())
    except FastaFormatError as error:
        detail = str(error)
        return detail[0].upper() + detail[1:], False
    residues = sum(len(record.residues) for record in records)
    sequences = f"{len(records):,} sequence{'' if len(records) == 1 else 's'}"
    return f"{sequences}, {residues:,} residue{'' if residues == 1 else 's'}", True


def random_text(seed: int) -> str:
    """A text that is almost FASTA."""
    pieces = [">a\n", ">", "> b c\n", "\n", "MKV", "acdef\n", " ", "\t", "*", "UOJ", "-", "7", "é", "\n\n", "LL\n"]
    pieces += [";", "#", "!c\n"]
    chance = random.Random(seed)
    return "".join(chance.choice(pieces) for _ in range(chance.randint(1, 9)))


def test_the_live_check_says_what_the_server_says(visit: Visit) -> None:
    page = visit.open("/")
    sound = [GLOBIN, "MKVLL", " >a\n MKV\n\t>b c\nL", ";c\n>a\n !>d\nMK\n#e\nL", "#c\nMKV", ">P1;a\nMKV*"]
    for text in [*FAULTY, *sound, *map(random_text, range(40))]:
        said, accepted = judged(text)
        editor(page).fill(text)
        # A browser knows no letters' names.
        where, named, rest = re.fullmatch(r"(.*?)(\(.*\))?([^()]*)", said).groups()
        expect(status(page), text).to_contain_text(where)
        expect(status(page), text).to_contain_text(rest if named and "U+" in said else said)
        expect(page.get_by_role("button", name="Search", exact=True)).to_be_enabled(enabled=accepted)
    editor(page).fill("```\n>a\nMKV\n```")
    expect(status(page)).to_contain_text("Line 1, column 1: text before the first '>'")


def test_a_fault_is_shown_where_it_is(visit: Visit) -> None:
    page = visit.open("/")
    editor(page).fill(">a\nMKV\n>b\nLLA@K\n")
    page.get_by_role("button", name="Show").click()
    selected = page.evaluate(
        "() => { const a = document.activeElement; return a.value.slice(a.selectionStart, a.selectionEnd) }"
    )
    assert selected == "@"
    visit.shoot("form-fault")


def test_letters_that_score_as_x_are_counted(visit: Visit) -> None:
    page = visit.open("/")
    editor(page).fill(">a\nMKUUOv\n>b\nuJK\n")
    expect(status(page)).to_contain_text("3 × U, 1 × O, 1 × J will score as X")


def test_a_file_is_read_and_one_that_is_dropped_too(visit: Visit, tmp_path: Path) -> None:
    page = visit.open("/")
    small, large = tmp_path / "small.fasta", tmp_path / "large.fasta"
    small.write_text(GLOBIN)
    large.write_text("".join(f">s{number}\n{'MKVLA' * 80}\n" for number in range(900)))
    page.get_by_label("FASTA file").set_input_files(small)
    expect(editor(page)).to_have_value(GLOBIN)
    page.get_by_label("FASTA file").set_input_files(large)
    expect(page.get_by_text("large.fasta")).to_be_visible()
    expect(status(page)).to_contain_text("900 sequences, 360,000 residues")
    page.get_by_role("button", name="Clear").click()
    drop = """([text, place]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "dropped.fasta"));
        const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
        document.querySelector(place).dispatchEvent(drop);
        return drop.defaultPrevented;
    }"""
    for place in (".drop", ".form-side", ".send", ".query h2"):
        assert page.evaluate(drop, [GLOBIN, place])
        expect(editor(page)).to_have_value(GLOBIN)
        page.get_by_role("button", name="Clear").click()


def test_a_query_too_long_to_keep_is_asked_for_again(visit: Visit, tmp_path: Path) -> None:
    page = visit.open("/")
    editor(page).fill(">old\nMKVLAAGW")
    large = tmp_path / "large.fasta"
    large.write_text("".join(f">s{number}\n{'MKVLA' * 80}\n" for number in range(900)))
    page.get_by_label("FASTA file").set_input_files(large)
    expect(status(page)).to_contain_text("900 sequences, 360,000 residues")
    for _ in range(2):
        page.reload()
        expect(editor(page)).to_have_value("")
        expect(status(page)).to_have_text(
            "“large.fasta” is too long to be kept in this browser: choose or paste it again."
        )
    # Pasted, it becomes the same card; Playwright's own way to fill a field takes many seconds for so much.
    editor(page).evaluate(PASTE, large.read_text())
    expect(page.locator(".file-card")).to_contain_text("Pasted text")
    expect(status(page)).to_contain_text("900 sequences, 360,000 residues")
    expect(page.get_by_role("button", name="Search", exact=True)).to_be_enabled()


PASTE = """(field, text) => {
    field.value = text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
}"""
KEPT = "() => Object.entries(sessionStorage).find(([name]) => name.endsWith(':draft'))[1].length"


def test_a_long_query_is_checked_and_kept_once_typing_pauses(visit: Visit) -> None:
    page = visit.page
    page.clock.install()
    visit.open("/")
    long = (">half\n" + "MKVLA" * 8000 + "\n") * 2
    editor(page).fill(long)
    expect(status(page)).to_have_text("2 sequences, 80,000 residueslongest 40,000")
    page.clock.pause_at(page.evaluate("() => Date.now() + 1000"))
    kept = page.evaluate(KEPT)
    editor(page).press_sequentially("WWW")
    assert page.evaluate(KEPT) == kept
    expect(status(page)).to_have_text("2 sequences, 80,000 residueslongest 40,000")
    page.clock.run_for(1000)
    expect(status(page)).to_have_text("2 sequences, 80,003 residueslongest 40,003")
    assert page.evaluate(KEPT) == kept + 3
    # Who leaves in a pause loses nothing.
    editor(page).press_sequentially("C")
    page.reload()
    expect(editor(page)).to_have_value(f"{long}WWWC")


def test_limits_hold_before_anything_is_sent(visit: Visit, server: Server) -> None:
    with server.http as http:
        limits = http.get("/v1/service-info").json()["limits"]
    page = visit.open("/")
    editor(page).fill("M" * (limits["max_query_length"] + 1))
    expect(status(page)).to_contain_text(f"at most {limits['max_query_length']:,} are accepted")
    expect(page.get_by_role("button", name="Search", exact=True)).to_be_disabled()
    page.get_by_label("Hits at most").fill("10001")
    expect(page.get_by_text("at most 10,000", exact=True)).to_be_visible()


def test_a_part_that_cannot_be_is_a_fault_of_its_field(visit: Visit) -> None:
    visit.refusals.add(422)
    page = visit.open("/")
    page.get_by_text("More parameters").click()
    editor(page).fill(">a\nMKV\n")
    part, search = page.get_by_label("Part of each query"), page.get_by_role("button", name="Search", exact=True)
    for text, fault in (("5-2", "5-2 ends before it begins"), ("4-5", "4-5 is no part of record 1, which is 1-3")):
        part.fill(text)
        expect(page.locator("#fault-query_loc")).to_have_text(fault)
        expect(search).to_be_disabled()
        expect(page.locator(".estimate")).to_have_text(f"Part of each query: {fault}")
    part.fill("1-3")
    expect(page.locator(".fault")).to_have_count(0)
    expect(search).to_be_enabled()


def test_the_database_is_shown_with_size_version_and_date(visit: Visit, server: Server) -> None:
    with server.http as http:
        [database] = http.get("/v1/databases").json()["items"]
    shown = visit.open("/").locator(".database").inner_text()
    assert f"{database['sequences']:,} sequences" in shown
    assert database["version"] in shown
    assert database["created_at"][:4] in shown


def test_gap_costs_are_those_with_published_statistics(visit: Visit, server: Server) -> None:
    with server.http as http:
        matrices = http.get("/v1/parameters").json()["matrices"]
    page = visit.open("/")
    for matrix in matrices:
        page.get_by_label("Matrix").select_option(matrix["matrix"])
        offered = page.get_by_label("Gap open, extend").locator("option").all_inner_texts()
        pairs = [f"{pair['gap_open']}, {pair['gap_extend']}" for pair in matrix["gap_costs"]]
        assert [text.removesuffix(" (usual)") for text in offered[:-1]] == pairs
        [usual] = [text for text in offered if text.endswith("(usual)")]
        expect(page.get_by_label("Gap open, extend").locator("option:checked")).to_have_text(usual)


def test_gap_costs_of_ones_own_run_with_fitted_statistics(visit: Visit, queries: str) -> None:
    page = visit.open("/")
    editor(page).fill(queries)
    page.get_by_label("Gap open, extend").select_option("other")
    page.get_by_label("Gap open", exact=True).fill("14")
    page.get_by_label("Gap extend").fill("3")
    expect(page.get_by_label("Statistics")).to_have_value("fitted")
    page.get_by_role("button", name="Search", exact=True).click()
    methods = page.locator(".methods")
    expect(methods).to_contain_text("a gap of n residues costing 14 + 3n")
    expect(methods).to_contain_text("extreme-value distribution fitted to the scores of all subjects")


def test_a_preset_fills_the_parameters(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_role("button", name="Short peptide").click()
    expect(page.get_by_label("Matrix")).to_have_value("PAM30")
    expect(page.get_by_label("E-value at most")).to_have_value("20000")
    expect(page.get_by_label("Order").locator("option:checked")).to_have_text("highest score first")
    page.get_by_role("button", name="Standard").click()
    expect(page.get_by_label("Matrix")).to_have_value("BLOSUM62")
    expect(page.get_by_label("E-value at most")).to_have_value("")


def test_an_address_fills_the_form_and_keeps_no_sequence(visit: Visit) -> None:
    page = visit.open("/?sequence=%3Eq%0AMKVLAAGW&database=demo&matrix=PAM70&evalue=0.5&unknown=1")
    expect(editor(page)).to_have_value(">q\nMKVLAAGW")
    expect(page.get_by_label("Matrix")).to_have_value("PAM70")
    expect(page.get_by_label("E-value at most")).to_have_value("0.5")
    assert page.url == f"{visit.url}/"


@pytest.mark.parametrize("encoding", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_another_sites_form_fills_the_form(visit: Visit, encoding: str) -> None:
    hostile = ">q </script><script>alert(1)</script>\nMKVLAAGW"
    page = visit.page
    page.set_content(
        f'<form method="post" enctype="{encoding}" action="{visit.url}/"><textarea name="sequence"></textarea>'
        '<input name="evalue" value="0.25"><button>Go</button></form>'
    )
    page.locator("textarea").fill(hostile)
    page.get_by_role("button", name="Go").click()
    expect(editor(page)).to_have_value(hostile)
    expect(page.get_by_label("E-value at most")).to_have_value("0.25")


def test_rounds_are_shown_and_their_profile_is_searched_with(visit: Visit, queries: str, tmp_path: Path) -> None:
    visit.refusals.add(422)
    page = visit.open("/")
    editor(page).fill(">" + queries.split(">")[4])
    page.get_by_text("More parameters").click()
    page.get_by_label("Rounds, with profiles").fill("21")
    expect(page.locator("#fault-iterations")).to_have_text("at most 20")
    page.get_by_label("Rounds, with profiles").fill("5")
    page.get_by_label("E-value for a profile").fill("0")
    expect(page.locator("#fault-inclusion_evalue")).to_have_text("more than 0")
    page.get_by_label("E-value for a profile").fill("2e-3")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator(".rounds h2")).to_have_text("Rounds")
    expect(page.locator(".certificate")).to_contain_text("Cells scored in the last round")
    search = page.url.rpartition("/")[2]
    [one] = page.request.get(f"{visit.url}/v1/searches/{search}/results").json()["results"]
    shown = page.get_by_role("region", name="Rounds").locator("tbody tr").all()
    assert [row.locator("td").all_inner_texts() for row in shown] == [
        [str(each["number"]), with_, str(each["included"]), str(len(each["new"])), str(len(each["lost"]))]
        for each, with_ in zip(one["rounds"], ["the query", *["a profile"] * 3], strict=True)
    ]
    expect(page.locator(".rounds")).to_contain_text("at most 0.002. The last round found nothing new.")
    expect(page.locator(".methods")).to_contain_text("4 rounds were made, each but the first with a position-specific")
    with page.expect_download() as download:
        page.get_by_role("link", name="PSI-BLAST's -in_pssm").click()
    download.value.save_as(tmp_path / "p.asn")
    page = visit.open("/?iterations=1")
    page.get_by_label("FASTA file").set_input_files(tmp_path / "p.asn")
    expect(status(page)).to_contain_text("A profile of 230 positions")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator(".rounds h2")).to_have_text("Profile")
    expect(page.locator(".repeat pre")).to_contain_text("profile.json")
    page.get_by_role("link", name="Edit search").click()
    # Until then the draft stands there, which is the file.
    expect(editor(page)).to_have_value(re.compile(r'^\{"title": "sp'))
    expect(status(page)).to_contain_text("A profile of 230 positions")
    editor(page).fill("PssmWithParameters ::= { pssm { numRows 26, numColumns 3 } }")
    expect(status(page)).to_contain_text("a PSSM of proteins has 28 rows")


def test_what_was_typed_is_there_again_after_going_back(visit: Visit) -> None:
    page = visit.open("/")
    editor(page).fill(GLOBIN)
    page.get_by_label("Name of this search").fill("kept")
    visit.open("/openapi.json")
    page.go_back()
    expect(editor(page)).to_have_value(GLOBIN)
    expect(page.get_by_label("Name of this search")).to_have_value("kept")


def test_searches_are_remembered_in_this_browser_alone(begin: Begin) -> None:
    mine, other = begin(), begin()
    search = mine.search(GLOBIN)
    page = mine.open("/")
    link = page.locator(".recent-title")
    expect(link).to_have_text("globin")
    expect(link).to_have_attribute("href", f"/searches/{search}")
    expect(page.locator(".recent-list .state")).to_have_text("succeeded")
    other.open("/")
    expect(other.page.locator(".recent-title")).to_have_count(0)
    page.get_by_role("link", name="History", exact=True).last.click()
    page.get_by_role("button", name="Forget all").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget all").click()
    expect(page.locator(".recent-title")).to_have_count(0)
    mine.open("/")
    expect(page.locator(".estimate")).to_be_attached()
    expect(page.locator(".recent-title")).to_have_count(0)


def test_a_search_that_was_deleted_is_not_said_to_have_expired(visit: Visit, server: Server) -> None:
    search = visit.search(GLOBIN)
    with server.http as http:
        assert http.delete(f"/v1/searches/{search}").status_code == 204
    visit.refusals.add(404)
    page = visit.open("/")
    expect(page.locator(".recent-list .state")).to_have_text("deleted")


def test_what_the_server_refuses_is_said(visit: Visit) -> None:
    visit.refusals.add(413)
    page = visit.open("/")
    editor(page).fill("".join(f">q{number}\nMKV\n" for number in range(21)))
    page.get_by_label("Hits at most").fill("10000")
    # The estimate says it first, where it comes before this.
    page.get_by_label("Hits at most").press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("max_hits is 210,000, the limit is 200,000")
