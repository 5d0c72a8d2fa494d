"""What a query's answer should be, as far as it follows from the scores of its hits and of some other subjects.

It is made by what makes every result (merge.py, judging.py). Taken as the result has them are the line of a fit and how
good it is, or that no fit could be made, the counts of all scores, and how many subjects a mask and the adjustment to
composition have left out: only all subjects together tell those.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace

from shardwater.search.adjusting import METHOD, Adjustment, Adjustments, adjusts
from shardwater.search.expected_hits import Asked, HitList
from shardwater.search.judging import Distribution, Judge, stands_in
from shardwater.search.merge import QueryResult, StatisticsUsed
from shardwater.search.plain import plain_of
from shardwater.search.verification import Difference, Plain, value_text
from shardwater.search.warnings import adjustment_warnings, fit_warnings, query_warnings, taxid_warnings
from shardwater.statistics.distribution import SCORES
from shardwater.statistics.karlin_altschul import Simulated
from shardwater.statistics.length_regression import LEAST_SUBJECTS, LEAST_VARIANCE, Fit


@dataclass(frozen=True, slots=True)
class Expected:
    """The part of a result that a query should have, as plain JSON, and what else is to be told of the one it has.

    reasons: why hits that are listed should not be, by their places from 1. unsound: the places of hits whose
    alignments are none; what follows from these is not judged. told: of them, and what is missing.
    """

    part: Plain
    reasons: Mapping[int, str] = field(default_factory=dict)
    unsound: frozenset[int] = frozenset()
    told: Sequence[Difference] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a result answers to a query, and the scores of its hits' subjects and of others, made anew."""

    asked: Asked
    stored: QueryResult
    scores: Mapping[int, int]

    def expected(self, sample: Sequence[int]) -> Expected:
        """What it should be; those of the sample that should be among its hits are told."""
        fit, query = self._fit, self.asked.query
        fault = self._in_fit(fit) or self._in_simulated()
        if fault is not None:
            # No figure follows from it: nothing is known of the rest.
            return Expected({**plain_of(self.stored), "query": plain_of(query)}, told=[fault])
        judge = self._judge(fit)
        adjusted = self._adjustments(judge)
        used = StatisticsUsed.of(judge, adjusted)
        left_out = sum(each.left_out for each in adjusted if each)
        hits = HitList(self.asked, self.stored.query.id, self.stored.hits, judge, self.scores, left_out)
        made = hits.made(sample)
        warnings = query_warnings(self.asked.record, self.asked.parameters)
        warnings += taxid_warnings(self.asked.without_tree)
        warnings += fit_warnings(used.fit, used.fallback_reason) + adjustment_warnings(
            adjusted.composition, adjusted.mask
        )
        # What rounds before the last one have found, no sample tells.
        part = plain_of(QueryResult(query, used, (), judge.distribution, warnings, rounds=self.stored.rounds))
        unsound = frozenset(each.rank for each in made.unsound if each.rank is not None)
        told = [*self._in_distribution(), *made.unsound, *made.missing]
        return Expected({**part, "hits": made.hits}, made.reasons, unsound, told)

    @property
    def _fit(self) -> Fit | None:
        """The fit that the answer goes by, if it goes by one: for figures, or to compare them with."""
        if self.asked.parameters.statistics != "fitted":
            distribution = self.stored.distribution if self.asked.parameters.score_distribution else None
            return distribution.fit if distribution else None
        return self.stored.statistics.fit if self.stored.statistics.fallback_reason is None else None

    def _in_fit(self, fit: Fit | None) -> Difference | None:
        """What is told of a fit that cannot be, or that is missing."""
        fitted, subjects = self.asked.parameters.statistics == "fitted", self.asked.space.database_subjects
        member, should = ("statistics" if fitted else "distribution") + ".fit", f"one of {subjects:,} subjects"
        if fit is None:
            missing = fitted and self.stored.statistics.fallback_reason is None
            return self._difference(member, None, should) if missing else None
        wrong = fault_of(fit, subjects)
        return self._difference(member, wrong, should) if wrong else None

    def _in_simulated(self) -> Difference | None:
        """What is told of simulated parameters that cannot be, or that are missing."""
        simulated = self.stored.statistics.simulated
        if self.asked.parameters.statistics != "simulated" or (simulated is not None and _may_be(simulated)):
            return None
        stored = None if simulated is None else "one that no figure follows from"
        return self._difference("statistics.simulated", stored, "parameters of the scoring")

    def _judge(self, fit: Fit | None) -> Judge:
        """Who judges the hits; whether a fit could be made, and what was simulated, is taken as the answer says."""
        parameters, used, stored = self.asked.parameters, self.stored.statistics, self.stored.distribution
        if parameters.statistics == "simulated":
            parameters = replace(parameters, simulated=used.simulated)
        if not parameters.surveyed:
            return Judge.of(parameters, self.asked.space, None)
        distribution = None
        if stored is not None and parameters.score_distribution:
            distribution = Distribution(1, stored.counts, stored.expected if fit else None, fit)
        reason = (used.fallback_reason or "").removesuffix(stands_in(used.method))
        return Judge.by(parameters, self.asked.space, fit, reason, distribution)

    def _adjustments(self, judge: Judge) -> Adjustments:
        """What a mask and the adjustment have left out, which is taken as the answer says it if it can be."""
        parameters, stored = self.asked.parameters, self.stored.statistics
        room = parameters.max_target_seqs - len(self.stored.hits)
        mask = None if parameters.mask == "none" else self._adjustment(parameters.mask, stored.mask, room)
        if not adjusts(parameters, judge.statistics):
            return Adjustments(mask, None)
        return Adjustments(mask, self._adjustment(METHOD, stored.composition, room - (mask.left_out if mask else 0)))

    def _adjustment(self, method: str, stored: Adjustment | None, room: int) -> Adjustment:
        found = Adjustment(method, 0, None)
        if stored is None or not 0 < stored.left_out <= room:
            return found
        lowest, most = stored.lowest_evalue, self.asked.parameters.evalue
        if lowest is None and self.stored.statistics.method == "none":
            return replace(found, left_out=stored.left_out)
        possible = lowest is not None and 0 <= lowest <= most
        return replace(found, left_out=stored.left_out, lowest_evalue=lowest) if possible else found

    def _in_distribution(self) -> Iterator[Difference]:
        """What cannot be in the counts of all scores, or in those that the fit expects."""
        if not self.asked.parameters.score_distribution:
            return
        stored, subjects = self.stored.distribution, self.asked.space.database_subjects
        if stored is None:
            yield self._difference("distribution", None, f"one of {subjects:,} subjects")
            return
        counts, expected = stored.counts, stored.expected
        if not 0 < len(counts) <= SCORES or min(counts) < 0 or counts[-1] == 0:
            yield self._difference("distribution.counts", "what counts no scores", f"those of {subjects:,} subjects")
        elif sum(counts) != subjects:
            yield self._difference("distribution.counts", f"{value_text(sum(counts))} in all", f"{subjects} in all")
        sound = expected is not None and len(expected) == len(counts) and _are_finite(expected)
        if stored.fit is not None and not sound:
            yield self._difference("distribution.expected", "not one for each score", f"{len(counts)} numbers")

    def _difference(self, member: str, stored: str | None, computed: str) -> Difference:
        return Difference(member, stored, computed, self.asked.number, self.stored.query.id)


def fault_of(fit: Fit, subjects: int) -> str:
    """Why no fit to so many subjects is like this one, in words; empty where one may be."""
    goodness = fit.goodness
    figures = [fit.rho, fit.mu, fit.variance]
    if goodness is not None:
        figures += [goodness.distance, goodness.spread or 0.0, goodness.tail]
    if not _are_finite(figures) or fit.variance < LEAST_VARIANCE:
        return "one that no figure follows from"
    if fit.subjects < LEAST_SUBJECTS or fit.rejected < 0 or fit.subjects + fit.rejected != subjects:
        return f"one of {value_text(fit.subjects)} and {value_text(fit.rejected)} subjects"
    return ""


def _may_be(simulated: Simulated) -> bool:
    """Whether a simulation may have found such parameters."""
    row = simulated.row
    figures = [*astuple(row), simulated.lambda_error, simulated.kappa_error]
    return _are_finite(figures) and min(row.lambda_, row.kappa, row.alpha, row.alpha_v) > 0


def _are_finite(figures: Sequence[float]) -> bool:
    return all(map(math.isfinite, figures))
