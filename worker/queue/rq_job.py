"""A shard's job as RQ keeps it: one function, a search and a shard. What else Redis may say of a job is not read.

RQ lets a job name functions to import (its own, and callbacks), addresses to call (webhooks) and jobs to go on with.
Whoever can write to Redis could have a process of ours do all that, in workers and, where it looks after dead ones, in
the front end. Only this class reads jobs, and it knows none of it.
"""

import logging
from collections.abc import Mapping

from redis import Redis
from rq.exceptions import NoSuchJobError
from rq.intermediate_queue import IntermediateQueue
from rq.job import Job
from rq.queue import Queue
from rq.serializers import JSONSerializer

from worker.jobs.redis_names import TASK, search_of, shard_of, text

_FIELDS = frozenset(
    (b"data", b"origin", b"status", b"created_at", b"enqueued_at", b"result_ttl", b"failure_ttl", b"retries_left")
)
UNLIMITED = -1

log = logging.getLogger(__name__)


class ForeignJobError(NoSuchJobError):
    """What Redis has under this id is no job of a shard."""


class ShardJob(Job):
    """RQ's job, of which nothing is read but what a shard's job has."""

    def restore(self, raw_data: Mapping[bytes, bytes]) -> None:
        """Take in what Redis has; raises ForeignJobError."""
        search, shard = search_of(self.id), self.id.rpartition("-")[2]
        try:
            super().restore({field: value for field, value in raw_data.items() if field in _FIELDS})
            asked = self.func_name, self.instance, self.args, self.kwargs
        except Exception as error:
            # RQ's readers raise whatever the bytes make them stumble over.
            raise ForeignJobError(self.id) from error
        if asked != (TASK, None, [search, int(shard) if shard.isdecimal() else None], {}):
            raise ForeignJobError(self.id)
        # The task counts its own time, since others may overtake it (watch.py).
        self.timeout = UNLIMITED


def is_job_of(queue: str, connection: Redis, job: bytes, kept: Mapping[bytes, bytes]) -> bool:
    """Whether what Redis has under an id in a shard's queue is a job of that shard."""
    try:
        read = ShardJob(text(job), connection, JSONSerializer)
        read.restore(kept)
        return read.origin == queue and read.args[1] == shard_of(queue)
    except (ValueError, ForeignJobError):
        return False


def drop_foreign_job(queue: str, connection: Redis, job: bytes) -> None:
    """Remove what a worker took from its queue and will not run: for good, and in one line of the log."""
    taken = IntermediateQueue.get_intermediate_queue_key(Queue.redis_queue_namespace_prefix + queue)
    with connection.pipeline() as pipe:
        pipe.lrem(taken, 1, job)  # type: ignore[arg-type]
        pipe.delete(Job.redis_job_namespace_prefix.encode() + job)
        _, kept = pipe.execute()
    if kept:
        # Its id may be anything.
        log.error("%s: job %.60r was refused and removed: no search of this shard", queue, job)
