"""Bounds of an E-value by published parameters, for many subjects at a time whose lengths are known within limits.

The area that a chance alignment fits into grows with the subject's length, and is divided by it: the area of the
shortest length over the longest bounds the E-value from below, the other way round from above.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from shardwater.statistics.evalue import SearchSpace, expected_excess, normal_cdf
from shardwater.statistics.karlin_altschul import KarlinAltschul

Numbers = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer]

STEPS, REACH = 100, 40
"""The normal distribution is tabled in steps of 1/100 up to 40 standard deviations, where it is 0 or 1 as a double."""
SLACK = 1e-9
"""More than what rounding does to a logarithm."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest that a subject's place in the order may be: the lower, the better."""

    low: Numbers
    high: Numbers


@dataclass(frozen=True, slots=True)
class TableBounds:
    """Bounds of the logarithm of the finite-size-corrected E-value."""

    row: KarlinAltschul
    space: SearchSpace

    def __call__(self, scores: Integers, shortest: Integers, longest: Integers) -> Bounds:
        """For subjects with these scores, whose lengths are between these."""
        row, y = self.row, scores.astype(np.float64)
        mean = row.alpha * y + row.b
        variance = np.maximum(2 * row.alpha_v / row.lambda_, row.alpha_v * y + row.beta_v)
        covariance = np.maximum(2 * row.sigma / row.lambda_, row.sigma * y + row.tau)
        deviation = np.sqrt(variance)
        query = (self.space.query_length - mean) / deviation
        least, most = np.maximum(1.0, shortest), np.maximum(1.0, longest)
        scale = math.log(row.kappa * max(1, self.space.database_residues)) - row.lambda_ * y

        def logarithm(length: Numbers, divisor: Numbers, up: bool) -> Numbers:
            # One call of numpy for both sequences: there are as many of them as there is to compute.
            fits, excess = _normal(np.stack((query, (length - mean) / deviation)), up)
            area = variance * excess[0] * excess[1] + covariance * fits[0] * fits[1]
            with np.errstate(divide="ignore"):
                found: Numbers = np.log(area / divisor) + scale
                return found

        return Bounds(logarithm(least, most, up=False) - SLACK, logarithm(most, least, up=True) + SLACK)


@cache
def _tables() -> tuple[Numbers, Numbers]:
    """The distribution function and the mean excess, from a step below -REACH to two above REACH."""
    grid = np.arange(-REACH * STEPS - 1, REACH * STEPS + 3) / STEPS
    below = normal_cdf(grid)
    return below, expected_excess(grid, below)


def _normal(x: Numbers, up: bool) -> tuple[Numbers, Numbers]:
    """Bounds of the distribution function and of the mean excess at x, from above or below."""
    steps = np.minimum(np.maximum(x, -REACH), REACH) * STEPS
    places = (steps + (REACH * STEPS + 1 + (1 + SLACK if up else -SLACK))).astype(np.int64)
    fits, excess = _tables()
    # The excess is never below x itself, and is x far to the right.
    return fits[places], np.maximum(excess[places], x * (1 + SLACK if up else 1 - SLACK))
