"""The Python client over a network that fails, through a proxy below a sub-path."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from shardwater_client import NotFoundError, UnavailableError
from tests.support.relay import Relay, relaying
from tests.support.searches import LONG, QUERY
from tests.support.server import Server
from tests.support.twins import Make


@pytest.fixture
def relay(server: Server) -> Iterator[Relay]:
    with relaying(server.url) as started:
        yield started


@pytest.fixture
def client(relay: Relay, make: Make) -> Iterator[Any]:
    with closing(make(relay.url + "/", api_key="key-of-mine")) as made:
        yield made


def test_search_survives_lost_requests_and_lost_replies(relay: Relay, client: Any) -> None:
    relay.faults = ["drop", "busy", "lose"]
    found = client.search(QUERY, database="demo", title="through faults", fresh=True)
    assert len(found.results) == 1
    keys = {headers["Idempotency-Key"] for headers in relay.seen}
    assert (len(relay.seen), len(keys)) == (4, 1)
    assert {headers["Authorization"] for headers in relay.seen} == {"Bearer key-of-mine"}
    assert all(headers["User-Agent"].startswith("shardwater-client/") for headers in relay.seen)
    # What is asked for by id goes through the sub-path too.
    assert client.result(found.id).id == found.id
    assert client.database("demo").name == "demo"


def test_events_go_on_where_the_connection_broke(relay: Relay, client: Any) -> None:
    search = client.submit(LONG, database="demo", title="followed through faults").id
    relay.faults = ["cut", "drop", "cut"]
    events = client.events(search)
    told = [next(events) for _ in range(3)]
    client.cancel(search)
    told += events
    client.delete(search)
    assert [each.state for each in told][-1] == "cancelled"
    assert [each.progress for each in told] == sorted(each.progress for each in told)
    assert [headers["Last-Event-ID"] is None for headers in relay.seen[1:4]] == [True, False, False]


def test_delete_whose_reply_is_lost_is_done(relay: Relay, client: Any) -> None:
    search = client.submit(QUERY, database="demo", title="deleted through faults").id
    relay.faults = ["lose"]
    client.delete(search)
    with pytest.raises(NotFoundError):
        client.delete(search)


def test_file_that_broke_off_is_not_left_behind(relay: Relay, client: Any, tmp_path: Path) -> None:
    search = client.search(QUERY, database="demo").id
    relay.faults = ["busy", "cut"]
    with pytest.raises(UnavailableError):
        client.save(search, tmp_path / "hits.tsv")
    assert list(tmp_path.iterdir()) == []


def test_server_that_is_not_there_is_told_after_a_while(make: Make, server: Server) -> None:
    with relaying(server.url) as relay:
        url = relay.url
    with closing(make(url, patience=1)) as client, pytest.raises(UnavailableError, match="no answer") as caught:
        client.databases()
    assert caught.value.retryable
