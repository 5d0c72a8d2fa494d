"""Bounds that hold before anything is parsed: the size of a body, and how it may be compressed.

Plain ASGI, so that a body past the limit is never gathered. Each request gets its id here, and each response the
headers that keep a browser from guessing.
"""

import asyncio
import re
import secrets
from dataclasses import dataclass

from fastapi import Request, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.middleware.clients import GONE, gone
from app.middleware.matching import is_upload
from app.problems import on_any, respond
from app.requests.unpacking import CODINGS
from shardwater.errors import AlignError, LimitExceeded
from worker.telemetry.logs import request_id

BODY_S = 300.0
"""How long a body may take to come: the largest one does at half a megabit per second."""
UPLOAD_S = 3600.0
"""How long an upload may take: the largest one does at five megabits per second."""
PIECE_BYTES, PIECE_S = 1 << 20, 120.0
"""So many bytes come in so long, or the rest is not waited for: places are not for those who hardly send."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""In no path of ours; what one part of a server reads past ends the line for another."""
_ONCE = (
    "host",
    "authorization",
    "x-api-key",
    "content-type",
    "content-encoding",
    "idempotency-key",
    "origin",
    "referer",
    "sec-fetch-site",
)
"""Headers of which there is one: of two, one part of a service might heed this, another one that."""
_LISTS = (b"accept", b"accept-encoding", b"cache-control", b"if-none-match", b"prefer", b"x-forwarded-for")
"""Headers that several lines may make up: they are put together, so that all who read them see the same."""
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'",
}


@dataclass(frozen=True, slots=True)
class BodyBound:
    """How large a body may be, by a limit's name, and how long it may take to come."""

    name: str
    most: int
    seconds: float = BODY_S

    def check(self, size: int) -> None:
        """Raise LimitExceeded for a body that is too large."""
        if size > self.most:
            raise LimitExceeded(self.name, self.most, size)


class Bounds:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, bodies: BodyBound, uploads: BodyBound, root_path: str) -> None:
        self._app, self._bodies, self._uploads, self._root_path = app, bodies, uploads, root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # Where a proxy shows us, whether or not it takes that part of the path off.
        scope["root_path"] = self._root_path
        if scope["path"] == self._root_path:
            scope["path"] += "/"
        _join_lists(scope)
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        scope["request_id"] = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        request_id.set(scope["request_id"])
        gone.set(scope.get("state", {}).get(GONE))
        bound = self._uploads if is_upload(scope) else self._bodies
        counted = _Counted(receive, bound, whole=not _has_body(headers))
        answered = _Answered(send, scope["request_id"], counted)
        try:
            refusal = self._refusal(Request(scope), bound)
            if refusal is not None:
                await refusal(scope, receive, answered)
                return
            await self._app(scope, counted, answered)
        except LimitExceeded as error:
            extra = {"limit": error.limit, "actual": error.actual}
            response = respond(Request(scope), "limit-exceeded", str(error), extra=extra)
            await response(scope, receive, answered)
        except ClientDisconnect:
            # Nobody is there to read it; it is counted and logged as what it was.
            detail = "the client left before its turn" if counted.whole else "the body did not come whole"
            await respond(Request(scope), "malformed-request", detail)(scope, receive, answered)
        except TooSlow as error:
            response = respond(Request(scope), "request-timeout", str(error))
            await response(scope, receive, answered)
        except Exception as error:
            # The framework would answer outside of this layer, without its headers.
            if answered.begun:
                raise
            await on_any(Request(scope), error)(scope, receive, answered)

    def _refusal(self, request: Request, bound: BodyBound) -> Response | None:
        """The answer to what is wrong by its head alone."""
        headers = request.headers
        if _CONTROL.search(request.scope["path"]):
            return respond(request, "not-found", "no path here has a control character")
        for name in _ONCE:
            if len(headers.getlist(name)) > 1:
                return respond(request, "malformed-request", f"the header {name} stands there more than once")
        if headers.get("content-encoding", CODINGS[0]).lower() not in CODINGS and _has_body(headers):
            detail = f"of compressed bodies only {' and '.join(CODINGS[1:])} are read"
            return respond(request, "unsupported-media-type", detail)
        length = headers.get("content-length", "")
        if length.isdecimal():
            bound.check(int(length))
        return None


def _join_lists(scope: Scope) -> None:
    """Make one line of several, as RFC 9110 allows."""
    given = [name for name, _ in scope["headers"] if name in _LISTS]
    if len(given) == len(set(given)):
        return
    lines = {name: b", ".join(value for other, value in scope["headers"] if other == name) for name in given}
    others = [(name, value) for name, value in scope["headers"] if name not in lines]
    scope["headers"] = [*others, *lines.items()]


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


class TooSlow(AlignError):
    """A body that does not come."""


class _Counted:
    """A receive that counts the body's bytes, and stops at the limit or when its time is over."""

    def __init__(self, receive: Receive, bound: BodyBound, *, whole: bool) -> None:
        self._receive, self._bound, self._seen = receive, bound, 0
        self.whole = whole
        now = asyncio.get_running_loop().time()
        self._until: float | None = now + bound.seconds
        self._piece_until, self._pieces = now + PIECE_S, 0

    async def __call__(self) -> Message:
        until = self._until and min(self._until, self._piece_until)
        try:
            async with asyncio.timeout_at(until):
                message = await self._receive()
        except TimeoutError:
            if until == self._until:
                raise TooSlow(f"the body took longer than {self._bound.seconds:g} s") from None
            raise TooSlow(f"less than {PIECE_BYTES >> 20} MiB of the body came in {PIECE_S:g} s") from None
        if not message.get("more_body", False):
            # What is received from now on is the client's leaving.
            self._until, self.whole = None, True
        self._seen += len(message.get("body", b""))
        self._bound.check(self._seen)
        if self._seen // PIECE_BYTES > self._pieces:
            self._piece_until, self._pieces = asyncio.get_running_loop().time() + PIECE_S, self._seen // PIECE_BYTES
        return message


class _Answered:
    """A send that adds the headers of every response."""

    def __init__(self, send: Send, request_id: str, body: _Counted) -> None:
        self._send, self._request_id, self._body = send, request_id, body
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            headers["X-Request-ID"] = self._request_id
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            if not self._body.whole:
                # The rest of the body is neither read nor dropped piece by piece, for as long as it comes.
                headers["Connection"] = "close"
        await self._send(message)
