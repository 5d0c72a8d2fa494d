"""Events of searches in a real queue: what is told, what is left out, and when."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from redis.asyncio import Redis as AsyncRedis

from app.live import job_events
from app.live.job_events import Events
from tests.support.damage import DAMAGES
from tests.support.turns import next_of, worker_of
from worker.jobs.progress import ShardProgress
from worker.jobs.redis_names import SearchKeys
from worker.jobs.requests import SearchRequest
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds.search import plan

PATIENCE_S = 60

Test = Callable[[Events], Coroutine[Any, Any, None]]


@asynccontextmanager
async def heard(store: JobStore) -> AsyncIterator[Events]:
    """The events of a client's queue."""
    async with AsyncRedis.from_url(f"unix://{store.redis.connection_pool.connection_kwargs['path']}") as redis:
        yield Events(redis, store, "")


def run(store: JobStore, test: Test) -> None:
    async def within() -> None:
        async with heard(store) as followed:
            await asyncio.wait_for(test(followed), PATIENCE_S)

    asyncio.run(within())


def submit(store: JobStore, target: SearchTarget, title: str = "") -> str:
    request = SearchRequest(sequence=">q\nMKVLAAGW", database="small", title=title)
    return store.submit(plan(request, request.records(), target)).id


def begin(store: JobStore, target: SearchTarget, search: str) -> None:
    """What the first shard's worker does when it is called."""
    assert next_of(worker_of(store, target)).search == search


async def event(stream: AsyncGenerator[bytes, None]) -> tuple[str, dict[str, Any], str]:
    """The next event's name, data and id."""
    lines = dict(line.split(": ", 1) for line in (await anext(stream)).decode().strip().split("\n"))
    return lines["event"], json.loads(lines["data"]), lines["id"]


def test_comment_comes_when_there_is_nothing_else(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_events, "PING_S", 0.01)
    search = submit(store, target)

    async def test(followed: Events) -> None:
        stream = followed.follow(followed.moment(store.state(search)))
        assert (await event(stream))[0] == "state"
        assert [await anext(stream) for _ in range(3)] == [b": ping\n\n"] * 3
        store.cancel(search)
        while (told := await anext(stream)) == b": ping\n\n":
            pass
        assert told.startswith(b"event: done\n")

    run(store, test)


def test_slow_client_gets_the_newest(store: JobStore, target: SearchTarget) -> None:
    search = submit(store, target)

    async def test(followed: Events) -> None:
        quick, slow = (followed.follow(followed.moment(store.state(search))) for _ in range(2))
        assert (await event(slow))[1]["state"] == (await event(quick))[1]["state"] == "queued"
        begin(store, target, search)
        assert (await event(quick))[1]["state"] == "running"
        for share in (0.25, 0.5, 0.75):
            store.report(search, 0, ShardProgress(share, "aligning"))
            name, data, _ = await event(quick)
            assert (name, data["progress"], data["phase"]) == ("progress", share / 2, "scoring")
        # Two of its three events are of the past; that it runs was among them.
        name, data, _ = await event(slow)
        assert (name, data["state"], data["progress"]) == ("state", "running", 0.375)
        await quick.aclose()
        await slow.aclose()

    run(store, test)


def test_client_that_comes_back_gets_what_is_new_to_it(store: JobStore, target: SearchTarget) -> None:
    search = submit(store, target)
    begin(store, target, search)

    async def test(followed: Events) -> None:
        async def first_after(seen: str) -> tuple[str, dict[str, Any], str]:
            stream = followed.follow(followed.moment(store.state(search)), seen)
            found = await event(stream)
            await stream.aclose()
            return found

        _, data, seen = await first_after("")
        # What is left of it is told anew each time: it goes by the time for which it has run.
        assert (await first_after("nonsense"))[1] | {"estimate_s": None} == data | {"estimate_s": None}
        store.report(search, 0, ShardProgress(0.5))
        assert (await first_after(seen))[0] == "progress"
        assert (await first_after("queued.0.0.000000000.queued.1"))[0] == "state"
        again = followed.follow(followed.moment(store.state(search)), (await first_after(seen))[2])
        waiting = asyncio.ensure_future(event(again))
        store.report(search, 0, ShardProgress(0.75))
        # Nothing was told twice.
        assert (await waiting)[1]["progress"] == 0.375
        store.cancel(search)
        assert (await event(again))[0] == "done"
        with pytest.raises(StopAsyncIteration):
            await anext(again)

    run(store, test)


def test_those_who_wait_move_up(store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_events, "QUEUED_PAUSE_S", 0.0)
    first, second, third = (submit(store, target, title) for title in "abc")

    async def test(followed: Events) -> None:
        stream = followed.follow(followed.moment(store.state(third)))
        assert (await event(stream))[1]["position"] == 2
        store.cancel(first)
        assert (await event(stream))[1]["position"] == 1
        store.cancel(second)
        name, data, _ = await event(stream)
        assert (name, data["position"]) == ("progress", 0)
        await stream.aclose()

    run(store, test)


@pytest.mark.parametrize("way", ["deleted", "expired"])
def test_search_that_goes_away_is_told_as_cancelled(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(job_events, "PING_S", 0.05)
    search = submit(store, target)

    async def test(followed: Events) -> None:
        stream = followed.follow(followed.moment(store.state(search)))
        await event(stream)
        if way == "deleted":
            store.delete(search)
        else:
            store.redis.delete(*SearchKeys(search).data)
        while (told := await anext(stream)) == b": ping\n\n":
            pass
        assert told.startswith(b"event: done\n")
        assert b'"state":"cancelled"' in told

    run(store, test)


def test_nobody_is_listened_to_once_all_have_left(store: JobStore, target: SearchTarget) -> None:
    search = submit(store, target)

    async def test(followed: Events) -> None:
        streams = [followed.follow(followed.moment(store.state(search))) for _ in range(50)]
        for stream in streams:
            await event(stream)
        while store.redis.pubsub_numpat() != 2:
            await asyncio.to_thread(store.redis.ping)
        for stream in streams:
            await stream.aclose()
        while store.redis.pubsub_numpat() != 0:
            await asyncio.to_thread(store.redis.ping)

    run(store, test)


def test_an_end_of_the_front_end_lets_all_go(store: JobStore, target: SearchTarget) -> None:
    search = submit(store, target)

    async def test(followed: Events) -> None:
        streams = [followed.follow(followed.moment(store.state(search))) for _ in range(3)]
        for stream in streams:
            await event(stream)
        waiting = [asyncio.ensure_future(anext(stream, None)) for stream in streams]
        await asyncio.to_thread(store.redis.ping)
        followed.end()
        assert await asyncio.gather(*waiting) == [None, None, None]
        assert [told async for told in followed.follow(followed.moment(store.state(search)))] == []

    run(store, test)


def test_search_whose_data_was_lost_has_failed(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_events, "PING_S", 0.01)
    search = submit(store, target)

    async def test(followed: Events) -> None:
        stream = followed.follow(followed.moment(store.state(search)))
        assert (await event(stream))[0] == "state"
        store.redis.flushall()
        while (told := await anext(stream)) == b": ping\n\n":
            pass
        data = json.loads(dict(line.split(": ", 1) for line in told.decode().strip().split("\n"))["data"])
        assert data["state"] == "failed"
        assert data["error"]["type"] == "urn:shardwater:problem:data-lost"

    run(store, test)


@pytest.mark.parametrize("damage", DAMAGES)
def test_events_of_a_search_that_is_damaged_end(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(job_events, "PING_S", 0.01)
    search = submit(store, target)

    async def test(followed: Events) -> None:
        stream = followed.follow(followed.moment(store.state(search)))
        assert (await event(stream))[0] == "state"
        DAMAGES[damage](store.redis, search)
        while (told := await anext(stream)) == b": ping\n\n":
            pass
        data = json.loads(dict(line.split(": ", 1) for line in told.decode().strip().split("\n"))["data"])
        assert told.startswith(b"event: done\n")
        assert (data["state"], data["error"]["type"]) == ("failed", "urn:shardwater:problem:internal-error")
        assert data["error"]["detail"] == f"what is kept of search {search} cannot be read"
        with pytest.raises(StopAsyncIteration):
            await anext(stream)

    run(store, test)
