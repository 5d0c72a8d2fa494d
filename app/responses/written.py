"""Replies that are written while they are sent, by few threads beside the event loop, of which no account has all."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Event
from typing import TypeVar

from fastapi import Response
from starlette.requests import ClientDisconnect

from app.fair_turns import FairTurns
from app.middleware.clients import gone
from app.middleware.reply_room import ReplyRoom
from app.responses.held_stream import HeldStream

WRITERS, WRITERS_EACH = 4, 3
"""Threads that write results of pairs and genomes, and those of them that one account has at a time: some of what they
do takes minutes."""
TELLERS, TELLERS_EACH = 2, 1
"""The same of those that tell how jobs of many chains stand, or what was asked for. It takes the interpreter itself,
tens of milliseconds of each: with more threads at it, nobody else would be heard."""
HELD = 1 << 20
"""Bytes that a reply holds of which no more is known."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Begun:
    """A reply: its headers, and what is sent, which is made as it is asked for, and may be empty in between.

    holds: about so many bytes are in memory between two chunks; `gone` is set once nobody waits for the rest.
    """

    headers: dict[str, str]
    chunks: Iterator[bytes]
    media_type: str | None = None
    holds: int = HELD
    gone: Event = field(default_factory=Event)


class Writers:
    """The threads of one front end. Whoever waits for what one of them does, keeps none while he sends it."""

    def __init__(self, room: ReplyRoom, threads: int = WRITERS, of_one: int = WRITERS_EACH) -> None:
        """of_one: so many of them an account has at a time. room: for what their replies hold."""
        self._room = room
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="writer")
        self._turns = FairTurns(threads, of_one)

    async def run(self, account: str, work: Callable[[], Made]) -> Made:
        """What this returns, for an account; work that has begun keeps its place to its end, though nobody waits.

        Raises ClientDisconnect where the client has left by the time that the work would begin.
        """
        await self._turns.enter(account)
        loop, doing = asyncio.get_running_loop(), self._threads.submit(copy_context().run, _unless_left, work)

        def leave(_: object) -> None:
            # There is no loop any more where the front end has stopped meanwhile.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._turns.leave, account)

        doing.add_done_callback(leave)
        return await asyncio.wrap_future(doing)

    async def reply(self, account: str, begin: Callable[[], Begun | Response]) -> Response:
        """What is begun so, written as the client takes it; or a reply that is whole already.

        Where it would hold too much beside others, its place is refused with OverloadError as it is sent.
        """
        begun = await self.run(account, begin)
        if isinstance(begun, Response):
            return begun
        place = self._room.place(account, begun.holds)
        return HeldStream(sent(begun, self, account), place, begun.media_type, begun.headers)

    def close(self) -> None:
        """Begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _unless_left(work: Callable[[], Made]) -> Made:
    left = gone.get()
    if left is not None and left.is_set():
        raise ClientDisconnect
    return work()


async def sent(begun: Begun, writers: Writers, account: str) -> AsyncGenerator[bytes, None]:
    """The chunks of a reply, for an account."""
    try:
        while (chunk := await writers.run(account, lambda: next(begun.chunks, None))) is not None:
            # An empty one says that others had their turn in a long piece of work.
            if chunk:
                yield chunk
    finally:
        begun.gone.set()
