"""The listener for ends of searches begins and stops with the front end."""

import asyncio
import time

from redis.asyncio import Redis as AsyncRedis

from app.live.completions import Endings
from tests.support.server import Server
from worker.jobs.store import JobStore

ROUNDS, AT_ONCE_S, HANGS_S = 40, 5, 60


def test_listening_stops_however_short_it_was(server: Server) -> None:
    redis = server.redis
    store, url = JobStore(redis), f"unix://{redis.connection_pool.connection_kwargs['path']}"

    async def listen(questions: int) -> None:
        async with asyncio.timeout(HANGS_S), AsyncRedis.from_url(url) as own, Endings(own, store).heard():
            for _ in range(questions):
                await asyncio.to_thread(store.outcome, "none")

    for number in range(ROUNDS):
        started = time.monotonic()
        asyncio.run(listen(number % 4))
        assert time.monotonic() - started < AT_ONCE_S
