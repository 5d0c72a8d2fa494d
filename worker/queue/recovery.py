"""Parts whose worker died: given to the next one, until it is plain that they are the cause.

The front ends' watchdog looks after all queues, and the supervisor at once after that of a worker which it saw die.
Every rule here may run twice or in two processes at a time: a part that is done twice stores the same bytes.
"""

import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle, islice
from typing import cast

from redis.exceptions import ResponseError
from rq.job import Job
from rq.queue import Queue
from rq.worker import BaseWorker
from rq.worker_registration import clean_worker_registry

from worker.jobs.ids import called, kind_named
from worker.jobs.kept import reading
from worker.jobs.redis_names import (
    LIVE,
    SearchKeys,
    asleep_key,
    leased_key,
    live_searches,
    order_key,
    part_id,
    part_of,
    refused_key,
    ring_channel,
    search_of,
    text,
    waiting_key,
    worker_of,
)
from worker.jobs.scripts import SET_IF_KEPT
from worker.jobs.states import DamagedJob, Failure, SearchExpired, SearchNotFound
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE, Target, called_by, shard_of
from worker.jobs.worker_registry import workers
from worker.queue.fair_order import RECOVER, REQUEUE
from worker.queue.wake_up import call_worker, calls_for, queue_of
from worker.telemetry.safe_traceback import outline

MOST_ATTEMPTS = 6
"""How many workers may end while they run a part alone."""
REFUSED_S = 600
"""How long it is remembered that a shard could not be loaded, in seconds, and how often."""

log = logging.getLogger(__name__)


def recover(store: JobStore) -> set[str]:
    """Look after every job that has not ended; gives those that all shards have answered."""
    queues: set[str] = set()
    answered: set[str] = set()
    for search in live_searches(store.redis):
        try:
            target = store.target(search)
            with reading(search):
                if _recover_search(store, search, target):
                    answered.add(search)
        except (SearchNotFound, SearchExpired):
            store.redis.srem(LIVE, search)
            continue
        except (DamagedJob, ResponseError) as error:
            # No version of ours writes that; it must not keep the others from being looked after.
            log.error("%s cannot be read: %s", called(search), outline(error))
            _drop(store, search)
            continue
        queues.update(target.queues)
    for queue in sorted(queues):
        recover_queue(store, queue)
    return answered


def _drop(store: JobStore, search: str) -> None:
    """Fail a job that cannot be read, or forget it where not even that can be written."""
    with suppress(SearchNotFound, SearchExpired):
        try:
            store.fail(search, Failure("shard-failed", "what the search asks for cannot be read"))
        except ResponseError:
            store.redis.srem(LIVE, search)


def recover_queue(store: JobStore, queue: str) -> None:
    """Queue again the parts of dead workers, whose leases lapse, fail those that end too many, and call a worker."""
    anyones = SearchKeys("")
    poison, moved = store.redis.register_script(RECOVER)(
        keys=[waiting_key(queue), leased_key(queue), ring_channel(queue), order_key(queue)],
        args=[anyones.meta, anyones.shards, MOST_ATTEMPTS],
    )
    for part in map(text, poison):
        whose = "a worker" if queue == DEVICE else f"the worker of {called_by(queue)}"
        detail = f"{whose} died {MOST_ATTEMPTS} times while it ran this {kind_named(search_of(part))}"
        _fail(store, search_of(part), queue, detail)
    if moved:
        log.info("%s: parts of dead workers are queued again: %d", queue, moved)
    if store.redis.zcard(waiting_key(queue)):
        # Who is awake may have missed the word while its connection was away.
        store.redis.publish(ring_channel(queue), "part")
        for home in _homes(store, queue):
            # One call at a time is enough: who comes finds all that waits.
            if calls_for(store.redis, home).is_empty():
                call_worker(store.redis, home)


def _homes(store: JobStore, queue: str) -> set[str]:
    """By which queues the workers of a queue are called."""
    return {worker.place.queue for worker in workers(store.redis)} if queue == DEVICE else {queue}


def release(store: JobStore, queue: str, workers: str) -> None:
    """Give up at once what workers of a queue have leased that are known to be dead, by what their names begin with."""
    redis = store.redis
    for served in {queue, DEVICE}:
        leases = map(text, redis.zrange(leased_key(served), 0, -1))
        if dead := {lease: 1 for lease in leases if worker_of(lease).startswith(workers)}:
            redis.zadd(leased_key(served), dead, xx=True)
        if asleep := [name for name in map(text, redis.smembers(asleep_key(served))) if name.startswith(workers)]:
            redis.srem(asleep_key(served), *asleep)
        recover_queue(store, served)


def searches_at_work(store: JobStore, queue: str, workers: str) -> dict[str, float]:
    """The jobs that workers are doing whose names begin so, and the share of each that is done."""
    leases = [text(lease) for key in {queue, DEVICE} for lease in store.redis.zrange(leased_key(key), 0, -1)]
    found = {}
    for search in (search_of(part_of(lease)) for lease in leases if worker_of(lease).startswith(workers)):
        with suppress(SearchNotFound, SearchExpired, DamagedJob):
            state = store.state(search)
            if state.finished_at is None:
                found[search] = state.progress
    return found


def forget_workers(store: JobStore) -> None:
    """Remove dead workers from RQ's lists, and the queues of calls that have neither worker nor call any more."""
    for known in Queue.all(connection=store.redis):
        clean_worker_registry(known)
        queue = queue_of(known)
        if queue is None:
            _forget_earlier_version(known)
            continue
        # Never as RQ would read them (wake_up.py).
        calls = calls_for(store.redis, queue)
        # Calls that a worker died of, and after a while what is left of them.
        calls.started_job_registry.cleanup()
        calls.failed_job_registry.cleanup()
        if not BaseWorker.count(queue=calls) and calls.is_empty():
            calls.delete(delete_jobs=True)
            store.redis.delete(asleep_key(queue))


def _forget_earlier_version(jobs: Queue) -> None:
    """Remove the jobs of the version before when no worker of theirs lives: they are queued as parts."""
    if not re.fullmatch(r".+@\w+-\d+of\d+", jobs.name) or BaseWorker.count(queue=jobs):
        return
    redis, lists = jobs.connection, [jobs.started_job_registry.key, jobs.failed_job_registry.key]
    found = [redis.lrange(jobs.intermediate_queue_key, 0, -1), *(redis.zrange(key, 0, -1) for key in lists)]
    taken = cast(list[bytes], [entry for entries in found for entry in entries])
    keys = [Job.redis_job_namespace_prefix.encode() + entry.partition(b":")[0] for entry in taken]
    redis.delete(jobs.intermediate_queue_key, *lists, *keys)
    jobs.delete(delete_jobs=True)


def refuse(store: JobStore, queue: str) -> None:
    """Note that a worker cannot load its shard; after as many tries as a part has, fail what waits for it."""
    key = refused_key(queue)
    with store.redis.pipeline() as pipe:
        pipe.incr(key)
        pipe.expire(key, REFUSED_S)
        tries, _ = pipe.execute()
    if tries >= MOST_ATTEMPTS:
        for search in live_searches(store.redis):
            with suppress(SearchNotFound, SearchExpired, DamagedJob):
                if queue in store.target(search).queues:
                    detail = f"{called_by(queue)} is damaged or missing; its worker's log says where"
                    _fail(store, search, queue, detail)


def _fail(store: JobStore, search: str, queue: str, detail: str) -> None:
    """Fail a job for what has become of its part in a queue."""
    with suppress(SearchNotFound, SearchExpired):
        store.fail(search, Failure("shard-failed", detail, shard_of(queue)))


def _recover_search(store: JobStore, search: str, target: Target) -> bool:
    """Queue a part again that is nowhere; whether all parts have been answered."""
    queues = list(islice(cycle(target.queues), target.parts))
    with store.redis.pipeline() as pipe:
        for shard, queue in enumerate(queues):
            pipe.zscore(waiting_key(queue), part_id(search, shard))
        pipe.hkeys(SearchKeys(search).shards)
        pipe.hexists(SearchKeys(search).meta, "size")
        *ranks, stored, sized = pipe.execute()
    if not sized:
        _rank_anew(store, search, queues)
    answered = {int(shard) for shard in stored}
    for shard, (queue, rank) in enumerate(zip(queues, ranks, strict=True)):
        if shard not in answered and rank is None:
            _requeue_if_lost(store, search, shard, queue)
    return len(answered) == target.parts


def _rank_anew(store: JobStore, search: str, queues: Sequence[str]) -> None:
    """Put a job first that the version before has ranked by query residues: seconds do not compare with them."""
    keys, note = SearchKeys(search), store.redis.register_script(SET_IF_KEPT)
    note(keys=[keys.meta, keys.meta, keys.moved], args=["rank", 0])
    for shard, queue in enumerate(queues):
        store.redis.zadd(waiting_key(queue), {part_id(search, shard): 0}, xx=True)
    # Last: until the size is there, this is done again.
    note(keys=[keys.meta, keys.meta, keys.moved], args=["size", 0])


def _requeue_if_lost(store: JobStore, search: str, shard: int, queue: str) -> None:
    """Queue a part again unless it is leased, or has been queued or answered since it was looked for.

    In one transaction: a part is always answered, leased or waiting, or else lost.
    """
    part = part_id(search, shard)
    with store.redis.pipeline() as pipe:
        pipe.zscore(waiting_key(queue), part)
        pipe.zrange(leased_key(queue), 0, -1)
        pipe.hexists(SearchKeys(search).shards, str(shard))
        rank, leases, answered = pipe.execute()
    if answered or rank is not None or part in map(part_of, map(text, leases)):
        return
    keys = [waiting_key(queue), ring_channel(queue), SearchKeys(search).meta, order_key(queue)]
    if store.redis.register_script(REQUEUE)(keys=keys, args=[part]):
        log.warning("%s: part %d is neither queued, leased nor answered, and is queued again", called(search), shard)
