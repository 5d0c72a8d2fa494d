"""Jobs accepted: whole or not at all, and a request that is sent again finds the job that it asked for before.

Two things lead to an earlier job. The claim is a digest of the work, and leads to any job that does the same and
has not failed. A key that the client made up leads to what became of that one request, whatever that was.
"""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Self

from pydantic import TypeAdapter
from redis import Redis, WatchError
from redis.client import Pipeline
from redis.exceptions import RedisError

from shardwater.errors import AlignError
from shardwater.search.warnings import NumberedWarning
from shardwater.software import software
from worker.jobs.clock import server_time, unix_time
from worker.jobs.costs import Work
from worker.jobs.estimates import Question, check_room
from worker.jobs.files import NewFolder
from worker.jobs.ids import new_id, new_mark
from worker.jobs.quotas import CELLS_AN_HOUR, SCORE_BYTES_AN_HOUR, SEARCHES_AN_HOUR, Charge, Intake
from worker.jobs.redis_names import (
    LIVE,
    MARK,
    OWNED_BY,
    SearchKeys,
    alive_key,
    claim_key,
    lists_of,
    once_key,
    onces_key,
    places_of,
    text,
)
from worker.jobs.states import ShardUnavailable, Submission
from worker.jobs.targets import Target, called_by, home_of, target_json
from worker.jobs.unended import check_share
from worker.queue.fair_order import ENQUEUE
from worker.queue.wake_up import call_worker
from worker.telemetry.request_context import carried

ONCE_S = 24 * 3600
"""How long a client's key is remembered."""
MOST_ONCES = 10_000
"""Clients' keys of one account that are remembered: repeats of a request cost it nothing else."""
REMEMBER = """
local now = redis.call('TIME')
redis.call('ZADD', KEYS[2], now[1] + now[2] / 1e6, KEYS[1])
if redis.call('ZCARD', KEYS[2]) > tonumber(ARGV[3]) then redis.call('DEL', redis.call('ZPOPMIN', KEYS[2])[1]) end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[2])
"""
"""Keys: a client's key, and the sorted set of its account's; arguments: what the key leads to, for how many seconds,
and how many keys an account has. The key that its account has not used for longest makes room."""

_WARNINGS = TypeAdapter(tuple[NumberedWarning, ...])


class KeyReused(AlignError):
    """A client's key that came with another request before."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long things are kept, in seconds: a finished job, and a part before it counts as hanging."""

    search_s: int = 7 * 24 * 3600
    job_timeout_s: int = 3600


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job as its kind has planned it (worker/kinds), to be accepted.

    request: its JSON, which the kind reads again; content: what it asks for, equal for equal work; residues: of all
    queries of a search; cells: what it is charged with; work: of each part; batch: a word that parts have in common
    which are done in one pass, empty where each is done alone; rounds: how many there are in any case (rounds.py), and
    later: what those after the first are expected to do together; score_bytes: what is kept of all scores;
    answer_bytes: what the answers of its parts are foreseen to take in its folder.
    """

    kind: str
    request: str
    content: tuple[str, ...]
    target: Target
    residues: int
    cells: int
    work: Work
    batch: str
    title: str = ""
    warnings: tuple[NumberedWarning, ...] = ()
    owner: str = ""
    rounds: int = 1
    later: Work | None = None
    score_bytes: int = 0
    answer_bytes: int = 0

    @property
    def claim(self) -> str:
        """The key of the claim: the content of an owner's request on a database version."""
        return claim_key(_digest([self.kind, *self.content, repr(self.target), software().version, self.owner]))


def costs_of(jobs: Sequence[NewJob]) -> dict[str, int]:
    """What an account is charged with for jobs, by the names of the quotas."""
    return {
        SEARCHES_AN_HOUR: len(jobs),
        CELLS_AN_HOUR: sum(job.cells for job in jobs),
        SCORE_BYTES_AN_HOUR: sum(job.score_bytes for job in jobs),
    }


def question_of(jobs: Sequence[NewJob]) -> Question:
    """What stands before jobs of one owner that run on the same target, as if they were one."""
    later = [job.later for job in jobs if job.later is not None]
    work = Work.together([job.work for job in jobs])
    return Question(jobs[0].target, work, "", jobs[0].owner, later=Work.together(later) if later else None)


@dataclass(frozen=True, slots=True)
class Once:
    """A client's key for one request: where it is kept, and the digest of the request."""

    key: str
    request: str

    @classmethod
    def of(cls, key: str, job: NewJob) -> Self:
        """The key that came with a request. The database's version is no part of that: it may change between two."""
        name = hashlib.sha256(f"{job.owner} {key}".encode()).hexdigest()
        return cls(once_key(name), _digest([job.kind, *job.content]))


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a new job is kept with: the mark of the data, and the queue's time."""

    mark: str
    # To the microsecond, as times go out: a list cut at a shown time is cut just there.
    now: float


class Submissions:
    """Accepts jobs: one transaction, and another try when somebody else was quicker."""

    def __init__(self, redis: Redis, retention: Retention, intake: Intake) -> None:
        self.redis, self.retention, self._intake = redis, retention, intake

    def submit(
        self,
        job: NewJob,
        *,
        fresh: bool = False,
        once: Once | None = None,
        charge: Charge | None = None,
        folder: NewFolder | None = None,
    ) -> Submission:
        """Accept a job, or find the one that answers the same request; `fresh` always runs it anew.

        With `once` the same request gets the same job whatever became of it, unless it has been removed, and another
        one raises KeyReused. Raises ShardUnavailable or QueueFull rather than accept what cannot be run soon; an answer
        that is there needs no worker. Only a job that is run anew is charged: raises what Charge.take does.
        A new job gets the folder, and StorageFull is raised where there is no room for that.
        """
        charge = charge or Charge.nothing(self.redis)
        found = None
        try:
            found = self._submit(job, charge, fresh=fresh, once=once, folder=folder)
        finally:
            if found is None or found.reused:
                charge.give_back()
        return replace(found, standings=charge.standings)

    def _submit(
        self, job: NewJob, charge: Charge, *, fresh: bool, once: Once | None, folder: NewFolder | None
    ) -> Submission:
        claim = job.claim
        # What runs in any case need not know who holds the claim now.
        watched = [*([] if fresh else [claim]), *([once.key] if once else [])]
        with self.redis.pipeline() as pipe:
            while True:
                try:
                    if watched:
                        pipe.watch(*watched)  # type: ignore[no-untyped-call]
                    if once is not None and (before := self.asked_before(once)) is not None:
                        return Submission(before, reused=True)
                    earlier = None if fresh else self.answering(claim)
                    if earlier is not None and once is None:
                        return Submission(earlier, reused=True)
                    if earlier is None:
                        stamp = self.check_room([job])
                        self.check_share([job], charge.account)
                        charge.take()
                        search = new_id(stamp.mark, job.kind)
                        if folder is not None:
                            folder.give_to(search, job.score_bytes + job.answer_bytes)
                    else:
                        search = earlier
                    pipe.multi()
                    if once is not None:
                        self.remember(pipe, once, search, charge.account)
                    if earlier is None:
                        self.accept(pipe, search, job, stamp, charge.account)
                    *_, last = pipe.execute()
                except WatchError:
                    continue
                if earlier is None:
                    if folder is not None:
                        folder.keep()
                    self.call_workers(last if job.target.parts else ())
                return Submission(search, reused=earlier is not None)

    def mark(self) -> str:
        """The mark of the data in Redis, which gets one now if it has none."""
        if (mark := self.redis.get(MARK)) is None:
            self.redis.set(MARK, new_mark(), nx=True)
            mark = self.redis.get(MARK)
        return text(mark)

    def asked_before(self, once: Once) -> str | None:
        """The job that a client's key led to, unless it is gone; raises KeyReused."""
        kept = self.redis.get(once.key)
        if kept is None:
            return None
        request, search = text(kept).split()
        if request != once.request:
            raise KeyReused("the key came with another request before")
        return search if self.redis.exists(SearchKeys(search).meta) else None

    def remember(self, pipe: Pipeline, once: Once, search: str, account: str) -> None:
        """Have a client's key lead to a job; of an account's keys only the latest are remembered."""
        keep = min(ONCE_S, self.retention.search_s)
        value = f"{once.request} {search}"
        pipe.eval(REMEMBER, 2, once.key, onces_key(account), value, str(keep), str(MOST_ONCES))

    def answering(self, claim: str) -> str | None:
        """The job that holds a claim, unless it is gone, failed or cancelled."""
        [found] = self.all_answering([claim])
        return found

    def all_answering(self, claims: Sequence[str]) -> list[str | None]:
        """The same of several."""
        holders = [None if holder is None else text(holder) for holder in self.redis.mget(claims)]
        with self.redis.pipeline(transaction=False) as pipe:
            for holder in filter(None, holders):
                pipe.hmget(SearchKeys(holder).meta, "claim", "outcome")
            stand = iter([bool(exists) and outcome in (None, b"succeeded") for exists, outcome in pipe.execute()])
        return [holder if holder is not None and next(stand) else None for holder in holders]

    def check_room(self, jobs: Sequence[NewJob]) -> Stamp:
        """See whether there is room for jobs that run on the same target; raises ShardUnavailable or QueueFull."""
        target = jobs[0].target
        if target.parts == 0:
            return self.stamp()
        question = question_of(jobs)
        with self.redis.pipeline(transaction=False) as pipe:
            pipe.mget([alive_key(queue) for queue in target.queues])
            question.put(pipe)
            pipe.get(MARK)
            pipe.time()
            alive, ahead, mark, now = pipe.execute()
        _check_alive([value is not None for value in alive], target)
        check_room(question.read(ahead), target, sum(job.cells for job in jobs), self._intake.max_queued_cells)
        return Stamp(text(mark) if mark is not None else self.mark(), unix_time(now))

    def check_share(self, jobs: Sequence[NewJob], account: str) -> None:
        """Raise StorageFull where an account has no room for jobs' requests beside those of others."""
        size = sum(len(job.request) for job in jobs)
        check_share(self.redis, account, size, self._intake.max_stored_bytes)

    def stamp(self) -> Stamp:
        """That of a job that is accepted now."""
        return Stamp(self.mark(), server_time(self.redis))

    def check_alive(self, target: Target) -> None:
        """Raise ShardUnavailable for the first queue that no worker answers for."""
        _check_alive(self.alive(target), target)

    def alive(self, target: Target) -> list[bool]:
        """Whether a worker answers for each of its queues."""
        return [value is not None for value in self.redis.mget([alive_key(queue) for queue in target.queues])]

    def accept(self, pipe: Pipeline, search: str, job: NewJob, stamp: Stamp, account: str) -> None:
        """Have a transaction accept a job; the last of its answers is whom to call, where the job has parts."""
        keys, keep, claim, now = SearchKeys(search), self.retention.search_s, job.claim, stamp.now
        meta: dict[bytes | bytearray | memoryview[int] | str | int | float, str | bytes | float] = {
            "request": job.request,
            "target": target_json(job.target),
            "title": job.title,
            "claim": claim,
            "owner": job.owner,
            "account": account,
            "created": now,
            "residues": job.residues,
            "work": job.work.to_json(),
            "kind": job.batch,
            "warnings": _WARNINGS.dump_json(job.warnings),
        }
        if job.later is not None:
            meta.update({"later": job.later.to_json(), "planned": job.rounds})
        meta.update(carried())
        pipe.hset(keys.meta, mapping=meta)
        pipe.expire(keys.meta, keep)
        pipe.set(keys.known, f"{OWNED_BY}{job.owner}", ex=2 * keep)
        pipe.set(claim, search, ex=keep)
        for listed in lists_of(job.kind, job.owner):
            pipe.zadd(listed, {search: now})
            pipe.zremrangebyscore(listed, 0, now - keep)
            pipe.expire(listed, keep)
        pipe.sadd(LIVE, search)
        if job.target.parts == 0:
            return
        place = places_of(search, job.target)
        # Not a registered script: a pipeline asks first, in a round trip of its own, whether the server knows it.
        pipe.eval(ENQUEUE, len(place), *place, search, job.owner, job.work.to_json(), str(keep), str(job.target.parts))

    def call_workers(self, asleep: Sequence[Sequence[bytes]]) -> None:
        """Have RQ call the workers that are to wake; where we cannot, the watchdog does."""
        # The job has been accepted: its client must not be told otherwise.
        with suppress(RedisError):
            for worker in chain.from_iterable(asleep):
                call_worker(self.redis, home_of(text(worker)))


def _check_alive(answers: Sequence[bool], target: Target) -> None:
    for queue, alive in zip(target.queues, answers, strict=True):
        if not alive:
            raise ShardUnavailable(f"no worker answers for {called_by(queue) or target.called}", queue)


def _digest(parts: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()
