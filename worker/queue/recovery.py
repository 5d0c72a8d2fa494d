"""Jobs whose worker died: given to the next one, until it is plain that they are the cause.

RQ looks after a queue only from a live worker of that very queue, and a shard has one queue: so the front end's
watchdog does it for all of them, and the supervisor at once for a worker that it saw die. Every rule here may run
twice or in two processes at a time: a job done twice stores the same bytes.
"""

import logging
from contextlib import suppress

from rq import Queue
from rq.exceptions import NoSuchJobError
from rq.executions import ExecutionRegistry
from rq.job import Job, JobStatus
from rq.registry import StartedJobRegistry
from rq.results import Result
from rq.serializers import JSONSerializer
from rq.worker_registration import REDIS_WORKER_KEYS

from worker.jobs.clock import server_time
from worker.jobs.redis_names import (
    LIVE,
    SearchKeys,
    beside_key,
    execution_key,
    job_id,
    live_searches,
    queue_name,
    refused_key,
    search_of,
    shard_queues,
    text,
)
from worker.jobs.scripts import DEAD, FORGET, SUSPECT
from worker.jobs.states import Failure, SearchExpired, SearchNotFound, SearchTarget
from worker.jobs.store import Client
from worker.jobs.submission import MOST_RETRIES
from worker.queue.rq_job import ShardJob

REFUSED_S = 600
"""How long it is remembered that a shard could not be loaded, in seconds, and how often."""
POPPED_S = 5
"""How long a job may be between its queue and its start, in seconds, before it counts as lost with its worker."""

log = logging.getLogger(__name__)


def recover(client: Client) -> None:
    """Look after every search that has not ended."""
    queues: set[str] = set()
    for search in live_searches(client.redis):
        try:
            target = client.target(search)
            _recover_search(client, search, target)
        except (SearchNotFound, SearchExpired):
            client.redis.srem(LIVE, search)
            continue
        used = target.used
        queues |= {queue_name(used.name, used.version, shard, target.shards) for shard in range(target.shards)}
    for queue in sorted(queues):
        recover_queue(client, queue)


def recover_queue(client: Client, queue: str) -> None:
    """Queue again the jobs of dead workers, found by heartbeats that stopped, or fail those that killed too many."""
    of_shard = Queue(queue, connection=client.redis, serializer=JSONSerializer)
    for entry in client.redis.register_script(DEAD)(keys=[_started_key(queue)], args=[execution_key("")]):
        _give_up(client, of_shard, text(entry))
    _forget_failed(client, of_shard)
    _return_popped(client, of_shard)


def release(client: Client, queue: str, workers: str) -> None:
    """Give up at once the jobs of workers that are known to be dead, by what their names begin with."""
    for entry in map(text, client.redis.zrange(_started_key(queue), 0, -1)):
        if text(client.redis.hget(execution_key(entry), "worker_name")).startswith(workers):
            client.redis.delete(execution_key(entry))
    for entry in map(text, client.redis.zrange(beside_key(queue), 0, -1)):
        if entry.partition(" ")[2].startswith(workers):
            client.redis.zadd(beside_key(queue), {entry: 1}, xx=True)
    recover_queue(client, queue)


def searches_at_work(client: Client, queue: str, workers: str) -> dict[str, float]:
    """The searches that workers are doing whose names begin so, and the share of each that is done."""
    jobs = []
    for entry in map(text, client.redis.zrange(_started_key(queue), 0, -1)):
        if text(client.redis.hget(execution_key(entry), "worker_name")).startswith(workers):
            jobs.append(entry.partition(":")[0])
    for entry in map(text, client.redis.zrange(beside_key(queue), 0, -1)):
        job, _, worker = entry.partition(" ")
        if worker.startswith(workers):
            jobs.append(job)
    found = {}
    for search in map(search_of, jobs):
        with suppress(SearchNotFound, SearchExpired):
            state = client.state(search)
            if state.finished_at is None:
                found[search] = state.progress
    return found


def forget_workers(client: Client) -> int:
    """Remove dead workers from RQ's lists, which keep them for ever; how many those were."""
    lists = [REDIS_WORKER_KEYS, Queue.redis_queues_keys]
    return int(client.redis.register_script(FORGET)(keys=lists, args=[Queue.redis_queue_namespace_prefix]))


def refuse(client: Client, queue: str) -> None:
    """Note that a worker cannot load its shard; after as many tries as a job has, fail what waits for it."""
    key = refused_key(queue)
    with client.redis.pipeline() as pipe:
        pipe.incr(key)
        pipe.expire(key, REFUSED_S)
        tries, _ = pipe.execute()
    if tries > MOST_RETRIES:
        _fail_waiting(client, queue)


def _fail_waiting(client: Client, queue: str) -> None:
    """Fail all searches that wait for a shard that cannot be loaded."""
    for search in live_searches(client.redis):
        with suppress(SearchNotFound, SearchExpired):
            queues = shard_queues(client.target(search))
            if queue in queues:
                shard = queues.index(queue)
                detail = f"the database of shard {shard} is damaged or missing; its worker's log says where"
                client.fail(search, Failure("shard-failed", detail, shard))


def _started_key(queue: str) -> str:
    """RQ's list of the jobs at work, with their runs. Its scores are of workers' clocks, and count for nothing here."""
    return StartedJobRegistry.key_template.format(queue)


def _give_up(client: Client, queue: Queue, entry: str) -> None:
    """A dead worker's run of a job: another one will do it, or none when it has killed too many."""
    job, _, run = entry.partition(":")
    _suspect(client, job)
    with client.redis.pipeline() as pipe:
        # One that was done after all is gone.
        with suppress(NoSuchJobError):
            left = ShardJob.fetch(job, client.redis, JSONSerializer)
            if left.should_retry:
                left.retry(queue, pipe)
            else:
                left.set_status(JobStatus.FAILED, pipeline=pipe)
                queue.failed_job_registry.add(left, left.failure_ttl, pipeline=pipe)
        # RQ would stumble over this list of a job's runs when the job has been done after all.
        pipe.zrem(ExecutionRegistry.key_template.format(job), run)
        pipe.zrem(_started_key(queue.name), entry)
        pipe.execute()


def _suspect(client: Client, job: str) -> None:
    """Note that a search was at work when a worker died, who may have died of it: from now on it runs alone."""
    client.redis.register_script(SUSPECT)(keys=[SearchKeys(search_of(job)).meta])


def _forget_failed(client: Client, queue: Queue) -> None:
    """Remove the failed jobs of searches that have ended: RQ would keep them, and why they failed, for a day."""
    registry = queue.failed_job_registry
    for job in registry.get_job_ids(cleanup=False):
        if not client.redis.sismember(LIVE, search_of(job)):
            with client.redis.pipeline() as pipe:
                pipe.zrem(registry.key, job)
                results = Result.get_key(job)  # type: ignore[no-untyped-call]
                pipe.delete(Job.key_for(job), results, ExecutionRegistry.key_template.format(job))
                pipe.execute()


def _return_popped(client: Client, queue: Queue) -> None:
    """Put back what a worker took from the queue and died before it began, or did beside another job when it died."""
    started = {text(entry).partition(":")[0] for entry in client.redis.zrange(_started_key(queue.name), 0, -1)}
    key = beside_key(queue.name)
    beside = {entry.partition(" ")[0]: entry for entry in map(text, client.redis.zrange(key, 0, -1))}
    dead = set(map(text, client.redis.zrangebyscore(key, 0, server_time(client.redis)))) if beside else set()
    for job in map(text, client.redis.lrange(queue.intermediate_queue_key, 0, -1)):
        if job in started:
            continue
        if job in beside:
            if beside[job] in dead and client.redis.zrem(key, beside[job]):
                _suspect(client, job)
                _put_back(client, queue, job)
        elif _popped_for(client, queue, job) > POPPED_S:
            _put_back(client, queue, job)


def _popped_for(client: Client, queue: Queue, job: str) -> float:
    """For how long a job is known to stand between its queue and its start, in seconds."""
    key, kept_s = queue.intermediate_queue.get_first_seen_key(job), 10 * POPPED_S
    if client.redis.set(key, 1, nx=True, ex=kept_s):
        return 0
    return kept_s - client.redis.pttl(key) / 1000


def _put_back(client: Client, queue: Queue, job: str) -> None:
    client.redis.delete(queue.intermediate_queue.get_first_seen_key(job))
    queue.intermediate_queue.remove(job)
    if client.redis.exists(Job.key_for(job)):
        client.redis.rpush(queue.key, job)


def _recover_search(client: Client, search: str, target: SearchTarget) -> None:
    """Queue a lost job again; end the search whose job RQ has given up.

    Jobs are looked at before results: a result is stored before its job is removed, so that a job missing first
    and a result missing then is one truly lost.
    """
    with client.redis.pipeline(transaction=False) as pipe:
        for shard in range(target.shards):
            pipe.hget(Job.key_for(job_id(search, shard)), "status")
        pipe.hkeys(SearchKeys(search).shards)
        *statuses, stored = pipe.execute()
    missing = set(range(target.shards)) - {int(shard) for shard in stored}
    if not missing:
        client.end_if_answered(search)
    for shard in sorted(missing):
        if statuses[shard] is None:
            log.warning("search %s: the job of shard %d was lost and is queued again", search, shard)
            with client.redis.pipeline() as pipe:
                client.enqueue(pipe, search, target, shard)
                pipe.execute()
        elif statuses[shard] == b"failed":
            detail = f"the worker of shard {shard} died {MOST_RETRIES + 1} times while it ran this search"
            client.fail(search, Failure("shard-failed", detail, shard))
