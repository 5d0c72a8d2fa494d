"""How the scores of all subjects of a query are distributed: counts by length bin and score.

Only a search that scores every subject has them. They are whole numbers that add up over shards, so that what is
worked out from the sum (length_regression.py) does not show how many shards there were.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

SCORES = 2048
"""Columns: scores 0, 1, 2, ...; the last one counts all from there on, which no unrelated subject reaches."""
LENGTH_STEP = 0.1
"""Width of a length bin, in ln(length)."""
LENGTH_EDGES = tuple(math.ceil(math.exp(LENGTH_STEP * number)) for number in range(121))
"""Row k counts lengths from LENGTH_EDGES[k - 1] to below LENGTH_EDGES[k]; the last row all above (162,755)."""
ROWS = len(LENGTH_EDGES) + 1

Counts = npt.NDArray[np.int32]
"""Subjects by length and score: (ROWS, SCORES), 1 MB for each query of a group."""

_EDGES = np.array(LENGTH_EDGES)


def no_subjects() -> Counts:
    """Counts of nothing, to add to."""
    return np.zeros((ROWS, SCORES), np.int32)


def count_subjects(counts: Counts, lengths: npt.NDArray[np.integer], scores: npt.NDArray[np.integer]) -> None:
    """Add subjects, each with its length and score, to the counts."""
    np.add.at(counts.reshape(-1), rows_of(lengths) * SCORES + np.minimum(scores, SCORES - 1), 1)


def rows_of(lengths: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """The row in which subjects of these lengths are counted."""
    return np.searchsorted(_EDGES, lengths, side="right")


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of counts that are not empty, row by row, as parallel arrays: a few thousand of a quarter million."""

    rows: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int64]
    subjects: npt.NDArray[np.int64]

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """All cells of the counts that are not empty."""
        cells = counts.reshape(-1)
        filled = _filled(cells)
        rows = filled // SCORES
        return cls(rows, filled - rows * SCORES, cells[filled].astype(np.int64))

    def where(self, which: npt.NDArray[np.bool_]) -> Self:
        """Some of them."""
        return type(self)(self.rows[which], self.scores[which], self.subjects[which])

    @property
    def total(self) -> int:
        """All subjects."""
        return int(self.subjects.sum())

    def by_row(self) -> npt.NDArray[np.int64]:
        """The subjects of each row."""
        return np.bincount(self.rows, self.subjects, ROWS).astype(np.int64)

    def by_score(self) -> npt.NDArray[np.int64]:
        """The subjects with score 0, 1, 2, ... up to the highest there is."""
        return np.bincount(self.scores, self.subjects).astype(np.int64)


def _filled(cells: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """The places that are not empty: on one line, and of truth values, numpy finds them many times as fast."""
    return np.flatnonzero(cells != 0)


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts on their way from a shard to the merge: of all cells, row by row, those that are not empty.

    steps are the distances from each such cell to the next, the first one from the cell before the first; most are 1.
    """

    steps: tuple[int, ...]
    subjects: tuple[int, ...]

    @property
    def total(self) -> int:
        """All subjects that were counted."""
        return sum(self.subjects)

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """The counts of one shard."""
        cells = counts.reshape(-1)
        filled = _filled(cells)
        return cls(tuple(np.diff(filled, prepend=-1).tolist()), tuple(cells[filled].tolist()))


def add_up(histograms: Sequence[Histogram]) -> Counts:
    """The counts of all shards together."""
    counts = no_subjects()
    for histogram in histograms:
        filled = np.cumsum(np.array(histogram.steps, np.int64)) - 1
        counts.reshape(-1)[filled] += np.array(histogram.subjects, np.int32)
    return counts


def score_counts(counts: Counts) -> tuple[int, ...]:
    """How many subjects have score 0, 1, 2, ... up to the highest there is."""
    return tuple(Cells.of(counts).by_score().tolist())
