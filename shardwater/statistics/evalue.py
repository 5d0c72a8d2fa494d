"""What a raw score means in a search: bit score and E-value, by one of five methods.

`table` is the finite-size-corrected E-value (Park, Sheetlin, Ma, Madden, Spouge 2012), which asks how likely the
score is between two sequences of just these lengths; `karlin-altschul` is the older product of effective lengths,
the same for every subject; `simulated` is the E-value of `table` with parameters that were simulated for just this
matrix and these gap costs; `fitted` goes by how the scores of this very search are distributed, and takes any gap
costs; `none` gives no figures and takes any too. docs/statistics.md has the formulas.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.scoring.scoring import Scoring
from shardwater.statistics.karlin_altschul import GapCosts, KarlinAltschul, Simulated, published, published_pairs
from shardwater.statistics.length_regression import Fit, Numbers, mapped

__all__ = [
    "METHODS",
    "Figures",
    "GapCosts",
    "KarlinAltschul",
    "Method",
    "SearchSpace",
    "Statistics",
    "length_adjustment",
    "parameters",
    "published_pairs",
]

Method = Literal["table", "karlin-altschul", "simulated", "fitted", "none"]
METHODS: tuple[Method, ...] = get_args(Method)
PUBLISHED: tuple[Method, ...] = ("table", "karlin-altschul")
"""Those that go by published parameters alone."""
FINITE_SIZE: tuple[Method, ...] = ("table", "simulated")
"""Those that weigh how long a chance alignment is, against the lengths of both sequences."""

SQRT_HALF = math.sqrt(0.5)
INVERSE_SQRT_2_PI = 1 / math.sqrt(2 * math.pi)


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """What one query is searched against: the whole database, never one shard of it.

    database_residues: what E-values take for the residues of the database; scale: how many times the real number that
    is.
    """

    query_length: int
    database_residues: int
    database_subjects: int
    scale: float = 1.0


class Figures(NamedTuple):
    """What a score means against one subject: in bits, and how many like it chance alone would give in the search.

    depth tells apart those whose E-values are too small for it, the best first: it is the logarithm of the E-value, or
    what that follows from. Without E-values it is the score alone.
    """

    bits: float | None
    evalue: float | None
    depth: float


class FigureColumns(NamedTuple):
    """The same of several scores, each in an array, or None where there are none."""

    bits: Numbers | None
    evalues: Numbers | None
    depths: Numbers


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of one query's search: makes figures of scores, and says what it makes them with.

    eff_space is the effective search space, the product of the effective lengths of query and database.
    The figures are None under the method `none`, and row and eff_space under `fitted`; simulated is what `simulated`
    goes by, else None.
    """

    method: Method
    space: SearchSpace
    row: KarlinAltschul | None
    eff_space: int | None
    fit: Fit | None = None
    simulated: Simulated | None = None

    @classmethod
    def of(
        cls,
        method: Method,
        scoring: Scoring,
        space: SearchSpace,
        fit: Fit | None = None,
        simulated: Simulated | None = None,
    ) -> Self:
        """The statistics of a search; `fitted` needs a fit, `simulated` what was simulated for the scoring.

        Gap costs that nothing is published for are refused under `table` and `karlin-altschul`.
        """
        if method == "none" or fit is not None:
            return cls(method, space, None, None, fit)
        row = parameters(scoring) if simulated is None else simulated.row
        return cls(method, space, row, effective_space(row, space), simulated=simulated)

    @property
    def lambda_(self) -> float | None:
        """The scale of the scores."""
        return self.row.lambda_ if self.row else None

    @property
    def kappa(self) -> float | None:
        """The scale of the search space, K."""
        return self.row.kappa if self.row else None

    @property
    def entropy(self) -> float | None:
        """The relative entropy H, in nats per aligned pair."""
        return self.row.entropy if self.row else None

    def figures(self, scores: Sequence[float], subject_lengths: Sequence[int]) -> list[Figures]:
        """All figures of each score, worked out once."""
        columns = self.in_columns(np.array(scores, np.float64), np.array(subject_lengths, np.int64))
        none = [None] * len(scores)
        bits, evalues = (none if each is None else each.tolist() for each in (columns.bits, columns.evalues))
        return list(map(Figures, bits, evalues, columns.depths.tolist()))

    def in_columns(self, scores: npt.NDArray[Any], subject_lengths: npt.NDArray[np.int64]) -> FigureColumns:
        """The same in arrays."""
        if self.fit is not None:
            deviations = self.fit.deviations(scores, subject_lengths)
            bits = self.fit.bits(deviations, self.space.query_length, subject_lengths)
            return FigureColumns(bits, self.fit.evalues(deviations), -deviations)
        y = scores.astype(np.float64)
        if self.row is None or self.eff_space is None:
            return FigureColumns(None, None, -y)
        bits = (self.row.lambda_ * y - math.log(self.row.kappa)) / math.log(2)
        if self.method in FINITE_SIZE:
            return FigureColumns(bits, *_finite_size(self.row, self.space, y, np.maximum(1, subject_lengths)))
        evalues = self.eff_space * self.row.kappa * mapped(math.exp, -self.row.lambda_ * y)
        return FigureColumns(bits, evalues, -y)

    def bits(self, score: float, subject_length: int) -> float | None:
        """A score in bits: comparable between matrices and gap costs."""
        return self.figures([score], [subject_length])[0].bits

    def evalue(self, score: float, subject_length: int) -> float | None:
        """How many alignments with this score or better chance alone would give in this search."""
        return self.figures([score], [subject_length])[0].evalue


def published_row(scoring: Scoring) -> KarlinAltschul | None:
    """The published parameters of a scoring; None for gap costs without, and for a user's own matrix."""
    return None if scoring.own else published(scoring.matrix).row(scoring.gap_open, scoring.gap_extend)


def parameters(scoring: Scoring) -> KarlinAltschul:
    """The published parameters of a scoring; refuses a scoring that has none, and lists those that have."""
    row = published_row(scoring)
    if row is None and scoring.own:
        raise ScoringError("there are no published statistics for a matrix of your own")
    if row is None:
        pairs = ", ".join(map(str, published_pairs(scoring.matrix)))
        costs = f"{scoring.gap_open}/{scoring.gap_extend}"
        raise ScoringError(
            f"no published statistics for {scoring.matrix} with gap costs {costs}; pairs that have them: {pairs}"
        )
    return row


def effective_space(row: KarlinAltschul, space: SearchSpace) -> int:
    """The effective search space: each sequence loses the length that an alignment cannot start in."""
    adjustment = length_adjustment(row, space)
    database = max(1, space.database_residues - space.database_subjects * adjustment)
    return (space.query_length - adjustment) * database


def length_adjustment(row: KarlinAltschul, space: SearchSpace) -> int:
    """The length by which query and each subject are shortened: the expected length of a chance alignment.

    It is the largest whole length that is no longer than the alignment expected in what it leaves over. The
    expected length falls as the adjustment grows, so bisection finds it.
    """

    def too_long(adjustment: int) -> bool:
        left = _left_over(space, adjustment)
        return row.alpha / row.lambda_ * math.log(row.kappa * left) + row.beta < adjustment

    candidates = range(1, _largest_adjustment(row, space) + 1)
    return bisect_left(candidates, True, key=too_long)


def _left_over(space: SearchSpace, adjustment: int) -> int:
    return (space.query_length - adjustment) * (space.database_residues - space.database_subjects * adjustment)


def _largest_adjustment(row: KarlinAltschul, space: SearchSpace) -> int:
    """The largest adjustment that leaves K * m' * n' of at least the longer length: below it the logarithm is safe."""
    m, n, subjects = space.query_length, space.database_residues, space.database_subjects
    c = m * n - max(m, n) / row.kappa
    if c <= 0:
        return 0
    b = m * subjects + n
    return int(2 * c / (b + math.sqrt(b * b - 4 * subjects * c)))


def _finite_size(
    row: KarlinAltschul, space: SearchSpace, y: Numbers, n: npt.NDArray[np.integer]
) -> tuple[Numbers, Numbers]:
    """E-value of a score between the query and one subject, times the number of such subjects in the database.

    And its natural logarithm, also where it is too small for a double; -infinity where the area itself is. An empty
    subject has no alignment; its n is 1, to keep its figures finite.
    """
    places = area(row, space, y, n)
    evalues = places * row.kappa * mapped(math.exp, -row.lambda_ * y) * space.database_residues / n
    scale = row.kappa * max(1, space.database_residues) / n
    logarithms = mapped(_log, places) + mapped(math.log, scale) - row.lambda_ * y
    return evalues, logarithms


def _log(area: float) -> float:
    return math.log(area) if area > 0 else -math.inf


def area(row: KarlinAltschul, space: SearchSpace, y: Numbers, n: npt.NDArray[np.integer]) -> Numbers:
    """In how many places a chance alignment of score y fits between the query and a subject of n residues.

    It has to fit into both sequences before it ends; its lengths in them are taken as normally distributed, with mean,
    variance and covariance that grow with the score.
    """
    mean = row.alpha * y + row.b
    variance = np.maximum(2 * row.alpha_v / row.lambda_, row.alpha_v * y + row.beta_v)
    covariance = np.maximum(2 * row.sigma / row.lambda_, row.sigma * y + row.tau)
    deviation = np.sqrt(variance)
    query, subject = (space.query_length - mean) / deviation, (n - mean) / deviation
    query_fits, subject_fits = normal_cdf(query), normal_cdf(subject)
    product = variance * expected_excess(query, query_fits) * expected_excess(subject, subject_fits)
    places: Numbers = product + covariance * query_fits * subject_fits
    return places


def normal_cdf(x: Numbers) -> Numbers:
    """The standard normal distribution function."""
    # erfc and not 1 + erf: the lower tail keeps its digits.
    return mapped(math.erfc, -x * SQRT_HALF) / 2


def expected_excess(x: Numbers, below: Numbers) -> Numbers:
    """The mean of max(0, x + Z), of a standard normal Z that is so often below x; never below 0, where terms cancel."""
    return np.maximum(0.0, x * below + INVERSE_SQRT_2_PI * mapped(math.exp, -x * x / 2))
