"""Uploads on their way in: a block at a time, written and checked beside the event loop, so that none is ever held."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from app.problems import UnsupportedMediaTypeError
from app.requests.forms import media_type_of
from app.requests.unpacking import is_packed
from shardwater.sequences.alphabets import ALPHABETS
from worker.jobs.states import Standing
from worker.uploads.incoming import Incoming, Sent
from worker.uploads.store import Kept, Uploads

BINARY = "application/octet-stream"
MEDIA_TYPES = (BINARY, "application/gzip", "application/x-gzip", "text/x-fasta", "text/x-fastq", "text/plain")
"""What a body may be said to be; its first bytes tell what it is."""
BLOCK = 1 << 20
"""Bytes that are gathered before a thread takes them."""
AT_ONCE, AT_ONCE_EACH = 4, 2
"""Pieces of work on uploads at a time, of all accounts and of one: each keeps a disk and a processor busy."""
OPEN, OPEN_EACH = 16, 2
"""Uploads that are open at a time, of all accounts and of one: each has a file, and a block in memory."""
SEATS_EACH = 16
"""Requests of one account that copy sequences or wait for that."""


def sent_as(request: Request, alphabet: str | None) -> Sent:
    """How a request sends an upload; raises UnsupportedMediaTypeError."""
    media_type = media_type_of(request)
    if media_type and media_type not in MEDIA_TYPES:
        raise UnsupportedMediaTypeError(
            f"an upload is FASTA or FASTQ as it stands in its file, plain or gzip, sent as one of "
            f"{', '.join(MEDIA_TYPES)}, not {media_type!r}"
        )
    return Sent(ALPHABETS[alphabet] if alphabet else None, is_packed(request))


Turn = Callable[[], AbstractAsyncContextManager[None]]
"""Gives a turn for one piece of work. An upload whose client sends slowly has none meanwhile."""


async def receive(request: Request, uploads: Uploads, sent: Sent, turn: Turn) -> tuple[Kept, tuple[Standing, ...]]:
    """The upload in a request's body, kept, and the quotas as they stand then: only a new one is charged."""
    charge = uploads.charge()
    await run_in_threadpool(charge.take)
    try:
        kept = await _received(request, uploads, sent, turn)
    except Exception:
        await run_in_threadpool(charge.give_back)
        raise
    if kept.reused:
        await run_in_threadpool(charge.give_back)
    return kept, charge.standings


async def _received(request: Request, uploads: Uploads, sent: Sent, turn: Turn) -> Kept:
    incoming = await run_in_threadpool(uploads.begin, sent)
    try:
        async for block in _blocks(request):
            async with turn():
                await run_in_threadpool(incoming.take, block)
        async with turn():
            return await run_in_threadpool(_finish, uploads, incoming)
    finally:
        await run_in_threadpool(incoming.discard)


def _finish(uploads: Uploads, incoming: Incoming) -> Kept:
    return uploads.keep_new(incoming.finish())


async def _blocks(request: Request) -> AsyncIterator[bytes]:
    pieces, size = list[bytes](), 0
    async for piece in request.stream():
        pieces.append(piece)
        size += len(piece)
        if size >= BLOCK:
            yield b"".join(pieces)
            pieces, size = [], 0
    yield b"".join(pieces)
