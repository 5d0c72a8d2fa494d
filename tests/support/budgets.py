"""What a front end does for a request, counted in this process: Python's calls and the bytes that it holds at once."""

import asyncio
import sys
import threading
import tracemalloc
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from app.main import create_app
from worker.jobs.redis_names import alive_key
from worker.settings import Settings


@dataclass(frozen=True, slots=True)
class Sent:
    """A request: its path, and its body with the media type, where it has one."""

    path: str
    content: bytes | None = None
    media_type: str = "application/json"

    @property
    def size(self) -> int:
        """In bytes."""
        return len(self.path) + len(self.content or b"")

    async def to(self, client: httpx.AsyncClient) -> httpx.Response:
        """Send it."""
        if self.content is None:
            return await client.get(self.path)
        return await client.post(self.path, content=self.content, headers={"Content-Type": self.media_type})


@dataclass(frozen=True, slots=True)
class Cost:
    """What a request took: calls of functions, in Python and in C, and the most bytes held at once."""

    reply: httpx.Response
    calls: int
    held: int


@dataclass(slots=True)
class _Calls:
    number: int = 0

    def count(self, frame: object, event: str, argument: object) -> None:
        """A profile function."""
        if event in ("call", "c_call"):
            self.number += 1


@dataclass(frozen=True)
class FrontEnd:
    """One over a data folder and a server of the queue, whose workers seem to be there."""

    settings: Settings
    queues: Sequence[str]
    redis: Any = field(repr=False)

    def cost(self, sent: Sent) -> Cost:
        """What a request takes once one like it has been answered, so that nothing is loaded any more."""
        return asyncio.run(self._cost(sent))

    async def _cost(self, sent: Sent) -> Cost:
        calls = _Calls()
        with _profiled(calls):
            async with self.client() as client:
                await sent.to(client)
                calls.number = 0
                tracemalloc.start()
                try:
                    reply = await sent.to(client)
                    return Cost(reply, calls.number, tracemalloc.get_traced_memory()[1])
                finally:
                    tracemalloc.stop()

    @asynccontextmanager
    async def client(self) -> AsyncIterator[httpx.AsyncClient]:
        """A client of a new front end in this process."""
        for queue in self.queues:
            self.redis.set(alive_key(queue), "1")
        app = create_app(self.settings)
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=None) as client:
                yield client


def front_end_over(redis: Any, data: Path, queues: Sequence[str]) -> FrontEnd:
    """A front end with the limits that everybody has."""
    path = redis.connection_pool.connection_kwargs["path"]
    return FrontEnd(Settings(redis_url=f"unix://{path}", data=data), queues, redis)


@contextmanager
def _profiled(calls: _Calls) -> Iterator[None]:
    """Count calls in this thread, and in those that begin meanwhile."""
    threading.setprofile(calls.count)
    sys.setprofile(calls.count)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # None ends it
