"""Replies compressed for those who take gzip: what is worth it, and never the events of a search.

Plain ASGI: a short reply passes with a look at its headers. Large pieces are compressed beside the event loop.
"""

import re
import zlib
from functools import lru_cache
from typing import Any

from fastapi import Response
from isal import isal_zlib
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from worker.jobs.results.stored import StoredResult

WORTH_IT = 1024
GATHERED = 1 << 15
BESIDE = 1 << 18
"""From so many bytes on a piece takes long enough to be given to a thread."""

_CODING = re.compile(r"\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?", re.IGNORECASE)
_TEXT = re.compile(r"text/(?!event-stream)|application/(?:[\w.-]+\+)?(?:x-ndjson|json|xml|javascript)\b|image/svg\+xml")


@lru_cache(maxsize=64)
def takes_gzip(accept_encoding: str) -> bool:
    """Whether an Accept-Encoding header allows gzip (RFC 9110)."""
    weights: dict[str, float] = {}
    for part in accept_encoding.split(","):
        found = _CODING.fullmatch(part)
        if found:
            weights[found[1].lower()] = float(found[2] or 1)
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0))) > 0


def packed_json(stored: StoredResult, headers: dict[str, str]) -> Response:
    """A result's JSON the way it is kept, for a client that takes gzip."""
    return Response(stored.gzip, media_type="application/json", headers={**headers, "Content-Encoding": "gzip"})


class Compressed:
    """Compresses what is text and long enough, and has no coding yet."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the reply back."""
        if scope["type"] == "http" and takes_gzip(Headers(scope=scope).get("accept-encoding", "")):
            send = _Packing(send)
        await self._app(scope, receive, send)


class _Packing:
    """A send that holds a reply's start until its first piece shows whether to compress."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._packer: Any = None
        self._waiting = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_text(message):
            self._start = message
        elif self._start is not None:
            start, self._start = self._start, None
            await self._begin(start, message)
        elif self._packer is not None:
            await self._go_on(message)
        else:
            await self._send(message)

    async def _begin(self, start: Message, first: Message) -> None:
        body, more = first.get("body", b""), first.get("more_body", False)
        if not more and len(body) < WORTH_IT:
            await self._send(start)
            await self._send(first)
            return
        self._packer = isal_zlib.compressobj(1, wbits=16 + zlib.MAX_WBITS)
        headers = MutableHeaders(scope=start)
        headers["Content-Encoding"] = "gzip"
        if "accept-encoding" not in headers.get("vary", "").lower():
            headers.add_vary_header("Accept-Encoding")
        if more:
            del headers["Content-Length"]
            await self._send(start)
            await self._go_on(first)
            return
        first["body"] = await self._pack(body, last=True)
        headers["Content-Length"] = str(len(first["body"]))
        await self._send(start)
        await self._send(first)

    async def _go_on(self, message: Message) -> None:
        """Pieces are gathered first: each call of the packer has a price in bytes."""
        self._waiting += message.get("body", b"")
        more = message.get("more_body", False)
        if more and len(self._waiting) < GATHERED:
            return
        body, self._waiting = bytes(self._waiting), bytearray()
        packed = await self._pack(body, last=not more)
        await self._send({"type": "http.response.body", "body": packed, "more_body": more})

    async def _pack(self, body: bytes, *, last: bool) -> bytes:
        pack = _last if last else _piece
        return await run_in_threadpool(pack, self._packer, body) if len(body) >= BESIDE else pack(self._packer, body)


def _piece(packer: Any, body: bytes) -> bytes:
    return bytes(packer.compress(body))


def _last(packer: Any, body: bytes) -> bytes:
    return bytes(packer.compress(body) + packer.flush())


def _is_text(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    return "content-encoding" not in headers and bool(_TEXT.match(headers.get("content-type", "")))
