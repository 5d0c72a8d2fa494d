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

_EDGES = np.array(LENGTH_EDGES)


def rows_of(lengths: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """The row in which subjects of these lengths are counted."""
    return np.searchsorted(_EDGES, lengths, side="right")


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Subjects by length and score: of all cells, row by row, those that are not empty, as parallel arrays.

    They are a few thousand of a quarter million.
    """

    rows: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int64]
    subjects: npt.NDArray[np.int64]

    @classmethod
    def of(cls, lengths: npt.NDArray[np.integer], scores: npt.NDArray[np.integer]) -> Self:
        """Of subjects, each with its length and score."""
        return cls.in_table(np.bincount(rows_of(lengths) * SCORES + np.minimum(scores, SCORES - 1)))

    @classmethod
    def in_table(cls, table: npt.NDArray[np.number]) -> Self:
        """Of a table (ROWS, SCORES) of all cells, be they on one line; empty ones at its end may be left out."""
        cells = table.reshape(-1)
        # On one line, and of truth values, numpy finds them many times as fast.
        filled = np.flatnonzero(cells != 0)
        return cls.at(filled, cells[filled].astype(np.int64))

    @classmethod
    def sum(cls, parts: Sequence[Self]) -> Self:
        """All parts together."""
        if len(parts) == 1:
            return parts[0]
        nothing = np.zeros(0, np.int64)
        cells = np.concatenate([nothing, *(part.cells for part in parts)])
        subjects = np.concatenate([nothing, *(part.subjects for part in parts)])
        # Whole numbers below 2^53, which doubles hold.
        return cls.in_table(np.bincount(cells, subjects))

    @classmethod
    def at(cls, cells: npt.NDArray[np.int64], subjects: npt.NDArray[np.int64]) -> Self:
        """Of so many subjects in each of these cells, which are in order."""
        rows = cells // SCORES
        return cls(rows, cells - rows * SCORES, subjects)

    @property
    def cells(self) -> npt.NDArray[np.int64]:
        """Their numbers, row by row."""
        return self.rows * SCORES + self.scores

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


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts on their way from a shard to the merge.

    steps are the distances from each cell to the next, the first one from the cell before the first; most are 1.
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
        return cls(tuple(np.diff(counts.cells, prepend=-1).tolist()), tuple(counts.subjects.tolist()))

    @property
    def counts(self) -> Counts:
        """What it was made of."""
        return Counts.at(np.cumsum(np.array(self.steps, np.int64)) - 1, np.array(self.subjects, np.int64))
