"""Bounds of what one front end holds at a time; past them a request is refused at once, to be sent again later.

Plain ASGI. Without them a thousand large bodies that come slowly would fill the memory, and clients that never leave
would take all the files that a process may open.
"""

import resource
from collections import Counter

from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.middleware.matching import is_upload
from app.middleware.reply_room import SMALL, ReplyRoom
from app.problems import OverloadError, problem_response

MOST_REQUESTS = 4096
"""At a time, those that wait for a result or follow a search included."""
FILES = 256
"""What a process needs besides a file for each request: for connections without one, too, and for those to Redis."""
SPARE = 64
"""Connections besides those with a request."""
BODIES, BODIES_EACH = 8, 6
"""So many of the largest bodies may be on their way or in use at a time, of all accounts and of one. Of each its first
SMALL bytes do not count: usual searches find room while a few large ones wait for their results.
"""
PIECE = 1 << 16
"""Bytes of a reply that are sent at a time: the next ones go when the client has taken most of these."""
ALWAYS = ("/healthz",)


def open_all_files() -> None:
    """Let this process open as many files as the system allows: the usual 1,024 are fewer than its connections."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_requests() -> int:
    """How many requests the process has files for."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MOST_REQUESTS
    return min(MOST_REQUESTS, max(files - FILES, files // 2))


def most_connections() -> int:
    """How many connections the process keeps: more than requests, so that of too many there is always an idle one."""
    return most_requests() + SPARE


class Overload:
    """Counts requests, the bytes of their bodies until they are answered, and of large replies until they are sent."""

    def __init__(self, app: ASGIApp, max_body_bytes: int, most: int, replies: ReplyRoom) -> None:
        self._app, self._most_requests, self.replies = app, most, replies
        self._most_bytes, self._most_bytes_each = BODIES * max_body_bytes, BODIES_EACH * max_body_bytes
        self._requests, self._bytes = 0, Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"].removeprefix(scope.get("root_path", "")) in ALWAYS:
            # It counts not, so it must not keep a connection at work with others behind it.
            await self._app(scope, receive, _Last(send))
            return
        length = Headers(scope=scope).get("content-length", "")
        # What goes to a file as it comes is not held (app/requests/uploads.py).
        streamed = is_upload(scope)
        refusal = self._refusal(int(length) - SMALL if length.isdecimal() and not streamed else 0)
        if refusal is not None:
            response = problem_response(Request(scope), refusal)
            response.headers["Connection"] = "close"
            await response(scope, receive, send)
            return
        one = _Held(self, scope, receive, send)
        self._requests += 1
        try:
            await self._app(scope, receive if streamed else one.receive, one.send)
        finally:
            self._requests -= 1
            one.give_back()

    def take(self, account: str, size: int) -> None:
        """Count bytes that have come from an account. Raises OverloadError."""
        if size > 0:
            if self._bytes[account] + size > self._most_bytes_each:
                raise OverloadError("you have too many large requests open: wait for some to end")
            if (refusal := self._refusal(size, begun=True)) is not None:
                raise refusal
            self._bytes[account] += size

    def give_back(self, account: str, size: int) -> None:
        """Forget bytes of an account's body."""
        self._bytes[account] -= size
        if not self._bytes[account]:
            del self._bytes[account]

    def _refusal(self, size: int, *, begun: bool = False) -> OverloadError | None:
        if not begun and self._requests >= self._most_requests:
            return OverloadError("the service has too many requests open: send this one again later")
        if size > 0 and self._bytes.total() + size > self._most_bytes:
            return OverloadError("the service has too many large requests open: send this one again later")
        return None


class OneAccountsRequests:
    """Limits an account to half of the requests that a front end can have open.

    It sits behind the gate, which finds out whose request it is.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, max(1, most // 2)
        self._requests = Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        account = scope["caller"].account
        if self._requests[account] >= self._most:
            refusal = OverloadError("you have too many requests open: wait for some to end")
            await problem_response(Request(scope), refusal)(scope, receive, send)
            return
        self._requests[account] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._requests[account] -= 1
            if not self._requests[account]:
                del self._requests[account]


class _Last:
    """A send whose reply is its connection's last."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)["Connection"] = "close"
        await self._send(message)


class _Held:
    """One request: counts its body, and lets its connection go where the rest of that is not wanted. Counts its reply,
    too, where that is large, and sends it as the client takes it: otherwise all of it would wait in the connection.
    """

    def __init__(self, overload: Overload, scope: Scope, receive: Receive, send: Send) -> None:
        self._overload, self._scope, self._receive, self._send = overload, scope, receive, send
        self._held, self._seen, self._refused = 0, 0, False
        self._reply, self._dropped = 0, False

    @property
    def _account(self) -> str:
        """The account of the request; empty before authentication."""
        caller = self._scope.get("caller")
        return caller.account if caller else ""

    async def receive(self) -> Message:
        """The next piece of the body."""
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        more = max(0, self._seen - SMALL) - self._held
        try:
            self._overload.take(self._account, more)
        except OverloadError:
            self._refused = True
            raise
        self._held += more
        return message

    async def send(self, message: Message) -> None:
        """A piece of the reply."""
        if self._dropped:
            return
        if message["type"] == "http.response.start":
            if self._refused:
                MutableHeaders(scope=message)["Connection"] = "close"
            try:
                self._take_reply(message)
            except OverloadError as refusal:
                self._dropped = True
                await problem_response(Request(self._scope), refusal)(self._scope, self._receive, self._send)
                return
        elif len(body := message.get("body", b"")) > PIECE:
            for first in range(0, len(body) - PIECE, PIECE):
                await self._send({**message, "body": body[first : first + PIECE], "more_body": True})
            message = {**message, "body": body[(len(body) - 1) // PIECE * PIECE :]}
        await self._send(message)

    def _take_reply(self, start: Message) -> None:
        # What is made while it is sent has no length, and a place of its own (app/responses/written.py).
        length = self._scope.get("plain_length") or Headers(raw=start["headers"]).get("content-length", "")
        size = int(length) if length.isdecimal() and self._scope["method"] != "HEAD" else 0
        self._overload.replies.take(self._account, size)
        self._reply = size

    def give_back(self) -> None:
        """Forget the request's body and its reply."""
        self._overload.give_back(self._account, self._held)
        self._overload.replies.give_back(self._account, self._reply)
