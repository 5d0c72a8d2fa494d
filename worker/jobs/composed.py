"""Jobs that are made of other jobs: they have no parts, and end when the others have.

One of the others may belong to several: what was asked for before is not done again. Each knows to whom it belongs, and
is cancelled when the last one gives it up.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from redis import Redis
from redis.client import Pipeline

from worker.jobs.kept import few_of, reading
from worker.jobs.redis_names import ANSWERED, SearchKeys, text
from worker.jobs.scripts import LEAVE
from worker.jobs.states import (
    ENDED,
    DamagedJob,
    SearchExpired,
    SearchFinished,
    SearchNotFound,
    SearchState,
    ShardCount,
)

if TYPE_CHECKING:
    from worker.jobs.store import JobStore


def belong(pipe: Pipeline, jobs: Sequence[str], whole: str, kept_s: int) -> None:
    """Note that jobs belong to another one, which the same transaction accepts; they are kept as long as that."""
    for job in jobs:
        keys = SearchKeys(job)
        pipe.sadd(keys.wholes, whole)
        for key in keys.data:
            pipe.expire(key, kept_s, gt=True)
        pipe.expire(keys.known, 2 * kept_s, gt=True)
        pipe.expire(keys.wholes, kept_s)
    awaited = SearchKeys(whole).awaited
    pipe.sadd(awaited, *jobs)
    pipe.expire(awaited, kept_s)
    # Those that have ended before this tell nobody.
    pipe.rpush(ANSWERED, whole)


def tell(redis: Redis, job: str, *, failed: bool) -> None:
    """Have a front end look at the jobs that one is part of, which has ended: at those that await no other one.

    failed: at all of them, which fail with it.
    """
    for whole in map(text, cast(set[bytes], redis.smembers(SearchKeys(job).wholes))):
        keys = SearchKeys(whole)
        redis.srem(keys.awaited, job)
        if failed or not redis.scard(keys.awaited):
            redis.rpush(ANSWERED, whole)
        redis.publish(keys.moved, "moved")


def await_others(redis: Redis, whole: str, ended: Sequence[str]) -> None:
    """Note which of the jobs that one is made of have ended before they could tell.

    Where the last of the others has ended meanwhile, a front end looks again: once, as nothing is awaited then.
    """
    if ended and redis.srem(SearchKeys(whole).awaited, *ended) and not redis.scard(SearchKeys(whole).awaited):
        redis.rpush(ANSWERED, whole)


def give_up(store: "JobStore", jobs: Sequence[str], whole: str) -> None:
    """Cancel jobs that belong to nothing else; what has ended stays for whoever asks for the same."""
    for job in _left_alone(store, jobs, whole, "live"):
        with suppress(SearchFinished, SearchNotFound, SearchExpired, DamagedJob):
            store.cancel(job)


def forget(store: "JobStore", jobs: Sequence[str], whole: str, remove: Callable[[str], None]) -> list[str]:
    """Remove, by the function, jobs that belong to nothing else, whatever became of them; these."""
    alone = _left_alone(store, jobs, whole, "all")
    for job in alone:
        with suppress(SearchNotFound, SearchExpired):
            remove(job)
    return alone


def disown(redis: Redis, job: str) -> None:
    """Have nobody who asks for the same get a job that cannot be read: it is done anew for the next one."""
    keys = SearchKeys(job)
    with reading(job):
        claim = cast(bytes | None, redis.hget(keys.meta, "claim"))
        if claim is not None and redis.get(claim) == job.encode():
            redis.delete(claim)


def _left_alone(store: "JobStore", jobs: Sequence[str], whole: str, which: str) -> list[str]:
    with store.redis.pipeline(transaction=False) as pipe:
        for job in jobs:
            keys = SearchKeys(job)
            pipe.eval(LEAVE, 2, keys.wholes, keys.meta, job, whole, which)
        return [job for job, alone in zip(jobs, pipe.execute(), strict=True) if alone]


def stands(store: "JobStore", state: SearchState, jobs: Sequence[str]) -> SearchState:
    """A job as it stands by those that it is made of."""
    if state.state in ENDED:
        return replace(state, shards=ShardCount(len(jobs) if state.state == "succeeded" else 0, len(jobs)))
    outcomes = store.outcomes(jobs)
    left = [job for job, outcome in zip(jobs, outcomes, strict=True) if outcome is None]
    states = []
    for job in few_of(left):
        with suppress(SearchNotFound, SearchExpired, DamagedJob):
            states.append(store.state(job))
    done = len(jobs) - len(left)
    going = [each for each in states if each.state not in ENDED]
    running = [each for each in going if each.state == "running"]
    begun = bool(done or running)
    share = (done + sum(each.progress for each in states if each.state == "running")) / len(jobs)
    return replace(
        state,
        state="running" if begun else "queued",
        progress=min(0.999, share),
        phase=running[0].phase if running else ("merging" if begun and not going else "queued"),
        shards=ShardCount(done, len(jobs)),
        position=0 if begun else min((each.position or 0 for each in going), default=0),
        estimate_s=max((each.estimate_s or 0.0 for each in going), default=0.0),
    )
