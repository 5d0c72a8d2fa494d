"""What this process holds for all its parts: the engines, its shard, its queues, and the way to Redis.

The only global state of the worker: RQ calls tasks by name, so that they must find it here.
"""

from dataclasses import dataclass, field

from shardwater.database.database import Shard
from shardwater.genomes.engine import GenomeEngine
from shardwater.statistics.simulation import Simulator
from worker.jobs.files import JobFiles
from worker.jobs.store import JobStore
from worker.queue.part_queue import PartQueue
from worker.runner.integrity import IntegrityCheck
from worker.runner.pace import Pace
from worker.runner.timed_engine import TimedEngine, TimedPairs
from worker.stop_flag import StopFlag

LINGER_S = 10.0
"""A worker that has nothing to do waits so long for the next part before it sleeps: to be called by RQ takes longer."""


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """The engines, the shard that is loaded, if one is, the queues, the store and the folder that results go to.

    integrity: of the shard's files. stopping is set when the worker is told to stop: it ends after the parts at work.
    """

    store: JobStore
    engine: TimedEngine
    pairs: TimedPairs
    genomes: GenomeEngine
    simulator: Simulator
    shard: Shard | None
    files: JobFiles
    queue: PartQueue
    pace: Pace
    integrity: IntegrityCheck | None
    linger_s: float = LINGER_S
    stopping: StopFlag = field(default_factory=StopFlag)

    def end_if_broken(self) -> None:
        """End the process where the files of its shard have been written to."""
        if self.integrity is not None:
            self.integrity.end_if_broken(self.queue.name)


_contexts: list[WorkerContext] = []


def keep(context: WorkerContext) -> None:
    """Make this the context of the process, in place of an earlier one."""
    _contexts[:] = [context]


def worker_context() -> WorkerContext:
    """The context of the process, which is kept before the first call."""
    return _contexts[0]
