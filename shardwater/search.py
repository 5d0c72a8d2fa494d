"""A search, from queries to hits of one shard: score everything, then align the best.

The worker's task and the command line call find_hits; neither knows which engine answers.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

from shardwater.alignment import aligned_rows
from shardwater.database import Shard
from shardwater.engine import Engine, Pair, Progress, no_progress
from shardwater.evalue import Method, SearchSpace, Statistics
from shardwater.fasta import Record
from shardwater.hits import Hsp, Score, ShardResult, SubjectHit, hsp
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

    @property
    def scoring(self) -> Scoring:
        """The matrix and gap costs."""
        return Scoring(self.matrix, self.gap_open, self.gap_extend)

    @property
    def aligned(self) -> int:
        """How many subjects need their alignment: all of them where a filter looks at it."""
        looks = self.min_identity is not None or self.min_query_coverage is not None
        return self.max_target_seqs if looks else min(self.alignments, self.max_target_seqs)

    def statistics_of(self, query_length: int, database_residues: int, database_subjects: int) -> Statistics:
        """The statistics of one query against the whole database."""
        space = SearchSpace(query_length, database_residues, database_subjects)
        return Statistics.of(self.statistics, self.scoring, space)

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
    writing: deque[Future[list[tuple[SubjectHit, ...]]]] = deque()
    told = progress if len(queries) <= GROUP else _one_at_a_time(progress)
    with ThreadPoolExecutor(1, thread_name_prefix="hits") as writer:
        for first in range(0, len(queries), GROUP):
            group = queries[first : first + GROUP]
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
    )


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
        admitted = [self._admitted(query, scores) for query, scores in zip(self.queries, self.scores, strict=True)]
        hsps = self._align([scores[: self.parameters.aligned] for scores in admitted])
        shown = [{score.subject for score in scores} for scores in admitted]
        return [
            tuple(
                self._hit(score, score.subject in shown[number], hsps.get((number, score.subject))) for score in scores
            )
            for number, scores in enumerate(self.scores)
        ]

    def _admitted(self, query: Record, scores: Sequence[Score]) -> list[Score]:
        """The subjects that will be reported, as far as their scores tell."""
        database, parameters = self.shard.database, self.parameters
        statistics = parameters.statistics_of(len(query.residues), database.manifest.residues, len(database))
        lengths = database.lengths[[score.subject for score in scores]].tolist()
        return [
            score
            for score, length in zip(scores, lengths, strict=True)
            if parameters.admit(statistics.bits(score.score), statistics.evalue(score.score, length))
        ]

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
