"""How the hits of one query are judged: by the method asked for, or by the one that stands in for a fit."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log10

from shardwater.search.parameters import Parameters
from shardwater.statistics.distribution import Counts
from shardwater.statistics.evalue import SearchSpace, Statistics
from shardwater.statistics.length_regression import Fit, NoFitError, expected_counts, fit_line, fit_scores, zscores

LEAST_STEPS, LEAST_SHARE = 1.0, 0.4
"""Two E-values differ by more powers of ten than this, and by more than this share of those that the smaller one is
below 1. The factor between them grows with the score: strong hits of usual composition stay within 0.4."""


@dataclass(frozen=True, slots=True)
class Evalues:
    """A hit's E-value by published parameters (None for gap costs without) and by the fit, and the fit's z-score.

    differ says whether the two disagree: one is more than ten times the other, and their exponents are more than 40 %
    of the larger one apart, as those of 6e-53 and 2e-27 are; None where there is only one.
    scale is what the score counts by in the hit's own, adjusted figures: 1 where composition changes nothing, None
    where they are not adjusted. The figures here are of the score as it is.
    """

    table: float | None
    fitted: float
    zscore: float
    differ: bool | None
    scale: float | None = None


@dataclass(frozen=True, slots=True)
class Distribution:
    """How many subjects have which score, and how many the fit expects to.

    Bin k is for scores from k * bin_width on; the last bin is that of the highest score, at most 2,047, which counts
    all above too. expected and fit are None where no fit can be made.
    """

    bin_width: int
    counts: tuple[int, ...]
    expected: tuple[float, ...] | None
    fit: Fit | None


@dataclass(frozen=True, slots=True)
class Judge:
    """What makes figures of one query's scores: the statistics used, and all that the counts of its scores add.

    fallback_reason says why `statistics` is of another method than was asked for.
    """

    statistics: Statistics
    fallback_reason: str | None = None
    fit: Fit | None = None
    table: Statistics | None = None
    distribution: Distribution | None = None

    @classmethod
    def of(cls, parameters: Parameters, space: SearchSpace, counts: Counts | None, *, profile: bool = False) -> "Judge":
        """The judge of a query, or a profile; counts of all subjects are there if the parameters have them made."""
        if counts is None:
            return cls(parameters.statistics_of(space))
        fit, reason = _try_fit(partial(fit_scores, profile=profile), counts)
        distribution = _distribution(counts, fit) if parameters.score_distribution else None
        return cls.by(parameters, space, fit, reason, distribution)

    @classmethod
    def by(
        cls,
        parameters: Parameters,
        space: SearchSpace,
        fit: Fit | None,
        reason: str,
        distribution: Distribution | None = None,
    ) -> "Judge":
        """The judge of a query whose subjects were all counted: by this fit, or for this reason without one."""
        by_table = parameters.by_table()
        table = by_table.statistics_of(space) if by_table else None
        fit = _in_space(fit, space)
        if parameters.statistics != "fitted":
            return cls(parameters.statistics_of(space), None, fit, table, distribution)
        used = _fitted(parameters, space, fit, table)
        fallback_reason = None if fit else f"{reason}{stands_in(used.method)}"
        return cls(used, fallback_reason, fit, table, distribution)

    def evalues(
        self, scores: Sequence[int], subject_lengths: Sequence[int], scales: Sequence[float | None]
    ) -> Sequence[Evalues | None]:
        """Both E-values of each hit, and what its score counts by; None where there is no fit."""
        if self.fit is None:
            return [None] * len(scores)
        deviations = self.fit.deviations(scores, subject_lengths)
        fitted, found = self.fit.evalues(deviations).tolist(), zscores(deviations)
        if self.table is None:
            return [Evalues(None, *each[:2], None, each[2]) for each in zip(fitted, found, scales, strict=True)]
        table = [figures.evalue for figures in self.table.figures(scores, subject_lengths)]
        return list(map(_evalues, table, fitted, found, scales))


def stands_in(method: str) -> str:
    """What a reason for another method than a fit ends with."""
    return f": {method} is used in its place"


def _evalues(table: float | None, fitted: float, zscore: float, scale: float | None) -> Evalues:
    return Evalues(table, fitted, zscore, None if table is None else evalues_differ(table, fitted), scale)


def evalues_differ(one: float, other: float) -> bool:
    """Whether two E-values disagree by more than the score explains."""
    one, other = log10(max(one, sys.float_info.min)), log10(max(other, sys.float_info.min))
    return abs(one - other) > max(LEAST_STEPS, LEAST_SHARE * -min(one, other))


def fitted_statistics(parameters: Parameters, space: SearchSpace, counts: Counts, *, profile: bool) -> Statistics:
    """The statistics of a query, or a profile, that is judged by a fit; nothing is made that only a result says."""
    fit, _ = _try_fit(partial(fit_line, profile=profile), counts)
    by_table = None if fit else parameters.by_table()
    return _fitted(parameters, space, _in_space(fit, space), by_table.statistics_of(space) if by_table else None)


def _in_space(fit: Fit | None, space: SearchSpace) -> Fit | None:
    """The fit, with E-values for a database as large as the space has it."""
    return fit and replace(fit, scale=space.scale)


def _fitted(parameters: Parameters, space: SearchSpace, fit: Fit | None, table: Statistics | None) -> Statistics:
    """Those of the fit, or those that stand in for it."""
    if fit is not None:
        return parameters.statistics_of(space, fit)
    return table or Statistics.of("none", parameters.scoring, space)


def _try_fit(make: Callable[[Counts], Fit], counts: Counts) -> tuple[Fit | None, str]:
    """The fit, or why there is none."""
    try:
        return make(counts), ""
    except NoFitError as error:
        return None, str(error)


def _distribution(counts: Counts, fit: Fit | None) -> Distribution:
    bins = tuple(counts.by_score().tolist())
    return Distribution(1, bins, expected_counts(fit, counts, len(bins)) if fit else None, fit)
