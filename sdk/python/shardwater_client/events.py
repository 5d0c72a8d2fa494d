"""A search followed by its events (Server-Sent Events), as steps."""

import json
from dataclasses import dataclass, field

import attrs
import httpx

from shardwater_client.calls import GOING_ON, Calls, Pauses
from shardwater_client.errors import UnavailableError, UnreadableReplyError, error_of
from shardwater_client.generated.api.searches import stream_events
from shardwater_client.generated.models import Progress, Search
from shardwater_client.generated.types import UNSET
from shardwater_client.steps import Call, Flow, Give, Pause, Request, next_piece, open_stream

MEDIA_TYPE = "text/event-stream"
SILENCE_S = 45.0
"""Longer than three of the server's pings: then the connection is dead."""


@dataclass(slots=True)
class Event:
    """An event as it comes in."""

    name: str = "message"
    id: str = ""
    data: list[str] = field(default_factory=list)

    def take(self, line: str) -> None:
        """Read one of its lines; those of a name that nobody knows, and comments, say nothing."""
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                self.name = value
            case "id":
                self.id = value
            case "data":
                self.data.append(value)

    def search(self, before: Search | None) -> Search:
        """The search as it tells it, where `before` was told last; raises UnreadableReplyError."""
        try:
            told = json.loads("\n".join(self.data))
            if self.name != "progress":
                return Search.from_dict(told)
            if before is None:
                raise ValueError("progress of nothing")
            now = Progress.from_dict(told)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UnreadableReplyError("the server's events are not those of a search") from None
        return attrs.evolve(
            before, progress=now.progress, shards=now.shards, position=now.position, estimate_s=now.estimate_s
        )


def follow(calls: Calls, search_id: str) -> Flow[Search]:
    """A search each time that it has changed, to its end; a connection that ends before is opened again."""
    search: Search | None = None
    seen, pauses, end = "", Pauses(), calls.clock() + calls.patience_s
    while search is None or search.state in GOING_ON:
        request = Request(stream_events._get_kwargs(search_id, last_event_id=seen or UNSET), SILENCE_S)
        reply = yield from open_stream(request, lines=True)
        if isinstance(reply, httpx.Response) and reply.is_success:
            if reply.headers.get("Content-Type", MEDIA_TYPE).partition(";")[0] != MEDIA_TYPE:
                raise UnreadableReplyError("the server does not send events")
            end = calls.clock() + calls.patience_s
            while (event := (yield from _next_event())) is not None:
                search, seen, pauses = event.search(search), event.id, Pauses()
                yield Give(search)
                end = calls.clock() + calls.patience_s
                if event.name == "done":
                    return
        else:
            error = error_of(reply)
            if not isinstance(error, UnavailableError) or calls.clock() > end:
                raise error
        yield Pause(pauses.after(reply))


def _next_event() -> Call[Event | None]:
    """The next event of the open stream; None where that ends or breaks off."""
    event = Event()
    while isinstance(line := (yield from next_piece()), str):
        if line:
            event.take(line)
        elif event.data:
            return event
        else:
            event = Event()
    return None
