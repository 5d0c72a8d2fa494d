"""A job followed over one connection that stays open (Server-Sent Events)."""

from typing import Annotated, Any

from fastapi import Header, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from app.middleware.matching import ALIGNMENTS, COMPARISONS, MSAS
from app.problems import documented
from app.responses.held_stream import HeldStream
from app.routers import new_router
from app.service import CurrentService, Service
from worker.jobs.states import ENDED
from worker.jobs.store import JobStore

router = new_router()

EVENTS = "text/event-stream"
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


def _stream(job: str, progress: str) -> dict[str, Any]:
    """The stream of a kind of job, by the schemas of its events' data."""
    events = [
        _event("state", job, "At first, and when the state changes."),
        _event("progress", progress, "How far it is, in between."),
        _event("done", job, "At the end; then the stream ends."),
    ]
    return {
        "description": f"Events, each with an `id`: `state` (data: {job}) at first and when the state changes, "
        f"`progress` (data: {progress}) in between, and `done` (data: {job}) at the end, after which the stream ends. "
        "A comment comes every 15 s when there is nothing else.",
        "content": {
            "text/event-stream": {
                "schema": {
                    "type": "string",
                    "contentMediaType": "text/event-stream",
                    "contentSchema": {"type": "array", "items": {"oneOf": events}},
                }
            }
        },
    }


_KNOWN = {"description": "`Last-Event-ID` is that of `done`: there is nothing more, and no reason to come back."}


@router.get(
    "/v1/searches/{search}/events",
    tags=["searches"],
    response_class=StreamingResponse,
    responses={200: _stream("Search", "Progress"), 204: _KNOWN, **documented(404, 410, 422, 429)},
)
async def stream_events(
    search: str,
    service: CurrentService,
    last_event_id: Annotated[str | None, Header(description="The last event that was received before.")] = None,
) -> Response:
    """Follow a search to its end, over one connection and without asking again."""
    return await _followed(service, service.store, search, last_event_id or "")


@router.get(
    f"{ALIGNMENTS}/{{alignment}}/events",
    tags=["alignments"],
    response_class=StreamingResponse,
    responses={200: _stream("Alignment", "AlignmentProgress"), 204: _KNOWN, **documented(404, 410, 422, 429)},
)
async def stream_alignment_events(
    alignment: str,
    service: CurrentService,
    last_event_id: Annotated[str | None, Header(description="The last event that was received before.")] = None,
) -> Response:
    """Follow a job of pairs to its end, over one connection and without asking again."""
    return await _followed(service, service.alignments, alignment, last_event_id or "")


@router.get(
    f"{COMPARISONS}/{{comparison}}/events",
    tags=["comparisons"],
    response_class=StreamingResponse,
    responses={200: _stream("Comparison", "ComparisonProgress"), 204: _KNOWN, **documented(404, 410, 422, 429)},
)
async def stream_comparison_events(
    comparison: str,
    service: CurrentService,
    last_event_id: Annotated[str | None, Header(description="The last event that was received before.")] = None,
) -> Response:
    """Follow a comparison to its end, over one connection and without asking again."""
    return await _followed(service, service.comparisons, comparison, last_event_id or "")


@router.get(
    f"{MSAS}/{{msas}}/events",
    tags=["msas"],
    response_class=StreamingResponse,
    responses={200: _stream("Msas", "MsasProgress"), 204: _KNOWN, **documented(404, 410, 422, 429)},
)
async def stream_msas_events(
    msas: str,
    service: CurrentService,
    last_event_id: Annotated[str | None, Header(description="The last event that was received before.")] = None,
) -> Response:
    """Follow MSAs to their end, over one connection and without asking again."""
    return await _followed(service, service.msas, msas, last_event_id or "")


async def _followed(service: Service, store: JobStore, job: str, seen: str) -> Response:
    state = await run_in_threadpool(store.state, job)
    if state.state in ENDED and seen == state.state:
        return Response(status_code=204, headers=_HEADERS)
    moment = await service.tellers.run(store.caller.account, lambda: service.events.moment(state))
    if state.state in ENDED:
        return Response(moment.whole, media_type=EVENTS, headers=_HEADERS)
    place = service.streams.one(store.caller.account)
    return HeldStream(service.events.follow(moment, seen), place, EVENTS, _HEADERS)
