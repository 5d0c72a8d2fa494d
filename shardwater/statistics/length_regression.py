"""E-values from the search's own scores, as SSEARCH -z 1 makes them.

Most subjects are unrelated to a query, and their scores grow with the logarithm of their lengths. The line through
them, and how they scatter around it, say how unlikely a score is under just this matrix, these gap costs and this
query's composition. docs/statistics.md has the formulas.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError
from shardwater.statistics.distribution import LENGTH_STEP, ROWS, SCORES, Counts
from shardwater.statistics.goodness import LOW_QUANTILE, QUANTILES_APART, Goodness, goodness

LEAST_SUBJECTS, LEAST_BINS = 50, 5
LOWEST_Z, LEAST_HIGHEST_Z = -3.0, 5.0
"""Subjects outside are no part of the fit: 50 + 10 Z below 20, or above a limit that grows with the database."""
HIGHEST_Z_OF_PROFILES = 2.5
"""A profile raises scores of distant relatives by so little that they are no outliers: all above is cut off."""
MOST_ROUNDS = 20
LEAST_VARIANCE = 0.01

Numbers = npt.NDArray[np.float64]
Values = Sequence[float] | npt.NDArray[Any]
"""Numbers, in a list or in an array."""

EULER_GAMMA = 0.5772156649015329
SCALE = math.pi / math.sqrt(6)
"""From deviations to the scale of the extreme value distribution."""


class NoFitError(AlignError):
    """The scores do not make a fit; the message says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The line that scores of unrelated subjects follow: rho * ln(length) + mu, with this variance around it.

    subjects took part in the fit, rejected did not: outliers, all of high scores where the query has a profile, and
    those alone in their length bin. goodness says how well the line describes them all; None in results of earlier
    versions.
    """

    rho: float
    mu: float
    variance: float
    subjects: int
    rejected: int
    goodness: Goodness | None = None
    # E-values are those of a database with so many times these subjects. It follows from what a search is asked for, as
    # its space has it, and no result says it here.
    scale: float = field(default=1.0, repr=False, metadata={"exclude": True})

    @property
    def counted(self) -> float:
        """The number of subjects that E-values go by."""
        return (self.subjects + self.rejected) * self.scale

    def deviations(self, scores: Values, subject_lengths: Values) -> Numbers:
        """Z of each score: standard deviations above the mean of subjects of this length."""
        means = self.rho * mapped(math.log, np.maximum(1, subject_lengths)) + self.mu
        deviations: Numbers = (scores - means) / math.sqrt(self.variance)
        return deviations

    def evalues(self, deviations: Numbers) -> Numbers:
        """How many of the counted subjects chance alone would give each score or a better one."""
        # How many of one subject's scores are expected above; the exponent stays where exp does.
        exceeding = mapped(math.exp, np.minimum(700.0, -SCALE * deviations - EULER_GAMMA))
        found: Numbers = self.counted * -mapped(math.expm1, -exceeding)
        return found

    def evalue(self, score: int, subject_length: int) -> float:
        """The same of one score."""
        return float(self.evalues(self.deviations([score], [subject_length]))[0])

    def deviation_at(self, evalue: float) -> float:
        """The deviation that has this E-value; below all where it is not below the number of counted subjects."""
        # A share of a huge database may be too small for a double.
        share = max(math.ulp(0.0), evalue / self.counted)
        return -math.inf if share >= 1 else -(math.log(-math.log1p(-share)) + EULER_GAMMA) / SCALE

    def scores_at(self, evalue: float, subject_lengths: Sequence[int]) -> Numbers:
        """The score that has this E-value against a subject of each length; below all where deviation_at is."""
        deviation = self.deviation_at(evalue)
        means = self.rho * mapped(math.log, np.maximum(1, subject_lengths)) + self.mu
        found: Numbers = means + deviation * math.sqrt(self.variance)
        return found

    def bits(self, deviations: Numbers, query_length: int, subject_lengths: Values) -> Numbers:
        """The bit scores with which the Karlin-Altschul formula for the pair would give these probabilities."""
        spaces = mapped(math.log, max(1, query_length) * np.maximum(1, subject_lengths))
        found: Numbers = (SCALE * deviations + EULER_GAMMA + spaces) / math.log(2)
        return found


def zscores(deviations: Numbers) -> list[float]:
    """Deviations on SSEARCH's scale: mean 50, standard deviation 10."""
    found: list[float] = (50 + 10 * deviations).tolist()
    return found


def mapped(function: Callable[[float], float], values: npt.NDArray[Any]) -> Numbers:
    """A function of `math` for each value: the last digit of numpy's own depends on the processor."""
    return np.array([function(value) for value in values.tolist()], np.float64)


@dataclass(frozen=True, slots=True)
class Slopes:
    """A range that the rho of a line may lie in."""

    low: float
    high: float

    def holds(self, fit: Fit) -> bool:
        """Whether a fit's line is within."""
        return self.low <= fit.rho <= self.high


@dataclass(frozen=True, slots=True)
class Range:
    """Up to which Z subjects make a line, from LOWEST_Z on, and what is within of what chance gives.

    mean, variance: of an extreme value distribution of mean 0 and variance 1 between these two; those of all of it
    where next to nothing is beyond.
    """

    highest: float
    mean: float = 0.0
    variance: float = 1.0

    @classmethod
    def of(cls, subjects: int, *, profile: bool) -> Self:
        """For the scores of a profile, or of a plain query, in a database of so many subjects."""
        if profile:
            return cls(HIGHEST_Z_OF_PROFILES, -0.07554, 0.75515)
        return cls(max(LEAST_HIGHEST_Z, (math.log(max(1, subjects)) - EULER_GAMMA) / SCALE))

    def of_all(self, line: "_Line") -> "_Line":
        """The line of all unrelated subjects, where those within have this one."""
        variance = line.variance / self.variance
        return replace(line, mu=line.mu - self.mean * math.sqrt(variance), variance=variance)


@dataclass(frozen=True, slots=True)
class _Line:
    rho: float
    mu: float
    variance: float
    subjects: int


def middles(rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The middle of each row's length bin, as ln(length)."""
    return LENGTH_STEP * (rows.astype(np.float64) - 0.5)


_MIDDLES = middles(np.arange(ROWS))


def fit_scores(counts: Counts, *, profile: bool = False) -> Fit:
    """The fit, and how good it is. Raises NoFitError."""
    fit = fit_line(counts, profile=profile)
    return replace(fit, goodness=goodness(fit.rho, fit.mu, fit.variance, counts, _MIDDLES))


def fit_line(counts: Counts, *, profile: bool = False) -> Fit:
    """The fit to all subjects but outliers, which are found by fitting again until none is left. Raises NoFitError.

    profile: whether the scores are those of one. Of these everything above HIGHEST_Z_OF_PROFILES is cut off, chance
    too, and the line is that of which this is left. Who only chooses by the line does not ask how good it is: that
    takes half as long again.
    """
    # No line has a place for empty subjects, and the last column's scores are not known.
    cells, total = counts.where((counts.rows > 0) & (counts.scores < SCORES - 1)), counts.total
    sums, x = _Sums.of(cells), middles(cells.rows)
    usual = Range.of(total, profile=profile)
    kept = cells.scores <= _highest_usual(cells, usual.highest)
    for _ in range(MOST_ROUNDS):
        line = usual.of_all(_regression(sums, kept))
        deviations = (sums.scores - line.rho * x - line.mu) / math.sqrt(line.variance)
        inside = (deviations >= LOWEST_Z) & (deviations <= usual.highest)
        if np.array_equal(inside, kept):
            break
        kept = inside
    return Fit(line.rho, line.mu, line.variance, line.subjects, total - line.subjects)


def _highest_usual(cells: Counts, highest: float) -> float:
    """The score up to which subjects take part in the first fit, told by the lower half, which related ones are not in.

    By the variance of all, a family of a few per cent would not stand out.
    """
    totals = np.cumsum(np.bincount(cells.scores, cells.subjects, 1))
    low, median = (int(np.searchsorted(totals, share * totals[-1])) for share in (LOW_QUANTILE, 0.5))
    return median + highest * max(1, median - low) / QUANTILES_APART


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """What is summed over the cells of each row: subjects, and their scores and the squares of these."""

    rows: npt.NDArray[np.int64]
    scores: Numbers
    subjects: Numbers
    totals: Numbers
    squares: Numbers

    @classmethod
    def of(cls, cells: Counts) -> Self:
        """The summands of these cells."""
        scores, subjects = cells.scores.astype(np.float64), cells.subjects.astype(np.float64)
        return cls(cells.rows, scores, subjects, subjects * scores, subjects * scores * scores)


def _regression(sums: _Sums, kept: npt.NDArray[np.bool_]) -> _Line:
    """The regression of the bins' mean scores on ln(length), each weighted by subjects / variance.

    The sums over cells are whole numbers below 2^53, the few over bins are rounded once: no order of adding shows.
    """
    n, total, squares = (
        np.bincount(sums.rows, each * kept, ROWS) for each in (sums.subjects, sums.totals, sums.squares)
    )
    if n.sum() < LEAST_SUBJECTS:
        raise NoFitError(f"a fit needs {LEAST_SUBJECTS} unrelated subjects and finds {n.sum():.0f}")
    full = np.flatnonzero(n > 1)
    n, total, squares, x = n[full], total[full], squares[full], middles(full)
    subjects = int(n.sum())
    if subjects < LEAST_SUBJECTS or len(full) < LEAST_BINS:
        raise NoFitError(
            f"a fit needs {LEAST_SUBJECTS} subjects in {LEAST_BINS} classes of length with others, "
            f"here are {subjects} in {len(full)}"
        )
    means = total / n
    weights = n / np.maximum(0.1, (squares - total * means) / (n - 1))
    whole = _sum(weights)
    centre, middle = _sum(weights * x) / whole, _sum(weights * means) / whole
    rho = _sum(weights * (x - centre) * (means - middle)) / _sum(weights * (x - centre) ** 2)
    mu = middle - rho * centre
    expected = rho * x + mu
    variance = _sum(squares - 2 * total * expected + n * expected**2) / subjects
    if variance < LEAST_VARIANCE:
        raise NoFitError("the scores do not vary")
    return _Line(rho, mu, variance, subjects)


def _sum(values: Numbers) -> float:
    """Rounded once; fsum takes Python's own numbers in half the time."""
    return math.fsum(values.tolist())


def expected_counts(fit: Fit, counts: Counts, bins: int) -> tuple[float, ...]:
    """How many subjects of the database the fit expects to score 0, 1, ... bins - 1, to four decimals.

    Summed over the lengths that there are: from any score on, these counts add up to the E-value of that score.
    """
    subjects = counts.by_row()
    rows = np.flatnonzero(subjects)
    mean = fit.rho * np.maximum(0.0, middles(rows)) + fit.mu
    deviations = (np.arange(1, bins + 1) - mean[:, None]) / math.sqrt(fit.variance)
    exceeding = -np.expm1(-np.exp(np.minimum(700.0, -SCALE * deviations - EULER_GAMMA)))
    at_least = np.concatenate(([float(subjects.sum())], subjects[rows] @ exceeding))
    return tuple(round(count, 4) for count in (at_least[:-1] - at_least[1:]).tolist())
