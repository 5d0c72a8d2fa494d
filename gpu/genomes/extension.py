"""HSPs of runs: sorted by diagonal, a warp goes along each."""

from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np

from gpu.compile import kernel
from gpu.device import device
from gpu.genomes.strands import Strand
from gpu.genomes.words import host
from gpu.layout import THREADS, WARP
from gpu.pairs.scores import by_value
from shardwater.genomes.comparison import Comparison
from shardwater.genomes.hsps import Hsps

BLOCKS = 8
"""On a multiprocessor: enough that one warp's loads are waited for while others go on."""


@dataclass(frozen=True, slots=True, eq=False)
class Extended:
    """HSPs of runs, and of `blocks` how many seeds the filter has kept."""

    hsps: Hsps
    kept: int


def extended(
    starts: Any, shift: int, query: Strand, subject: Strand, comparison: Comparison, *, reverse: bool
) -> Extended:
    """The HSPs of these first seeds, min_length letters long at least.

    Those of a diagonal must be together here, or what is found of it may lie within what is found elsewhere.
    """
    if len(starts) == 0:
        return Extended(Hsps.joined([]), 0)
    starts = cupy.sort(starts)
    diagonals = starts >> np.uint64(32)
    heads = cupy.flatnonzero(diagonals[1:] != diagonals[:-1]) + 1
    firsts = cupy.concatenate((cupy.zeros(1, np.int64), heads, cupy.full(1, len(starts)))).astype(np.int32)
    found = cupy.zeros((3, len(starts)), np.int32)
    kept = cupy.zeros(1, np.uint64)
    along = np.zeros(1, np.dtype([("starts", "<i8"), ("firsts", "<i8"), ("count", "<i4"), ("shift", "<i4")]))
    along["starts"], along["firsts"] = starts.data.ptr, firsts.data.ptr
    along["count"], along["shift"] = len(firsts) - 1, shift
    told = by_value(np.array([each.data.ptr for each in found], np.int64))
    strands = query.argument(), subject.argument(), by_value(along)
    least, taken = np.int32(comparison.min_length), cupy.zeros(1, np.int32)
    grid = (min(BLOCKS * device().multiprocessors, -(-(len(firsts) - 1) * WARP // THREADS)),)
    if comparison.extension == "letters":
        kernel("extend_letters")(grid, (THREADS,), (*strands, np.int32(comparison.word), least, taken, told))
    else:
        kernel("extend_blocks")(grid, (THREADS,), (*strands, least, taken, told, kept))
    rows = cupy.flatnonzero(found[1])
    begins, lengths, matches = found[:, rows]
    ys = (diagonals[rows].astype(np.int64) - shift + begins).astype(np.int32)
    if reverse:
        ys = subject.length - ys - lengths
    columns = host(cupy.stack((begins, ys, lengths, matches))).astype(np.int64)
    return Extended(Hsps.of(columns[0], columns[1], columns[2], columns[3], reverse), int(kept[0]))
