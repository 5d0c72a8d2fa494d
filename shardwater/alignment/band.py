"""The best local alignments of pairs of DNA that are alike, from a band of diagonals that proves itself.

The band is filled as if all that comes into it from outside scored the most that it can (outside.py). So no cell is too
low, and each is right whose way back stays in the band: that way is an alignment with its score. The way back
(band_way.py) asks as gotoh.py does whether a neighbour explains a cell. Where a neighbour is too high, either it does
not explain the cell, and the right one does not either, or it is the next cell, and the way leads out of the band. The
band proves the alignment of a pair whose way stays inside, if nothing outside can score as much.

The band is filled an antidiagonal at a time, for many pairs side by side (lanes.py). Only the cells in its middle are
kept. They are a band, too: the most that comes in from the right is known, and the most that cells beside them have.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.band_way import Band, Cells
from shardwater.alignment.lanes import Lanes
from shardwater.alignment.outside import MOST_COST, Costs, Outside, Pair, block_of
from shardwater.alignment.watch import Watch
from shardwater.sequences.alphabets import BASES

LAST = 64
"""The band has the diagonals from -LAST to LAST."""
BLOCKS = 2
"""Lines whose letters are paired together, in blocks of outside.py: their cells stay in a core's cache."""
ROOM = 4 * MOST_COST
"""Numbers may be lower than 0 by so much, or higher than all letters together."""
UNKNOWN = (len(BASES), len(BASES) + 1)
"""The codes of letters that are not known, of queries and of subjects: they are equal to none."""


def lanes_for(longest: int, last: int = LAST) -> Lanes:
    """Empty lanes for pairs whose longest sequence has so many letters."""
    return Lanes(longest, _beyond(last), BLOCKS * block_of(longest))


def bytes_of(longest: int, lanes: int, costs: Costs, last: int = LAST, kept: int | None = None) -> int:
    """The memory of a band with so many lanes, whose longest sequence has so many letters."""
    return (
        (2 * longest + 1)
        * ((last if kept is None else kept) + 1)
        * lanes
        * np.dtype(_type(longest, costs, last)).itemsize
    )


def align_band(
    pairs: Sequence[Pair], costs: Costs, last: int = LAST, watch: Watch | None = None, kept: int | None = None
) -> list[Alignment | None]:
    """The best alignment of each pair; None where the band does not prove it.

    last: the last diagonal, even. watch: is asked whether it is still wanted; raises Stopped. kept: the last diagonal
    whose cells are kept, even; None: `last`. Takes bytes_of.
    """
    watch, kept = watch or Watch(), last if kept is None else kept
    filling = _Filling(pairs, costs, last, kept)
    filling.fill(watch)
    found = []
    for number in range(len(pairs)):
        watch.passed(0)
        found.append(filling.band(number).alignment())
    return found


def _type(longest: int, costs: Costs, last: int) -> type[np.signedinteger[Any]]:
    return np.int16 if costs.match * (longest + last) + ROOM <= np.iinfo(np.int16).max else np.int32


def _beyond(last: int) -> int:
    """Letters beyond the matrix, on each side, that cells of the band have."""
    return last // 2 + 1


class _Filling:
    """The recurrence of sweep.py in a band: a line is an odd antidiagonal and the even one behind it."""

    def __init__(self, pairs: Sequence[Pair], costs: Costs, last: int, kept: int) -> None:
        self._pairs, self._costs = pairs, costs
        self._last, self._kept, self._edge = last, kept, (last - kept) // 2
        sizes = [max(map(len, pair)) for pair in pairs]
        self._longest = longest = max(sizes)
        lanes = lanes_for(longest, last)
        self._step, self._places = lanes.step, lanes.places(sizes)
        dtype, count = _type(longest, costs, last), len(lanes)
        self._outside = Outside(pairs, self._places, costs, last, dtype)
        query = self._side_by_side([query for query, _ in pairs], count, UNKNOWN[0], dtype)[::-1].copy()
        subject = self._side_by_side([subject for _, subject in pairs], count, UNKNOWN[1], dtype)
        self.h = np.zeros((2 * longest + 1, kept + 1, count), dtype)
        self._entries = np.zeros((longest + 1, count), dtype)
        self._highest = np.zeros((2 * longest + 1, count), dtype)
        self._gap_first = np.full((2, count), costs.gap_first, dtype)
        # The last line of those before, and these: a line's odd antidiagonal, and its even one.
        self._recent = np.zeros((self._step + 1, 2, last + 1, count), dtype)
        self._beside = np.zeros(count, dtype)
        # The pairs that begin after so many letters of their lanes, the pair of each lane, and what outside.py and
        # the cells beside those that are kept tell of each pair.
        self._beginning, self._present, self._most_outside = dict[int, list[int]](), dict[int, int](), dict[int, int]()
        for number, place in enumerate(self._places):
            self._beginning.setdefault(place.before, []).append(number)
        # Gaps that go on from odd cells, down and along, and from even ones, along and down: so the two that come in,
        # and the two that go out, lie side by side, on the right side first.
        self._gaps = np.full((2, 2 * (last + 1), count), -costs.gap_first, dtype)
        self._entering, self._leaving = self._gaps[:, last : last + 2]
        (down, along), (along_even, down_even) = self._gaps.reshape(2, 2, last + 1, count)
        letters, to_odd, from_odd = (query, subject), (along_even[:-1], down_even[1:]), (along[1:], down[:-1])
        self._odd = _Half(self._recent[:, 0, :last], letters, to_odd, from_odd, costs)
        self._even = _Half(self._recent[:, 1], letters, (along, down), (along_even, down_even), costs)
        self._entry = down[last - self._edge]

    def _side_by_side(self, sequences: Sequence[npt.NDArray[np.uint8]], lanes: int, unknown: int, dtype: Any) -> Cells:
        """The letters of all, (letters, lanes). Two that differ, differ in a bit above all that scores differ by."""
        beyond = _beyond(self._last)
        rows = np.full((self._longest + 2 * beyond, lanes), unknown, dtype)
        for codes, place in zip(sequences, self._places, strict=True):
            first = beyond + place.before
            rows[first : first + len(codes), place.lane] = np.where(codes < len(BASES), codes, unknown)
        rows *= 2 * MOST_COST
        return rows

    def fill(self, watch: Watch) -> None:
        """All antidiagonals; raises Stopped. The watch hears of all cells of the pairs, in the band or not."""
        cells, told = sum(len(query) * len(subject) for query, subject in self._pairs), 0
        for first in range(1, self._longest + 1, self._step):
            behind = min(first + self._step, self._longest + 1)
            passed = cells * (first - 1) // self._longest
            watch.passed(passed - told)
            told = passed
            self._begin(first - 1)
            odds, evens = (half.steps(first, behind) for half in (self._odd, self._even))
            for line, odd, even in zip(range(first, behind), odds, evens, strict=True):
                self._odd.close(*odd)
                np.subtract(self._outside.top, self._gap_first, out=self._entering)
                self._entries[max(0, line - self._kept // 2)] = self._entry
                self._even.close(*even)
                if line > self._last // 2:
                    self._outside.go_on(self._leaving)
            self._keep(first, behind)
        for number in self._present.values():
            self._end(number)

    def _begin(self, before: int) -> None:
        """Begin with the pairs that have so many letters of their lanes before them: forget the pairs there."""
        for number in self._beginning.get(before, ()):
            lane = self._places[number].lane
            if before:
                self._end(self._present[lane])
                self._outside.forget(lane)
                self.h[2 * before, :, lane] = self._highest[2 * before, lane] = 0
                self._recent[0, :, :, lane] = self._beside[lane] = 0
                self._gaps[:, :, lane] = -self._costs.gap_first
            self._present[lane] = number

    def _end(self, number: int) -> None:
        lane = self._places[number].lane
        self._most_outside[number] = max(int(self._outside.top[:, lane].max()), int(self._beside[lane]))

    def _keep(self, first: int, behind: int) -> None:
        """The cells of the middle of these lines, and the most that cells beside them have."""
        new, edge, kept = self._recent[1 : behind - first + 1], self._edge, self._kept
        odd, even = new[:, 0, edge : edge + kept], new[:, 1, edge : edge + kept + 1]
        for half, antidiagonal in ((odd, 2 * first - 1), (even, 2 * first)):
            lines = slice(antidiagonal, antidiagonal + 2 * len(new) - 1, 2)
            self.h[lines, : half.shape[1]] = half
            half.max(axis=1, out=self._highest[lines])
        for beside in (new[:, :, :edge], new[:, 0, edge + kept :], new[:, 1, edge + kept + 1 :]):
            # Over the lines first: numpy takes long rows together.
            most = beside.max(axis=0)
            np.maximum(self._beside, most.max(axis=tuple(range(most.ndim - 1)), initial=0), out=self._beside)
        self._recent[0] = new[-1]

    def band(self, number: int) -> Band:
        """The filled band of a pair."""
        pair, place = self._pairs[number], self._places[number]
        behind = place.before + max(map(len, pair)) + 1
        lines = slice(2 * place.before, 2 * behind - 1)
        return Band(
            pair,
            self._costs,
            self._kept,
            self.h[lines, :, place.lane],
            self._entries[place.before : behind, place.lane],
            self._most_outside[number],
            self._highest[lines, place.lane],
        )


class _Half:
    """Every second antidiagonal, by lines; the odd ones have a cell less than the even ones.

    h: (1 + lines, cells, lanes), the last line before some, and these. letters: of rows, from the last one on, and of
    columns; before: gaps along rows and down columns that go on to these cells, after: those that go on from them.
    """

    def __init__(
        self,
        h: Cells,
        letters: tuple[Cells, Cells],
        before: tuple[Cells, Cells],
        after: tuple[Cells, Cells],
        costs: Costs,
    ) -> None:
        self._h, (_, count, lanes) = h, h.shape
        self._query, self._subject = (
            _windows(letters[0], count)[len(letters[0]) - count :: -1],
            _windows(letters[1], count),
        )
        self._along, self._down = zip(before, after, strict=True)
        # Arrays, not numbers to broadcast, where numpy has fast loops for arrays alone.
        self._zero, self._differing, self._opened = (
            np.full((count, lanes), number, h.dtype) for number in (0, costs.match + costs.mismatch, 0)
        )
        self._match, self._gap_first, self._gap_extend = (
            np.array(number, h.dtype) for number in (costs.match, costs.gap_first, costs.gap_extend)
        )

    def steps(self, first: int, behind: int) -> Iterator[tuple[Cells, Cells]]:
        """For each of some lines: H, which has the scores of pairs of letters, and H of the line before."""
        lines, count = slice(first, behind), behind - first
        paired = self._h[1 : count + 1]
        np.bitwise_xor(self._query[lines], self._subject[lines], out=paired)
        np.minimum(paired, self._differing, out=paired)
        np.subtract(self._match, paired, out=paired)
        return zip(paired, self._h[:count], strict=True)

    def close(self, h: Cells, before: Cells) -> None:
        """H of an antidiagonal, and the gaps that go on from it."""
        (along, along_after), (down, down_after), opened = self._along, self._down, self._opened
        np.add(h, before, out=h)
        np.maximum(h, down, out=h)
        np.maximum(h, along, out=h)
        np.maximum(h, self._zero, out=h)
        np.subtract(h, self._gap_first, out=opened)
        np.subtract(along, self._gap_extend, out=along_after)
        np.maximum(along_after, opened, out=along_after)
        np.subtract(down, self._gap_extend, out=down_after)
        np.maximum(down_after, opened, out=down_after)


def _windows(rows: Cells, count: int) -> Cells:
    """So many rows from each one on, (windows, rows, lanes)."""
    return np.moveaxis(np.lib.stride_tricks.sliding_window_view(rows, count, axis=0), 2, 1)
