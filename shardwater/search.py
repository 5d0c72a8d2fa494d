"""A search, from queries to hits of one shard: score everything, then align the best.

The worker's task and the command line call find_hits; neither knows which engine answers.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Lock
from typing import Self

from shardwater.alignment import aligned_rows
from shardwater.candidates import candidates
from shardwater.database import Shard
from shardwater.distribution import Histogram
from shardwater.engine import Engine, Pair, Progress, no_progress
from shardwater.evalue import Method, SearchSpace, Statistics
from shardwater.fasta import Record
from shardwater.hits import Hsp, Score, ShardResult, SubjectHit, hsp
from shardwater.karlin_altschul import published
from shardwater.length_regression import Fit
from shardwater.scoring import Scoring

GROUP = 25
"""Queries searched together: enough to keep an engine busy, few enough for others to be written out meanwhile."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a search asks for beyond its queries; identity and coverage in per cent.

    The filters apply to the max_target_seqs best subjects by score; None asks for no filter.
    """

    matrix: str = "BLOSUM62"
    gap_open: int = 11
    gap_extend: int = 1
    evalue: float = 10.0
    max_target_seqs: int = 100
    min_bits: float | None = None
    min_identity: float | None = None
    min_query_coverage: float | None = None
    statistics: Method = "table"
    alignments: int = 100
    score_distribution: bool = False

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


def find_hits(
    engine: Engine, shard: Shard, queries: Sequence[Record], parameters: Parameters, progress: Progress = no_progress
) -> ShardResult:
    """The best subjects of one shard for each query, with the alignments of those that will be reported.

    progress gets the cells of the search alone, so that they add up to ShardResult.cells; it is called with 0
    while alignments are made. Of many queries, those searched are written out while the next ones are searched.
    """
    found: list[tuple[SubjectHit, ...]] = []
    histograms: list[Histogram] = []
    writing: deque[Future[list[tuple[SubjectHit, ...]]]] = deque()
    told = progress if len(queries) <= GROUP else _one_at_a_time(progress)
    with ThreadPoolExecutor(1, thread_name_prefix="hits") as writer:
        for first in range(0, len(queries), GROUP):
            group = queries[first : first + GROUP]
            if parameters.surveyed:
                scores = _survey(engine, group, parameters, told, histograms)
            else:
                scores = engine.search(group, parameters.scoring, parameters.max_target_seqs, told)
            work = _Group(engine, shard, group, scores, parameters, told)
            if len(queries) <= GROUP:
                found += work.hits()
                continue
            writing.append(writer.submit(work.hits))
            if len(writing) > 1:
                found += writing.popleft().result()
        for waiting in writing:
            found += waiting.result()
    return ShardResult(
        index=shard.index,
        subjects=len(shard),
        residues=shard.residues,
        cells=shard.residues * sum(len(query.residues) for query in queries),
        engine=engine.name,
        queries=tuple(found),
        histograms=tuple(histograms),
    )


def _survey(
    engine: Engine, queries: Sequence[Record], parameters: Parameters, progress: Progress, histograms: list[Histogram]
) -> list[list[Score]]:
    """The search that also counts: its histograms are added to those before, and its arrays are given up."""
    surveys = engine.survey(queries, parameters.scoring, parameters.max_target_seqs, progress)
    histograms += [Histogram.of(survey.counts) for survey in surveys]
    return [survey.best for survey in surveys]


def _one_at_a_time(progress: Progress) -> Progress:
    """The same for two threads: the one that searches and the one that writes hits out."""
    lock = Lock()

    def told(cells: int) -> None:
        with lock:
            progress(cells)

    return told


@dataclass(frozen=True, slots=True)
class _Group:
    """Queries with their best scores, to be written out."""

    engine: Engine
    shard: Shard
    queries: Sequence[Record]
    scores: Sequence[Sequence[Score]]
    parameters: Parameters
    progress: Progress

    def hits(self) -> list[tuple[SubjectHit, ...]]:
        """The hits of each query; those that no report will show have neither names nor alignments."""
        admitted = [
            self._admitted(self.parameters, query, scores)
            for query, scores in zip(self.queries, self.scores, strict=True)
        ]
        hsps = self._align([self._wanted(query, scores) for query, scores in zip(self.queries, admitted, strict=True)])
        shown = [{score.subject for score in scores} for scores in admitted]
        return [
            tuple(
                self._hit(score, score.subject in shown[number], hsps.get((number, score.subject))) for score in scores
            )
            for number, scores in enumerate(self.scores)
        ]

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

    def _wanted(self, query: Record, scores: Sequence[Score]) -> Sequence[Score]:
        """The subjects to align; before a fit is made, all that may need it, whatever the fit or what stands in."""
        most = self.parameters.aligned
        if self.parameters.statistics != "fitted":
            return scores[:most]
        if self.parameters.min_bits is not None and most > 0:
            return scores
        found = set(candidates(scores, self._lengths(scores), most))
        by_table = self.parameters.by_table()
        if by_table is not None:
            found.update(self._admitted(by_table, query, scores)[:most])
        return [score for score in scores if score in found]

    def _align(self, wanted: Sequence[Sequence[Score]]) -> dict[tuple[int, int], Hsp]:
        """The alignment of each query's best subjects, by (query number, subject)."""
        places = [(number, score.subject) for number, scores in enumerate(wanted) for score in scores]
        database, scoring = self.shard.database, self.parameters.scoring
        pairs = [Pair(self.queries[number].residues, database.sequence(subject)) for number, subject in places]
        alignments = self.engine.align(pairs, scoring, lambda _: self.progress(0))
        made = [
            (place, alignment, pair)
            for place, alignment, pair in zip(places, alignments, pairs, strict=True)
            if alignment is not None
        ]
        rows = aligned_rows(
            [alignment for _, alignment, _ in made],
            [pair.query for *_, pair in made],
            [pair.subject for *_, pair in made],
            scoring.scores,
        )
        return {place: hsp(alignment, row) for (place, alignment, _), row in zip(made, rows, strict=True)}

    def _hit(self, score: Score, shown: bool, found: Hsp | None) -> SubjectHit:
        database, subject = self.shard.database, score.subject
        accession, title = database.names_of(subject) if shown else ("", "")
        return SubjectHit(
            subject=subject,
            accession=accession,
            title=title,
            length=int(database.lengths[subject]),
            score=score.score,
            hsps=(found,) if found is not None else (),
        )
