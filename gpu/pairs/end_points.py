"""The best end points of long local pairs on the device, as shardwater/alignment/ends.py defines them.

One pass tells of each round of each strip its best cell. Where enough of those are apart, no chosen cell scores less
than the last of them. So only rounds that have a cell as good as that are done again: from where their strips were
stored, with what the strips before handed on, all side by side (kernels/pairs/long_cells.cu).

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.device import device, free_bytes
from gpu.pairs.classes import Shape, long_shapes
from gpu.pairs.filling import Filling
from gpu.pairs.found import fetched
from gpu.pairs.long import FEW, MEMORY, LongPairs
from gpu.pairs.long_layout import shape_for, strips_of
from gpu.pairs.pieces import pieces_of
from gpu.pairs.plan import WORK, rounds_of
from gpu.pairs.section_rows import Sections, state_words
from gpu.pairs.shares import Purpose
from shardwater.alignment.ends import EndPoint, Selection, apart, best_first, chosen
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.pairs.coded import CodedPair

SECTIONS = Sections(1 << 6)
"""What is done again begins at most so many rounds before the cell that it is done for."""
PEAKS_A_CELL = 1 << 2
"""Peaks that are looked at for each cell that has to be found among them, at first."""
CELLS = 1 << 20
MOST_CELLS = 1 << 26
"""Cells that there is room for, at first and at most."""
MOST_STRIPS = (1 << 16) - 1
"""Of a pair: a strip's number has 16 bits in what it hands on, and is not 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Pairs, few of them in pieces where they are soonest done so, one part after the other.

    pairs: the number of each part's pair; starts and firsts (2, parts): where it begins there, in rows and columns, and
    which are the first of its own: what comes before them belongs to the piece before. ends: of each pair's parts.
    """

    batch: PairBatch
    pairs: Numbers
    starts: Numbers
    firsts: Numbers
    ends: Numbers

    @classmethod
    def of(cls, pairs: Sequence[CodedPair], scheme: Scheme, width: int) -> Self:
        """width: columns of a strip."""
        cut, starts, firsts, ends = list[CodedPair](), list[tuple[int, int]](), list[tuple[int, int]](), list[int]()
        for pair in pairs:
            lengths = np.array([len(pair.query), len(pair.subject)])
            pieces = pieces_of(lengths, width, scheme, device().multiprocessors) if len(pairs) < FEW else None
            if pieces is None:
                cut.append(pair)
                starts.append((0, 0))
                firsts.append((0, 0))
            else:
                batch = pieces.batch(pair)
                cut += [batch[piece] for piece in range(len(batch))]
                begins = [letters.start for letters in pieces.ranges]
                own = [0, *(before.stop - after.start for before, after in pairwise(pieces.ranges))]
                starts += [(0, begin) if pieces.side else (begin, 0) for begin in begins]
                firsts += [(0, first) if pieces.side else (first, 0) for first in own]
            ends.append(len(cut))
        numbers = np.repeat(np.arange(len(pairs)), np.diff(ends, prepend=0))
        return cls(PairBatch.of(cut), numbers, np.array(starts).T, np.array(firsts).T, np.array(ends))

    def own(self, numbers: Numbers, cells: Numbers) -> tuple[npt.NDArray[np.bool_], Numbers]:
        """Which cells (3, cells) of parts by their numbers are their own, and all of them as cells of the pair."""
        found = cells.copy()
        found[1:] += self.starts[:, numbers]
        own: npt.NDArray[np.bool_] = np.logical_and(*(cells[1:] >= self.firsts[:, numbers]))
        return own, found


class EndPoints:
    """The search for the best end points of some pairs under a local scheme, all with the same selection."""

    def __init__(self, pairs: Sequence[CodedPair], long: LongPairs, selection: Selection) -> None:
        """The pairs have letters on both sides, and the kernel is exact for them (LongPairs.holds)."""
        self._pairs, self._how, self._selection = pairs, long.how, selection
        self._parts = Parts.of(pairs, long.scheme, 2 * long_shapes(long.how)[0].width)
        lengths = self._parts.batch.lengths[::-1]
        self._shape = shape_for(lengths[0], long.how)
        self._lengths, self._strips = lengths, strips_of(lengths[0], self._shape)
        self._part_of_strip = np.repeat(np.arange(len(self._strips)), self._strips)

    @property
    def fits(self) -> bool:
        """Whether there is memory for what is kept of them."""
        bytes_of = peak_bytes(self._lengths, self._shape)
        return bool(self._strips.max() < MOST_STRIPS) and bytes_of <= min(MEMORY, free_bytes() // 2)

    def find(self) -> Generator[float, None, list[list[EndPoint]] | None]:
        """Those of each pair; between launches the share that each one was of all, at most.

        None where there is no room for all cells that may be chosen.
        """
        batch = self._parts.batch
        purpose = Purpose(sections=SECTIONS, least=self._selection.least)
        filling = Filling(batch, np.arange(len(batch)), self._how, purpose)
        yield from filling.run(filling.whole)
        leasts = self._leasts(filling)
        found = self._cells(filling, self._works(filling, leasts), leasts)
        if found is None:
            return None
        own, cells = self._parts.own(found[3], found[:3])
        # A cell lies before the end of its letters.
        cells[1:] += 1
        pairs = self._parts.pairs[found[3, own]]
        order, cells = np.argsort(pairs, kind="stable"), cells[:, own]
        ends = np.searchsorted(pairs[order], np.arange(len(self._pairs) + 1)).tolist()
        return [chosen(best_first(cells[:, order[first:last]]), self._selection) for first, last in pairwise(ends)]

    def _leasts(self, filling: Filling) -> Numbers:
        """What no chosen cell scores less than: of each part."""
        parts = self._parts.ends
        strips = np.cumsum(self._strips)[parts - 1].tolist()
        found = [
            self._least(filling.peaks[first:last], self._part_of_strip[first:last])
            for first, last in pairwise((0, *strips))
        ]
        return np.repeat(found, np.diff(parts, prepend=0))

    def _least(self, peaks: Any, parts: Numbers) -> int:
        """The score of the last of enough peaks (strips, rounds, words) that are apart, or the least of all."""
        rounds, words = peaks.shape[1:]
        peaks, count = peaks.reshape(-1, words), PEAKS_A_CELL * self._selection.enough
        seen = cupy.flatnonzero(peaks[:, 1] >= self._selection.least)
        if len(seen) > count:
            seen = seen[cupy.argsort(-peaks[seen, 1])]
        while True:
            some = seen[:count]
            told = fetched(cupy.ascontiguousarray(peaks[some]), cupy.cuda.get_current_stream())
            enough = self._enough(told, parts[some.get() // rounds])
            if enough is not None or count >= len(seen):
                return enough or self._selection.least
            count *= PEAKS_A_CELL

    def _enough(self, told: npt.NDArray[np.int32], parts: Numbers) -> int | None:
        """The score of the last of enough of these peaks of parts; None where they are not enough."""
        # Which of its columns a peak is in is not known.
        apart_in_columns = self._selection.subject_apart and self._selection.subject_apart + self._shape.items - 1
        peaks, (columns, rows) = told.T.astype(np.int64), self._lengths[:, parts]
        own, cells = self._parts.own(parts, peaks[1:])
        own &= (peaks[2] < rows) & (peaks[3] + self._shape.items <= columns)
        cells = best_first(cells[:, own])
        found = apart(cells, self._selection.enough, (self._selection.query_apart, apart_in_columns))
        return int(cells[0, found[-1]]) if len(found) == self._selection.enough else None

    def _works(self, filling: Filling, leasts: Numbers) -> npt.NDArray[np.void]:
        """What is to be done again: of each strip and section up to its last round with such a cell."""
        stream, most = cupy.cuda.get_current_stream(), filling.peaks.shape[1]
        least_of = cupy.asarray(np.repeat(leasts, self._strips).astype(np.int32))
        places = cupy.flatnonzero((filling.peaks[:, :, 0] >= least_of[:, None]).ravel())
        stream.synchronize()
        strips, rounds = np.divmod(places.get(), most)
        sections = rounds // SECTIONS.rounds
        last = np.flatnonzero(np.diff(strips * most + sections, append=-1))
        part = self._part_of_strip
        firsts = np.cumsum(self._strips) - self._strips
        strips, rounds, sections = strips[last], rounds[last], sections[last]
        works = np.zeros(len(last), WORK)
        works["pair"], works["stored"] = part[strips], strips
        works["strip"] = strips - firsts[part[strips]]
        works["from"], works["to"] = sections * SECTIONS.rounds, rounds + 1
        return works

    def _cells(self, filling: Filling, works: npt.NDArray[np.void], leasts: Numbers) -> Numbers | None:
        """Scores, rows, columns and parts (4, cells) of the cells that may be chosen; None where there are too many."""
        stream, capacity = cupy.cuda.get_current_stream(), CELLS
        scores, launch = cupy.asarray(leasts.astype(np.int32)), self._shape.blocks * device().multiprocessors
        while True:
            found, count, total = cupy.empty((capacity, 4), np.int32), cupy.zeros(1, np.uint64), 0
            for start in range(0, len(works), launch * self._shape.warps):
                total = filling.cells(works[start : start + launch * self._shape.warps], scores, found, count)
                if total > MOST_CELLS:
                    return None
            if total <= capacity:
                return fetched(found[:total], stream).T.astype(np.int64)
            capacity = total


def peak_bytes(lengths: Numbers, shape: Shape) -> int:
    """What is kept of pairs of so many letters, in columns and rows: what strips hand on, strips, and peaks."""
    strips, rounds = strips_of(lengths[0], shape), rounds_of(lengths[1])
    handed_on = 8 * int((strips * lengths[1]).sum())
    stored = SECTIONS.stored(int(lengths[1].max())) + 1
    return handed_on + int(strips.sum()) * (4 * state_words(shape) * stored + 16 * int(rounds.max()))
