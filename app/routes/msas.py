"""MSAs: created, listed, shown in every format, cancelled, deleted."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Annotated, Literal, TypeVar

from fastapi import Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from app.middleware.matching import MSAS
from app.msa_schemas import MsaColumns, MsaEstimate, Msas, MsasPage
from app.problems import InvalidListError, documented
from app.requests.bodies import JSON, FlatBody
from app.requests.forms import FORM_REDIRECT
from app.requests.large_bodies import is_large
from app.requests.msa_inputs import planned, submit_msas
from app.requests.prefer_header import FreshHeader, KeyHeader, Preferences, PreferHeader, read_key, runs_anew
from app.responses.accepted import Replies, reply_to
from app.responses.jobs import OneState, list_reply, readable, standing_reply
from app.responses.msa_columns import columns_of
from app.responses.msa_json import listed, parameters_of, path_of, shown
from app.responses.msa_results import CONTENT, FORMATS, Wanted, head_of_result, whole_result
from app.responses.negotiation import best_of
from app.responses.search_json import root_of
from app.routers import new_router
from app.service import CurrentService, Service
from shardwater.errors import FastaFormatError
from shardwater.formats.msas.writers import MsaFormatName
from worker.jobs.composed import forget, give_up
from worker.jobs.database_names import MOST_DATABASES
from worker.jobs.listing import Listing, Page, list_searches
from worker.jobs.msa_requests import MOST_CHAINS, MsaRequest
from worker.jobs.states import Submission
from worker.jobs.targets import JobsTarget

router = new_router(tags=["msas"])

_T = TypeVar("_T")

MOST_TEXTS = 2000
"""Chains and complexes of one body, about."""
Accept = Annotated[str | None, Header(include_in_schema=False)]
Of = Annotated[Literal["databases", "then"], Query(description="Which list of databases the rows are from.")]
Pairs = Annotated[
    bool, Query(description="Only rows that are paired: row by row of one organism in all chains of a complex.")
]
_FLAT = FlatBody(
    asked="MSAs",
    more="longer lists of chains go into several requests",
    most_strings=MOST_TEXTS * 2 + 2 * MOST_DATABASES + 100,
    most_between=MOST_TEXTS * 20 + MOST_CHAINS + 10_000,
)
_NOT_JOINED = ': the chains of a complex are a list, [{"chains": ["MKV...", "MSS..."]}]'
"""To who joins them as ColabFold does."""
_BODY = {"requestBody": {"required": True, "content": {JSON: {"schema": {"$ref": "#/components/schemas/MsaRequest"}}}}}


@router.post(
    MSAS,
    status_code=202,
    response_model=Msas,
    openapi_extra=_BODY,
    responses={
        200: {
            "description": "The MSAs as `Accept` has it, when `Prefer: wait=N` was sent and they came in time. "
            "Those of several chains: a tar archive with a file for each, or as JSON a line for each.",
            "content": CONTENT,
        },
        **FORM_REDIRECT,
        **documented(400, 406, 409, 413, 415, 422, 429, 507),
    },
)
async def create_msas(
    request: Request,
    service: CurrentService,
    prefer: PreferHeader = None,
    accept: Accept = None,
    cache_control: FreshHeader = None,
    idempotency_key: KeyHeader = None,
) -> Response:
    """Make MSAs of proteins, each of what is found in rounds of an exact search."""
    key, preferences, fresh = read_key(idempotency_key), Preferences.of(prefer), runs_anew(cache_control)
    # Before anything is stored: what cannot be answered need not be searched.
    wanted = Wanted() if preferences.wait is None else Wanted(best_of(accept, FORMATS))
    async with service.large_bodies.body_of(request) as body:
        submission = await _read(
            request, body, lambda asked: _beside(service, body, partial(submit_msas, service, asked, fresh, key or ""))
        )
    return await reply_to(request, service, submission, preferences, replies_of(wanted))


async def _read(request: Request, body: bytes, act: Callable[[MsaRequest], Awaitable[_T]]) -> _T:
    """What is done with what a body asks for. Raises pydantic's ValidationError or one of our own."""
    _FLAT.check(request, body)
    asked = MsaRequest.model_validate_json(body)
    try:
        return await act(asked)
    except FastaFormatError as error:
        if error.detail.startswith("':'"):
            error.detail += _NOT_JOINED
        raise InvalidListError("/queries", error) from None


@router.post(
    f"{MSAS}:estimate", response_model=MsaEstimate, openapi_extra=_BODY, responses=documented(400, 413, 415, 422)
)
async def estimate_msas(request: Request, service: CurrentService) -> Response:
    """See what MSAs would cost: they are checked as when they are created, and not queued."""
    async with service.large_bodies.body_of(request) as body:
        return await _read(request, body, lambda asked: _beside(service, body, partial(_estimate, service, asked)))


async def _beside(service: Service, body: bytes, act: Callable[[], _T]) -> _T:
    """What this returns, beside the event loop. Many chains take the interpreter long, so that accounts take turns.

    A large body has its turn already, and must not wait for others in it.
    """
    if is_large(body):
        return await run_in_threadpool(act)
    return await service.tellers.run(service.msas.caller.account, act)


def _estimate(service: Service, asked: MsaRequest) -> Response:
    jobs = planned(service, asked)
    estimate = service.chains.estimate(*jobs)
    reply = MsaEstimate(
        parameters=parameters_of(asked),
        chains=len(jobs),
        residues=sum(job.residues for job in jobs),
        cells=sum(job.cells for job in jobs),
        quota_cost=estimate.cells,
        seconds=estimate.outlook.seconds,
        queue_seconds=estimate.outlook.queue_seconds,
        position=estimate.outlook.position,
        reused=estimate.reused,
    )
    return JSONResponse(reply.model_dump(), headers={"Cache-Control": "no-store"})


@router.get(MSAS, response_model=MsasPage, responses=documented(422))
async def list_msas(
    request: Request,
    service: CurrentService,
    state: OneState = None,
    page_size: Annotated[int, Query(ge=1, le=1000)] = 100,
    page_token: str = "",
) -> Response:
    """List MSAs, newest first."""
    store, show = service.msas, partial(listed, root_of(request))
    find = partial(list_searches, store, Listing(state=state), page_size, page_token)

    def page(found: Page) -> MsasPage:
        return MsasPage(items=readable(found.searches, show), next_page_token=found.next_token)

    return await list_reply(request, service, store, find, page)


@router.head(f"{MSAS}/{{msas}}", include_in_schema=False)
@router.get(f"{MSAS}/{{msas}}", response_model=Msas, responses=documented(404, 410, 422))
async def get_msas(request: Request, msas: str, service: CurrentService) -> Response:
    """See how MSAs stand, and once they are there what was found for each chain."""
    return await service.tellers.run(service.msas.caller.account, partial(_reply, request, service, msas, 200))


@router.head(f"{MSAS}/{{msas}}/results", include_in_schema=False)
@router.get(
    f"{MSAS}/{{msas}}/results",
    response_class=Response,
    responses={
        200: {
            "description": "One chain's MSA. Those of several: a tar archive with a file for each, or as JSON a line "
            "for each.",
            "content": CONTENT,
        },
        **documented(404, 406, 409, 410, 422),
    },
)
async def get_msa_results(
    request: Request,
    msas: str,
    service: CurrentService,
    form: Annotated[
        MsaFormatName | None, Query(alias="format", description="How they are written. Default: as `Accept` says.")
    ] = None,
    chain: Annotated[int | None, Query(ge=1, description="Only that of this chain, from 1.")] = None,
    of: Of = "databases",
    pairs: Pairs = False,
    accept: Accept = None,
) -> Response:
    """Get MSAs, once the job has succeeded."""
    await run_in_threadpool(service.msas.state, msas)
    wanted = Wanted(form or best_of(accept, FORMATS), chain, 1 if of == "then" else 0, pairs)
    reply: Response
    if request.method == "HEAD":
        reply = await run_in_threadpool(head_of_result, service, msas, wanted)
    else:
        reply = await whole_result(service, msas, wanted)
    if form is None:
        reply.headers["Vary"] = "Accept"
    return reply


@router.head(f"{MSAS}/{{msas}}/columns", include_in_schema=False)
@router.get(f"{MSAS}/{{msas}}/columns", responses=documented(404, 409, 410, 422))
async def get_msa_columns(
    response: Response,
    msas: str,
    service: CurrentService,
    chain: Annotated[int, Query(ge=1, description="Of this chain, from 1.")] = 1,
    of: Of = "databases",
    pairs: Pairs = False,
) -> MsaColumns:
    """Count what each column of an MSA has: letters, those of the query, and how varied they are."""
    response.headers["Cache-Control"] = "private, no-cache"
    return await columns_of(service, msas, Wanted(chain=chain, stage=1 if of == "then" else 0, pairs=pairs))


@router.post(
    f"{MSAS}/{{msas}}:cancel",
    status_code=202,
    response_model=Msas,
    responses={200: {"model": Msas, "description": "It was cancelled before."}, **documented(404, 409, 410, 422)},
)
def cancel_msas(request: Request, msas: str, service: CurrentService) -> Response:
    """Stop MSAs; chains that nobody else has asked for are not searched any further."""
    first = service.msas.cancel(msas)
    give_up(service.chains, _chains(service, msas), msas)
    return _reply(request, service, msas, 202 if first else 200)


@router.delete(f"{MSAS}/{{msas}}", status_code=204, responses=documented(404, 410, 422))
def delete_msas(msas: str, service: CurrentService) -> Response:
    """Remove MSAs; those that are being made are given up."""
    for job in forget(service.chains, _chains(service, msas), msas, service.chains.delete):
        service.files.remove(job)
    # Last: who is cut off may ask again.
    service.msas.delete(msas)
    return Response(status_code=204)


def _chains(service: Service, msas: str) -> Sequence[str]:
    """The jobs that MSAs are made of; raises SearchNotFound and SearchExpired."""
    target = service.msas.target(msas)
    return target.jobs if isinstance(target, JobsTarget) else ()


def _reply(request: Request, service: Service, msas: str, status: int, *, reused: bool = False) -> Response:
    state = service.msas.state(msas)
    return standing_reply(shown(root_of(request), service.msas, state, reused=reused), status)


def _accepted(request: Request, service: Service, submission: Submission) -> Response:
    return _reply(request, service, submission.id, 202, reused=submission.reused)


def replies_of(wanted: Wanted) -> Replies:
    """What is answered to who waits for MSAs in a format that `Accept` names."""

    async def whole(service: Service, job: str) -> Response:
        reply = await whole_result(service, job, wanted)
        reply.headers["Vary"] = "Accept"
        return reply

    return Replies(path_of, whole, _accepted)
