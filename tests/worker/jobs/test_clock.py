"""Times that several machines compare are the queue's: a process whose own clock is two hours off changes nothing."""

import time
from datetime import timedelta

import pytest

from tests.support.turns import by_residues, next_of, worker_of
from worker.access.api_keys import ApiKeys, key_name
from worker.jobs.clock import server_time
from worker.jobs.costs import Room
from worker.jobs.listing import Listing, list_searches
from worker.jobs.redis_names import leased_key, waiting_key
from worker.jobs.requests import SearchRequest
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds.search import plan
from worker.queue.recovery import recover_queue, release

NEAR_S = 60


@pytest.fixture(params=[7200, -7200], ids=["ahead", "behind"], autouse=True)
def off_s(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """By how much this process's clock is ahead of the server's."""
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() + request.param)
    return float(request.param)


def submit(store: JobStore, target: SearchTarget, name: str = "q") -> str:
    asked = SearchRequest(sequence=f">{name}\nMKVLAAGW", database="small")
    return store.submit(plan(asked, asked.records(), target)).id


def test_search_is_dated_and_listed_by_the_queues_time(store: JobStore, target: SearchTarget) -> None:
    before = server_time(store.redis)
    search = submit(store, target)
    store.cancel(search)
    state = store.state(search)
    assert state.finished_at is not None
    assert before <= state.created_at.timestamp() <= state.finished_at.timestamp() <= server_time(store.redis)
    assert list_searches(store, Listing(), 10).total == 1


def test_front_end_whose_clock_is_off_forgets_no_search(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch, off_s: float
) -> None:
    first = submit(store, target, "first")
    # As if its clock were ahead or behind by weeks.
    monkeypatch.setattr(time, "time", lambda: server_time(store.redis) + 1000 * off_s)
    second = submit(store, target, "second")
    page = list_searches(store, Listing(), 10)
    assert ([state.id for state in page.searches], page.total) == ([second, first], 2)


def test_key_ends_by_the_queues_time(store: JobStore) -> None:
    issued = ApiKeys(store.redis).create("lab", ["search"], timedelta(hours=1))
    assert abs(store.redis.ttl(key_name(issued.key.id)) - 3600) < NEAR_S


def test_wait_in_the_queue_is_measured_by_the_queues_time(store: JobStore, target: SearchTarget) -> None:
    for name in ("a", "b"):
        submit(store, target, name)
    parts = worker_of(store, target).lease(Room(100, by_residues(1)))
    assert [0 < part.origin.waited_s < NEAR_S for part in parts] == [True, True]


def test_parts_of_workers_that_live_are_left_to_them(store: JobStore, target: SearchTarget) -> None:
    submit(store, target)
    queue = worker_of(store, target)
    next_of(queue)
    with store.redis.pipeline() as pipe:
        queue.renew(pipe)
        pipe.execute()
    [(_, lapse)] = store.redis.zrange(leased_key(queue.name), 0, -1, withscores=True)
    assert abs(lapse - server_time(store.redis)) < NEAR_S
    recover_queue(store, queue.name)
    assert store.redis.zcard(waiting_key(queue.name)) == 0


def test_part_of_a_worker_that_died_is_given_away_at_once(store: JobStore, target: SearchTarget) -> None:
    submit(store, target)
    queue = worker_of(store, target)
    next_of(queue)
    release(store, queue.name, queue.worker)
    assert store.redis.zcard(waiting_key(queue.name)) == 1
