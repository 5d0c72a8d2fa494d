import json
import re
import shutil
import subprocess

import numpy as np
import pytest

from shardwater.errors import AlignError, ScoringError
from shardwater.formats.pssms.ascii_text import write_ascii
from shardwater.formats.pssms.asn1 import write_asn1
from shardwater.formats.pssms.json_text import write_json
from shardwater.formats.pssms.reading import read_pssm
from shardwater.formats.pssms.saved import SavedPssm, percentages
from shardwater.scoring.pssm import Pssm
from shardwater.sequences.alphabet import LETTERS
from shardwater.sequences.fasta import Record
from shardwater.statistics.background import background

BLOSUM62 = ("BLOSUM62", 11, 1)
OWN = "matrix-0123456789abcdef0123456789abcdef"
QUERY = b"MKWVTFISLLF"


def saved(query=QUERY, scoring=BLOSUM62):
    """A profile with a score of its own at each place."""
    scores = np.arange(20 * len(query), dtype=np.float64).reshape(len(query), 20) % 23 - 11
    expected = background() * np.exp(scores / 9)
    return SavedPssm(
        Record('Q1 a "quoted" title', query, pssm=Pssm.of_residues(scores, -4)),
        *scoring,
        expected / expected.sum(axis=1, keepdims=True),
        percentages(np.eye(20)[np.arange(len(query)) % 20]),
        np.linspace(0, 1, len(query)),
    )


@pytest.mark.parametrize("write", [write_asn1, write_json])
def test_what_is_written_is_read(write):
    for scoring in (("BLOSUM50", 13, 2), (OWN, 9, 0)):
        given = saved(scoring=scoring)
        found = read_pssm("".join(write(given)))
        assert (found.query, found.matrix, found.gap_open, found.gap_extend) == (given.query, *scoring)


@pytest.mark.parametrize("write", [write_asn1, write_json, write_ascii])
@pytest.mark.parametrize("query", [b"M", b"MKUOJ*BZX", b"M" * 3000])
def test_any_query_of_fasta_comes_back_with_its_scores(write, query):
    given = saved(query)
    found = read_pssm("".join(write(given))).query
    assert (found.residues, found.pssm) == (query, given.query.pssm)


def test_small_letters_stay_where_a_text_has_them():
    given = saved(b"MKvtF")
    found = [read_pssm("".join(write(given))).query.residues for write in (write_json, write_asn1)]
    assert found == [b"MKvtF", b"MKVTF"]


def test_asn1_has_what_was_expected_at_each_place():
    given = saved(b"M")
    _, _, reals = "".join(write_asn1(given)).partition("freqRatios {")
    written = re.findall(r"\{ (\d+), 10, (-?\d+) \}", reals.partition("finalData")[0])
    values = [float(f"{mantissa}e{exponent}") for mantissa, exponent in written]
    codes = [LETTERS_OF_PSIBLAST.index(letter) for letter in LETTERS[:20]]
    assert [values[code] for code in codes] == pytest.approx(given.expected[0].tolist(), rel=1e-8)
    assert sum(values) == pytest.approx(1)


def test_ascii_has_a_line_for_each_place():
    lines = "".join(write_ascii(saved())).splitlines()
    assert lines[2].split() == [*LETTERS[:20]] * 2
    first = lines[3].split()
    assert (len(first), first[:5], first[-1]) == (44, ["1", "M", "-11", "-10", "-9"], "0.00")
    assert first[22:42] == ["100"] + ["0"] * 19
    assert lines[-1].split() == ["PSI", "Gapped", "0.0410", "0.2670"]


def test_percentages_are_rounded_down_but_not_by_the_digits_of_the_computer():
    assert percentages(np.array([1, 0.29, 0.58, 0.999, 1 / 3, 0])).tolist() == [100, 29, 58, 99, 33, 0]


TABLE = "Last position-specific scoring matrix computed\n"
LETTERS_OF_PSIBLAST = "-ABCDEFGHIKLMNPQRSTVWXYZU*OJ"


def written_by_psiblast(places):
    """As PSI-BLAST writes one: B, Z, U, O and J have no scores."""
    rows = []
    for place in range(places):
        scored = {letter: place + code for code, letter in enumerate(LETTERS[:20])}
        rows += [scored.get(letter, {"X": -1, "*": -4}.get(letter, -32768)) for letter in LETTERS_OF_PSIBLAST]
    return f"""PssmWithParameters ::= {{
  pssm {{
    isProtein TRUE, numRows 28, numColumns {places}, byRow FALSE,
    query seq {{
      id {{ local str "Query_1" }},
      descr {{ title "sp|P1|X a ""long""
 title" }},
      inst {{ repr raw, mol aa, length {places}, seq-data ncbistdaa '{"0C" * places}'H }}
    }},
    finalData {{
      scores {{ {", ".join(map(str, rows))} }},
      lambda {{ 267, 10, -3 }}
    }}
  }}
}}
"""


def test_what_psiblast_writes_is_read():
    found = read_pssm(written_by_psiblast(2))
    assert (found.query.header, found.query.residues) == ('sp|P1|X a "long" title', b"MM")
    scores = found.query.pssm.scores[1]
    assert scores[:20].tolist() == list(range(1, 21))
    # B is the mean of N and D, by how frequent they are: 3 and 4 round to 4.
    assert [scores[LETTERS.index(letter)] for letter in "BX*"] == [4, -1, -4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a PSSM is ASN.1 text"),
        (">q\nMKV", "a PSSM is ASN.1 text"),
        ("PssmWithParameters ::= { pssm { ", "not closed"),
        ("PssmWithParameters ::= " + "{ a " * 40, "more than 32 deep"),
        ('PssmWithParameters ::= { pssm "', "line 1 begins nothing"),
        ("PssmWithParameters { }", "does not begin with"),
        ("PssmWithParameters ::= { pssm { numRows 28, numColumns x } }", "no whole number"),
        (written_by_psiblast(2).replace("numColumns 2", "numColumns 3"), "2 residues, and the PSSM 3 columns"),
        (written_by_psiblast(2).replace("numRows 28", "numRows 26"), "28 rows"),
        (written_by_psiblast(2).replace("byRow FALSE", "byRow TRUE"), "column by column"),
        (written_by_psiblast(2).replace("-1,", "-1, 7,", 1), "57 scores for 2 columns"),
        (written_by_psiblast(2).replace("-1,", "-40000,", 1), "further from 0 than 32,768"),
        (written_by_psiblast(2).replace("-4, -32768", "400, -32768", 1), "further from 0 than 100"),
        (written_by_psiblast(2).replace(", 0,", ", -32768,", 1), "a residue has no score"),
        (written_by_psiblast(2).replace("'0C0C'", "'0C1C'"), "NCBIstdaa"),
        (written_by_psiblast(2).replace("'0C0C'", "'0C0'"), "no bytes"),
        (TABLE, "no position"),
        (TABLE + " 2 M" + " 1" * 20, "line 2: position 1 should stand here"),
        (TABLE + " 1 M" + " 1" * 19, "line 2: a position has a letter"),
        (TABLE + " 1 M" + " 1" * 19 + " x", "a letter and 20 whole numbers"),
        (written_by_psiblast(2) * 2, "there is more behind the value"),
        (written_by_psiblast(2).replace(", 0,", ", 0 0,", 1), "no whole numbers with commas"),
        (written_by_psiblast(2).replace(", 0,", ", -,", 1), "no whole numbers with commas"),
        (written_by_psiblast(2).replace(", 0,", ", NAN,", 1), "no finalData|no scores"),
        (written_by_psiblast(0).replace("-32768", "0"), "no letters|there are none"),
        (TABLE + "1 MK" + " 1" * 20, "line 2: a position has a letter"),
        (TABLE + "1 M" + " 1" * 20 + "\n1 M" + " 1" * 20, "line 3: position 2 should stand here"),
        (TABLE + "1 M" + " 1.5" * 20, "line 2: a position has a letter"),
        (TABLE + "1 M" + " 999999" * 20, "line 2: a position has a letter"),
        (TABLE + "1 M" + " 101" * 20, "further from 0 than 100"),
        (TABLE + "1 \u00e9" + " 1" * 20, "no position"),
        (TABLE + "\n" * 200_001, "more than 200,000 lines"),
        ("{", "no JSON"),
        ("[" * 100_000, "a PSSM is ASN.1 text"),
        ('{"a": ' * 80_000, "no JSON"),
        ('{"a": ' * 100_000, "more strings and lists"),
        ('{"title": 1}', "as text"),
    ],
)
def test_what_is_no_pssm_says_why(text, message):
    with pytest.raises(AlignError, match=message):
        read_pssm(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"matrix": "BLOSUM99"}, "unknown matrix"),
        ({"gap_open": "11"}, "whole numbers"),
        ({"gap_extend": True}, "whole numbers"),
        ({"gap_open": None}, "whole numbers"),
        ({"letters": "ACDEF"}, "letters are ARND"),
        ({"sequence": "MK"}, "2 letters for 11 positions"),
        ({"sequence": "MKWVTFISLL-"}, "A-Z and \\* alone"),
        ({"scores": [[1, 2]]}, "24 whole numbers"),
        ({"scores": [[1.5] * 24] * 11}, "24 whole numbers"),
        ({"scores": [[101] * 24] * 11}, "further from 0 than 100"),
        ({"scores": [[-(1 << 32)] * 24] * 11}, "further from 0 than 100"),
        ({"scores": [[1 << 80] * 24] * 11}, "further from 0 than 100"),
        ({"scores": [[True] * 24] * 11}, "24 whole numbers"),
        ({"scores": [[float("nan")] * 24] * 11}, "24 whole numbers"),
        ({"scores": [[float("inf")] * 24] * 11}, "24 whole numbers"),
        ({"scores": {}}, "24 whole numbers"),
        ({"scores": [], "sequence": ""}, "one at least"),
        ({"sequence": "MKWVTFISLL\u00e9"}, "A-Z"),
        ({"title": "a\n>b\nMKV"}, "one line of text"),
        ({"title": "a\0b"}, "one line of text"),
        ({"title": "\u00e9" * 40_000}, "fewer than 65,536 bytes"),
        ({"title": "\ud800"}, "halves of letters"),
    ],
)
def test_json_that_is_no_pssm_says_why(change, message):
    told = json.loads("".join(write_json(saved())))
    with pytest.raises(ScoringError, match=message):
        read_pssm(json.dumps({**told, **change}))


def test_blanks_at_the_end_are_read_once():
    assert len(read_pssm(written_by_psiblast(1) + " " * 1_000_000).query.pssm) == 1


MANY = 4_000_000


@pytest.mark.parametrize(
    "text",
    [
        "PssmWithParameters ::= { " + "a," * (MANY // 2),
        "PssmWithParameters ::= { a " + "{}," * (MANY // 3),
        "PssmWithParameters ::= { a " + "{ {1} x " * (MANY // 8),
        "PssmWithParameters ::= { a {" + "1," * (MANY // 2) + "x",
        "PssmWithParameters ::= { " + '"' * MANY,
        "PssmWithParameters ::= { " + " " * MANY + "x",
        '{"a": [' + "[]," * (MANY // 3) + "[]]}",
        '{"a": [' + "1," * (MANY // 2) + "1]}",
        TABLE + "\n" * MANY,
        TABLE + "1 A" + " " * MANY,
        " " * MANY,
    ],
    ids=lambda text: text[:30].strip(),
)
def test_what_is_no_pssm_is_seen_soon(text):
    """Text that a reader without bounds takes a minute and a gigabyte for."""
    with pytest.raises(AlignError):
        read_pssm(text)


@pytest.fixture
def psiblast(tmp_path):
    if shutil.which("psiblast") is None:
        pytest.skip("psiblast is not installed")

    def run(*args):
        done = subprocess.run(["psiblast", *args], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    query = ">s1\nMKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVK\n"
    (tmp_path / "q.fasta").write_text(query)
    (tmp_path / "db.fasta").write_text(query + query.replace("s1", "s2").replace("L", "I"))
    make = ["makeblastdb", "-in", "db.fasta", "-dbtype", "prot"]
    subprocess.run(make, cwd=tmp_path, capture_output=True, check=True)
    run(
        *("-query", "q.fasta", "-db", "db.fasta", "-num_iterations", "2", "-out_pssm", "theirs.asn"),
        *("-out_ascii_pssm", "theirs.txt", "-save_pssm_after_last_round", "-out", "log"),
    )
    return run, tmp_path


def test_psiblast_finds_the_same_with_the_scores_that_we_have_written_anew(psiblast):
    run, folder = psiblast
    (folder / "ours.asn").write_text("".join(write_asn1(read_pssm((folder / "theirs.asn").read_text()))))
    columns = ("-db", "db.fasta", "-outfmt", "6 saccver score qstart qend sstart send", "-comp_based_stats", "0")
    found = [run("-in_pssm", name, *columns) for name in ("theirs.asn", "ours.asn")]
    assert found[0] == found[1] != ""


def test_both_texts_of_psiblast_have_the_same_scores(psiblast):
    _, folder = psiblast
    texts = [(folder / name).read_text() for name in ("theirs.asn", "theirs.txt")]
    binary, table = [read_pssm(text).query.pssm.scores[:, :20] for text in texts]
    assert (binary == table).all()
