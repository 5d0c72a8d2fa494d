"""Options of the command line: BLAST+'s words, files of several kinds, and folders that are not there."""

import gzip
import json
import re
from pathlib import Path

import pytest

from shardwater import __version__
from tests.end_to_end.server import Server
from tests.end_to_end.test_cli import refused, search, shardwater


def test_unknown_word_with_one_dash_is_named_with_one_that_is_alike(small: Path, query: Path) -> None:
    for word, advice in (
        ("-evalues", "(did you mean -evalue?)"),
        ("-max_target_seq=3", "(did you mean -max_target_seqs?)"),
    ):
        assert f"No such option: {word.partition('=')[0]} {advice}" in " ".join(
            search(small, query, word).stderr.split()
        )


def test_value_may_begin_with_a_dash_and_follow_an_equals_sign(small: Path, query: Path) -> None:
    done = search(small, query, "-title", "-evalue", "-outfmt=6 qseqid", "-max_target_seqs=1", "-evalue=1000")
    assert (done.returncode, done.stdout) == (0, "q\n")


def test_packed_queries_are_read(small: Path, query: Path, tmp_path: Path) -> None:
    packed = gzip.compress(query.read_bytes())
    (tmp_path / "q.fasta.gz").write_bytes(packed)
    plain = search(small, query, "-outfmt", "6", "-evalue", "1000")
    assert search(small, tmp_path / "q.fasta.gz", "-outfmt", "6", "-evalue", "1000").stdout == plain.stdout != ""
    (tmp_path / "cut.gz").write_bytes(packed[:-9])
    assert "corrupt or truncated gzip file" in refused(search(small, tmp_path / "cut.gz"))


def test_filters_and_numbers_of_alignments_are_flags(small: Path, query: Path) -> None:
    def found(*flags: str) -> list[tuple[str, bool]]:
        [one] = json.loads(search(small, query, "-outfmt", "json", "-evalue", "1000", *flags).stdout)["results"]
        return [(hit["accession"], bool(hit["hsps"])) for hit in one["hits"]]

    assert found() == [("one", True), ("two", True), ("three", True)]
    assert found("-num_alignments", "1") == [("one", True), ("two", False), ("three", False)]
    assert found("-min_identity", "99", "-qcov_hsp_perc", "99") == [("one", True)]
    assert found("-statistics", "table", "-min_bits", "30") == [("one", True)]
    assert found("-num_threads", "1") == found()


def test_data_folder_is_that_of_the_environment_unless_a_server_is_named(
    server: Server, small: Path, query: Path
) -> None:
    environment = {"SHARDWATER_DATA": str(small)}
    flags = ["-query", query, "-outfmt", "6 sseqid", "-evalue", "1000", "-max_target_seqs", "1"]
    here = shardwater("search", "-db", "small", *flags, environment=environment)
    assert (here.returncode, here.stdout) == (0, "one\n")
    there = shardwater("search", "-db", "demo", *flags, "--server", server.url, environment=environment)
    assert (there.returncode, there.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        ["db", "list"],
        ["db", "verify", "small"],
        ["key", "create", "--name", "lab"],
        ["key", "list"],
        ["purge"],
        ["search", "-db", "small", "-query", "-"],
    ],
)
def test_data_folder_that_is_not_there_is_refused_and_not_made(tmp_path: Path, command: list[str]) -> None:
    line = refused(shardwater(*command, "--data", tmp_path / "typo", environment={"SHARDWATER_REDIS_URL": ""}))
    assert line == f"{tmp_path}/typo: no such folder; name the data folder by --data or SHARDWATER_DATA"
    assert list(tmp_path.iterdir()) == []


def test_version_is_shown() -> None:
    done = shardwater("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(rf"shardwater {re.escape(__version__)} \((unknown|[0-9a-f]{{12}})\)\n", done.stdout)
