"""Waiting for a job to end, without asking over and over: Redis tells."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from redis.asyncio import Redis as AsyncRedis
from redis.exceptions import RedisError

from worker.jobs.redis_names import SearchKeys
from worker.jobs.results.stored import StoredResult
from worker.jobs.store import JobStore

RETRY_S, STOPS_S = 0.5, 0.1

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ending:
    """That a job has ended, with its result where that was told along."""

    result: StoredResult | None = None


class Endings:
    """Hears the ends of all jobs over one connection: one of its own for each wait would cost milliseconds."""

    def __init__(self, redis: AsyncRedis, store: JobStore) -> None:
        self._redis, self._store = redis, store
        self._waiting: dict[bytes, set[asyncio.Future[Ending | None]]] = {}
        self._over = False

    @asynccontextmanager
    async def heard(self) -> AsyncIterator[None]:
        """Listen as long as the context lasts."""
        task = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            # Python 3.11 forgets a cancellation that comes just as a command is sent.
            while not task.done():
                task.cancel()
                await asyncio.wait((task,), timeout=STOPS_S)

    async def wait(self, search: str, seconds: float) -> Ending | None:
        """The end of a job; None where it does not come within so many seconds."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + seconds
        channel = SearchKeys(search).done.encode()
        while True:
            told = self._expect(channel)
            try:
                # An end before now must be looked up, one after it will be heard.
                if await self._has_ended(search):
                    return Ending()
                if self._over:
                    return None
                if ending := await asyncio.wait_for(told, max(0, deadline - clock())):
                    return ending
            except TimeoutError:
                return Ending() if await self._has_ended(search) else None
            finally:
                self._forget(channel, told)

    def end(self) -> None:
        """Let nobody wait any longer: the front end stops."""
        self._over = True
        self._tell(list(self._waiting), None)

    def _expect(self, channel: bytes) -> "asyncio.Future[Ending | None]":
        """Gets the end of the job, or None when that may have gone unheard."""
        told: asyncio.Future[Ending | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(channel, set()).add(told)
        return told

    def _forget(self, channel: bytes, told: "asyncio.Future[Ending | None]") -> None:
        self._waiting[channel].discard(told)
        if not self._waiting[channel]:
            del self._waiting[channel]

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.psubscribe(SearchKeys("*").done)
                    while True:
                        self._hear(await channel.get_message(timeout=None))
            except RedisError as error:
                log.warning("ends of searches are not heard: %s", error)
            # Who waits looks for himself, and sees that the queue does not answer.
            self._tell(list(self._waiting), None)
            await asyncio.sleep(RETRY_S)

    def _hear(self, message: "dict[str, object] | None") -> None:
        match message:
            case {"type": "pmessage", "channel": bytes(channel), "data": bytes(data)}:
                self._tell([channel], Ending(StoredResult.told(data)))
            case {"type": "psubscribe"}:
                self._tell(list(self._waiting), None)

    def _tell(self, channels: list[bytes], ending: Ending | None) -> None:
        for channel in channels:
            for told in self._waiting.get(channel, ()):
                if not told.done():
                    told.set_result(ending)

    async def _has_ended(self, search: str) -> bool:
        return await asyncio.to_thread(self._store.outcome, search) is not None
