"""Looks after all shard queues, and after the supervisor, again and again (worker/jobs/cleanup.py)."""

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from redis.exceptions import RedisError

from worker.jobs.cleanup import Cleanup
from worker.jobs.store import JobStore
from worker.settings import Settings
from worker.telemetry.supervisor_rounds import SupervisorWatch

LOOK_S = 2

log = logging.getLogger(__name__)


@asynccontextmanager
async def watchdog(store: JobStore, settings: Settings) -> AsyncIterator[None]:
    """Watch as long as the context lasts."""
    task = asyncio.create_task(_watch(store, settings))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _watch(store: JobStore, settings: Settings) -> None:
    cleanup, supervisor = Cleanup(store, settings), SupervisorWatch(store.redis, settings.supervisor)
    while True:
        if settings.orphaned:
            log.warning("the supervisor is gone; stopping")
            os.kill(os.getpid(), signal.SIGTERM)
        try:
            await asyncio.to_thread(cleanup.look)
            await asyncio.to_thread(supervisor.look)
        except RedisError as error:
            log.warning("the queue does not answer: %s", error)
        except Exception:
            # A watchdog that one surprise ends would leave later jobs unwatched.
            log.exception("a look at the queues failed")
        await asyncio.sleep(LOOK_S)
