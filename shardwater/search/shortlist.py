"""Which subjects a shard hands on for a query, and which of them it aligns.

Where the statistics are known, they are the best in the order asked for. A fit is known only when all shards have
counted. One of several shards then hands on all that may be among the best by a line of about the slope of its own
fit, and aligns those whose E-values its own fit does not put far above the limit; the merge looks whether the slope of
the whole is within what every shard has allowed for, and whether all that it reports are aligned.
"""

import math
import sys
from bisect import bisect_left, insort
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shardwater.database.database import Database
from shardwater.engines.engine import Survey
from shardwater.search.candidates import candidates
from shardwater.search.cuts import (
    ROUNDING,
    Cut,
    LeastScores,
    best_by,
    best_by_either,
    best_on_any_line,
    best_scores,
    limit,
    reaching,
    within,
)
from shardwater.search.further import Likely
from shardwater.search.hits import Score, ScoreColumns
from shardwater.search.judging import fitted_statistics
from shardwater.search.ordering import order_by_evalue
from shardwater.search.parameters import Parameters
from shardwater.statistics.distribution import ROWS, Counts
from shardwater.statistics.evalue import FINITE_SIZE, FigureColumns, SearchSpace, Statistics
from shardwater.statistics.evalue_bounds import Bounds, Integers, TableBounds
from shardwater.statistics.length_regression import Fit, Slopes, middles

ERRORS, SHARE = 32, 0.05
"""A shard allows for a slope so many standard errors, and this share of it, off its own: families that chance has given
to one shard of a small database turn its line by more than its scatter tells.
"""
LIKELY = 8
"""A shard aligns hits that its own fit gives up to so many times the E-value that is the limit."""
LEAST_EVALUE = sys.float_info.min
"""Smaller ones are 0 as doubles."""


@dataclass(frozen=True, slots=True, eq=False)
class Shortlist:
    """Subjects in the total order or in that asked for; which of them a report may show, and which are to be aligned.

    likely: which of their alignments after the best may be reported. slopes: where they are enough only for a line
    between these.
    """

    scores: ScoreColumns
    are_shown: npt.NDArray[np.bool_]
    are_aligned: npt.NDArray[np.bool_]
    likely: Likely
    slopes: Slopes | None = None

    @property
    def shown(self) -> Set[int]:
        """The subjects that a report may show."""
        return set(self.scores.subjects[self.are_shown].tolist())

    @property
    def aligned(self) -> ScoreColumns:
        """Those to be aligned."""
        return self.scores.select(self.are_aligned)

    def parts(self, most: int) -> "list[Shortlist]":
        """The same, of so many subjects at most each; one at least."""
        if len(self.scores) <= most:
            return [self]
        parts = [slice(first, first + most) for first in range(0, len(self.scores), most)]
        return [
            replace(self, scores=self.scores[part], are_shown=self.are_shown[part], are_aligned=self.are_aligned[part])
            for part in parts
        ]


@dataclass(frozen=True, slots=True)
class Chooser:
    """Chooses for one query in one of so many shards.

    any_line: whatever the line will be. profile: whether the query has one.
    """

    parameters: Parameters
    space: SearchSpace
    database: Database
    shards: int
    any_line: bool = False
    profile: bool = False
    _fits: list[tuple[Counts, Statistics]] = field(default_factory=list, compare=False)
    """The statistics of counts that were asked about last: a cut asks first, then the shortlist."""

    @property
    def cut(self) -> Cut:
        """What an engine hands on of the subjects that it has counted."""
        parameters, top = self.parameters, self.parameters.max_target_seqs
        if not parameters.by_length:
            return best_scores(top)
        cut, row = best_on_any_line(top), parameters.row
        if row is not None:
            # A database without a fit is judged by the table after all.
            best = best_by if parameters.statistics in FINITE_SIZE else best_by_either
            cut = best(TableBounds(row, self.space), top, self.database.manifest.longest)
        return self._within_limit(cut) if self.shards == 1 and parameters.statistics == "fitted" else cut

    def _within_limit(self, cut: Cut) -> Cut:
        """The same of the only shard, without those that its fit puts above the limit to the E-value."""

        def limited(counts: Counts) -> LeastScores:
            # Of a part of the shard the fit is not known yet.
            whole = counts.total == self.space.database_subjects
            fit = self._fitted(counts).fit if whole else None
            if fit is None:
                return cut(counts)
            least = within(fit, max(self.parameters.evalue, LEAST_EVALUE), self.database.manifest.longest)
            few = reaching(counts, least) <= self.parameters.max_target_seqs
            return least if few else np.maximum(least, cut(counts))

        return limited

    def _fitted(self, counts: Counts) -> Statistics:
        for known, statistics in self._fits:
            if known is counts:
                return statistics
        statistics = fitted_statistics(self.parameters, self.space, counts, profile=self.profile)
        self._fits[:] = [(counts, statistics)]
        return statistics

    def of_best(self, best: Sequence[Score]) -> Shortlist:
        """The shortlist of an engine that has counted nothing: these are the best by score, and statistics known."""
        # The order is total: the best few are the first of the best many that another query of the group asks for.
        scores = ScoreColumns.of(best[: self.parameters.max_target_seqs])
        statistics = self.parameters.statistics_of(self.space)
        figures = statistics.in_columns(scores.scores, self._lengths(scores))
        return self._known(_Judged(scores, _admitted(self.parameters, figures)), statistics)

    def of_survey(self, survey: Survey) -> Shortlist:
        """The shortlist of an engine that has counted."""
        if self.parameters.statistics != "fitted":
            statistics = self.parameters.statistics_of(self.space)
            return self._known(self._best(self.parameters, statistics, survey), statistics)
        statistics = self._fitted(survey.counts)
        if self.shards == 1:
            return self._known(self._best(self.parameters, statistics, survey), statistics)
        if self.parameters.order == "score":
            return self._by_score(survey, statistics)
        if statistics.fit is None or self.any_line:
            return self._on_any_line(survey)
        return self._on_line(survey, statistics.fit, slopes_about(statistics.fit, survey.counts))

    def _known(self, best: "_Judged", statistics: Statistics) -> Shortlist:
        if self.shards == 1:
            best = _Judged(best.scores.select(best.admitted), best.admitted[best.admitted])
        # Of several shards' the others, too, may be among the first, and take places there.
        first = best.admitted & (np.cumsum(best.admitted) <= self.parameters.aligned)
        likely = Likely(statistics, self.parameters.evalue, self.parameters.min_bits)
        return Shortlist(best.scores, best.admitted, first, likely)

    def _best(self, parameters: Parameters, statistics: Statistics, survey: Survey) -> "_Judged":
        """The best of all in the order asked for; of the only shard, those that may be within the limit alone."""
        top, scores, lengths = parameters.max_target_seqs, survey.ranked, self._lengths(survey)
        if parameters.order == "score":
            figures = statistics.in_columns(scores.scores[:top], lengths[:top])
            return _Judged(scores[:top], _admitted(parameters, figures))
        bounds = _bounds(statistics, survey.scores, lengths)
        worst = limit(bounds.high, top)
        if self.shards == 1:
            # Nobody else's are better: who is not within the limit is not handed on, and need not be judged.
            worst = min(worst, _worst(statistics, parameters.evalue))
        kept = np.flatnonzero(bounds.low <= worst)
        scores, figures = scores.select(kept), statistics.in_columns(survey.scores[kept], lengths[kept])
        order = order_by_evalue(figures, scores)[:top]
        return _Judged(scores.select(order), _admitted(parameters, figures)[order])

    def _by_score(self, survey: Survey, own: Statistics) -> Shortlist:
        """The best by score; a limit to the E-value cuts them along a line that is not known yet."""
        lengths = self._lengths(survey)[: self.parameters.max_target_seqs].tolist()
        shortlist = self._unjudged(survey, range(len(lengths)), candidates(lengths, self.parameters.aligned))
        return shortlist if own.fit is None or self.any_line else replace(shortlist, likely=self._likely(own.fit))

    def _on_any_line(self, survey: Survey) -> Shortlist:
        lengths = self._lengths(survey).tolist()
        best, aligned = self.parameters.max_target_seqs, self.parameters.aligned
        return self._unjudged(survey, candidates(lengths, best), candidates(lengths, aligned))

    def _unjudged(self, survey: Survey, best: Sequence[int], aligned: Sequence[int]) -> Shortlist:
        """These places of the survey, and those that are needed besides if published parameters stand in for a fit."""
        kept, wanted = np.zeros((2, len(survey.subjects)), np.bool_)
        kept[best], wanted[aligned], by_table = True, True, self.parameters.by_table()
        if by_table is not None:
            by_it = self._best(by_table, by_table.statistics_of(self.space), survey)
            first = by_it.scores.select(by_it.admitted)[: self.parameters.aligned]
            kept |= np.isin(survey.subjects, by_it.scores.subjects)
            wanted |= np.isin(survey.subjects, first.subjects)
        scores = survey.ranked.select(kept)
        return Shortlist(scores, np.ones(len(scores), np.bool_), wanted[kept] | self._cut_by_bits, Likely())

    def _on_line(self, survey: Survey, fit: Fit, slopes: Slopes) -> Shortlist:
        """Those that may be among the best on a line of such a slope."""
        lengths = self._lengths(survey)
        logarithms = np.log(np.maximum(1, lengths))
        kept = contenders(survey.scores, logarithms, slopes, self.parameters.max_target_seqs)
        first = contenders(survey.scores[kept], logarithms[kept], slopes, self.parameters.aligned)
        scores, likely = survey.ranked.select(kept), self._likely(fit)
        aligned = np.zeros(len(scores), np.bool_)
        aligned[first] = likely.are(scores.scores[first].tolist(), lengths[kept][first].tolist())
        return Shortlist(scores, np.ones(len(scores), np.bool_), aligned | self._cut_by_bits, likely, slopes)

    def _likely(self, fit: Fit) -> Likely:
        """What a shard's own fit does not put far above the limit."""
        limit = LIKELY * self.parameters.evalue * (fit.subjects + fit.rejected) / self.space.database_subjects
        return Likely(self.parameters.statistics_of(self.space, fit), limit)

    @property
    def _cut_by_bits(self) -> bool:
        """Whether bits, too, say what is reported, and so what is aligned: they follow no line of the E-value."""
        return self.parameters.min_bits is not None and self.parameters.aligned > 0

    def _lengths(self, found: Survey | ScoreColumns) -> npt.NDArray[np.int64]:
        return self.database.lengths[found.subjects].astype(np.int64)


def slopes_about(fit: Fit, counts: Counts) -> Slopes:
    """The slopes that a shard allows for, whose own counts have this fit."""
    subjects = counts.by_row()[1:]
    lengths = middles(np.arange(1, ROWS))
    spread = float(np.average((lengths - np.average(lengths, weights=subjects)) ** 2, weights=subjects))
    off = ERRORS * math.sqrt(fit.variance / (fit.subjects * spread)) + SHARE * abs(fit.rho)
    return Slopes(fit.rho - off, fit.rho + off)


def contenders(
    scores: npt.NDArray[np.integer], lengths: npt.NDArray[np.float64], slopes: Slopes, top: int
) -> npt.NDArray[np.int64]:
    """Numbers of the subjects that may be among the best on some line of these slopes over ln(length)."""
    if top >= len(scores):
        return np.arange(len(scores))
    if top == 0:
        return np.zeros(0, np.int64)
    slope, off = (slopes.low + slopes.high) / 2, (slopes.high - slopes.low) / 2
    # Lines turn about the length of the best: what is far from it is least certain.
    usual = np.median(lengths[np.argsort(slope * lengths - scores, kind="stable")[:top]])
    height, doubt = scores - slope * (lengths - usual), off * np.abs(lengths - usual)
    kept = np.flatnonzero(-height - doubt <= limit(doubt - height, top) + ROUNDING)
    flat, steep = (scores[kept] - end * lengths[kept] for end in (slopes.low, slopes.high))
    return kept[_unsurpassed(flat, steep, top)]


def _unsurpassed(flat: npt.NDArray[np.float64], steep: npt.NDArray[np.float64], top: int) -> npt.NDArray[np.bool_]:
    """Which have fewer than `top` before them that are better by the flattest line and the steepest, and so by any."""
    order = np.argsort(-flat, kind="stable").tolist()
    before: list[float] = []
    found, taken = np.zeros(len(order), np.bool_), 0
    for number in order:
        while flat[order[taken]] >= flat[number] + ROUNDING:
            insort(before, steep[order[taken]])
            taken += 1
        found[number] = len(before) - bisect_left(before, steep[number] + ROUNDING) < top
    return found


class _Judged(NamedTuple):
    """Subjects in the order asked for, and which of them will be reported, as far as their scores tell."""

    scores: ScoreColumns
    admitted: npt.NDArray[np.bool_]


def _admitted(parameters: Parameters, figures: FigureColumns) -> npt.NDArray[np.bool_]:
    """What Parameters.admit says of each."""
    bits, evalues, least = figures.bits, figures.evalues, parameters.min_bits
    admitted = np.ones(len(figures.depths), np.bool_)
    if least is not None:
        admitted &= bits is not None and bits >= least
    if evalues is not None:
        admitted &= evalues <= parameters.evalue
    return admitted


def _bounds(statistics: Statistics, scores: Integers, lengths: Integers) -> Bounds:
    """The bounds of what hits are ordered by."""
    if statistics.method in FINITE_SIZE and statistics.row is not None:
        return TableBounds(statistics.row, statistics.space)(scores, lengths, lengths)
    if statistics.fit is None:
        return Bounds(-scores.astype(np.float64), -scores.astype(np.float64))
    below = statistics.fit.rho * np.log(np.maximum(1, lengths)) - scores
    return Bounds(below - ROUNDING, below + ROUNDING)


def _worst(statistics: Statistics, evalue: float) -> float:
    """What the bounds of a subject with this E-value are about."""
    evalue = max(evalue, LEAST_EVALUE)
    if statistics.method in FINITE_SIZE and statistics.row is not None:
        return math.log(evalue)
    if statistics.fit is None:
        return math.inf
    return -(statistics.fit.mu + statistics.fit.deviation_at(evalue) * math.sqrt(statistics.fit.variance))
