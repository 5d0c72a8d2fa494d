"""In how many pieces a local pair is soonest done, of which one sequence is much longer than the other.

A strip waits for the one before it, and rows come one after the other: of such a pair most of a device has nothing to
do. So it is cut into pieces that are aligned side by side (shardwater/pairs/pieces.py).
"""

from collections.abc import Sequence
from math import ceil

from gpu.layout import WARP
from gpu.pairs.plan import NEEDED, SLACK
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers
from shardwater.pairs.pieces import Pieces, span

MOST_PIECES = 512
ALONE, SHARED, PIECE = 5.0, 3.6, 2000.0
"""Microseconds of a strip's round on an H200: where its warp is alone on a scheduler, and of each where several share
one; and of all schedulers while the host prepares a piece. An estimate, which ranks numbers of pieces alone."""
SCHEDULERS = 4
"""Of a multiprocessor."""


def pieces_of(lengths: Numbers, width: int, scheme: Scheme, multiprocessors: int, beside: int = 1) -> Pieces | None:
    """How a pair of so many letters is soonest done, of query and subject; None where that is as a whole.

    width: columns of a strip; these are the subject's letters. beside: such pairs that are done side by side.
    """
    sizes = lengths.tolist()
    side = int(sizes[1] >= sizes[0])
    overlap = span(sizes[1 - side], scheme) if scheme.mode.local else None
    if overlap is None:
        return None
    counts, load = [1 << power for power in range(MOST_PIECES.bit_length())], beside / (SCHEDULERS * multiprocessors)
    count = min(counts, key=lambda count: _time(sizes, side, count, overlap, width, load))
    return None if count == 1 else Pieces.of(sizes, count, overlap)


def _time(sizes: Sequence[int], side: int, count: int, overlap: int, width: int, load: float) -> float:
    """About how many microseconds so many pieces take: what waits for each other, and what there is to do in all.

    load: pairs for each scheduler.
    """
    piece = [float(size) for size in sizes]
    piece[side] = min(sizes[side], sizes[side] / count + overlap)
    rounds, strips = ceil(piece[0] / WARP) + NEEDED, ceil(piece[1] / width)
    waiting = rounds + (NEEDED + SLACK - 1) * strips
    return ALONE * waiting + load * count * (SHARED * rounds * strips + PIECE)
