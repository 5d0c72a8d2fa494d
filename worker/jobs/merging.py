"""Searches that all shards have answered: merged, and ended with the whole result.

Any front end may do that, and two may at a time: both write the same bytes, and the first one ends the search.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from redis import Redis
from redis.exceptions import RedisError, ResponseError

from shardwater.errors import DatabaseError, EngineError
from shardwater.search.merge import NarrowShortlist
from worker.jobs.redis_names import ANSWERED, SearchKeys, text
from worker.jobs.results.parts import UnreadablePart
from worker.jobs.scripts import SET_IF_KEPT
from worker.jobs.states import TARGET_JSON, Failure, SearchExpired, SearchNotFound
from worker.jobs.store import JobStore
from worker.telemetry import tracing

LARGE = 1 << 18
"""Bytes of packed parts from which on a result counts as large."""
LEASE_S = 10
"""For so long a front end that merges a large result need not be heard of, in seconds."""
MOST_TRIES = 6
"""How often a search is tried to be merged where that fails, be it that a full server refuses its result."""
_ANY_LINE, _TRIES = "any_line", "merges"

MergeParts = Callable[[str, bytes, bytes, Mapping[bytes, bytes], Callable[[], object]], bytes]
"""results.parts.merge_parts, done here or elsewhere; calls what is given last every few seconds while it goes on."""

log = logging.getLogger(__name__)


def is_large(parts: Mapping[bytes, bytes]) -> bool:
    """Whether a search's parts take so long to merge that nothing should wait for that."""
    return sum(map(len, parts.values())) >= LARGE


@dataclass(frozen=True, slots=True)
class _Answered:
    """A search that all shards have answered, as Redis has it."""

    search: str
    request: bytes
    target: bytes
    traceparent: str | None
    parts: Mapping[bytes, bytes]

    @property
    def keys(self) -> SearchKeys:
        return SearchKeys(self.search)


class Merger:
    """Merges; safe for use by several threads."""

    def __init__(self, store: JobStore, merge_parts: MergeParts) -> None:
        self._store, self._merge_parts = store, merge_parts
        self._large = threading.Semaphore()

    def next(self, redis: Redis, seconds: float) -> str | None:
        """Wait, by this connection, for a search that all shards have answered; None if none comes.

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
        """Merge what all shards have answered, and end the search; nothing where it has ended, or a part is missing."""
        answered = self._read(search)
        if answered is None:
            return
        if not is_large(answered.parts):
            # It is soon made, be it twice.
            self._merge(answered)
        elif self._large.acquire(blocking=False):
            # Of others the watchdog reminds again and again: what is small must not wait for them.
            try:
                self._merge_large(answered)
            finally:
                self._large.release()

    def _merge_large(self, answered: "_Answered") -> None:
        if self._store.redis.set(answered.keys.merging, 1, nx=True, ex=LEASE_S):
            try:
                self._merge(answered)
            finally:
                self._store.redis.delete(answered.keys.merging)

    def _read(self, search: str) -> "_Answered | None":
        keys = SearchKeys(search)
        with self._store.redis.pipeline() as pipe:
            pipe.hmget(keys.meta, "request", "target", "outcome", "traceparent")
            pipe.hgetall(keys.shards)
            (request, target, outcome, traceparent), parts = pipe.execute()
        if request is None or target is None or outcome is not None:
            return None
        if len(parts) < TARGET_JSON.validate_json(target).shards:
            return None
        return _Answered(search, request, target, text(traceparent or b"") or None, parts)

    def _merge(self, answered: "_Answered") -> None:
        search, parts = answered.search, answered.parts
        try:
            with self._store.tally.timed("stage", "merge"), tracing.span("merge", parent=answered.traceparent):
                renew = partial(self._store.redis.expire, answered.keys.merging, LEASE_S)
                whole = self._merge_parts(search, answered.request, answered.target, parts, renew)
            self._store.answer(search, whole, len(parts))
        except NarrowShortlist:
            self._search_for_any_line(answered)
        except (DatabaseError, EngineError) as error:
            self._fail(search, str(error))
        except UnreadablePart as error:
            # The watchdog finds that shard missing, and queues its part anew (recovery.py).
            self._store.redis.hdel(answered.keys.shards, error.shard.decode())
            self._note_failure(answered)
        except Exception:
            with suppress(RedisError):
                self._note_failure(answered)
            raise

    def _note_failure(self, answered: "_Answered") -> None:
        """Leave it to the next try, unless there have been enough of them."""
        tries = 1 + int(self._store.redis.hget(answered.keys.meta, _TRIES) or 0)
        self._note(answered.keys, _TRIES, tries)
        if tries >= MOST_TRIES:
            self._fail(answered.search, "the shards' results could not be merged; a front end's log says why")

    def _search_for_any_line(self, answered: "_Answered") -> None:
        """Drop parts made for lines of another slope than the whole's: the watchdog queues them anew, once."""
        keys = answered.keys
        if len(answered.parts) == 1 or is_for_any_line(self._store, answered.search):
            self._fail(answered.search, "the shards have chosen other hits than the whole database's statistics do")
            return
        if self._note(keys, _ANY_LINE, 1):
            self._store.redis.delete(keys.shards)

    def _note(self, keys: SearchKeys, field: str, value: int) -> bool:
        """Set a field of a search, unless it has ended or is gone."""
        script = self._store.redis.register_script(SET_IF_KEPT)
        return bool(script(keys=[keys.meta, keys.meta, keys.moved], args=[field, value]))

    def _fail(self, search: str, detail: str) -> None:
        with suppress(SearchNotFound, SearchExpired):
            self._store.fail(search, Failure("shard-failed", detail))


def is_for_any_line(store: JobStore, search: str) -> bool:
    """Whether a search's parts must be enough for a line of any slope (shardwater/search/shortlist.py)."""
    return bool(store.redis.hexists(SearchKeys(search).meta, _ANY_LINE))
