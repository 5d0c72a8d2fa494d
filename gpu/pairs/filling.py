"""Matrices of long pairs, filled launch by launch, strip after strip of columns (fill_long.cu).

Columns are of the subjects here, and rows of the queries: schemes are turned.
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
from gpu.device import device
from gpu.family import long_kept, long_pairs
from gpu.layout import (
    END_WORDS,
    KEPT_COLUMNS,
    KEPT_ROWS,
    NOTHING,
    PLACE_WORDS,
    PLACES,
    SLOT_BURST,
    THREADS,
    WARP,
)
from gpu.pairs.classes import Shape, long_shapes
from gpu.pairs.found import pinned, sending
from gpu.pairs.plan import launches, rounds_of
from gpu.pairs.potential import Form
from gpu.pairs.scores import by_value, run_blocks, scores_of
from gpu.pairs.ways import Matrices, pointers
from shardwater.pairs.batch import Numbers, PairBatch

ROUNDS = 512
"""Of WARP rows of a strip, that a warp does in a launch: some milliseconds."""
AHEAD = 2
"""Launches under way."""
PACK_BLOCKS = 64
"""That pack a pair."""

PAIR = np.dtype(
    [(name, np.int64) for name in ("columns_at", "rows_at", "edges_at", "kept_rows", "kept_columns")]
    + [(name, np.int32) for name in ("columns", "rows", "kept_rounds", "unused")]
)
"""LongPair of kernels/pairs/long.cuh."""
CHECKPOINTS = np.dtype([("words", np.int64), ("rounds", np.int32), ("strips", np.int32)])
"""Checkpoints of kernels/pairs/fill_long.cu."""
ROWS_BEFORE, ROUNDS_BEFORE, ROUNDS_BEHIND = 1, 2, 6
"""What is filled of a section beside its rows: its last places are PLACES - 1 rows behind, in its first round, too, and
the rows of the first tile of the section after it belong to it."""


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
        pairs["kept_rounds"] = rounds
        # Words of letters of rows stand behind those of columns; two are read at a time.
        of_columns = int(sizes["columns_at"].sum())
        pairs["rows_at"] += of_columns
        totals = [int(sizes[name].sum()) for name in ("rows_at", "edges_at", "kept_rows", "kept_columns")]
        return cls(pairs, of_columns + totals[0], *totals[1:])


class Filling:
    """Matrices that are filled, launch by launch, on the current stream."""

    def __init__(self, batch: PairBatch, numbers: Numbers, how: Form, *, keeps: bool, section: int = 0) -> None:
        """Send all, and pack the letters. section: rounds, of a single pair, after which strips are stored (refill)."""
        self._how, self._keeps, self._section = how, keeps, section
        lengths = batch.lengths[::-1, numbers]
        shape = self._shape = shape_for(lengths[0], how)
        layout = self._layout = Layout.of(lengths, how, shape)
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
        self._kept = _kept(*((layout.kept_rows, layout.kept_columns) if keeps else (0, 0)), shape)
        # No strip is 0 to those that come after it.
        self._edges = cupy.zeros(layout.edges, np.uint64)
        self._stored = cupy.empty(int(self._strips.sum()) * (2 * shape.items + PLACE_WORDS) * WARP, np.uint32)
        stored = (int(self._rounds[0]) - 1) // section if section else 0
        self._checkpoints = cupy.empty((stored, self._stored.size), np.uint32)
        self._ends = self._no_ends()

    def _no_ends(self) -> Any:
        ends = cupy.zeros((len(self._layout.pairs), END_WORDS + 1), np.int32)
        if self._how.mode != "Local":
            ends[:, 0] = NOTHING
        return ends

    def section_of(self, row: int) -> int:
        """The section that has the tile of a row: the first tile of each belongs to the one before."""
        return max(0, row - KEPT_ROWS) // (self._section * WARP)

    def first_row(self, section: int) -> int:
        """The first row of its first tile."""
        return section * self._section * WARP + KEPT_ROWS if section else 0

    def run(self) -> Generator[float, None, None]:
        """Fill them; queues no more than AHEAD launches, and tells which share of all each one was."""
        yield from self._run(self._strips, self._rounds, 0, keeps=self._keeps, ends=self._ends)

    def refill(self, section: int, column: int) -> Generator[float, None, None]:
        """Fill a section again up to the strip of a column, and keep what ways back need in it."""
        first, width = section * self._section, self._strips[0] * 2 * self._shape.width
        rounds = self._section + ROUNDS_BEFORE + ROUNDS_BEHIND
        pairs = self._layout.pairs.copy()
        pairs["rows"] = np.minimum(pairs["rows"], self.first_row(section + 1))
        pairs["kept_rows"] = (ROWS_BEFORE - first * WARP // KEPT_ROWS) * width
        pairs["kept_columns"], pairs["kept_rounds"] = ROUNDS_BEFORE - first, rounds
        self._sent.append(pinned(pairs))
        self._pairs = sending(self._sent[-1])
        if not self._keeps:
            rows = self._section * WARP // KEPT_ROWS + ROWS_BEFORE + 2
            self._kept = _kept(rows * int(width), -(-int(pairs["columns"][0]) // KEPT_COLUMNS) * rounds, self._shape)
            self._keeps = True
        if section:
            self._stored[...] = self._checkpoints[section - 1]
        self._edges[...] = 0
        strips = np.minimum(self._strips, column // (2 * self._shape.width) + 1)
        # Rows end where the section does, as if alignments might end there.
        yield from self._run(strips, rounds_of(pairs["rows"].astype(np.int64)), first, keeps=True, ends=self._no_ends())
        self._sent.pop()

    def _run(
        self, strips: Numbers, rounds: Numbers, first: int, *, keeps: bool, ends: Any
    ) -> Generator[float, None, None]:
        """Rounds of strips from the first one on."""
        under_way, stream = deque[tuple[Any, Any]](), cupy.cuda.get_current_stream()
        shape, most = self._shape, self._shape.blocks * device().multiprocessors
        every = int((strips * (rounds - first)).sum())
        try:
            for works in launches(strips, rounds - first, most * shape.warps, ROUNDS, first):
                if len(under_way) == AHEAD:
                    done, event = under_way.popleft()
                    event.synchronize()
                    yield float((done["to"] - done["from"]).sum()) / every
                sent = pinned(works)
                grid = min(most, -(-len(works) // shape.warps))
                self._launch(sending(sent), len(works), grid, keeps=keeps, ends=ends)
                under_way.append((sent, stream.record()))
        finally:
            # Memory must outlast what is done with it.
            stream.synchronize()

    def _launch(self, works: Any, count: int, grid: int, *, keeps: bool, ends: Any) -> None:
        shape = self._shape
        numbers = scores_of(self._how), by_value(np.array(self._how.free, np.int32))
        memory, taken = pointers(self._pairs, *self._kept), cupy.zeros(1, np.int32)
        before = works, np.int32(count), self._letters, *numbers, memory
        arguments = *before, self._edges, self._stored, self._storing(keeps), taken, ends
        run_blocks(long_pairs(self._how, shape, keeps), grid, arguments, shape.profile_bytes(self._how))

    def _storing(self, keeps: bool) -> npt.NDArray[Any]:
        checkpoints = np.zeros(1, CHECKPOINTS)
        if self._section and not keeps:
            checkpoints["words"] = self._checkpoints.data.ptr
            checkpoints["rounds"], checkpoints["strips"] = self._section, self._strips[0]
        return by_value(checkpoints)

    @property
    def ends(self) -> Any:
        """Where alignments end, once all is filled: FirstEnd of kernels/pairs/ends.cuh."""
        return cupy.ascontiguousarray(self._ends[:, :END_WORDS])

    def matrices(self) -> Matrices:
        """What ways back need, once all is filled, or a section is again."""
        starts, lengths = self._sides[:2], self._sides[2:]
        memory = pointers(self._pairs, *self._kept)
        return Matrices(long_kept(self._shape), memory, len(self._ends), self._most, self._codes, starts, *lengths)


def _kept(rows: int, columns: int, shape: Shape) -> list[Any]:
    """Room for LongMemory of long.cuh: so many columns of rows, and rounds of columns."""
    sizes = rows, rows // shape.items, columns * WARP, columns
    return [cupy.empty(max(1, size), np.int32) for size in sizes]
