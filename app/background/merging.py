"""Merges searches that all shards have answered: this front end's share of them, whoever asks for the results."""

import gc
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from redis import Redis
from redis.exceptions import RedisError

from app.background.merger import Merger, is_large
from shardwater.database.catalog import Catalog
from worker.jobs.store import JobStore
from worker.kinds import kind_of
from worker.kinds.kind import Again, Answered, FrontEnd
from worker.settings import Settings
from worker.telemetry.safe_traceback import outline

MERGERS = 3
"""Threads that merge; one of them at most waits for a large result."""
MANY_ROWS = 2000
"""Hits of a result that may be large."""
LONGEST_S = 600
"""What merges for longer hangs."""
WAIT_S, RETRY_S = 1.0, 0.5

log = logging.getLogger(__name__)


class Merging:
    """Where parts are merged: small ones at once, large ones in a process of their own."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._here = settings, _front_end(settings)
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._to_process: Connection | None = None

    def advance(self, answered: Answered, going_on: Callable[[], object]) -> bytes | Again:
        """As the job's kind does; calls `going_on` every few seconds."""
        if not is_large(answered):
            return kind_of(answered.job).advance(answered, self._here)
        with self._lock:
            try:
                merged = self._merge_there(answered, going_on)
            except (OSError, EOFError):
                # What has ended that process, be it for want of memory, must not end this one.
                self._end()
                raise
        if isinstance(merged, Exception):
            raise merged
        return merged

    def expect(self, rows: int) -> None:
        """Make the process ready in time, if a result of so many hits at most will need it."""
        # Where it is at work, it is there.
        if rows >= MANY_ROWS and self._lock.acquire(blocking=False):
            try:
                self._connected()
            except OSError as error:
                log.warning("no process for large results: %s", error)
            finally:
                self._lock.release()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._to_process is not None and self._process is not None:
            self._to_process.close()
            # It may be stopped, or in the midst of something.
            self._process.kill()
            self._process.join()
        self._process = self._to_process = None

    def _merge_there(self, answered: Answered, going_on: Callable[[], object]) -> bytes | Again | Exception:
        connection, began = self._connected(), time.monotonic()
        connection.send(answered)
        while not connection.poll(WAIT_S):
            if time.monotonic() - began > LONGEST_S:
                raise TimeoutError(f"a merge took longer than {LONGEST_S} s")
            going_on()
        merged: bytes | Again | Exception = connection.recv()
        return merged

    def _connected(self) -> Connection:
        if self._to_process is None or self._process is None or not self._process.is_alive():
            context = get_context("spawn")
            self._to_process, there = context.Pipe()
            self._process = context.Process(target=_merge_for, args=(there, self._settings), name="large results")
            self._process.start()
            there.close()
        return self._to_process


def _front_end(settings: Settings) -> FrontEnd:
    return FrontEnd(JobStore(settings.connect()), Catalog(settings.data), settings.signer())


def _merge_for(front_end: Connection, settings: Settings) -> None:
    """The process: merges what it is sent until the front end is gone, however that ends."""
    # Ctrl-C is for the supervisor, which ends the front end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    here = _front_end(settings)
    # A result is a million objects without a cycle: to look through them again and again takes a third of the time.
    gc.disable()
    with suppress(EOFError, OSError):
        while True:
            answered: Answered = front_end.recv()
            try:
                merged: bytes | Again | Exception = kind_of(answered.job).advance(answered, here)
            except Exception as error:
                # It is raised where it was sent from.
                merged = error
            front_end.send(merged)
            del answered, merged
            gc.collect()


@contextmanager
def merging(store: JobStore, place: Merging) -> Iterator[None]:
    """Merge as long as the context lasts; what is being merged at its end is finished."""
    merger = Merger(store, place.advance)
    threads = [_Thread(store, merger, f"merger {number}") for number in range(MERGERS)]
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
        search = None
        try:
            search = self._merger.next(waiting, WAIT_S)
            if search is not None:
                self._merger.merge(search)
        except RedisError:
            raise
        except Exception as error:
            # The watchdog has it merged again; an error's message may quote what was sent.
            log.error("search %.60r: a result was not merged: %s", search, outline(error))
