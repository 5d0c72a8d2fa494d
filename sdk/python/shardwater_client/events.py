"""A job followed by its events (Server-Sent Events), as steps."""

import json
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Generic, TypeVar

import attrs
import httpx

from shardwater_client.calls import GOING_ON, Calls, Pauses
from shardwater_client.errors import UnavailableError, UnreadableReplyError, error_of
from shardwater_client.generated.api.alignments import stream_alignment_events
from shardwater_client.generated.api.comparisons import stream_comparison_events
from shardwater_client.generated.api.msas import stream_msas_events
from shardwater_client.generated.api.searches import stream_events
from shardwater_client.generated.models import (
    Alignment,
    AlignmentProgress,
    Comparison,
    ComparisonProgress,
    Msas,
    MsasProgress,
    Progress,
    Search,
)
from shardwater_client.generated.types import UNSET
from shardwater_client.steps import Call, Flow, Give, Pause, Request, next_piece, open_stream

MEDIA_TYPE = "text/event-stream"
SILENCE_S = 45.0
"""Longer than three of the server's pings: then the connection is dead."""


Job = TypeVar("Job", Search, Alignment, Comparison, Msas)


@dataclass(frozen=True, slots=True)
class JobKind(Generic[Job]):
    """A kind of job: the operation that streams its events, itself, and what is told between two states of it."""

    operation: ModuleType
    job: type[Job]
    progress: Any

    def read(self, event: "Event", before: Job | None) -> Job:
        """The job as an event tells it, where `before` was told last; raises UnreadableReplyError."""
        try:
            told = json.loads("\n".join(event.data))
            if event.name != "progress":
                return self.job.from_dict(told)
            if before is None:
                raise ValueError("progress of nothing")
            now = self.progress.from_dict(told)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UnreadableReplyError("the server's events are not those of a job") from None
        names = (each.name for each in attrs.fields(self.progress) if each.name != "additional_properties")
        return attrs.evolve(before, **{name: getattr(now, name) for name in names})


SEARCH = JobKind(stream_events, Search, Progress)
ALIGNMENT = JobKind(stream_alignment_events, Alignment, AlignmentProgress)
COMPARISON = JobKind(stream_comparison_events, Comparison, ComparisonProgress)
MSAS = JobKind(stream_msas_events, Msas, MsasProgress)


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


def follow(calls: Calls, kind: JobKind[Job], job_id: str) -> Flow[Job]:
    """A job each time that it has changed, to its end; a connection that ends before is opened again."""
    job: Job | None = None
    seen, pauses, end = "", Pauses(), calls.clock() + calls.patience_s
    while job is None or job.state in GOING_ON:
        request = Request(kind.operation._get_kwargs(job_id, last_event_id=seen or UNSET), SILENCE_S)
        reply = yield from open_stream(request, lines=True)
        if isinstance(reply, httpx.Response) and reply.is_success:
            if reply.headers.get("Content-Type", MEDIA_TYPE).partition(";")[0] != MEDIA_TYPE:
                raise UnreadableReplyError("the server does not send events")
            while (event := (yield from _next_event())) is not None:
                job, seen, pauses = kind.read(event, job), event.id, Pauses()
                yield Give(job)
                if event.name == "done":
                    return
            end = calls.clock() + calls.patience_s
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
