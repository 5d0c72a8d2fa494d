"""Bodies as they come, whole; large ones are used in turn, because what is made of one takes several times its size."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from traceback import clear_frames

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from app.fair_turns import FairTurns
from app.problems import MalformedError
from app.requests.unpacking import is_packed, unpacked
from shardwater.errors import LimitExceeded
from shardwater.sequences.blocks import GZIP_MAGIC

LARGE = 1 << 16
"""From so many bytes on a body takes long enough to be read beside the event loop."""
AT_ONCE, AT_ONCE_EACH = 2, 1
"""Large bodies that are in use at a time, of all accounts and of one."""


class LargeBodies:
    """The turns of one front end, whose bodies have so many bytes at most."""

    def __init__(self, most: int) -> None:
        self._turns, self._most = FairTurns(AT_ONCE, AT_ONCE_EACH), most

    @asynccontextmanager
    async def body_of(self, request: Request) -> AsyncIterator[bytes]:
        """A request's body, unpacked. A large one waits for its turn: nothing in here may wait for other requests."""
        body, packed = await _gathered(request), is_packed(request)
        if packed and len(body) < LARGE:
            with suppress(LimitExceeded):
                body, packed = await run_in_threadpool(unpacked, body, min(LARGE - 1, self._most)), False
        if not packed and not is_large(body):
            yield body
            return
        async with self._turns.turn(request.scope["caller"].account):
            try:
                # Nothing else counts the unpacked bytes, so they are in memory during the turn only.
                yield await run_in_threadpool(unpacked, body, self._most) if packed else body
            except BaseException as error:
                # What was made of the body would stay until the collector finds the error and its frames.
                clear_frames(error.__traceback__)
                raise


def is_large(body: bytes) -> bool:
    """Whether a body, unpacked, is used in turn."""
    return len(body) >= LARGE


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
