"""The alignments that end in given cells of long local pairs: a pair is filled once, and has a way back from each cell.

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from collections.abc import Generator, Sequence
from itertools import pairwise

import cupy
import numpy as np

from gpu.layout import FOUND_WORDS
from gpu.pairs.filling import Filling
from gpu.pairs.found import columns, fetched, pinned, sending
from gpu.pairs.long import LongPairs
from gpu.pairs.shares import Purpose
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import EndPoint
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair

RUNS_A_LETTER = 3
"""Of the shorter sequence, at most: a match, and a gap in either."""
RUN_WORDS = 1 << 28
"""Of alignments that are sought together."""


def align_to(
    pairs: Sequence[CodedPair], ends: Sequence[Sequence[EndPoint]], long: LongPairs
) -> Generator[float, None, list[list[Alignment]]]:
    """The best local alignments that end in these cells, which score above 0; between launches the share of each.

    The pairs have letters on both sides, the kernel is exact for them (LongPairs.holds), and there is memory for what
    is kept of all (kept_bytes).
    """
    batch = PairBatch.of(pairs)
    filling = Filling(batch, np.arange(len(batch)), long.how, Purpose(keeps=True))
    yield from filling.run(filling.whole)
    numbers = np.repeat(np.arange(len(pairs)), [len(each) for each in ends])
    # Words of FirstEnd (kernels/pairs/ends.cuh).
    cells = np.array([(end.score, end.row - 1, end.column - 1) for each in ends for end in each], np.int32)
    most = RUNS_A_LETTER * batch.lengths.min(axis=0) + RUNS_A_LETTER
    found, start = list[Alignment](), 0
    while start < len(numbers):
        fitting = int(np.searchsorted(np.cumsum(most[numbers[start:]]), RUN_WORDS, side="right"))
        some = slice(start, start + max(1, fitting))
        found += _walked(filling, long, numbers[some], cells[some], most)
        start = some.stop
    firsts = np.cumsum([0, *map(len, ends)]).tolist()
    return [found[first:last] for first, last in pairwise(firsts)]


def _walked(
    filling: Filling, long: LongPairs, numbers: np.ndarray, cells: np.ndarray, most: np.ndarray
) -> list[Alignment]:
    stream = cupy.cuda.get_current_stream()
    runs, taken = cupy.empty(int(most[numbers].sum()), np.int32), cupy.zeros(1, np.int32)
    matrices, sent = filling.matrices_of(filling.whole, numbers, int(most[numbers].max())), pinned(cells)
    found = long.ways.walk(matrices, sending(sent), runs, taken)
    rows = fetched(found, stream).reshape(-1, FOUND_WORDS)
    every = fetched(runs[: int(fetched(taken, stream)[0])], stream)
    told = columns(True, np.arange(len(numbers)), np.ones(len(numbers), np.int64), rows, every)
    return [alignment for _, alignment in told if alignment is not None]
