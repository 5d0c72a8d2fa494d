"""Every error as application/problem+json (RFC 9457); the one place where HTTP status codes meet our errors."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import ValidationError
from redis.exceptions import RedisError
from starlette.exceptions import HTTPException

from app.live.stream_slots import StreamsFull, StreamsTaken
from app.middleware.matching import MSAS, matching
from app.problem_kinds import KINDS
from app.responses.held_stream import UnfinishedStream
from app.responses.nowhere import nowhere
from app.responses.rate_limit_headers import quota_headers
from app.schemas import Problem, ProblemDetail
from shardwater.errors import AlignError, DatabaseError, FastaFormatError, LimitExceeded, UnknownColumn
from shardwater.formats.parquet import ParquetMissing
from shardwater.formats.selection import InvalidRanks
from shardwater.pairs.lists import PairBounds
from shardwater.scoring.matrix_text import MatrixFormatError
from worker.jobs.folders import StorageFull
from worker.jobs.page_tokens import PageTokenError
from worker.jobs.query_parts import QueryRangeError
from worker.jobs.quotas import WINDOW_S, QuotaExceeded
from worker.jobs.sentences import sentence
from worker.jobs.states import (
    DamagedJob,
    Failure,
    QueueFull,
    SearchExpired,
    SearchFinished,
    SearchLost,
    SearchNotFound,
    SearchNotReady,
    SearchUnsuccessful,
    ShardUnavailable,
)
from worker.jobs.submission import KeyReused
from worker.telemetry.safe_traceback import outline
from worker.uploads.limits import UploadLimits, UploadNotFound

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 5

KEY_NEEDED = (
    "a key is needed: send the header `Authorization: Bearer sw_...`, set SHARDWATER_API_KEY for `shardwater search`, "
    "or sign in on the page"
)
KEY_WRONG = "the key is unknown, revoked or expired"
NO_USER = "the proxy names no user: sign in there, or send a key as the header `Authorization: Bearer sw_...`"
NO_KEY = "Authorization has no key: `Bearer sw_...` is one"
_CHALLENGE = 'Bearer realm="shardwater"'
_NAME = re.compile(r"\w{1,32}")

log = logging.getLogger(__name__)

_BY_ERROR: dict[type[Exception], str] = {
    SearchNotFound: "not-found",
    SearchExpired: "expired",
    SearchLost: "data-lost",
    SearchNotReady: "not-ready",
    SearchFinished: "already-finished",
    SearchUnsuccessful: "search-failed",
    DamagedJob: "internal-error",
    ShardUnavailable: "shard-unavailable",
    QueueFull: "queue-full",
    KeyReused: "idempotency-key-reused",
    StreamsTaken: "quota-exceeded",
    StreamsFull: "service-unavailable",
    UploadNotFound: "not-found",
    StorageFull: "storage-full",
    RedisError: "service-unavailable",
}
_OF_PAIRS = {each.name for each in fields(PairBounds)}
_OF_UPLOADS = {each.name for each in fields(UploadLimits)}
"""Limits of what is no member of a body."""
_BY_STATUS = {kind.status: kind.name for kind in reversed(KINDS.values())}


class NotAcceptableError(AlignError):
    """No format that the client takes."""


class UnsupportedMediaTypeError(AlignError):
    """A body of a type that we do not read."""


class MalformedError(AlignError):
    """A body that is not what its type says."""


class OverloadError(AlignError):
    """More at a time than the front end has room for."""


class NotCheckedError(AlignError):
    """A database whose files are still being compared with their checksums."""


class NotHereError(AlignError):
    """A database or a sequence that this server does not have."""


MOST_SHOWN = 20
"""So many of the things that are wrong are named one by one."""


class SequencesNotHereError(NotHereError):
    """Some of the sequences that are asked for, by their places in the question, counted from 0."""

    def __init__(self, detail: str, places: Sequence[int]) -> None:
        super().__init__(detail)
        self.places = places


class InvalidListError(AlignError):
    """What is wrong with one of several texts of a body, which its pointer names."""

    def __init__(self, pointer: str, fault: FastaFormatError) -> None:
        super().__init__(str(fault))
        self.pointer, self.fault = pointer, fault


SENT_TWICE = "this field was sent twice: send it once"


class InvalidParameterError(AlignError):
    """A parameter whose value will not do; a field of the body is named by its pointer, as `/database`."""

    def __init__(self, parameter: str, detail: str) -> None:
        super().__init__(detail)
        self.parameter = parameter


_BY_ERROR |= {
    NotAcceptableError: "not-acceptable",
    ParquetMissing: "not-acceptable",
    UnsupportedMediaTypeError: "unsupported-media-type",
    MalformedError: "malformed-request",
    OverloadError: "service-unavailable",
    NotCheckedError: "service-unavailable",
    NotHereError: "not-found",
}


def problem_of(failure: Failure) -> Problem:
    """A failed search's reason as it stands in its state."""
    # Another version may have had another type.
    kind = KINDS.get(failure.type) or KINDS["internal-error"]
    return Problem(
        type=f"urn:shardwater:problem:{kind.name}",
        title=kind.title,
        status=kind.status,
        detail=failure.detail,
        retryable=kind.name not in ("limit-exceeded", "invalid-parameter"),
    )


def problem_about(request: Request, error: Exception) -> Problem:
    """What a problem document would say of an error that stands in _BY_ERROR."""
    name, detail = _known(error)
    return _problem(request, name, detail)


def _problem(
    request: Request,
    name: str,
    detail: str,
    errors: Sequence[ProblemDetail] = (),
    extra: Mapping[str, Any] | None = None,
) -> Problem:
    kind = KINDS[name]
    request.scope["problem"] = name
    return Problem(
        type=f"urn:shardwater:problem:{name}",
        title=kind.title,
        status=kind.status,
        detail=detail,
        instance=request.scope["path"],
        request_id=request.scope.get("request_id"),
        retryable=kind.retryable,
        errors=list(errors) or None,
        **(extra or {}),
    )


def respond(
    request: Request,
    name: str,
    detail: str,
    errors: Sequence[ProblemDetail] = (),
    extra: Mapping[str, Any] | None = None,
) -> Response:
    """A problem document."""
    problem = _problem(request, name, detail, errors, extra)
    headers = {"Retry-After": str(RETRY_AFTER_S)} if problem.retryable else {}
    body = problem.model_dump(mode="json", exclude_none=True)
    return JSONResponse(body, problem.status, headers=headers, media_type=MEDIA_TYPE)


def unauthenticated(request: Request, detail: str = KEY_NEEDED, *, sent: bool = False) -> Response:
    """The answer to nobody; `sent` where a key came that will not do."""
    response = respond(request, "unauthenticated", detail)
    response.headers["WWW-Authenticate"] = _CHALLENGE + (', error="invalid_token"' if sent else "")
    return response


def misdirected(request: Request) -> Response:
    """The answer to who asks for another name's service."""
    return respond(
        request,
        "misdirected-request",
        "this service is not known by the name in Host; its operator sets the names in SHARDWATER_ALLOWED_HOSTS",
    )


def forbidden(request: Request, detail: str, scope: str = "") -> Response:
    """The answer to somebody who may not do this, or not without a scope."""
    response = respond(request, "forbidden", detail)
    if scope:
        response.headers["WWW-Authenticate"] = f'{_CHALLENGE}, error="insufficient_scope", scope="{scope}"'
    return response


def _misread(
    request: Request, fault: FastaFormatError | MatrixFormatError, pointer: str | None = None, record: int | None = None
) -> Response:
    name = "invalid-sequence" if isinstance(fault, FastaFormatError) else "invalid-parameter"
    place = ProblemDetail(pointer=pointer, record=record, line=fault.line, column=fault.column, detail=fault.detail)
    return respond(request, name, str(fault), [place])


def _on_fasta(request: Request, error: FastaFormatError) -> Response:
    # What is read from a file has the file's name, and is no member of a body.
    return _misread(request, error, None if error.file else "/sequence", error.record)


def _on_limit(request: Request, error: LimitExceeded) -> Response:
    of_queries = error.name in _OF_PAIRS or request.url.path.endswith((MSAS, f"{MSAS}:estimate"))
    pointer = None if error.name in _OF_UPLOADS else "/queries" if of_queries else "/sequence"
    place = ProblemDetail(pointer=pointer, record=error.record, detail=str(error))
    passed = {"limit": error.limit, "actual": error.actual}
    return respond(request, "limit-exceeded", str(error), [] if error.record is None else [place], passed)


def _on_quota(request: Request, error: QuotaExceeded) -> Response:
    response = respond(request, "quota-exceeded", str(error))
    response.headers.update({**quota_headers(error.standings), "Retry-After": str(error.refused.reset_s or WINDOW_S)})
    return response


def _on_parameter(request: Request, error: InvalidParameterError) -> Response:
    name, detail = error.parameter, str(error)
    in_body = name.startswith("/")
    place = ProblemDetail(pointer=name, detail=detail) if in_body else ProblemDetail(parameter=name, detail=detail)
    return respond(request, "invalid-parameter", f"{name.lstrip('/')}: {detail}", [place])


def _on_sequences(request: Request, error: SequencesNotHereError) -> Response:
    shown = error.places[:MOST_SHOWN]
    places = [ProblemDetail(pointer=f"/accessions/{place}", detail="no sequence of this accession") for place in shown]
    return respond(request, "not-found", str(error), places)


def _on_query(parameter: str) -> Callable[[Request, Exception], Response]:
    """For an error of the library that one query parameter is to blame for."""
    return lambda request, error: _on_parameter(request, InvalidParameterError(parameter, str(error)))


def _on_validation(request: Request, error: ValidationError | RequestValidationError) -> Response:
    """pydantic's list: of the body with a pointer, of the query string with a parameter's name."""
    errors = error.errors()
    if any(each["type"] == "json_invalid" for each in errors):
        return respond(request, "malformed-request", "the body is not JSON")
    details = [_detail(each["loc"], sentence(each), isinstance(error, RequestValidationError)) for each in errors]
    text = "; ".join(
        f"{(each.pointer or '').lstrip('/') or each.parameter or 'request'}: {each.detail}" for each in details
    )
    return respond(request, "invalid-parameter", text, details)


def _detail(place: Sequence[str | int], message: str, of_request: bool) -> ProblemDetail:
    if of_request and place and place[0] in ("query", "path", "header"):
        return ProblemDetail(parameter=str(place[-1]), detail=message)
    # FASTA that is sent as a form becomes the name of a field: no part of it goes back, or into somebody's log.
    named = all(_NAME.fullmatch(str(part)) for part in place)
    return ProblemDetail(pointer="".join(f"/{part}" for part in place) if named else "", detail=message)


def _on_http(request: Request, error: HTTPException) -> Response:
    """What the framework itself refuses, with its headers: a 405 names the methods allowed."""
    name = _BY_STATUS.get(error.status_code, "internal-error" if error.status_code >= 500 else "malformed-request")
    detail = nowhere(request.scope["path"]) if name == "not-found" else str(error.detail)
    response = respond(request, name, detail)
    response.headers.update(error.headers or {})
    if name == "method-not-allowed" and (allowed := _allowed(request)):
        response.headers["Allow"] = ", ".join(sorted(allowed))
    return response


def _allowed(request: Request) -> set[str]:
    """The methods of all our routes of a path; the framework names those of the first one."""
    found = [route for _, route in matching(request.scope)]
    # What is sent to `/v1/searches/x:cancel` is not meant for a search of the id `x:cancel`.
    closest = max((len(route.path) for route in found), default=0)
    return {method for route in found if len(route.path) == closest for method in route.methods or ()}


def _known(error: Exception) -> tuple[str, str]:
    name = next(_BY_ERROR[kind] for kind in type(error).mro() if kind in _BY_ERROR)
    return name, "the queue does not answer" if isinstance(error, RedisError) else str(error)


def problem_response(request: Request, error: Exception) -> Response:
    """A problem document for an error that stands in _BY_ERROR."""
    return respond(request, *_known(error))


def _on_full(request: Request, error: QueueFull) -> Response:
    response = respond(request, *_known(error))
    response.headers["Retry-After"] = str(error.retry_s)
    return response


def _on_damaged(request: Request, error: DamagedJob) -> Response:
    """A job whose fields cannot be read: no fault of the client's."""
    log.error("%s: %s: %s", _route(request), error, outline(error))
    return problem_response(request, error)


def _on_database(request: Request, error: DatabaseError) -> Response:
    """A database that should be there and is not sound; its message may name our folders and is for the log."""
    log.error("%s: %s", _route(request), error)
    return respond(request, "internal-error", "the database cannot be read; the server's log has the request's id")


def _route(request: Request) -> str:
    """What was asked for, without what a client wrote into the address, and the request's id."""
    place = getattr(request.scope.get("route"), "path", "no route")
    return f"{request.method} {place} (request {request.scope.get('request_id')})"


def on_any(request: Request, error: Exception) -> Response:
    """The answer to what nobody foresaw."""
    if not isinstance(error, UnfinishedStream):
        log.error("%s failed", _route(request), exc_info=error)
    return respond(request, "internal-error", "the server failed; its log has the request's id")


_HANDLERS: dict[type[Exception], Any] = {
    FastaFormatError: _on_fasta,
    InvalidListError: lambda request, error: _misread(request, error.fault, error.pointer, error.fault.record),
    MatrixFormatError: _misread,
    LimitExceeded: _on_limit,
    QuotaExceeded: _on_quota,
    InvalidParameterError: _on_parameter,
    QueryRangeError: _on_query("/query_loc"),
    SequencesNotHereError: _on_sequences,
    UnknownColumn: _on_query("columns"),
    InvalidRanks: _on_query("hits"),
    PageTokenError: _on_query("page_token"),
    DatabaseError: _on_database,
    ValidationError: _on_validation,
    RequestValidationError: _on_validation,
    HTTPException: _on_http,
    Exception: on_any,
    **dict.fromkeys(_BY_ERROR, problem_response),
    QueueFull: _on_full,
    DamagedJob: _on_damaged,
}


def answer_to(request: Request, error: Exception) -> Response:
    """The problem document for any error."""
    handler = next(_HANDLERS[kind] for kind in type(error).mro() if kind in _HANDLERS)
    return cast(Response, handler(request, error))


def install(app: FastAPI) -> None:
    """Answer every error of the app with a problem document."""
    for kind, handler in _HANDLERS.items():
        app.add_exception_handler(kind, handler)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: these problems, besides those that any route may give."""
    titles = {kind.status: kind.title for kind in reversed(KINDS.values())}
    wanted = sorted({*statuses, 500, 503})
    return {
        status: {
            "description": titles[status],
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in wanted
    }
