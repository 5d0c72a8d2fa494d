"""Wake-ups: the jobs of RQ. Each calls one sleeping worker of a queue, which then serves until nothing waits.

RQ lets a job name functions to import (its own, and callbacks), addresses to call (webhooks) and jobs to go on with.
Whoever can write to Redis could have a worker do all that. Only this class reads jobs, and it knows none of it.
"""

import logging
from collections.abc import Mapping

from redis import Redis
from redis.client import Pipeline
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.executions import Execution, ExecutionRegistry
from rq.job import Job
from rq.queue import Queue
from rq.serializers import JSONSerializer

TASK = "worker.tasks.serve_queue"
UNLIMITED = -1
KEPT_S = 3600
"""How long a call waits for a worker; the watchdog calls again where parts wait."""
FAILED_S = 60
"""How long RQ keeps what it notes of a call that its worker died of."""
_PREFIX = "wake:"
_FIELDS = frozenset((b"data", b"origin", b"status", b"created_at", b"enqueued_at", b"result_ttl", b"failure_ttl"))

log = logging.getLogger(__name__)


class ForeignJobError(NoSuchJobError):
    """What Redis has under this id is no wake-up."""


class _Executions(ExecutionRegistry):
    """RQ's list of a call's executions, of which nothing is read but their ids: all that removing them takes.

    When the server has lost its data, a heartbeat makes the hash of the one at work anew with one field alone. RQ
    would stumble over that at the end of the call.
    """

    def get_executions(self, start: int = 0, end: int = -1) -> list[Execution]:
        """They, as if they had just begun."""
        return [Execution(each, self.job_id, self.connection) for each in self.get_execution_ids(start, end)]


class WakeUp(Job):
    """RQ's job, of which nothing is read but what a wake-up has."""

    def restore(self, raw_data: Mapping[bytes, bytes]) -> None:
        """Take in what Redis has; raises ForeignJobError, which RQ passes over."""
        try:
            super().restore({field: value for field, value in raw_data.items() if field in _FIELDS})
            asked = self.func_name, self.instance, self.args, self.kwargs
        except Exception as error:
            # RQ's readers raise whatever the bytes make them stumble over.
            raise self._foreign() from error
        if asked != (TASK, None, [str(self.origin).removeprefix(_PREFIX)], {}):
            raise self._foreign()
        # The runner counts the time of each part.
        self.timeout = UNLIMITED

    @property
    def execution_registry(self) -> ExecutionRegistry:
        """RQ's list of this call's executions."""
        return _Executions(self.id, connection=self.connection)

    def delete(
        self, pipeline: Pipeline | None = None, remove_from_queue: bool = True, delete_dependents: bool = False
    ) -> None:
        """Remove it; where the server has lost it, only what RQ's heartbeat has made anew of it."""
        try:
            super().delete(pipeline, remove_from_queue, delete_dependents)
        except InvalidJobOperation:
            (self.connection if pipeline is None else pipeline).delete(self.key)

    def _foreign(self) -> ForeignJobError:
        # For good: RQ drops what it does not find. Its id may be anything.
        self.connection.delete(self.key)
        log.error("job %.60r was refused and removed: no wake-up", self.id)
        return ForeignJobError(self.id)


def calls_for(redis: Redis, queue: str) -> Queue:
    """RQ's queue of the calls for the workers of a queue."""
    return Queue(_PREFIX + queue, connection=redis, serializer=JSONSerializer, job_class=WakeUp)


def queue_of(calls: Queue) -> str | None:
    """The queue that such calls are for; None for a queue of somebody else."""
    return calls.name.removeprefix(_PREFIX) if calls.name.startswith(_PREFIX) else None


def call_worker(redis: Redis, queue: str) -> None:
    """Have RQ call a sleeping worker of a queue."""
    calls_for(redis, queue).enqueue_call(
        TASK, args=(queue,), timeout=UNLIMITED, ttl=KEPT_S, result_ttl=0, failure_ttl=FAILED_S, description=queue
    )
