"""Which subjects may be among the best, told from counts: the least score of each length bin that can suffice.

An engine counts subjects by length and score, asks a cut, and hands on those that reach their bin's least score. A cut
leaves none out that may be among the best, whatever subjects there are besides: it may be asked of any part of them.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from shardwater.statistics.distribution import LENGTH_EDGES, ROWS, SCORES, Cells, Counts
from shardwater.statistics.evalue_bounds import Bounds, Integers, Numbers

LeastScores = npt.NDArray[np.int32]
"""The least score of each row of the counts."""
Cut = Callable[[Counts], LeastScores]
BoundsOf = Callable[[Integers, Integers, Integers], Bounds]
"""The bounds of subjects with these scores, whose lengths are between these."""

UNREACHED = 2**31 - 1
"""The least score of a row that nothing is wanted of."""

_SHORTEST = np.array([0, *LENGTH_EDGES])
_LONGEST = np.array([edge - 1 for edge in LENGTH_EDGES])


def best_scores(top: int) -> Cut:
    """The best by score alone: the highest score that so many subjects reach."""

    def cut(counts: Counts) -> LeastScores:
        return np.full(ROWS, max(1, _reached(Cells.of(counts).by_score(), top) - 1), np.int32)

    return cut


def best_on_any_line(top: int) -> Cut:
    """The best along any line of score over length, be it rising or falling; the best by score are among them.

    Who has `top` subjects of shorter bins with at least its score is not among the best on a line that rises, or on a
    level one: shorter subjects come first in a database. On one that falls, who has as many of longer bins with more
    than its score.
    """

    def cut(counts: Counts) -> LeastScores:
        cells = Cells.of(counts)
        rows, subjects = np.unique(cells.rows), cells.by_row()
        # No more than so many scores are reached by enough subjects, be they of other lengths or not.
        reached = _reached(cells.by_score(), top)
        below = np.cumsum(counts[rows, : max(0, reached - 1)], axis=1, dtype=np.int64)
        at_least = subjects[rows, None] - np.hstack((np.zeros((len(rows), 1), np.int64), below))
        shorter = np.cumsum(at_least, axis=0) - at_least
        longer = np.cumsum(at_least[::-1], axis=0)[::-1] - at_least
        least = np.full(ROWS, UNREACHED, np.int32)
        least[rows] = np.maximum(1, np.minimum((shorter >= top).sum(axis=1), (longer >= top).sum(axis=1) - 1))
        return least

    return cut


def best_by(bounds_of: BoundsOf, top: int, longest: int) -> Cut:
    """The best by an order whose bounds are known, in a database whose longest subject has so many residues."""

    def cut(counts: Counts) -> LeastScores:
        cells = Cells.of(counts)
        cells = cells.where(cells.scores > 0)
        rows, scores = cells.rows, cells.scores
        upto = np.minimum(longest, np.append(_LONGEST, longest)[rows])
        bounds = bounds_of(scores, _SHORTEST[rows], upto)
        # Scores of the last column are that or any higher.
        low = np.where(scores == SCORES - 1, -np.inf, bounds.low)
        wanted = low <= limit(bounds.high, top, cells.subjects)
        least = np.full(ROWS, UNREACHED, np.int32)
        np.minimum.at(least, rows[wanted], scores[wanted].astype(np.int32))
        return least

    return cut


def best_by_either(one: Cut, other: Cut) -> Cut:
    """What one of two cuts wants."""
    return lambda counts: np.minimum(one(counts), other(counts))


def limit(high: Numbers, top: int, subjects: npt.NDArray[np.integer] | None = None) -> float:
    """What `top` subjects are certainly no worse than; infinite where there are not so many.

    subjects: how many each bound is for, else one.
    """
    order = np.argsort(high, kind="stable")
    reached = np.arange(1, len(high) + 1) if subjects is None else np.cumsum(subjects[order], dtype=np.int64)
    place = int(np.searchsorted(reached, top))
    return float(high[order[place]]) if place < len(order) else np.inf


def _reached(totals: npt.NDArray[np.integer], top: int) -> int:
    """How many scores, from 0 on, so many subjects have or pass."""
    return int((np.cumsum(totals[::-1], dtype=np.int64) >= top).sum())
