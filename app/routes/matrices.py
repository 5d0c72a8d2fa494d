"""Users' own matrices: sent as text, looked at, removed."""

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from app.matrix_schemas import OwnMatrix
from app.problems import UnsupportedMediaTypeError, documented
from app.requests.forms import media_type_of
from app.requests.large_bodies import LARGE, small_body
from app.requests.uploads import BINARY
from app.responses.rate_limit_headers import quota_headers
from app.responses.search_json import root_of
from app.routers import new_router
from app.service import CurrentService, Service
from shardwater.scoring.matrix_text import read_matrix
from shardwater.sequences.alphabet import LETTERS
from worker.jobs.states import Standing, utc
from worker.uploads.matrices import KeptMatrix

router = new_router(tags=["matrices"])

MATRICES = "/v1/matrices"
MEDIA_TYPES = (BINARY, "text/plain")
_BODY = {
    "required": True,
    "content": {
        BINARY: {
            "schema": {
                "type": "string",
                "format": "binary",
                "description": "NCBI's form: letters in the first line, then a row for each, which begins with it; `#` "
                f"begins a comment line. At most {LARGE:,} bytes. Content-Type may also be {MEDIA_TYPES[1]}.",
            }
        }
    },
}


@router.post(
    MATRICES,
    status_code=201,
    response_model=OwnMatrix,
    openapi_extra={"requestBody": _BODY},
    responses={
        200: {"model": OwnMatrix, "description": "An equal one had been sent before: it is kept anew."},
        **documented(400, 413, 415, 422, 429),
    },
)
async def create_matrix(request: Request, service: CurrentService) -> Response:
    """Send a substitution matrix of your own, for searches."""
    media_type = media_type_of(request)
    if media_type and media_type not in MEDIA_TYPES:
        raise UnsupportedMediaTypeError(f"a matrix is sent as {' or '.join(MEDIA_TYPES)}, not {media_type!r}")
    body = await small_body(request)
    kept, reused, standings = await run_in_threadpool(_keep, service, body)
    headers = {"Location": f"{root_of(request)}{MATRICES}/{kept.id}", **quota_headers(standings)}
    return _reply(kept, 200 if reused else 201, headers)


def _keep(service: Service, body: bytes) -> tuple[KeptMatrix, bool, tuple[Standing, ...]]:
    """The matrix in a body, kept, and the quotas as they stand then: a new one is charged as an upload."""
    scores, charge = read_matrix(body.decode(errors="replace")), service.uploads.charge()
    new = not service.matrices.has(scores)
    if new:
        charge.take()
    try:
        kept, reused = service.matrices.keep(scores)
        new = not reused
    finally:
        if not new:
            charge.give_back()
    return kept, reused, charge.standings


@router.head(f"{MATRICES}/{{matrix}}", include_in_schema=False)
@router.get(f"{MATRICES}/{{matrix}}", response_model=OwnMatrix, responses=documented(404, 422))
def get_matrix(matrix: str, service: CurrentService) -> Response:
    """See a matrix of your own, and until when it is kept."""
    return _reply(service.matrices.get(matrix), 200)


@router.delete(f"{MATRICES}/{{matrix}}", status_code=204, responses=documented(404, 422))
def delete_matrix(matrix: str, service: CurrentService) -> Response:
    """Remove a matrix; searches with it that were asked for before go on."""
    service.matrices.delete(matrix)
    return Response(status_code=204)


def _reply(kept: KeptMatrix, status: int, headers: dict[str, str] | None = None) -> Response:
    shown = OwnMatrix(
        id=kept.id, letters=LETTERS, scores=[list(row) for row in kept.scores], expires_at=utc(kept.expires)
    )
    return JSONResponse(shown.model_dump(mode="json"), status, {"Cache-Control": "no-store", **(headers or {})})
