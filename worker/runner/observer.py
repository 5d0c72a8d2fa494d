"""What looks on while a worker searches: tells of progress, stops what is not wanted, has better parts done first."""

import threading
import time
from collections.abc import Callable, Sequence

from shardwater.errors import SearchCancelled
from shardwater.search.search import Watcher
from worker.jobs.costs import Work
from worker.jobs.progress import PassProgress
from worker.queue.part_queue import LeasedPart
from worker.runner.context import WorkerContext

REPORT_S = 0.1
"""How often progress is written, a cancel is looked for, and a better part, in seconds."""


class TooLong(Exception):
    """A part has taken all the time that it may take."""


class BatchObserver:
    """Told how far the parts are that are done in one pass."""

    def __init__(self, context: WorkerContext, parts: Sequence[LeasedPart], preempt: Callable[[int], None]) -> None:
        """preempt is called, with the query residues left, where other parts may be done meanwhile."""
        self._context, self._parts, self._preempt = context, parts, preempt
        self._residues = sum(part.residues for part in parts)
        self._cells, self._aside = 0, 0.0
        cells = self._residues * context.shard.residues
        self._progress = PassProgress(Work.sum([part.work for part in parts]), cells, context.pace.experience)
        # A search shorter than that is not worth a report: the lease has just shown that it is wanted.
        self._started = time.monotonic()
        self._next_report = self._started + REPORT_S
        context.pace.moved()

    @property
    def seconds(self) -> float:
        """Spent on these parts so far, without others that were done meanwhile."""
        return time.monotonic() - self._started - self._aside

    @property
    def watcher(self) -> Watcher:
        """What the search tells."""
        return Watcher(self._scored, self._aligned, self.between)

    def _scored(self, cells: int) -> None:
        self._cells += cells
        self._progress.scored(cells, self.seconds)
        self._look()

    def _aligned(self, share: float) -> None:
        self._progress.aligned(share, self.seconds)
        self._look()

    def merging(self) -> None:
        """All is found; what is left is to store it."""
        self._progress.merging(self.seconds)
        self._context.pace.moved()
        if time.monotonic() >= self._next_report:
            self._tell(self._parts)

    def ended(self) -> None:
        """The results are stored."""
        self._progress.ended(self.seconds)

    def _look(self) -> None:
        """Now and then report. Raises SearchCancelled or TooLong."""
        self._context.pace.moved()
        now = time.monotonic()
        if now < self._next_report:
            return
        self._next_report = now + REPORT_S
        self._report()
        if self._context.engine.interruptible and threading.current_thread() is threading.main_thread():
            self.between()

    def between(self) -> None:
        """Do what should not wait for the rest."""
        began = time.monotonic()
        left = self._residues - self._cells // max(1, self._context.shard.residues)
        self._preempt(max(1, left))
        passed = time.monotonic() - began
        self._aside += passed
        self._next_report += passed

    def _report(self) -> None:
        if self.seconds > self._context.store.retention.job_timeout_s:
            raise TooLong
        outcomes = self._context.store.outcomes([part.search for part in self._parts])
        if None not in outcomes:
            raise SearchCancelled
        self._tell([part for part, outcome in zip(self._parts, outcomes, strict=True) if outcome is None])

    def _tell(self, parts: Sequence[LeasedPart]) -> None:
        now = self._progress.now
        for part in parts:
            self._context.store.report(part.search, self._context.shard.index, now)
