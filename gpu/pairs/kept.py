"""Best alignments of many pairs, long ones of DNA, and proteins: scored two to a register, then walked back.

kernels/pairs/kept.cuh says what that is. Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from dataclasses import dataclass
from typing import Any, Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.device import device, free_bytes
from gpu.family import kept_pairs
from gpu.layout import (
    END_WORDS,
    FOUND_WORDS,
    KEPT_COLUMNS,
    KEPT_PAD,
    KEPT_ROWS,
    SLOT_BURST,
    THREADS,
    WARP,
)
from gpu.pairs.budgets import Budget, chunks
from gpu.pairs.chunks import WAYS, Letters, UnderWay, letters_at
from gpu.pairs.classes import Class, classes, narrowest, wide_shapes
from gpu.pairs.found import Aligned, Answer, pinned, sending
from gpu.pairs.potential import Form, form
from gpu.pairs.scores import by_value, run_blocks, scores_of
from gpu.pairs.short import SHORT_LETTERS
from gpu.pairs.ways import Matrices, Ways, plain_scores, pointers
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, PairBatch

MEMORY = 32 << 30
"""Bytes kept on the device at a time; never more than a quarter of what is free."""

SET = np.dtype([("columns_at", np.int64), ("rows_at", np.int64), ("columns", np.int32), ("rows", np.int32)])
"""Set of kernels/pairs/slots.cuh."""
PLACE = np.dtype([("rows", np.int64), ("columns", np.int64)])
"""KeptPlace of kernels/pairs/kept.cuh."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Two pairs of like lengths to a set, the most work first; pairs: by their places, -1 for none.

    columns and rows (pairs in the order of sets); words, row_words (of 8 bytes) and column_words (of 16): how many
    letters, and what is kept, take.
    """

    pairs: Numbers
    columns: npt.NDArray[np.int32]
    rows: npt.NDArray[np.int32]
    sets: npt.NDArray[np.void]
    places: npt.NDArray[np.void]
    words: int
    row_words: int
    column_words: int

    @classmethod
    def of(cls, lengths: Numbers, width: int, form: Form) -> Self:
        """Those of pairs of so many letters, in columns and in rows."""
        order = np.argsort(-(-(-lengths[0] // width) * (lengths[1].max() + 1) + lengths[1]))
        pairs = np.full(len(order) + len(order) % 2, -1)
        pairs[: len(order)] = order
        columns, rows = np.where(pairs < 0, 0, lengths[:, pairs]).astype(np.int32)
        longest = [each.reshape(-1, 2).max(axis=1).astype(np.int64) for each in (columns, rows)]
        words = np.stack([-(-each // SLOT_BURST) * form.letter_words for each in longest], axis=1)
        ends = np.cumsum(words).reshape(-1, 2)
        sets, places = np.zeros(len(ends), SET), np.zeros(len(ends), PLACE)
        sets["columns_at"], sets["rows_at"] = (ends - words).T
        sets["columns"], sets["rows"] = longest
        kept = kept_words(longest[0], longest[1], form)
        for name, each in zip(("rows", "columns"), kept, strict=True):
            places[name] = np.cumsum(each) - each
        return cls(pairs, columns, rows, sets, places, int(ends[-1, 1]), *(int(each.sum()) for each in kept))


def kept_words(columns: Numbers, rows: Numbers, form: Form) -> tuple[Numbers, Numbers]:
    """What is kept of sets of so many columns and rows: words of 8 bytes of rows, and of 16 of columns."""
    row_words = np.maximum(rows - 1, 0) // KEPT_ROWS * (-(-columns // KEPT_PAD) * KEPT_PAD)
    return row_words, np.maximum(columns - 1, 0) // KEPT_COLUMNS * -(-rows // SLOT_BURST) * form.words


class KeptWork:
    """The alignments of those pairs of a batch that are long, and that 16 bits are proved for; letters are another
    matter."""

    def __init__(
        self,
        batch: PairBatch,
        scheme: Scheme,
        wanted: npt.NDArray[np.bool_],
        how: Form,
        scores: npt.NDArray[np.int64],
    ) -> None:
        """Which of the pairs that are wanted, in which chunks."""
        self._batch, self._scheme, self._how = batch, scheme, how
        self._ways = Ways.of(scheme, how, scores)
        self._lengths = batch.lengths[::-1]
        self.letters = len(how.scores)
        least = SHORT_LETTERS if how.of_bases else 0
        enough = wanted & how.holds(self._lengths, narrowest(wide_shapes(how)))
        self.taken = enough & (self._lengths.min(axis=0) > 0) & (self._lengths.max(axis=0) > least)
        row_words, column_words = kept_words(self._lengths[0], self._lengths[1], how)
        kept = np.where(self.taken, 4 * row_words + 8 * column_words, 0)
        parts = chunks(batch, Budget.of(kept, min(MEMORY, free_bytes() // 4) // WAYS))
        self.chunks = [part for part in parts if self.taken[part.start : part.stop].any()]

    @classmethod
    def of(cls, batch: PairBatch, scheme: Scheme, wanted: npt.NDArray[np.bool_]) -> Self | None:
        """None where the scheme is not for 16 bits."""
        how = form(scheme.turned)
        scores = None if how is None else plain_scores(scheme, len(how.scores))
        return None if how is None or scores is None else cls(batch, scheme, wanted, how, scores)

    def prepare(self) -> None:
        """Nothing: the host plans chunk by chunk."""

    def plan(self, number: int) -> list["_Plan"]:
        """How the pairs of a chunk lie, those that share a launch together."""
        part = self.chunks[number]
        chosen = part.start + np.flatnonzero(self.taken[part.start : part.stop])
        lengths, plans = self._lengths[:, chosen], []
        for each in classes(lengths, self._how, wide_shapes(self._how)):
            some = np.flatnonzero((lengths[0] > each.above) & (lengths[0] <= each.most))
            layout = Layout.of(lengths[:, some], each.shape.width, self._how)
            numbers = chosen[some[layout.pairs]]
            starts = np.stack(letters_at(self._batch, part, numbers)[::-1])
            plans.append(_Plan(numbers[: len(some)], layout, each, np.where(layout.pairs < 0, 0, starts)))
        return plans

    def launch(self, number: int, plan: list["_Plan"], letters: Letters) -> UnderWay:
        """Align a chunk."""
        part = self.chunks[number]
        most = sum(int(self._lengths[:, each.numbers].sum()) for each in plan)
        runs, taken = cupy.empty(most, np.int32), cupy.zeros(1, np.int32)
        found, sent = [], list[npt.NDArray[Any]]()
        for each in plan:
            launch = _Launch(each, letters.codes)
            sent += launch.sent
            rows = self._ways.walk(launch.matrices(), launch.fill(self._how), runs, taken)
            found.append(rows[: FOUND_WORDS * len(each.numbers)])
        chosen = np.concatenate([each.numbers for each in plan])
        answer = Answer.of(cupy.concatenate(found), taken, runs)
        known = letters.known()[chosen - part.start]
        cells = np.multiply(*self._lengths[:, chosen])
        return Aligned(self._scheme.mode.local, chosen, cells, known, answer, tuple(sent))


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Pairs of a chunk that are aligned together; starts: where letters of subjects and of queries begin, by places."""

    numbers: Numbers
    layout: Layout
    each: Class
    starts: Numbers


class _Launch:
    """The pairs of a chunk that are aligned together, on the device."""

    def __init__(self, plan: _Plan, codes: Any) -> None:
        """Send the layout, and pack the letters."""
        layout = plan.layout
        self.layout, self._class, self.codes = layout, plan.each, codes
        self.sent = [pinned(each) for each in (layout.sets, layout.places, layout.columns, layout.rows, *plan.starts)]
        self.sets, self.places, self.columns, self.rows, *self.starts = map(sending, self.sent)
        self.kept_rows = cupy.empty(max(1, layout.row_words), np.uint64)
        self.kept_columns = cupy.empty(max(1, 2 * layout.column_words), np.uint64)

    def matrices(self) -> Matrices:
        """What a way back needs."""
        layout = self.layout
        memory = pointers(self.sets, self.places, self.kept_rows, self.kept_columns)
        most = int((layout.columns + layout.rows).max())
        count = len(layout.columns)
        return Matrices("KeptHalves", memory, count, most, self.codes, self.starts, self.columns, self.rows)

    def fill(self, how: Form) -> Any:
        """Score, and keep: where alignments end."""
        shape, count = self._class.shape, len(self.layout.sets)
        packed = cupy.empty(self.layout.words, np.uint32)
        kernel("pack_pairs", LANES=WARP, WORDS=how.letter_words)(
            (count,), (THREADS,), (self.sets, self.codes, *self.starts, self.columns, self.rows, packed)
        )
        taken, ends = cupy.zeros(1, np.int32), cupy.empty(2 * count * END_WORDS, np.int32)
        numbers = scores_of(how), by_value(np.array(how.free, np.int32))
        before = self.sets, np.int32(count), packed, self.columns, self.rows, *numbers
        family = kept_pairs(how, shape)
        grid = min(shape.blocks * device().multiprocessors, -(-count // shape.warps))
        arguments = (*before, self.places, self.kept_rows, self.kept_columns, taken, ends)
        run_blocks(family, grid, arguments, shape.profile_bytes(how))
        return ends
