"""Merges searches that all shards have answered: this front end's share of them, whoever asks for the results."""

import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, TypeVar

from redis import Redis
from redis.exceptions import RedisError

from worker.jobs.merging import Merger, is_large
from worker.jobs.results.parts import merge_parts
from worker.jobs.store import JobStore
from worker.settings import Settings
from worker.telemetry.safe_traceback import outline

if TYPE_CHECKING:
    from worker.jobs.results.signing import Signer

MERGERS = 4
"""Threads that merge: while some wait for large results, others take what comes."""
MANY_ROWS = 2000
"""Hits of a result that may be large."""
WAIT_S, RETRY_S = 1.0, 0.5

_T = TypeVar("_T")

log = logging.getLogger(__name__)


class Merging:
    """Where parts are merged: small ones at once, large ones in a process of their own, which starts with the first."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._signer = settings, settings.signer()
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()

    def merge_parts(self, search: str, request: bytes, target: bytes, parts: Mapping[bytes, bytes]) -> bytes:
        """As results.parts.merge_parts does."""
        if not is_large(parts):
            return merge_parts(search, request, target, parts, self._signer)
        try:
            return self._submit(_merge_there, search, request, target, dict(parts)).result()
        except BrokenProcessPool:
            log.warning("search %s: the process that merged it has died; it is merged here", search)
            self.close()
            return merge_parts(search, request, target, parts, self._signer)

    def expect(self, rows: int) -> None:
        """Make the process ready in time, if a result of so many hits at most will need it."""
        if rows >= MANY_ROWS:
            self._submit(os.getpid)

    def close(self) -> None:
        """End the process."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _submit(self, work: Callable[..., _T], *given: object) -> "Future[_T]":
        try:
            return self._processes().submit(work, *given)
        except BrokenProcessPool:
            # It died while it had nothing to do.
            self.close()
            return self._processes().submit(work, *given)

    def _processes(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, get_context("spawn"), _begin, (self._settings,))
            return self._pool


_signers: "list[Signer | None]" = []


def _begin(settings: Settings) -> None:
    """Make the process ready: what it signs with, and that it ends with the front end, however that ends."""
    _signers[:] = [settings.signer()]
    threading.Thread(target=_end_with_the_front_end, name="front end", daemon=True).start()


def _end_with_the_front_end() -> None:
    front_end = parent_process()
    if front_end is not None:
        wait([front_end.sentinel])
        os._exit(0)


def _merge_there(search: str, request: bytes, target: bytes, parts: Mapping[bytes, bytes]) -> bytes:
    return merge_parts(search, request, target, parts, _signers[0])


@contextmanager
def merging(store: JobStore, place: Merging) -> Iterator[None]:
    """Merge as long as the context lasts; what is being merged at its end is finished."""
    threads = [_Thread(store, Merger(store, place.merge_parts), f"merger {number}") for number in range(MERGERS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.end()
        for thread in threads:
            thread.join()
        place.close()


class _Thread(threading.Thread):
    """Merges one search after another."""

    def __init__(self, store: JobStore, merger: Merger, name: str) -> None:
        super().__init__(name=name)
        self._redis, self._merger, self._over = store.redis, merger, threading.Event()
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
        search = self._merger.next(waiting, WAIT_S)
        try:
            if search is not None:
                self._merger.merge(search)
        except RedisError:
            raise
        except Exception as error:
            # The watchdog has it merged again; an error's message may quote what was sent.
            log.error("search %s: a result was not merged: %s", search, outline(error))
