"""Ways back through bands, by the rules of gotoh.py; none where a way leads out of its band."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment, Run, merge_runs
from shardwater.alignment.outside import Costs, Pair
from shardwater.sequences.alphabets import BASES

Cells = npt.NDArray[Any]

LOOKED_AT = 64
"""Cells of a diagonal that are looked at together at first."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """The filled band of a pair.

    h: by antidiagonals, their diagonals from -last or -last + 1 on, two by two; entries: by rows, what came in from the
    right; outside: no alignment that ends outside scores more; highest: H of each antidiagonal.
    """

    pair: Pair
    costs: Costs
    last: int
    h: Cells
    entries: Cells
    outside: int
    highest: Cells

    def alignment(self) -> Alignment | None:
        """The best one; None where the band does not prove it."""
        best = int(self.highest.max())
        if best <= self.outside:
            return None
        lines = np.flatnonzero(self.highest == best)
        which, places = np.nonzero(self.h[lines] == best)
        rows = (lines[which] + self.last - lines[which] % 2) // 2 - places
        columns = lines[which] - rows
        first = np.lexsort((columns, rows))[0]
        return _Way(self, int(rows[first]), int(columns[first]), best).follow()


class _Way:
    """The way back from a cell of a pair's band."""

    def __init__(self, band: Band, row: int, column: int, score: int) -> None:
        self._h, self._entries, (self._query, self._subject) = band.h, band.entries, band.pair
        self._costs, self._last, self._runs = band.costs, band.last, list[Run]()
        self._end, self._score = (row, column), score
        self._row, self._column, self._value = row, column, score

    def follow(self) -> Alignment | None:
        """The alignment; None where the way leads out of the band."""
        while self._value > 0:
            self._diagonal()
            if self._value > 0 and not self._gap("I") and (self._comes_in() or not self._gap("D")):
                return None
        row, column = self._end
        return Alignment(self._score, self._row, row, self._column, column, merge_runs(self._runs[::-1]))

    def _diagonal(self) -> None:
        """Go back along the diagonal as far as it explains the value."""
        place, steps, looked, run = (self._column - self._row + self._last) // 2, 0, 0, 0
        while run == looked and self._value > 0 and min(self._row, self._column) > 0:
            row, column = self._row, self._column
            looked = min(LOOKED_AT + steps, row, column)
            values = self._h[row + column - 2 * looked : row + column + 1 : 2, place][::-1].astype(np.int64)
            query, subject = self._query[row - looked : row][::-1], self._subject[column - looked : column][::-1]
            equal = (query == subject) & (query < len(BASES))
            stays = values[:-1] == values[1:] + np.where(equal, self._costs.match, -self._costs.mismatch)
            stays &= values[:-1] > 0
            run = looked if stays.all() else int(np.argmin(stays))
            self._row, self._column, self._value, steps = row - run, column - run, int(values[run]), steps + run
        if steps:
            self._runs.append(Run("M", steps))

    def _gap(self, kind: str) -> bool:
        """Go back by the shortest gap of a kind that explains the value, where one does in the band."""
        inserted, diagonal = kind == "I", self._column - self._row
        room = min(self._row, self._last - diagonal) if inserted else min(self._column, self._last + diagonal)
        letters = np.arange(1, room + 1)
        rows, columns = self._row - letters * inserted, self._column - letters * (not inserted)
        opened = self._value + self._costs.gap_first + self._costs.gap_extend * (letters - 1)
        cells = self._h[rows + columns, (columns - rows + self._last) // 2]
        explaining = np.flatnonzero(cells == opened)
        if not explaining.size:
            return False
        first = explaining[0]
        self._runs.append(Run(kind, int(letters[first])))
        self._row, self._column, self._value = int(rows[first]), int(columns[first]), int(opened[first])
        return True

    def _comes_in(self) -> bool:
        """Whether a gap in the subject that comes in from the right may explain the value."""
        letters = self._last - (self._column - self._row)
        line = self._row - letters
        return line > 0 and int(self._entries[line]) - self._costs.gap_extend * letters >= self._value
