"""The best local alignments of pairs of DNA that are alike, from a band of diagonals that proves itself.

The band is filled as if all that comes into it from outside scored the most that it can (outside.py). So no cell is too
low, and each is right whose way back stays in the band: that way is an alignment with its score. The way back
(band_way.py) asks as gotoh.py does whether a neighbour explains a cell. Where a neighbour is too high, either it does
not explain the cell, and the right one does not either, or it is the next cell, and the way leads out of the band. The
band proves the alignment of a pair whose way stays inside, if nothing outside can score as much.

The band is filled an antidiagonal at a time, for many pairs side by side.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.band_way import Band, Cells
from shardwater.alignment.outside import MOST_COST, Costs, Outside, Pair
from shardwater.alignment.watch import Watch
from shardwater.sequences.alphabets import BASES

LAST = 64
"""The band has the diagonals from -LAST to LAST."""
ROOM = 4 * MOST_COST
"""Numbers may be lower than 0 by so much, or higher than all letters together."""
UNKNOWN = (len(BASES), len(BASES) + 1)
"""The codes of letters that are not known, of queries and of subjects: they are equal to none."""


def bytes_of(longest: int, pairs: int, costs: Costs, last: int = LAST) -> int:
    """What the band of so many pairs takes, whose longest sequence has so many letters."""
    return (2 * longest + 1) * (last + 1) * pairs * np.dtype(_type(longest, costs, last)).itemsize


def align_band(
    pairs: Sequence[Pair], costs: Costs, last: int = LAST, watch: Watch | None = None
) -> list[Alignment | None]:
    """The best alignment of each pair; None where the band does not prove it. Pairs of like length waste least.

    last: the last diagonal, even. watch: is asked whether it is still wanted; raises Stopped. Takes bytes_of.
    """
    watch, filling = watch or Watch(), _Filling(pairs, costs, last)
    filling.fill(watch)
    band = Band.of(pairs, costs, last, filling.h, filling.entries, filling.outside.top.max(axis=0))
    found = []
    for number in range(len(pairs)):
        watch.passed(0)
        found.append(band.alignment(number))
    return found


def _type(longest: int, costs: Costs, last: int) -> type[np.signedinteger[Any]]:
    return np.int16 if costs.match * (longest + last) + ROOM <= np.iinfo(np.int16).max else np.int32


class _Filling:
    """The recurrence of sweep.py in a band.

    An even antidiagonal has the cells of each second diagonal, -last to last, and an odd one of those between.
    """

    def __init__(self, pairs: Sequence[Pair], costs: Costs, last: int) -> None:
        self._costs, self._last, count = costs, last, len(pairs)
        self._longest = longest = max(max(map(len, pair)) for pair in pairs)
        dtype = _type(longest, costs, last)
        self.outside = Outside(pairs, costs, last, dtype)
        # Cells beyond the matrix have letters, too.
        self._beyond = last + 2
        self._query = self._side_by_side([query for query, _ in pairs], UNKNOWN[0], dtype)[::-1].copy()
        self._subject = self._side_by_side([subject for _, subject in pairs], UNKNOWN[1], dtype)
        self.h = np.zeros((2 * longest + 1, last + 1, count), dtype)
        self.entries = np.zeros((longest + 1, 2, count), dtype)
        even, odd = (last + 1, count), (last, count)
        self._e, self._f = ([np.full(shape, -costs.gap_first, dtype) for shape in (even, odd)] for _ in range(2))
        self._opened, self._paired = np.empty(even, dtype), np.empty(even, dtype)
        self._exits = np.empty((2, count), dtype)
        # Whole arrays, not numbers to broadcast: numpy has fast loops for those alone.
        self._zero, self._equal, self._differing, self._gap_first, self._gap_extend = (
            np.full(even, number, dtype)
            for number in (0, costs.match, costs.match + costs.mismatch, costs.gap_first, costs.gap_extend)
        )

    def _side_by_side(self, sequences: Sequence[npt.NDArray[np.uint8]], unknown: int, dtype: Any) -> Cells:
        """The letters of all, (letters, pairs). Two that differ, differ in a bit above all that scores differ by."""
        rows = np.full((self._longest + 2 * self._beyond, len(sequences)), unknown, dtype)
        for number, codes in enumerate(sequences):
            rows[self._beyond : self._beyond + len(codes), number] = np.where(codes < len(BASES), codes, unknown)
        rows *= 2 * MOST_COST
        return rows

    def fill(self, watch: Watch) -> None:
        """All antidiagonals; raises Stopped."""
        for number in range(1, 2 * self._longest, 2):
            watch.passed(0)
            self._odd(number)
            self._even(number + 1, self._entries((number + 1 - self._last) // 2))

    def _entries(self, line: int) -> Cells:
        """What comes into the band in this line, on both sides; what came out of it in the line before is known."""
        if line > 0:
            self.outside.come(self._exits)
        entries: Cells = self.outside.top - self._gap_first[:2]
        if line > 0:
            self.entries[line] = entries
            self.outside.go_on()
        return entries

    def _odd(self, number: int) -> None:
        (e, e_after), (f, f_after), opened = self._e, self._f, self._opened
        self._go_on(self.h[number - 1], opened, e, f)
        np.maximum(opened[-1], f[-1], out=self._exits[0])
        np.maximum(opened[0], e[0], out=self._exits[1])
        np.maximum(e[1:], opened[1:], out=e_after)
        np.maximum(f[:-1], opened[:-1], out=f_after)
        self._close(number, e_after, f_after)

    def _even(self, number: int, entries: Cells) -> None:
        (e_after, e), (f_after, f), opened = self._e, self._f, self._opened[:-1]
        self._go_on(self.h[number - 1, :-1], opened, e, f)
        np.maximum(e, opened, out=e_after[:-1])
        np.maximum(f, opened, out=f_after[1:])
        e_after[-1], f_after[0] = entries
        self._close(number, e_after, f_after)

    def _go_on(self, h: Cells, opened: Cells, e: Cells, f: Cells) -> None:
        """Gaps that begin at the cells of an antidiagonal, and that go on."""
        np.subtract(h, self._gap_first[: len(h)], out=opened)
        np.subtract(e, self._gap_extend[: len(h)], out=e)
        np.subtract(f, self._gap_extend[: len(h)], out=f)

    def _close(self, number: int, e: Cells, f: Cells) -> None:
        """H of an antidiagonal, from its gaps and the antidiagonal before the last."""
        count = len(e)
        h, paired = self.h[number, :count], self._paired[:count]
        # The first cell has the largest row and the smallest column.
        row, column = (number + count - 1) // 2, (number - count + 1) // 2
        query, subject = len(self._query) - self._beyond - row, self._beyond + column - 1
        np.bitwise_xor(self._query[query : query + count], self._subject[subject : subject + count], out=paired)
        np.minimum(paired, self._differing[:count], out=paired)
        np.subtract(self._equal[:count], paired, out=paired)
        if number > 1:
            np.add(paired, self.h[number - 2, :count], out=paired)
        np.maximum(e, f, out=h)
        np.maximum(h, self._zero[:count], out=h)
        np.maximum(h, paired, out=h)
