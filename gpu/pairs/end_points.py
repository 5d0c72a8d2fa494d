"""The best end points of long local pairs on the device, as shardwater/alignment/ends.py defines them.

One pass tells of each round of each strip its best cell. Where enough of those are apart, no chosen cell scores less
than the last of them. So only rounds that have a cell as good as that are done again: from where their strips were
stored, with what the strips before handed on, all side by side (kernels/pairs/long_cells.cu).

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.device import device, free_bytes
from gpu.pairs.classes import Shape, long_shapes
from gpu.pairs.filling import Filling, shape_for, strips_of
from gpu.pairs.found import fetched
from gpu.pairs.long import MEMORY, LongPairs
from gpu.pairs.pieces import Pieces, pieces_of
from gpu.pairs.plan import WORK, rounds_of
from gpu.pairs.section_rows import Sections, state_words
from shardwater.alignment.ends import EndPoint, Selection, apart, best_first, chosen
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.pairs.engine import CodedPair

SECTIONS = Sections(1 << 6)
"""What is done again begins at most so many rounds before the cell that it is done for."""
PEAKS_A_CELL = 1 << 4
"""Peaks that are looked at for each cell that has to be found among them, at first."""
CELLS = 1 << 20
MOST_CELLS = 1 << 26
"""Cells that there is room for, at first and at most."""
MOST_STRIPS = (1 << 16) - 1
"""Of a pair: a strip's number has 16 bits in what it hands on, and is not 0."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a pair, or all of it: its letters before `first`, in rows and columns, belong to the piece before."""

    pair: int
    start: tuple[int, int]
    first: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What pairs are cut into."""

    batch: PairBatch
    parts: Sequence[Part]

    @classmethod
    def of(cls, pairs: Sequence[CodedPair], scheme: Scheme, width: int) -> Self:
        """The parts of pairs, in their order."""
        cut, parts = list[CodedPair](), list[Part]()
        for number, pair in enumerate(pairs):
            pieces = pieces_of(np.array([len(pair.query), len(pair.subject)]), width, scheme, device().multiprocessors)
            if pieces is None:
                cut.append(pair)
                parts.append(Part(number, (0, 0), (0, 0)))
            else:
                batch = pieces.batch(pair)
                cut += [batch[piece] for piece in range(len(batch))]
                parts += _parts(number, pieces)
        return cls(PairBatch.of(cut), parts)

    def of_pair(self, pair: int) -> range:
        """Their numbers."""
        numbers = [number for number, part in enumerate(self.parts) if part.pair == pair]
        return range(numbers[0], numbers[-1] + 1)

    def own(self, numbers: Numbers, cells: Numbers) -> tuple[npt.NDArray[np.bool_], Numbers]:
        """Which cells (3, cells) of parts by their numbers are their own, and all of them as cells of the pair."""
        first, start = (
            np.array([getattr(part, name) for part in self.parts], np.int64)[numbers].T for name in ("first", "start")
        )
        found = cells.copy()
        found[1:] += start
        own: npt.NDArray[np.bool_] = np.logical_and(*(cells[1:] >= first))
        return own, found


def _parts(number: int, pieces: Pieces) -> list[Part]:
    found = list[Part]()
    for piece, letters in enumerate(pieces.ranges):
        first = pieces.ranges[piece - 1].stop - letters.start if piece else 0
        if pieces.side:
            found.append(Part(number, (0, letters.start), (0, first)))
        else:
            found.append(Part(number, (letters.start, 0), (first, 0)))
    return found


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
        filling = Filling(
            batch, np.arange(len(batch)), self._how, keeps=False, sections=SECTIONS, least=self._selection.least
        )
        yield from filling.run(filling.whole)
        leasts = self._leasts(filling)
        found = self._cells(filling, self._works(filling, leasts), leasts)
        if found is None:
            return None
        own, cells = self._parts.own(found[3], found[:3])
        of_pair = np.array([part.pair for part in self._parts.parts])[found[3]]
        # A cell lies before the end of its letters.
        cells[1:] += 1
        every = [best_first(cells[:, own & (of_pair == pair)]) for pair in range(len(self._pairs))]
        return [chosen(each, self._selection) for each in every]

    def _leasts(self, filling: Filling) -> Numbers:
        """What no chosen cell scores less than: of each part."""
        found = np.zeros(len(self._parts.parts), np.int64)
        ends = np.concatenate(([0], np.cumsum(self._strips)))
        for pair in range(len(self._pairs)):
            parts = self._parts.of_pair(pair)
            peaks = filling.peaks[int(ends[parts.start]) : int(ends[parts.stop])]
            found[parts.start : parts.stop] = self._least(peaks, self._part_of_strip[ends[parts.start] :])
        return found

    def _least(self, peaks: Any, parts: Numbers) -> int:
        """The score of the last of enough peaks (strips, rounds, words) that are apart, or the least of all."""
        rounds, words = peaks.shape[1:]
        peaks, stream = peaks.reshape(-1, words), cupy.cuda.get_current_stream()
        order, count = None, PEAKS_A_CELL * self._selection.enough
        while count < len(peaks):
            order = cupy.argsort(-peaks[:, 1]) if order is None else order
            some = order[:count]
            enough = self._enough(fetched(cupy.ascontiguousarray(peaks[some]), stream), parts[some.get() // rounds])
            if enough is not None:
                return enough
            count *= PEAKS_A_CELL
        return self._enough(fetched(peaks, stream), parts[np.arange(len(peaks)) // rounds]) or self._selection.least

    def _enough(self, told: npt.NDArray[np.int32], parts: Numbers) -> int | None:
        """The score of the last of enough of these peaks of parts; None where they are not enough."""
        # Which of its columns a peak is in is not known.
        apart_in_columns = self._selection.columns_apart and self._selection.columns_apart + self._shape.items - 1
        lines, peaks, (columns, rows) = (
            (self._selection.rows_apart, apart_in_columns),
            told.T.astype(np.int64),
            self._lengths[:, parts],
        )
        own, cells = self._parts.own(parts, peaks[1:])
        own &= (peaks[1] >= self._selection.least) & (peaks[2] < rows) & (peaks[3] + self._shape.items <= columns)
        cells = best_first(cells[:, own])
        found = apart(cells, self._selection.enough, lines)
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
        while len(works):
            found, count = cupy.empty((capacity, 4), np.int32), cupy.zeros(1, np.uint32)
            for start in range(0, len(works), launch * self._shape.warps):
                filling.cells(works[start : start + launch * self._shape.warps], scores, found, count)
            [total] = fetched(count.view(np.int32), stream).view(np.uint32).tolist()
            if total <= capacity:
                return fetched(found[:total], stream).T.astype(np.int64)
            if total > MOST_CELLS:
                return None
            capacity = total
        return np.zeros((4, 0), np.int64)


def peak_bytes(lengths: Numbers, shape: Shape) -> int:
    """What is kept of pairs of so many letters, in columns and rows: what strips hand on, strips, and peaks."""
    strips, rounds = strips_of(lengths[0], shape), rounds_of(lengths[1])
    handed_on = 8 * int((strips * lengths[1]).sum())
    stored = SECTIONS.stored(int(lengths[1].max())) + 1
    return handed_on + int(strips.sum()) * (4 * state_words(shape) * stored + 16 * int(rounds.max()))
