"""Matrices of long pairs, filled launch by launch, strip after strip of columns (fill_long.cu).

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.device import device
from gpu.family import long_cells, long_kept, long_pairs
from gpu.layout import (
    END_WORDS,
    KEPT_COLUMNS,
    KEPT_ROWS,
    NOTHING,
    PLACES,
    SLOT_BURST,
    THREADS,
    WARP,
)
from gpu.pairs.classes import Shape, long_shapes
from gpu.pairs.found import fetched, pinned, sending
from gpu.pairs.plan import launches, rounds_of
from gpu.pairs.potential import Form
from gpu.pairs.scores import by_value, run_blocks, scores_of
from gpu.pairs.section_rows import Sections, kept_columns, state_words, strip_columns
from gpu.pairs.ways import Matrices, pointers
from shardwater.pairs.batch import Numbers, PairBatch

ROUNDS = 512
"""Of WARP rows of a strip, that a warp does in a launch: some milliseconds."""
LEAST_ROUNDS = 32
"""That are worth a launch."""
BUSY = 0.85
"""Warps, at least, that are to have a strip where some have several in a launch."""
ENOUGH = 3
"""Strips for each warp: of a few more than one, most warps have nothing to do while the last ones are filled."""
AHEAD = 2
"""Launches under way."""
PACK_BLOCKS = 64
"""That pack a pair."""

PAIR = np.dtype(
    [(name, np.int64) for name in ("columns_at", "rows_at", "edges_at", "kept_rows", "kept_columns")]
    + [(name, np.int32) for name in ("columns", "rows", "kept_rounds", "unused")]
)
"""LongPair of kernels/pairs/long.cuh."""
CHECKPOINTS = np.dtype(
    [(name, np.int64) for name in ("words", "edges")]
    + [(name, np.int32) for name in ("rounds", "strips", "every", "unused")]
)
"""Checkpoints of kernels/pairs/handed.cuh."""
PRUNING = np.dtype([("best", np.int64), ("gain", np.int32), ("unused", np.int32)])
"""Pruning of kernels/pairs/prunes.cuh."""
PEAK_WORDS = 4
PEAKS = np.dtype([("all", np.int64), ("rounds", np.int32), ("least", np.int32)])
"""Peak and Peaks of kernels/pairs/peaks.cuh."""
CELLS = np.dtype([("all", np.int64), ("count", np.int64), ("capacity", np.int64)])
"""EndCells of kernels/pairs/long_cells.cu."""


def strips_of(columns: Numbers, shape: Shape) -> Numbers:
    """Strips of so many columns."""
    found: Numbers = -(-columns // (2 * shape.width))
    return found


def shape_for(columns: Numbers, how: Form) -> Shape:
    """The widest strips that are ENOUGH for all warps: the wider they are, the fewer instructions a cell takes."""
    narrowest, *wider = long_shapes(how)
    warps = device().multiprocessors * narrowest.warps
    enough = [shape for shape in wider if strips_of(columns, shape).sum() >= ENOUGH * shape.blocks * warps]
    return [narrowest, *enough][-1]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where what belongs to pairs begins (long.cuh).

    In all words of letters, rows of edges, columns of kept rows, and rounds of kept columns.
    """

    pairs: npt.NDArray[np.void]
    words: int
    edges: int
    kept_rows: int
    kept_columns: int

    @classmethod
    def of(cls, lengths: Numbers, form: Form, shape: Shape, *, each_edge: bool = False) -> Self:
        """That of pairs of so many letters, in columns and in rows; each_edge: of every strip, not of one at a time."""
        strips, rounds = strips_of(lengths[0], shape), rounds_of(lengths[1])
        sizes = {
            "columns_at": strips * (shape.width // SLOT_BURST) * form.letter_words,
            "rows_at": (PLACES + rounds * WARP) // 4 + 4,
            "edges_at": lengths[1] * strips if each_edge else lengths[1],
            "kept_rows": (lengths[1] - 1) // KEPT_ROWS * strips * 2 * shape.width,
            "kept_columns": (lengths[0] - 1) // KEPT_COLUMNS * rounds,
        }
        pairs = np.zeros(lengths.shape[1], PAIR)
        for name, size in sizes.items():
            pairs[name] = np.cumsum(size) - size
        pairs["columns"], pairs["rows"] = lengths
        pairs["kept_rounds"] = rounds
        # Words of letters of rows stand behind those of columns; two are read at a time.
        of_columns = int(sizes["columns_at"].sum())
        pairs["rows_at"] += of_columns
        totals = [int(sizes[name].sum()) for name in ("rows_at", "edges_at", "kept_rows", "kept_columns")]
        return cls(pairs, of_columns + totals[0], *totals[1:])


@dataclass(frozen=True, slots=True, eq=False)
class Fill:
    """Strips that are filled together, rounds from the first one on, and where what they leave goes.

    left: the column from which on a way back can be walked: of a section that is not filled from the first strip on.
    layout: LongPair of each in pinned memory; pairs, kept and ends on the device: the same, LongMemory (nothing in it
    where nothing is kept), and PairEnd.
    """

    layout: npt.NDArray[np.void]
    pairs: Any
    kept: Sequence[Any]
    ends: Any
    strips: Numbers
    rounds: Numbers
    first: int
    keeps: bool
    first_strip: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True)
class Purpose:
    """What matrices are filled for, beside where their alignments end.

    keeps: what ways back need. sections: before each of which strips are stored. least: where rounds are to tell their
    best cell, what that has to score; what strips hand on stays then. prunes: whether, of local pairs and for neither
    of the others, rounds are left out that can have no best alignment.
    """

    keeps: bool = False
    sections: Sections | None = None
    least: int | None = None
    prunes: bool = True


class Filling:
    """Matrices that are filled, launch by launch, on the current stream."""

    def __init__(self, batch: PairBatch, numbers: Numbers, how: Form, purpose: Purpose) -> None:
        """Send all, and pack the letters."""
        keeps, sections, least = purpose.keeps, purpose.sections, purpose.least
        self._how, self._sections, self._least = how, sections, least
        self._prunes = purpose.prunes and how.mode == "Local" and not keeps and least is None
        lengths = batch.lengths[::-1, numbers]
        shape = self._shape = shape_for(lengths[0], how)
        layout = self._layout = Layout.of(lengths, how, shape, each_edge=least is not None)
        self._most = int(lengths.sum(axis=0).max())
        # All subjects, then all queries.
        codes = cupyx.empty_pinned(int(lengths.sum()), np.uint8)
        np.concatenate(
            [side[number] for side in (batch.subjects, batch.queries) for number in numbers.tolist()], out=codes
        )
        starts = (np.cumsum(lengths) - lengths.ravel()).reshape(2, -1)
        numbers_of = [pinned(each) for each in (*starts, *lengths.astype(np.int32))]
        self._sent = [pinned(layout.pairs), codes, *numbers_of]
        pairs, self._codes, *self._sides = map(sending, self._sent)
        self._letters = cupy.empty(layout.words, np.uint32)
        pack = kernel("pack_long", LANES=WARP, ITEMS=shape.items, WORDS=how.letter_words)
        blocks = max(1, min(PACK_BLOCKS, self._most // (4 * THREADS)))
        pack((blocks, len(layout.pairs)), (THREADS,), (pairs, self._codes, *self._sides[:2], self._letters))
        kept = kept_room(*((layout.kept_rows, layout.kept_columns) if keeps else (0, 0)), shape)
        strips, rounds = strips_of(lengths[0], shape), rounds_of(lengths[1])
        self.whole = Fill(self._sent[0], pairs, kept, self._no_ends(), strips, rounds, 0, keeps)
        # No strip is 0 to those that come after it.
        self._edges = cupy.zeros(layout.edges, np.uint64)
        self._stored = cupy.empty(int(strips.sum()) * state_words(shape), np.uint32)
        self._best = cupy.zeros(len(layout.pairs), np.int32)
        stored = sections.stored(int(lengths[1].max())) if sections else 0
        self._checkpoints = cupy.empty((stored, self._stored.size), np.uint32)
        # Of a single pair: sections begin right of these strips, too.
        groups = int(strips[0]) // sections.group if sections and least is None else 0
        self._handed_on = cupy.empty((groups, int(lengths[1, 0])), np.uint64)
        told = 0 if least is None else int(strips.sum())
        self.peaks = cupy.zeros((told, int(rounds.max()), PEAK_WORDS), np.int32)

    def _no_ends(self) -> Any:
        ends = cupy.zeros((len(self._layout.pairs), END_WORDS + 1), np.int32)
        if self._how.mode != "Local":
            ends[:, 0] = NOTHING
        return ends

    def section_room(self) -> list[Any]:
        """Room for what is kept of any section."""
        assert self._sections is not None
        [columns] = self._layout.pairs["columns"].tolist()
        rows = self._sections.kept_rows * strip_columns(columns, self._shape)
        return kept_room(rows, kept_columns(columns) * self._sections.kept_rounds, self._shape)

    def section(self, number: int, column: int, kept: Sequence[Any]) -> Fill:
        """A section with what ways back from a column need, as far to the left as one is likely to come there; in such
        a room, once all was filled.
        """
        assert self._sections is not None
        pairs, sections = self._layout.pairs.copy(), self._sections
        # Rows end where the section does, as if alignments might end there.
        pairs["rows"] = np.minimum(pairs["rows"], sections.first_row(number + 1))
        pairs["kept_rows"] = sections.rows_shift(number) * strip_columns(int(pairs["columns"][0]), self._shape)
        pairs["kept_columns"], pairs["kept_rounds"] = sections.rounds_shift(number), sections.kept_rounds
        sent = pinned(pairs)
        width = 2 * self._shape.width
        first_strip = sections.first_strip(column, width)
        strips = np.minimum(self.whole.strips, column // width + 1) - first_strip
        rounds = rounds_of(pairs["rows"].astype(np.int64))
        # A tile needs the column before it.
        left = first_strip * width + KEPT_COLUMNS if first_strip else 0
        first, ends = sections.first_round(number), self._no_ends()
        return Fill(sent, sending(sent), kept, ends, strips, rounds, first, True, first_strip, left)

    def run(self, fill: Fill) -> Generator[float, None, None]:
        """Fill; queues no more than AHEAD launches, and tells which share of all each one was."""
        if fill is not self.whole:
            assert self._sections is not None
            self._edges[...] = 0
            if fill.first_strip:
                row = fill.first * WARP
                self._edges[row:] = self._handed_on[fill.first_strip // self._sections.group - 1, row:]
            if fill.first:
                self._stored[...] = self._checkpoints[fill.first // self._sections.rounds - 1]
        under_way, stream = deque[tuple[Any, Any]](), cupy.cuda.get_current_stream()
        shape, most = self._shape, self._shape.blocks * device().multiprocessors
        rounds = fill.rounds - fill.first
        every = int((fill.strips * rounds).sum())
        try:
            for works in launches(fill.strips, rounds, *self._share_of_launch(fill), fill.first):
                if len(under_way) == AHEAD:
                    done, event = under_way.popleft()
                    event.synchronize()
                    yield float((done["to"] - done["from"]).sum()) / every
                for name in ("strip", "stored"):
                    works[name] += fill.first_strip
                sent = pinned(works)
                self._launch(fill, sending(sent), len(works), min(most, -(-len(works) // shape.warps)))
                under_way.append((sent, stream.record()))
        finally:
            # Memory must outlast what is done with it.
            stream.synchronize()

    def _share_of_launch(self, fill: Fill) -> tuple[int, int]:
        """Strips that take part in a launch, and rounds of each.

        As many strips as there are warps, until they end. But the better the best alignment is that has been seen, the
        more can be left out, and it is in the first rows of all strips sooner than in all rows of the first strips.
        """
        warps, strips = self._shape.blocks * device().multiprocessors * self._shape.warps, int(fill.strips.sum())
        turns = -(-strips // warps)
        if not self._prunes or strips < BUSY * turns * warps:
            return warps, ROUNDS
        return strips, max(LEAST_ROUNDS, ROUNDS // turns)

    def _launch(self, fill: Fill, works: Any, count: int, grid: int) -> None:
        shape = self._shape
        numbers = scores_of(self._how), by_value(np.array(self._how.free, np.int32))
        memory, taken = pointers(fill.pairs, *fill.kept), cupy.zeros(1, np.int32)
        before = works, np.int32(count), self._letters, *numbers, memory
        stored = self._edges, self._stored, self._storing(fill), self._telling()
        peaks = self._least is not None
        family = long_pairs(self._how, shape, fill.keeps, peaks, self._prunes and not fill.keeps)
        arguments = *before, *stored, self._pruning(), taken, fill.ends
        run_blocks(family, grid, arguments, shape.profile_bytes(self._how))

    def cells(self, works: npt.NDArray[np.void], leasts: Any, found: Any, count: Any) -> int:
        """Append to those found the cells that rounds have, once all was filled (long_cells.cu); the new count.

        works: WORK, from rounds before which strips are stored; leasts: what cells of each pair score at least; found
        (cells, 4) and their count, which goes on where there is no room for more. On the device, these three.
        """
        shape, most = self._shape, self._shape.blocks * device().multiprocessors
        numbers = scores_of(self._how), by_value(np.array(self._how.free, np.int32))
        cells = np.zeros(1, CELLS)
        cells["all"], cells["count"], cells["capacity"] = found.data.ptr, count.data.ptr, len(found)
        sent, taken = pinned(works), cupy.zeros(1, np.int32)
        memory = pointers(self.whole.pairs, *self.whole.kept)
        before = sending(sent), np.int32(len(works)), self._letters, *numbers, memory
        stored = self._edges, self._storing(self.whole), self._telling()
        arguments = *before, *stored, leasts, taken, by_value(cells)
        grid = min(most, -(-len(works) // shape.warps))
        run_blocks(long_cells(self._how, shape), grid, arguments, shape.profile_bytes(self._how))
        low, high = fetched(count.view(np.int32), cupy.cuda.get_current_stream()).view(np.uint32).tolist()
        return int(low + (high << 32))

    def _pruning(self) -> npt.NDArray[Any]:
        pruning = np.zeros(1, PRUNING)
        pruning["best"], pruning["gain"] = self._best.data.ptr, self._how.each
        return by_value(pruning)

    def _telling(self) -> npt.NDArray[Any]:
        peaks = np.zeros(1, PEAKS)
        if self._least is not None:
            peaks["all"], peaks["rounds"], peaks["least"] = self.peaks.data.ptr, self.peaks.shape[1], self._least
        return by_value(peaks)

    def _storing(self, fill: Fill) -> npt.NDArray[Any]:
        checkpoints = np.zeros(1, CHECKPOINTS)
        if self._sections is not None and fill is self.whole:
            checkpoints["words"], checkpoints["edges"] = self._checkpoints.data.ptr, self._handed_on.data.ptr
            checkpoints["every"] = self._sections.group if len(self._handed_on) else 0
            checkpoints["rounds"], checkpoints["strips"] = self._sections.rounds, fill.strips.sum()
        return by_value(checkpoints)

    @property
    def ends(self) -> Any:
        """Where alignments end, once all is filled: FirstEnd of kernels/pairs/ends.cuh."""
        return cupy.ascontiguousarray(self.whole.ends[:, :END_WORDS])

    def matrices(self, fill: Fill) -> Matrices:
        """What ways back need of what was filled."""
        starts, lengths, count = self._sides[:2], self._sides[2:], len(fill.layout)
        return Matrices(long_kept(self._shape), self.memory(fill), count, self._most, self._codes, starts, *lengths)

    def matrices_of(self, fill: Fill, numbers: Numbers, most: int) -> Matrices:
        """The same of its pairs by their numbers, of one perhaps several times.

        most: words of runs that an alignment has at most.
        """
        sent = [pinned(each[numbers]) for each in (fill.layout, *self._sent[2:])]
        # They last until the next ones.
        self._several, *sides = map(sending, sent)
        cupy.cuda.get_current_stream().synchronize()
        memory = pointers(self._several, *fill.kept)
        return Matrices(long_kept(self._shape), memory, len(numbers), most, self._codes, sides[:2], *sides[2:])

    def memory(self, fill: Fill) -> npt.NDArray[Any]:
        """LongMemory of what was filled."""
        return pointers(fill.pairs, *fill.kept)

    @property
    def items(self) -> int:
        """Columns of a place."""
        return self._shape.items


def kept_room(rows: int, columns: int, shape: Shape) -> list[Any]:
    """Room for LongMemory of long.cuh: so many columns of rows, and rounds of columns."""
    sizes = rows, rows // shape.items, columns * WARP, columns
    return [cupy.empty(max(1, size), np.int32) for size in sizes]
