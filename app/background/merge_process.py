"""A process that merges results which take long: nothing small waits for them, and what ends it ends nothing else."""

import logging
import threading
import time
from collections.abc import Callable

from app.background.heartbeat import hear
from app.background.launcher import Launched, Launcher
from app.background.merger import MergeFailed

IDLE_S, EXPECTED_S = 30, 120
"""After so long without work the process ends, and gives its memory back; where it was made ready in time, after so
long without the result that it is for."""

log = logging.getLogger(__name__)


class MergeProcess:
    """One process at most (merge_serving.py), started when it is needed; safe for use by several threads."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._lock = threading.Lock()
        self._process: Launched | None = None
        self._needed, self._is_expected = 0.0, False

    def merge(self, job: str, going_on: Callable[[], object]) -> None:
        """As Merger.merge_here does; calls `going_on` every second. Raises MergeFailed, and OSError or EOFError where
        the process cannot be started, has died or hangs.
        """
        with self._lock:
            process, self._is_expected = self._ready(), False
            try:
                process.connection.send(job)
                error = hear(process.connection, process.pid, going_on)
            except BaseException as failure:
                if isinstance(failure, TimeoutError):
                    log.warning("process %d, which merges, %s, and is killed", process.pid, failure)
                # What it answers from now on would be taken for an answer to the next question.
                self._end()
                raise
            self._needed = time.monotonic()
        if error:
            raise MergeFailed(error)

    @property
    def is_up(self) -> bool:
        """Whether it has been started; should it have died since, the next merge starts another."""
        return self._process is not None

    def expect(self) -> None:
        """Make the process ready in time."""
        # Where it is at work, it is there.
        if self._lock.acquire(blocking=False):
            try:
                self._ready()
                self._is_expected = True
            except (OSError, EOFError) as error:
                log.warning("no process that merges: %s", error)
            finally:
                self._lock.release()

    def rest(self) -> None:
        """End the process where nobody has needed it for a while."""
        if self._process is not None and self._lock.acquire(blocking=False):
            try:
                if time.monotonic() - self._needed > (EXPECTED_S if self._is_expected else IDLE_S):
                    self._end()
            finally:
                self._lock.release()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def _ready(self) -> Launched:
        if self._process is None or self._process.has_ended:
            self._end()
            self._process = self._launcher.start()
        self._needed = time.monotonic()
        return self._process
