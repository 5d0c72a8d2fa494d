"""The best end points of long local pairs on the device, as shardwater/alignment/ends.py defines them.

One pass tells of each round of each strip its best cell, a peak. Where enough of those are apart, no chosen cell scores
less than the last of them. So only rounds that have a cell as good as that are done again: from where their strips were
stored, with what the strips before handed on, all side by side (kernels/pairs/long_cells.cu). Where there is no memory
for all strips of a pair, they are filled some at a time (end_parts.py).

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cupy
import numpy as np

from gpu.compile import kernel
from gpu.device import device, free_bytes
from gpu.layout import THREADS, WARP
from gpu.pairs.classes import Shape, long_shapes
from gpu.pairs.end_choice import PAIR, SCORE, EndCells, best_first, chosen, highest_first
from gpu.pairs.end_parts import Parts, Resident, bands_of, parts_of
from gpu.pairs.filling import Filling
from gpu.pairs.found import fetched
from gpu.pairs.long import MEMORY, LongPairs
from gpu.pairs.long_layout import shape_for, strips_of
from gpu.pairs.plan import WORK, rounds_of
from gpu.pairs.section_rows import Sections, state_words
from gpu.pairs.shares import PEAK_WORDS, Purpose
from shardwater.alignment.ends import EndPoint, Selection
from shardwater.pairs.batch import Numbers
from shardwater.pairs.coded import CodedPair

SECTIONS = Sections(1 << 6)
"""What is done again begins at most so many rounds before the cell that it is done for."""
CELLS = 1 << 20
MOST_CELLS = 1 << 26
"""Cells that there is room for, at first and at most."""
FEWER = 4
"""Where there is no room for all cells as good as some peaks, those of so many times fewer peaks are looked at."""
WORKS_A_WARP = 1 << 4
"""Of a launch that does rounds again: some milliseconds."""
LEAST_STRIPS = 1 << 6
"""Fewer of a pair are not worth filling at a time."""
BESIDE = 2
"""Strips of a band beside those that are filled (end_parts.py)."""
MOST_STRIPS = (1 << 16) - 2
"""Of a pair: a strip's number has 16 bits in what it hands on, and is not 0."""
PEAK_BYTES = 5 * 4 * PEAK_WORDS
"""What a peak takes while peaks are sorted: itself, a copy, keys and places."""
BLOCKS = 8
"""Of a multiprocessor, that look at peaks."""
SAMPLE, MORE_PEAKS = 1 << 16, 16
"""Peaks of a sample; and how many times as many as are looked for are sorted, about: all of them take a while."""


@dataclass(slots=True)
class _Pass:
    """What a pass looks for: cells of a selection, by so many peaks of a pair.

    leasts: what no chosen cell of each pair scores less than, as far as is known. lines: rows and columns of a single
    pair, a byte each, that have no such cell; none where nothing was chosen before. On the device, these two.
    """

    selection: Selection
    peaks: int
    leasts: Any
    lines: Sequence[Any] = ()
    cells: list[Any] = field(default_factory=list)

    @property
    def room(self) -> int:
        """How many more cells there is room for."""
        return MOST_CELLS - sum(map(len, self.cells))

    @property
    def is_last(self) -> bool:
        """Whether all cells that may be chosen were found: of a single pair."""
        return self.peaks == self.selection.enough or int(self.leasts[0]) == self.selection.least


class EndPoints:
    """The search for the best end points of some pairs under a local scheme, all with the same selection."""

    def __init__(self, pairs: Sequence[CodedPair], long: LongPairs, selection: Selection) -> None:
        """The pairs have letters on both sides, and the kernel is exact for them (LongPairs.holds)."""
        self._pairs, self._how, self._selection = pairs, long.how, selection
        parts = parts_of(pairs, long.scheme, long_shapes(long.how)[0])
        memory = min(MEMORY, free_bytes() // 2)
        self._shape = shape_for(parts.lengths[0], long.how)
        self._loads, strips = [parts], int(strips_of(parts.lengths[0], self._shape).max())
        if strips > MOST_STRIPS or peak_bytes(parts.lengths, self._shape) > memory:
            self._loads = self._bands(memory) if len(pairs) == 1 else []
        self._purpose = Purpose(sections=SECTIONS, least=selection.least)
        self._filled: Filling | None = None
        self._told = False

    def _bands(self, memory: int) -> list[Parts]:
        """The strips of a single pair, as many at a time as there is memory for."""
        [pair] = self._pairs
        self._shape = shape_for(np.array([len(pair.subject)]), self._how)
        most = min(MOST_STRIPS, memory // peak_bytes(np.array([[1], [len(pair.query)]]), self._shape)) - BESIDE
        return bands_of(pair, 2 * self._shape.width, most) if most >= LEAST_STRIPS else []

    @property
    def fits(self) -> bool:
        """Whether there is memory for what is kept of them."""
        return len(self._loads) > 0

    def find(self) -> Generator[float, None, list[list[EndPoint]] | None]:
        """Those of each pair; between launches the share that each one was of all, at most.

        None where there is no room for all cells that may be chosen: of several pairs, or of one with more equally good
        ones than that.
        """
        points: list[list[EndPoint]] = [[] for _ in self._pairs]
        left, peaks, lines = self._selection, self._selection.enough, list[Any]()
        while True:
            search = _Pass(left, peaks, cupy.full(len(self._pairs), left.least, np.int32), lines)
            cells = yield from self._candidates(search)
            self._told = True
            if cells is None:
                if len(self._pairs) > 1 or peaks == 1:
                    return None
                peaks = max(1, peaks // FEWER)
                continue
            found, counts = chosen(best_first(cells), len(self._pairs), left.count, left.apart)
            for each, rows, count in zip(points, found.get(), counts.get().tolist(), strict=True):
                each += [EndPoint(score, row + 1, column + 1) for score, row, column, _ in rows[:count].tolist()]
            if len(self._pairs) > 1 or len(points[0]) == self._selection.count or search.is_last:
                return points
            if not any(left.apart):
                # Nothing would keep the same cells from being found again.
                return None
            left = replace(self._selection, count=self._selection.count - len(points[0]))
            peaks, lines = min(left.enough, FEWER * peaks), _taken(points[0], self._pairs[0], left.apart)

    def _candidates(self, search: _Pass) -> Generator[float, None, Any]:
        """The cells (cells, 4) that may be chosen, of all pairs; None where there is no room for them."""
        entered = None
        for load in self._loads:
            filling = self._filled
            if filling is None:
                filling = yield from self._filling_of(load, entered)
            if load.checked and not self._filled and not _meet(filling, load):
                del filling
                self._loads, self._told = [Parts.whole(self._pairs)], True
                return (yield from self._candidates(search))
            if load.strips is None:
                self._filled = filling
            else:
                [entered] = filling.handed_on_by([(0, load.strips[-1])])
            there = Resident.of(load, self._shape)
            search.leasts = cupy.maximum(search.leasts, self._least(filling, there, search))
            found = self._cells(filling, there, search)
            if found is None:
                return None
            search.cells.append(found)
        cells = cupy.concatenate(search.cells)
        return cells[cells[:, SCORE] >= search.leasts[cells[:, PAIR]]]

    def _filling_of(self, load: Parts, entered: Any) -> Generator[float, None, Filling]:
        """Parts, filled; entered: of a band, what the one before has handed on."""
        filling = Filling(load.pairs, self._how, self._purpose, shape=self._shape)
        if load.strips is not None:
            filling.only(load.strips, entered)
        cells = sum(int(np.multiply(*each.lengths).sum()) for each in self._loads)
        for share in filling.run(filling.whole):
            # What another pass fills again was told.
            yield 0.0 if self._told else share * int(np.multiply(*load.lengths).sum()) / cells
        return filling

    def _least(self, filling: Filling, there: Resident, search: _Pass) -> Any:
        """The score of the last of enough peaks of each pair that are apart; the least of all where there are fewer."""
        least: Any = cupy.full(len(self._pairs), search.selection.least, np.int32)
        for cut in dict.fromkeys((self._cut(filling, search), search.selection.least)):
            cells, counts = self._peaks(filling, there, search, cut)
            least = cupy.where(counts == search.peaks, cells[:, -1, SCORE], least).astype(np.int32)
            if cut > search.selection.least and int(counts[0]) == search.peaks:
                break
        return least

    def _cut(self, filling: Filling, search: _Pass) -> int:
        """A score that some times as many peaks of a single pair have as are looked for, by a sample of them."""
        peaks = filling.peaks.reshape(-1, PEAK_WORDS)
        step = len(peaks) // SAMPLE
        rank = MORE_PEAKS * search.peaks // max(1, step)
        if len(self._pairs) > 1 or step == 0 or rank >= SAMPLE:
            return search.selection.least
        return max(search.selection.least, int(cupy.sort(peaks[::step, 1])[-1 - rank]))

    def _peaks(self, filling: Filling, there: Resident, search: _Pass, least: int) -> tuple[Any, Any]:
        """Peaks of each pair that are apart and score so much, as many as are looked for (end_choice.chosen)."""
        selection, items = search.selection, self._shape.items
        strips, rounds, _ = filling.peaks.shape
        found = EndCells.room(strips * rounds, search.lines)
        grid = min(-(-strips * rounds // THREADS), BLOCKS * device().multiprocessors)
        numbers = np.int64(strips * rounds), np.int32(rounds)
        where = there.strips, there.parts, filling.whole.pairs, np.int32(least)
        kernel("peak_cells", THREADS=THREADS, ITEMS=items)(
            (grid,), (THREADS,), (filling.peaks, *numbers, *where, found.argument())
        )
        # Which of its columns a peak is in is not known.
        apart = selection.query_apart, selection.subject_apart and selection.subject_apart + items - 1
        return chosen(highest_first(found.all[: found.counted()]), len(self._pairs), search.peaks, apart)

    def _cells(self, filling: Filling, there: Resident, search: _Pass) -> Any:
        """The cells (cells, 4) of parts that may be chosen; None where there are too many."""
        works, count = self._works(filling, there, search)
        capacity, step = min(CELLS, search.room), WORKS_A_WARP * self._shape.blocks * self._shape.warps
        while True:
            found, total = EndCells.room(capacity, search.lines), 0
            for start in range(0, count, step * device().multiprocessors):
                end = min(count, start + step * device().multiprocessors)
                filling.cells(works[start:end], there.parts, search.leasts, found)
                total = found.counted()
                if total > search.room:
                    return None
            if total <= capacity:
                return found.all[:total]
            capacity = total

    def _works(self, filling: Filling, there: Resident, search: _Pass) -> tuple[Any, int]:
        """What is to be done again, WORK on the device, and how much of it there is."""
        strips, rounds, _ = filling.peaks.shape
        sections = strips * -(-rounds // SECTIONS.rounds)
        works, taken = cupy.empty((sections, WORK.itemsize // 4), np.int32), cupy.zeros(1, np.int32)
        numbers = (np.int32(number) for number in (strips, rounds, SECTIONS.rounds))
        arguments = filling.peaks, *numbers, there.strips, there.parts, search.leasts, works, taken
        kernel("peak_works", THREADS=THREADS)((-(-sections * WARP // THREADS),), (THREADS,), arguments)
        return works, int(fetched(taken, cupy.cuda.get_current_stream())[0])


def _meet(filling: Filling, load: Parts) -> bool:
    """Whether each part hands on in its overlap what the one before has handed on there."""
    ones, others = zip(*load.meetings, strict=True)
    return not bool((filling.handed_on_by(ones) != filling.handed_on_by(others)).any())


def _taken(points: Sequence[EndPoint], pair: CodedPair, apart: tuple[int, int]) -> list[Any]:
    """Rows and columns, a byte each on the device, of which every cell is too close to one of these."""
    taken = [np.zeros(len(letters), np.uint8) for letters in (pair.query, pair.subject)]
    for point in points:
        for lines, line, distance in zip(taken, (point.row - 1, point.column - 1), apart, strict=True):
            lines[max(0, line - distance + 1) : line + distance] = 1
    return list(map(cupy.asarray, taken))


def peak_bytes(lengths: Numbers, shape: Shape) -> int:
    """What is kept of pairs of so many letters, in columns and rows: what strips hand on, strips, and peaks."""
    strips, rounds = strips_of(lengths[0], shape), rounds_of(lengths[1])
    handed_on = 8 * int((strips * lengths[1]).sum())
    stored = SECTIONS.stored(int(lengths[1].max())) + 1
    return handed_on + int(strips.sum()) * (4 * state_words(shape) * stored + PEAK_BYTES * int(rounds.max()))
