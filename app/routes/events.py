"""A search followed over one connection that stays open (Server-Sent Events)."""

from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from app.live.job_events import Moment
from app.problems import documented
from app.service import CurrentService
from worker.jobs.states import ENDED

router = APIRouter(tags=["searches"])

_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def _event(name: str, data: str, meaning: str) -> dict[str, Any]:
    """An event of the stream to the interface's description: its name, the schema of its data, what it tells."""
    content = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"$ref": f"#/components/schemas/{data}"},
    }
    identity = {"type": "string", "description": "For `Last-Event-ID`."}
    return {
        "type": "object",
        "description": meaning,
        "properties": {"event": {"const": name}, "id": identity, "data": content},
        "required": ["event", "id", "data"],
    }


_EVENTS = (
    _event("state", "Search", "At first, and when the state changes."),
    _event("progress", "Progress", "How far it is, in between."),
    _event("done", "Search", "At the end; then the stream ends."),
)
_STREAM = {
    "description": "Events, each with an `id`: `state` (data: Search) at first and when the state changes, `progress` "
    "(data: Progress) in between, and `done` (data: Search) at the end, after which the stream ends. A comment comes "
    "every 15 s when there is nothing else.",
    "content": {
        "text/event-stream": {
            "schema": {
                "type": "string",
                "contentMediaType": "text/event-stream",
                "contentSchema": {"type": "array", "items": {"oneOf": list(_EVENTS)}},
            }
        }
    },
}
_KNOWN = {"description": "`Last-Event-ID` is that of `done`: there is nothing more, and no reason to come back."}


class _Stream(StreamingResponse):
    """Frees what it follows as soon as the client has left, whatever it was doing then.

    FastAPI's EventSourceResponse would encode every event for every client, and set a Cache-Control of its own.
    """

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[bytes, None], place: AbstractContextManager[None]) -> None:
        super().__init__(events, headers=_HEADERS)
        self._events, self._place = events, place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._place:
                await super().__call__(scope, receive, send)
        finally:
            await self._events.aclose()


@router.get(
    "/v1/searches/{search}/events",
    response_class=StreamingResponse,
    responses={200: _STREAM, 204: _KNOWN, **documented(404, 410, 422, 429)},
)
async def stream_events(
    search: str,
    service: CurrentService,
    last_event_id: Annotated[str | None, Header(description="The last event that was received before.")] = None,
) -> Response:
    """Follow a search to its end, over one connection and without asking again."""
    state = await run_in_threadpool(service.store.state, search)
    seen = last_event_id or ""
    if state.state not in ENDED:
        place = service.streams.one(service.store.caller.account)
        return _Stream(service.events.follow(state, seen), place)
    if seen == state.state:
        return Response(status_code=204, headers=_HEADERS)
    only = Moment.of(state, service.settings.root_path).whole
    return Response(only, media_type=_Stream.media_type, headers=_HEADERS)
