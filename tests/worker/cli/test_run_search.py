"""The command line's own search: what its bar shows of time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest

from shardwater.database.database import Database
from worker.cli import run_search
from worker.cli.run_search import Destination
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
    subjects = Subjects(database.path.parents[1], "small")
    with open_subjects(subjects) as opened:
        result = run_search._compute(request, opened, Destination(None, 60, subjects, threads=1))
    assert [one.query.id for one in result.results] == ["a", "b"]
    shares, phases, left = zip(*told, strict=True)
    assert all(before <= after for before, after in pairwise(shares))
    assert (phases[0], phases[-1]) == ("scoring", "aligning")
    assert all(seconds is not None and 0 <= seconds < 5 for seconds in left)
