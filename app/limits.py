"""Bounds that hold before anything is parsed: the size of a body, and that it is not compressed.

Plain ASGI, so that a body past the limit is never gathered. Each request gets its id here, and each response the
headers that keep a browser from guessing.
"""

import asyncio
import re
import secrets

from fastapi import Request, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import KINDS, on_any, respond
from shardwater.errors import AlignError, LimitExceeded
from worker.logs import request_id

UNREAD = {
    KINDS[name].status
    for name in (
        *("unauthenticated", "forbidden", "request-timeout", "limit-exceeded", "unsupported-media-type"),
        "misdirected-request",
    )
}
"""What is answered while more of the body may come."""
BODY_S = 300.0
"""How long a body may take to come: the largest one does at half a megabit per second."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""In no path of ours; what one part of a server reads past ends the line for another."""
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


class Bounds:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, max_body_bytes: int, root_path: str, body_s: float = BODY_S) -> None:
        self._app, self._limit, self._root_path, self._body_s = app, max_body_bytes, root_path, body_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # Where a proxy shows us, whether or not it takes that part of the path off.
        scope["root_path"] = self._root_path
        if scope["path"] == self._root_path:
            scope["path"] += "/"
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        scope["request_id"] = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        request_id.set(scope["request_id"])
        answered = _Answered(send, scope["request_id"])
        try:
            refusal = self._refusal(Request(scope))
            if refusal is not None:
                await refusal(scope, receive, answered)
                return
            await self._app(scope, _Counted(receive, self._limit, self._body_s), answered)
        except LimitExceeded as error:
            extra = {"limit": error.limit, "actual": error.actual}
            response = respond(Request(scope), "limit-exceeded", str(error), extra=extra)
            await response(scope, receive, answered)
        except TooSlow:
            response = respond(Request(scope), "request-timeout", f"the body took longer than {self._body_s:g} s")
            await response(scope, receive, answered)
        except Exception as error:
            # The framework would answer outside of this layer, without its headers.
            if answered.begun:
                raise
            await on_any(Request(scope), error)(scope, receive, answered)

    def _refusal(self, request: Request) -> Response | None:
        """The answer to what is wrong by its head alone."""
        headers = request.headers
        if _CONTROL.search(request.scope["path"]):
            return respond(request, "not-found", "no path here has a control character")
        if len(headers.getlist("host")) > 1:
            response = respond(request, "malformed-request", "Host stands there more than once")
            response.headers["Connection"] = "close"
            return response
        if headers.get("content-encoding", "identity") != "identity" and _has_body(headers):
            return respond(request, "unsupported-media-type", "compressed bodies are not read")
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._limit:
            raise LimitExceeded("max_body_bytes", self._limit, int(length))
        return None


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


class TooSlow(AlignError):
    """A body that does not come."""


class _Counted:
    """A receive that counts the body's bytes, and stops at the limit or when its time is over."""

    def __init__(self, receive: Receive, limit: int, seconds: float) -> None:
        self._receive, self._limit, self._seen = receive, limit, 0
        self._until: float | None = asyncio.get_running_loop().time() + seconds

    async def __call__(self) -> Message:
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise TooSlow from None
        if not message.get("more_body", False):
            # What is received from now on is the client's leaving.
            self._until = None
        self._seen += len(message.get("body", b""))
        if self._seen > self._limit:
            raise LimitExceeded("max_body_bytes", self._limit, self._seen)
        return message


class _Answered:
    """A send that adds the headers of every response."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send, self._request_id = send, request_id
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            headers["X-Request-ID"] = self._request_id
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            if message["status"] in UNREAD:
                # The rest of the body is neither read nor dropped piece by piece.
                headers["Connection"] = "close"
        await self._send(message)
