"""The parts of a job of pairs, of about the same work: some pairs, one pair, or a piece of one (pieces.py).

Where each query is paired with each subject, parts are found by arithmetic: the work follows the number of sequences
and of parts, not that of pairs.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, overload

import numpy as np
import numpy.typing as npt

from shardwater.alignment.scheme import Scheme
from shardwater.pairs.lists import PairLists
from shardwater.pairs.pieces import Pieces, span
from shardwater.ranges import ranges_of

PART_PAIRS, PART_CELLS, PART_LETTERS = 1 << 14, 10_000_000_000, 1 << 25
"""A part is full when the shares that it uses of these three add up to 1; it has at least one pair."""
MOST_PARTS = 1000
"""A job whose cells would make more parts has parts of more cells."""
PIECE_CELLS = 50_000_000_000
"""Of a piece of a pair, at least."""
SPANS = 8
"""Letters of a piece, at least, in times of those that it shares with the one before."""
_AT_ONCE = 1 << 14
"""Pairs whose lengths are read together, where the nth query is paired with the nth subject."""
_STARTS = "parts.json"

_Numbers = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive pairs, or of one pair one of so many pieces. Its answer counts with the last piece."""

    numbers: range
    piece: int = 0
    pieces: int = 1

    @property
    def answered(self) -> range:
        """The pairs that are answered once it is."""
        return self.numbers if self.piece == self.pieces - 1 else self.numbers[:0]

    def cut(self, lists: PairLists, scheme: Scheme) -> Pieces | None:
        """The pieces of its pair; None where it is not cut."""
        if self.pieces == 1:
            return None
        queries, subjects = lists.lengths(self.numbers)
        lengths = int(queries[0]), int(subjects[0])
        overlap = span(min(lengths), scheme)
        assert overlap is not None
        return Pieces.of(lengths, self.pieces, overlap)


@dataclass(frozen=True, slots=True)
class _Weights:
    """What a pair, one of its cells and one of its letters use of a part."""

    pair: float
    cell: float
    letter: float

    def of_row(self, query: _Floats, pairs: _Floats, letters: _Floats) -> _Floats:
        """The weight of a query with so many subjects, which have so many letters together."""
        return self.pair * pairs + self.cell * (query * letters) + self.letter * (query * pairs + letters)


def starts_of(lists: PairLists, scheme: Scheme, best: int = 1) -> list[int]:
    """The first pair of each part; that of a pair in pieces as often as it has pieces.

    best: alignments of each pair that are asked for; of several, no pair is in pieces, since their ends lie anywhere.
    At least one part, and always the same for the same input.
    """
    if len(lists) == 0:
        return [0]
    share = lists.cells / MOST_PARTS
    weights = _Weights(best / PART_PAIRS, 1 / max(PART_CELLS, share), 1 / PART_LETTERS)
    full = _full_of_all(lists, weights) if lists.pairing == "all" else _full_of_zip(lists, weights)
    cut, pieces = _cut(lists, scheme, max(PIECE_CELLS, share)) if best == 1 else (full[:0], full[:0])
    # A pair in pieces shares no part: the one after it begins another.
    starts = np.unique(np.concatenate(([0], full, cut, cut[cut < len(lists) - 1] + 1)))
    times = np.ones(len(starts), np.int64)
    times[np.searchsorted(starts, cut)] = pieces
    found: list[int] = np.repeat(starts, times).tolist()
    return found


def _full_of_zip(lists: PairLists, weights: _Weights) -> _Numbers:
    """The pairs with which a part would be more than full, so that they begin the next one."""
    found, filled = [np.zeros(0, np.int64)], 0.0
    for some in ranges_of(len(lists), _AT_ONCE):
        queries, subjects = (each.astype(float) for each in lists.lengths(some))
        sums = filled + np.cumsum(weights.of_row(queries, np.ones(len(some)), subjects))
        found.append(some.start + np.flatnonzero(np.floor(sums) > np.floor(np.concatenate(([filled], sums[:-1])))))
        filled = float(sums[-1] % 1)
    return np.concatenate(found)


def _full_of_all(lists: PairLists, weights: _Weights) -> _Numbers:
    """The same where each query is paired with each subject: the weight of all pairs up to one is a sum of products."""
    queries, columns = lists.queries.lengths.astype(float), len(lists.subjects)
    letters = np.cumsum(lists.subjects.lengths.astype(float))
    rows = np.cumsum(weights.of_row(queries, np.full(len(queries), float(columns)), letters[-1:]))
    wholes = np.arange(1.0, math.floor(rows[-1]) + 1)
    row = np.searchsorted(rows, wholes)
    before = np.concatenate(([0.0], rows))[row]
    # The first subject of the row up to which the weight reaches the whole number, by bisection for all at once.
    low, high = np.zeros(len(wholes), np.int64), np.full(len(wholes), columns - 1)
    while (low < high).any():
        middle = (low + high) // 2
        reached = before + weights.of_row(queries[row], middle + 1.0, letters[middle]) >= wholes
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    return row * columns + low


def _cut(lists: PairLists, scheme: Scheme, cells: float) -> tuple[_Numbers, _Numbers]:
    """The pairs in pieces, and how many pieces each has, of so many cells at least."""
    none = np.zeros(0, np.int64)
    if not scheme.mode.local or scheme.gap_extend == 0:
        return none, none
    numbers = _large_of_all(lists, 2 * cells) if lists.pairing == "all" else _large_of_zip(lists, 2 * cells)
    queries, subjects = (each.astype(float) for each in lists.lengths_of(numbers))
    shorter = np.minimum(queries, subjects)
    gaps = np.maximum(0, scheme.table.best * shorter - scheme.gap_open) / scheme.gap_extend
    of_letters = np.maximum(queries, subjects) / (SPANS * np.maximum(1, shorter + gaps))
    pieces = np.minimum(queries * subjects / cells, of_letters).astype(np.int64)
    return numbers[pieces > 1], pieces[pieces > 1]


def _large_of_zip(lists: PairLists, cells: float) -> _Numbers:
    """The pairs with at least so many cells: few, since no job has many times as many."""
    found = [np.zeros(0, np.int64)]
    for some in ranges_of(len(lists), _AT_ONCE):
        queries, subjects = (each.astype(float) for each in lists.lengths(some))
        found.append(some.start + np.flatnonzero(queries * subjects >= cells))
    return np.concatenate(found)


def _large_of_all(lists: PairLists, cells: float) -> _Numbers:
    """The same where each query is paired with each subject."""
    queries, subjects = (each.lengths.astype(float) for each in (lists.queries, lists.subjects))
    rows = np.flatnonzero(queries * subjects.max() >= cells)
    by_length = np.argsort(subjects, kind="stable")
    ordered = subjects[by_length]
    found = [np.zeros(0, np.int64)]
    for row in rows.tolist():
        # Halved, lest rounding leave one out: those that are none are in one piece.
        first = np.searchsorted(ordered, cells / queries[row] / 2)
        large = np.sort(by_length[first:])
        found.append(row * len(subjects) + large[queries[row] * subjects[large] >= cells])
    return np.concatenate(found)


def write_starts(folder: Path, starts: Sequence[int], pairs: int) -> None:
    """Write where the parts of a job begin, and where the last one ends: `pairs`."""
    (folder / _STARTS).write_text(json.dumps([*starts, pairs]), encoding="ascii")


class Parts(Sequence[Part]):
    """The parts of a job by number, each made when it is asked for."""

    def __init__(self, starts: Sequence[int], pairs: int) -> None:
        """From where parts begin, as starts_of has it, and the number of pairs."""
        self._starts, self._pairs = np.asarray(starts, np.int64), pairs

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Those of a job, as write_starts wrote them."""
        *starts, pairs = json.loads((folder / _STARTS).read_text(encoding="ascii"))
        return cls(starts, pairs)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._starts)

    @overload
    def __getitem__(self, number: int) -> Part: ...
    @overload
    def __getitem__(self, number: slice) -> list[Part]: ...
    def __getitem__(self, number: int | slice) -> Part | list[Part]:
        """One of them by its number, or several."""
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        place = range(len(self))[number]
        first = int(self._starts[place])
        begin, end = (int(np.searchsorted(self._starts, first, side)) for side in ("left", "right"))
        last = int(self._starts[end]) if end < len(self) else self._pairs
        return Part(range(first, last), place - begin, end - begin)

    def answering(self, pairs: range) -> range:
        """The numbers of the parts that answer any of these pairs, and of pieces between them."""
        if not (asked := pairs[: max(0, self._pairs - pairs.start)]):
            return range(0)
        # A pair in pieces is answered by the last one.
        first, last = (int(np.searchsorted(self._starts, each, "right")) - 1 for each in (asked[0], asked[-1]))
        return range(first, last + 1)
