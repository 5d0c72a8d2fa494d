"""Searches: created, followed, listed, cancelled, deleted."""

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from app.bodies import FORMS, JSON, RAW, read_search
from app.errors import InvalidParameterError, NotHereError, documented, problem_of
from app.schemas import DatabaseName, Links, Search, SearchPage, Shards
from app.service import CurrentService, Service
from app.waiting import preferred_wait
from shardwater.results import SearchResult
from worker.listing import Listing, list_searches
from worker.requests import MOST_TARGET_SEQS, SearchRequest
from worker.states import ENDED, SearchState, ShardUnavailable, State, Submission, search_target

router = APIRouter(tags=["searches"])

RETRY_AFTER_S = 1

_FASTA_SCHEMA = {"type": "string", "description": "FASTA; the other fields go into the query string."}
_FORM_SCHEMA = {"$ref": "#/components/schemas/SearchRequest"}
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            JSON: {"schema": {"$ref": "#/components/schemas/SearchRequest"}},
            **{media_type: {"schema": _FASTA_SCHEMA} for media_type in RAW},
            **{media_type: {"schema": _FORM_SCHEMA} for media_type in FORMS},
        },
    }
}


def _root(request: Request) -> str:
    """The sub-path under which a proxy shows the service."""
    return str(request.scope.get("root_path", ""))


def _path(request: Request, search: str) -> str:
    return f"{_root(request)}/v1/searches/{search}"


def shown(request: Request, state: SearchState, *, reused: bool = False) -> Search:
    """A search as it goes out."""
    path = _path(request, state.id)
    return Search(
        id=state.id,
        state=state.state,
        title=state.title,
        database=DatabaseName(
            name=state.database.name, version=state.database.version, checksum=state.database.checksum
        ),
        created_at=state.created_at,
        finished_at=state.finished_at,
        expires_at=state.expires_at,
        progress=state.progress,
        shards=Shards(done=state.shards.done, total=state.shards.total),
        error=problem_of(state.error) if state.error else None,
        position=state.position,
        estimate_s=state.estimate_s,
        reused=reused,
        links=Links(self=path, results=f"{path}/results", cancel=f"{path}:cancel"),
    )


def _reply(request: Request, state: SearchState, status: int, *, reused: bool = False) -> Response:
    headers = {"Cache-Control": "no-store"}
    if state.state not in ENDED:
        headers["Retry-After"] = str(RETRY_AFTER_S)
    return JSONResponse(shown(request, state, reused=reused).model_dump(mode="json"), status, headers)


@router.post(
    "/v1/searches",
    status_code=202,
    response_model=Search,
    openapi_extra=_BODY,
    responses={
        200: {"model": SearchResult, "description": "The result, when `Prefer: wait=N` was sent and it came in time."},
        **documented(400, 409, 413, 415, 422),
    },
)
async def create_search(
    request: Request,
    service: CurrentService,
    prefer: Annotated[str | None, Header(description="`wait=N`: answer with the result if it comes in N s.")] = None,
    cache_control: Annotated[str | None, Header(description="`no-cache`: run anew what was run before.")] = None,
) -> Response:
    """Search a database with one or many protein queries."""
    search = await read_search(request)
    fresh = "no-cache" in (cache_control or "").lower()
    submission = await run_in_threadpool(submit, service, search, fresh)
    wait = preferred_wait(prefer)
    headers = {"Location": _path(request, submission.id)}
    if wait is not None:
        headers["Preference-Applied"] = f"wait={wait}"
        if await service.endings.wait(submission.id, wait):
            body = await run_in_threadpool(service.client.result_json, submission.id)
            return Response(body, media_type="application/json", headers=headers)
    state = await run_in_threadpool(service.client.state, submission.id)
    reply = _reply(request, state, 202, reused=submission.reused)
    reply.headers.update(headers)
    return reply


def submit(service: Service, search: SearchRequest, fresh: bool) -> Submission:
    """Check a search against the limits, and have it run on the best version of its database that can be searched."""
    records = search.records()
    service.settings.limits.check(records, min(search.max_target_seqs, MOST_TARGET_SEQS))
    refused: list[ShardUnavailable] = []
    try:
        for database in service.versions(search.database):
            try:
                return service.client.submit(search, records, search_target(database.manifest), fresh=fresh)
            except ShardUnavailable as error:
                refused.append(error)
    except NotHereError as error:
        raise InvalidParameterError("/database", str(error)) from None
    raise refused[0]


@router.get("/v1/searches", responses=documented(422))
def list_all_searches(
    response: Response,
    request: Request,
    service: CurrentService,
    ids: Annotated[list[str] | None, Query(alias="id", max_length=1000, description="Only these.")] = None,
    state: Annotated[State | None, Query(description="Only those in this state.")] = None,
    created_after: Annotated[datetime | None, Query(description="Only younger ones; RFC 3339, UTC if no zone.")] = None,
    page_size: Annotated[int, Query(ge=1, le=1000)] = 100,
    page_token: str = "",
) -> SearchPage:
    """List searches, newest first, or look at many at once."""
    listing = Listing(tuple(ids) if ids is not None else None, state, _unix_time(created_after))
    page = list_searches(service.client, listing, page_size, page_token)
    if page.next_token:
        following = request.url.include_query_params(page_token=page.next_token)
        response.headers["Link"] = f'<{_root(request)}/v1/searches?{following.query}>; rel="next"'
    response.headers["Cache-Control"] = "no-store"
    return SearchPage(items=[shown(request, found) for found in page.searches], next_page_token=page.next_token)


def _unix_time(moment: datetime | None) -> float | None:
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


@router.get("/v1/searches/{search}", response_model=Search, responses=documented(404, 410, 422))
def get_search(request: Request, search: str, service: CurrentService) -> Response:
    """See how a search stands."""
    return _reply(request, service.client.state(search), 200)


@router.post("/v1/searches/{search}:cancel", status_code=202, response_model=Search, responses={
    200: {"model": Search, "description": "It was cancelled before."}, **documented(404, 409, 410, 422),
})  # fmt: skip
def cancel_search(request: Request, search: str, service: CurrentService) -> Response:
    """Stop a search; its workers turn to the next one within a fraction of a second."""
    first = service.client.cancel(search)
    return _reply(request, service.client.state(search), 202 if first else 200)


@router.delete("/v1/searches/{search}", status_code=204, responses=documented(404, 410, 422))
def delete_search(search: str, service: CurrentService) -> Response:
    """Remove a search with its queries and its result; a running one stops."""
    service.client.delete(search)
    return Response(status_code=204)
