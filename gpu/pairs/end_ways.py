"""The alignments that end in given cells of long local pairs: a pair is filled once, and has a way back from each cell.

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from collections.abc import Generator, Sequence
from itertools import pairwise

import cupy
import numpy as np

from gpu.layout import END_WORDS, FOUND_WORDS
from gpu.pairs.classes import Shape
from gpu.pairs.filling import Filling
from gpu.pairs.found import columns, fetched, pinned, sending
from gpu.pairs.long import LongPairs
from gpu.pairs.long_layout import shape_for
from gpu.pairs.section_rows import Sections, sections_for
from gpu.pairs.sections import SectionedWay
from gpu.pairs.shares import Purpose
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import EndPoint
from shardwater.pairs.batch import lengths_of
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
    filling = Filling(pairs, long.how, Purpose(keeps=True))
    yield from filling.run(filling.whole)
    numbers = np.repeat(np.arange(len(pairs)), [len(each) for each in ends])
    cells = np.concatenate([_cells(each) for each in ends])
    most = RUNS_A_LETTER * lengths_of(pairs).min(axis=0) + RUNS_A_LETTER
    found, start = list[Alignment](), 0
    while start < len(numbers):
        fitting = int(np.searchsorted(np.cumsum(most[numbers[start:]]), RUN_WORDS, side="right"))
        some = slice(start, start + max(1, fitting))
        found += _walked(filling, long, numbers[some], cells[some], most)
        start = some.stop
    firsts = np.cumsum([0, *map(len, ends)]).tolist()
    return [found[first:last] for first, last in pairwise(firsts)]


def align_in_sections(
    pair: CodedPair, ends: Sequence[EndPoint], long: LongPairs, memory: int
) -> Generator[float, None, list[Alignment]] | None:
    """The same of a single pair of which not all can be kept at a time (sections.py), one end after the other.

    None where there is not even memory for its sections.
    """
    lengths = np.array([len(pair.subject), len(pair.query)])
    shape = shape_for(lengths[:1], long.how)
    sections = sections_for(lengths, shape, memory)
    return None if sections is None else _by_sections(pair, ends, long, sections, shape)


def _by_sections(
    pair: CodedPair, ends: Sequence[EndPoint], long: LongPairs, sections: Sections, shape: Shape
) -> Generator[float, None, list[Alignment]]:
    # What has no best alignment may still have one that ends in a given cell.
    filling = Filling([pair], long.how, Purpose(sections=sections, prunes=False), shape=shape)
    # Each way fills at most all again.
    passes = 1 + len(ends)
    for share in filling.run(filling.whole):
        yield share / passes
    found = list[Alignment]()
    for cell in _cells(ends):
        way = SectionedWay(filling, sections, long.ways, len(pair.query) + len(pair.subject), cell)
        for share in way.walk():
            yield share / passes
        [(_, alignment)] = columns(True, np.zeros(1, np.int64), np.ones(1, np.int64), way.row, way.runs)
        assert alignment is not None
        found.append(alignment)
    return found


def _cells(ends: Sequence[EndPoint]) -> np.ndarray:
    """FirstEnd of each (kernels/pairs/ends.cuh)."""
    cells = [(end.score, end.row - 1, end.column - 1) for end in ends]
    return np.array(cells, np.int32).reshape(-1, END_WORDS)


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
