"""A local pair of which one sequence is much longer than the other, cut into pieces that are aligned side by side.

A strip waits for the one before it, and rows come one after the other: of such a pair most of a device has nothing to
do. Pieces overlap by as many letters as an alignment can span, so that each alignment is whole in the piece in which
its end is not among the first ones: what a piece finds there may be too low, and is found in the piece before. All
that a piece finds with the best score of all is right, its way back too: on that way no cell is worth less than in the
whole matrix, and beside it none is worth more.

Source: Khajeh-Saeed, Poole and Perot, J. Comput. Phys. 229 (2010), who try an overlap and look afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

import numpy as np

from gpu.layout import WARP
from gpu.pairs.plan import NEEDED, SLACK
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.columns import Columns

MOST_PIECES = 512
ALONE, SHARED = 5.0, 3.6
"""Microseconds of a strip's round on an H200: where its warp is alone on a scheduler, and of each where several share
one. An estimate, which ranks numbers of pieces alone."""
SCHEDULERS = 4
"""Of a multiprocessor."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Where pieces of the longer sequence begin and end, and which one that is: 0 the query, 1 the subject."""

    side: int
    ranges: tuple[range, ...]

    def batch(self, pair: CodedPair) -> PairBatch:
        """The pieces of a pair."""
        if self.side:
            cut = [CodedPair(pair.query, pair.subject[each.start : each.stop]) for each in self.ranges]
        else:
            cut = [CodedPair(pair.query[each.start : each.stop], pair.subject) for each in self.ranges]
        return PairBatch.of(cut)

    def best(self, found: Columns, number: int, cells: int, report: Report) -> Columns:
        """The answer of a pair by its number, from those of its pieces."""
        row = np.array([number]), np.array([cells])
        if report == "score" or found.scores.max() == 0:
            return Columns.scored(found.local, *row, found.scores.max(keepdims=True))
        starts = np.array([each.start for each in self.ranges])[found.numbers]
        places = found.places + np.where(np.arange(4) // 2 == self.side, starts[:, None], 0)
        first = np.lexsort((places[:, 3], places[:, 1], -found.scores))[:1]
        return replace(replace(found, places=places).select(first), numbers=row[0], cells=row[1])


def span(letters: int, scheme: Scheme) -> int | None:
    """The most letters of one sequence that a local alignment has with so many of another; None where any may be."""
    if scheme.gap_extend == 0:
        return None
    return letters + max(0, scheme.table.best * letters - scheme.gap_open) // scheme.gap_extend


def pieces_of(lengths: Numbers, width: int, scheme: Scheme, multiprocessors: int) -> Pieces | None:
    """How a pair of so many letters is soonest done, of query and subject; None where that is as a whole.

    width: columns of a strip; these are the subject's letters.
    """
    sizes = lengths.tolist()
    side = int(sizes[1] >= sizes[0])
    overlap = span(sizes[1 - side], scheme) if scheme.mode.local else None
    if overlap is None:
        return None
    counts = [1 << power for power in range(MOST_PIECES.bit_length())]
    count = min(counts, key=lambda count: _time(sizes, side, count, overlap, width, multiprocessors))
    return None if count == 1 else Pieces(side, tuple(_ranges(sizes[side], count, overlap)))


def _ranges(letters: int, count: int, overlap: int) -> list[range]:
    ends = [letters * number // count for number in range(count + 1)]
    return [range(max(0, first - overlap), last) for first, last in pairwise(ends)]


def _time(sizes: Sequence[int], side: int, count: int, overlap: int, width: int, multiprocessors: int) -> float:
    """About how many microseconds so many pieces take: what waits for each other, and what there is to do in all."""
    piece = [float(size) for size in sizes]
    piece[side] = min(sizes[side], sizes[side] / count + overlap)
    rounds, strips = ceil(piece[0] / WARP) + NEEDED, ceil(piece[1] / width)
    waiting = rounds + (NEEDED + SLACK - 1) * strips
    return ALONE * waiting + SHARED * count * rounds * strips / (SCHEDULERS * multiprocessors)
