"""A bound on what the queue's server holds: past it the oldest ended jobs go before their time.

What counts is the server's own figure for its data, not a sum of ours: it is what runs out, it costs one question, and
it cannot drift from what keys that expire by themselves leave behind.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from redis import Redis

from shardwater.errors import AlignError
from worker.jobs.composed import forget
from worker.jobs.ids import KIND_NAMES
from worker.jobs.redis_names import PREFIX, SearchKeys, jobs_key, text
from worker.jobs.states import DamagedJob, SearchExpired, SearchNotFound
from worker.jobs.store import JobStore
from worker.jobs.targets import JobsTarget

TURN = f"{PREFIX}:retention"
"""Set while a front end makes room, so that two of them do not remove twice as much."""
TURN_S = 30
BATCH = 100
PURGE_LOOK_S = 0.1

log = logging.getLogger(__name__)


class PurgeError(AlignError):
    """The queue's server did not rewrite its append-only file."""


def stored_bytes(store: JobStore) -> int:
    """What the server's data takes of its memory."""
    return int(store.redis.info("memory")["used_memory_dataset"])


def make_room(store: JobStore, most_bytes: int) -> int:
    """Remove the oldest ended jobs until the rest is within the limit (0: none); how many those were.

    One that is queued or runs is never removed; who asks for a removed one is told that its result is gone.
    """
    if not most_bytes or stored_bytes(store) <= most_bytes:
        return 0
    if not store.redis.set(TURN, 1, nx=True, ex=TURN_S):
        return 0
    try:
        removed = _remove_oldest(store, stored_bytes(store) - most_bytes)
    finally:
        store.redis.delete(TURN)
    if removed:
        log.warning("%d searches were removed before their time: more than %d bytes were stored", removed, most_bytes)
    return removed


def _remove_oldest(store: JobStore, too_many: int) -> int:
    removed = 0
    for search, size in _ended(store):
        # What it alone is made of goes with it: who has a list has what it lists.
        parts = _parts(store, search)
        sizes = dict(zip(parts, (look.size for look in _looks(store, parts)), strict=True))
        gone = forget(store, parts, search, store.remove_early)
        store.remove_early(search)
        removed, too_many = removed + 1, too_many - size - sum(sizes[part] for part in gone)
        if too_many <= 0:
            break
    return removed


def _parts(store: JobStore, search: str) -> Sequence[str]:
    with suppress(SearchNotFound, SearchExpired, DamagedJob):
        target = store.target(search)
        return target.jobs if isinstance(target, JobsTarget) else ()
    return ()


def _ended(store: JobStore) -> Iterator[tuple[str, int]]:
    """Ended jobs that belong to nothing else, oldest first, with the bytes of their data."""
    searches = [text(member) for member in store.redis.zunion([jobs_key(kind) for kind in KIND_NAMES])]
    for start in range(0, len(searches), BATCH):
        batch = searches[start : start + BATCH]
        for search, look in zip(batch, _looks(store, batch), strict=True):
            if look.outcome is not None and not look.wholes:
                yield search, look.size


@dataclass(frozen=True, slots=True)
class _Look:
    """How a job ended, how many others it is part of, and the bytes of its data."""

    outcome: bytes | None
    wholes: int
    size: int


def _looks(store: JobStore, searches: Sequence[str]) -> Iterator[_Look]:
    with store.redis.pipeline(transaction=False) as pipe:
        for search in searches:
            keys = SearchKeys(search)
            pipe.hget(keys.meta, "outcome")
            pipe.scard(keys.wholes)
            for key in keys.data:
                # All fields: one of them, the request, holds nearly all.
                pipe.memory_usage(key, samples=0)
        answers = iter(pipe.execute())
    for search in searches:
        outcome, wholes = next(answers), next(answers)
        yield _Look(outcome, wholes, sum(next(answers) or 0 for _ in SearchKeys(search).data))


def purge(redis: Redis) -> bool:
    """Have the server rewrite its append-only file, which keeps what was deleted until then.

    Returns when that is done; False where the server has no such file. Raises PurgeError.
    """
    if not redis.info("persistence")["aof_enabled"]:
        return False
    # One that is under way may have begun before the last deletion.
    _until_rewritten(redis)
    redis.bgrewriteaof()
    if _until_rewritten(redis) != "ok":
        raise PurgeError("the queue's server could not rewrite its append-only file; its log says why")
    return True


def _until_rewritten(redis: Redis) -> str:
    """How the last rewrite ended, when none is under way or about to be."""
    while True:
        info = redis.info("persistence")
        if not info["aof_rewrite_in_progress"] and not info["aof_rewrite_scheduled"]:
            return str(info["aof_last_bgrewrite_status"])
        time.sleep(PURGE_LOOK_S)
