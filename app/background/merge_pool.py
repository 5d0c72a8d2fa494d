"""The processes that merge for a front end: as many as the machine has cores to spare, each started when it is needed.

Results that are merged at a time take memory by their parts: these are bounded together.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import LifoQueue

from app.background.merge_process import WAIT_S, MergeProcess
from worker.settings import Settings

MANY_ROWS = 2000
"""Hits of a result that may take long."""
MOST_PROCESSES = 12
OTHERS = 4
"""Cores that are left to the front end itself, Redis and a worker."""
MOST_BYTES = 1 << 25
"""Packed parts of results that are merged at a time: hits take some fifty times as much where they are merged."""


class MergePool:
    """Merges in other processes, so many at a time; safe for use by several threads."""

    def __init__(self, settings: Settings, most: int | None = None) -> None:
        """most: processes; as many as suit the machine unless said."""
        self.most = most or max(1, min(MOST_PROCESSES, len(os.sched_getaffinity(0)) - OTHERS))
        self._processes = [MergeProcess(settings) for _ in range(self.most)]
        # The last one that was used comes first: those that are not needed end.
        self._free: LifoQueue[MergeProcess] = LifoQueue()
        for each in reversed(self._processes):
            self._free.put(each)
        self._room = _Room(MOST_BYTES)

    @property
    def is_up(self) -> bool:
        """Whether one of them has been started."""
        return any(each.is_up for each in self._processes)

    def merge(self, job: str, size: int, going_on: Callable[[], object]) -> None:
        """As MergeProcess.merge, when one is free, and there is room for so many bytes of packed parts."""
        with self._room.of(size, going_on):
            process = self._free.get()
            try:
                process.merge(job, going_on)
            finally:
                self._free.put(process)

    def expect(self, rows: int) -> None:
        """Make one ready in time, if a result of so many hits at most will need it."""
        if rows >= MANY_ROWS:
            self._processes[0].expect()

    def rest(self) -> None:
        """End those that nobody has needed for a while."""
        for each in self._processes:
            each.rest()

    def close(self) -> None:
        """End all."""
        for each in self._processes:
            each.close()


class _Room:
    """Bytes of which so many are used at a time, or more by one alone: whoever waits for room, others wait behind."""

    def __init__(self, most: int) -> None:
        self._most, self._used = most, 0
        self._turn, self._changed = threading.Lock(), threading.Condition()

    @contextmanager
    def of(self, size: int, going_on: Callable[[], object]) -> Iterator[None]:
        """So many of them; `going_on` is called every second meanwhile."""
        while not self._turn.acquire(timeout=WAIT_S):
            going_on()
        try:
            with self._changed:
                while not self._changed.wait_for(lambda: not self._used or self._used + size <= self._most, WAIT_S):
                    going_on()
                self._used += size
        finally:
            self._turn.release()
        try:
            yield
        finally:
            with self._changed:
                self._used -= size
                self._changed.notify_all()
