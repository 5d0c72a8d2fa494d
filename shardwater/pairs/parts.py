"""The parts of a job of pairs, of about the same work: some pairs, one pair, or a piece of one (pieces.py)."""

import json
import math
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

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
_AT_ONCE = 1 << 20
"""Pairs whose lengths are read together."""
_STARTS = "parts.json"


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


def starts_of(lists: PairLists, scheme: Scheme, best: int = 1) -> list[int]:
    """The first pair of each part; that of a pair in pieces as often as it has pieces.

    best: alignments of each pair that are asked for; of several, no pair is in pieces, since their ends lie anywhere.
    At least one part, and always the same for the same input.
    """
    if len(lists) == 0:
        return [0]
    share = lists.cells / MOST_PARTS
    starts, filled, alone = list[int](), 0.0, True
    for some in ranges_of(len(lists), _AT_ONCE):
        queries, subjects = (each.astype(float) for each in lists.lengths(some))
        cells = queries * subjects
        weights = best / PART_PAIRS + cells / max(PART_CELLS, share) + (queries + subjects) / PART_LETTERS
        sums = filled + np.cumsum(weights)
        pieces = _pieces(queries, subjects, scheme, max(PIECE_CELLS, share) if best == 1 else math.inf)
        # A pair that would pass the part's share begins the next one, and so do a pair in pieces and the one after it.
        begins = np.floor(sums) > np.floor(np.concatenate(([filled], sums[:-1])))
        begins |= (pieces > 1) | np.concatenate(([alone], pieces[:-1] > 1))
        firsts = np.flatnonzero(begins)
        starts += np.repeat(some.start + firsts, pieces[firsts]).tolist()
        filled, alone = float(sums[-1] % 1), bool(pieces[-1] > 1)
    return starts


def _pieces(
    queries: npt.NDArray[np.float64], subjects: npt.NDArray[np.float64], scheme: Scheme, cells: float
) -> npt.NDArray[np.int64]:
    """How many pieces each pair has, of so many cells at least."""
    if not scheme.mode.local or scheme.gap_extend == 0:
        return np.ones(len(queries), np.int64)
    shorter = np.minimum(queries, subjects)
    gaps = np.maximum(0, scheme.table.best * shorter - scheme.gap_open) / scheme.gap_extend
    of_letters = np.maximum(queries, subjects) / (SPANS * np.maximum(1, shorter + gaps))
    pieces: npt.NDArray[np.int64] = np.maximum(1, np.minimum(queries * subjects / cells, of_letters)).astype(np.int64)
    return pieces


def write_starts(folder: Path, starts: list[int], pairs: int) -> None:
    """Write where the parts of a job begin, and where the last one ends: `pairs`."""
    (folder / _STARTS).write_text(json.dumps([*starts, pairs]), encoding="ascii")


def read_parts(folder: Path) -> list[Part]:
    """The parts of a job, as write_starts wrote them."""
    *starts, pairs = json.loads((folder / _STARTS).read_text(encoding="ascii"))
    pieces, found = Counter(starts), list[Part]()
    for first, last in pairwise([*pieces, pairs]):
        found += [Part(range(first, last), piece, pieces[first]) for piece in range(pieces[first])]
    return found
