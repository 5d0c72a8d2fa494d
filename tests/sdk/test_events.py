"""Server-Sent Events read line by line, over connections that end when they like."""

import json
from typing import Any

import httpx
import pytest

from shardwater_client import NotFoundError, UnavailableError, UnreadableReplyError, events
from shardwater_client.events import follow
from tests.support.driving import LOST, SEARCH, Driver, headers, reply, state

STREAM = reply(200, Content_Type="text/event-stream; charset=utf-8")
PROGRESS = {"progress": 0.75, "phase": "aligning", "shards": {"done": 1, "total": 2}, "position": 0, "estimate_s": 2.5}


def event(name: str, number: str, data: dict[str, Any]) -> list[str]:
    return [f"event: {name}", f"data: {json.dumps(data)}", f"id: {number}", ""]


def followed(*replies: Any, patience: float = 30.0) -> Driver:
    driver = Driver(list(replies))
    driver.drive(follow(driver.calls(patience), events.SEARCH, SEARCH))
    return driver


def test_events_are_the_search_as_it_was_and_is() -> None:
    driver = followed(
        STREAM, ": ping", "", *event("state", "running.1", state("running")), ": ping", "",
        *event("news", "running.2", state("running", progress=0.6)), "retry: 5", "",
        *event("progress", "running.3", PROGRESS), *event("done", "succeeded", state("succeeded", progress=1.0)),
    )  # fmt: skip
    told = [(search.state, search.progress, search.estimate_s) for search in driver.given]
    assert told == [("running", 0.5, None), ("running", 0.6, None), ("running", 0.75, 2.5), ("succeeded", 1.0, None)]
    assert driver.given[2].shards.done == 1
    assert driver.pauses == []


@pytest.mark.parametrize("end", [None, httpx.RemoteProtocolError("cut"), httpx.ReadTimeout("silent")])
def test_stream_that_ends_is_taken_up_where_it_was(end: Any) -> None:
    first = [STREAM, *event("state", "running.1", state("running")), "event: progress", end]
    driver = followed(
        *first, LOST, reply(503), STREAM, *event("progress", "running.2", PROGRESS),
        None, STREAM, *event("done", "succeeded", state("succeeded")),
    )  # fmt: skip
    assert [search.progress for search in driver.given] == [0.5, 0.75, 0.5]
    seen = [sent.get("last-event-id") for sent in headers(driver.asked)]
    assert seen == [None, "running.1", "running.1", "running.1", "running.2"]
    assert all(0 < pause < 2 for pause in driver.pauses)


def test_events_of_no_search_end_at_once() -> None:
    with pytest.raises(NotFoundError):
        followed(reply(404))


def test_patience_with_a_server_that_is_away_ends() -> None:
    driver = Driver([STREAM, *event("state", "running.1", state("running")), None, *[LOST] * 99])
    with pytest.raises(UnavailableError):
        driver.drive(follow(driver.calls(10), events.SEARCH, SEARCH))
    assert 5 < driver.time < 30


@pytest.mark.parametrize(
    "replies",
    [
        [reply(200, "text")],
        [STREAM, "data: no JSON", ""],
        [STREAM, *event("state", "1", {"state": "running"})],
        [STREAM, *event("progress", "1", PROGRESS)],
    ],
)
def test_stream_of_another_server_is_noticed(replies: list[Any]) -> None:
    with pytest.raises(UnreadableReplyError):
        followed(*replies)
