"""Merges jobs that all shards have answered: this front end's share of them, whoever asks for the results."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from redis import Redis
from redis.exceptions import RedisError

from app.background.merge_pool import MergePool
from app.background.merger import MergeFailed, Merger
from worker.kinds.kind import FrontEnd
from worker.telemetry.safe_traceback import outline

MERGERS = 3
"""Threads that merge what takes moments; besides, there is one for each place of the pool."""
WAIT_S, RETRY_S = 1.0, 0.5

log = logging.getLogger(__name__)


@contextmanager
def merging(here: FrontEnd, pool: MergePool) -> Iterator[None]:
    """Merge as long as the context lasts; what is being merged at its end is finished."""
    merger = Merger(here, pool)
    threads = [_Thread(here.store.redis, merger, pool, f"merger {number}") for number in range(MERGERS + pool.places)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.end()
        for thread in threads:
            thread.join()
        pool.close()


class _Thread(threading.Thread):
    """Merges one job after another."""

    def __init__(self, redis: Redis, merger: Merger, pool: MergePool, name: str) -> None:
        super().__init__(name=name)
        self._redis, self._merger, self._pool, self._over = redis, merger, pool, threading.Event()
        self._client: int | None = None

    def end(self) -> None:
        """Let it end after what it merges."""
        self._over.set()
        if self._client is not None:
            with suppress(RedisError):
                self._redis.client_unblock(self._client)

    def run(self) -> None:
        """Merge until told to end."""
        while not self._over.is_set():
            try:
                # One connection, so that its wait can be ended.
                with self._redis.client() as waiting:  # type: ignore[no-untyped-call]
                    self._client = waiting.client_id()
                    while not self._over.is_set():
                        self._merge_next(waiting)
            except RedisError as error:
                self._client = None
                log.warning("results are not merged: %s", outline(error))
                self._over.wait(RETRY_S)

    def _merge_next(self, waiting: Redis) -> None:
        search = None
        try:
            search = self._merger.next(waiting, WAIT_S)
            if search is None:
                self._merger.rest()
                self._pool.rest()
            else:
                self._merger.merge(search)
        except RedisError:
            raise
        except Exception as error:
            # The watchdog has it merged again; an error's message may quote what was sent.
            told = str(error) if isinstance(error, MergeFailed) else outline(error)
            log.error("search %.60r: a result was not merged: %s", search, told)
