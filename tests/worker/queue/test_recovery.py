"""What a dead worker leaves: its parts are queued again, a few times, and lost ones are found."""

import pytest
from rq import Queue
from rq.executions import Execution
from rq.job import Job
from rq.serializers import JSONSerializer

from tests.support.turns import ALONE, next_of, worker_of
from worker.jobs.redis_names import SearchKeys, leased_key, part_id, shard_queues, waiting_key
from worker.jobs.requests import SearchRequest
from worker.jobs.states import SearchTarget
from worker.jobs.store import Client
from worker.queue.part_queue import PartQueue
from worker.queue.recovery import MOST_ATTEMPTS, forget_workers, recover, refuse, release
from worker.queue.wake_up import call_worker, calls_for


def submit(client: Client, target: SearchTarget, letters: str = "MKVLAAGW") -> str:
    request = SearchRequest(sequence=f">q\n{letters}", database="small")
    return client.submit(request, request.records(), target).id


def waiting(queue: PartQueue) -> list[str]:
    return [part.decode() for part in queue.client.redis.zrange(waiting_key(queue.name), 0, -1)]


def die_at_work(queue: PartQueue) -> None:
    """Lease a part as a worker does, and not be heard of again."""
    next_of(queue)
    queue.lapse()


def test_part_of_a_worker_without_heartbeat_is_queued_again(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    queue = worker_of(client, target, 1)
    die_at_work(queue)
    assert waiting(queue) == []
    recover(client)
    assert waiting(queue) == [part_id(search, 1)]
    assert client.redis.zcard(leased_key(queue.name)) == 0


def test_part_with_a_heartbeat_is_left_alone(client: Client, target: SearchTarget) -> None:
    submit(client, target)
    queue = worker_of(client, target)
    next_of(queue)
    recover(client)
    assert waiting(queue) == []


def test_supervisor_gives_up_a_dead_workers_part_at_once(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    queue = worker_of(client, target)
    next_of(queue)
    release(client, queue.name, "another")
    assert waiting(queue) == []
    release(client, queue.name, queue.worker)
    assert waiting(queue) == [part_id(search, 0)]


def test_part_that_kills_every_worker_is_given_up_and_others_go_on(client: Client, target: SearchTarget) -> None:
    poison = submit(client, target)
    queue = worker_of(client, target)
    for _ in range(MOST_ATTEMPTS):
        assert client.state(poison).state in ("queued", "running")
        die_at_work(queue)
        recover(client)
    state = client.state(poison)
    assert state.state == "failed"
    assert state.error is not None
    assert state.error.detail == "the worker of shard 0 died 6 times while it ran this search"
    assert waiting(queue) == []
    other = submit(client, target)
    assert other != poison
    assert next_of(queue).search == other


def test_deaths_in_company_do_not_count(client: Client, target: SearchTarget) -> None:
    first, second = submit(client, target), submit(client, target, "MKVLAAGWW")
    queue = worker_of(client, target)
    for _ in range(2 * MOST_ATTEMPTS):
        # Two in one pass, as one preempts another.
        queue.lease(ALONE)
        queue.lease(ALONE)
        queue.lapse()
        recover(client)
    assert [client.state(search).state for search in (first, second)] == ["running"] * 2
    assert sorted(waiting(queue)) == sorted([part_id(first, 0), part_id(second, 0)])


def test_what_was_stored_before_the_death_is_not_done_again(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    queue = worker_of(client, target)
    next_of(queue)
    client.redis.hset(SearchKeys(search).shards, "0", b"")
    queue.lapse()
    recover(client)
    assert waiting(queue) == []
    assert not client.redis.hexists(SearchKeys(search).meta, "interrupted")


def test_part_that_redis_lost_is_queued_again(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    queue = worker_of(client, target, 1)
    client.redis.delete(waiting_key(queue.name))
    recover(client)
    assert waiting(queue) == [part_id(search, 1)]
    assert client.state(search).state == "queued"


def test_search_of_the_version_before_is_queued(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    # It had other lists, and no rank where it was older still.
    client.redis.delete(*(waiting_key(worker_of(client, target, shard).name) for shard in range(2)))
    client.redis.hdel(SearchKeys(search).meta, "rank", "line", "work")
    recover(client)
    for shard in range(2):
        assert next_of(worker_of(client, target, shard)).search == search


def test_lists_of_the_version_before_are_removed(client: Client, target: SearchTarget) -> None:
    [name, other] = shard_queues(target)
    jobs = Queue(name, connection=client.redis, serializer=JSONSerializer)
    at_work = jobs.enqueue_call("worker.tasks.search_shard", args=("abc", 0), job_id="abc-0")
    with client.redis.pipeline() as pipe:
        Execution.create(at_work, 0, pipe, worker_name="dead")
        pipe.execute()
    jobs.remove(at_work)
    jobs.enqueue_call("worker.tasks.search_shard", args=("abd", 0), job_id="abd-0")
    client.redis.lpush(jobs.intermediate_queue_key, "abe-0")
    served = Queue(other, connection=client.redis, serializer=JSONSerializer)
    waiting = served.enqueue_call("worker.tasks.search_shard", args=("abf", 1), job_id="abf-1")
    client.redis.sadd(f"rq:workers:{other}", "rq:worker:lives")
    client.redis.hset("rq:worker:lives", "state", "busy")
    forget_workers(client)
    left = {key for key in client.redis.scan_iter("rq:*") if not key.startswith(b"rq:execution")}
    kept = (
        b"rq:queues",
        served.key.encode(),
        Job.key_for(waiting.id).encode(),
        f"rq:workers:{other}".encode(),
        b"rq:worker:lives",
    )
    assert left == set(kept)


def test_search_fails_when_its_shard_could_not_be_loaded_six_times(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    queue = worker_of(client, target, 1)
    for _ in range(MOST_ATTEMPTS - 1):
        refuse(client, queue.name)
        assert client.state(search).state == "queued"
    refuse(client, queue.name)
    error = client.state(search).error
    assert error is not None
    assert (error.type, error.shard) == ("shard-failed", 1)
    assert error.detail == "the database of shard 1 is damaged or missing; its worker's log says where"


@pytest.mark.parametrize("called", [False, True])
def test_queue_without_worker_and_call_is_forgotten(client: Client, called: bool) -> None:
    calls = calls_for(client.redis, "gone@1-0of1")
    call_worker(client.redis, "gone@1-0of1")
    if not called:
        calls.empty()
    forget_workers(client)
    assert bool(client.redis.sismember("rq:queues", calls.key)) == called
    assert len(calls) == called
