"""The device's time in the kernels that score packs, by CUDA's events: from the first launch to the end of the last."""

from unittest import mock

import cupy

from gpu.arithmetic import Choice
from gpu.database.packing import PackClass
from gpu.database.resident import ResidentShard
from gpu.device import device
from gpu.launch.launches import Launches
from gpu.launch.workspace import Workspace
from gpu.score.query import DeviceQuery
from gpu.score.schedules import BY_NAME, Step, Strips
from gpu.score.scorer import Scorer, ScorerContext
from shardwater.database.database import Database
from shardwater.engines.schedules import SCHEDULES, ScheduleName
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record

REPEATS = 4
"""Runs of a query, of which the first may wait for compilers; the best counts."""


class KernelClock:
    """A database on the device, as a schedule lays it out."""

    def __init__(self, database: Database, schedule: ScheduleName = SCHEDULES[0]) -> None:
        self.schedule = BY_NAME[schedule]
        self.parts = list(ResidentShard(database.shard(0, 1), longest=self.schedule.longest()).parts())
        self.residues = sum(sum(part.residues[: PackClass.LONG]) for part in self.parts)
        """Those in packs; sw_wide scores the others meanwhile."""
        self.space = Workspace()
        self.events: list[tuple[cupy.cuda.Event, cupy.cuda.Event]] = []

    def tcups(self, query: Record, scoring: Scoring) -> float:
        """Cells a second, in 1e12: query residues x those in packs."""
        return len(query.residues) * self.residues / self.milliseconds(query, scoring) / 1e9

    def milliseconds(self, query: Record, scoring: Scoring) -> float:
        """The best time of some runs."""
        return min(self._milliseconds(query, scoring) for _ in range(REPEATS))

    def _milliseconds(self, query: Record, scoring: Scoring) -> float:
        self.events.clear()
        # Pairs of few cells are not left to another schedule here.
        own = mock.patch.object(Strips, "suited", lambda strips, *_: strips)
        with own, mock.patch.object(Step, "launch", self._timed(Step.launch)):
            for part in self.parts:
                with self.space.stream:
                    context = ScorerContext(part, self.space, Launches(), self.schedule)
                    choice = Choice.of(device().capability)
                    scorer = Scorer(DeviceQuery(query, scoring), scoring, choice, context)
                list(scorer.score())
                self.space.synchronize()
        first = self.events[0][0]
        return max(cupy.cuda.get_elapsed_time(first, end) for _, end in self.events)

    def _timed(self, launch: object) -> object:
        def timed(step: Step, grid: int, arguments: tuple[object, ...]) -> None:
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record()
            launch(step, grid, arguments)
            end.record()
            self.events.append((begin, end))

        return timed
