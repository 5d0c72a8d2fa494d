"""Searches followed over connections that stay open: what comes, who may leave and come back, and how many at once."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator

import httpx
import pytest
from jsonschema import Draft202012Validator

from app.live.job_events import PING_S
from tests.support.events import events, followed
from tests.support.problems import problem
from tests.support.searches import LONG, NOBODY, QUERY
from tests.support.server import PATIENCE_S, Server, until
from worker.jobs.redis_names import SearchKeys

LISTENERS = 200


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture
def long_search(idle: Server, http: httpx.Client) -> Iterator[str]:
    """The id of a search that does not end by itself during its test."""
    search = idle.post(LONG).json()["id"]
    yield search
    http.delete(f"/v1/searches/{search}")


def test_search_is_followed_to_its_end(server: Server, http: httpx.Client, long_search: str) -> None:
    with http.stream("GET", f"/v1/searches/{long_search}/events") as response:
        assert response.headers["Content-Type"].startswith("text/event-stream")
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["X-Accel-Buffering"] == "no"
        assert "Content-Encoding" not in response.headers
        stream = events(response)
        first = next(stream)
        found = [first]
        while len(found) < 6:
            found.append(next(stream))
        with server.http as other:
            other.post(f"/v1/searches/{long_search}:cancel")
        cancelled = time.monotonic()
        found += list(stream)
        # At once, not at the look that is due when all has long been quiet.
        assert time.monotonic() - cancelled < PING_S / 2
    assert first["event"] == "state"
    assert {event["event"] for event in found[1:-1]} <= {"state", "progress"}
    shares = [event.json["progress"] for event in found]
    assert shares == sorted(shares)
    assert shares[-1] > shares[0]
    assert len({event["id"] for event in found}) == len(found)
    assert (found[-1]["event"], found[-1].json["state"]) == ("done", "cancelled")
    assert found[-1].json == server.state(long_search)


def test_data_of_events_is_as_the_schema_says(server: Server, http: httpx.Client, long_search: str) -> None:
    schema = http.get("/openapi.json").json()
    replies = schema["paths"]["/v1/searches/{search}/events"]["get"]["responses"]
    stream_schema = replies["200"]["content"]["text/event-stream"]["schema"]
    assert (stream_schema["type"], stream_schema["contentMediaType"]) == ("string", "text/event-stream")
    described = stream_schema["contentSchema"]["items"]
    judges = {
        each["properties"]["event"]["const"]: Draft202012Validator(
            {**each["properties"]["data"]["contentSchema"], "components": schema["components"]}
        )
        for each in described["oneOf"]
    }
    seen = set()
    with followed(server, long_search) as stream:
        for event in stream:
            Draft202012Validator({**described, "components": schema["components"]}).validate(dict(event))
            judges[event["event"]].validate(event.json)
            if event["event"] == "progress" and "progress" not in seen:
                http.post(f"/v1/searches/{long_search}:cancel")
            seen.add(event["event"])
    assert seen == {"state", "progress", "done"}
    assert not judges["progress"].is_valid({"progress": 0.5})


def test_short_search_is_done_and_can_be_fetched(server: Server, http: httpx.Client) -> None:
    search = server.post(QUERY, title="followed").json()
    with followed(server, search["id"]) as stream:
        *_, last = stream
    assert (last["event"], last.json["state"], last.json["progress"]) == ("done", "succeeded", 1.0)
    assert search["links"]["events"] == f"/v1/searches/{search['id']}/events"
    assert http.get(last.json["links"]["results"]).status_code == 200


def test_finished_search_has_one_event_and_then_no_more(server: Server, http: httpx.Client) -> None:
    search = server.search(QUERY, title="finished before")["search"]
    place = f"/v1/searches/{search}/events"
    with followed(server, search) as stream:
        [only] = stream
    assert (only["event"], only.json) == ("done", server.state(search))
    # This is what keeps a browser from coming back for ever.
    again = http.get(place, headers={"Last-Event-ID": only["id"]})
    assert (again.status_code, again.content) == (204, b"")
    with followed(server, search, "running.0.0.5.0") as stream:
        assert [event["event"] for event in stream] == ["done"]


def test_client_comes_back_where_it_was(server: Server, long_search: str) -> None:
    server.until_running(long_search)
    with followed(server, long_search) as stream:
        first = next(stream)
        last = next(stream)
    assert (first["event"], last["event"]) == ("state", "progress")
    with followed(server, long_search, last["id"]) as stream:
        following = next(stream)
    assert (following["event"], following["id"] != last["id"]) == ("progress", True)
    assert following.json["progress"] >= last.json["progress"]
    with followed(server, long_search, "of another service") as stream:
        assert next(stream)["event"] == "state"


def test_queued_search_tells_when_it_begins(server: Server, http: httpx.Client, long_search: str) -> None:
    server.until_running(long_search)
    # A shorter one would overtake it.
    waiting = server.post(LONG, title="tells when it begins").json()["id"]
    with followed(server, waiting) as stream:
        first = next(stream)
        assert (first["event"], first.json["state"], first.json["position"]) == ("state", "queued", 1)
        assert first.json["estimate_s"] > 1
        http.post(f"/v1/searches/{long_search}:cancel")
        begun = next(event for event in stream if event.json.get("state") == "running")
        http.post(f"/v1/searches/{waiting}:cancel")
        *_, last = stream
    assert (begun["event"], last["event"], last.json["state"]) == ("state", "done", "cancelled")


def test_deleted_search_ends_its_events(server: Server, http: httpx.Client, long_search: str) -> None:
    with followed(server, long_search) as stream:
        next(stream)
        http.delete(f"/v1/searches/{long_search}")
        *_, last = stream
    assert (last["event"], last.json["state"]) == ("done", "cancelled")


def test_unknown_and_expired_searches_have_no_events(server: Server, http: httpx.Client) -> None:
    problem(http.get(f"/v1/searches/{NOBODY}/events"), 404, "not-found")
    search = server.search(QUERY, title="to expire")["search"]
    with server.redis as redis:
        redis.delete(*SearchKeys(search).data)
    problem(http.get(f"/v1/searches/{search}/events"), 410, "expired")


async def listen(http: httpx.AsyncClient, search: str, begun: asyncio.Semaphore) -> list[str]:
    """The events of one of many clients."""
    names = []
    async with http.stream("GET", f"/v1/searches/{search}/events") as response:
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                names.append(line.removeprefix("event: "))
                begun.release()
    return names


async def listen_all(server: Server, search: str) -> list[list[str]]:
    limits = httpx.Limits(max_connections=LISTENERS + 1)
    begun = asyncio.Semaphore(0)
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_S, limits=limits) as http:
        clients = [asyncio.create_task(listen(http, search, begun)) for _ in range(LISTENERS)]
        for _ in range(2 * LISTENERS):
            await begun.acquire()
        with server.redis as redis:
            # One connection hears for all of them, by two patterns; those who wait for a result have another, by one.
            assert sorted(each["psub"] for each in redis.client_list() if each["psub"] != "0") == ["1", "2"]
        health = await http.get("/healthz")
        assert health.status_code == 200
        await http.post(f"/v1/searches/{search}:cancel")
        return await asyncio.gather(*clients)


def test_hundreds_listen_at_once_and_leave_nothing(server: Server, long_search: str) -> None:
    server.until_running(long_search)
    found = asyncio.run(listen_all(server, long_search))
    assert len(found) == LISTENERS
    for names in found:
        assert (names[0], names[-1], names.count("done")) == ("state", "done", 1)
    with server.redis as redis:
        until(lambda: redis.pubsub_numpat() == 1)


def test_client_that_leaves_is_forgotten_at_once(server: Server, long_search: str) -> None:
    with server.redis as redis:
        until(lambda: redis.pubsub_numpat() == 1)
        with followed(server, long_search) as stream:
            next(stream)
            until(lambda: redis.pubsub_numpat() == 2)
        until(lambda: redis.pubsub_numpat() == 1)


def test_listeners_survive_their_front_end_and_do_not_keep_it(fragile: Server) -> None:
    search = fragile.post(LONG).json()["id"]
    fragile.until_running(search)
    with followed(fragile, search) as stream:
        next(stream)
        last = next(stream)
        [front_end] = fragile.pids("app")
        os.kill(front_end, signal.SIGTERM)
        # The stream ends as it should, not broken off.
        rest = list(stream)
    assert "done" not in {event["event"] for event in rest}
    with followed(fragile, search, last["id"]) as stream:
        following = next(stream)
        assert following["event"] == "progress"
        assert following.json["progress"] > last.json["progress"]
        assert fragile.pids("app") != [front_end]
    with fragile.http as http:
        http.delete(f"/v1/searches/{search}")
