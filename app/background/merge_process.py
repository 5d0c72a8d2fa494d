"""A process that merges results which take long: nothing small waits for them, and what ends it ends nothing else.

It is told a job's id, and reads the parts and stores the result itself: no result can be taken for another job's.
"""

import gc
import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from redis.exceptions import RedisError

from app.background.merger import MergeFailed, Merger
from shardwater.database.catalog import Catalog
from worker.jobs.files import JobFiles
from worker.jobs.store import JobStore
from worker.kinds.kind import FrontEnd
from worker.settings import Settings
from worker.telemetry.safe_traceback import outline

LONGEST_S = 600
"""What merges for longer hangs."""
NICENESS = 5
"""By how much these processes give way: who answers, and who feeds a GPU, has the cores first."""
IDLE_S = 30
"""After so long without work the process ends, and gives its memory back."""
WAIT_S = 1.0

_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload([__name__])
"""Processes are forked off one that has loaded all that they need: a dozen of them start in the time of one."""

log = logging.getLogger(__name__)


class MergeProcess:
    """One process at most, started when it is needed; safe for use by several threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._to_process: Connection | None = None
        self._needed = 0.0

    def merge(self, job: str, going_on: Callable[[], object]) -> None:
        """As Merger.merge_here does; calls `going_on` every second. Raises MergeFailed, and OSError or EOFError where
        the process has died or hangs.
        """
        with self._lock:
            try:
                error = self._ask(job, going_on)
            except BaseException:
                # What it answers from now on would be taken for an answer to the next question.
                self._end()
                raise
        if error:
            raise MergeFailed(error)

    @property
    def is_up(self) -> bool:
        """Whether it has been started, and has not ended."""
        process = self._process
        return process is not None and process.is_alive()

    def expect(self) -> None:
        """Make the process ready in time."""
        # Where it is at work, it is there.
        if self._lock.acquire(blocking=False):
            try:
                self._connected()
            except OSError as error:
                log.warning("no process that merges: %s", error)
            finally:
                self._lock.release()

    def rest(self) -> None:
        """End the process where nobody has needed it for a while."""
        if self._process is not None and self._lock.acquire(blocking=False):
            try:
                if time.monotonic() - self._needed > IDLE_S:
                    self._end()
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

    def _ask(self, job: str, going_on: Callable[[], object]) -> str:
        """What went wrong, empty where nothing did."""
        connection, began = self._connected(), time.monotonic()
        connection.send(job)
        while not connection.poll(WAIT_S):
            if time.monotonic() - began > LONGEST_S:
                raise TimeoutError(f"a merge took longer than {LONGEST_S} s")
            going_on()
        error: str = connection.recv()
        self._needed = time.monotonic()
        return error

    def _connected(self) -> Connection:
        self._needed = time.monotonic()
        if self._to_process is None or self._process is None or not self._process.is_alive():
            self._to_process, there = _FORKS.Pipe()
            self._process = _FORKS.Process(target=_serve, args=(there, self._settings), name="merges")
            self._process.start()
            there.close()
        return self._to_process


def _serve(front_end: Connection, settings: Settings) -> None:
    """The process: merges the jobs that it is told until the front end is gone, however that ends."""
    # Ctrl-C is for the supervisor, which ends the front end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    store = JobStore(settings.connect(), settings.retention, intake=settings.intake)
    files, catalog = JobFiles.of(settings), Catalog(settings.data)
    merger = Merger(FrontEnd(store, files, catalog, settings.signer(), settings.pair_bounds))
    # A result is a million objects without a cycle: to look through them again and again takes a third of the time.
    gc.disable()
    gc.freeze()
    with suppress(EOFError, OSError):
        while True:
            job: str = front_end.recv()
            error = ""
            try:
                merger.merge_here(job)
            except Exception as failure:
                # Without its message, which may quote what was sent.
                error = outline(failure)
            with suppress(RedisError):
                store.tally.flush(store.redis)
            front_end.send(error)
            gc.collect()
