"""Replies that are written while they are sent, by few threads beside the event loop, of which no account has all."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from threading import Event
from typing import TypeVar
from weakref import WeakValueDictionary

WRITERS, WRITERS_EACH = 4, 3
"""Threads that write results of pairs and genomes, and those of them that one account has at a time: some of what they
do takes minutes."""
TELLERS, TELLERS_EACH = 2, 1
"""The same of those that tell how jobs of many chains stand, or what was asked for. It takes the interpreter itself,
tens of milliseconds of each: with more threads at it, nobody else would be heard."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Begun:
    """A reply: its headers, and what is sent, which is made as it is asked for."""

    headers: dict[str, str]
    chunks: Iterator[bytes]


class Writers:
    """The threads of one front end. Whoever waits for what one of them does, keeps none while he sends it."""

    def __init__(self, threads: int = WRITERS, of_one: int = WRITERS_EACH) -> None:
        """of_one: so many of them an account has at a time."""
        self._threads, self._of_one = ThreadPoolExecutor(threads, thread_name_prefix="writer"), of_one
        # Whoever has none and waits for none is forgotten.
        self._places = WeakValueDictionary[str, asyncio.Semaphore]()

    async def run(self, account: str, work: Callable[[], Made]) -> Made:
        """What this returns, for an account; work that has begun keeps its place to its end, though nobody waits."""
        places = self._places.setdefault(account, asyncio.Semaphore(self._of_one))
        await places.acquire()
        loop, doing = asyncio.get_running_loop(), self._threads.submit(copy_context().run, work)

        def leave(_: object) -> None:
            # There is no loop any more where the front end has stopped meanwhile.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(places.release)

        doing.add_done_callback(leave)
        return await asyncio.wrap_future(doing)

    def close(self) -> None:
        """Begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


async def sent(chunks: Iterator[bytes], gone: Event, writers: Writers, account: str) -> AsyncGenerator[bytes, None]:
    """These chunks, for an account; `gone` is set once nobody waits for the rest."""
    try:
        while chunk := await writers.run(account, lambda: next(chunks, b"")):
            yield chunk
    finally:
        gone.set()
