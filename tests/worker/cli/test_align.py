"""The flags of `shardwater align`: what they ask for, and which do not go together."""

import json
import os
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from typer.testing import CliRunner, Result

from shardwater.alignment.scheme import MODES
from shardwater.pairs.by_end_points import MOST_BEST
from shardwater.pairs.coded import Report
from shardwater.pairs.strands import Strands
from shardwater.sequences.alphabets import ALPHABETS
from shardwater.sequences.named import Letters
from worker.cli.align import align as command
from worker.cli.main import cli
from worker.cli.run_align import _Bar


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    """-query and -subject of two small files of DNA."""
    (tmp_path / "q.fa").write_text(">a x\nACGTTGCAAC\n>b\nAAACCC\n")
    (tmp_path / "s.fa").write_text(">s1\nTTACGTTCAACT\n>s2\nGGGTTT\n")
    return ["-query", tmp_path / "q.fa", "-subject", tmp_path / "s.fa"]


def align(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "300"}).invoke(cli, ["align", *map(str, arguments)])


def test_scores_gaps_and_free_ends_are_flags(files: list[object], tmp_path: Path) -> None:
    def scores(*flags: object) -> list[float]:
        return [each["score"] for each in json.loads(align(*files, *flags, "-outfmt", "json").stdout)["alignments"]]

    # Nine matches, a gap of one in the subject, ends of 2 and 1 letters of the subject.
    assert scores("--match", 3, "--mismatch", -3, "-gapopen", 0.5, "-gapextend", 0.2)[0] == 26.3
    assert scores("--match", 3, "--mode", "global")[0] == 27 - 2 - 3 - 2
    assert scores("--match", 3, "--free-ends", "subject_begin,subject_end")[0] == 25
    (tmp_path / "table.txt").write_text("  A C G T\nA 5 -4 -4 -4\nC -4 5 -4 -4\nG -4 -4 5 -4\nT -4 -4 -4 5\n")
    assert scores("--table", tmp_path / "table.txt") == [43, 0]
    # What a gap costs by PAM30 where nothing is said.
    assert scores("--alphabet", "protein", "-matrix", "PAM30", "--mode", "global") == scores(
        *("-matrix", "pam30", "-gapopen", 9, "-gapextend", 1, "--mode", "global")
    )


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["-outfmt", "paf", "--report", "ends"], "format paf shows alignments, and report is ends"),
        (["--columns", "cigar", "--report", "score"], "column cigar needs --report alignment"),
        (["--mode", "local", "--free-ends", "query_begin"], "free ends are given in place of a mode"),
        (["--free-ends", "left", "--alphabet", "dna"], "'left' is no end"),
        (["-matrix", "BLOSUM62", "--match", "3"], "match is for DNA, not for proteins"),
        (["--strand", "both", "--alphabet", "protein"], "strand both is for DNA, not for proteins"),
        (["--alphabet", "dna", "-matrix", "BLOSUM62"], "matrix is for proteins"),
        (["--alphabet", "dna", "-gapopen", "0.55"], "gap_open is 0.55; a cost has at most one digit after the point"),
        (["-matrix", "BLOSUM61"], "unknown matrix 'BLOSUM61'"),
        (["-outfmt", "maf"], "'maf' is not one of"),
        (["--devices", "0,0"], "a device comes twice in '0,0'"),
        (["--devices", "0,-1"], "numbers from 0 on, by comma, not '0,-1'"),
        (["--devices", "0", "--server", "http://localhost"], "--devices and --method are for aligning here"),
        (["--method", "row-scan", "--mode", "global"], "row-scan is for local pairs"),
        (["--best", str(MOST_BEST + 1)], f"{MOST_BEST} or less is needed"),
        (["--best", "2", "--mode", "global", "--alphabet", "dna"], "(best) need local mode"),
    ],
)
def test_flags_that_do_not_fit_are_wrong_usage(files: list[object], flags: list[str], message: str) -> None:
    done = align(*files, *flags)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.parametrize(
    ("number", "message"), [(1, "no device 1: CUDA_VISIBLE_DEVICES is 'GPU-none'"), (0, "CUDA shows no device 0")]
)
def test_devices_must_be_there(files: list[object], monkeypatch: pytest.MonkeyPatch, number: int, message: str) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-none")
    done = align(*files, "--alphabet", "dna", "--devices", number)
    assert (done.exit_code, done.stdout, message in done.stderr) == (1, "", True)


def test_choices_of_flags_are_those_of_the_engine() -> None:
    """The command names them itself: it is described without loading the engine."""
    hints = get_type_hints(command)

    def choices(flag: str) -> set[str]:
        return {word for each in get_args(hints[flag]) for word in get_args(each) or [each] if word is not type(None)}

    assert choices("mode") == set(MODES)
    assert choices("report") == set(get_args(Report))
    assert choices("strand") == set(get_args(Strands))
    assert choices("alphabet") == set(ALPHABETS)


@pytest.mark.parametrize("flags", [[], ["--strand", "both"], ["--report", "ends"], ["--report", "score"]])
def test_methods_give_the_same(files: list[object], flags: list[str]) -> None:
    scored = [*files, "--pairing", "all", "--alphabet", "dna", "-outfmt", "ndjson", *flags]
    done, reference = align(*scored), align(*scored, "--method", "row-scan")
    assert (done.exit_code, reference.exit_code) == (0, 0)
    assert done.stdout == reference.stdout != ""


def test_query_with_each_subject_is_one_read(files: list[object]) -> None:
    done = align(*files, "--pairing", "all", "-outfmt", "sam", "--alphabet", "dna")
    lines = [line.split("\t") for line in done.stdout.splitlines() if line[0] != "@"]
    assert [(line[0], line[1]) for line in lines] == [("a", "0"), ("a", "256"), ("b", "0")]


def test_costs_are_checked_before_all_subjects_are_read(files: list[object], tmp_path: Path) -> None:
    (tmp_path / "s.fa").write_text(">s1\nTTAC\n>s2\nnot DNA\n")
    done = align(*files, "--pairing", "all", "--alphabet", "dna", "-gapopen", 0.55)
    assert (done.exit_code, "gap_open is 0.55" in done.stderr) == (2, True)


@pytest.mark.parametrize("name", ["q.fa", "s.fa"])
def test_output_is_none_of_the_inputs(files: list[object], tmp_path: Path, name: str) -> None:
    before = (tmp_path / name).read_text()
    (tmp_path / "same").symlink_to(tmp_path / name)
    done = align(*files, "--alphabet", "dna", "-out", tmp_path / "same")
    assert (done.exit_code, f"is the file of -{'query' if name == 'q.fa' else 'subject'}" in done.stderr) == (2, True)
    assert (tmp_path / name).read_text() == before


def test_standard_input_is_one_of_the_two() -> None:
    done = align("-query", "-", "-subject", "-")
    assert (done.exit_code, "standard input is either the queries or the subjects" in done.stderr) == (2, True)


@pytest.mark.parametrize("passes", [1, 3])
def test_a_bar_moves_while_a_long_pair_is_computed(tmp_path: Path, passes: int) -> None:
    path = tmp_path / "long.fasta"
    path.write_bytes(b">long\n" + 994 * b"A")
    pair, shown = (Letters("q", b"A" * 40), Letters("s", b"C" * 50)), list[tuple[int, int]]()
    with path.open("rb") as file:
        file.read()
        bar = _Bar(file, lambda done, total: shown.append((int(done), int(total))), passes)
        assert list(bar.counted(iter([pair]))) == [pair]
        for _ in range(4):
            bar.move(passes * 500)
    assert shown == [(250, 1_000), (500, 1_000), (750, 1_000), (1_000, 1_000)]


def test_a_bar_does_not_move_over_a_pipe() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as file, os.fdopen(writing, "wb"):
        bar = _Bar(file, lambda *_: pytest.fail("a pipe has no size"), 1)
        bar.move(10)
