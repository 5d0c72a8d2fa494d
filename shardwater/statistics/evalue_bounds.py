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
    """Bounds of the logarithm of finite_size_evalue."""

    row: KarlinAltschul
    space: SearchSpace

    def __call__(self, scores: Integers, shortest: Integers, longest: Integers) -> Bounds:
        """For subjects with these scores, whose lengths are between these."""
        row, y = self.row, scores.astype(np.float64)
        mean = row.alpha * y + row.b
        variance = np.maximum(2 * row.alpha_v / row.lambda_, row.alpha_v * y + row.beta_v)
        covariance = np.maximum(2 * row.sigma / row.lambda_, row.sigma * y + row.tau)
        least, most = np.maximum(1.0, shortest), np.maximum(1.0, longest)
        scale = math.log(row.kappa * max(1, self.space.database_residues))

        def logarithm(length: Numbers, divisor: Numbers, up: bool) -> Numbers:
            deviation = np.sqrt(variance)
            query, subject = (self.space.query_length - mean) / deviation, (length - mean) / deviation
            product = variance * _excess(query, up) * _excess(subject, up)
            area = product + covariance * _cdf(query, up) * _cdf(subject, up)
            with np.errstate(divide="ignore"):
                return np.log(area) + scale - np.log(divisor) - row.lambda_ * y

        return Bounds(logarithm(least, most, up=False) - SLACK, logarithm(most, least, up=True) + SLACK)


@cache
def _tables() -> tuple[Numbers, Numbers]:
    grid = [number / STEPS for number in range(-REACH * STEPS, REACH * STEPS + 1)]
    return np.array([normal_cdf(x) for x in grid]), np.array([expected_excess(x) for x in grid])


def _place(x: Numbers, up: bool) -> npt.NDArray[np.int64]:
    """The step of the tables next to x, above or below."""
    steps = np.clip(x, -REACH, REACH) * STEPS
    return (np.ceil(steps + SLACK) if up else np.floor(steps - SLACK)).astype(np.int64) + REACH * STEPS


def _cdf(x: Numbers, up: bool) -> Numbers:
    table = _tables()[0]
    return table[np.clip(_place(x, up), 0, len(table) - 1)]


def _excess(x: Numbers, up: bool) -> Numbers:
    table = _tables()[1]
    # Far to the right it is x itself.
    return np.where(
        x > REACH - 1, x * (1 + SLACK if up else 1 - SLACK), table[np.clip(_place(x, up), 0, len(table) - 1)]
    )
