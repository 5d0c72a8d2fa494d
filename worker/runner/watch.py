"""What looks on while a worker searches: tells of progress, stops what is not wanted, lets shorter searches by."""

import threading
import time
from collections.abc import Callable, Sequence

from shardwater.errors import SearchCancelled
from shardwater.search.search import Watcher
from worker.jobs.costs import Work
from worker.jobs.progress import PassProgress
from worker.queue.part_queue import Wanted
from worker.runner.context import Resident

REPORT_S = 0.1
"""How often progress is written, a cancel is looked for, and a shorter search, in seconds."""


class TooLong(Exception):
    """A search has taken all the time that a shard may take for it."""


class Watch:
    """Told how far the searches are that are made in one pass."""

    def __init__(self, held: Resident, searches: Sequence[Wanted], let_by: Callable[[int], None]) -> None:
        """let_by is called, with the query residues left, where another search may be made meanwhile."""
        self._held, self._searches, self._let_by = held, searches, let_by
        self._residues = sum(each.residues for each in searches)
        self._cells, self._aside = 0, 0.0
        cells = self._residues * held.shard.residues
        self._progress = PassProgress(Work.sum([each.work for each in searches]), cells, held.pace.experience)
        # A search shorter than that is not worth a report: the task has just looked whether it is wanted.
        self._started = time.monotonic()
        self._next_report = self._started + REPORT_S
        held.pace.moved()

    @property
    def seconds(self) -> float:
        """Spent on these searches so far, others that went by not counted."""
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
        self._held.pace.moved()
        if time.monotonic() >= self._next_report:
            self._tell(self._searches)

    def ended(self) -> None:
        """The results are stored."""
        self._progress.ended(self.seconds)

    def _look(self) -> None:
        """Now and then report. Raises SearchCancelled or TooLong."""
        self._held.pace.moved()
        now = time.monotonic()
        if now < self._next_report:
            return
        self._next_report = now + REPORT_S
        self._report()
        if self._held.engine.interruptible and threading.current_thread() is threading.main_thread():
            self.between()

    def between(self) -> None:
        """Let by what should not wait for the rest."""
        began = time.monotonic()
        left = self._residues - self._cells // max(1, self._held.shard.residues)
        self._let_by(max(1, left))
        passed = time.monotonic() - began
        self._aside += passed
        self._next_report += passed

    def _report(self) -> None:
        if self.seconds > self._held.client.retention.job_timeout_s:
            raise TooLong
        outcomes = self._held.client.outcomes([each.id for each in self._searches])
        if None not in outcomes:
            raise SearchCancelled
        self._tell([each for each, outcome in zip(self._searches, outcomes, strict=True) if outcome is None])

    def _tell(self, searches: Sequence[Wanted]) -> None:
        now = self._progress.now
        for each in searches:
            self._held.client.report(each.id, self._held.shard.index, now)
