"""A search, from queries to hits of one shard: score everything, then align the best.

The worker's task and the command line call find_hits; neither knows which engine answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from shardwater.alignment import aligned_rows
from shardwater.database import Database, Shard
from shardwater.engine import Engine, Pair, Progress, no_progress
from shardwater.evalue import Method, SearchSpace, Statistics
from shardwater.fasta import Record
from shardwater.hits import Hsp, Score, ShardResult, SubjectHit, hsp
from shardwater.scoring import Scoring


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

    def admit(self, statistics: Statistics, score: int, subject_length: int) -> bool:
        """Whether a hit's E-value and bit score will do, which is known before it is aligned."""
        evalue, bits = statistics.evalue(score, subject_length), statistics.bits(score)
        enough = self.min_bits is None or (bits is not None and bits >= self.min_bits)
        return enough and (evalue is None or evalue <= self.evalue)


def find_hits(
    engine: Engine, shard: Shard, queries: Sequence[Record], parameters: Parameters, progress: Progress = no_progress
) -> ShardResult:
    """The best subjects of one shard for each query, with the alignments of those that will be reported.

    progress gets the cells of the search alone, so that they add up to ShardResult.cells; it is called with 0
    while alignments are made.
    """
    scoring = parameters.scoring
    found = engine.search(queries, scoring, parameters.max_target_seqs, progress)
    hsps = _align_best(engine, shard, queries, found, parameters, progress)
    return ShardResult(
        index=shard.index,
        subjects=len(shard),
        residues=shard.residues,
        cells=shard.residues * sum(len(query.residues) for query in queries),
        engine=engine.name,
        queries=tuple(
            tuple(_hit(shard, score, hsps.get((number, score.subject), ())) for score in scores)
            for number, scores in enumerate(found)
        ),
    )


def _align_best(
    engine: Engine,
    shard: Shard,
    queries: Sequence[Record],
    found: Sequence[Sequence[Score]],
    parameters: Parameters,
    progress: Progress,
) -> dict[tuple[int, int], tuple[Hsp, ...]]:
    """The alignment of each query's best subjects, by (query number, subject)."""
    wanted = [
        (number, score.subject)
        for number, (query, scores) in enumerate(zip(queries, found, strict=True))
        for score in _admitted(shard.database, query, scores, parameters)[: parameters.aligned]
    ]
    scoring, database = parameters.scoring, shard.database
    pairs = [Pair(queries[number].residues, database.sequence(subject)) for number, subject in wanted]
    alignments = engine.align(pairs, scoring, lambda _: progress(0))
    return {
        place: (hsp(alignment, aligned_rows(alignment, pair.query, pair.subject, scoring.scores)),)
        for place, pair, alignment in zip(wanted, pairs, alignments, strict=True)
        if alignment is not None
    }


def _admitted(database: Database, query: Record, scores: Sequence[Score], parameters: Parameters) -> list[Score]:
    """The subjects that will be reported, as far as their scores tell."""
    statistics = parameters.statistics_of(len(query.residues), database.manifest.residues, len(database))
    lengths = database.lengths
    return [score for score in scores if parameters.admit(statistics, score.score, int(lengths[score.subject]))]


def _hit(shard: Shard, score: Score, hsps: tuple[Hsp, ...]) -> SubjectHit:
    database, subject = shard.database, score.subject
    return SubjectHit(
        subject=subject,
        accession=database.accession(subject),
        title=database.title(subject),
        length=int(database.lengths[subject]),
        score=score.score,
        hsps=hsps,
    )
