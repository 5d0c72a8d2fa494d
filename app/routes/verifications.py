"""Verifications: a finished search made again, or a sample of it scored by another program, and what differs."""

from typing import Annotated

from fastapi import Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.problems import InvalidParameterError, documented
from app.requests.prefer_header import Preferences, read_key
from app.responses.jobs import standing_reply
from app.responses.rate_limit_headers import quota_headers
from app.responses.search_json import root_of
from app.responses.verification_json import path_of, shown
from app.routers import new_router
from app.schemas import Verification
from app.service import CurrentService, Service
from shardwater.statistics.simulation import content_of
from worker.jobs.states import Submission
from worker.kinds.verification import MOST_SUBJECTS, SampleTooLarge, VerificationRequest, plan
from worker.telemetry.logs import search_id

router = new_router(tags=["verifications"])


@router.post(
    "/v1/searches/{search}:verify",
    status_code=202,
    response_model=Verification,
    responses={
        200: {
            "model": Verification,
            "description": "It has ended, when `Prefer: wait=N` was sent and it came in time.",
        },
        **documented(404, 409, 410, 413, 422, 429, 507),
    },
)
async def verify_search(
    request: Request,
    search: str,
    service: CurrentService,
    sample: Annotated[
        int | None,
        Query(
            ge=0,
            le=MOST_SUBJECTS,
            description="Score the hits and so many other subjects, without the engine; else all is searched again.",
        ),
    ] = None,
    prefer: Annotated[str | None, Header(description="`wait=N`: answer when it has ended, or after N s.")] = None,
    idempotency_key: Annotated[
        str | None,
        Header(
            description="A quoted string made up for this request: sent again, it is the same verification. Kept for "
            "24 h."
        ),
    ] = None,
) -> Response:
    """Compute a finished search again and compare every value with its result."""
    key, preferences = read_key(idempotency_key), Preferences.of(prefer)
    asked = VerificationRequest(search=search, sample=sample)
    submission = await run_in_threadpool(_submit, service, asked, key or "")
    search_id.set(submission.id)
    ending = None if preferences.wait is None else await service.endings.wait(submission.id, preferences.wait)
    reply = await run_in_threadpool(_reply, request, service, submission.id, 202 if ending is None else 200)
    reply.headers.update(quota_headers(submission.standings))
    reply.headers["Location"] = path_of(root_of(request), submission.id)
    if applied := preferences.applied(ended=ending is not None):
        reply.headers["Preference-Applied"] = applied
    return reply


def _submit(service: Service, asked: VerificationRequest, key: str) -> Submission:
    """Have it verified by the workers of the version that it was made on; raises what a search does without them."""
    stored = service.store.stored(asked.search)
    request, target = service.store.request(asked.search)
    # Parameters are kept for longer than results, but Redis may have lost them.
    is_simulated = request.statistics == "simulated"
    blocks = service.store.simulations.left(content_of(request.scoring)) if is_simulated else 0
    try:
        planned = plan(asked, request, target, stored, blocks)
    except SampleTooLarge as error:
        raise InvalidParameterError("sample", str(error)) from None
    return service.verifications.submit(planned, fresh=True, once=key)


@router.head("/v1/verifications/{verification}", include_in_schema=False)
@router.get("/v1/verifications/{verification}", response_model=Verification, responses=documented(404, 410, 422))
def get_verification(request: Request, verification: str, service: CurrentService) -> Response:
    """See how a verification stands, and when it has ended, what it has found."""
    return _reply(request, service, verification, 200)


@router.post(
    "/v1/verifications/{verification}:cancel",
    status_code=202,
    response_model=Verification,
    responses={
        200: {"model": Verification, "description": "It was cancelled before."},
        **documented(404, 409, 410, 422),
    },
)
def cancel_verification(request: Request, verification: str, service: CurrentService) -> Response:
    """Stop a verification."""
    first = service.verifications.cancel(verification)
    return _reply(request, service, verification, 202 if first else 200)


@router.delete("/v1/verifications/{verification}", status_code=204, responses=documented(404, 410, 422))
def delete_verification(verification: str, service: CurrentService) -> Response:
    """Remove a verification and what it has found; a running one stops."""
    service.verifications.delete(verification)
    return Response(status_code=204)


def _reply(request: Request, service: Service, verification: str, status: int) -> Response:
    return standing_reply(shown(root_of(request), service.verifications, verification), status)
