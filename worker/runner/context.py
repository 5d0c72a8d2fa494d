"""What this process holds for all its parts: the engine with its shard, its queue, and the way to Redis.

The only global state of the worker: RQ calls tasks by name, so that they must find it here.
"""

import threading
from dataclasses import dataclass, field

from shardwater.database.database import Shard
from worker.jobs.store import JobStore
from worker.queue.part_queue import PartQueue
from worker.runner.integrity import IntegrityCheck
from worker.runner.pace import Pace
from worker.runner.timed_engine import TimedEngine

LINGER_S = 10.0
"""A worker that has nothing to do waits so long for the next part before it sleeps: to be called by RQ takes longer."""


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """An engine that has loaded its shard, the queue of its parts, and the store that results go to.

    stopping is set when the worker is told to stop: it ends after the parts at work.
    """

    store: JobStore
    engine: TimedEngine
    shard: Shard
    queue: PartQueue
    pace: Pace
    integrity: IntegrityCheck
    linger_s: float = LINGER_S
    stopping: threading.Event = field(default_factory=threading.Event)


_contexts: list[WorkerContext] = []


def keep(context: WorkerContext) -> None:
    """Make this the context of the process, in place of an earlier one."""
    _contexts[:] = [context]


def worker_context() -> WorkerContext:
    """The context of the process, which is kept before the first call."""
    return _contexts[0]
