"""Uploads: sequences for work whose input is larger than a request, created, listed, deleted."""

from functools import partial
from typing import Annotated, Literal

from fastapi import Query, Request, Response
from fastapi.responses import JSONResponse

from app.middleware.matching import UPLOADS
from app.problems import documented
from app.requests.uploads import BINARY, MEDIA_TYPES, receive, sent_as
from app.responses.rate_limit_headers import quota_headers
from app.responses.search_json import page_headers, root_of
from app.routers import new_router
from app.service import CurrentService
from app.upload_schemas import Upload, UploadPage
from worker.jobs.page_tokens import read_token, write_token
from worker.jobs.states import utc
from worker.uploads.store import Upload as Kept

router = new_router(tags=["uploads"])

_BODY = {
    "required": True,
    "content": {
        BINARY: {
            "schema": {
                "type": "string",
                "format": "binary",
                "description": "FASTA or FASTQ as it stands in its file, plain or gzip, which its first bytes tell. "
                f"Content-Type may also be one of {', '.join(MEDIA_TYPES[1:])}.",
            }
        }
    },
}


@router.post(
    UPLOADS,
    status_code=201,
    response_model=Upload,
    openapi_extra={"requestBody": _BODY},
    responses={
        200: {"model": Upload, "description": "The same had been uploaded before: it is kept anew."},
        **documented(413, 415, 422, 429, 507),
    },
)
async def create_upload(
    request: Request,
    service: CurrentService,
    alphabet: Annotated[
        Literal["protein", "dna"] | None,
        Query(
            description="What the letters are. Where it is not said: `dna` where DNA has them all and 90 % are A, C, "
            "G, T, U or N, else `protein`."
        ),
    ] = None,
) -> Response:
    """Upload FASTA or FASTQ; it is checked as it comes."""
    sent, account = sent_as(request, alphabet), service.store.caller.account
    async with service.upload_places.place(account):
        kept, standings = await receive(request, service.uploads, sent, partial(service.upload_turns.turn, account))
    headers = {"Location": f"{root_of(request)}{UPLOADS}/{kept.upload.id}", **quota_headers(standings)}
    return _reply(kept.upload, 200 if kept.reused else 201, headers)


@router.get(UPLOADS, responses=documented(422))
def list_uploads(
    request: Request,
    response: Response,
    service: CurrentService,
    page_size: Annotated[int, Query(ge=1, le=1000)] = 100,
    page_token: str = "",
) -> UploadPage:
    """List uploads, newest first."""
    uploads = service.uploads.all()
    after = read_token(UPLOADS, page_token) if page_token else None
    rest = [upload for upload in uploads if after is None or (upload.created, upload.id) < after]
    shown, last = rest[:page_size], rest[page_size - 1 : page_size]
    token = write_token(UPLOADS, last[0].created, last[0].id) if len(rest) > page_size else ""
    response.headers.update(page_headers(request, token, len(uploads)))
    response.headers["Cache-Control"] = "no-store"
    return UploadPage(items=list(map(_shown, shown)), next_page_token=token)


@router.head(f"{UPLOADS}/{{upload}}", include_in_schema=False)
@router.get(f"{UPLOADS}/{{upload}}", response_model=Upload, responses=documented(404, 422))
def get_upload(upload: str, service: CurrentService) -> Response:
    """See what was uploaded, and until when it is kept."""
    return _reply(service.uploads.get(upload), 200)


@router.delete(f"{UPLOADS}/{{upload}}", status_code=204, responses=documented(404, 422, 507))
def delete_upload(upload: str, service: CurrentService) -> Response:
    """Remove an upload."""
    service.uploads.delete(upload)
    return Response(status_code=204)


def _reply(upload: Kept, status: int, headers: dict[str, str] | None = None) -> Response:
    body = _shown(upload).model_dump(mode="json")
    return JSONResponse(body, status, {"Cache-Control": "no-store", **(headers or {})})


def _shown(upload: Kept) -> Upload:
    return Upload(
        id=upload.id,
        kind=upload.kind,
        records=upload.records,
        letters=upload.letters,
        bytes=upload.bytes,
        sha256=upload.sha256,
        created_at=utc(upload.created),
        expires_at=utc(upload.expires),
    )
