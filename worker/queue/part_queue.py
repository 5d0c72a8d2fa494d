"""A shard's queue as its worker sees it: what it is called for, what it may do beside that, and what has come of it.

A worker does searches in one pass with others that wait, and lets short ones overtake a long one. RQ knows of one job
at a time, the one it called the worker for; the others stay in RQ's list of what was taken from the queue, and in a
list of our own with the time at which the worker was last heard of: recovery.py gives them back when that is long ago.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pydantic import TypeAdapter
from redis import Redis
from redis.client import Pipeline
from rq.intermediate_queue import IntermediateQueue
from rq.job import Job
from rq.queue import Queue

from worker.jobs.costs import Room, Work
from worker.jobs.redis_names import SearchKeys, beside_key, job_id, line_key, order_key, search_of, text
from worker.jobs.requests import SearchRequest
from worker.jobs.scripts import TAKE_UP
from worker.jobs.states import SearchTarget
from worker.jobs.store import Client
from worker.jobs.worker_registry import ALIVE_S
from worker.queue.fair_order import BEAT, BESIDE, PICK
from worker.queue.rq_job import ShardJob, drop_foreign_job, is_job_of
from worker.telemetry.request_context import Origin

MOST_BESIDE = 100
"""Searches taken up at a time beside the one at work."""

_TARGET = TypeAdapter(SearchTarget)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search that a worker has taken up: what is asked, its size in query residues, its work, its kind and its rank.

    interrupted: its worker has died while it ran, and may have died of it; behind: how many jobs wait behind it.
    """

    id: str
    request: SearchRequest
    target: SearchTarget
    residues: int
    work: Work
    kind: str
    rank: float
    origin: Origin
    interrupted: bool = False
    behind: int = 0


Asked = tuple[Sequence[bytes], int, int] | int | None
"""What a job's search asks for, as PICK says it."""


class BroughtJob(ShardJob):
    """A shard's job, with what its search asks for: a job's id comes from Redis with all that a worker asks for next.

    Spares a round trip for RQ's own fields, too, and one that lifts a time limit which no job of ours has.
    """

    _brought: ClassVar[tuple[str, Mapping[bytes, bytes], Asked]] = ("", {}, None)
    asked: Asked = None

    @classmethod
    def bring(cls, job: str, kept: Mapping[bytes, bytes], asked: Asked) -> None:
        """Have a job's parts at hand when RQ fetches it, which it does next."""
        cls._brought = job, kept, asked

    def refresh(self) -> None:
        """RQ's."""
        (job, kept, asked), BroughtJob._brought = self._brought, ("", {}, None)
        if job == self.id and kept:
            self.restore(kept)
            self.asked = asked
        else:
            super().refresh()  # type: ignore[no-untyped-call]

    def perform(self) -> Any:
        """RQ's."""
        self._result = self._execute()
        return self._result


class OrderedQueue(Queue):
    """RQ's queue, but for its order: the job of the lowest rank comes next (fair_order.py)."""

    job_class = BroughtJob

    @classmethod
    def lmove(cls, connection: Redis, queue_key: str, timeout: int | None) -> tuple[str, bytes] | None:
        """The queue's key and the job that comes next; waits for one as RQ's does."""
        name, anyones = queue_key.removeprefix(cls.redis_queue_namespace_prefix), SearchKeys("")
        taken = IntermediateQueue.get_intermediate_queue_key(queue_key)
        while (moved := super().lmove(connection, queue_key, timeout)) is not None:
            picked, kept, asked = connection.register_script(PICK)(
                keys=[queue_key, taken, order_key(name)],
                args=[moved[1], Job.redis_job_namespace_prefix, anyones.meta, anyones.shards],
            )
            facts = dict(zip(kept[::2], kept[1::2], strict=True))
            if is_job_of(name, connection, picked, facts):
                BroughtJob.bring(text(picked), facts, asked)
                return queue_key, picked
            drop_foreign_job(name, connection, picked)
        return None

    def enqueue_dependents(self, job: Job, *arguments: Any, **more: Any) -> None:
        """RQ's, for jobs that others wait for: no job of ours is one."""


@dataclass(slots=True)
class Line:
    """One worker's place at its shard's queue."""

    client: Client
    queue: str
    shard: int
    worker: str
    held: dict[str, None] = field(default_factory=dict)
    """Jobs taken beside the one that RQ knows of."""
    asked: Asked = None
    """What the search asks for that the worker is called for."""

    def take_up(self, pipe: Pipeline, job: BroughtJob) -> None:
        """Take the search of a job up, by a command in a pipeline."""
        self.asked, keys = job.asked, SearchKeys(search_of(job.id))
        of_search = keys.meta, keys.shards, keys.progress, keys.moved
        pipe.eval(TAKE_UP, 5, *of_search, order_key(self.queue), self.shard, job.id)

    def begun(self, search: str) -> Wanted | None:
        """The search that was taken up; None when it or this shard's part of it was done before."""
        taken, self.asked = self.asked, None
        if taken is None:
            return None
        if isinstance(taken, int):
            self.client.end_if_answered(search)
            return None
        asked, interrupted, behind = taken
        return _wanted(search, asked, interrupted=bool(interrupted), behind=behind)

    def beside(self, first: Wanted, room: Room) -> list[Wanted]:
        """Take up what can be done in one pass with a search: of its kind, where there is room beside it."""
        seconds = room.seconds - room.costs.seconds(first.work)
        if first.interrupted or first.behind == 0 or seconds <= 0:
            return []
        return self._take(first, "+inf", replace(room, seconds=seconds), first.kind, 0)

    def overtaking(self, first: Wanted, left: int, room: Room) -> list[Wanted]:
        """Take up what should not wait for the rest, of so many query residues, of the search at work."""
        if first.interrupted:
            return []
        return self._take(first, repr(first.rank), replace(room, residues=left), "", first.rank - left)

    def _take(self, first: Wanted, below: str, room: Room, kind: str, clock: float) -> list[Wanted]:
        anyones = SearchKeys("")
        found = self.client.redis.register_script(BESIDE)(
            keys=[line_key(first.target), order_key(self.queue), self._waiting, self._taken, beside_key(self.queue)],
            args=[
                below, room.seconds, MOST_BESIDE, kind, self.worker, ALIVE_S, clock,
                anyones.meta, anyones.progress, anyones.moved, room.costs.to_json(), room.residues,
            ],
        )  # fmt: skip
        wanted = [_wanted(text(search), asked) for search, asked in found]
        self.held.update({job_id(each.id, self.shard): None for each in wanted})
        return wanted

    def done(self, searches: Sequence[Wanted]) -> None:
        """Forget the jobs of searches that were done beside another."""
        jobs = [job for job in (job_id(each.id, self.shard) for each in searches) if job in self.held]
        if not jobs:
            return
        with self.client.redis.pipeline() as pipe:
            for job in jobs:
                pipe.lrem(self._taken, 1, job)
                pipe.zrem(beside_key(self.queue), self._entry(job))
                pipe.delete(Job.key_for(job))
            pipe.execute()
        for job in jobs:
            self.held.pop(job, None)

    def leave(self) -> None:
        """Put back what was taken and could not be done."""
        with self.client.redis.pipeline() as pipe:
            for job in list(self.held):
                pipe.lrem(self._taken, 1, job)
                pipe.zrem(beside_key(self.queue), self._entry(job))
                pipe.rpush(self._waiting, job)
            # From now on nobody says that they are being done, also where Redis cannot be told.
            self.held.clear()
            pipe.execute()

    def beat(self, pipe: Pipeline) -> None:
        """Say that the worker is still at work on what it took."""
        held = [self._entry(job) for job in list(self.held)]
        if held:
            pipe.eval(BEAT, 1, beside_key(self.queue), ALIVE_S, *held)

    def _entry(self, job: str) -> str:
        return f"{job} {self.worker}"

    @property
    def _waiting(self) -> str:
        return f"{Queue.redis_queue_namespace_prefix}{self.queue}"

    @property
    def _taken(self) -> str:
        return IntermediateQueue.get_intermediate_queue_key(self._waiting)


def _wanted(search: str, asked: Sequence[bytes], *, interrupted: bool = False, behind: int = 0) -> Wanted:
    request, target, residues, work, kind, rank, created, waited, request_id, traceparent = asked
    return Wanted(
        id=search,
        request=SearchRequest.model_validate_json(request),
        target=_TARGET.validate_json(target),
        residues=int(residues),
        work=Work.from_json(work, int(residues)),
        kind=text(kind),
        rank=float(rank),
        origin=Origin(text(request_id) or None, text(traceparent) or None, float(created), float(waited)),
        interrupted=interrupted,
        behind=behind,
    )
