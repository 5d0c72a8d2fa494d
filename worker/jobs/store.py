"""Jobs in Redis: accepted, followed, answered. All that the front end and the tasks know of the queue.

A job is one hash, its shards' results another. It is accepted in one transaction (submission.py): the job with
all its parts is there, or nothing is. How it ended is written once and in one transaction, by whoever is first, so that
a cancel, a failure and the last shard's result cannot contradict each other.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Self, TypeVar, cast

from pydantic import ValidationError
from redis import Redis
from redis.client import Pipeline

from shardwater.search.merge import SearchResult
from worker.access.callers import ANYBODY, Caller
from worker.jobs.composed import stands, tell
from worker.jobs.costs import Work
from worker.jobs.estimates import Estimate, Estimates
from worker.jobs.files import NewFolder
from worker.jobs.ids import SEARCH, called, kind_named, mark_of
from worker.jobs.kept import ended_as, last_of, outlook_of, read_state, readable, reading
from worker.jobs.kept_searches import read_request
from worker.jobs.progress import ShardProgress
from worker.jobs.quotas import CELLS_AN_HOUR, SCORE_BYTES_AN_HOUR, SEARCHES_AN_HOUR, Charge, Intake, digest_of
from worker.jobs.redis_names import (
    ANSWERED,
    LIVE,
    SearchKeys,
    jobs_key,
    lists_of,
    live_searches,
    owner_in,
    owners_key,
    text,
)
from worker.jobs.requests import SearchRequest
from worker.jobs.results.digested import RESULT_JSON
from worker.jobs.results.packing import unpack
from worker.jobs.results.stored import StoredResult
from worker.jobs.scripts import ANSWER, END, GONE, OUTCOMES, SET_IF_KEPT, STORE_PART
from worker.jobs.simulations import Simulations
from worker.jobs.states import (
    ENDED,
    FAILURE_JSON,
    Failure,
    SearchExpired,
    SearchFinished,
    SearchLost,
    SearchNotFound,
    SearchNotReady,
    SearchState,
    SearchUnsuccessful,
    State,
    Submission,
)
from worker.jobs.submission import NewJob, Once, Retention, Submissions, costs_of, question_of
from worker.jobs.targets import DatabaseTarget, JobsTarget, SearchTarget, Target, read_target
from worker.jobs.wholes import NewWhole, WholeSubmission
from worker.telemetry import tracing
from worker.telemetry.counters import Tally

T = TypeVar("T")


class JobStore:
    """Jobs, over one Redis connection pool; safe for use by several threads."""

    def __init__(
        self,
        redis: Redis,
        retention: Retention | None = None,
        tally: Tally | None = None,
        intake: Intake | None = None,
    ) -> None:
        self.redis, self.retention, self.tally = redis, retention or Retention(), tally or Tally()
        self._intake = intake or Intake()
        self._set_field = redis.register_script(SET_IF_KEPT)
        self._store_part = redis.register_script(STORE_PART)
        self._write_end, self._answer = redis.register_script(END), redis.register_script(ANSWER)
        self._outcomes = redis.register_script(OUTCOMES)
        self._estimates = Estimates(redis)
        self._submissions = Submissions(redis, self.retention, self._intake)
        self.simulations = Simulations(redis)
        self.caller, self._kind = ANYBODY, cast(str | None, None)

    def of(self, caller: Caller, kind: str | None = SEARCH) -> Self:
        """The same for one caller, to whom jobs of other owners and of other kinds are as those that never were.

        kind: None for all of them.
        """
        theirs = copy(self)
        theirs.caller, theirs._kind = caller, kind
        return theirs

    @property
    def listed(self) -> str:
        """The sorted set of the jobs of its kind that the caller sees."""
        kind = self._kind or SEARCH
        # Nobody's list is one that there is not: no owner is a blank.
        return jobs_key(kind) if self.caller.sees_all else owners_key(kind, self.caller.owner or " ")

    def sees(self, searches: Sequence[str]) -> list[bool]:
        """Whether each job is, or was until its time was over, one that the caller may know of."""
        if self.caller.sees_all:
            return [True] * len(searches)
        with self.redis.pipeline(transaction=False) as pipe:
            for search in searches:
                # Both, whatever the first one says: who asks for another's job must not tell by the time it takes.
                pipe.hget(SearchKeys(search).meta, "owner")
                pipe.get(SearchKeys(search).known)
            found = readable(pipe.execute(raise_on_error=False))
        return [
            self.caller.owns(owner if owner is not None else owner_in(known))
            for owner, known in zip(found[::2], found[1::2], strict=True)
        ]

    def _check(self, search: str) -> None:
        """Raise SearchNotFound for a job that the caller must not know of, or that is of another kind."""
        if self._kind not in (None, kind_named(search)) or self.sees([search]) != [True]:
            raise self._unknown(search)

    def submit(
        self, job: NewJob, *, fresh: bool = False, once: str = "", folder: NewFolder | None = None
    ) -> Submission:
        """Accept a job, or find the one that answers the same request; see Submissions.submit.

        once: the client's key for this one request, if it has made one up; folder: what the job keeps besides Redis.
        """
        job = replace(job, owner=self.caller.owner)
        with tracing.span("accept", "producer") as noted:
            key = Once.of(once, job) if once else None
            submission = self._submissions.submit(job, fresh=fresh, once=key, charge=self._charge([job]), folder=folder)
            noted.note(shardwater__search=submission.id)
        return submission

    def submit_whole(
        self,
        jobs: Sequence[NewJob],
        whole: Callable[[Sequence[str]], NewJob],
        *,
        fresh: bool = False,
        once: str = "",
        room: Callable[[], None] = lambda: None,
    ) -> Submission:
        """Accept a job that is made of others, and those of them that are not there; see WholeSubmission.

        whole: that job, by the ids of the others; room: raises StorageFull where there is none for files of new jobs.
        """
        own = partial(replace, owner=self.caller.owner)
        with tracing.span("accept", "producer") as noted:
            new = NewWhole([own(job) for job in jobs], lambda ids: own(whole(ids)))
            submission = WholeSubmission(self._submissions, new, self._charge, fresh, once, room).submit()
            noted.note(shardwater__search=submission.id)
        return submission

    def _charge(self, jobs: Sequence[NewJob]) -> Charge:
        return Charge(self.redis, digest_of(self.caller.account), costs_of(jobs), self._intake.quotas)

    def request(self, search: str) -> tuple[SearchRequest, SearchTarget]:
        """What a search asks for, and of which databases; raises DamagedJob."""
        request, target = self.request_read(search, read_request), self.target(search)
        with reading(search):
            if not isinstance(target, SearchTarget):
                raise ValueError("a search is of a database")
        return request, target

    def request_read(self, search: str, read: Callable[[bytes], T]) -> T:
        """What a job of any kind asks for, read as its kind has it; raises DamagedJob."""
        return self._field(search, "request", read)

    def target(self, search: str) -> Target:
        """What a job runs on; raises DamagedJob."""
        return self._field(search, "target", read_target)

    def work(self, search: str) -> Work:
        """What each of its parts takes; raises DamagedJob."""
        return self._field(search, "work", lambda kept: Work.from_json(kept, 0))

    def _field(self, search: str, name: str, read: Callable[[bytes], T]) -> T:
        self._check(search)
        with reading(search):
            kept = self.redis.hget(SearchKeys(search).meta, name)
            if kept is None:
                raise self._missing(search)
            return read(cast(bytes, kept))

    def live_targets(self) -> set[DatabaseTarget]:
        """The database versions that jobs wait for which have not ended."""
        with self.redis.pipeline(transaction=False) as pipe:
            for search in live_searches(self.redis):
                pipe.hget(SearchKeys(search).meta, "target")
            found = pipe.execute(raise_on_error=False)
        targets = set()
        for target in found:
            # One that is gone, or that cannot be read, is the watchdog's (recovery.py).
            with suppress(ValidationError):
                targets.add(read_target(target if isinstance(target, bytes) else b""))
        databases = chain.from_iterable(each.databases for each in targets if isinstance(each, SearchTarget))
        return {replace(each, part=None) for each in databases}

    def outcome(self, search: str) -> State | None:
        """How a job ended, None while it has not; one that is gone, or that is damaged, counts as cancelled."""
        [outcome] = self.outcomes([search])
        return outcome

    def outcomes(self, searches: Sequence[str]) -> list[State | None]:
        """The same of several, in one round trip."""
        return [ended_as(each) for each in self._outcomes(keys=[SearchKeys(search).meta for search in searches])]

    def report(self, search: str, shard: int, progress: ShardProgress, pipe: Pipeline | None = None) -> None:
        """Note how far a part is, at once or as a part of a pipeline."""
        keys = SearchKeys(search)
        self._set_field(keys=[keys.meta, keys.progress, keys.moved], args=[shard, progress.to_text()], client=pipe)

    def store_part(
        self, search: str, shard: int, packed: bytes, shards: int, round_: int, pipe: Pipeline | None = None
    ) -> None:
        """Keep the result of one of so many shards in a round, at once or as a part of a pipeline.

        A repeat overwrites it with the same bytes; one that comes when the job is in another round is left out.
        """
        keys = SearchKeys(search)
        places = [keys.meta, keys.shards, keys.moved, ANSWERED]
        self._store_part(keys=places, args=[search, shard, packed, shards, round_], client=pipe)

    def answer(self, search: str, whole: bytes, shards: int) -> None:
        """Keep the result that was merged of so many shards' and end the job, unless it has ended."""
        keys = SearchKeys(search)
        done = self._answer(keys=[keys.meta, LIVE, keys.done, keys.shards, keys.whole], args=[search, whole, shards])
        if done == 1:
            self.tally.add("ended", "succeeded")
            tell(self.redis, search, failed=False)

    def charge_cells(self, search: str, cells: int) -> None:
        """Charge the account of a job that has another round with what that takes; raises what Charge.take does."""
        account = self.redis.hget(SearchKeys(search).meta, "account")
        if account and cells:
            costs = {SEARCHES_AN_HOUR: 0, CELLS_AN_HOUR: cells, SCORE_BYTES_AN_HOUR: 0}
            Charge(self.redis, text(account), costs, self._intake.quotas).take()

    def fail(self, search: str, failure: Failure) -> None:
        """End a job with a reason, unless it has ended, and let the next such request run anew."""
        self._end(search, "failed", FAILURE_JSON.dump_json(failure))

    def cancel(self, search: str) -> bool:
        """End a job; False when it was cancelled before. Raises SearchFinished when it ended otherwise."""
        self._check(search)
        with reading(search):
            if self._end(search, "cancelled"):
                return True
            if self.redis.hget(SearchKeys(search).meta, "outcome") == b"cancelled":
                return False
        raise SearchFinished(f"{called(search)} has ended")

    def _end(self, search: str, outcome: State, failure: bytes = b"") -> bool:
        """Write how a job ended, unless somebody has; returns whether it was we. All of it or nothing is written."""
        keys = SearchKeys(search)
        done = self._write_end(keys=[keys.meta, LIVE, keys.done, keys.shards], args=[search, outcome, failure])
        if done == GONE:
            raise self._missing(search)
        if done:
            self.tally.add("ended", outcome)
            tell(self.redis, search, failed=True)
        return bool(done)

    def delete(self, search: str) -> None:
        """Remove a job and all that it left; a running one stops."""
        self._check(search)
        with reading(search):
            self._remove(search, SearchKeys(search).known)

    def remove_early(self, search: str) -> None:
        """Remove an ended job before its time; it counts as expired from then on."""
        with suppress(SearchNotFound, SearchExpired):
            self._remove(search)

    def _remove(self, search: str, *besides: str) -> None:
        keys = SearchKeys(search)
        claim, owner = self.redis.hmget(keys.meta, "claim", "owner")
        if claim is None:
            raise self._missing(search)
        self._end(search, "cancelled")
        with self.redis.pipeline() as pipe:
            pipe.delete(*keys.data, *besides)
            for listed in lists_of(kind_named(search), text(owner or "")):
                pipe.zrem(listed, search)
            pipe.execute()
        if self.redis.get(claim) == search.encode():
            self.redis.delete(claim)

    def state(self, search: str) -> SearchState:
        """A job as it stands; raises DamagedJob."""
        self._check(search)
        kept = read_state(self.redis, search, self.retention.search_s)
        if kept is None:
            raise self._missing(search)
        state, question = kept
        if isinstance(question.target, JobsTarget):
            return stands(self.of(self.caller, None), state, question.target.jobs)
        ahead = None if state.state in ENDED else outlook_of(self._estimates, question)
        return state if ahead is None else replace(state, position=ahead.position, estimate_s=ahead.total_seconds)

    def estimate(self, *jobs: NewJob) -> Estimate:
        """What jobs that run on the same target would take; nothing is queued. Raises ShardUnavailable as submit does.

        Those that earlier ones answer cost nothing.
        """
        asked = [replace(job, owner=self.caller.owner) for job in jobs]
        earlier = self._submissions.all_answering([job.claim for job in asked])
        if missing := [job for job, found in zip(asked, earlier, strict=True) if found is None]:
            self._submissions.check_alive(missing[0].target)
            outlook = self._estimates.outlook(question_of(missing))
        else:
            outlook = last_of(self.redis, self._estimates, [found for found in earlier if found])
        return Estimate(reused=not missing, cells=sum(job.cells for job in missing), outlook=outlook)

    def check_alive(self, target: Target) -> None:
        """Raise ShardUnavailable for the first queue that no worker answers for."""
        self._submissions.check_alive(target)

    def alive(self, target: Target) -> list[bool]:
        """Whether a worker answers for each of its queues."""
        return self._submissions.alive(target)

    def result(self, search: str) -> SearchResult:
        """A succeeded search's result."""
        return RESULT_JSON.validate_json(self.result_json(search))

    def result_json(self, search: str) -> bytes:
        """A succeeded job's result as JSON."""
        return unpack(self.packed_result(search))

    def stored(self, search: str) -> StoredResult:
        """A succeeded search's result as it is kept."""
        return StoredResult(self.packed_result(search))

    def answered_part(self, search: str, number: int) -> bytes | None:
        """What is kept of a part that was answered, until the job ends; None where none is."""
        self._check(search)
        with reading(search):
            return cast(bytes | None, self.redis.hget(SearchKeys(search).shards, str(number))) or None

    def packed_result(self, search: str) -> bytes:
        """What a succeeded job's kind has found, as it is kept."""
        self._check(search)
        keys = SearchKeys(search)
        with reading(search), self.redis.pipeline() as pipe:
            pipe.hget(keys.meta, "outcome")
            pipe.get(keys.whole)
            outcome, whole = pipe.execute()
        if outcome != b"succeeded":
            self._check_succeeded(search)
            # It has ended meanwhile.
            with reading(search):
                whole = self.redis.get(keys.whole)
        if whole is None:
            raise SearchExpired(f"the parts of {called(search)} were never merged by the version that searched them")
        return cast(bytes, whole)

    def packed_results(self, searches: Sequence[str]) -> list[bytes]:
        """The same of several, in one round trip where all have succeeded."""
        found = cast(list[bytes | None], self.redis.mget([SearchKeys(search).whole for search in searches]))
        # Of one that has none, packed_result says why.
        return [whole or self.packed_result(search) for search, whole in zip(searches, found, strict=True)]

    def time_left(self, search: str) -> int:
        """Seconds until a succeeded job's result is removed; raises what result_json does."""
        self._check(search)
        meta = SearchKeys(search).meta
        with reading(search), self.redis.pipeline(transaction=False) as pipe:
            pipe.hget(meta, "outcome")
            pipe.ttl(meta)
            outcome, left = pipe.execute()
        if outcome != b"succeeded":
            self._check_succeeded(search)
            with reading(search):
                left = self.redis.ttl(meta)
        return max(0, int(left))

    def _check_succeeded(self, search: str) -> None:
        state = self.state(search)
        if state.state in ("queued", "running"):
            raise SearchNotReady(f"{called(search)} is {state.state}")
        if state.state != "succeeded":
            raise SearchUnsuccessful(state.error.detail if state.error else f"{called(search)} was {state.state}")

    def _missing(self, search: str) -> SearchNotFound | SearchExpired:
        if self.redis.exists(SearchKeys(search).known):
            return SearchExpired(f"{called(search)} has been removed at the end of its time, or to make room")
        return self._unknown(search)

    def _unknown(self, search: str) -> SearchNotFound | SearchLost:
        # The mark says nothing of whose it was: what is lost is lost to everybody.
        if mark_of(search) not in (None, self._submissions.mark()):
            return SearchLost(f"{called(search)} was accepted, and the queue has lost its data since: send it again")
        return SearchNotFound(f"no {called(search, self._kind)}")
