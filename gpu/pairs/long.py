"""Long pairs: strips of a pair over all multiprocessors, handed on from one to the next on the device (fill_long.cu).

Columns are of the subjects here, and rows of the queries: schemes are turned. What is kept for ways back takes
4.25 / KEPT_ROWS + 4.125 / KEPT_COLUMNS bytes a cell.
"""

from collections import deque
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Self

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.device import device, free_bytes
from gpu.family import long_kept, long_pairs
from gpu.layout import FOUND_WORDS, KEPT_COLUMNS, KEPT_ROWS, NOTHING, SLOT_BURST, THREADS, WARP
from gpu.pairs.classes import LONG_BASES, Shape, long_shapes
from gpu.pairs.found import columns, fetched, pinned, sending
from gpu.pairs.plan import PLACES, launches, rounds_of
from gpu.pairs.potential import MOST_BYTE, Form, form
from gpu.pairs.scores import by_value, run_blocks, scores_of, with_borders
from gpu.pairs.ways import Matrices, Ways, plain_scores, pointers, turned
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.pairs.columns import Columns
from shardwater.pairs.engine import Report

MEMORY = 64 << 30
"""Bytes kept on the device at a time; never more than half of what is free."""
MOST_PAIRS = 1 << 14
"""Of a chunk: a row of blocks packs a pair."""
ROUNDS = 512
"""Of WARP rows of a strip, that a warp does in a launch: some milliseconds."""
AHEAD = 2
"""Launches under way."""
PACK_BLOCKS = 64
"""That pack a pair."""

STORED_WORDS = 11
"""Of a lane between launches, beside H and F of its columns."""
END_WORDS = 3
"""As in kernels/pairs/long.cuh, fill_long.cu and ends.cuh."""
LOWEST, MOST = 1 << 13, (1 << 15) - 1
"""As in kernels/pairs/strip.cuh."""
MOST_SUM = 1 << 30
"""What no number comes near to, bases included."""

PAIR = np.dtype(
    [(name, np.int64) for name in ("columns_at", "rows_at", "edges_at", "kept_rows", "kept_columns")]
    + [("columns", np.int32), ("rows", np.int32)]
)
"""LongPair of kernels/pairs/long.cuh."""


def holds(how: Form, scheme: Scheme, lengths: Numbers) -> npt.NDArray[np.bool_]:
    """Which of these pairs (2, pairs) the kernel is exact for.

    Neighbours in a row or column differ by no more than `step`: whoever leaves a letter out of an alignment loses its
    score, and opens a gap. In potential form each has its potential more. So a place's numbers keep within the window
    of strip.cuh for a round: WARP rows, its own columns, and the one before them.
    """
    best, row, column = max(1, int(scheme.table.best)), how.free[5], how.free[6]
    step = best + scheme.gap_first + row + column
    cells = WARP + max(shape.items for shape in long_shapes(how)) + 1
    kept_low = 3 * scheme.gap_first + cells * scheme.gap_extend <= LOWEST
    kept_high = 2 * LOWEST + cells * step + MOST_BYTE <= MOST
    most = how.free[0] + (lengths.sum(axis=0) + PLACES * WARP) * (row + column + scheme.gap_extend)
    most = most + np.minimum(*lengths) * best + 3 * scheme.gap_first
    held: npt.NDArray[np.bool_] = (most < MOST_SUM) & (lengths.min(axis=0) > 0) & kept_low & kept_high
    return held


def strips_of(columns: Numbers, shape: Shape) -> Numbers:
    """Strips of so many columns."""
    found: Numbers = -(-columns // (2 * shape.width))
    return found


def shape_for(columns: Numbers, how: Form) -> Shape:
    """The widest strips that are enough for all warps: the wider they are, the fewer instructions a cell takes."""
    narrowest, *wider = long_shapes(how)
    warps = device().multiprocessors * narrowest.warps
    enough = [shape for shape in wider if strips_of(columns, shape).sum() >= shape.blocks * warps]
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
    def of(cls, lengths: Numbers, form: Form, shape: Shape) -> Self:
        """That of pairs of so many letters, in columns and in rows."""
        strips, rounds = strips_of(lengths[0], shape), rounds_of(lengths[1])
        sizes = {
            "columns_at": strips * (shape.width // SLOT_BURST) * form.letter_words,
            "rows_at": (PLACES + rounds * WARP) // 4 + 4,
            "edges_at": lengths[1],
            "kept_rows": (lengths[1] - 1) // KEPT_ROWS * strips * 2 * shape.width,
            "kept_columns": (lengths[0] - 1) // KEPT_COLUMNS * rounds,
        }
        pairs = np.zeros(lengths.shape[1], PAIR)
        for name, size in sizes.items():
            pairs[name] = np.cumsum(size) - size
        pairs["columns"], pairs["rows"] = lengths
        # Words of letters of rows stand behind those of columns; two are read at a time.
        of_columns = int(sizes["columns_at"].sum())
        pairs["rows_at"] += of_columns
        totals = [int(sizes[name].sum()) for name in ("rows_at", "edges_at", "kept_rows", "kept_columns")]
        return cls(pairs, of_columns + totals[0], *totals[1:])


def kept_bytes(lengths: Numbers) -> Numbers:
    """What is kept of pairs of so many letters, in columns and in rows, by the most that any shape takes."""
    narrow, wide = LONG_BASES
    columns = strips_of(lengths[0], wide) * 2 * wide.width
    of_rows = lengths[1] // KEPT_ROWS * columns * (4 * narrow.items + 4) // narrow.items
    found: Numbers = of_rows + lengths[0] // KEPT_COLUMNS * rounds_of(lengths[1]) * (4 * WARP + 4)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class LongPairs:
    """How long pairs are aligned under a scheme: of letters that are bases alone, or of all."""

    scheme: Scheme
    how: Form
    ways: Ways

    @classmethod
    def of(cls, scheme: Scheme, *, bases: bool) -> Self | None:
        """None where the scheme is not for 16 bits."""
        how = form(turned(scheme), bases=bases)
        scores = None if how is None else plain_scores(scheme, len(how.scores))
        return None if how is None or scores is None else cls(scheme, how, Ways.of(scheme, how, scores))

    def holds(self, lengths: Numbers) -> npt.NDArray[np.bool_]:
        """Which pairs of so many letters they are aligned exactly for."""
        return holds(self.how, self.scheme, lengths[::-1])

    def align(self, batch: PairBatch, numbers: Numbers, report: Report) -> Generator[Columns, None, None]:
        """What is found of these pairs of a batch, in some order, and between launches how far they are.

        On the current stream. Nothing of pairs of which more is to be kept than there is memory.
        """
        memory = min(MEMORY, free_bytes() // 2)
        lengths = batch.lengths[::-1, numbers]
        bytes_of = np.zeros(len(numbers), np.int64) if report == "score" else kept_bytes(lengths)
        order = np.argsort(-lengths[1], kind="stable")
        order = order[bytes_of[order] <= memory]
        start = 0
        while start < len(order):
            fitting = int(np.searchsorted(np.cumsum(bytes_of[order[start:]]), memory, side="right"))
            some = numbers[order[start : start + min(MOST_PAIRS, fitting)]]
            start += len(some)
            yield from self._align(batch, some, report)

    def _align(self, batch: PairBatch, numbers: Numbers, report: Report) -> Generator[Columns, None, None]:
        lengths = batch.lengths[:, numbers]
        cells = np.multiply(*lengths)
        filling = _Filling(batch, numbers, self.how, keeps=report != "score")
        for share in filling.run():
            yield Columns.nothing(self.scheme.mode.local, int(share * cells.sum()))
        stream = cupy.cuda.get_current_stream()
        if report == "score":
            ends = fetched(filling.ends, stream).reshape(-1, END_WORDS)
            scores = with_borders(ends[:, 0].astype(np.int64), lengths, self.scheme)
            yield Columns.scored(self.scheme.mode.local, numbers, cells, scores)
            return
        runs, taken = cupy.empty(int(lengths.sum()), np.int32), cupy.zeros(1, np.int32)
        found = self.ways.walk(filling.matrices(), filling.ends, runs, taken)
        rows = fetched(found, stream).reshape(-1, FOUND_WORDS)
        count = int(fetched(taken, stream)[0])
        yield columns(self.scheme.mode.local, numbers, cells, rows, fetched(runs[:count], stream))


class _Filling:
    """Matrices that are filled, launch by launch, on the current stream."""

    def __init__(self, batch: PairBatch, numbers: Numbers, how: Form, *, keeps: bool) -> None:
        """Send all, and pack the letters."""
        self._how, self._keeps = how, keeps
        lengths = batch.lengths[::-1, numbers]
        shape = self._shape = shape_for(lengths[0], how)
        layout = Layout.of(lengths, how, shape)
        self._most = int(lengths.sum(axis=0).max())
        self._strips, self._rounds = strips_of(lengths[0], shape), rounds_of(lengths[1])
        # All subjects, then all queries.
        codes = cupyx.empty_pinned(int(lengths.sum()), np.uint8)
        np.concatenate(
            [side[number] for side in (batch.subjects, batch.queries) for number in numbers.tolist()], out=codes
        )
        starts = (np.cumsum(lengths) - lengths.ravel()).reshape(2, -1)
        numbers_of = [pinned(each) for each in (*starts, *lengths.astype(np.int32))]
        self._sent = [pinned(layout.pairs), codes, *numbers_of]
        self._pairs, self._codes, *self._sides = map(sending, self._sent)
        self._letters = cupy.empty(layout.words, np.uint32)
        pack = kernel("pack_long", LANES=WARP, ITEMS=shape.items, WORDS=how.letter_words)
        blocks = max(1, min(PACK_BLOCKS, self._most // (4 * THREADS)))
        pack((blocks, len(layout.pairs)), (THREADS,), (self._pairs, self._codes, *self._sides[:2], self._letters))
        kept = (layout.kept_rows, layout.kept_columns) if keeps else (0, 0)
        sizes = kept[0], kept[0] // shape.items, kept[1] * WARP, kept[1]
        self._kept = [cupy.empty(max(1, size), np.int32) for size in sizes]
        # No strip is 0 to those that come after it.
        self._edges = cupy.zeros(layout.edges, np.uint64)
        self._stored = cupy.empty(int(self._strips.sum()) * (2 * shape.items + STORED_WORDS) * WARP, np.uint32)
        self._ends = cupy.zeros((len(layout.pairs), END_WORDS + 1), np.int32)
        if how.mode != "Local":
            self._ends[:, 0] = NOTHING

    def run(self) -> Generator[float, None, None]:
        """Fill them; queues no more than AHEAD launches, and tells which share of all each one was."""
        under_way, stream = deque[tuple[Any, Any]](), cupy.cuda.get_current_stream()
        rounds = int((self._strips * self._rounds).sum())
        shape = self._shape
        most = shape.blocks * device().multiprocessors
        try:
            for works in launches(self._strips, self._rounds, most * shape.warps, ROUNDS):
                if len(under_way) == AHEAD:
                    done, event = under_way.popleft()
                    event.synchronize()
                    yield float((done["to"] - done["from"]).sum()) / rounds
                sent = pinned(works)
                self._launch(sending(sent), len(works), min(most, -(-len(works) // shape.warps)))
                under_way.append((sent, stream.record()))
        finally:
            # Memory must outlast what is done with it.
            stream.synchronize()

    def _launch(self, works: Any, count: int, grid: int) -> None:
        shape = self._shape
        numbers = scores_of(self._how), by_value(np.array(self._how.free, np.int32))
        memory, taken = pointers(self._pairs, *self._kept), cupy.zeros(1, np.int32)
        before = works, np.int32(count), self._letters, *numbers, memory
        arguments = *before, self._edges, self._stored, taken, self._ends
        run_blocks(long_pairs(self._how, shape, self._keeps), grid, arguments, shape.profile_bytes(self._how))

    @property
    def ends(self) -> Any:
        """Where alignments end, once all is filled: FirstEnd of kernels/pairs/ends.cuh."""
        return cupy.ascontiguousarray(self._ends[:, :END_WORDS])

    def matrices(self) -> Matrices:
        """What ways back need, once all is filled."""
        starts, lengths = self._sides[:2], self._sides[2:]
        memory = pointers(self._pairs, *self._kept)
        return Matrices(long_kept(self._shape), memory, len(self._ends), self._most, self._codes, starts, *lengths)
