"""Two lists and their pairs: numbered, bounded, and cut into parts that together are all of them."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.errors import LimitExceeded
from shardwater.pairs import lists
from shardwater.pairs.lists import PairBounds, Pairing, PairLists, UnequalLists, read_parts, write_starts
from shardwater.sequences.named import Letters
from shardwater.sequences.stored import StoredSequences

sizes = st.lists(st.integers(0, 30), min_size=1, max_size=40)


def made(folder: Path, queries: list[int], subjects: list[int], pairing: Pairing) -> PairLists:
    """Lists of sequences with so many letters."""
    for name, lengths in (("queries", queries), ("subjects", subjects)):
        StoredSequences.write(folder / name, [Letters(f"{name}{n}", b"A" * size) for n, size in enumerate(lengths)])
    return PairLists.open(folder, pairing)


def expected(queries: list[int], subjects: list[int], pairing: Pairing) -> list[tuple[int, int]]:
    if pairing == "zip":
        return [(number, number) for number in range(len(queries))]
    return [(query, subject) for query in range(len(queries)) for subject in range(len(subjects))]


@settings(max_examples=60)
@given(sizes, sizes, st.sampled_from(["zip", "all"]), st.integers(1, 9), st.integers(1, 400))
def test_parts_are_all_pairs_once_and_in_order(
    queries: list[int], subjects: list[int], pairing: Pairing, pairs: int, cells: int
) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        for constant, value in (("PART_PAIRS", pairs), ("PART_CELLS", cells), ("MOST_PARTS", 10**9), ("_AT_ONCE", 7)):
            patch.setattr(lists, constant, value)
        folder = Path(name)
        found = made(folder, queries, queries if pairing == "zip" else subjects, pairing)
        numbers = expected(queries, subjects, pairing)
        write_starts(folder, found.starts(), len(found))
        parts = read_parts(folder)
        assert [number for part in parts for number in part] == list(range(len(numbers))) == list(range(len(found)))
        told = [(query.name, subject.name) for part in parts for query, subject in found.pairs(part)]
        assert told == [(f"queries{query}", f"subjects{subject}") for query, subject in numbers]
        assert all(1 <= len(part) <= pairs for part in parts)
        seconds = queries if pairing == "zip" else subjects
        for part in parts:
            # One pair may be more than a part should be; then the others of its part are not.
            weights = [queries[q] * seconds[s] for q, s in (numbers[each] for each in part)]
            assert sum(weights) <= cells + max(weights)
        assert found.cells == sum(queries[query] * seconds[subject] for query, subject in numbers)


def test_equal_lists_are_needed_to_pair_them_up(tmp_path: Path) -> None:
    with pytest.raises(UnequalLists, match="2 queries and 1 subject"):
        made(tmp_path, [1, 1], [1], "zip").check(PairBounds())


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


def test_many_cells_make_larger_parts_not_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "PART_CELLS", 1)
    monkeypatch.setattr(lists, "MOST_PARTS", 4)
    assert len(made(tmp_path, [10] * 50, [10] * 50, "zip").starts()) in (4, 5)
