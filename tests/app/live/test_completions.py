"""Waiting for the end of a search in a real queue: how it comes, and what comes along with it."""

import asyncio
import random
import string
import threading
from collections.abc import Callable
from copy import copy
from dataclasses import replace

import pytest
from redis.asyncio import Redis as AsyncRedis

from app.live.completions import Ending, Endings
from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.search.search import find_hits
from tests.support.merging import merge_answered, store_answer
from tests.support.server import until
from worker.jobs.redis_names import alive_key
from worker.jobs.requests import SearchRequest
from worker.jobs.states import State
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget, queue_name
from worker.kinds.search import plan

PATIENCE_S = 60


@pytest.fixture
def whole(store: JobStore, target: SearchTarget) -> SearchTarget:
    """The database as one shard, whose worker counts as alive."""
    store.redis.set(alive_key(queue_name(target.used.name, target.used.version, 0, 1)), "test")
    return SearchTarget((replace(target.databases[0], shards=1),))


def submit(store: JobStore, target: SearchTarget, sequence: str = ">q\nMKVLAAGW") -> str:
    request = SearchRequest(sequence=sequence, database="small")
    return store.submit(plan(request, request.records(), target)).id


def answer(store: JobStore, database: Database, search: str) -> None:
    """Do what the worker does, and the front end."""
    asked, target = store.request(search)
    engine, shard = CpuEngine(1), database.shard(0, 1)
    engine.load(shard)
    store_answer(store, search, find_hits(engine, shard, asked.records(), asked.parameters), target.parts)
    merge_answered(store)


def wait(store: JobStore, search: str, seconds: float, meanwhile: Callable[[], object]) -> Ending | None:
    """What is heard of a search's end; `meanwhile` is done when it is listened for and was not there before."""
    looked, look = threading.Event(), store.outcome

    def noted(search: str) -> State | None:
        outcome = look(search)
        looked.set()
        return outcome

    async def within(listening: JobStore) -> Ending | None:
        url = f"unix://{store.redis.connection_pool.connection_kwargs['path']}"
        async with AsyncRedis.from_url(url) as own, asyncio.timeout(PATIENCE_S):
            endings = Endings(own, listening)
            async with endings.heard():
                await asyncio.to_thread(until, store.redis.pubsub_numpat)
                waiting = asyncio.create_task(endings.wait(search, seconds))
                await asyncio.to_thread(looked.wait)
                await asyncio.to_thread(meanwhile)
                return await waiting

    listening = copy(store)
    listening.outcome = noted  # type: ignore[method-assign]
    return asyncio.run(within(listening))


def test_result_comes_with_the_end(store: JobStore, whole: SearchTarget, database: Database) -> None:
    search = submit(store, whole)
    ending = wait(store, search, PATIENCE_S, lambda: answer(store, database, search))
    assert ending is not None
    assert ending.result is not None
    assert b"".join(ending.result.json()) == store.result_json(search)


def test_large_result_does_not(store: JobStore, whole: SearchTarget, database: Database) -> None:
    titles = ("".join(random.Random(seed).choices(string.ascii_letters, k=50_000)) for seed in range(3))
    search = submit(store, whole, "".join(f">q {title}\nMKVLAAGW\n" for title in titles))
    assert wait(store, search, PATIENCE_S, lambda: answer(store, database, search)) == Ending()
    assert len(store.stored(search).gzip) > 1 << 16


def test_cancel_is_an_end_without_a_result(store: JobStore, whole: SearchTarget) -> None:
    search = submit(store, whole)
    assert wait(store, search, PATIENCE_S, lambda: store.cancel(search)) == Ending()


def test_what_does_not_end_in_time_has_no_end(store: JobStore, whole: SearchTarget) -> None:
    assert wait(store, submit(store, whole), 0.05, lambda: None) is None


def test_what_has_ended_before_is_looked_up(store: JobStore, whole: SearchTarget, database: Database) -> None:
    search = submit(store, whole)
    answer(store, database, search)
    assert wait(store, search, PATIENCE_S, lambda: None) == Ending()
