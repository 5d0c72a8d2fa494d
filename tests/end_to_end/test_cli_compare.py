"""`shardwater compare` as people run it: the list, what is beside it, odd input, and what is left of a fault."""

import gzip
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from shardwater.genomes.synteny import SyntenyBlock
from tests.support.command_line import Done, here, refused, shardwater
from tests.support.genomes import fasta, generated, reverse_complement
from tests.support.rearranged import rearranged, stands
from tests.support.server import COMMAND, until

ENDS = 130
"""A piece of 100 letters and more has an HSP: what is shorter, beside a gap of 8, may be lost at a block's end."""
FIRST, AROUND = generated(1, 400), (generated(2, 100), generated(3, 100))
TURNED = reverse_complement(FIRST)
HEADER = (
    "#query\tsubject\tquery_from\tquery_to\tsubject_from\tsubject_to\tstrand\tscore\tlength\tmatches\tidentity\tcigar\n"
)
FORWARD = "a\ts1\t1\t400\t101\t500\t+\t1600\t400\t400\t100.00\tN/A\n"
REVERSE = "a\ts2\t1\t400\t101\t500\t-\t1600\t400\t400\t100.00\tN/A\n"


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    """400 letters, and two records of 600 that have them, the second one turned round."""
    (tmp_path / "x.fa").write_text(fasta({"a of x": FIRST}))
    around = {name: AROUND[0] + middle + AROUND[1] for name, middle in (("s1", FIRST), ("s2", TURNED))}
    (tmp_path / "y.fa").write_text(fasta(around))
    return [tmp_path / "x.fa", tmp_path / "y.fa"]


def usage(done: Done) -> str:
    """What is said of wrong usage, in one line."""
    assert (done.returncode, done.stdout) == (2, ""), done
    frame, *lines = done.stderr.split("╭")[1].splitlines()
    assert "Error" in frame
    return " ".join(line.strip("│ ") for line in lines[:-1])


def test_both_strands_of_two_files(files: list[object]) -> None:
    done = shardwater("compare", *files)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", HEADER + FORWARD + REVERSE)
    assert here("compare", *files, "--strands", "forward").stdout == HEADER + FORWARD
    assert here("compare", *files, "--min-length", 401).stdout == HEADER


def test_folder_has_the_list_the_summary_and_the_dot_plot(files: list[object], tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    done = here("compare", *files, "--out", out, "--dotplot", out / "plot.svg", "--title", "x & y")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sorted(path.name for path in out.iterdir()) == ["hsps.tab", "plot.svg", "summary.json"]
    assert (out / "hsps.tab").read_text() == HEADER + FORWARD + REVERSE
    assert "x &amp; y" in (out / "plot.svg").read_text()
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["query"], summary["subject"]) == ({"records": 1, "letters": 400}, {"records": 2, "letters": 1200})
    # A run of 400 letters has 369 words of 32.
    found = [(strand["strand"], strand["hsps"], strand["counts"]["seeds"]) for strand in summary["strands"]]
    assert found == [("+", 1, 369), ("-", 1, 369)]
    assert (summary["matches"], summary["coverage"]["query"]["percent"], summary["gapped"]) == (800, 100.0, None)
    assert summary["policy"]["all_seeds"]
    drawn = here("compare", *files, "--dotplot", tmp_path / "plot.PNG")
    assert drawn.stdout == HEADER + FORWARD + REVERSE
    assert (tmp_path / "plot.PNG").read_bytes().startswith(b"\x89PNG")


def test_gaps_are_aligned_where_they_are_asked_for(tmp_path: Path) -> None:
    for name, text in (("x", FIRST[:180]), ("y", FIRST[:90] + "ACGTA" + FIRST[90:180])):
        (tmp_path / name).write_text(fasta({name: text}))
    flags: list[object] = ["--gapped", "exact", "--columns", "query_from,query_to,subject_from,subject_to,score,cigar"]
    flags += ["--min-length", 60, "-gapopen", 3]
    done = here("compare", tmp_path / "x", tmp_path / "y", *flags, "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    # Both HSPs have the same alignment: 180 pairs of equal letters, and a gap of five.
    [_, row] = (tmp_path / "out" / "hsps.tab").read_text().splitlines()
    *places, score, cigar = row.split("\t")
    assert (places, score) == (["1", "180", "1", "185"], str(2 * 180 - 3 - 5 * 2))
    assert cigar.count("D") == 1
    assert "5D" in cigar
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["gapped"] == {"aligned": 2, "ungapped": 0, "alignments": 1}


@pytest.mark.parametrize("gapped", ["none", "exact"])
def test_what_was_planted_is_found_at_its_place(tmp_path: Path, gapped: str) -> None:
    """Of 120 kb with an error in 25 letters: blocks that are turned round, moved, or there twice."""
    query, subject, _, planted = rearranged(1)
    for genome in (query, subject):
        (tmp_path / genome.names[0]).write_text(fasta({genome.names[0]: genome.letters.tobytes().decode()}))
    flags = ["--gapped", gapped, "--out", tmp_path / "out"]
    assert here("compare", tmp_path / "a", tmp_path / "b", *flags).returncode == 0
    synteny = json.loads((tmp_path / "out" / "summary.json").read_text())["synteny"]
    blocks = [SyntenyBlock(**block) for block in synteny["blocks"]]
    for each in planted:
        if each.kind in ("inversion", "translocation"):
            assert [block.kind for block in blocks if stands(block, each, ENDS)] == [each.kind]
        elif each.kind == "duplication":
            # Either copy may be the one in its place.
            copies = [other for other in planted if other.query == each.query]
            kinds = [block.kind for block in blocks for copy in copies if stands(block, copy, ENDS)]
            assert kinds == ["duplication"]
    counts = synteny["counts"]
    assert (counts["inversion"], counts["translocation"], counts["duplication"]) == (4, 4, 2)


FORMS = {
    "json": '"query": "a", "subject": "s1"',
    "ndjson": '"query": "a", "subject": "s1"',
    "csv": "Frag,0,100,399,499,f,0,400,1600,400,100.00,1.00,0,0",
    "paf": "a\t400\t0\t400\t+\ts1\t600\t100\t500\t400\t400\t255\tNM:i:0\tAS:i:1600\tcg:Z:400=",
    "maf": "s s1 100 400 + 600 GGCTTTGTAGC",
    "psl": "400\t0\t0\t0\t0\t0\t0\t0\t+\ta\t400\t0\t400\ts1\t600\t100\t500\t1\t400,\t0,\t100,",
    "chain": "chain 1600 s1 600 + 100 500 a 400 + 0 400 1",
    "bed": "s1\t100\t500\ta:1-400\t1000\t+",
    "tab": FORWARD.strip(),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_format(files: list[object], tmp_path: Path, form: str) -> None:
    assert here("compare", *files, "-outfmt", form, "--out", tmp_path / "out").returncode == 0
    text = (tmp_path / "out" / f"hsps.{form}").read_text()
    assert FORMS[form] in text
    assert here("compare", *files, "-outfmt", form).stdout == text


def test_files_of_every_kind(files: list[object], tmp_path: Path) -> None:
    x, y = (Path(str(path)) for path in files)
    assert shardwater("compare", "-", y, input=x.read_text()).stdout == HEADER + FORWARD + REVERSE
    kinds = {
        "lines.fa": x.read_bytes().replace(b"\n", b"\r\n"),
        "packed.fa.gz": gzip.compress(x.read_bytes()),
        "reads.fq": f"@a\n{FIRST}\n+\n{'I' * 400}\n".encode(),
        "rna.fa": f">a\n{FIRST.lower().replace('t', 'u')}\n\n\n".encode(),
    }
    for name, content in kinds.items():
        (tmp_path / name).write_bytes(content)
        assert here("compare", tmp_path / name, y).stdout == HEADER + FORWARD + REVERSE, name
    (tmp_path / "unnamed.fa").write_text(f">\n{FIRST}\n>\n>\n")
    assert here("compare", tmp_path / "unnamed.fa", y).stdout == (HEADER + FORWARD + REVERSE).replace(
        "a\t", "query_1\t"
    )
    (tmp_path / "records.fa").write_text(">x\n>y\n\n>z\nACGT\n")
    done = here("compare", tmp_path / "records.fa", y, "-outfmt", "paf", "--dotplot", tmp_path / "p.svg")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_parts_of_genomes(files: list[object]) -> None:
    columns = ["--columns", "query_from,query_to,subject,subject_from,subject_to"]
    # Of the first part letters 101 to 140 have a partner: too few for an HSP.
    parts = ["--query-region", "a:1-140", "--query-region", "a:201-400", "--subject-region", "s1:201-600"]
    assert here("compare", *files, *columns, *parts).stdout.splitlines()[1:] == ["201\t400\ts1\t301\t500"]
    [line] = here("compare", *files, "--subject-region", "s3:1-9").stderr.splitlines()
    assert line == f"shardwater: {files[1]}: no record is called s3; by their numbers they are #1 to #2"
    line = refused(here("compare", *files, "--query-region", "a:1-401"))
    assert line == f"{files[0]}: a has letters 1 to 400; a region has some of them"


def test_a_genome_and_itself_say_so(files: list[object]) -> None:
    done = here("compare", files[1], files[1], "--columns", "query,subject,strand")
    assert done.stderr == (
        "shardwater: warning: both genomes are the same: each letter beside itself, the main diagonal, is left out\n"
    )
    # What is around the middle twice on the forward strand, the middle on the reverse one.
    one, other = "s1\ts2\t", "s2\ts1\t"
    assert sorted(done.stdout.splitlines()[1:]) == [
        one + "+",
        one + "+",
        one + "-",
        other + "+",
        other + "+",
        other + "-",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (">p\nMKVLAAG\n", "record 1, line 2, column 4: 'L' is no letter of DNA: this looks like a protein"),
        (">x\nACGT\n>y\nACGT\nAC!T\n", "record 2, line 5, column 3: '!' is no letter of DNA"),
        ("ACGT\n", "line 1, column 1: text before the first header: "),
        ("", "no sequence found"),
        ("\n\n", "no sequence found"),
        (b"\x1f\x8b\x08\x00garbage", "truncated gzip file"),
    ],
)
def test_what_is_no_genome(files: list[object], tmp_path: Path, content: str | bytes, message: str) -> None:
    odd = tmp_path / "odd.fa"
    odd.write_bytes(content if isinstance(content, bytes) else content.encode())
    for pair in ((odd, files[1]), (files[0], odd)):
        assert refused(here("compare", *pair, "--out", tmp_path / "out")).startswith(f"{odd}: {message}")
    assert not (tmp_path / "out").exists()


def test_files_that_are_not_there(files: list[object], tmp_path: Path) -> None:
    none = tmp_path / "none.fa"
    assert refused(here("compare", none, "-")) == f"{none}: No such file or directory"
    assert refused(here("compare", files[0], tmp_path)) == f"{tmp_path}: Is a directory"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--word 7", "Invalid value for '--word'"),
        ("--word 16 --extension blocks", "Invalid value: blocks of 32 letters go with words of 32"),
        ("--min-identity 101", "Invalid value for '--min-identity'"),
        ("-outfmt xml", "Invalid value for '-outfmt' / '--outfmt'"),
        ("-outfmt paf --columns query", "Invalid value for --columns: format paf has no columns; tab has"),
        ("-outfmt csv --spreadsheet", "Invalid value for --spreadsheet: only tab has cells of text"),
        ("--columns size", "Invalid value for --columns: unknown column 'size'; known are query,"),
        ("--dotplot plot.pdf", "Invalid value for --dotplot: a dot plot is a file that ends in .svg or .png"),
        ("--dotplot no/plot.svg", "Invalid value for --dotplot: there is no folder no"),
        ("--out x.fa", "is no folder"),
        ("--out x.fa/out", "is no folder"),
        ("--query-region a", "Invalid value for --query-region: 'a' is no region as chr1:1-5000"),
        ("--query-region a:9-1", "--query-region: 'a:9-1': a region ends behind its beginning"),
        ("--subject-region s1:0-1", "--subject-region: 's1:0-1': from: 1 or more is needed"),
        ("--subject-region s1:1-999999999", "'s1:1-999999999': to: 536870911 or less is needed"),
        ("--gapped exact -gapopen 1001", "Invalid value: gap_open: 1000 or less is needed"),
        ("--server http://127.0.0.1:1 --devices 0", "--devices is for comparing here, without --server"),
    ],
)
def test_wrong_flags(files: list[object], tmp_path: Path, flags: str, message: str) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    # One line of any width: words that the frame has broken apart are together again.
    said = usage(here("compare", *files, *flags.split(), cwd=tmp_path, environment={"COLUMNS": "300"}))
    assert message in said
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_standard_input_is_one_of_both() -> None:
    assert usage(here("compare", "-", "-")) == "Invalid value for SUBJECT: standard input is one of the two"


@pytest.mark.parametrize(
    ("name", "flags", "said"),
    [
        ("hsps.paf", "--out . -outfmt paf", "Invalid value for --out: hsps.paf is the file of QUERY"),
        ("summary.json", "--out .", "Invalid value for --out: summary.json is the file of QUERY"),
        ("x.svg", "--dotplot x.svg", "Invalid value for --dotplot: x.svg is the file of QUERY"),
    ],
)
def test_no_input_is_replaced(files: list[object], tmp_path: Path, name: str, flags: str, said: str) -> None:
    Path(str(files[0])).rename(tmp_path / name)
    assert usage(here("compare", name, "y.fa", *flags.split(), cwd=tmp_path)) == said
    assert (tmp_path / name).read_text() == fasta({"a of x": FIRST})


def test_ctrl_c_leaves_what_was_there(files: list[object], tmp_path: Path) -> None:
    """While it reads standard input, of which more may come at any time; the other genome is read meanwhile."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "hsps.tab").write_text("before")
    command = [*COMMAND, "compare", str(files[0]), "-", "--out", str(out), "--dotplot", str(out / "plot.svg")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        assert process.stdin is not None
        # More than a pipe holds: once it is written, the command has begun to read.
        os.write(process.stdin.fileno(), b">s\n" + b"ACGTACGT\n" * 20_000)
        # More than once: Python notices none that comes between two of the reads of which one of its own is made.
        until(lambda: process.send_signal(signal.SIGINT) or process.poll() is not None)
        assert process.wait() == 130
        said = (process.stdout and process.stdout.read(), process.stderr and process.stderr.read())
        assert said == (b"", b"shardwater: interrupted; the genomes were not compared\n")
    assert [(path.name, path.read_text()) for path in out.iterdir()] == [("hsps.tab", "before")]


def test_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "x.fa").write_text(fasta({f"{number}": FIRST for number in range(60)}))
    command = [*COMMAND, "compare", "x.fa", "x.fa", "-outfmt", "ndjson"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert "both genomes are the same" in process.stderr.readline()
        assert process.stderr.read() == ""
