"""A reply that is written while it is sent, by few threads beside the event loop."""

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from threading import Event

from anyio import CapacityLimiter, to_thread


@dataclass(frozen=True, slots=True)
class Begun:
    """A reply: its headers, and what is sent, which is made as it is asked for."""

    headers: dict[str, str]
    chunks: Iterator[bytes]


async def sent(chunks: Iterator[bytes], gone: Event, writers: CapacityLimiter) -> AsyncGenerator[bytes, None]:
    """These chunks; `gone` is set once nobody waits for the rest."""
    try:
        while chunk := await to_thread.run_sync(next, chunks, b"", limiter=writers, abandon_on_cancel=True):
            yield chunk
    finally:
        gone.set()
