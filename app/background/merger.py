"""Jobs whose parts are all done: merged, as their kind has it, and ended with the whole result.

Any front end may do that, and two may at a time: both write the same bytes, and the first one ends the job.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial

from redis import Redis
from redis.exceptions import RedisError, ResponseError

from shardwater.errors import AlignError, LimitExceeded
from worker.jobs.quotas import QuotaExceeded
from worker.jobs.redis_names import ANSWERED, SearchKeys, text
from worker.jobs.results.parts import UnreadablePart
from worker.jobs.rounds import Round, do_again
from worker.jobs.scripts import SET_IF_KEPT
from worker.jobs.states import Failure, SearchExpired, SearchNotFound
from worker.jobs.targets import read_target
from worker.kinds import kind_of
from worker.kinds.kind import Answered, FrontEnd, NotYet
from worker.telemetry import tracing

LEASE_S = 10
"""For so long a front end that merges a large result need not be heard of, in seconds."""
MOST_TRIES = 6
"""How often a job is tried to be merged where that fails, be it that a full server refuses its result."""
_TRIES = "merges"

MergeThere = Callable[[str, Callable[[], object]], None]
"""Merges a job elsewhere, as Merger.merge_here does; calls what is given last every second while that goes on."""

log = logging.getLogger(__name__)


class MergeFailed(Exception):
    """A merge elsewhere has failed, which has been noted there; the text says how, and quotes nothing."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A job whose parts are all done, and the trace that it belongs to."""

    answered: Answered
    traceparent: str | None

    @property
    def keys(self) -> SearchKeys:
        return SearchKeys(self.answered.job)


class Merger:
    """Merges; safe for use by several threads."""

    def __init__(self, here: FrontEnd, merge_there: MergeThere | None = None) -> None:
        """merge_there: where large results are merged, if not here."""
        self._here, self._store, self._merge_there = here, here.store, merge_there
        self._large = threading.Semaphore()

    def next(self, redis: Redis, seconds: float) -> str | None:
        """Wait, by this connection, for a job that all shards have answered; None if none comes.

        No other front end gets the same one.
        """
        try:
            found = redis.blpop([ANSWERED], timeout=seconds)
        except ResponseError:
            # Reminders can be thrown away, where somebody has put something else in their place.
            if redis.type(ANSWERED) not in (b"list", b"none"):
                redis.delete(ANSWERED)
            raise
        return None if found is None else text(found[1])

    def merge(self, search: str) -> None:
        """Merge what all shards have answered, and end the job; nothing where it has ended, or a part is missing."""
        found = self._read(search)
        if found is None:
            return
        if self._merge_there is None or not kind_of(search).is_large(found.answered):
            # It is soon made, be it twice.
            with self._measured(found):
                self._merge(found)
        elif self._large.acquire(blocking=False):
            # Of others the watchdog reminds again and again: what is small must not wait for them.
            try:
                self._merge_large(found, self._merge_there)
            finally:
                self._large.release()

    def merge_here(self, search: str) -> None:
        """The same, however large, for the process that measures it and looks after it."""
        found = self._read(search)
        if found is not None:
            self._merge(found)

    @contextmanager
    def _measured(self, found: "_Found") -> Iterator[None]:
        with self._store.tally.timed("stage", "merge"), tracing.span("merge", parent=found.traceparent):
            yield

    def _merge_large(self, found: "_Found", merge_there: MergeThere) -> None:
        redis, merging = self._store.redis, found.keys.merging
        if not redis.set(merging, 1, nx=True, ex=LEASE_S):
            return
        try:
            with self._measured(found):
                merge_there(found.answered.job, partial(redis.expire, merging, LEASE_S))
        except (OSError, EOFError):
            # What has ended that process, be it for want of memory, may be the job's fault.
            with suppress(RedisError):
                self._note_failure(found)
            raise
        finally:
            redis.delete(merging)

    def _read(self, search: str) -> "_Found | None":
        keys = SearchKeys(search)
        with self._store.redis.pipeline() as pipe:
            pipe.hmget(keys.meta, "request", "target", "outcome", "traceparent", "round", "again")
            pipe.hgetall(keys.shards)
            (request, target, outcome, traceparent, round_, again), parts = pipe.execute()
        if request is None or target is None or outcome is not None:
            return None
        if len(parts) < read_target(target).parts:
            return None
        # Versions before did not count rounds.
        answered = Answered(search, request, target, parts, int(round_ or (2 if again else 1)))
        return _Found(answered, text(traceparent or b"") or None)

    def _merge(self, found: "_Found") -> None:
        search = found.answered.job
        try:
            whole = kind_of(search).advance(found.answered, self._here)
            if isinstance(whole, Round):
                do_again(self._store, search, found.answered.round, whole)
            else:
                self._store.answer(search, whole, len(found.answered.parts))
        except NotYet:
            return
        except LimitExceeded as error:
            self._fail(search, str(error), "limit-exceeded")
        except QuotaExceeded as error:
            self._fail(search, str(error), "quota-exceeded")
        except AlignError as error:
            self._fail(search, str(error))
        except UnreadablePart as error:
            # The watchdog finds that shard missing, and queues its part anew (recovery.py).
            self._store.redis.hdel(found.keys.shards, error.shard.decode())
            self._note_failure(found)
        except Exception:
            with suppress(RedisError):
                self._note_failure(found)
            raise

    def _note_failure(self, found: "_Found") -> None:
        """Leave it to the next try, unless there have been enough of them."""
        keys, redis = found.keys, self._store.redis
        tries = 1 + int(redis.hget(keys.meta, _TRIES) or 0)
        redis.register_script(SET_IF_KEPT)(keys=[keys.meta, keys.meta, keys.moved], args=[_TRIES, tries])
        if tries >= MOST_TRIES:
            self._fail(found.answered.job, "the shards' results could not be merged; a front end's log says why")

    def _fail(self, search: str, detail: str, kind: str = "shard-failed") -> None:
        with suppress(SearchNotFound, SearchExpired):
            self._store.fail(search, Failure(kind, detail))
