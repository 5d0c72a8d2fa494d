"""Two lists and the bounds of their pairs."""

from itertools import product
from pathlib import Path

import pytest

from shardwater.errors import LimitExceeded
from shardwater.pairs import lists
from shardwater.pairs.lists import PairBounds, Pairing, TooManyLetters, UnequalLists
from tests.support.pair_jobs import lists_of_sizes as made


def test_equal_lists_are_needed_to_pair_them_up(tmp_path: Path) -> None:
    with pytest.raises(UnequalLists, match="2 queries and 1 subject"):
        made(tmp_path, [1, 1], [1], "zip").check(PairBounds())


def test_a_sequence_counts_with_each_of_its_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = made(tmp_path, [10, 20], [1, 2, 3], "all")
    monkeypatch.setattr(lists, "MOST_LETTERS", 30 * 3 + 6 * 2)
    found.check(PairBounds())
    monkeypatch.setattr(lists, "MOST_LETTERS", 101)
    with pytest.raises(TooManyLetters, match="all pairs together have 102 letters"):
        found.check(PairBounds())


@pytest.mark.parametrize(("queries", "subjects"), [([3, 7, 5], [4, 7, 1]), ([9, 1, 9], [9, 9, 2])])
def test_the_shorter_of_each_pair_are_summed(tmp_path: Path, queries: list[int], subjects: list[int]) -> None:
    for pairing in ("all", "zip"):
        (tmp_path / pairing).mkdir()
    every = [min(pair) for pair in product(queries, subjects)]
    assert made(tmp_path / "all", queries, subjects, "all").shorter_letters == sum(every)
    assert made(tmp_path / "zip", queries, subjects, "zip").shorter_letters == sum(map(min, queries, subjects))


@pytest.mark.parametrize(
    ("pairing", "bounds", "name", "record"),
    [
        ("zip", PairBounds(max_pairs=1), "max_pairs", None),
        ("all", PairBounds(max_pairs=3), "max_pairs", None),
        ("zip", PairBounds(max_pair_cells=49), "max_pair_cells", 2),
        ("all", PairBounds(max_pair_cells=9), "max_pair_cells", 1),
        ("zip", PairBounds(max_alignment_cells=51), "max_alignment_cells", None),
    ],
)
def test_bounds_are_kept(tmp_path: Path, pairing: Pairing, bounds: PairBounds, name: str, record: int | None) -> None:
    found = made(tmp_path, [2, 10], [1, 5], pairing)
    found.check(PairBounds())
    with pytest.raises(LimitExceeded) as error:
        found.check(bounds)
    assert (error.value.name, error.value.record) == (name, record)
