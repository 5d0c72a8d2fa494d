"""Parts done in one pass over the shard: run as their kind has it, stored, and each told why where it fails."""

import logging
from collections.abc import Sequence

from redis.exceptions import RedisError

from shardwater.engines.engine import Engine
from shardwater.errors import AlignError, DatabaseError, SearchCancelled
from worker.jobs.states import Failure, SearchExpired, SearchNotFound, SearchTarget
from worker.kinds import kind_of
from worker.kinds.kind import Workplace
from worker.queue.part_queue import LeasedPart
from worker.runner.context import WorkerContext
from worker.runner.devices import end_if_device_failed
from worker.runner.observer import BatchObserver, TooLong
from worker.runner.timed_engine import at_work

MOST_DEPTH = 2
"""How many batches may wait for a better one: as many searches may preempt on a GPU (gpu/memory.py)."""

log = logging.getLogger(__name__)


class Batch:
    """Parts of one batch that are done together; while a single one runs, better ones may go before the rest of it."""

    def __init__(self, context: WorkerContext, parts: Sequence[LeasedPart], depth: int = 0) -> None:
        """depth: how many batches wait for this one."""
        self._context, self._parts, self._depth = context, parts, depth
        self._observer = BatchObserver(context, parts, self._let_better_ones_go)

    @property
    def _name(self) -> str:
        """For the log."""
        return f"search {', '.join(part.search for part in self._parts)}"

    def run(self) -> None:
        """Do and store them; what fails ends its job, and no other. Raises RedisError alone."""
        with at_work(self._context.engine, self._context.store.tally, self._parts) as engine:
            self._run(engine)

    def _run(self, engine: Engine) -> None:
        context = self._context
        try:
            self._do(engine)
        except SearchCancelled:
            log.info("%s: stopped on shard %d", self._name, context.shard.index)
        except TooLong:
            limit = context.store.retention.job_timeout_s
            self._fail("search-timeout", f"shard {context.shard.index} took longer than {limit} s")
        except RedisError:
            raise
        except Exception as error:
            end_if_device_failed(error, context.queue.name)
            # What was scored and what is aligned now may be different bytes: the search is not to blame.
            context.integrity.end_if_broken(context.queue.name)
            self._blame(error)
        context.queue.finish(self._parts)

    def _do(self, engine: Engine) -> None:
        context = self._context
        for part in self._parts:
            _check_target(context, part.target)
        place = Workplace(engine, context.shard, context.store)
        answers = self._observer.run(kind_of(self._parts[0].search).run(place, self._parts))
        context.integrity.end_if_broken(context.queue.name)
        self._observer.merging()
        for part, answer in zip(self._parts, answers, strict=True):
            context.store.store_part(part.search, context.shard.index, answer.packed, part.target.shards)
        self._observer.ended()
        cells, seconds = sum(answer.cells for answer in answers), self._observer.seconds
        log.info("%s: shard %d, %d cells in %.3f s", self._name, context.shard.index, cells, seconds)

    def _blame(self, error: Exception) -> None:
        """Of several searches, find the one at fault by doing each alone."""
        shard = self._context.shard.index
        if len(self._parts) > 1:
            for part in self._parts:
                Batch(self._context, [part], self._depth).run()
        elif isinstance(error, AlignError):
            self._fail("shard-failed", f"shard {shard}: {error}")
        else:
            log.error("%s: shard %d failed", self._name, shard, exc_info=error)
            self._fail("shard-failed", f"shard {shard}: the engine failed; see its log")

    def _fail(self, kind: str, detail: str) -> None:
        for part in self._parts:
            try:
                self._context.store.fail(part.search, Failure(kind, detail, self._context.shard.index))
            except (SearchNotFound, SearchExpired):
                log.info("search %s: gone", part.search)

    def _let_better_ones_go(self, left: float) -> None:
        """Do at once, in the middle of this part, what should not wait for the rest of it."""
        if self._depth == MOST_DEPTH or len(self._parts) > 1:
            return
        while better := self._context.queue.lease_better(self._parts[0], left, self._context.pace.room):
            Batch(self._context, better, self._depth + 1).run()


def _check_target(context: WorkerContext, target: SearchTarget) -> None:
    """A queue's name says what it is for; a checksum proves that this worker holds just that."""
    held = (context.shard.database.manifest.checksum, context.shard.count)
    if held != (target.used.checksum, target.shards):
        raise DatabaseError(f"this worker holds another database than {target.used.name}@{target.used.version}")
