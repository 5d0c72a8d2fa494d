"""A search, from queries to hits of one shard: score everything, then align the best.

Workers and the command line go through find_all_hits step by step; neither knows which engine answers.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from queue import SimpleQueue
from threading import Event
from typing import Self, cast

from shardwater.database.database import Shard
from shardwater.engines.engine import Engine, Found, Slice, Slices, Survey
from shardwater.engines.extent import Extent, check_extents, check_histograms
from shardwater.errors import EngineError
from shardwater.search.aligning import Aligned, Place, Wanted, align_hits
from shardwater.search.databases import DatabaseSize, Whole
from shardwater.search.hits import Score, ShardResult, SubjectHit
from shardwater.search.parameters import Parameters
from shardwater.search.scores import HandedOn, Keep
from shardwater.search.shortlist import Chooser, Shortlist
from shardwater.search.shuffling import ScoredQuery, zvalues
from shardwater.search.step import Step, Steps
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import Histogram
from shardwater.statistics.evalue import SearchSpace
from shardwater.statistics.length_regression import Slopes
from shardwater.statistics.shuffles import Shuffled
from shardwater.steps import finish, mapped

TRACED = 0.8
"""Share of making alignments that is the engine's; the rest are their rows and names."""
MOST_WAITING = 50
"""Queries that have been scored and wait to be written out: where that takes longer than to score, scoring waits."""
MOST_ALIGNMENTS = 10_000
"""Alignments that are made and written out together, where no query alone asks for more."""
LOOK_S = 0.05
"""How often who waits for the last alignments hears of them, in seconds."""


@dataclass(frozen=True, slots=True)
class ShardSearch:
    """What one search asks of a shard; any_line where shortlists for lines like the shards' own were not enough.

    keep: gets all scores, as they are computed. whole: what the shard is a part of: where none is said, of all shards.
    """

    queries: Sequence[Record]
    parameters: Parameters
    any_line: bool = False
    keep: Keep | None = None
    whole: Whole | None = None

    def whole_of(self, shard: Shard) -> Whole:
        """All that is searched."""
        return self.whole or Whole(DatabaseSize(*shard.searched), shard.count)


def find_hits(engine: Engine, shard: Shard, queries: Sequence[Record], parameters: Parameters) -> ShardResult:
    """The best subjects of one shard for each query, with the alignments of those that will be reported."""
    [found] = finish(find_all_hits(engine, shard, [ShardSearch(queries, parameters)]))
    return found


def find_all_hits(engine: Engine, shard: Shard, searches: Sequence[ShardSearch]) -> Steps[list[ShardResult]]:
    """What each of several searches finds in one shard, or in a part of the loaded one, their queries passed over it
    together.

    All are of one kind (Parameters.kind). Each gets what it would get alone. Raises what their `keep` does.
    Of several queries, those that have been scored are aligned and written out while the next ones are scored.
    """
    queries = [
        _Query(
            query,
            search.parameters,
            _chooser(shard, query, search),
            None if search.keep is None else HandedOn(search.keep, number, shard.lengths),
        )
        for search in searches
        for number, query in enumerate(search.queries)
    ]
    hits = _Hits(engine, shard, queries, sum(query.weight for query in queries))
    with closing(_score(engine, shard, queries)) as scored:
        answers = yield from (_one_after_the_other if len(queries) == 1 else _side_by_side)(scored, hits)
    if len(answers) != len(queries):
        raise EngineError(f"{len(answers)} of {len(queries)} queries were scored")
    return _divided(engine.name, shard, searches, [answers[number] for number in range(len(queries))])


def _chooser(shard: Shard, query: Record, search: ShardSearch) -> Chooser:
    """Who chooses among a shard's subjects for a query."""
    whole = search.whole_of(shard)
    space = SearchSpace(len(query.residues), whole.size.residues, whole.size.subjects)
    return Chooser(search.parameters, space, shard.database, whole.shards, search.any_line)


@dataclass(frozen=True, slots=True)
class _Query:
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
class _Answer:
    """What was found for a query: hits, the lines for which they are enough, and what was counted."""

    hits: tuple[SubjectHit, ...]
    slopes: Slopes | None
    extent: Extent
    histogram: Histogram | None


_Scored = tuple[int, Found | Survey]
"""The number of a query, and what an engine says of it."""


def _score(engine: Engine, shard: Shard, queries: Sequence[_Query]) -> Slices[Found | Survey]:
    """What the engine finds for each query; raises EngineError where it has not scored the whole shard."""
    records, [(scoring, counts)] = [each.record for each in queries], {each.parameters.kind for each in queries}
    slices: Slices[Found] | Slices[Survey]
    handed, among = any(each.handed for each in queries), None if shard.chosen is None else shard
    if counts or handed:
        slices = engine.survey(records, scoring, [each.chooser.cut for each in queries], handed, among)
    else:
        slices = engine.search(records, scoring, max(each.parameters.max_target_seqs for each in queries), among)
    with closing(slices):
        for each in slices:
            for run in each.scores:
                if taker := queries[run.query].handed:
                    taker.add(run)
            for number, found in each.answers:
                check_extents([found.extent], len(shard), shard.residues, [len(records[number].residues)], number)
                if (taker := queries[number].handed) and isinstance(found, Survey):
                    taker.check(found.counts)
            yield Slice(each.cells, each.answers)


def _one_after_the_other(scored: Slices[Found | Survey], hits: "_Hits") -> Steps[dict[int, _Answer]]:
    """Score, then write out."""
    waiting: list[_Scored] = []
    for each in scored:
        waiting += each.answers
        yield Step(each.cells)
    return (yield from hits.write(waiting))


def _side_by_side(scored: Slices[Found | Survey], hits: "_Hits") -> Steps[dict[int, _Answer]]:
    """Write out on a second thread what is scored on this one: each time all that has been scored since."""
    with _Writer(hits) as writer:
        for each in scored:
            writer.take(each.answers)
            yield Step(each.cells, writer.aligned())
            while writer.waiting >= MOST_WAITING:
                writer.wait(LOOK_S)
                yield Step(0, writer.aligned())
        while writer.waiting or not writer.is_free:
            writer.wait(LOOK_S)
            yield Step(0, writer.aligned())
        return writer.answers


class _Writer:
    """A thread that writes out queries; it ends with the search, also where that is given up."""

    def __init__(self, hits: "_Hits") -> None:
        self.answers: dict[int, _Answer] = {}
        self._hits, self._given_up = hits, Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hits")
        self._waiting: list[_Scored] = []
        self._written: Future[dict[int, _Answer]] | None = None
        self._aligned: SimpleQueue[float] = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._given_up.set()
        self._thread.shutdown()

    @property
    def waiting(self) -> int:
        """Queries that are not being written out yet."""
        return len(self._waiting)

    @property
    def is_free(self) -> bool:
        """Whether nothing is being written out."""
        return self._written is None

    def take(self, scored: Sequence[_Scored]) -> None:
        """Write these out as soon as it is free."""
        self._waiting += scored
        if self._written is not None and self._written.done():
            self.answers |= self._written.result()
            self._written = None
        if self._written is None and self._waiting:
            some = self._hits.some_of(self._waiting)
            self._written = self._thread.submit(self._write, self._waiting[:some])
            del self._waiting[:some]

    def wait(self, seconds: float) -> None:
        """Wait until it is free, for so long at most; then go on with what waits."""
        if self._written is not None:
            wait([self._written], seconds)
        self.take([])

    def aligned(self) -> float:
        """The share of all alignments made since this was last asked."""
        return sum(self._aligned.get() for _ in range(self._aligned.qsize()))

    def _write(self, scored: Sequence[_Scored]) -> dict[int, _Answer]:
        steps = self._hits.write(scored)
        while not self._given_up.is_set():
            try:
                self._aligned.put(next(steps).aligned)
            except StopIteration as end:
                return cast(dict[int, _Answer], end.value)
        steps.close()
        return {}


def _divided(
    engine: str, shard: Shard, searches: Sequence[ShardSearch], answers: Sequence[_Answer]
) -> list[ShardResult]:
    """What was found for all queries, as each search's own result."""
    results, first = [], 0
    for search in searches:
        own, whole = answers[first : first + len(search.queries)], search.whole_of(shard)
        first += len(own)
        results.append(
            ShardResult(
                index=shard.index,
                subjects=len(shard),
                residues=shard.residues,
                engine=engine,
                queries=tuple(_numbered(each.hits, whole.first) for each in own),
                extents=tuple(each.extent for each in own),
                histograms=tuple(each.histogram for each in own if each.histogram)
                if search.parameters.surveyed
                else (),
                slopes=tuple(each.slopes for each in own),
                simulated=search.parameters.simulated,
                database=whole.database,
            )
        )
    return results


def _numbered(hits: tuple[SubjectHit, ...], first: int) -> tuple[SubjectHit, ...]:
    """Hits of a database whose first subject has this number among those of all databases."""
    return tuple(replace(hit, subject=first + hit.subject) for hit in hits) if first else hits


@dataclass(frozen=True, slots=True)
class _Hits:
    """Writes out queries that have been scored: chooses their hits, aligns those that are shown, and names them."""

    engine: Engine
    shard: Shard
    queries: Sequence[_Query]
    weight: int

    def write(self, scored: Sequence[_Scored]) -> Steps[dict[int, _Answer]]:
        """The answers to these queries; hits that no report will show have neither names nor alignments."""
        shortlists = {number: self._shortlist(number, found) for number, found in scored}
        histograms = {number: self._histogram(number, found) for number, found in scored}
        own = [self.queries[number] for number in shortlists]
        share = sum(query.weight for query in own) / self.weight
        traced = TRACED * sum(query.traced for query in own) / self.weight
        aligned = {number: each.aligned for number, each in shortlists.items()}
        hsps = yield from self._align(shortlists, traced)
        shuffled = yield from self._shuffle(aligned, TRACED * share - traced)
        answers = {
            number: _Answer(
                self._hits(number, shortlists[number], hsps, shuffled),
                shortlists[number].slopes,
                found.extent,
                histograms[number],
            )
            for number, found in scored
        }
        yield Step(aligned=(1 - TRACED if hsps else 1) * share)
        return answers

    def some_of(self, scored: Sequence[_Scored]) -> int:
        """How many of these, one at least, have no more alignments than may stand in memory at a time."""
        parameters = (self.queries[number].parameters for number, _ in scored)
        alignments = accumulate(each.aligned * (1 + each.further) for each in parameters)
        return max(1, sum(count <= MOST_ALIGNMENTS for count in alignments))

    def _shortlist(self, number: int, found: Found | Survey) -> Shortlist:
        chooser = self.queries[number].chooser
        return chooser.of_survey(found) if isinstance(found, Survey) else chooser.of_best(found.best)

    def _histogram(self, number: int, found: Found | Survey) -> Histogram | None:
        """The counts of a query; raises EngineError where they are not those of the whole shard."""
        if not isinstance(found, Survey):
            return None
        histogram = Histogram.of(found.counts)
        check_histograms([histogram.total], len(self.shard), number)
        return histogram

    def _align(self, shortlists: Mapping[int, Shortlist], share: float) -> Steps[dict[Place, Aligned]]:
        """The alignments of each query's best subjects; such a share of the search."""
        wanted = []
        for number, shortlist in shortlists.items():
            query, subjects = self.queries[number], [score.subject for score in shortlist.aligned]
            sequences, scores = self.shard.database.sequences(subjects), [score.score for score in shortlist.aligned]
            wanted.append(Wanted(number, query.record, query.parameters, subjects, sequences, scores, shortlist.likely))
        found = yield from align_hits(self.engine, wanted, self.queries[0].parameters.scoring, share)
        return {each.place: each for each in found}

    def _shuffle(self, wanted: Mapping[int, Sequence[Score]], share: float) -> Steps[dict[Place, Shuffled]]:
        """What shuffles say of each query's best subjects, by (query number, subject); such a share of the search."""
        asked, places = [], []
        for number, scores in wanted.items():
            if (shuffling := self.queries[number].parameters.shuffling) and scores:
                sequences = self.shard.database.sequences([score.subject for score in scores])
                query, found = self.queries[number].record.residues, [score.score for score in scores]
                asked.append(ScoredQuery(query, sequences, found, shuffling))
                places += [(number, score.subject) for score in scores]
        zvalued = zvalues(self.engine, self.queries[0].parameters.scoring, asked)
        of_queries = yield from mapped(zvalued, lambda done: Step(aligned=share * done))
        return dict(zip(places, chain.from_iterable(of_queries), strict=True))

    def _hits(
        self,
        number: int,
        shortlist: Shortlist,
        aligned: Mapping[Place, Aligned],
        shuffled: Mapping[Place, Shuffled],
    ) -> tuple[SubjectHit, ...]:
        """The hits of one query; those that are shown have names."""
        database, shown = self.shard.database, shortlist.shown
        subjects = [score.subject for score in shortlist.scores]
        named = [subject for subject in subjects if subject in shown]
        names = dict(zip(named, database.names_of_all(named), strict=True))
        organisms = dict(zip(named, database.organisms(named, [title for _, title in names.values()]), strict=True))
        hits = []
        for score, length in zip(shortlist.scores, database.lengths[subjects].tolist(), strict=True):
            subject = score.subject
            accession, title = names.get(subject, ("", ""))
            hit = SubjectHit(subject, accession, title, length, score.score, (), organism=organisms.get(subject))
            if found := aligned.get((number, subject)):
                best, *further = found.remains
                hit = SubjectHit(
                    *(subject, accession, title, length, score.score, tuple(found.hsps), best),
                    *(shuffled.get(found.place), tuple(further), found.unseen, hit.organism),
                )
            hits.append(hit)
        return tuple(hits)
