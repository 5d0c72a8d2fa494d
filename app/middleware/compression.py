"""Replies compressed for those who take gzip: Starlette's middleware, but for three things.

It looks for the word gzip in Accept-Encoding, whatever its weight; and zlib's lowest level is five times slower than
isal's, which compresses better besides (docs/decisions/025-what-stays-by-hand.md). It holds back what should go out at
once.
"""

import re
import zlib
from functools import cached_property, lru_cache
from typing import Any

from fastapi import Response
from isal import isal_zlib
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware, GZipResponder
from starlette.types import Message, Receive, Scope, Send

from worker.jobs.results.stored import StoredResult

WORTH_IT = 1024
BESIDE = 1 << 18
"""From so many bytes on a piece takes long enough to be given to a thread."""
AS_IT_IS = (*DEFAULT_EXCLUDED_CONTENT_TYPES, "application/octet-stream", "application/vnd.apache.parquet")
"""Media types of what is compressed in itself, and of events, which must not wait for more."""

_CODING = re.compile(r"\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?", re.IGNORECASE)


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


class Compressed(GZipMiddleware):
    """Compresses what is no short reply, for those who allow it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the reply back."""
        app = self.app
        if scope["type"] == "http" and takes_gzip(Headers(scope=scope).get("accept-encoding", "")):
            app = _Packing(app, WORTH_IT, thread_minimum_size=BESIDE, exclude_content_types=AS_IT_IS)
            send = _varying_once(send)
        await app(scope, receive, send)


def _varying_once(send: Send) -> Send:
    """A send that names each header of Vary once: a route may have named Accept-Encoding itself."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start" and "vary" in (headers := MutableHeaders(scope=message)):
            headers["Vary"] = ", ".join(dict.fromkeys(name.strip() for name in headers["vary"].split(",")))
        await send(message)

    return sending


class _Packing(GZipResponder):
    _as_it_is = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        await super().__call__(scope, receive, send)

    async def send_with_compression(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            # As long as it is sent, its text is in memory as well.
            self._scope["plain_length"] = Headers(raw=message["headers"]).get("content-length", "")
            # Of what comes little by little nothing must wait for more.
            self._as_it_is = "no-transform" in Headers(raw=message["headers"]).get("cache-control", "")
        await (self.send if self._as_it_is else super().send_with_compression)(message)

    @cached_property
    def compressor(self) -> Any:
        return isal_zlib.compressobj(1, wbits=16 + zlib.MAX_WBITS)
