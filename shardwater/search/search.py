"""A search, from queries to hits of one shard: score everything, then align the best.

Workers and the command line go through find_all_hits step by step; neither knows which engine answers.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Event
from typing import Generic, Self, cast

from shardwater.database.database import Shard
from shardwater.engines.engine import Engine, Found, Slice, Slices, Survey
from shardwater.engines.extent import check_extents
from shardwater.errors import EngineError
from shardwater.search.cuts import check_handed_on
from shardwater.search.databases import DatabaseSize, Whole
from shardwater.search.hits import ShardResult, SubjectHit
from shardwater.search.parameters import Parameters
from shardwater.search.scores import HandedOn, Keep
from shardwater.search.shortlist import Chooser
from shardwater.search.step import Step, Steps
from shardwater.search.traced import TracedShard
from shardwater.search.writing import Answer, Made, Scored, ScoredFor, Tracing, Writes, WritesHits, WritesPaths
from shardwater.sequences.fasta import Record
from shardwater.steps import finish

MOST_WAITING = 50
"""Queries that have been scored and wait to be written out: where that takes longer than to score, scoring waits."""
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
    queries = _queries(shard, searches)
    answers = yield from _answered(engine, shard, queries, WritesHits(Tracing(engine, shard, queries)))
    return [
        replace(
            _counted(engine, shard, search, own),
            queries=tuple(_numbered(each.found, search.whole_of(shard).first) for each in own),
        )
        for search, own in _divided(searches, answers)
    ]


def trace_all_hits(engine: Engine, shard: Shard, searches: Sequence[ShardSearch]) -> Steps[list[TracedShard]]:
    """The same, with paths in place of hits; of searches that report one alignment of a hit, and make no shuffles."""
    queries = _queries(shard, searches)
    answers = yield from _answered(engine, shard, queries, WritesPaths(Tracing(engine, shard, queries)))
    return [
        TracedShard(_counted(engine, shard, search, own), tuple(each.found for each in own))
        for search, own in _divided(searches, answers)
    ]


def _queries(shard: Shard, searches: Sequence[ShardSearch]) -> list[ScoredFor]:
    return [
        ScoredFor(
            query,
            search.parameters,
            _chooser(shard, query, search),
            None if search.keep is None else HandedOn(search.keep, number, shard.lengths),
        )
        for search in searches
        for number, query in enumerate(search.queries)
    ]


def _answered(
    engine: Engine, shard: Shard, queries: Sequence[ScoredFor], writes: Writes[Made]
) -> Steps[list[Answer[Made]]]:
    """The answers to all queries, in their order."""
    with closing(_score(engine, shard, queries)) as scored:
        answers = yield from (_one_after_the_other if len(queries) == 1 else _side_by_side)(scored, writes)
    if len(answers) != len(queries):
        raise EngineError(f"{len(answers)} of {len(queries)} queries were scored")
    return [answers[number] for number in range(len(queries))]


def _chooser(shard: Shard, query: Record, search: ShardSearch) -> Chooser:
    """Who chooses among a shard's subjects for a query."""
    whole = search.whole_of(shard)
    space = search.parameters.space(len(query.residues), whole.size.residues, whole.size.subjects)
    profile = query.pssm is not None
    return Chooser(search.parameters, space, shard.database, whole.shards, search.any_line, profile)


def _score(engine: Engine, shard: Shard, queries: Sequence[ScoredFor]) -> Slices[Found | Survey]:
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
                if isinstance(found, Survey):
                    least = queries[number].chooser.cut(found.counts)
                    check_handed_on(found.counts, least, len(found.subjects), number)
                    if taker := queries[number].handed:
                        taker.check(found.counts)
            yield Slice(each.cells, each.answers)


def _one_after_the_other(scored: Slices[Found | Survey], writes: Writes[Made]) -> Steps[dict[int, Answer[Made]]]:
    """Score, then write out."""
    waiting: list[Scored] = []
    for each in scored:
        waiting += each.answers
        yield Step(each.cells)
    return (yield from writes.write(waiting))


def _side_by_side(scored: Slices[Found | Survey], writes: Writes[Made]) -> Steps[dict[int, Answer[Made]]]:
    """Write out on a second thread what is scored on this one: each time all that has been scored since."""
    with _Writer(writes) as writer:
        for each in scored:
            writer.take(each.answers)
            yield replace(writer.told(), cells=each.cells)
            while writer.waiting >= MOST_WAITING:
                writer.wait(LOOK_S)
                yield writer.told()
        while writer.waiting or not writer.is_free:
            writer.wait(LOOK_S)
            yield writer.told()
        return writer.answers


class _Writer(Generic[Made]):
    """A thread that writes out queries; it ends with the search, also where that is given up."""

    def __init__(self, writes: Writes[Made]) -> None:
        self.answers: dict[int, Answer[Made]] = {}
        self._writes, self._given_up = writes, Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hits")
        self._waiting: list[Scored] = []
        self._written: Future[dict[int, Answer[Made]]] | None = None
        self._steps: SimpleQueue[Step] = SimpleQueue()

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

    def take(self, scored: Sequence[Scored]) -> None:
        """Write these out as soon as it is free."""
        self._waiting += scored
        if self._written is not None and self._written.done():
            self.answers |= self._written.result()
            self._written = None
        if self._written is None and self._waiting:
            some = self._writes.some_of(self._waiting)
            self._written = self._thread.submit(self._write, self._waiting[:some])
            del self._waiting[:some]

    def wait(self, seconds: float) -> None:
        """Wait until it is free, for so long at most; then go on with what waits."""
        if self._written is not None:
            wait([self._written], seconds)
        self.take([])

    def told(self) -> Step:
        """What of all alignments was made since this was last asked."""
        steps = [self._steps.get() for _ in range(self._steps.qsize())]
        return Step(aligned=sum(step.aligned for step in steps), further=sum(step.further for step in steps))

    def _write(self, scored: Sequence[Scored]) -> dict[int, Answer[Made]]:
        steps = self._writes.write(scored)
        while not self._given_up.is_set():
            try:
                self._steps.put(next(steps))
            except StopIteration as end:
                return cast(dict[int, Answer[Made]], end.value)
        steps.close()
        return {}


def _divided(
    searches: Sequence[ShardSearch], answers: Sequence[Answer[Made]]
) -> Iterator[tuple[ShardSearch, Sequence[Answer[Made]]]]:
    """Each search with the answers to its own queries."""
    first = 0
    for search in searches:
        yield search, answers[first : first + len(search.queries)]
        first += len(search.queries)


def _counted(engine: Engine, shard: Shard, search: ShardSearch, answers: Sequence[Answer[Made]]) -> ShardResult:
    """What was counted for a search, without hits."""
    return ShardResult(
        index=shard.index,
        subjects=len(shard),
        residues=shard.residues,
        engine=engine.name,
        queries=(),
        extents=tuple(each.extent for each in answers),
        histograms=tuple(each.histogram for each in answers if each.histogram) if search.parameters.surveyed else (),
        slopes=tuple(each.slopes for each in answers),
        simulated=search.parameters.simulated,
        database=search.whole_of(shard).database,
    )


def _numbered(hits: tuple[SubjectHit, ...], first: int) -> tuple[SubjectHit, ...]:
    """Hits of a database whose first subject has this number among those of all databases."""
    return tuple(replace(hit, subject=first + hit.subject) for hit in hits) if first else hits
