"""What is made of queries that have been scored: their hits are chosen and aligned, then written out or handed on.

A search's shard writes its hits out with names and rows. Where thousands of hits would keep the engine waiting for
that, it hands on their paths alone (traced.py), and whoever merges writes them out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Generic, Protocol, TypeVar

from shardwater.database.database import Shard
from shardwater.engines.engine import Engine, Found, Survey
from shardwater.engines.extent import Extent, check_histograms
from shardwater.scoring.scoring import Scoring
from shardwater.search.aligning import Aligned, Place, Wanted, trace_hits, trace_paths, write_hits
from shardwater.search.hits import SubjectHit
from shardwater.search.naming import named_hits
from shardwater.search.parameters import Parameters
from shardwater.search.repeats import KnownRepeats
from shardwater.search.scores import HandedOn
from shardwater.search.shortlist import Chooser, Shortlist
from shardwater.search.shuffling import ScoredQuery, zvalues
from shardwater.search.step import Step, Steps
from shardwater.search.traced import Traced
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import Histogram
from shardwater.statistics.length_regression import Slopes
from shardwater.statistics.shuffles import Shuffled
from shardwater.steps import mapped

TRACED = 0.8
"""Share of making alignments that is the engine's; the rest are their rows and names."""
MOST_CHOSEN = 200_000
"""Subjects that are chosen for several queries together, at most."""
MOST_ALIGNMENTS = 10_000
"""Alignments that are made and written out together, where no query alone asks for more."""

WRITTEN = 2_000
"""Alignments of several subjects that are written out at a time."""

Made = TypeVar("Made")
Scored = tuple[int, Found | Survey]
"""The number of a query, and what an engine says of it."""


@dataclass(frozen=True, slots=True)
class ScoredFor:
    """A query, what its search asks of it, who chooses its hits, and who takes all its scores."""

    record: Record
    parameters: Parameters
    chooser: Chooser
    handed: HandedOn | None = None

    @property
    def weight(self) -> int:
        """What its alignments and shuffles cost, compared with those of other queries."""
        return (1 + self.parameters.shuffles) * self.traced

    @property
    def traced(self) -> int:
        """What its alignments alone do."""
        return len(self.record.residues) * max(1, self.parameters.aligned)


@dataclass(frozen=True, slots=True)
class Answer(Generic[Made]):
    """What was found for a query, the lines for which it is enough, and what was counted."""

    found: Made
    slopes: Slopes | None
    extent: Extent
    histogram: Histogram | None


class Writes(Protocol[Made]):
    """What makes answers of queries that have been scored."""

    def write(self, scored: Sequence[Scored]) -> Steps[dict[int, Answer[Made]]]:
        """The answers to these queries, by their numbers."""
        ...

    def some_of(self, scored: Sequence[Scored]) -> int:
        """How many of these, one at least, have no more alignments than may stand in memory at a time."""
        ...


@dataclass(frozen=True, slots=True)
class Tracing:
    """Chooses the hits of queries and aligns them."""

    engine: Engine
    shard: Shard
    queries: Sequence[ScoredFor]

    @property
    def weight(self) -> int:
        """What all queries' alignments and shuffles cost."""
        return sum(query.weight for query in self.queries)

    def some_of(self, scored: Sequence[Scored]) -> int:
        """As Writes has it."""
        parameters = (self.queries[number].parameters for number, _ in scored)
        alignments = accumulate(each.aligned * (1 + each.further) for each in parameters)
        return max(1, sum(count <= MOST_ALIGNMENTS for count in alignments))

    def shortlist(self, number: int, found: Found | Survey) -> Shortlist:
        """Which subjects a query's answer has."""
        chooser = self.queries[number].chooser
        return chooser.of_survey(found) if isinstance(found, Survey) else chooser.of_best(found.best)

    def answer(self, number: int, found: Found | Survey, shortlist: Shortlist, made: Made) -> Answer[Made]:
        """A query's answer, with its counts; raises EngineError where they are not those of the whole shard."""
        histogram = None
        if isinstance(found, Survey):
            histogram = Histogram.of(found.counts)
            check_histograms([histogram.total], len(self.shard), number)
        return Answer(made, shortlist.slopes, found.extent, histogram)

    def wanted(self, shortlists: Mapping[int, Shortlist]) -> list[Wanted]:
        """Which subjects of each query are to be aligned."""
        wanted = []
        for number, shortlist in shortlists.items():
            query, aligned = self.queries[number], shortlist.aligned
            subjects, scores = aligned.subjects.tolist(), aligned.scores.tolist()
            sequences = self.shard.database.sequences(subjects)
            wanted.append(Wanted(number, query.record, query.parameters, subjects, sequences, scores, shortlist.likely))
        return wanted

    @property
    def scoring(self) -> Scoring:
        """That of all queries."""
        return self.queries[0].parameters.scoring


@dataclass(frozen=True, slots=True)
class WritesPaths:
    """Hands on subjects and paths; hits have one alignment at most, and no shuffles."""

    tracing: Tracing

    def write(self, scored: Sequence[Scored]) -> Steps[dict[int, Answer[Traced]]]:
        """As Writes has it; as many are aligned together as have few enough hits, and one of very many in parts."""
        tracing = self.tracing
        shortlists = {number: tracing.shortlist(number, found) for number, found in scored}
        traced: dict[int, list[Traced]] = {number: [] for number in shortlists}
        for together in _together(shortlists):
            share = sum(
                tracing.queries[number].weight * len(part.scores) / max(1, len(shortlists[number].scores))
                for number, part in together.items()
            )
            wanted = tracing.wanted(together)
            paths = yield from trace_paths(tracing.engine, wanted, tracing.scoring, share / tracing.weight)
            for (number, part), own in zip(together.items(), paths, strict=True):
                traced[number].append(Traced.of(part, own))
        answers = {
            number: tracing.answer(number, found, shortlists[number], Traced.joined(traced[number]))
            for number, found in scored
        }
        nothing = sum(tracing.queries[number].weight for number, each in shortlists.items() if not each.scores)
        yield Step(aligned=nothing / tracing.weight)
        return answers

    def some_of(self, scored: Sequence[Scored]) -> int:
        """As Writes has it: what is chosen of each, before it is aligned."""
        most = (self.tracing.queries[number].parameters.max_target_seqs for number, _ in scored)
        return max(1, sum(count <= MOST_CHOSEN for count in accumulate(most)))


@dataclass(frozen=True, slots=True)
class WritesHits:
    """Writes hits out with their names and rows; those that no report will show have neither names nor alignments."""

    tracing: Tracing

    def write(self, scored: Sequence[Scored]) -> Steps[dict[int, Answer[tuple[SubjectHit, ...]]]]:
        """As Writes has it."""
        tracing = self.tracing
        shortlists = {number: tracing.shortlist(number, found) for number, found in scored}
        own = [tracing.queries[number] for number in shortlists]
        share = sum(query.weight for query in own) / tracing.weight
        traced = TRACED * sum(query.traced for query in own) / tracing.weight
        aligned = yield from trace_hits(tracing.engine, tracing.wanted(shortlists), tracing.scoring, traced)
        repeats, written = KnownRepeats(), (1 - TRACED) * share / 2
        for some in _written_together(aligned):
            write_hits(some, tracing.scoring, repeats)
            yield Step(aligned=written * len(some) / len(aligned))
        hsps = {each.place: each for each in aligned}
        shuffled = yield from self._shuffle(shortlists, TRACED * share - traced)
        answers = {
            number: tracing.answer(
                number, found, shortlists[number], self._hits(number, shortlists[number], hsps, shuffled)
            )
            for number, found in scored
        }
        yield Step(aligned=written if hsps else share)
        return answers

    def some_of(self, scored: Sequence[Scored]) -> int:
        """As Writes has it."""
        return self.tracing.some_of(scored)

    def _shuffle(self, shortlists: Mapping[int, Shortlist], share: float) -> Steps[dict[Place, Shuffled]]:
        """What shuffles say of each query's best subjects, by (query number, subject); such a share of the search."""
        asked, places = [], []
        for number, shortlist in shortlists.items():
            query, aligned = self.tracing.queries[number], shortlist.aligned
            if (shuffling := query.parameters.shuffling) and aligned:
                subjects = aligned.subjects.tolist()
                sequences = self.tracing.shard.database.sequences(subjects)
                asked.append(ScoredQuery(query.record.residues, sequences, aligned.scores.tolist(), shuffling))
                places += [(number, subject) for subject in subjects]
        zvalued = zvalues(self.tracing.engine, self.tracing.scoring, asked)
        of_queries = yield from mapped(zvalued, lambda done: Step(aligned=share * done))
        return dict(zip(places, chain.from_iterable(of_queries), strict=True))

    def _hits(
        self,
        number: int,
        shortlist: Shortlist,
        aligned: Mapping[Place, Aligned],
        shuffled: Mapping[Place, Shuffled],
    ) -> tuple[SubjectHit, ...]:
        """The hits of one query."""
        return named_hits(
            self.tracing.shard.database,
            shortlist.scores,
            shortlist.shown,
            {subject: each for (query, subject), each in aligned.items() if query == number},
            {subject: each for (query, subject), each in shuffled.items() if query == number},
        )


def _together(shortlists: Mapping[int, Shortlist]) -> Iterator[dict[int, Shortlist]]:
    """Shortlists, or parts of them, by their queries: as many at a time as have MOST_ALIGNMENTS subjects together."""
    together: dict[int, Shortlist] = {}
    subjects = 0
    for number, shortlist in shortlists.items():
        for part in shortlist.parts(MOST_ALIGNMENTS):
            if together and subjects + len(part.scores) > MOST_ALIGNMENTS:
                yield together
                together, subjects = {}, 0
            together[number] = part
            subjects += len(part.scores)
    if together:
        yield together


def _written_together(aligned: Sequence[Aligned]) -> Iterator[list[Aligned]]:
    """Subjects in parts, which have WRITTEN alignments or are one subject's."""
    part, count = list[Aligned](), 0
    for each in aligned:
        if part and count + len(each.alignments) > WRITTEN:
            yield part
            part, count = [], 0
        part.append(each)
        count += len(each.alignments)
    if part:
        yield part
