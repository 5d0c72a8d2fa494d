"""Searches: created, followed, listed, cancelled, deleted."""

import re
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BeforeValidator, ValidationError

from app.middleware.compression import packed_json, takes_gzip
from app.middleware.matching import SEARCHES, reads_pages
from app.problems import InvalidParameterError, documented
from app.requests.bodies import JSON, RAW, read_search
from app.requests.database_versions import Versions
from app.requests.forms import ENCODINGS, FORM_REDIRECT, MAX_PREFILLED, media_type_of
from app.requests.prefer_header import FreshHeader, Preferences, read_key, runs_anew
from app.responses.file_names import file_name
from app.responses.jobs import OneState, list_reply, standing_reply
from app.responses.rate_limit_headers import quota_headers
from app.responses.result_formats import CONTENT, Output, attachment, begun, negotiate, queries_of
from app.responses.search_json import path_of, root_of, shown, shown_database, shown_warnings
from app.responses.warning_header import warning_header
from app.responses.written import Begun
from app.routers import new_router
from app.schemas import Search, SearchEstimate, SearchPage
from app.service import CurrentService, Service
from shardwater.database.database import Database
from shardwater.database.taxa import UnknownTaxa
from shardwater.errors import FastaFormatError, LimitExceeded, ScoringError
from shardwater.formats.writers import FormatName
from shardwater.scoring.scoring import MATRICES
from shardwater.search.among import parts_of
from shardwater.search.databases import together
from shardwater.search.merge import SearchResult
from shardwater.sequences.fasta import Record
from shardwater.statistics.simulation import check_scoring, content_of
from worker.jobs.estimates import Estimate
from worker.jobs.kept_searches import OwnMatrixSearch
from worker.jobs.listing import Listing, Page, list_searches
from worker.jobs.query_parts import QueryRangeError
from worker.jobs.requests import SearchRequest
from worker.jobs.results.stored import StoredResult
from worker.jobs.score_files import score_bytes, take_room
from worker.jobs.states import SearchState, ShardUnavailable, Submission
from worker.jobs.submission import NewJob
from worker.jobs.targets import SearchTarget, search_target
from worker.kinds.search import plan, shuffled_pairs
from worker.telemetry.logs import search_id
from worker.uploads.limits import UploadNotFound

router = new_router(tags=["searches"])

_T = TypeVar("_T")

_LOOKING = threading.Lock()
"""Held while random sequences are aligned, for a tenth of a second."""

_FASTA_SCHEMA = {"type": "string", "description": "FASTA; the other fields go into the query string."}
_JSON_OR_FASTA = {
    JSON: {"schema": {"$ref": "#/components/schemas/SearchRequest"}},
    **{media_type: {"schema": _FASTA_SCHEMA} for media_type in RAW},
}
_ANY_FORM = {
    **_JSON_OR_FASTA,
    **{
        media_type: {"schema": {"$ref": f"#/components/schemas/{schema}"}}
        for media_type, schema in zip(ENCODINGS, ("SearchForm", "SearchUpload"), strict=True)
    },
}


def _body(content: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": content}}


_VARY = {"Vary": "Accept, Accept-Encoding"}


def _json_result(request: Request, stored: StoredResult) -> Response:
    if takes_gzip(request.headers.get("accept-encoding", "")):
        return packed_json(stored, _VARY)
    return Response(b"".join(stored.json()), media_type="application/json", headers=_VARY)


def _result(request: Request, service: Service, search: str, form: FormatName) -> Begun | Response:
    """A search's whole result in a format."""
    stored = service.store.stored(search)
    if form == "json":
        return _json_result(request, stored)
    headers = _VARY | attachment(form, file_name(service.store.state(search).title, search))
    if form != "ndjson":
        headers |= warning_header(stored)
    return begun(form, Output(stored, None, service.readable, partial(queries_of, service.store, search)), headers)


def _bare(reply: Response) -> Response:
    """Its status and headers alone."""
    for name in ("Content-Length", "Content-Type", "Content-Encoding"):
        del reply.headers[name]
    return Response(status_code=reply.status_code, headers=reply.headers)


def _reply(request: Request, state: SearchState, status: int, *, reused: bool = False) -> Response:
    return standing_reply(shown(root_of(request), state, reused=reused), status)


@router.post(
    SEARCHES,
    status_code=202,
    response_model=Search,
    openapi_extra=_body(_ANY_FORM),
    responses={
        200: {
            "model": SearchResult,
            "description": "The result as `Accept` has it, when `Prefer: wait=N` was sent and it came in time.",
            "content": CONTENT,
        },
        303: {
            "description": "For HTML forms in a browser only. The search was accepted.",
            "headers": {"Location": {"description": "Address of the search's page.", "schema": {"type": "string"}}},
        },
        **FORM_REDIRECT,
        **documented(400, 406, 409, 413, 415, 422, 429, 507),
    },
)
async def create_search(
    request: Request,
    service: CurrentService,
    prefer: Annotated[
        str | None,
        Header(
            description="`wait=N`: answer with the result if it comes in N s. `respond-async`: at once, as without it. "
            "`return=minimal`: with headers alone."
        ),
    ] = None,
    accept: Annotated[str | None, Header(include_in_schema=False)] = None,
    cache_control: FreshHeader = None,
    idempotency_key: Annotated[
        str | None,
        Header(
            description="A quoted string made up for this request: sent again, it is the same search. Kept for 24 h."
        ),
    ] = None,
) -> Response:
    """Search a database, or several as one, with one or many protein queries."""
    key, preferences = read_key(idempotency_key), Preferences.of(prefer)
    wait = preferences.wait
    # Before anything is stored: what cannot be answered need not be searched.
    form = "json" if wait is None else negotiate(accept)
    fresh = runs_anew(cache_control)
    if prefer is None and reads_pages(request) and media_type_of(request) in ENCODINGS:
        return await _shown_page(request, service, fresh, key)
    submission = await _submitted(request, service, fresh, key)
    search_id.set(submission.id)
    ending = None if wait is None else await service.endings.wait(submission.id, wait)
    if ending is not None and ending.result is not None and form == "json":
        reply = _json_result(request, ending.result)
    elif ending is not None:
        begin = partial(_result, request, service, submission.id, form)
        reply = await service.readers.reply(service.store.caller.account, begin)
    else:
        state = await run_in_threadpool(service.store.state, submission.id)
        reply = _reply(request, state, 202, reused=submission.reused)
    reply.headers.update(quota_headers(submission.standings))
    reply.headers["Location"] = path_of(root_of(request), submission.id)
    if applied := preferences.applied(ended=ending is not None):
        reply.headers["Preference-Applied"] = applied
    return _bare(reply) if preferences.minimal else reply


async def _shown_page(request: Request, service: Service, fresh: bool, key: str | None) -> Response:
    """A browser's form leads to the search's page, or to our form, which shows what has to be corrected."""
    try:
        submission = await _submitted(request, service, fresh, key)
    except (FastaFormatError, InvalidParameterError, LimitExceeded, QueryRangeError, ValidationError):
        if int(request.headers.get("content-length", MAX_PREFILLED + 1)) > MAX_PREFILLED:
            raise
        return RedirectResponse(f"{root_of(request)}/", 307, {"Cache-Control": "no-store"})
    search_id.set(submission.id)
    address = f"{root_of(request)}/searches/{submission.id}"
    return RedirectResponse(address, 303, {"Cache-Control": "no-store", **quota_headers(submission.standings)})


async def _submitted(request: Request, service: Service, fresh: bool, key: str | None) -> Submission:
    """The search that a request's body asks for, accepted; of the body nothing stays."""
    async with service.large_bodies.body_of(request) as body:
        search = await read_search(request, body)
        return await run_in_threadpool(submit, service, search, fresh, key)


@router.post(
    "/v1/searches:estimate",
    response_model=SearchEstimate,
    # Forms will do as well; openapi-python-client cannot write an operation that has them and no optional parameter.
    openapi_extra=_body(_JSON_OR_FASTA),
    responses=documented(400, 413, 415, 422),
)
async def estimate_search(request: Request, service: CurrentService) -> Response:
    """See what a search would cost: it is checked as when it is created, and not queued."""
    async with service.large_bodies.body_of(request) as body:
        search = await read_search(request, body)
        return await run_in_threadpool(_estimate, service, search)


def _estimate(service: Service, search: SearchRequest) -> Response:
    def estimated(records: list[Record], target: SearchTarget) -> tuple[int, SearchTarget, NewJob, Estimate]:
        job = plan(search, records, target, _to_simulate(service, search))
        return len(records), target, job, service.store.estimate(job)

    search = _with_matrix(service, search)
    queries, target, job, estimate = _admitted(service, search, estimated)
    outlook = estimate.outlook
    reply = SearchEstimate(
        database=shown_database(target.used),
        databases=[shown_database(together([each])) for each in target.searched],
        queries=queries,
        residues=job.residues,
        cells=job.cells,
        quota_cost=estimate.cells,
        seconds=outlook.seconds,
        queue_seconds=outlook.queue_seconds,
        position=outlook.position,
        reused=estimate.reused,
        warnings=shown_warnings(job.warnings),
    )
    return JSONResponse(reply.model_dump(), headers={"Cache-Control": "no-store"})


def submit(service: Service, search: SearchRequest, fresh: bool, key: str | None = None) -> Submission:
    """Check a search against the limits, and have it run on the best versions of its databases that can be searched."""

    def accepted(records: list[Record], target: SearchTarget) -> Submission:
        job = plan(search, records, target, _to_simulate(service, search))
        fill = partial(take_room, target=target, queries=len(records)) if search.keeps_scores else None
        with service.new_folder(fill) if search.keeps_files else nullcontext() as folder:
            submission = service.store.submit(job, fresh=fresh, once=key or "", folder=folder)
        if not submission.reused:
            service.merge_pool.expect(len(records) * min(search.rows, target.size.subjects * search.max_hsps))
        return submission

    search = _with_matrix(service, search)
    return _admitted(service, search, accepted)


def _with_matrix(service: Service, search: SearchRequest) -> SearchRequest:
    """A search that has the scores of a matrix of the caller's own with it; raises InvalidParameterError."""
    if search.matrix in MATRICES:
        return search
    try:
        return OwnMatrixSearch.of(search, service.matrices.get(search.matrix).scores)
    except UploadNotFound as error:
        raise InvalidParameterError("/matrix", f"{error}: send it to /v1/matrices first") from None


def _to_simulate(service: Service, search: SearchRequest) -> int:
    """Blocks that have to be simulated for a search; raises InvalidParameterError where no statistics hold."""
    if search.statistics != "simulated":
        return 0
    # One request looks at a time: others are left to the worker, which refuses the same.
    if _LOOKING.acquire(blocking=False):
        try:
            check_scoring(search.scoring)
        except ScoringError as error:
            raise InvalidParameterError("/statistics", str(error)) from None
        finally:
            _LOOKING.release()
    return service.store.simulations.left(content_of(search.scoring))


def _admitted(service: Service, search: SearchRequest, act: Callable[[list[Record], SearchTarget], _T]) -> _T:
    """What is done with a search's queries, once they are within the limits, and the databases that it runs on."""
    service.settings.limits.check_text(search.sequence)
    records = search.records()
    service.settings.limits.check(records, search.rows)
    if search.iterations > 1:
        service.settings.limits.check_profiles(records)
    refused: list[ShardUnavailable] = []
    versions = [Versions(service, pointer, name) for pointer, name in pointers_of(search)]
    while all(each.now for each in versions):
        target = _target([each.now for each in versions if each.now], search)
        service.settings.pair_bounds.check_pairs(shuffled_pairs(search.parameters, len(records), target))
        if search.keeps_scores:
            service.settings.limits.check_scores(score_bytes(target, len(records)))
        try:
            return act(records, target)
        except ShardUnavailable as error:
            refused.append(error)
            versions[target.database_of(target.queues.index(error.queue))].go_on()
    raise refused[0]


def _target(databases: Sequence[Database], search: SearchRequest) -> SearchTarget:
    """Database versions, and what is searched of them; raises InvalidParameterError for taxa that they do not have."""
    try:
        parts = parts_of(databases, search.parameters)
    except UnknownTaxa as error:
        raise InvalidParameterError("/negative_taxids" if error.negative else "/taxids", str(error)) from None
    return search_target(*(database.manifest for database in databases), parts=parts)


def pointers_of(search: SearchRequest) -> list[tuple[str, str]]:
    """The databases that a search names, each with where in the request it does."""
    if search.databases is None:
        return [("/database", search.names[0])]
    return [(f"/databases/{place}", name) for place, name in enumerate(search.databases)]


def _no_number(moment: object) -> object:
    if isinstance(moment, str) and not re.match(r"\d{4}-", moment, re.ASCII):
        raise ValueError("a date is needed, as 2026-01-31T12:00:00Z")
    return moment


@router.get(SEARCHES, response_model=SearchPage, responses=documented(422))
async def list_all_searches(
    request: Request,
    service: CurrentService,
    ids: Annotated[list[str] | None, Query(alias="id", max_length=1000, description="Only these.")] = None,
    state: OneState = None,
    created_after: Annotated[
        datetime | None,
        # pydantic would take a number for seconds or milliseconds, whichever it looks like.
        BeforeValidator(_no_number),
        Query(description="Only younger ones; RFC 3339, UTC if no zone."),
    ] = None,
    page_size: Annotated[int, Query(ge=1, le=1000)] = 100,
    page_token: str = "",
) -> Response:
    """List searches, newest first, or look at many at once."""
    listing = Listing(tuple(ids) if ids is not None else None, state, _unix_time(created_after))
    find = partial(list_searches, service.store, listing, page_size, page_token)

    def page(found: Page) -> SearchPage:
        items = [shown(root_of(request), each) for each in found.searches]
        return SearchPage(items=items, next_page_token=found.next_token)

    return await list_reply(request, service, service.store, find, page)


def _unix_time(moment: datetime | None) -> float | None:
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


@router.head("/v1/searches/{search}", include_in_schema=False)
@router.get("/v1/searches/{search}", response_model=Search, responses=documented(404, 410, 422))
def get_search(request: Request, search: str, service: CurrentService) -> Response:
    """See how a search stands."""
    return _reply(request, service.store.state(search), 200)


@router.post("/v1/searches/{search}:cancel", status_code=202, response_model=Search, responses={
    200: {"model": Search, "description": "It was cancelled before."}, **documented(404, 409, 410, 422),
})  # fmt: skip
def cancel_search(request: Request, search: str, service: CurrentService) -> Response:
    """Stop a search; its workers turn to the next one within a fraction of a second."""
    first = service.store.cancel(search)
    return _reply(request, service.store.state(search), 202 if first else 200)


@router.delete("/v1/searches/{search}", status_code=204, responses=documented(404, 410, 422))
def delete_search(search: str, service: CurrentService) -> Response:
    """Remove a search with its queries, its result and its scores; a running one stops."""
    service.store.delete(search)
    service.files.remove(search)
    return Response(status_code=204)
