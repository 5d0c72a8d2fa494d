"""Which subjects may be among the best, told from counts: the least score of each length bin that can suffice.

An engine counts subjects by length and score, asks a cut, and hands on those that reach their bin's least score. A cut
leaves none out that may be among the best, whatever subjects there are besides: it may be asked of any part of them.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from shardwater.errors import EngineError
from shardwater.statistics.distribution import LENGTH_EDGES, ROWS, SCORES, Counts
from shardwater.statistics.evalue_bounds import Bounds, Integers, Numbers
from shardwater.statistics.length_regression import Fit

LeastScores = npt.NDArray[np.int32]
"""The least score of each row of the counts."""
Cut = Callable[[Counts], LeastScores]
BoundsOf = Callable[[Integers, Integers, Integers], Bounds]
"""The bounds of subjects with these scores, whose lengths are between these."""

ROUNDING = 1e-6
"""In units of the score: more than what rounding does to a line."""
UNREACHED = 2**31 - 1
"""The least score of a row that nothing is wanted of."""

_SHORTEST = np.array([0, *LENGTH_EDGES])
_LONGEST = np.array([*(edge - 1 for edge in LENGTH_EDGES), 2**63 - 1])


def best_scores(top: int) -> Cut:
    """The best by score alone: the highest score that so many subjects reach."""

    def cut(counts: Counts) -> LeastScores:
        return np.full(ROWS, max(1, _reached(counts.by_score(), top) - 1), np.int32)

    return cut


def best_on_any_line(top: int) -> Cut:
    """The best along any line of score over length, be it rising or falling; the best by score are among them."""
    return lambda counts: _on_any_line(counts, top)


def best_by(bounds_of: BoundsOf, top: int, longest: int) -> Cut:
    """The best by an order whose bounds are known, in a database whose longest subject has so many residues."""
    return lambda counts: _by(bounds_of, counts, top, longest)


def best_by_either(bounds_of: BoundsOf, top: int, longest: int) -> Cut:
    """The best by such an order, and those along any line."""
    return lambda counts: np.minimum(_on_any_line(counts, top), _by(bounds_of, counts, top, longest))


def within(fit: Fit, evalue: float, longest: int) -> LeastScores:
    """The least scores that may have such an E-value by a fit; longest: of all subjects."""
    ends = np.stack((_SHORTEST, np.minimum(longest, _LONGEST)))
    # On a falling line the longest of a row are asked least of.
    means = (fit.rho * np.log(np.maximum(1, ends)) + fit.mu).min(axis=0)
    scores = means + fit.deviation_at(evalue) * math.sqrt(fit.variance) - ROUNDING
    least: LeastScores = np.clip(np.floor(scores), 1, UNREACHED).astype(np.int32)
    return least


def reaching(counts: Counts, least: LeastScores) -> int:
    """How many subjects have their row's least score."""
    return int(counts.subjects[counts.scores >= np.minimum(least, SCORES - 1)[counts.rows]].sum())


def check_handed_on(counts: Counts, least: LeastScores, handed: int, query: int) -> None:
    """Raise EngineError unless an engine has handed on as many subjects as, by its counts, have the least scores.

    query: its number, from 0.
    """
    # Which scores above the last column there are is not counted.
    if (least[least < UNREACHED] < SCORES).all():
        reached = int(counts.subjects[counts.scores >= least[counts.rows]].sum())
        if reached != handed:
            raise EngineError(f"{handed} subjects were told of query {query + 1}, and {reached} have the least scores")


def _on_any_line(counts: Counts, top: int) -> LeastScores:
    """Who has `top` subjects of shorter bins with at least its score is not among the best on a line that rises.

    Nor on a level one: shorter subjects come first in a database. On one that falls, who has as many of longer bins
    with more than its score.
    """
    subjects = counts.by_row()
    rows = np.flatnonzero(subjects)
    # No more than so many scores are reached by enough subjects, be they of other lengths or not.
    reached = max(1, _reached(counts.by_score(), top))
    below = np.zeros((ROWS, reached), np.int64)
    low = counts.where(counts.scores < reached - 1)
    below[low.rows, low.scores + 1] = low.subjects
    below = np.cumsum(below[rows], axis=1)
    at_least = subjects[rows, None] - below
    no_longer = np.cumsum(at_least, axis=0)
    shorter, longer = no_longer - at_least, no_longer[-1:] - no_longer
    least = np.full(ROWS, UNREACHED, np.int32)
    least[rows] = np.maximum(1, np.minimum((shorter >= top).sum(axis=1), (longer >= top).sum(axis=1) - 1))
    return least


def _by(bounds_of: BoundsOf, counts: Counts, top: int, longest: int) -> LeastScores:
    above = counts.where(counts.scores > 0)
    rows, scores = above.rows, above.scores
    bounds = bounds_of(scores, _SHORTEST[rows], np.minimum(longest, _LONGEST)[rows])
    # Scores of the last column are that or any higher.
    wanted = (bounds.low <= limit(bounds.high, top, above.subjects)) | (scores == SCORES - 1)
    least = np.full(ROWS, UNREACHED, np.int32)
    np.minimum.at(least, rows[wanted], scores[wanted].astype(np.int32))
    return least


def limit(high: Numbers, top: int, subjects: npt.NDArray[np.integer] | None = None) -> float:
    """What `top` subjects are certainly no worse than; infinite where there are not so many.

    subjects: how many each bound is for, else one.
    """
    if subjects is None:
        return float(np.partition(high, top - 1)[top - 1]) if top <= len(high) else np.inf
    order = np.argsort(high)
    place = int(np.searchsorted(np.cumsum(subjects[order], dtype=np.int64), top))
    return float(high[order[place]]) if place < len(order) else np.inf


def _reached(totals: npt.NDArray[np.integer], top: int) -> int:
    """How many scores, from 0 on, so many subjects have or pass."""
    return int((np.cumsum(totals[::-1], dtype=np.int64) >= top).sum())
