"""Times that several machines compare are the queue's: a process whose own clock is two hours off changes nothing."""

import time
from datetime import timedelta

import pytest
from rq.executions import Execution
from rq.queue import Queue
from rq.serializers import JSONSerializer

from tests.support.turns import by_residues, take_up
from worker.access.api_keys import ApiKeys, key_name
from worker.jobs.clock import server_time
from worker.jobs.costs import Room
from worker.jobs.listing import Listing, list_searches
from worker.jobs.redis_names import beside_key, shard_queues
from worker.jobs.requests import SearchRequest
from worker.jobs.states import SearchTarget
from worker.jobs.store import Client
from worker.queue.part_queue import BroughtJob, Line, OrderedQueue
from worker.queue.recovery import recover_queue

NEAR_S = 60


@pytest.fixture(params=[7200, -7200], ids=["ahead", "behind"], autouse=True)
def off_s(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """By how much this process's clock is ahead of the server's."""
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() + request.param)
    return float(request.param)


@pytest.fixture
def queue(client: Client, target: SearchTarget) -> OrderedQueue:
    return OrderedQueue(shard_queues(target)[0], connection=client.redis, serializer=JSONSerializer)


def submit(client: Client, target: SearchTarget, name: str = "q") -> str:
    asked = SearchRequest(sequence=f">{name}\nMKVLAAGW", database="small")
    return client.submit(asked, asked.records(), target).id


def test_search_is_dated_and_listed_by_the_queues_time(client: Client, target: SearchTarget) -> None:
    before = server_time(client.redis)
    search = submit(client, target)
    client.cancel(search)
    state = client.state(search)
    assert state.finished_at is not None
    assert before <= state.created_at.timestamp() <= state.finished_at.timestamp() <= server_time(client.redis)
    assert list_searches(client, Listing(), 10).total == 1


def test_front_end_whose_clock_is_off_forgets_no_search(
    client: Client, target: SearchTarget, monkeypatch: pytest.MonkeyPatch, off_s: float
) -> None:
    first = submit(client, target, "first")
    # As if its clock were ahead or behind by weeks.
    monkeypatch.setattr(time, "time", lambda: server_time(client.redis) + 1000 * off_s)
    second = submit(client, target, "second")
    page = list_searches(client, Listing(), 10)
    assert ([state.id for state in page.searches], page.total) == ([second, first], 2)


def test_key_ends_by_the_queues_time(client: Client) -> None:
    issued = ApiKeys(client.redis).create("lab", ["search"], timedelta(hours=1))
    assert abs(client.redis.ttl(key_name(issued.key.id)) - 3600) < NEAR_S


def test_wait_in_the_queue_is_measured_by_the_queues_time(
    client: Client, target: SearchTarget, queue: OrderedQueue
) -> None:
    for name in ("a", "b"):
        submit(client, target, name)
    line = Line(client, queue.name, 0, f"{queue.name}.host.1.x")
    found = OrderedQueue.dequeue_any([queue], None, connection=client.redis, serializer=JSONSerializer)
    assert found is not None
    assert isinstance(found[0], BroughtJob)
    first = take_up(line, found[0])
    assert first is not None
    [second] = line.beside(first, Room(100, by_residues(1)))
    assert 0 < first.origin.waited_s < NEAR_S
    assert 0 < second.origin.waited_s < NEAR_S


def test_jobs_of_workers_that_live_are_left_to_them(client: Client, target: SearchTarget, queue: OrderedQueue) -> None:
    for name in ("a", "b"):
        submit(client, target, name)
    line = Line(client, queue.name, 0, f"{queue.name}.host.1.x")
    found = OrderedQueue.dequeue_any([queue], None, connection=client.redis, serializer=JSONSerializer)
    assert found is not None
    assert isinstance(found[0], BroughtJob)
    with client.redis.pipeline() as pipe:
        Execution.create(found[0], 60, pipe, worker_name=line.worker)
        pipe.lrem(queue.intermediate_queue_key, 1, found[0].id)
        pipe.execute()
    first = take_up(line, found[0])
    assert first is not None
    assert len(line.beside(first, Room(100, by_residues(1)))) == 1
    with client.redis.pipeline() as pipe:
        line.beat(pipe)
        pipe.execute()
    [(_, until)] = client.redis.zrange(beside_key(queue.name), 0, -1, withscores=True)
    assert abs(until - server_time(client.redis)) < NEAR_S
    recover_queue(client, queue.name)
    assert len(queue) == 0


def test_job_of_a_worker_that_died_is_given_away_at_once(
    client: Client, target: SearchTarget, queue: OrderedQueue, monkeypatch: pytest.MonkeyPatch, off_s: float
) -> None:
    submit(client, target)
    waiting = Queue(queue.name, connection=client.redis, serializer=JSONSerializer)
    found = Queue.dequeue_any([waiting], None, connection=client.redis, serializer=JSONSerializer)
    assert found is not None
    # RQ dates a run by the worker's clock.
    monkeypatch.setattr("rq.registry.current_timestamp", lambda: int(time.time()))
    with client.redis.pipeline() as pipe:
        Execution.create(found[0], 0, pipe, worker_name="dead")
        pipe.lrem(waiting.intermediate_queue_key, 1, found[0].id)
        pipe.execute()
    recover_queue(client, queue.name)
    assert waiting.get_job_ids() == [found[0].id]
