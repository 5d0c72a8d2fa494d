"""What this process holds for all its jobs: the engine with its shard, and the way to Redis.

The only global state of the worker: RQ calls tasks by name, so that they must find it here.
"""

from dataclasses import dataclass

from shardwater.database.database import Shard
from worker.jobs.store import Client
from worker.queue.part_queue import Line
from worker.runner.integrity import Seal
from worker.runner.pace import Pace
from worker.runner.timed_engine import TimedEngine


@dataclass(frozen=True, slots=True)
class Resident:
    """An engine that has loaded its shard, its place at the queue of its jobs, and the client that answers go to."""

    client: Client
    engine: TimedEngine
    shard: Shard
    line: Line
    pace: Pace
    seal: Seal

    @property
    def queue(self) -> str:
        """The name of the shard's queue."""
        return self.line.queue


_residents: list[Resident] = []


def keep(resident: Resident) -> None:
    """Make this the resident of the process, in place of an earlier one."""
    _residents[:] = [resident]


def resident() -> Resident:
    """The resident of the process, which is kept before the first job."""
    return _residents[0]
