"""Best alignments of many short pairs of DNA: two to a thread, and a walk back through the low bits of H.

kernels/pairs/short_fill.cu says how, and kernels/pairs/lows.cuh why low bits are enough.
"""

from functools import lru_cache
from typing import Any, Self

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.device import device, free_bytes
from gpu.family import short_pairs
from gpu.layout import BASES, FOUND_WORDS, LOW_BITS, LOW_ITEMS, LOW_THREADS, WARP
from gpu.pairs.budgets import Budget, chunks
from gpu.pairs.chunks import WAYS, Letters, UnderWay, letters_at
from gpu.pairs.found import Aligned, Answer, sending
from gpu.pairs.packs import Packs, in_order
from gpu.pairs.shapes import Shapes
from gpu.pairs.traceback import free_bits
from gpu.variants import takes_short_pairs
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.scoring.table import Table
from shardwater.sequences.alphabets import DNA

MEMORY = 16 << 30
"""Bytes of low bits on the device at a time; never more than a quarter of what is free."""
SHORT_LETTERS = 1 << 10
"""Of a sequence: a thread aligns longer ones too slowly."""
MOST = 32_000
"""What no number of the kernel comes near to."""
AHEAD = 2
"""Rows of the border that are asked for before they are needed, beyond the last one, too."""
WARP_PAIRS = 2 * WARP
BLOCK_PAIRS = 2 * LOW_THREADS

PAIR = np.dtype(
    [("query", np.int64), ("subject", np.int64), ("runs", np.int64), ("rows", np.int32), ("columns", np.int32)]
)
WARPS = np.dtype([("lows", np.int64), ("border", np.int64), ("rows", np.int32), ("strips", np.int32)])
"""Pair and Warp of kernels/pairs/lows.cuh."""


def bits_for(scheme: Scheme) -> int | None:
    """The fewest low bits that tell neighbours apart; None where there are too few."""
    scores = scheme.table.scores[:BASES, :BASES]
    most, least = max(0, int(scores.max())), int(scores.min())
    apart = max(most + 2 * scheme.gap_first, most - least)
    fits = most < 1 << 7 and least >= -1 << 7
    return next((bits for bits in LOW_BITS if apart < 1 << bits and fits), None)


def takes(shapes: Shapes, scheme: Scheme) -> npt.NDArray[np.bool_]:
    """The pairs whose lengths the kernel takes; their letters are another matter."""
    longest = np.maximum(shapes.queries, shapes.subjects)
    costs = 3 * scheme.gap_open + (shapes.queries + shapes.subjects + 2) * scheme.gap_extend
    numbers = shapes.best(scheme) if scheme.mode.local else np.maximum(shapes.best(scheme), costs)
    return (shapes.cells > 0) & (longest <= SHORT_LETTERS) & (numbers < MOST)


def packs_of(shapes: Shapes, bits: int) -> Packs:
    """These pairs, without where their letters begin."""
    # One number to sort by, strips first.
    keys = _strips(shapes) * (SHORT_LETTERS + 1) + shapes.queries
    order, pairs = in_order(keys, np.stack((shapes.queries, shapes.subjects)), PAIR, BLOCK_PAIRS)
    warps = cupyx.empty_pinned(len(pairs) // WARP_PAIRS, WARPS)
    warps["rows"] = pairs["rows"].reshape(-1, WARP_PAIRS).max(1)
    warps["strips"] = -(-pairs["columns"].reshape(-1, WARP_PAIRS).max(1) // LOW_ITEMS)
    rows = warps["rows"].astype(np.int64)
    border = _border_words(rows)
    warps["border"] = np.cumsum(border) - border
    return Packs.of(order, pairs, warps, rows * warps["strips"] * (LOW_ITEMS * bits // 64) * WARP)


def _border_words(rows: Numbers) -> Numbers:
    """Of warps with so many rows, of 8 bytes."""
    return (rows + AHEAD) * WARP


def _strips(shapes: Shapes) -> Numbers:
    return -(-shapes.subjects // LOW_ITEMS)


class ShortWork:
    """The alignments of those pairs of a batch that are short enough; letters are another matter."""

    letters = BASES

    def __init__(self, batch: PairBatch, scheme: Scheme, wanted: npt.NDArray[np.bool_], bits: int) -> None:
        """Which of the pairs that are wanted, in which chunks."""
        self._batch, self._scheme, self._bits = batch, scheme, bits
        self._shapes = Shapes(*batch.lengths)
        self.taken = wanted & takes(self._shapes, scheme)
        lows = np.where(self.taken, self._shapes.queries * _strips(self._shapes) * (LOW_ITEMS * bits // 8), 0)
        parts = chunks(batch, Budget.of(lows, min(MEMORY, free_bytes() // 4) // WAYS))
        self.chunks = [part for part in parts if self.taken[part.start : part.stop].any()]

    @classmethod
    def of(cls, batch: PairBatch, scheme: Scheme, wanted: npt.NDArray[np.bool_]) -> Self | None:
        """None where the letters, the device or low bits will not do."""
        possible = scheme.table.alphabet is DNA and takes_short_pairs(device().capability)
        bits = bits_for(scheme) if possible else None
        return None if bits is None else cls(batch, scheme, wanted, bits)

    def prepare(self) -> None:
        """Nothing: the host plans chunk by chunk."""

    def plan(self, number: int) -> tuple[Numbers, Packs]:
        """Which pairs of a chunk, and how they lie."""
        part = self.chunks[number]
        chosen = part.start + np.flatnonzero(self.taken[part.start : part.stop])
        packs = packs_of(self._shapes.select(chosen), self._bits)
        numbers, own = chosen[packs.order], packs.pairs[: len(chosen)]
        own["query"], own["subject"] = letters_at(self._batch, part, numbers)
        return numbers, packs

    def launch(self, number: int, plan: tuple[Numbers, Packs], letters: Letters) -> UnderWay:
        """Align a chunk."""
        numbers, packs = plan
        part = self.chunks[number]
        answer = align_short(letters.codes, packs, self._scheme, self._bits)
        known = letters.known()[numbers - part.start]
        sent = packs.pairs, packs.warps
        return Aligned(self._scheme.mode.local, numbers, self._shapes.cells[numbers], known, answer, sent)


def align_short(codes: Any, packs: Packs, scheme: Scheme, bits: int) -> Answer:
    """Align pairs whose letters are on the device, on the current stream."""
    mode = "Local" if scheme.mode.local else "Ends"
    pairs, warps = sending(packs.pairs), sending(packs.warps)
    count = len(packs.pairs)
    lows, starts = cupy.empty(packs.low_bytes, np.uint8), cupy.empty(4 * count, np.int32)
    border = cupy.empty(8 * int(_border_words(packs.warps["rows"].astype(np.int64)).sum()), np.uint8)
    costs = np.int32(-scheme.gap_first), np.int32(-scheme.gap_extend), free_bits(scheme)
    scores = _scores(scheme.table)
    grid, block = (count // BLOCK_PAIRS,), (LOW_THREADS,)
    fill = short_pairs("short_fill", mode, bits)
    arguments = (pairs, warps, np.int32(len(packs.warps)), codes, scores, *costs, lows, border, starts)
    kernel(fill.schedule, **fill.macros)(grid, block, arguments)
    found, taken = cupy.empty(FOUND_WORDS * count, np.int32), cupy.zeros(1, np.int32)
    scratch, runs = cupy.empty(packs.letters, np.int32), cupy.empty(packs.letters, np.int32)
    walk, grid = short_pairs("short_walk", mode, bits), (count // LOW_THREADS,)
    most = np.int32(max(0, int(scheme.table.scores[:BASES, :BASES].max())))
    kernel(walk.schedule, **walk.macros)(
        grid,
        block,
        (pairs, warps, codes, scores, *costs, most, lows, starts, scratch, runs, taken, found),
    )
    return Answer.of(found[: FOUND_WORDS * len(packs.order)], taken, runs)


@lru_cache(maxsize=64)
def _scores(table: Table) -> Any:
    """A word for each letter of the query, a signed byte in it for each of the subject; then one of padding."""
    scores = np.full((BASES + 1, BASES), -128, np.int8)
    size = min(BASES, len(table.rows))
    scores[:size, :size] = table.scores[:size, :size]
    made = cupy.asarray(scores.view(np.uint32).ravel())
    cupy.cuda.get_current_stream().synchronize()
    return made
