"""Jobs whose parts are all done: merged, as their kind has it, and ended with the whole result.

Any front end may do that, and two may at a time: both write the same bytes, and the first one ends the job.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from redis import Redis
from redis.exceptions import RedisError, ResponseError

from app.problems import NotCheckedError
from shardwater.errors import AlignError, DatabaseError, LimitExceeded
from worker.jobs.folders import StorageFull
from worker.jobs.ids import called
from worker.jobs.quotas import QuotaExceeded
from worker.jobs.redis_names import ANSWERED, SearchKeys, text
from worker.jobs.results.parts import UnreadablePart
from worker.jobs.rounds import Round, do_again
from worker.jobs.scripts import SET_IF_KEPT
from worker.jobs.states import Failure, SearchExpired, SearchNotFound
from worker.jobs.targets import of_database, read_target
from worker.kinds import kind_of
from worker.kinds.kind import Answered, FrontEnd, NotYet
from worker.telemetry import tracing

LEASE_S = 10
"""For so long a front end that merges a large result need not be heard of, in seconds."""
MOST_HERE = 1 << 21
"""Bytes, by Kind.size, of what is merged in the front end's own process at most."""
MOST_TRIES = 6
"""How often a job is tried to be merged where that fails, be it that a full server refuses its result."""
_TRIES = "merges"


class Merging(Protocol):
    """A process that merges."""

    def merge(self, job: str, going_on: Callable[[], object]) -> None:
        """As Merger.merge_here does. Calls `going_on` every second meanwhile."""
        ...


class Elsewhere(Protocol):
    """Where results are merged that take long: other processes."""

    @property
    def places(self) -> int:
        """How many merges may be begun at a time."""
        ...

    @property
    def is_up(self) -> bool:
        """Whether one of them is there already, as it takes a while to start one."""
        ...

    def process(self, size: int) -> AbstractContextManager["Merging"]:
        """A process, once one is free and there is room for so many bytes of packed parts."""
        ...


log = logging.getLogger(__name__)


class MergeFailed(Exception):
    """A merge elsewhere has failed, which has been noted there; the text says how, and quotes nothing."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A job whose parts are all done, the trace that it belongs to, and who asked for it."""

    answered: Answered
    traceparent: str | None
    owner: str = ""

    @property
    def keys(self) -> SearchKeys:
        return SearchKeys(self.answered.job)


class Merger:
    """Merges; safe for use by several threads."""

    def __init__(self, here: FrontEnd, elsewhere: Elsewhere | None = None) -> None:
        """elsewhere: where results are merged that take long, if not here."""
        self._here, self._store, self._elsewhere = here, here.store, elsewhere
        self._slow, self._lock = threading.Lock(), threading.Lock()
        self._begun = set[str]()
        """Jobs that are merged elsewhere, or wait there for a process."""
        self._waiting: dict[str, dict[str, None]] = {}
        """Jobs that are to be, in their order, by owners, of whom the first is next: many of one keep no other's."""

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
        kind = kind_of(search)
        is_large = kind.is_large(found.answered) or kind.size(found.answered, self._here) >= MOST_HERE
        if self._elsewhere is None or not (kind.is_slow or is_large):
            self._merge_measured(found)
        elif is_large or self._elsewhere.is_up or not self._slow.acquire(blocking=False):
            self._merge_elsewhere(found, self._elsewhere)
        else:
            # A single one is merged here faster than a process starts.
            try:
                self._merge_measured(found)
            finally:
                self._slow.release()

    def _has_sound_databases(self, found: "_Found") -> bool:
        """Whether a merge may read names and letters out of its databases; where they are damaged, the job fails.

        While they are being compared with their checksums it is left to the watchdog, who calls it again.
        """
        if not kind_of(found.answered.job).writes_hits:
            return True
        for each in of_database(read_target(found.answered.target)).databases:
            try:
                database = self._here.open(each.used)
            except DatabaseError:
                # It is merged in vain, and says so.
                return True
            try:
                self._here.check(database)
            except NotCheckedError:
                return False
            except DatabaseError as error:
                self._fail_for_damage(found.answered.job, error)
                return False
        return True

    def merge_here(self, search: str) -> None:
        """The same, however large and without a look at its databases, for the process that looks after it."""
        found = self._read(search)
        if found is not None:
            self._merge(found)

    @contextmanager
    def _measured(self, found: "_Found") -> Iterator[None]:
        with self._store.tally.timed("stage", "merge"), tracing.span("merge", parent=found.traceparent):
            yield

    def _merge_measured(self, found: "_Found") -> None:
        """Merge here what is soon made, be it twice."""
        if self._has_sound_databases(found):
            with self._measured(found):
                self._merge(found)

    def _merge_elsewhere(self, found: "_Found", elsewhere: Elsewhere) -> None:
        """Merge elsewhere, or leave it until there is a place for it: what is small must not wait for that."""
        job = found.answered.job
        with self._lock:
            # One that is begun may be called for its next round before the last one is left.
            if job in self._begun or len(self._begun) >= elsewhere.places:
                self._waiting.setdefault(found.owner, {})[job] = None
                return
            self._begun.add(job)
        try:
            self._merge_there(found, elsewhere)
        finally:
            with self._lock:
                self._begun.discard(job)
            self._call_next(elsewhere)

    def rest(self) -> None:
        """Go on with what waits here for a place elsewhere: who was called last may have gone to another front end."""
        if self._elsewhere is not None:
            self._call_next(self._elsewhere)

    def _call_next(self, elsewhere: Elsewhere) -> None:
        """Call the next one that waits, as long as there is a place; what has ended meanwhile is passed over."""
        while (job := self._next_waiting(elsewhere)) is not None:
            request, outcome = self._store.redis.hmget(SearchKeys(job).meta, "request", "outcome")
            if request is not None and outcome is None:
                self._store.redis.rpush(ANSWERED, job)
                return

    def _next_waiting(self, elsewhere: Elsewhere) -> str | None:
        """The next one of the owner whose turn it is, who goes behind the others; None where there is no place."""
        with self._lock:
            if not self._waiting or len(self._begun) >= elsewhere.places:
                return None
            owner = next(iter(self._waiting))
            jobs = self._waiting.pop(owner)
            job = next(iter(jobs))
            del jobs[job]
            if jobs:
                self._waiting[owner] = jobs
            return job

    def _merge_there(self, found: "_Found", elsewhere: Elsewhere) -> None:
        # Once, when there is a place: a job that waits is called again and again.
        if not self._has_sound_databases(found):
            return
        job, redis, merging = found.answered.job, self._store.redis, found.keys.merging
        # Until there is a process another front end may have the job.
        with elsewhere.process(kind_of(job).size(found.answered, self._here)) as process:
            own = secrets.token_bytes(8)
            if not redis.set(merging, own, nx=True, ex=LEASE_S):
                return
            try:
                with self._measured(found):
                    process.merge(job, partial(redis.expire, merging, LEASE_S))
            except (MergeFailed, RedisError):
                # It has been noted there, or is not the job's fault.
                raise
            except Exception:
                # What has ended that process, be it for want of memory, may be the job's fault.
                with suppress(RedisError):
                    self._note_failure(found)
                raise
            finally:
                # Another front end has it if we were not heard of for too long.
                if redis.get(merging) == own:
                    redis.delete(merging)

    def _read(self, search: str) -> "_Found | None":
        keys = SearchKeys(search)
        with self._store.redis.pipeline() as pipe:
            pipe.hmget(keys.meta, "request", "target", "outcome", "traceparent", "round", "again", "owner")
            pipe.hgetall(keys.shards)
            (request, target, outcome, traceparent, round_, again, owner), parts = pipe.execute()
        if request is None or target is None or outcome is not None:
            return None
        if len(parts) < read_target(target).parts:
            return None
        # Versions before did not count rounds.
        answered = Answered(search, request, target, parts, int(round_ or (2 if again else 1)))
        return _Found(answered, text(traceparent or b"") or None, text(owner or b""))

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
        except StorageFull as error:
            self._fail(search, str(error), "storage-full")
        except DatabaseError as error:
            self._fail_for_damage(search, error)
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

    def _fail_for_damage(self, search: str, error: DatabaseError) -> None:
        # Its message names our folders.
        log.error("%s: %s", called(search), error)
        self._fail(search, "files of its database are damaged or missing; a front end's log names them")

    def _fail(self, search: str, detail: str, kind: str = "shard-failed") -> None:
        with suppress(SearchNotFound, SearchExpired):
            self._store.fail(search, Failure(kind, detail))
