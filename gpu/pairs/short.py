"""Best alignments of many short pairs of DNA: two to a thread, and a walk back through the low bits of H.

kernels/pairs/short_fill.cu says how, and kernels/pairs/lows.cuh why low bits are enough.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.family import short_pairs
from gpu.layout import FOUND_WORDS, FREE_BITS, LOW_BITS, LOW_ITEMS, LOW_THREADS, WARP
from gpu.pairs.found import Found, Sent, fetched, sent
from gpu.pairs.shapes import Numbers, Shapes
from shardwater.alignment.scheme import Scheme
from shardwater.scoring.table import Table

LETTERS = 4
"""Codes below this one are of bases, which the kernel takes."""
MOST_LETTERS = 1 << 12
"""Of a sequence: a thread aligns longer ones too slowly."""
MOST = 32_000
"""What no number of the kernel comes near to."""
AHEAD = 2
"""Rows of the border that are asked for before they are needed, beyond the last one, too."""
WARP_PAIRS = 2 * WARP
BLOCK_PAIRS = 2 * LOW_THREADS
BLOCK_WARPS = LOW_THREADS // WARP

PAIR = np.dtype([("residues", np.int64), ("runs", np.int64), ("rows", np.int32), ("columns", np.int32)])
WARPS = np.dtype([("lows", np.int64), ("border", np.int64), ("rows", np.int32), ("strips", np.int32)])
"""Pair and Warp of kernels/pairs/lows.cuh."""


def bits_for(scheme: Scheme) -> int | None:
    """The fewest low bits that tell neighbours apart; None where there are too few."""
    scores = scheme.table.scores[:LETTERS, :LETTERS]
    most, least = max(0, int(scores.max())), int(scores.min())
    apart = max(most + 2 * scheme.gap_first, most - least)
    fits = most < 1 << 7 and least >= -1 << 7
    return next((bits for bits in LOW_BITS if apart < 1 << bits and fits), None)


def takes(shapes: Shapes, scheme: Scheme) -> npt.NDArray[np.bool_]:
    """The pairs whose lengths the kernel takes; their letters are another matter."""
    longest = np.maximum(shapes.queries, shapes.subjects)
    costs = 3 * scheme.gap_open + (shapes.queries + shapes.subjects + 2) * scheme.gap_extend
    numbers = shapes.best(scheme) if scheme.mode.local else np.maximum(shapes.best(scheme), costs)
    return (shapes.cells > 0) & (longest <= MOST_LETTERS) & (numbers < MOST)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Which pairs share a warp, and where what is stored of each begins."""

    order: Numbers
    pairs: npt.NDArray[np.void]
    warps: npt.NDArray[np.void]
    low_bytes: int
    border_words: int
    runs: int

    @classmethod
    def of(cls, shapes: Shapes, residues: Numbers, chosen: Numbers, bits: int) -> "Layout":
        """These pairs, those of like lengths together; residues: where the letters of each begin."""
        strips = -(-shapes.subjects[chosen] // LOW_ITEMS)
        order = chosen[np.lexsort((shapes.queries[chosen], strips))]
        whole = -(-len(order) // BLOCK_PAIRS) * BLOCK_PAIRS
        pairs = np.zeros(whole, PAIR)
        own = pairs[: len(order)]
        own["residues"], own["rows"], own["columns"] = residues[order], shapes.queries[order], shapes.subjects[order]
        lengths = pairs["rows"].astype(np.int64) + pairs["columns"]
        pairs["runs"] = np.cumsum(lengths) - lengths
        warps = np.zeros(whole // WARP_PAIRS, WARPS)
        warps["rows"] = pairs["rows"].reshape(-1, WARP_PAIRS).max(1)
        warps["strips"] = -(-pairs["columns"].reshape(-1, WARP_PAIRS).max(1) // LOW_ITEMS)
        units = cls.units(warps["rows"], warps["strips"], bits)
        border = (warps["rows"].astype(np.int64) + AHEAD) * WARP
        warps["lows"], warps["border"] = np.cumsum(units) - units, np.cumsum(border) - border
        return cls(order, pairs, warps, 16 * int(units.sum()), int(border.sum()), int(lengths.sum()))

    @staticmethod
    def units(rows: npt.NDArray[Any], strips: npt.NDArray[Any], bits: int) -> Numbers:
        """16 bytes each, of a warp."""
        units: Numbers = rows.astype(np.int64) * strips * (LOW_ITEMS * bits // 64) * WARP
        return units


def batches(shapes: Shapes, chosen: Numbers, bits: int, memory: int) -> Iterator[Numbers]:
    """These pairs in batches of about so many bytes of low bits, those of like lengths together."""
    strips = -(-shapes.subjects[chosen] // LOW_ITEMS)
    ordered = chosen[np.lexsort((shapes.queries[chosen], strips))]
    ends = np.cumsum(shapes.queries[ordered] * (-(-shapes.subjects[ordered] // LOW_ITEMS) * LOW_ITEMS * bits // 8))
    start, before = 0, 0
    while start < len(ordered):
        end = max(start + 1, int(np.searchsorted(ends, before + memory, side="right")))
        yield ordered[start:end]
        start, before = end, int(ends[end - 1])


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What is found on the device: walk.cuh's Found for each pair of the order, the number of runs, and these.

    under_way: what must be kept until then.
    """

    order: Numbers
    under_way: tuple[Sent, ...]
    found: Any
    taken: Any
    runs: Any

    def fetch(self, local: bool) -> Found:
        """The same on the host."""
        stream = cupy.cuda.get_current_stream()
        rows = fetched(self.found[: FOUND_WORDS * len(self.order)], stream).reshape(-1, FOUND_WORDS)
        # One at least: there is no pinned memory of no bytes.
        runs = fetched(self.runs[: max(1, int(fetched(self.taken, stream)[0]))], stream)
        return Found(rows.tolist(), runs.tolist(), local)


def align_short(letters: Sent, layout: Layout, scheme: Scheme) -> Answer:
    """Align pairs whose letters were sent, on the current stream."""
    bits = bits_for(scheme)
    assert bits is not None
    mode = "Local" if scheme.mode.local else "Ends"
    packed = sent([layout.pairs.tobytes(), layout.warps.tobytes()], cupy.cuda.get_current_stream())
    pairs, warps = packed.numbers, packed.numbers[layout.pairs.nbytes :]
    count = len(layout.pairs)
    lows, starts = cupy.empty(layout.low_bytes, np.uint8), cupy.empty(4 * count, np.int32)
    border = cupy.empty(8 * layout.border_words, np.uint8)
    costs = (np.int32(-scheme.gap_first), np.int32(-scheme.gap_extend))
    free = np.int32(sum(FREE_BITS[end] for end in scheme.mode.free_ends))
    scores = _scores(scheme.table)
    grid, block = (count // BLOCK_PAIRS,), (LOW_THREADS,)
    fill = short_pairs("short_fill", mode, bits)
    arguments = (pairs, warps, np.int32(len(layout.warps)), letters.numbers, scores, *costs, free, lows, border, starts)
    kernel(fill.schedule, **fill.macros)(grid, block, arguments)
    found, taken = cupy.empty(FOUND_WORDS * count, np.int32), cupy.zeros(1, np.int32)
    scratch, runs = cupy.empty(layout.runs, np.int32), cupy.empty(layout.runs, np.int32)
    walk, grid = short_pairs("short_walk", mode, bits), (count // LOW_THREADS,)
    most = np.int32(max(0, int(scheme.table.scores[:LETTERS, :LETTERS].max())))
    kernel(walk.schedule, **walk.macros)(
        grid,
        block,
        (pairs, warps, letters.numbers, scores, *costs, free, most, lows, starts, scratch, runs, taken, found),
    )
    return Answer(layout.order, (letters, packed), found, taken, runs)


@lru_cache(maxsize=64)
def _scores(table: Table) -> Any:
    """A word for each letter of the query, a signed byte in it for each of the subject; then one of padding."""
    scores = np.full((LETTERS + 1, LETTERS), -128, np.int8)
    size = min(LETTERS, len(table.rows))
    scores[:size, :size] = table.scores[:size, :size]
    made = cupy.asarray(scores.view(np.uint32).ravel())
    cupy.cuda.get_current_stream().synchronize()
    return made
