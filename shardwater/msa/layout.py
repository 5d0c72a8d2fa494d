"""Rows written out in all columns: those of the query, and between them as many as the longest insertion there takes.

Insertions stand at the left of their columns; what is not filled is a gap.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.msa.msa import CELLS, GAP, Msa
from shardwater.msa.texts import Numbers

_CAPITAL = np.uint8(0xDF)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where the query's columns are among all: (positions,), from 0; and how many columns there are.

    cells: how many letters and gaps are laid out together, at most, but for a row.
    """

    places: Numbers
    width: int
    cells: int = CELLS

    @classmethod
    def of(cls, msa: Msa, cells: int = CELLS) -> Self:
        """The narrowest layout that has room for all rows."""
        longest = np.zeros(msa.columns + 1, np.int64)
        for first, last in msa.batches(cells):
            slots, ranks, _ = _insertions(msa, first, last)
            np.maximum.at(longest, slots, ranks + 1)
        ends = np.cumsum(longest + 1)
        return cls(ends[:-1] - 1, int(ends[-1]) - 1, cells)

    @property
    def matches(self) -> npt.NDArray[np.bool_]:
        """Which columns are the query's, (width,)."""
        found = np.zeros(self.width, np.bool_)
        found[self.places] = True
        return found

    def query(self, msa: Msa) -> bytes:
        """The query in all columns."""
        row = np.full(self.width, GAP, np.uint8)
        row[self.places] = np.frombuffer(msa.query.residues, np.uint8)
        return row.tobytes()

    def rows(self, msa: Msa) -> Iterator[bytes]:
        """Each row in all columns, capitals and gaps."""
        step = max(1, self.cells // max(1, self.width))
        firsts = np.concatenate(([0], self.places + 1))
        for first in range(0, len(msa), step):
            last = min(first + step, len(msa))
            found = np.full((last - first, self.width), GAP, np.uint8)
            found[:, self.places] = msa.aligned(first, last)
            slots, ranks, inserted = _insertions(msa, first, last)
            found[inserted.rows, firsts[slots] + ranks] = inserted.letters & _CAPITAL
            yield from map(bytes, found)


@dataclass(frozen=True, slots=True, eq=False)
class _Inserted:
    """Letters between columns, and the row of each."""

    letters: npt.NDArray[np.uint8]
    rows: Numbers


def _insertions(msa: Msa, first: int, last: int) -> tuple[Numbers, Numbers, _Inserted]:
    """Of inserted letters: how many of the query's columns are before each, its place there, and itself."""
    offsets = msa.letters.offsets
    letters = msa.letters.joined[offsets[first] : offsets[last]]
    small = (letters >= ord("a")) & (letters <= ord("z"))
    places = np.flatnonzero(small)
    rows = np.searchsorted(offsets[first + 1 : last] - offsets[first], places, side="right")
    starts = offsets[first:last] - offsets[first]
    # Columns, and insertions, that come before each letter in its row.
    columns = np.concatenate(([0], np.cumsum(~small)))
    slots = columns[places] - columns[starts][rows] + msa.figures["query_start"][first:last][rows]
    begins = np.ones(len(places), np.bool_)
    begins[1:] = (np.diff(places) > 1) | (np.diff(rows) > 0)
    runs = np.flatnonzero(begins)
    ranks = np.arange(len(places)) - np.repeat(runs, np.diff(runs, append=len(places)))
    return slots, ranks, _Inserted(letters[places], rows)
