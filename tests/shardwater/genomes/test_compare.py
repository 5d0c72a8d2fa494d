"""shardwater.compare: two genomes in, all HSPs out, with nothing else needed."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import shardwater
from shardwater.genomes import comparison as bounds
from shardwater.genomes.cpu import CpuGenomes
from shardwater.genomes.genome import Genome
from shardwater.sequences.named import Letters, reverse_complement
from tests.support.documented import examples
from tests.support.genomes import generated
from worker.cli.main import cli

FIRST, SECOND = generated(1, 400).encode(), generated(2, 300).encode()
QUERY = shardwater.Genome.of([Letters("one", FIRST), Letters("two", SECOND)])
SUBJECT = Genome.of([Letters("other", reverse_complement(SECOND) + FIRST)])


def test_two_genomes_are_compared_with_defaults() -> None:
    compared = shardwater.compare(QUERY, SUBJECT)
    assert compared.hsps.rows.tolist() == [(0, 300, 400, 400, False), (400, 0, 300, 300, True)]
    assert compared.comparison == shardwater.Comparison()
    assert [each.runs for each in compared.counts] == [1, 1]
    assert (compared.query, compared.subject) == (QUERY, SUBJECT)


def test_the_documented_examples_print_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    known = dict[str, object]()
    for example in examples("docs/genomes.md", "python"):
        exec(example, known)
        assert f"# {capsys.readouterr().out.strip()}:" in example


def test_what_was_written_is_read_back_as_documented(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.fa").write_bytes(b">one\n" + FIRST)
    Path("y.fa").write_bytes(b">other\nACGT\n" + FIRST)
    assert CliRunner().invoke(cli, ["compare", "x.fa", "y.fa", "--out", ".", "-outfmt", "csv"]).exit_code == 0
    exec(next(examples("docs/genome-formats.md", "python")), {})
    assert FIRST[:50].decode() in capsys.readouterr().out


def test_of_one_strand_there_is_one_count() -> None:
    compared = shardwater.compare(QUERY, SUBJECT, shardwater.Comparison(strands="forward", min_length=400))
    assert compared.hsps.rows.tolist() == [(0, 300, 400, 400, False)]
    assert len(compared.counts) == 1


def test_several_engines_share_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = shardwater.compare(QUERY, SUBJECT)
    monkeypatch.setattr(bounds, "PART_LETTERS", 100)
    together = shardwater.compare(QUERY, SUBJECT, shardwater.Comparison(), *(CpuGenomes() for _ in range(3)))
    assert together.hsps.pack() == alone.hsps.pack()
    assert together.counts == alone.counts


def test_how_much_is_done_goes_up_over_all_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "PART_LETTERS", 400)
    told = list[float]()
    shardwater.compare(QUERY, SUBJECT, computed=told.append)
    assert told == sorted(told)
    assert 0 < told[0] < 0.1
    assert told[-1] == 1
