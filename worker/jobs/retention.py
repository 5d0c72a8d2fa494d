"""A bound on what the queue's server holds: past it ended jobs of the account that has most go before their time.

What counts is the server's own figure for its data, not a sum of ours: it is what runs out, it costs one question, and
it cannot drift from what keys that expire by themselves leave behind.
"""

import logging
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from redis import Redis

from shardwater.errors import AlignError
from worker.jobs.composed import forget
from worker.jobs.ids import KIND_NAMES
from worker.jobs.redis_names import PREFIX, SearchKeys, jobs_key, text
from worker.jobs.states import DamagedJob, SearchExpired, SearchNotFound
from worker.jobs.store import JobStore
from worker.jobs.targets import JobsTarget
from worker.jobs.unended import limit_of

TURN = f"{PREFIX}:retention"
"""Set while a front end makes room, so that two of them do not remove twice as much."""
TURN_S = 30
LEFT = 0.95
"""Of the limit: so much may be left, since it takes a look at all jobs to see whose may go."""
BATCH = 100
PURGE_LOOK_S = 0.1

log = logging.getLogger(__name__)


class PurgeError(AlignError):
    """The queue's server did not rewrite its append-only file."""


def stored_bytes(store: JobStore) -> int:
    """What the server's data takes of its memory."""
    return int(store.redis.info("memory")["used_memory_dataset"])


def stored_limit(store: JobStore, most_bytes: int) -> int:
    """The bytes that the server's data may take; 0: half of what the server has by its `maxmemory`, or its machine."""
    return limit_of(store.redis.info("memory"), most_bytes)


def make_room(store: JobStore, most_bytes: int) -> int:
    """Remove ended jobs if the data takes more than the limit (0: that of stored_limit); how many those were.

    One that is queued or runs is never removed. Whoever asks for a removed one is told that its result is gone.
    """
    limit = stored_limit(store, most_bytes)
    if stored_bytes(store) <= limit:
        return 0
    if not store.redis.set(TURN, 1, nx=True, ex=TURN_S):
        return 0
    try:
        removed = _remove(store, stored_bytes(store) - int(limit * LEFT), limit)
    finally:
        store.redis.delete(TURN)
    if removed:
        log.warning("%d searches were removed before their time: more than %d bytes were stored", removed, limit)
    return removed


def _remove(store: JobStore, too_many: int, limit: int) -> int:
    """Remove an ended job of the account that has most, its oldest one, again and again until enough has gone.

    An account that has no more than an equal part of half the limit keeps all, whatever jobs of others take that wait.
    """
    accounts, removed = _accounts(store), 0
    part = limit // 2 // max(1, len(accounts))
    accounts = [each for each in accounts if each.size > part]
    while too_many > 0 and (largest := max(accounts, key=lambda each: each.size, default=None)) is not None:
        if not largest.ended or largest.size <= part:
            accounts.remove(largest)
            continue
        search, size = largest.ended.popleft()
        # What it alone is made of goes with it: who has a list has what it lists.
        parts = _parts(store, search)
        sizes = dict(zip(parts, (look.size for look in _looks(store, parts)), strict=True))
        gone = forget(store, parts, search, store.remove_early)
        store.remove_early(search)
        freed = size + sum(sizes[part] for part in gone)
        removed, too_many, largest.size = removed + 1, too_many - freed, largest.size - freed
    return removed


def _parts(store: JobStore, search: str) -> Sequence[str]:
    with suppress(SearchNotFound, SearchExpired, DamagedJob):
        target = store.target(search)
        return target.jobs if isinstance(target, JobsTarget) else ()
    return ()


@dataclass(slots=True, eq=False)
class _Account:
    """The bytes of an account's jobs, and those of them that may go: ended, part of no other, oldest first."""

    size: int = 0
    ended: deque[tuple[str, int]] = field(default_factory=deque)


def _accounts(store: JobStore) -> list[_Account]:
    accounts = defaultdict[bytes, _Account](_Account)
    searches = [text(member) for member in store.redis.zunion([jobs_key(kind) for kind in KIND_NAMES])]
    for start in range(0, len(searches), BATCH):
        batch = searches[start : start + BATCH]
        for search, look in zip(batch, _looks(store, batch), strict=True):
            account = accounts[look.account]
            account.size += look.size
            if look.outcome is not None and not look.wholes:
                account.ended.append((search, look.size))
    return list(accounts.values())


@dataclass(frozen=True, slots=True)
class _Look:
    """How a job ended, whose it is, how many others it is part of, and the bytes of its data."""

    outcome: bytes | None
    account: bytes
    wholes: int
    size: int


def _looks(store: JobStore, searches: Sequence[str]) -> Iterator[_Look]:
    with store.redis.pipeline(transaction=False) as pipe:
        for search in searches:
            keys = SearchKeys(search)
            pipe.hmget(keys.meta, "outcome", "account")
            pipe.scard(keys.wholes)
            for key in keys.data:
                # All fields: one of them, the request, holds nearly all.
                pipe.memory_usage(key, samples=0)
        answers = iter(pipe.execute())
    for search in searches:
        (outcome, account), wholes = next(answers), next(answers)
        yield _Look(outcome, account or b"", wholes, sum(next(answers) or 0 for _ in SearchKeys(search).data))


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
