"""How well a fit describes the scores that it was made of: what was found against what it expects.

Every E-value rests on it that most subjects are unrelated to the query. A family that is a large part of the database,
or is told from chance by little, is taken in, widens the line's scatter, and makes E-values too large.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.statistics.distribution import SCORES, Counts

LOW_QUANTILE, QUANTILES_APART = 0.1, 0.936
"""The median of an extreme value distribution lies so many standard deviations above this quantile."""
TAIL = 0.01
LEAST_IN_TAIL = 20
"""Of fewer subjects that are expected, chance rules how many are found."""
FURTHEST_Z = 8.0
"""Next to nothing is expected beyond."""

LEAST_SPREAD, MOST_SPREAD, MOST_DISTANCE, LEAST_TAIL = 0.75, 1.3, 0.2, 0.1
"""A poor fit is beyond these by more than what chance does to so few subjects (docs/statistics.md)."""


@dataclass(frozen=True, slots=True)
class Goodness:
    """Figures that are 0, 1 and 1 where a fit is right.

    distance: the largest difference between the shares of subjects found and expected to have a score or a better one.
    spread: the fit's standard deviation over that of the lower half of the scores, which related subjects are not in;
    None where that half does not vary. tail: subjects found over those expected, from the highest score on which 1 %
    are expected to reach, or 20 in a database of fewer than 2,000.
    """

    distance: float
    spread: float | None
    tail: float

    def is_poor(self, subjects: int) -> bool:
        """Whether the scores of so many subjects are hardly those that the fit expects."""
        chance = 1 / math.sqrt(subjects)
        if self.spread is None or not LEAST_SPREAD - 1.5 * chance <= self.spread <= MOST_SPREAD + 3 * chance:
            return True
        return self.tail < LEAST_TAIL or self.distance > MOST_DISTANCE + chance


def goodness(rho: float, mu: float, variance: float, counts: Counts, middles: npt.NDArray[np.float64]) -> Goodness:
    """The goodness of a line for all subjects; middles has ln(length) of each row of their counts."""
    deviation, total = math.sqrt(variance), counts.total
    means = rho * np.maximum(0.0, middles) + mu
    found, expected = _reaching(counts, means, deviation)
    return Goodness(
        distance=round(float(np.abs(found - expected).max()) / total, 4),
        spread=_spread(counts, means, deviation),
        tail=_tail(found, expected, total),
    )


def _reaching(
    counts: Counts, means: npt.NDArray[np.float64], deviation: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How many subjects have scores of 1, 2, ... or better, and how many are expected to."""
    subjects, by_score = counts.by_row(), counts.by_score()
    rows = np.flatnonzero(subjects)
    highest = int(min(SCORES - 1, max(1.0, np.ceil(means[rows].max() + FURTHEST_Z * deviation))))
    below = np.cumsum(np.append(by_score, np.zeros(SCORES, np.int64))[:highest], dtype=np.float64)
    # Scores are whole numbers, and the curve has none: half of one belongs to either side.
    z = (np.arange(1, highest + 1) - 0.5 - means[rows, None]) / deviation
    exceeding = -np.expm1(-np.exp(np.minimum(700.0, -math.pi / math.sqrt(6) * z - np.euler_gamma)))
    return counts.total - below, subjects[rows].astype(np.float64) @ exceeding


def _spread(counts: Counts, means: npt.NDArray[np.float64], deviation: float) -> float | None:
    z = (counts.scores - means[counts.rows]) / deviation
    order = np.argsort(z, kind="stable")
    reached = np.cumsum(counts.subjects[order], dtype=np.int64)
    low, median = (z[order[np.searchsorted(reached, share * reached[-1])]] for share in (LOW_QUANTILE, 0.5))
    return round(QUANTILES_APART / float(median - low), 4) if median > low else None


def _tail(found: npt.NDArray[np.float64], expected: npt.NDArray[np.float64], total: int) -> float:
    score = int(np.searchsorted(-expected, -max(LEAST_IN_TAIL, TAIL * total)))
    return round(float(found[score - 1] / expected[score - 1]), 4) if score else 1.0
