"""Parts done in one pass over the shard: run as their kind has it, stored, and each told why where it fails."""

import logging
import time
from collections.abc import Iterator, Sequence

from redis.exceptions import RedisError

from shardwater.errors import AlignError, DatabaseError, ScoringError, SearchCancelled
from worker.jobs.folders import StorageFull
from worker.jobs.ids import called
from worker.jobs.states import Failure, SearchExpired, SearchNotFound
from worker.jobs.targets import SearchTarget, called_by, shard_of
from worker.kinds import kind_of
from worker.kinds.kind import Workplace
from worker.queue.part_queue import LeasedPart
from worker.runner.context import WorkerContext
from worker.runner.devices import end_if_device_failed
from worker.runner.observer import BatchObserver, TooLong
from worker.runner.timed_engine import at_work

MOST_DEPTH = 2
"""How many batches may wait for a better one: as many searches may preempt on a GPU (gpu/memory.py)."""
PATIENCE = 4
"""A part waits for those of other queues for so many times as long as it takes itself: they must not starve it."""

log = logging.getLogger(__name__)


class Batch:
    """Parts of one batch that are done together; while a single one runs, better ones may go before the rest of it."""

    def __init__(self, context: WorkerContext, parts: Sequence[LeasedPart], depth: int = 0) -> None:
        """depth: how many batches wait for this one."""
        self._context, self._parts, self._depth = context, parts, depth
        self._preempted_s = 0.0

    @property
    def _name(self) -> str:
        """For the log."""
        return f"{', '.join(called(part.search) for part in self._parts)}, {self._where}"

    @property
    def _where(self) -> str:
        first = self._parts[0]
        return called_by(first.queue) or f"part {first.number}"

    def run(self) -> None:
        """Do and store them; what fails ends its job, and no other. Raises RedisError alone."""
        context = self._context
        with at_work(context.engine, context.store.tally, self._parts) as engine:
            engines = engine, context.pairs, context.genomes, context.simulator
            self._run(Workplace(*engines, context.shard, context.store, context.files, self._check_members))

    def _run(self, place: Workplace) -> None:
        context = self._context
        try:
            self._do(place)
        except SearchCancelled:
            log.info("%s: stopped", self._name)
        except TooLong:
            limit = context.store.retention.job_timeout_s
            self._fail("search-timeout", f"{self._where} took longer than {limit} s")
        except RedisError:
            raise
        except Exception as error:
            end_if_device_failed(error, context.queue.name)
            # What was scored and what is aligned now may be different bytes: the search is not to blame.
            context.end_if_broken()
            self._blame(error)
        context.queue.finish(self._parts)

    def _check_members(self) -> Iterator[None]:
        integrity = self._context.integrity
        for _ in integrity.check_members() if integrity else ():
            self._context.pace.moved()
            yield

    def _do(self, place: Workplace) -> None:
        context, kind = self._context, kind_of(self._parts[0].search)
        for part in self._parts:
            _check_target(place, part)
        expected = sum(kind.cells(part, place) for part in self._parts)
        observer = BatchObserver(context, self._parts, expected, self._let_better_ones_go)
        answers = observer.run(kind.run(place, self._parts))
        context.end_if_broken()
        observer.merging()
        with context.store.redis.pipeline(transaction=False) as pipe:
            for part, answer in zip(self._parts, answers, strict=True):
                context.store.store_part(part.search, part.number, answer.packed, part.target.parts, part.round, pipe)
            pipe.execute()
        observer.ended()
        log.info("%s: %d cells in %.3f s", self._name, sum(answer.cells for answer in answers), observer.seconds)

    def _blame(self, error: Exception) -> None:
        """Of several searches, find the one at fault by doing each alone."""
        if len(self._parts) > 1:
            for part in self._parts:
                Batch(self._context, [part], self._depth).run()
        elif isinstance(error, ScoringError):
            # Gap costs of which only a simulation has told that no E-values hold.
            self._fail("invalid-parameter", str(error))
        elif isinstance(error, DatabaseError):
            # Its message names our folders.
            log.error("%s: %s", self._name, error)
            detail = "files of its database are damaged or missing; the worker's log names them"
            self._fail("shard-failed", f"{self._where}: {detail}")
        elif isinstance(error, StorageFull):
            self._fail("storage-full", str(error))
        elif isinstance(error, AlignError):
            self._fail("shard-failed", f"{self._where}: {error}")
        else:
            log.error("%s: failed", self._name, exc_info=error)
            self._fail("shard-failed", f"{self._where}: the engine failed; see its log")

    def _fail(self, kind: str, detail: str) -> None:
        for part in self._parts:
            try:
                self._context.store.fail(part.search, Failure(kind, detail, shard_of(part.queue)))
            except (SearchNotFound, SearchExpired):
                log.info("%s: gone", called(part.search))

    def _let_better_ones_go(self, left: float, beyond_s: float) -> float:
        """Do at once, in the middle of this part, what should not wait for the rest of it; the seconds that it took.

        left: the share of it; beyond_s: what was spent on work that was not expected.
        """
        if self._depth == MOST_DEPTH or len(self._parts) > 1:
            return 0.0
        first, room, taken = self._parts[0], self._context.pace.room, 0.0
        patience_s = PATIENCE * room.costs.seconds(first.work)
        while better := self._context.queue.lease_better(first, left, room, patience_s - self._preempted_s, beyond_s):
            began = time.monotonic()
            with self._context.queue.aside(first):
                Batch(self._context, better, self._depth + 1).run()
            seconds = time.monotonic() - began
            taken += seconds
            if better[0].queue != first.queue:
                self._preempted_s += seconds
        return taken


def _check_target(place: Workplace, part: LeasedPart) -> None:
    """A queue's name says what it is for; a checksum proves that this worker holds just that."""
    if not isinstance(part.target, SearchTarget):
        return
    database = part.target.databases[part.target.database_of(part.number)]
    held = (place.shard.database.manifest.checksum, place.shard.count)
    if held != (database.used.checksum, database.shards):
        raise DatabaseError(f"this worker holds another database than {database.used.name}@{database.used.version}")
