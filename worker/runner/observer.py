"""Goes through a job: tells of progress, stops what is not wanted, lets better parts go between two steps."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from shardwater.errors import SearchCancelled
from shardwater.search.step import Step, Steps
from shardwater.steps import finish
from worker.jobs.costs import Work
from worker.jobs.progress import PassProgress
from worker.queue.part_queue import LeasedPart
from worker.runner.context import WorkerContext

REPORT_S = 0.1
"""How often progress is written, and a cancel is looked for, in seconds."""
HEAR_S = 0.003
"""How often the worker hears at most whether a part has come, in seconds: to hear costs a tenth of a millisecond."""

Made = TypeVar("Made")


class TooLong(Exception):
    """A part has taken all the time that it may take."""


class BatchObserver:
    """Sees to the parts that are done in one pass."""

    def __init__(
        self,
        context: WorkerContext,
        parts: Sequence[LeasedPart],
        cells: int,
        preempt: Callable[[float, float], float],
    ) -> None:
        """cells: of all of them; preempt: called where a better part may have come, with the share of the work left and
        the seconds spent on what was not expected.

        It returns the seconds that better parts have taken.
        """
        self._context, self._parts, self._preempt = context, parts, preempt
        self._aside = 0.0
        self._progress = PassProgress(Work.sum([part.work for part in parts]), cells, context.pace.experience)
        # A job shorter than that is not worth a report: the lease has just shown that it is wanted.
        self._started = time.monotonic()
        self._next_report = self._started + REPORT_S
        self._next_look = self._started + HEAR_S
        context.pace.moved()

    @property
    def seconds(self) -> float:
        """Spent on these parts so far, without others that were done meanwhile."""
        return time.monotonic() - self._started - self._aside

    def run(self, steps: Steps[Made]) -> Made:
        """Go through a job; raises SearchCancelled where nobody wants it any more, TooLong, or what it raises."""
        return finish(steps, self._after)

    def merging(self) -> None:
        """All is found; what is left is to store it."""
        self._progress.merging(self.seconds)
        self._context.pace.moved()
        if time.monotonic() >= self._next_report:
            self._tell(self._parts)

    def ended(self) -> None:
        """The results are stored."""
        self._progress.ended(self.seconds)

    def _after(self, step: Step) -> None:
        """Now and then report; let better parts go first."""
        if step.cells or step.aligned or step.further or step.simulated:
            # Not where it only waits for the thread that writes hits out, which may hang.
            self._context.pace.moved()
        self._progress.add(step, self.seconds)
        began = time.monotonic()
        if began < self._next_look:
            return
        due = began >= self._next_report
        if due:
            self._next_report = began + REPORT_S
            self._report()
        if self._context.queue.rung() or due:
            # To look is part of the work, as it is to tell how far it is: on a busy machine both take their time.
            self._aside += self._preempt(1 - self._progress.now.share, self._progress.beyond)
        self._next_look = time.monotonic() + HEAR_S

    def _report(self) -> None:
        if self.seconds > self._context.store.retention.job_timeout_s:
            raise TooLong
        outcomes = self._context.store.outcomes([part.search for part in self._parts])
        if None not in outcomes:
            raise SearchCancelled
        self._tell([part for part, outcome in zip(self._parts, outcomes, strict=True) if outcome is None])

    def _tell(self, parts: Sequence[LeasedPart]) -> None:
        now, store = self._progress.now, self._context.store
        with store.redis.pipeline(transaction=False) as pipe:
            for part in parts:
                store.report(part.search, part.number, now, pipe)
            pipe.execute()
