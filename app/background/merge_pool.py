"""The processes that merge for a front end: as many as the machine has cores to spare, each started when it is needed.

Results that are merged at a time take memory by their parts: these are bounded together.
"""

import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import LifoQueue

from app.background.launcher import Launcher
from app.background.merge_process import MergeProcess
from worker.settings import Settings

MANY_ROWS = 2000
"""Hits of a result that may take long."""
MOST_PROCESSES = 16
OTHERS = 2
"""Cores that are left to the front end and a worker; these come first where there is too little for all."""
MOST_BYTES = 1 << 25
"""Packed parts of results that are merged at a time, or wait for a process: hits take some fifty times as much where
they are merged."""
MOST_PASSES = 32
"""So many later results may overtake one that waits for room."""


class MergePool:
    """Merges in other processes, so many at a time; safe for use by several threads."""

    def __init__(self, settings: Settings, most: int | None = None) -> None:
        """most: processes; as many as suit the machine unless said."""
        most = most or max(1, min(MOST_PROCESSES, len(os.sched_getaffinity(0)) - OTHERS))
        self._launcher = Launcher(settings)
        self._processes = [MergeProcess(self._launcher) for _ in range(most)]
        # The last one that was used comes first: those that are not needed end.
        self._free: LifoQueue[MergeProcess] = LifoQueue()
        for each in reversed(self._processes):
            self._free.put(each)
        self._room = _Room(MOST_BYTES)
        # A request does not wait for what it needs later.
        self._expecting = ThreadPoolExecutor(1, "merges expected")
        self._expected: Future[None] | None = None

    @property
    def places(self) -> int:
        """How many merges may be begun at a time: more than there are processes, so that these wait for none."""
        return len(self._processes) + (len(self._processes) + 1) // 2

    @property
    def is_up(self) -> bool:
        """Whether one of them has been started."""
        return any(each.is_up for each in self._processes)

    @contextmanager
    def process(self, size: int) -> Iterator[MergeProcess]:
        """One of them, when there is room for so many bytes of packed parts, and one of them is free."""
        with self._room.of(size):
            process = self._free.get()
            try:
                yield process
            finally:
                self._free.put(process)

    def expect(self, rows: int) -> None:
        """Have one made ready in time, if a result of so many hits at most will need it; waits for nothing."""
        if rows >= MANY_ROWS and (self._expected is None or self._expected.done()):
            # Where there is no thread for it, it is started when it is needed.
            with suppress(RuntimeError):
                self._expected = self._expecting.submit(self._processes[0].expect)

    def rest(self) -> None:
        """End those that nobody has needed for a while."""
        for each in self._processes:
            each.rest()

    def close(self) -> None:
        """End all."""
        # First, since who waits for a process waits no more then.
        self._launcher.close()
        self._expecting.shutdown()
        for each in self._processes:
            each.close()


@dataclass(slots=True, eq=False)
class _Waiting:
    """One that waits for so many bytes; passed: how many that came later have gone before it."""

    size: int
    passed: int = 0


class _Room:
    """Bytes of which so many are used at a time, or more by one alone.

    A small merge may overtake one that waits, at most MOST_PASSES times; then the waiting one is next.
    """

    def __init__(self, most: int) -> None:
        self._most, self._used = most, 0
        self._waiting: list[_Waiting] = []
        self._changed = threading.Condition()

    @contextmanager
    def of(self, size: int) -> Iterator[None]:
        """So many of them, once they are free."""
        one = _Waiting(size)
        with self._changed:
            self._waiting.append(one)
            self._changed.wait_for(lambda: self._may_go(one))
            self._used += size
            for each in self._before(one):
                each.passed += 1
            self._waiting.remove(one)
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._used -= size
                self._changed.notify_all()

    def _may_go(self, one: _Waiting) -> bool:
        has_room = not self._used or self._used + one.size <= self._most
        return has_room and all(each.passed < MOST_PASSES for each in self._before(one))

    def _before(self, one: _Waiting) -> list[_Waiting]:
        return self._waiting[: self._waiting.index(one)]
