"""Stretches of a comparison's genomes, aligned as a job of pairs."""

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool

from app.alignment_schemas import Alignment, AlignmentResult
from app.comparison_schemas import StretchAlignment
from app.middleware.matching import COMPARISONS
from app.problems import UnsupportedMediaTypeError, documented
from app.requests.bodies import JSON
from app.requests.forms import media_type_of
from app.requests.large_bodies import small_body
from app.requests.prefer_header import KeyHeader, Preferences, PreferHeader, read_key
from app.requests.query_parameters import refuse_others
from app.requests.stretches import parameters_of, store_stretches
from app.responses import alignment_results, comparison_json
from app.responses.accepted import reply_to
from app.routers import new_router
from app.routes.alignments import REPLIES
from app.service import CurrentService, Service
from worker.jobs.states import Submission
from worker.kinds.alignment import plan

router = new_router(tags=["comparisons"])

_LARGEST = 10_000
"""Bytes of a body."""
_BODY = {
    "requestBody": {"required": True, "content": {JSON: {"schema": {"$ref": "#/components/schemas/StretchAlignment"}}}}
}


@router.post(
    f"{COMPARISONS}/{{comparison}}:align",
    status_code=202,
    response_model=Alignment,
    openapi_extra=_BODY,
    responses={
        200: {
            "model": AlignmentResult,
            "description": "The result as JSON, when `Prefer: wait=N` was sent and it came in time.",
            "content": alignment_results.CONTENT["json"],
        },
        **documented(400, 404, 409, 410, 413, 415, 422, 429, 507),
    },
)
async def align_stretches(
    request: Request,
    comparison: str,
    service: CurrentService,
    prefer: PreferHeader = None,
    idempotency_key: KeyHeader = None,
) -> Response:
    """Align a stretch of the query with one of the subject, locally and with gaps: a job of pairs of its own."""
    key, preferences = read_key(idempotency_key), Preferences.of(prefer)
    refuse_others(request, (), "stretches stand in the body: the query string has none beside it")
    if media_type_of(request) != JSON:
        raise UnsupportedMediaTypeError(f"stretches are posted as {JSON}")
    asked = StretchAlignment.model_validate_json(await small_body(request, _LARGEST))
    async with service.copying_places.turn(service.store.caller.account):
        submission = await run_in_threadpool(_submit, service, comparison, asked, key or "")
    return await reply_to(request, service, submission, preferences, REPLIES)


def _submit(service: Service, comparison: str, asked: StretchAlignment, key: str) -> Submission:
    parameters = parameters_of(asked, comparison_json.parameters_of(service.comparisons, comparison))
    with service.new_folder() as folder:
        lists = store_stretches(service, comparison, asked, folder.path)
        return service.alignments.submit(plan(parameters, lists, folder.path, ""), once=key, folder=folder)
