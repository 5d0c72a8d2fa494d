"""A search's events, as a client hears them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from tests.support.server import Server


class Event(dict[str, str]):
    """An event's fields, by the standard: `event`, `data`, `id`; a comment has none."""

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self["data"])


def events(response: httpx.Response) -> Iterator[Event]:
    """The events of a stream, comments left out."""
    event = Event()
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if name:
            event[name] = value
        elif line == "" and event:
            yield event
            event = Event()


@contextmanager
def followed(server: Server, search: str, last: str | None = None) -> Iterator[Iterator[Event]]:
    """The events of a search over a connection of its own, which is closed at the end."""
    headers = {} if last is None else {"Last-Event-ID": last}
    with server.http as http, http.stream("GET", f"/v1/searches/{search}/events", headers=headers) as response:
        assert response.status_code == 200
        yield events(response)
