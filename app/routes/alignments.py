"""Jobs of pairs: created, followed, listed, cancelled, deleted."""

from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import Annotated

from fastapi import Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from app.alignment_schemas import Alignment, AlignmentEstimate, AlignmentPage, AlignmentResult
from app.middleware.matching import ALIGNMENTS
from app.problems import documented
from app.requests.bodies import JSON, FlatBody
from app.requests.forms import FORM_REDIRECT
from app.requests.pair_inputs import store_lists
from app.requests.prefer_header import FreshHeader, KeyHeader, Preferences, PreferHeader, read_key, runs_anew
from app.responses.accepted import Replies, reply_to
from app.responses.alignment_json import path_of, shown
from app.responses.alignment_results import CONTENT, FORMATS, Wanted, lines_as_they_come, pairs_of, whole_result
from app.responses.jobs import OneState, bare_if_asked, list_reply, readable, standing_reply
from app.responses.negotiation import best_of
from app.responses.search_json import root_of
from app.routers import new_router
from app.service import CurrentService, Service
from shardwater.formats.pairs.names import PairFormat
from worker.jobs.listing import Listing, Page, list_searches
from worker.jobs.pair_requests import MOST_ACCESSIONS, AlignmentRequest, UploadedSequences
from worker.jobs.states import ENDED, Submission
from worker.kinds.alignment import cells_of, plan

router = new_router(tags=["alignments"])

_FLAT = FlatBody(
    asked="pairs",
    more="larger lists go to /v1/uploads first",
    most_strings=2 * MOST_ACCESSIONS + 100,
    most_between=3 * MOST_ACCESSIONS + 10_000,
)
_BODY = {
    "requestBody": {"required": True, "content": {JSON: {"schema": {"$ref": "#/components/schemas/AlignmentRequest"}}}}
}


@router.post(
    ALIGNMENTS,
    status_code=202,
    response_model=Alignment,
    openapi_extra=_BODY,
    responses={
        200: {
            "model": AlignmentResult,
            "description": "The result as JSON, when `Prefer: wait=N` was sent and it came in time.",
            "content": CONTENT["json"],
        },
        **FORM_REDIRECT,
        **documented(400, 409, 413, 415, 422, 429, 507),
    },
)
async def create_alignment(
    request: Request,
    service: CurrentService,
    prefer: PreferHeader = None,
    cache_control: FreshHeader = None,
    idempotency_key: KeyHeader = None,
) -> Response:
    """Align two lists of sequences, pair by pair."""
    key, preferences = read_key(idempotency_key), Preferences.of(prefer)
    fresh = runs_anew(cache_control)
    async with service.large_bodies.body_of(request) as body:
        asked = _asked(request, body)
        async with _place(service, asked):
            submission = await run_in_threadpool(_submit, service, asked, fresh, key or "")
    return await reply_to(request, service, submission, preferences, REPLIES)


def _place(service: Service, asked: AlignmentRequest) -> AbstractAsyncContextManager[None]:
    """One of few, where an upload is read: that takes as long as to receive it. Raises OverloadError if entered."""
    uploaded = any(isinstance(source, UploadedSequences) for source in (asked.queries, asked.subjects))
    return service.copying_places.place(service.store.caller.account) if uploaded else nullcontext()


def _asked(request: Request, body: bytes) -> AlignmentRequest:
    """What a body asks for; raises pydantic's ValidationError or one of our own."""
    _FLAT.check(request, body)
    return AlignmentRequest.model_validate_json(body)


def _submit(service: Service, asked: AlignmentRequest, fresh: bool, key: str) -> Submission:
    with service.new_folder() as folder:
        parameters, lists = store_lists(service, asked, folder.path)
        job = plan(parameters, lists, folder.path, asked.title)
        return service.alignments.submit(job, fresh=fresh, once=key, folder=folder)


@router.post(
    f"{ALIGNMENTS}:estimate",
    response_model=AlignmentEstimate,
    openapi_extra=_BODY,
    responses=documented(400, 413, 415, 422, 507),
)
async def estimate_alignment(request: Request, service: CurrentService) -> Response:
    """See what a job of pairs would cost: it is checked as when it is created, and not queued."""
    async with service.large_bodies.body_of(request) as body:
        asked = _asked(request, body)
        async with _place(service, asked):
            return await run_in_threadpool(_estimate, service, asked)


def _estimate(service: Service, asked: AlignmentRequest) -> Response:
    with service.new_folder() as folder:
        parameters, lists = store_lists(service, asked, folder.path)
        job = plan(parameters, lists, folder.path, asked.title)
        estimate = service.alignments.estimate(job)
        if not estimate.reused:
            folder.check_room(job.answer_bytes)
    reply = AlignmentEstimate(
        parameters=parameters,
        pairs=len(lists),
        cells=cells_of(lists, parameters),
        quota_cost=estimate.cells,
        seconds=estimate.outlook.seconds,
        queue_seconds=estimate.outlook.queue_seconds,
        position=estimate.outlook.position,
        reused=estimate.reused,
    )
    return JSONResponse(reply.model_dump(), headers={"Cache-Control": "no-store"})


@router.get(ALIGNMENTS, response_model=AlignmentPage, responses=documented(422))
async def list_alignments(
    request: Request,
    service: CurrentService,
    state: OneState = None,
    page_size: Annotated[int, Query(ge=1, le=1000)] = 100,
    page_token: str = "",
) -> Response:
    """List jobs of pairs, newest first."""
    store, show = service.alignments, partial(shown, root_of(request), service.alignments)
    find = partial(list_searches, store, Listing(state=state), page_size, page_token)

    def page(found: Page) -> AlignmentPage:
        return AlignmentPage(items=readable(found.searches, show), next_page_token=found.next_token)

    return await list_reply(request, service, store, find, page)


@router.head(f"{ALIGNMENTS}/{{alignment}}", include_in_schema=False)
@router.get(f"{ALIGNMENTS}/{{alignment}}", response_model=Alignment, responses=documented(404, 410, 422))
def get_alignment(request: Request, alignment: str, service: CurrentService) -> Response:
    """See how a job of pairs stands."""
    return _reply(request, service, alignment, 200)


@router.head(f"{ALIGNMENTS}/{{alignment}}/results", include_in_schema=False)
@router.get(
    f"{ALIGNMENTS}/{{alignment}}/results",
    response_model=AlignmentResult,
    responses={
        200: {
            "description": "The pairs, in order. As `ndjson` they come while the job is at work; should that fail, the "
            "connection breaks.",
            "content": {media_type: schema for content in CONTENT.values() for media_type, schema in content.items()},
        },
        **documented(404, 406, 409, 410, 422, 429),
    },
)
async def get_alignment_results(
    request: Request,
    alignment: str,
    service: CurrentService,
    form: Annotated[
        PairFormat | None, Query(alias="format", description="How they are written. Default: as `Accept` says.")
    ] = None,
    columns: Annotated[
        str | None, Query(max_length=1000, description="Of tab: its columns, by comma. Default: all usual ones.")
    ] = None,
    pairs: Annotated[
        str | None,
        Query(max_length=30, description="Only these pairs, as 17 or 1-200: they count from 1, in the job's order."),
    ] = None,
    accept: Annotated[str | None, Header(include_in_schema=False)] = None,
) -> Response:
    """Get the pairs of a job; but for `ndjson`, once it has succeeded."""
    state = await run_in_threadpool(service.alignments.state, alignment)
    numbers = None if pairs is None else pairs_of(pairs)
    chosen = form or best_of(accept, FORMATS)
    # JSON that nobody has named is looked at.
    wanted = Wanted(chosen, columns, numbers, file=form is not None or chosen != "json")
    if wanted == Wanted("ndjson") and state.state not in ENDED:
        moment = await run_in_threadpool(service.events.moment, state)
        reply = await lines_as_they_come(service, moment)
    else:
        reply = await whole_result(service, alignment, wanted)
    if form is None:
        reply.headers["Vary"] = "Accept"
    return bare_if_asked(request, reply)


@router.post(
    f"{ALIGNMENTS}/{{alignment}}:cancel",
    status_code=202,
    response_model=Alignment,
    responses={200: {"model": Alignment, "description": "It was cancelled before."}, **documented(404, 409, 410, 422)},
)
def cancel_alignment(request: Request, alignment: str, service: CurrentService) -> Response:
    """Stop a job of pairs; its workers turn to other work within a fraction of a second."""
    first = service.alignments.cancel(alignment)
    return _reply(request, service, alignment, 202 if first else 200)


@router.delete(f"{ALIGNMENTS}/{{alignment}}", status_code=204, responses=documented(404, 410, 422))
def delete_alignment(alignment: str, service: CurrentService) -> Response:
    """Remove a job of pairs with its sequences and its result; a running one stops."""
    service.alignments.delete(alignment)
    service.files.remove(alignment)
    return Response(status_code=204)


def _reply(request: Request, service: Service, alignment: str, status: int, *, reused: bool = False) -> Response:
    state = service.alignments.state(alignment)
    return standing_reply(shown(root_of(request), service.alignments, state, reused=reused), status)


def _accepted(request: Request, service: Service, submission: Submission) -> Response:
    return _reply(request, service, submission.id, 202, reused=submission.reused)


REPLIES = Replies(path_of, whole_result, _accepted)
