"""`shardwater search -scores`: the score of every subject in a file, the same here and through a server."""

from pathlib import Path

import pytest
from pyarrow import parquet

from tests.support.command_line import here
from tests.support.demo import DEMO
from tests.support.server import Server


def searched(out: Path, *place: object) -> None:
    flags = ["-query", DEMO / "queries.fasta", "-db", "demo", "-outfmt", "json", "-out", out.with_suffix(".json")]
    done = here("search", *flags, *place, "-scores", out)
    assert (done.returncode, done.stdout) == (0, ""), done


@pytest.mark.parametrize("ending", ["tsv", "parquet", "int32"])
def test_file_is_the_same_here_and_through_a_server(server: Server, tmp_path: Path, ending: str) -> None:
    ours, theirs = tmp_path / f"ours.{ending}", tmp_path / f"theirs.{ending}"
    searched(ours, "--data", server.data)
    searched(theirs, "--server", server.url)
    if ending == "parquet":
        assert parquet.read_table(ours).equals(parquet.read_table(theirs))
        assert parquet.read_table(ours).num_rows == 4 * 3183
    else:
        assert ours.read_bytes() == theirs.read_bytes()
    assert sorted(tmp_path.iterdir()) == sorted([ours, theirs, tmp_path / "ours.json", tmp_path / "theirs.json"])


@pytest.mark.parametrize(("place", "message"), [("all.csv", ".tsv, .parquet, .int32"), ("none/all.tsv", "folder")])
def test_file_that_cannot_be_written_is_told_before_the_search(
    small: Path, query: Path, tmp_path: Path, place: str, message: str
) -> None:
    done = here("search", "-query", query, "-db", "small", "--data", small, "-scores", tmp_path / place)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr.replace("\n", " ")


def test_subjects_of_a_file_have_scores_too(query: Path, tmp_path: Path) -> None:
    subject, out = tmp_path / "subject.fasta", tmp_path / "scores.tsv"
    subject.write_text(">b\nWWWW\n>a\nMKVLAAGW\n")
    done = here("search", "-query", query, "-subject", subject, "-scores", out, "-outfmt", "6")
    assert done.returncode == 0
    assert [line.split("\t")[:4] for line in out.read_text().splitlines()[1:]] == [
        ["q", "b", "4", "11"], ["q", "a", "8", "43"],
    ]  # fmt: skip
