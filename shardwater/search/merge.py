"""A whole search's result: shards' lists merged, judged by the whole database's statistics, and certified.

Several databases are merged as one that holds all of them: their sizes and their counts are added up.

The types are the result's JSON (docs/api.md); percentages run from 0 to 100.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from shardwater.engines.extent import check_extents, check_histograms
from shardwater.errors import AlignError, EngineError
from shardwater.search.adjusting import Adjustment, Adjustments, Judged, adjust, place_of
from shardwater.search.databases import (
    DatabaseSize,
    DatabaseUsed,
    SearchedDatabase,
    firsts_of,
    size_of,
    together,
    without_tree,
)
from shardwater.search.further import misses_some, with_figures
from shardwater.search.hits import Hsp, ShardResult
from shardwater.search.judging import Distribution, Evalues, Judge
from shardwater.search.parameters import Parameters
from shardwater.search.query_mask import QueryMask
from shardwater.search.remains import Masked
from shardwater.search.rounds import RoundReport
from shardwater.search.warnings import QueryWarning, adjustment_warnings, fit_warnings, query_warnings, taxid_warnings
from shardwater.sequences.alphabet import count_replaced
from shardwater.sequences.fasta import Record
from shardwater.software import Software, software
from shardwater.statistics.distribution import Counts
from shardwater.statistics.karlin_altschul import JSON_NAMES, Simulated
from shardwater.statistics.length_regression import Fit, Slopes
from shardwater.statistics.shuffles import Shuffled


class NarrowShortlist(AlignError):
    """Another line than a shard has chosen its best by, or aligned them by: the search is made again, for any line."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A subject of the result.

    bits and evalue are None under the method `none`, identity and query_coverage where it was not aligned, evalues
    where no fit was made, shuffled where it was not aligned or no shuffles were asked for, masked without a
    mask, database in results of earlier versions, which are of one, taxid and organism, which is a scientific name,
    where nobody has said them. All but hsps is of the best alignment, the first of these.
    """

    rank: int
    accession: str
    title: str
    length: int
    score: int
    bits: float | None
    evalue: float | None
    identity: float | None
    query_coverage: float | None
    hsps: tuple[Hsp, ...]
    evalues: Evalues | None = None
    shuffled: Shuffled | None = None
    masked: Masked | None = None
    database: str | None = None
    taxid: int | None = None
    organism: str | None = None
    subject: int | None = field(default=None, repr=False, compare=False, metadata={"exclude": True})
    """As SubjectHit has it, where the result was just made: it is not written."""

    def __post_init__(self) -> None:
        """Earlier versions have left out of the one alignment what the hit says."""
        if self.hsps and not self.hsps[0].score:
            only = replace(self.hsps[0], score=self.score, bits=self.bits, evalue=self.evalue)
            object.__setattr__(self, "hsps", (only, *self.hsps[1:]))


@dataclass(frozen=True, slots=True)
class Query:
    """A query as it was read; replaced counts its letters searched that score as X, by upper-case letter.

    masked is None where there is no mask; profile, the digest of the scores that it was searched with, without a PSSM.
    """

    id: str
    title: str
    length: int
    replaced: dict[str, int]
    masked: QueryMask | None = None
    profile: str | None = None

    @classmethod
    def of(cls, record: Record, masked: QueryMask | None = None) -> "Query":
        """What a result says of a query of which this is masked."""
        profile = None if record.pssm is None else record.pssm.digest
        return cls(record.id, record.title, record.length, count_replaced(record.residues), masked, profile)


@dataclass(frozen=True, slots=True)
class StatisticsUsed:
    """The constants behind the figures: of the published methods, or of the fit under `fitted`; else None.

    fallback_reason says why `method` is not the one that was asked for; mask and composition what these have left out,
    None where figures are not adjusted to them. simulated has all parameters under `simulated`, with standard errors.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = JSON_NAMES

    method: str
    lambda_: float | None
    kappa: float | None
    entropy: float | None
    eff_space: int | None
    fit: Fit | None = None
    fallback_reason: str | None = None
    composition: Adjustment | None = None
    simulated: Simulated | None = None
    mask: Adjustment | None = None

    @classmethod
    def of(cls, judge: Judge, adjusted: Adjustments) -> "StatisticsUsed":
        """What a result says of the statistics that its figures come from."""
        used = judge.statistics
        constants = used.lambda_, used.kappa, used.entropy, used.eff_space
        others = adjusted.composition, used.simulated, adjusted.mask
        return cls(used.method, *constants, used.fit, judge.fallback_reason, *others)


@dataclass(frozen=True, slots=True)
class QueryResult:
    """One query's hits, best first, and how the scores of all subjects are distributed, where that was asked for.

    digest is that of all other members (digests.py); None before it is made, and in results of earlier versions.
    rounds: those of a search with iterations; the hits are the last one's.
    """

    query: Query
    statistics: StatisticsUsed
    hits: tuple[Hit, ...]
    distribution: Distribution | None = None
    warnings: tuple[QueryWarning, ...] = ()
    rounds: tuple[RoundReport, ...] = ()
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class CertifiedShard:
    """What one shard's worker counted; index: of the shard in its database, whose name earlier versions do not say."""

    index: int
    subjects: int
    residues: int
    cells: int
    engine: str
    database: str | None = None


@dataclass(frozen=True, slots=True)
class Certificate:
    """That every subject was scored against every query: the sums are of what the shards' engines counted (extent.py).

    They equal the databases' size, and cells its residues times those of all queries; else there is no result.
    """

    exact: bool
    subjects: int
    residues: int
    cells: int
    shards: tuple[CertifiedShard, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """Who has signed a result's digest: the public key's name, and the signature in base64."""

    algorithm: str
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Report:
    """An answer to be written out: its queries' parts may be read one by one, and more than once.

    digest is that of the whole (digests.py), None as in QueryResult; signature is of that, where the service has a key.
    databases: those that `database` stands for, in the order given; empty in results of earlier versions.
    """

    search: str
    database: DatabaseUsed
    databases: tuple[SearchedDatabase, ...] = field(default=(), kw_only=True)
    software: Software
    parameters: Parameters
    certificate: Certificate
    digest: str | None = field(default=None, kw_only=True)
    signature: Signature | None = field(default=None, kw_only=True)
    results: Iterable[QueryResult]

    @property
    def each_database(self) -> list[DatabaseUsed]:
        """The databases that were searched, one by one."""
        return [together([each]) for each in self.databases] or [self.database]


@dataclass(frozen=True, slots=True)
class SearchResult(Report):
    """The answer to a search; the queries stand in the order in which they were sent."""

    results: tuple[QueryResult, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """What was searched for, where, and how: all that a result says besides what was found."""

    search: str
    databases: tuple[SearchedDatabase, ...]
    parameters: Parameters
    queries: Sequence[Record]

    @property
    def used(self) -> DatabaseUsed:
        """What its databases are called together."""
        return together(self.databases)

    @property
    def size(self) -> DatabaseSize:
        """Of all its databases."""
        return size_of(self.databases)

    def name_of(self, subject: int) -> str:
        """The database of a subject, by its number among those of all of them."""
        if len(self.databases) == 1:
            return self.databases[0].name
        return self.databases[bisect_right(firsts_of(self.databases), subject) - 1].name


def assemble(searched: Searched, shards: Sequence[ShardResult]) -> SearchResult:
    """Merge the shards' lists into the result.

    Raises EngineError if they do not make up the whole database, if one did not score all of its shard, or if they have
    not judged by the same simulated parameters.
    """
    searched = replace(searched, parameters=replace(searched.parameters, simulated=_simulated(searched, shards)))
    masks = QueryMask.of_all(searched.queries, searched.parameters.mask)
    return SearchResult(
        search=searched.search,
        database=searched.used,
        databases=searched.databases,
        software=software(),
        parameters=searched.parameters,
        certificate=_certificate(searched, shards),
        results=tuple(_query_result(searched, shards, number, masked) for number, masked in enumerate(masks)),
    )


def _simulated(searched: Searched, shards: Sequence[ShardResult]) -> Simulated | None:
    """What all shards have judged by; nothing but under `simulated` statistics."""
    if searched.parameters.statistics != "simulated":
        return None
    found = {shard.simulated for shard in shards}
    if len(found) != 1 or None in found:
        raise EngineError("the shards have not judged by the same simulated parameters")
    return found.pop()


def _certificate(searched: Searched, shards: Sequence[ShardResult]) -> Certificate:
    """The sums of what the shards counted; each query must have been scored against all of each shard."""
    ordered: list[ShardResult] = []
    for number, database in enumerate(searched.databases):
        own = sorted((shard for shard in shards if shard.database == number), key=lambda shard: shard.index)
        counted = DatabaseSize(sum(shard.subjects for shard in own), sum(shard.residues for shard in own))
        if [shard.index for shard in own] != list(range(len(own))) or counted != size_of([database]):
            raise EngineError(f"the shards' results do not make up database {database.name}")
        ordered += own
    for shard in ordered:
        _check_counts(searched, shard)
    return Certificate(
        exact=True,
        subjects=searched.size.subjects,
        residues=searched.size.residues,
        cells=sum(shard.cells for shard in ordered),
        shards=tuple(_certified(searched, shard) for shard in ordered),
    )


def _certified(searched: Searched, shard: ShardResult) -> CertifiedShard:
    name = searched.databases[shard.database].name
    return CertifiedShard(shard.index, shard.subjects, shard.residues, shard.cells, shard.engine, name)


def _check_counts(searched: Searched, shard: ShardResult) -> None:
    try:
        lengths = [len(record.residues) for record in searched.queries]
        check_extents(shard.extents, shard.subjects, shard.residues, lengths)
        check_histograms([histogram.total for histogram in shard.histograms], shard.subjects)
    except EngineError as error:
        raise EngineError(f"{error}, by shard {shard.index} of {searched.databases[shard.database].name}") from None


def _query_result(
    searched: Searched, shards: Sequence[ShardResult], number: int, masked: QueryMask | None
) -> QueryResult:
    record, parameters, size = searched.queries[number], searched.parameters, searched.size
    query = Query.of(record, masked)
    counts = Counts.sum([shard.histograms[number].counts for shard in shards]) if parameters.surveyed else None
    space = parameters.space(len(record.residues), size.residues, size.subjects)
    judge = Judge.of(parameters, space, counts, profile=record.pssm is not None)
    statistics = judge.statistics
    _check_slopes(judge, [shard.slopes[number] for shard in shards if shard.slopes])
    found = [hit for shard in shards for hit in shard.queries[number]]
    figures = statistics.figures([hit.score for hit in found], [hit.length for hit in found])
    judged = list(map(Judged, found, figures))
    judged.sort(key=lambda each: place_of(parameters, each))
    best = judged[: parameters.max_target_seqs]
    admitted = [each for each in best if parameters.admit(each.figures.bits, each.figures.evalue)]
    if any(not each.hit.hsps for each in admitted[: parameters.aligned]):
        raise NarrowShortlist("a hit that is to be shown with its alignment has none")
    if misses_some(admitted[: parameters.aligned], parameters, statistics):
        raise NarrowShortlist("a hit may have an alignment that is to be shown and was not looked for")
    left, adjusted = adjust(admitted, parameters, statistics)
    warnings = query_warnings(record, parameters) + taxid_warnings(without_tree(searched.databases))
    warnings += fit_warnings(statistics.fit, judge.fallback_reason)
    warnings += adjustment_warnings(adjusted.composition, adjusted.mask)
    hits = _hits(left, query, searched, judge)
    return QueryResult(query, StatisticsUsed.of(judge, adjusted), hits, judge.distribution, warnings)


def _check_slopes(judge: Judge, slopes: Sequence[Slopes | None]) -> None:
    """Raise NarrowShortlist where a shard has handed on its best by lines of other slopes than the fit's."""
    if any(each is not None and not (judge.fit and each.holds(judge.fit)) for each in slopes):
        raise NarrowShortlist("a shard's shortlist is too short for the fit of the whole database")


def _hits(admitted: Sequence[Judged], query: Query, searched: Searched, judge: Judge) -> tuple[Hit, ...]:
    """Those that are aligned well enough."""
    hits: list[Hit] = []
    parameters = searched.parameters
    found = [each.hit for each in admitted]
    evalues = judge.evalues(
        [hit.score for hit in found],
        [hit.length for hit in found],
        [each.scale for each in admitted],
    )
    # Each shard aligns its own best: only the best of the whole keep theirs, so that shard counts do not show.
    shown = with_figures(admitted[: parameters.shown], parameters, judge.statistics)
    bare = [each._replace(hit=replace(each.hit, hsps=(), shuffled=None)) for each in admitted[parameters.shown :]]
    for judged, its_evalues in zip((*shown, *bare), evalues, strict=True):
        hit = hit_of(len(hits) + 1, judged, query, its_evalues, searched.name_of(judged.hit.subject))
        if is_aligned_well(hit, parameters):
            hits.append(hit)
    return tuple(hits)


def hit_of(rank: int, judged: Judged, query: Query, evalues: Evalues | None, database: str) -> Hit:
    """A hit of this rank in this database."""
    hit, figures, _ = judged
    return Hit(
        rank,
        hit.accession,
        hit.title,
        hit.length,
        hit.score,
        figures.bits,
        figures.evalue,
        _identity(hit.hsps),
        _query_coverage(hit.hsps, query),
        hit.hsps,
        evalues,
        hit.shuffled,
        hit.remains.masked if hit.remains else None,
        database,
        hit.organism.taxid if hit.organism else None,
        (hit.organism.name or None) if hit.organism else None,
        hit.subject,
    )


def is_aligned_well(hit: Hit, parameters: Parameters) -> bool:
    """Whether a hit passes the filters that look at its alignment."""
    return _at_least(hit.identity, parameters.min_identity) and _at_least(
        hit.query_coverage, parameters.min_query_coverage
    )


def _identity(hsps: Sequence[Hsp]) -> float | None:
    return 100 * hsps[0].identity / hsps[0].align_len if hsps else None


def _query_coverage(hsps: Sequence[Hsp], query: Query) -> float | None:
    return 100 * (hsps[0].query_to - hsps[0].query_from + 1) / query.length if hsps else None


def _at_least(value: float | None, least: float | None) -> bool:
    return least is None or (value is not None and value >= least)
