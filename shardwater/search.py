"""A search, from queries to hits of one shard: score everything, then align the best.

The worker's task and the command line call find_hits; neither knows which engine answers.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Lock
from typing import Self

from shardwater.alignment import Alignment, aligned_rows
from shardwater.candidates import candidates
from shardwater.database import Shard
from shardwater.distribution import Histogram
from shardwater.engine import Engine, Found, Pair, Progress, Survey, no_progress
from shardwater.errors import EngineError
from shardwater.evalue import Method, SearchSpace, Statistics
from shardwater.extent import Extent, check_extents, check_histograms
from shardwater.fasta import Record
from shardwater.hits import Hsp, Score, ShardResult, SubjectHit, hsp
from shardwater.karlin_altschul import published
from shardwater.length_regression import Fit
from shardwater.scoring import Scoring

TRACED = 0.8
"""Share of making alignments that is the engine's; the rest are their rows and names."""
GROUP = 25
"""Queries searched together: enough to keep an engine busy, few enough for others to be written out meanwhile."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a search asks for beyond its queries; identity and coverage in per cent.

    query_loc, as "5-40", is the part of each query that is searched, its ends from 1 and both in it. The filters apply
    to the max_target_seqs best subjects by score; None asks for no filter.
    """

    matrix: str = "BLOSUM62"
    gap_open: int = 11
    gap_extend: int = 1
    evalue: float = 10.0
    max_target_seqs: int = 100
    min_bits: float | None = None
    min_identity: float | None = None
    min_query_coverage: float | None = None
    statistics: Method = "fitted"
    alignments: int = 100
    score_distribution: bool = False
    query_loc: str | None = None

    def searched_length(self, query: int) -> int:
        """How many residues are searched of a query of so many."""
        if self.query_loc is None:
            return query
        first, last = map(int, self.query_loc.split("-"))
        return last - first + 1

    @property
    def scoring(self) -> Scoring:
        """The matrix and gap costs."""
        return Scoring(self.matrix, self.gap_open, self.gap_extend)

    @property
    def aligned(self) -> int:
        """How many subjects need their alignment: all of them where a filter looks at it."""
        looks = self.min_identity is not None or self.min_query_coverage is not None
        return self.max_target_seqs if looks else min(self.alignments, self.max_target_seqs)

    @property
    def surveyed(self) -> bool:
        """Whether the scores of all subjects are counted, not only the best ones found."""
        return self.statistics == "fitted" or self.score_distribution

    @property
    def kind(self) -> tuple[Scoring, bool]:
        """What searches must have in common to be made in one pass."""
        return self.scoring, self.surveyed

    def by_table(self) -> Self | None:
        """The same with published statistics; None where there are none for the gap costs."""
        known = published(self.scoring.matrix).row(self.gap_open, self.gap_extend) is not None
        return replace(self, statistics="table") if known else None

    def statistics_of(self, space: SearchSpace, fit: Fit | None = None) -> Statistics:
        """The statistics of one query against the whole database; `fitted` needs the fit."""
        return Statistics.of(self.statistics, self.scoring, space, fit)

    def admit(self, bits: float | None, evalue: float | None) -> bool:
        """Whether a hit's bit score and E-value will do, which are known before it is aligned."""
        enough = self.min_bits is None or (bits is not None and bits >= self.min_bits)
        return enough and (evalue is None or evalue <= self.evalue)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What one search asks of a shard."""

    queries: Sequence[Record]
    parameters: Parameters


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is told how far a search is; scored and aligned may raise SearchCancelled, which ends the search.

    scored gets the cells scored since its last call, which add up to ShardResult.cells. aligned gets the share of all
    alignments, weighed by their queries' residues, that has since been made, or found not to be needed: 1 in all.
    between is called where no search is under way in the engine, so that another may be made.
    """

    scored: Progress = no_progress
    aligned: Callable[[float], None] = lambda share: None
    between: Callable[[], None] = lambda: None

    def from_two_threads(self) -> "Watcher":
        """The same for two threads, the one that searches and the one that writes hits out: it is told one by one."""
        lock = Lock()

        def scored(cells: int) -> None:
            with lock:
                self.scored(cells)

        def aligned(share: float) -> None:
            with lock:
                self.aligned(share)

        return replace(self, scored=scored, aligned=aligned)

    def of_part(self, share: float) -> "Watcher":
        """The same for queries that have this share of the alignments."""
        return replace(self, aligned=lambda done: self.aligned(share * done))


UNWATCHED = Watcher()


def find_hits(
    engine: Engine, shard: Shard, queries: Sequence[Record], parameters: Parameters, watcher: Watcher = UNWATCHED
) -> ShardResult:
    """The best subjects of one shard for each query, with the alignments of those that will be reported."""
    [found] = find_all_hits(engine, shard, [Inquiry(queries, parameters)], watcher)
    return found


def find_all_hits(
    engine: Engine,
    shard: Shard,
    inquiries: Sequence[Inquiry],
    watcher: Watcher = UNWATCHED,
) -> list[ShardResult]:
    """What each of several searches finds in one shard, their queries passed over it together.

    All have the same scoring, and all or none are surveyed (Parameters.kind). Each gets what it would get alone.
    Of many queries, those searched are written out while the next ones are searched.
    """
    asked = [_Asked(query, inquiry.parameters) for inquiry in inquiries for query in inquiry.queries]
    found: list[tuple[SubjectHit, ...]] = []
    counted = _Counted([], [])
    writing: deque[Future[list[tuple[SubjectHit, ...]]]] = deque()
    told = watcher if len(asked) <= GROUP else watcher.from_two_threads()
    total = sum(each.weight for each in asked)
    with ThreadPoolExecutor(1, thread_name_prefix="hits") as writer:
        for first in range(0, len(asked), GROUP):
            if first:
                watcher.between()
            group = asked[first : first + GROUP]
            share = sum(each.weight for each in group) / total
            work = _searched(engine, shard, group, told.of_part(share), counted)
            if len(asked) <= GROUP:
                found += work.hits()
                continue
            writing.append(writer.submit(work.hits))
            if len(writing) > 1:
                found += writing.popleft().result()
        for waiting in writing:
            found += waiting.result()
    return _divided(engine.name, shard, inquiries, found, counted)


def _searched(
    engine: Engine, shard: Shard, asked: "Sequence[_Asked]", watcher: Watcher, counted: "_Counted"
) -> "_Group":
    """A group's best scores; how much was scored is checked and added to what was counted before."""
    queries, [scoring] = [each.query for each in asked], {each.parameters.scoring for each in asked}
    top = max(each.parameters.max_target_seqs for each in asked)
    found: Sequence[Found] | Sequence[Survey]
    histograms: list[Histogram] = []
    if asked[0].parameters.surveyed:
        found = surveys = engine.survey(queries, scoring, top, watcher.scored)
        histograms = [Histogram.of(survey.counts) for survey in surveys]
    else:
        found = engine.search(queries, scoring, top, watcher.scored)
    counted.add(shard, queries, [each.extent for each in found], histograms)
    # The order is total: the best few of one query are the first of its best many.
    best = [each.best for each in found]
    cut = [scores[: each.parameters.max_target_seqs] for each, scores in zip(asked, best, strict=True)]
    return _Group(engine, shard, asked, cut, scoring, watcher)


def _divided(
    engine: str,
    shard: Shard,
    inquiries: Sequence[Inquiry],
    found: Sequence[tuple[SubjectHit, ...]],
    counted: "_Counted",
) -> list[ShardResult]:
    """What was found for all queries, as each search's own result."""
    results, first = [], 0
    for inquiry in inquiries:
        own = slice(first, first + len(inquiry.queries))
        first = own.stop
        results.append(
            ShardResult(
                index=shard.index,
                subjects=len(shard),
                residues=shard.residues,
                engine=engine,
                queries=tuple(found[own]),
                extents=tuple(counted.extents[own]),
                histograms=tuple(counted.histograms[own]),
            )
        )
    return results


@dataclass(frozen=True, slots=True)
class _Counted:
    """What engines have counted, query after query; histograms only of those that ask for them."""

    extents: list[Extent]
    histograms: list[Histogram]

    def add(
        self, shard: Shard, queries: Sequence[Record], extents: Sequence[Extent], histograms: Sequence[Histogram]
    ) -> None:
        """Add what was counted for more queries; raises EngineError where that is not the whole shard."""
        before, lengths = len(self.extents), [len(query.residues) for query in queries]
        check_extents(extents, len(shard), shard.residues, lengths, before)
        check_histograms([histogram.total for histogram in histograms], len(shard), before)
        self.extents.extend(extents)
        self.histograms.extend(histograms)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query, and what its search asks of it."""

    query: Record
    parameters: Parameters

    @property
    def weight(self) -> int:
        """What its alignments cost, compared with those of other queries."""
        return len(self.query.residues) * max(1, self.parameters.aligned)


@dataclass(frozen=True, slots=True)
class _Group:
    """Queries with their best scores, to be written out."""

    engine: Engine
    shard: Shard
    asked: Sequence[_Asked]
    scores: Sequence[Sequence[Score]]
    scoring: Scoring
    watcher: Watcher

    def hits(self) -> list[tuple[SubjectHit, ...]]:
        """The hits of each query; those that no report will show have neither names nor alignments."""
        admitted = [
            self._admitted(each.parameters, each.query, scores)
            for each, scores in zip(self.asked, self.scores, strict=True)
        ]
        hsps = self._align([self._wanted(each, scores) for each, scores in zip(self.asked, admitted, strict=True)])
        hits = [
            self._hits(number, scores, {score.subject for score in shown}, hsps)
            for number, (scores, shown) in enumerate(zip(self.scores, admitted, strict=True))
        ]
        self.watcher.aligned(1 - TRACED if hsps else 1)
        return hits

    def _admitted(self, parameters: Parameters, query: Record, scores: Sequence[Score]) -> Sequence[Score]:
        """The subjects that will be reported, as far as their scores tell; before the fit is made, any may be."""
        if parameters.statistics == "fitted":
            return scores
        database = self.shard.database
        space = SearchSpace(len(query.residues), database.manifest.residues, len(database))
        statistics = parameters.statistics_of(space)
        return [
            score
            for score, length in zip(scores, self._lengths(scores), strict=True)
            if parameters.admit(statistics.bits(score.score, length), statistics.evalue(score.score, length))
        ]

    def _lengths(self, scores: Sequence[Score]) -> list[int]:
        lengths: list[int] = self.shard.database.lengths[[score.subject for score in scores]].tolist()
        return lengths

    def _wanted(self, asked: _Asked, scores: Sequence[Score]) -> Sequence[Score]:
        """The subjects to align; before a fit is made, all that may need it, whatever the fit or what stands in."""
        parameters, most = asked.parameters, asked.parameters.aligned
        if parameters.statistics != "fitted":
            return scores[:most]
        if parameters.min_bits is not None and most > 0:
            return scores
        found = set(candidates(scores, self._lengths(scores), most))
        by_table = parameters.by_table()
        if by_table is not None:
            found.update(self._admitted(by_table, asked.query, scores)[:most])
        return [score for score in scores if score in found]

    def _align(self, wanted: Sequence[Sequence[Score]]) -> dict[tuple[int, int], Hsp]:
        """The alignment of each query's best subjects, by (query number, subject)."""
        places = [(number, score.subject) for number, scores in enumerate(wanted) for score in scores]
        expected = [score.score for scores in wanted for score in scores]
        database, scoring = self.shard.database, self.scoring
        sequences = database.sequences([subject for _, subject in places])
        pairs = [
            Pair(self.asked[number].query.residues, sequence)
            for (number, _), sequence in zip(places, sequences, strict=True)
        ]
        total = max(1, sum(len(pair.query) * len(pair.subject) for pair in pairs))
        alignments = self.engine.align(pairs, scoring, lambda cells: self.watcher.aligned(TRACED * cells / total))
        made = [
            (place, _checked(alignment, score, place), pair)
            for place, alignment, score, pair in zip(places, alignments, expected, pairs, strict=True)
        ]
        rows = aligned_rows(
            [alignment for _, alignment, _ in made],
            [pair.query for *_, pair in made],
            [pair.subject for *_, pair in made],
            scoring.scores,
        )
        return {
            place: hsp(alignment, row, self.asked[place[0]].query.offset)
            for (place, alignment, _), row in zip(made, rows, strict=True)
        }

    def _hits(
        self, number: int, scores: Sequence[Score], shown: Set[int], hsps: Mapping[tuple[int, int], Hsp]
    ) -> tuple[SubjectHit, ...]:
        """The hits of one query; those that are shown have names."""
        named = [score.subject for score in scores if score.subject in shown]
        names = dict(zip(named, self.shard.database.names_of_all(named), strict=True))
        hits = []
        for score, length in zip(scores, self._lengths(scores), strict=True):
            accession, title = names.get(score.subject, ("", ""))
            found = hsps.get((number, score.subject))
            aligned = () if found is None else (found,)
            hits.append(SubjectHit(score.subject, accession, title, length, score.score, aligned))
        return tuple(hits)


def _checked(alignment: Alignment | None, score: int, place: tuple[int, int]) -> Alignment:
    """An alignment that has the score of its hit: two programs that share no line have computed the two."""
    if alignment is None or alignment.score != score:
        query, subject = place
        found = 0 if alignment is None else alignment.score
        raise EngineError(f"subject {subject} scored {score} against query {query + 1}, but {found} in its alignment")
    return alignment
