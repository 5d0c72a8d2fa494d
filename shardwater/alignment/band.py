"""The best local alignments of pairs of DNA that are alike, from a band of diagonals that proves itself.

The band is filled as if all that comes into it from outside scored the most that it can (outside.py). So no cell is too
low, and each is right whose way back stays in the band: that way is an alignment with its score. The way back
(band_way.py) asks as gotoh.py does whether a neighbour explains a cell. Where a neighbour is too high, either it does
not explain the cell, and the right one does not either, or it is the next cell, and the way leads out of the band. The
band proves the alignment of a pair whose way stays inside, if nothing outside can score as much.

The band is filled an antidiagonal at a time, for many pairs side by side. Only the cells in its middle are kept. They
are a band, too: the most that comes in from the right is known, and the most that cells beside them have.
"""

from collections.abc import Iterator, Sequence
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
LINES = 16
"""Lines whose letters are paired together: their cells stay in a core's cache."""
ROOM = 4 * MOST_COST
"""Numbers may be lower than 0 by so much, or higher than all letters together."""
UNKNOWN = (len(BASES), len(BASES) + 1)
"""The codes of letters that are not known, of queries and of subjects: they are equal to none."""


def bytes_of(longest: int, pairs: int, costs: Costs, last: int = LAST, kept: int | None = None) -> int:
    """What the band of so many pairs takes, whose longest sequence has so many letters."""
    return (
        (2 * longest + 1)
        * ((last if kept is None else kept) + 1)
        * pairs
        * np.dtype(_type(longest, costs, last)).itemsize
    )


def align_band(
    pairs: Sequence[Pair], costs: Costs, last: int = LAST, watch: Watch | None = None, kept: int | None = None
) -> list[Alignment | None]:
    """The best alignment of each pair; None where the band does not prove it. Pairs of like length waste least.

    last: the last diagonal, even. watch: is asked whether it is still wanted; raises Stopped. kept: the last diagonal
    whose cells are kept, even; None: `last`. Takes bytes_of.
    """
    watch, kept = watch or Watch(), last if kept is None else kept
    filling = _Filling(pairs, costs, last, kept)
    filling.fill(watch)
    outside = np.maximum(filling.outside.top.max(axis=0), filling.beside())
    band = Band(pairs, costs, kept, filling.h, filling.entries, outside, filling.h.max(axis=1))
    found = []
    for number in range(len(pairs)):
        watch.passed(0)
        found.append(band.alignment(number))
    return found


def _type(longest: int, costs: Costs, last: int) -> type[np.signedinteger[Any]]:
    return np.int16 if costs.match * (longest + last) + ROOM <= np.iinfo(np.int16).max else np.int32


class _Filling:
    """The recurrence of sweep.py in a band: a line is an odd antidiagonal and the even one behind it."""

    def __init__(self, pairs: Sequence[Pair], costs: Costs, last: int, kept: int) -> None:
        self._last, self._kept, self._edge, count = last, kept, (last - kept) // 2, len(pairs)
        self._longest = longest = max(max(map(len, pair)) for pair in pairs)
        dtype = _type(longest, costs, last)
        self.outside = Outside(pairs, costs, last, dtype)
        query = self._side_by_side([query for query, _ in pairs], UNKNOWN[0], dtype)[::-1].copy()
        subject = self._side_by_side([subject for _, subject in pairs], UNKNOWN[1], dtype)
        # Gaps that go on: in columns by these, in rows from the last row on, as letters are.
        gaps = [np.full_like(query, -costs.gap_first) for _ in range(2)]
        self.h, self.entries = (
            np.zeros((2 * longest + 1, kept + 1, count), dtype),
            np.zeros((longest + 1, count), dtype),
        )
        self._gap_first = np.full((2, count), costs.gap_first, dtype)
        # The last line of those before, and these: a line's odd antidiagonal, and its even one.
        self._recent = np.zeros((LINES + 1, 2, last + 1, count), dtype)
        self._most = np.zeros_like(self._recent[0])
        self._odd, self._even = (
            _Half(self._recent[:, odd, : last + odd], (query, subject), (gaps[0], gaps[1]), costs) for odd in (0, 1)
        )

    def _side_by_side(self, sequences: Sequence[npt.NDArray[np.uint8]], unknown: int, dtype: Any) -> Cells:
        """The letters of all, (letters, pairs). Two that differ, differ in a bit above all that scores differ by."""
        # Cells beyond the matrix have letters, too.
        beyond = self._last // 2 + 1
        rows = np.full((self._longest + 2 * beyond, len(sequences)), unknown, dtype)
        for number, codes in enumerate(sequences):
            rows[beyond : beyond + len(codes), number] = np.where(codes < len(BASES), codes, unknown)
        rows *= 2 * MOST_COST
        return rows

    def fill(self, watch: Watch) -> None:
        """All antidiagonals; raises Stopped."""
        for first in range(1, self._longest + 1, LINES):
            watch.passed(0)
            behind = min(first + LINES, self._longest + 1)
            odds, evens = (half.steps(first, behind) for half in (self._odd, self._even))
            for line, odd, (h, before, *gaps) in zip(range(first, behind), odds, evens, strict=True):
                self._odd.close(*odd)
                self._enter(line, *gaps)
                self._even.close(h, before, *gaps)
                self._leave(line - self._last // 2, *gaps)
            self._keep(first, behind)

    def _keep(self, first: int, behind: int) -> None:
        """The cells of the middle of these lines, and the most that each place of the band has."""
        odd, even = (self._recent[1 : behind - first + 1, half, self._edge :] for half in (0, 1))
        self.h[2 * first - 1 : 2 * behind - 1 : 2, : self._kept] = odd[:, : self._kept]
        self.h[2 * first : 2 * behind : 2] = even[:, : self._kept + 1]
        np.maximum(self._most, self._recent[1 : behind - first + 1].max(axis=0), out=self._most)
        self._recent[0] = self._recent[behind - first]

    def beside(self) -> Cells:
        """The most that a cell has that is not kept, of each pair."""
        odd, even, first = self._most[0], self._most[1], self._edge
        beside = odd[:first], odd[first + self._kept :], even[:first], even[first + self._kept + 1 :]
        most: Cells = np.concatenate(beside).max(axis=0)
        return most

    def _enter(self, line: int, along: Cells, down: Cells) -> None:
        """What comes into the band in this line, on both sides, where its even antidiagonal begins and ends."""
        entries = self.outside.top - self._gap_first
        down[-1], along[0] = entries
        self.entries[max(0, line - self._kept // 2)] = down[-1 - self._edge]

    def _leave(self, line: int, along: Cells, down: Cells) -> None:
        """What goes out of the band in this line, on both sides."""
        if line > 0:
            self.outside.go_on()
            self.outside.come(along[-1], down[0])


class _Half:
    """Every second antidiagonal, by lines; the odd ones have a cell less than the even ones.

    h: (1 + LINES, cells, pairs), the last line before some, and these. letters: of rows, from the last one on, and of
    columns; gaps: those that go on along these rows and down these columns.
    """

    def __init__(self, h: Cells, letters: tuple[Cells, Cells], gaps: tuple[Cells, Cells], costs: Costs) -> None:
        self._h, (_, count, pairs) = h, h.shape
        (self._query, self._subject), (self._along, self._down) = (
            (_windows(rows, count)[len(rows) - count :: -1], _windows(columns, count))
            for rows, columns in (letters, gaps)
        )
        # Whole arrays, not numbers to broadcast: numpy has fast loops for those alone.
        self._zero, self._equal, self._differing, self._gap_first, self._gap_extend, self._opened = (
            np.full((count, pairs), number, h.dtype)
            for number in (0, costs.match, costs.match + costs.mismatch, costs.gap_first, costs.gap_extend, 0)
        )

    def steps(self, first: int, behind: int) -> Iterator[tuple[Cells, Cells, Cells, Cells]]:
        """Of some lines, each: H, which has what pairs of letters score; that of the line before; gaps that go on."""
        lines, count = slice(first, behind), behind - first
        paired = self._h[1 : count + 1]
        np.bitwise_xor(self._query[lines], self._subject[lines], out=paired)
        np.minimum(paired, self._differing, out=paired)
        np.subtract(self._equal, paired, out=paired)
        return zip(paired, self._h[:count], self._along[lines], self._down[lines], strict=True)

    def close(self, h: Cells, before: Cells, along: Cells, down: Cells) -> None:
        """H of an antidiagonal, and the gaps that go on from it."""
        np.add(h, before, out=h)
        np.maximum(h, down, out=h)
        np.maximum(h, along, out=h)
        np.maximum(h, self._zero, out=h)
        np.subtract(h, self._gap_first, out=self._opened)
        np.subtract(along, self._gap_extend, out=along)
        np.maximum(along, self._opened, out=along)
        np.subtract(down, self._gap_extend, out=down)
        np.maximum(down, self._opened, out=down)


def _windows(rows: Cells, count: int) -> Cells:
    """So many rows from each one on, (windows, rows, pairs)."""
    return np.moveaxis(np.lib.stride_tricks.sliding_window_view(rows, count, axis=0, writeable=True), 2, 1)
