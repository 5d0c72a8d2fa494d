import json
import shutil
import subprocess

import numpy as np
import pytest

from shardwater.errors import AlignError, ScoringError
from shardwater.formats.pssms.ascii_text import write_ascii
from shardwater.formats.pssms.asn1 import write_asn1
from shardwater.formats.pssms.json_text import write_json
from shardwater.formats.pssms.reading import read_pssm
from shardwater.formats.pssms.saved import SavedPssm
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import LETTERS
from shardwater.sequences.fasta import Record
from shardwater.statistics.background import background

BLOSUM62 = Scoring("BLOSUM62", 11, 1)
QUERY = b"MKWVTFISLLF"


def saved(query=QUERY, scoring=BLOSUM62):
    """A profile with a score of its own at each place."""
    scores = np.arange(20 * len(query), dtype=np.float64).reshape(len(query), 20) % 23 - 11
    expected = background() * np.exp(scores / 9)
    return SavedPssm(
        Record('Q1 a "quoted" title', query, pssm=Pssm.of_residues(scores, -4)),
        scoring,
        expected / expected.sum(axis=1, keepdims=True),
        np.eye(20)[np.arange(len(query))],
        np.linspace(0, 1, len(query)),
    )


@pytest.mark.parametrize("write", [write_asn1, write_json])
def test_what_is_written_is_read(write):
    given = saved(scoring=Scoring("BLOSUM50", 13, 2))
    found = read_pssm("".join(write(given)))
    assert (found.query, found.scoring) == (given.query, given.scoring)


def test_asn1_keeps_what_was_expected_at_each_place():
    given = saved()
    assert read_pssm("".join(write_asn1(given))).expected == pytest.approx(given.expected, rel=1e-14)


def test_ascii_keeps_scores_and_percentages():
    given = saved()
    found = read_pssm("".join(write_ascii(given)))
    assert (found.query.residues, found.query.pssm) == (QUERY, given.query.pssm)
    assert (found.observed == given.observed).all()


def test_ascii_has_a_line_for_each_place():
    lines = "".join(write_ascii(saved())).splitlines()
    assert lines[2].split() == [*LETTERS[:20]] * 2
    first = lines[3].split()
    assert (len(first), first[:5], first[-1]) == (44, ["1", "M", "-11", "-10", "-9"], "0.00")
    assert lines[-1].split() == ["PSI", "Gapped", "0.0410", "0.2670"]


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
        ("Last position-specific scoring matrix computed\n", "no position"),
        ("Last position-specific scoring matrix computed\n 2 M" + " 1" * 20, "line 2: position 1 should stand here"),
        ("Last position-specific scoring matrix computed\n 1 M" + " 1" * 19, "line 2: a position has a letter"),
        ("Last position-specific scoring matrix computed\n 1 M" + " 1" * 19 + " x", "line 2: 'x' is no whole number"),
        ("{", "no JSON"),
        ("[" * 100_000, "a PSSM is ASN.1 text"),
        ('{"a": ' * 100_000, "no JSON"),
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
        ({"gap_open": "11"}, "gap_open is '11'"),
        ({"gap_extend": True}, "gap_extend is True"),
        ({"letters": "ACDEF"}, "letters are ARND"),
        ({"sequence": "MK"}, "2 letters for 11 positions"),
        ({"sequence": "MKWVTFISLL-"}, "others than A-Z"),
        ({"scores": [[1, 2]]}, "24 whole numbers"),
        ({"scores": [[1.5] * 24] * 11}, "24 whole numbers"),
        ({"scores": [[101] * 24] * 11}, "further from 0 than 100"),
    ],
)
def test_json_that_is_no_pssm_says_why(change, message):
    told = json.loads("".join(write_json(saved())))
    with pytest.raises(ScoringError, match=message):
        read_pssm(json.dumps({**told, **change}))


def test_blanks_at_the_end_are_read_once():
    assert len(read_pssm(written_by_psiblast(1) + " " * 1_000_000).query.pssm) == 1


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


def test_psiblast_finds_the_same_with_what_we_have_written_anew(psiblast):
    run, folder = psiblast
    (folder / "ours.asn").write_text("".join(write_asn1(read_pssm((folder / "theirs.asn").read_text()))))
    columns = "6 saccver score evalue qstart qend sstart send"
    found = [run("-in_pssm", name, "-db", "db.fasta", "-outfmt", columns) for name in ("theirs.asn", "ours.asn")]
    assert found[0] == found[1] != ""


def test_both_texts_of_psiblast_have_the_same_scores(psiblast):
    _, folder = psiblast
    texts = [(folder / name).read_text() for name in ("theirs.asn", "theirs.txt")]
    binary, table = [read_pssm(text).query.pssm.scores[:, :20] for text in texts]
    assert (binary == table).all()
