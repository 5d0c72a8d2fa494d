"""The command line's own search: what its bar shows of time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
import typer

from shardwater.database.database import Database
from shardwater.scoring.scoring import FOLDER
from worker.cli import run_search
from worker.cli.output_format import OutputFormat
from worker.cli.run_search import Asked, Destination, Outputs
from worker.cli.subjects import Subjects, open_subjects
from worker.jobs.requests import SearchRequest


def test_the_bar_of_a_local_search_starts_with_a_time_that_can_be(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[float, str, float | None]] = []

    @contextmanager
    def bar() -> Iterator[Callable[[float, str, float | None], None]]:
        yield lambda share, phase, left_s: told.append((share, phase, left_s))

    monkeypatch.setattr(run_search, "search_bar", bar)
    request = SearchRequest(sequence=">a\nMKVLAAGW\n>b\nWWWWCCCC", database="small")
    subjects = Subjects(database.path.parents[1], ("small",))
    with open_subjects(subjects) as opened:
        place = Destination(None, 60, subjects, threads=1)
        result = run_search._compute(request.records(), request.parameters, opened, place).result
    assert [one.query.id for one in result.results] == ["a", "b"]
    shares, phases, left = zip(*told, strict=True)
    assert all(before <= after for before, after in pairwise(shares))
    assert (phases[0], phases[-1]) == ("scoring", "aligning")
    assert all(seconds is not None and 0 <= seconds < 5 for seconds in left)


def searched(folder: Path, database: Database, **fields: object) -> str:
    """What the command writes of a search here."""
    query, out = folder / "q.fasta", folder / "out"
    query.write_text(">a\nMKVLAAGWMKVLAAGW\n")
    subjects = Subjects(database.path.parents[1], ("small",))
    asked = {"database": "small", **fields}
    place = Destination(None, 60, subjects, threads=1)
    run_search.run_search(Asked(query, None, asked), place, Outputs(OutputFormat.parse("6", None), out))
    return out.read_text()


def test_a_file_of_published_scores_finds_what_the_name_finds(database: Database, tmp_path: Path) -> None:
    asked = {"gap_open": 9, "gap_extend": 1, "statistics": "none"}
    own = tmp_path / "own.txt"
    own.write_text((FOLDER / "PAM30.txt").read_text().lower())
    named = searched(tmp_path, database, matrix="PAM30", **asked)
    assert searched(tmp_path, database, matrix=str(own), **asked) == named != ""


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"gap_open": 9}, "give gap_open and gap_extend"),
        ({"gap_open": 9, "gap_extend": 1, "statistics": "table"}, "ask for statistics=fitted or statistics=simulated"),
    ],
)
def test_what_an_own_matrix_needs_is_told(
    database: Database, tmp_path: Path, fields: dict[str, object], said: str
) -> None:
    with pytest.raises(typer.BadParameter, match=said):
        searched(tmp_path, database, matrix=str(FOLDER / "PAM30.txt"), **fields)


@pytest.mark.parametrize("name", ["BLOSUM61", "none.txt", f"matrix-{'0' * 32}"])
def test_what_is_neither_a_matrix_nor_a_file_is_told(database: Database, tmp_path: Path, name: str) -> None:
    with pytest.raises(typer.BadParameter, match=rf"{name}: no such matrix, and no such file; there are BLOSUM45, .*"):
        searched(tmp_path, database, matrix=name, gap_open=9, gap_extend=1)


def test_a_file_that_is_no_matrix_is_told_with_its_name(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.txt"
    own.write_text("A R\nA 1 x\nR 0 1\n")
    with pytest.raises(typer.Exit):
        searched(tmp_path, database, matrix=str(own))
    assert f"{own}: line 2, column 5: a score is a whole number" in capsys.readouterr().err
