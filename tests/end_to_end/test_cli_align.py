"""`shardwater align` as people run it: formats, inputs of several kinds, and what is left of a fault."""

import gzip
import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.command_line import here, refused, shardwater
from tests.support.server import COMMAND, PATIENCE_S, until

QUERIES = ">a x\nACGTTGCAAC\n>b\nAAACCC\n"
SUBJECTS = ">s1\nTTACGTTCAACT\n>s2\nGGGTTT\n"
HEADER = (
    "#query\tsubject\tscore\tquery_from\tquery_to\tsubject_from\tsubject_to\tstrand\tidentity\tgaps\talign_len\tcigar\n"
)
FIRST = "a\ts1\t16\t1\t10\t3\t11\t+\t9\t1\t10\t5=1I4=\n"


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    """-query and -subject of two small files of DNA."""
    (tmp_path / "q.fa").write_text(QUERIES)
    (tmp_path / "s.fa").write_text(SUBJECTS)
    return ["-query", tmp_path / "q.fa", "-subject", tmp_path / "s.fa"]


def test_pairs_of_dna_by_its_usual_scores(files: list[object]) -> None:
    done = shardwater("align", *files, "--strand", "both")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{HEADER}{FIRST}b\ts2\t12\t1\t6\t1\t6\t-\t6\t0\t6\t6=\n"


def test_alphabet_is_guessed_and_said(files: list[object], tmp_path: Path) -> None:
    done = here("align", *files, "--report", "score")
    assert done.stdout == "#query\tsubject\tscore\tstrand\na\ts1\t16\t+\nb\ts2\t0\t+\n"
    assert done.stderr == "shardwater: the letters look like DNA; --alphabet decides\n"
    (tmp_path / "p.fa").write_text(">p\nMKVLAAGWDE\n")
    done = here("align", "-query", tmp_path / "p.fa", "-subject", tmp_path / "p.fa", "--report", "score")
    # 5 + 5 + 4 + 4 + 4 + 4 + 6 + 11 + 6 + 5 by BLOSUM62.
    assert done.stdout == "#query\tsubject\tscore\tstrand\np\tp\t54\t+\n"
    assert done.stderr == "shardwater: the letters look like protein; --alphabet decides\n"


def test_each_with_each_from_a_pipe_and_a_packed_fastq(tmp_path: Path) -> None:
    (tmp_path / "s.fq.gz").write_bytes(gzip.compress(b"@s1\nACGT\n+\nIIII\n@s2\nACGA\n+\nIIII\n"))
    flags = [
        "-subject",
        tmp_path / "s.fq.gz",
        "--pairing",
        "all",
        "--alphabet",
        "dna",
        "--columns",
        "query,subject,score",
    ]
    done = shardwater("align", "-query", "-", *flags, "--mode", "global", input=">a\nACGT\n>b\nACG\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1:] == ["a\ts1\t8", "a\ts2\t5", "b\ts1\t4", "b\ts2\t4"]


def test_more_queries_than_subjects(files: list[object], tmp_path: Path) -> None:
    flags = ["--alphabet", "dna"]
    line = refused(shardwater("align", "-query", "-", *files[2:], *flags, input=QUERIES + QUERIES, environment={}))
    assert line == (
        f"{tmp_path}/s.fa has 2 records, standard input at least 3: --pairing zip needs as many queries as subjects"
    )


def test_what_was_there_stays_where_a_fault_comes_late(files: list[object], tmp_path: Path) -> None:
    """The fault is in a batch after the first ones, of which all is written by then."""
    many = "".join(f">q{number}\nACGT\n" for number in range(20_000))
    (tmp_path / "q.fa").write_text(many + ">bad\nACGE\n")
    (tmp_path / "s.fa").write_text(many + ">s\nACGT\n")
    out = tmp_path / "out.json"
    out.write_text("before")
    flags = ["--alphabet", "dna", "--report", "score", "-outfmt", "json"]
    line = refused(here("align", *files, *flags, "-out", out))
    assert line.startswith(f"{tmp_path}/q.fa: record 20001, line 40002, column 4: 'E' is no letter of DNA")
    assert out.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "q.fa", "s.fa"]
    done = here("align", *files, *flags)
    assert (done.returncode, done.stderr) == (1, f"shardwater: {line}\n")
    with pytest.raises(json.JSONDecodeError):
        json.loads(done.stdout)


def test_output_file_is_whole_and_named_only_at_the_end(files: list[object], tmp_path: Path) -> None:
    out = tmp_path / "out.tsv"
    done = here("align", *files, "--alphabet", "dna", "-out", out)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert out.read_text().startswith(HEADER + FIRST)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.tsv", "q.fa", "s.fa"]
    assert shardwater("align", *files, "--alphabet", "dna", "-out", "/dev/stdout").stdout == out.read_text()


@pytest.mark.parametrize(
    ("query", "out", "message"),
    [
        ("none.fa", "out", "none.fa: No such file or directory"),
        (".", "out", "Is a directory"),
        ("q.fa", "no/out", "No such"),
    ],
)
def test_files_that_are_not_there(files: list[object], tmp_path: Path, query: str, out: str, message: str) -> None:
    flags = ["-query", tmp_path / query, *files[2:], "--alphabet", "dna", "-out", tmp_path / out]
    assert message in refused(here("align", *flags))


def test_ctrl_c_leaves_nothing(files: list[object], tmp_path: Path) -> None:
    command = [*COMMAND, "align", "-query", "-", *map(str, files[2:]), "--alphabet", "dna", "-out", str(tmp_path / "x")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        until(lambda: any(path.name.endswith(".part") for path in tmp_path.iterdir()))
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
        said = process.communicate()
    assert said == (b"", b"shardwater: interrupted; not all pairs were aligned\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["q.fa", "s.fa"]


@pytest.mark.parametrize("form", ["ndjson", "sam"])
def test_reader_that_has_seen_enough_is_no_error(files: list[object], tmp_path: Path, form: str) -> None:
    many = "".join(f">q{number}\nACGTACGTACGT\n" for number in range(2_000))
    (tmp_path / "q.fa").write_text(many)
    (tmp_path / "s.fa").write_text(many)
    command = [*COMMAND, "align", *map(str, files), "--alphabet", "dna", "-outfmt", form]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
