"""The parts of a job of pairs: together they are all pairs once, and all pieces of those that are cut."""

import math
import os
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs import parts
from shardwater.pairs.lists import Pairing
from shardwater.pairs.parts import Part, Parts, starts_of, write_starts
from shardwater.pairs.pieces import span
from shardwater.scoring.table import match_table
from tests.support.pair_jobs import lists_of_sizes

LOCAL = Scheme(match_table(2, -1), 1, 1)
GLOBAL = Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL)
sizes = st.lists(st.integers(0, 30), min_size=1, max_size=40)


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
            patch.setattr(parts, constant, value)
        folder = Path(name)
        found = lists_of_sizes(folder, queries, queries if pairing == "zip" else subjects, pairing)
        numbers = expected(queries, subjects, pairing)
        write_starts(folder, starts_of(found, GLOBAL), len(found))
        every = [part.numbers for part in Parts.read(folder)]
        assert [number for part in every for number in part] == list(range(len(numbers))) == list(range(len(found)))
        told = [(query.name, subject.name) for part in every for query, subject in found.pairs(part)]
        assert told == [(f"queries{query}", f"subjects{subject}") for query, subject in numbers]
        assert all(1 <= len(part) <= pairs for part in every)
        seconds = queries if pairing == "zip" else subjects
        for part in every:
            # One pair may be more than a part should be; then the others of its part are not.
            weights = [queries[q] * seconds[s] for q, s in (numbers[each] for each in part)]
            assert sum(weights) <= cells + max(weights)
        assert found.cells == sum(queries[query] * seconds[subject] for query, subject in numbers)


def walked(queries: list[int], subjects: list[int], pairing: Pairing, best: int) -> list[int]:
    """What starts_of finds, by a walk over all pairs with numbers that are exact."""
    pairs = expected(queries, subjects, pairing)
    cells = [queries[query] * subjects[subject] for query, subject in pairs]
    part_cells = max(Fraction(parts.PART_CELLS), Fraction(sum(cells), parts.MOST_PARTS))
    piece_cells = max(Fraction(parts.PIECE_CELLS), Fraction(sum(cells), parts.MOST_PARTS))
    starts, filled, apart = list[int](), Fraction(0), True
    for number, (query, subject) in enumerate(pairs):
        letters = queries[query] + subjects[subject]
        weight = Fraction(best, parts.PART_PAIRS) + cells[number] / part_cells + Fraction(letters, parts.PART_LETTERS)
        shorter, longer = sorted((queries[query], subjects[subject]))
        overlap = span(shorter, LOCAL)
        assert overlap is not None
        pieces = min(int(cells[number] / piece_cells), longer // (parts.SPANS * max(1, overlap))) if best == 1 else 1
        if apart or pieces > 1 or math.floor(filled + weight) > math.floor(filled):
            starts += [number] * max(1, pieces)
        filled, apart = filled + weight, pieces > 1
    return starts


lengths = st.lists(st.sampled_from([0, 1, 2, 7, 16, 100, 512]), min_size=1, max_size=12)


@settings(max_examples=100)
@given(lengths, lengths, st.sampled_from(["zip", "all"]), st.sampled_from([1, 4]), st.sampled_from([16, 1024, 1 << 20]))
def test_parts_by_arithmetic_are_those_of_a_walk(
    queries: list[int], subjects: list[int], pairing: Pairing, best: int, cells: int
) -> None:
    subjects = (subjects * len(queries))[: len(queries)] if pairing == "zip" else subjects
    # Powers of two, with which the arithmetic is exact.
    values = {"PART_PAIRS": 8, "PART_CELLS": cells, "PART_LETTERS": 64, "PIECE_CELLS": 4 * cells, "MOST_PARTS": 1 << 20}
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        for constant, value in values.items():
            patch.setattr(parts, constant, value)
        found = lists_of_sizes(Path(name), queries, subjects, pairing)
        assert starts_of(found, LOCAL, best) == walked(queries, subjects, pairing, best)


def test_many_cells_make_larger_parts_not_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART_CELLS", 1)
    monkeypatch.setattr(parts, "MOST_PARTS", 4)
    assert len(starts_of(lists_of_sizes(tmp_path, [10] * 50, [10] * 50, "zip"), GLOBAL)) in (4, 5)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of 1,000 cells, and lengths that are read by threes."""
    monkeypatch.setattr(parts, "PIECE_CELLS", 1_000)
    monkeypatch.setattr(parts, "_AT_ONCE", 3)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("place", range(5))
def test_a_pair_in_pieces_shares_no_part(tmp_path: Path, place: int) -> None:
    queries, subjects = [4] * 5, [9] * 5
    # 10 letters span 29 at most: of 1,000 these are an eighth 4 times; 10,000 cells would be 10 pieces.
    queries[place], subjects[place] = (10, 1_000) if place % 2 else (1_000, 10)
    found = lists_of_sizes(tmp_path, queries, subjects, "zip")
    write_starts(tmp_path, starts_of(found, LOCAL), 5)
    pieces = [Part(range(place, place + 1), piece, 4) for piece in range(4)]
    before, after = [Part(range(place))] if place else [], [Part(range(place + 1, 5))] if place < 4 else []
    read = Parts.read(tmp_path)
    assert list(read) == [*before, *pieces, *after]
    assert [number for part in read for number in part.answered] == list(range(5))
    cut = pieces[0].cut(found, LOCAL)
    assert cut is not None and cut.side == place % 2 and (cut.letters, len(cut.ranges)) == (1_000, 4)
    assert [len(each) for each in cut.ranges] == [250, 279, 279, 279]
    assert all(part.cut(found, LOCAL) is None for part in (*before, *after))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "scheme",
    [GLOBAL, Scheme(match_table(2, -1), 1, 0), Scheme(match_table(20, -1), 0, 1)],
    ids=["global", "gaps of any length", "long gaps"],
)
def test_other_schemes_are_for_whole_pairs(tmp_path: Path, scheme: Scheme) -> None:
    assert starts_of(lists_of_sizes(tmp_path, [10], [1_000], "zip"), scheme) == [0]


@pytest.mark.usefixtures("small")
def test_pairs_of_like_lengths_are_whole(tmp_path: Path) -> None:
    assert starts_of(lists_of_sizes(tmp_path, [300], [400], "zip"), LOCAL) == [0]


def test_parts_of_earlier_versions_are_read(tmp_path: Path) -> None:
    (tmp_path / "parts.json").write_text("[0, 2, 2, 2, 3, 7]")
    read = Parts.read(tmp_path)
    pieces = [Part(range(2, 3), piece, 3) for piece in range(3)]
    assert list(read) == [Part(range(2)), *pieces, Part(range(3, 7))]
    assert read[1:3] == pieces[:2] and read[-1] == Part(range(3, 7))
    with pytest.raises(IndexError):
        read[5]


def test_parts_that_answer_pairs_are_found_without_a_walk() -> None:
    read = Parts([0, 2, 2, 2, 3], 7)
    assert read.answering(range(2)) == range(0, 1)
    assert read.answering(range(2, 3)) == range(3, 4)
    assert read.answering(range(1, 100)) == range(0, 5)
    assert read.answering(range(6, 7)) == range(4, 5)
    assert not read.answering(range(7, 9)) and not read.answering(range(100, 101))
