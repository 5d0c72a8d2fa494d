"""Bodies as they come, whole; large ones are used in turn, because what is made of one takes several times its size."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from traceback import clear_frames

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from app.problems import MalformedError
from app.requests.unpacking import is_packed, unpacked
from shardwater.errors import LimitExceeded
from shardwater.sequences.blocks import GZIP_MAGIC

LARGE = 1 << 16
"""From so many bytes on a body takes long enough to be read beside the event loop."""
AT_ONCE = 1
"""So many large ones are in use at a time."""


class LargeBodies:
    """The turns of one front end, whose bodies have so many bytes at most."""

    def __init__(self, most: int) -> None:
        self._turns, self._most = asyncio.Semaphore(AT_ONCE), most

    @asynccontextmanager
    async def body_of(self, request: Request) -> AsyncIterator[bytes]:
        """A request's body, once it has come and, if it is large, its turn has: nothing in here may wait for others."""
        body = await _gathered(request)
        if not takes_turn(request, body):
            yield body
            return
        async with self._turns:
            try:
                # What it unpacks to counts nowhere else: it is there in its turn alone.
                yield await run_in_threadpool(unpacked, body, self._most) if is_packed(request) else body
            except BaseException as error:
                # What was made of the body would stay until the collector finds the error and its frames.
                clear_frames(error.__traceback__)
                raise


def takes_turn(request: Request, body: bytes) -> bool:
    """Whether a request is one of those that have turns, by its body, packed or not."""
    return len(body) >= LARGE or is_packed(request)


async def small_body(request: Request, most: int = LARGE) -> bytes:
    """The body of a request that has no reason to be large; raises LimitExceeded."""
    body = await _gathered(request, most)
    return unpacked(body, most) if is_packed(request) else body


async def _gathered(request: Request, most: int | None = None) -> bytes:
    """The body; the framework would keep it until the request is answered. Raises MalformedError of gzip not said."""
    pieces, size = [], 0
    async for piece in request.stream():
        pieces.append(piece)
        size += len(piece)
        if most is not None and size > most:
            raise LimitExceeded("max_body_bytes", most, size)
    body = b"".join(pieces)
    if body.startswith(GZIP_MAGIC) and not is_packed(request):
        raise MalformedError("the body is gzip: send it with Content-Encoding: gzip, or unpack it first")
    return body
