"""Comparisons of genomes: created, listed, shown in every format, cancelled, deleted."""

from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import Annotated

from fastapi import Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from app.comparison_schemas import Comparison, ComparisonEstimate, ComparisonPage, ComparisonRecords, ComparisonResult
from app.middleware.matching import COMPARISONS
from app.problems import documented
from app.requests.bodies import JSON, FlatBody
from app.requests.forms import FORM_REDIRECT
from app.requests.genome_inputs import store_genomes
from app.requests.prefer_header import FreshHeader, KeyHeader, Preferences, PreferHeader, read_key, runs_anew
from app.responses import comparison_records, comparison_results
from app.responses.accepted import Replies, reply_to
from app.responses.comparison_json import listed, path_of, shown
from app.responses.comparison_records import records_reply
from app.responses.comparison_results import (
    CONTENT,
    FORMATS,
    ResultForm,
    Wanted,
    head_of_result,
    whole_result,
)
from app.responses.jobs import OneState, bare_if_asked, list_reply, readable, standing_reply
from app.responses.negotiation import best_of
from app.responses.search_json import root_of
from app.routers import new_router
from app.service import CurrentService, Service
from worker.jobs.comparison_requests import MOST_REGIONS, ComparisonRequest
from worker.jobs.listing import Listing, Page, list_searches
from worker.jobs.pair_requests import MOST_ACCESSIONS
from worker.jobs.states import Submission
from worker.kinds.comparison import letters_of, plan

router = new_router(tags=["comparisons"])

_FLAT = FlatBody(
    asked="comparisons",
    more="larger genomes go to /v1/uploads first",
    most_strings=2 * MOST_ACCESSIONS + 6 * MOST_REGIONS + 100,
    most_between=3 * MOST_ACCESSIONS + 60 * MOST_REGIONS + 10_000,
)
_BODY = {
    "requestBody": {"required": True, "content": {JSON: {"schema": {"$ref": "#/components/schemas/ComparisonRequest"}}}}
}


@router.post(
    COMPARISONS,
    status_code=202,
    response_model=Comparison,
    openapi_extra=_BODY,
    responses={
        200: {
            "model": ComparisonResult,
            "description": "The result as JSON, when `Prefer: wait=N` was sent and it came in time.",
            "content": comparison_results.JSON,
        },
        **FORM_REDIRECT,
        **documented(400, 409, 413, 415, 422, 429, 507),
    },
)
async def create_comparison(
    request: Request,
    service: CurrentService,
    prefer: PreferHeader = None,
    cache_control: FreshHeader = None,
    idempotency_key: KeyHeader = None,
) -> Response:
    """Find all stretches that two genomes share."""
    key, preferences = read_key(idempotency_key), Preferences.of(prefer)
    fresh = runs_anew(cache_control)
    async with service.large_bodies.body_of(request) as body:
        asked = _asked(request, body)
        async with _place(service, asked):
            submission = await run_in_threadpool(_submit, service, asked, fresh, key or "")
    return await reply_to(request, service, submission, preferences, REPLIES)


def _place(service: Service, asked: ComparisonRequest) -> AbstractAsyncContextManager[None]:
    """One of few, where more than the body is read: that may be chromosomes. Raises OverloadError if entered."""
    named = any(not isinstance(source, str) for source in (asked.query, asked.subject))
    return service.copying_places.place(service.store.caller.account) if named else nullcontext()


def _asked(request: Request, body: bytes) -> ComparisonRequest:
    """What a body asks for; raises pydantic's ValidationError or one of our own."""
    _FLAT.check(request, body)
    return ComparisonRequest.model_validate_json(body)


def _submit(service: Service, asked: ComparisonRequest, fresh: bool, key: str) -> Submission:
    with service.new_folder() as folder:
        stored = store_genomes(service, asked, folder.path)
        job = plan(asked.parameters, stored.genomes, stored.digests, asked.title)
        return service.comparisons.submit(job, fresh=fresh, once=key, folder=folder)


@router.post(
    f"{COMPARISONS}:estimate",
    response_model=ComparisonEstimate,
    openapi_extra=_BODY,
    responses=documented(400, 413, 415, 422, 507),
)
async def estimate_comparison(request: Request, service: CurrentService) -> Response:
    """See what a comparison would cost: it is checked as when it is created, and not queued."""
    async with service.large_bodies.body_of(request) as body:
        asked = _asked(request, body)
        async with _place(service, asked):
            return await run_in_threadpool(_estimate, service, asked)


def _estimate(service: Service, asked: ComparisonRequest) -> Response:
    with service.new_folder() as folder:
        stored = store_genomes(service, asked, folder.path)
        job = plan(asked.parameters, stored.genomes, stored.digests, asked.title)
        estimate = service.comparisons.estimate(job)
        if not estimate.reused:
            folder.check_room(job.answer_bytes)
    reply = ComparisonEstimate(
        parameters=asked.parameters,
        letters=letters_of(asked.parameters, stored.genomes),
        quota_cost=estimate.cells,
        seconds=estimate.outlook.seconds,
        queue_seconds=estimate.outlook.queue_seconds,
        position=estimate.outlook.position,
        reused=estimate.reused,
    )
    return JSONResponse(reply.model_dump(by_alias=True), headers={"Cache-Control": "no-store"})


@router.get(COMPARISONS, response_model=ComparisonPage, responses=documented(422))
async def list_comparisons(
    request: Request,
    service: CurrentService,
    state: OneState = None,
    page_size: Annotated[int, Query(ge=1, le=1000)] = 100,
    page_token: str = "",
) -> Response:
    """List comparisons, newest first."""
    store, show = service.comparisons, partial(listed, root_of(request), service.comparisons)
    find = partial(list_searches, store, Listing(state=state), page_size, page_token)

    def page(found: Page) -> ComparisonPage:
        return ComparisonPage(items=readable(found.searches, show), next_page_token=found.next_token)

    return await list_reply(request, service, store, find, page)


@router.head(f"{COMPARISONS}/{{comparison}}", include_in_schema=False)
@router.get(f"{COMPARISONS}/{{comparison}}", response_model=Comparison, responses=documented(404, 410, 422))
def get_comparison(request: Request, comparison: str, service: CurrentService) -> Response:
    """See how a comparison stands, and once it has succeeded what was found as a whole."""
    return _reply(request, service, comparison, 200)


@router.head(f"{COMPARISONS}/{{comparison}}/results", include_in_schema=False)
@router.get(
    f"{COMPARISONS}/{{comparison}}/results",
    response_model=ComparisonResult,
    responses={
        200: {
            "description": "HSPs by strand and place in the query; alignments with gaps in their place, where these "
            "were asked for and the format has gaps. `rows`: HSPs as they are kept, 17 bytes each.",
            "content": CONTENT,
        },
        **documented(404, 406, 409, 410, 422),
    },
)
async def get_comparison_results(
    request: Request,
    comparison: str,
    service: CurrentService,
    form: Annotated[
        ResultForm | None, Query(alias="format", description="How they are written. Default: as `Accept` says.")
    ] = None,
    columns: Annotated[
        str | None, Query(max_length=1000, description="Of tab: its columns, by comma. Default: all of them.")
    ] = None,
    spreadsheet: Annotated[
        bool, Query(description="Of tab: put `'` before names that spreadsheets take for a formula.")
    ] = False,
    accept: Annotated[str | None, Header(include_in_schema=False)] = None,
) -> Response:
    """Get all that two genomes share, once the comparison has succeeded."""
    await run_in_threadpool(service.comparisons.state, comparison)
    chosen = form or best_of(accept, FORMATS)
    # JSON that nobody has named is looked at.
    wanted = Wanted(chosen, columns, spreadsheet, file=form is not None or chosen != "json")
    reply: Response
    if request.method == "HEAD":
        reply = await run_in_threadpool(head_of_result, service, comparison, wanted)
    else:
        reply = await whole_result(service, comparison, wanted)
    if form is None:
        reply.headers["Vary"] = "Accept"
    return reply


@router.head(f"{COMPARISONS}/{{comparison}}/records", include_in_schema=False)
@router.get(
    f"{COMPARISONS}/{{comparison}}/records",
    response_model=ComparisonRecords,
    responses={
        200: {"description": "The records, in their order.", "content": comparison_records.CONTENT},
        **documented(404, 410, 422),
    },
)
async def get_comparison_records(request: Request, comparison: str, service: CurrentService) -> Response:
    """Get the names and lengths of both genomes' records, whatever the comparison's state."""
    reply = await records_reply(service, comparison)
    return bare_if_asked(request, reply)


@router.post(
    f"{COMPARISONS}/{{comparison}}:cancel",
    status_code=202,
    response_model=Comparison,
    responses={200: {"model": Comparison, "description": "It was cancelled before."}, **documented(404, 409, 410, 422)},
)
def cancel_comparison(request: Request, comparison: str, service: CurrentService) -> Response:
    """Stop a comparison; its workers turn to other work as soon as they can."""
    first = service.comparisons.cancel(comparison)
    return _reply(request, service, comparison, 202 if first else 200)


@router.delete(f"{COMPARISONS}/{{comparison}}", status_code=204, responses=documented(404, 410, 422))
def delete_comparison(comparison: str, service: CurrentService) -> Response:
    """Remove a comparison with its genomes and its result; a running one stops."""
    service.comparisons.delete(comparison)
    service.files.remove(comparison)
    return Response(status_code=204)


def _reply(request: Request, service: Service, comparison: str, status: int, *, reused: bool = False) -> Response:
    state = service.comparisons.state(comparison)
    return standing_reply(shown(root_of(request), service.comparisons, state, reused=reused), status)


def _accepted(request: Request, service: Service, submission: Submission) -> Response:
    return _reply(request, service, submission.id, 202, reused=submission.reused)


REPLIES = Replies(path_of, whole_result, _accepted)
