"""What is kept of a job, read: no version of ours writes what cannot be, but somebody may, and a disk may fail.

One damaged job must harm no other: whatever its readers stumble over becomes one error, by which it is told apart.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import TypeAdapter
from redis import Redis
from redis.exceptions import ResponseError

from shardwater.search.warnings import NumberedWarning
from worker.jobs.costs import Work
from worker.jobs.estimates import NOTHING_AHEAD, Estimates, Outlook, Question
from worker.jobs.ids import called
from worker.jobs.progress import NOT_BEGUN, Rounds, SearchProgress
from worker.jobs.redis_names import SearchKeys
from worker.jobs.results.packing import UnpackingError
from worker.jobs.states import ENDED, FAILURE_JSON, DamagedJob, SearchState, ShardCount, State, utc
from worker.jobs.targets import JobsTarget, SearchTarget, read_target
from worker.telemetry.safe_traceback import outline

_WARNINGS = TypeAdapter(tuple[NumberedWarning, ...])
_UNREADABLE = (
    ValueError, TypeError, AttributeError, ArithmeticError, LookupError, OSError, RecursionError, UnpackingError
)  # fmt: skip
"""What readers raise for odd bytes: pydantic's errors and those of text are ValueErrors, a time's may be OSErrors."""

LOOKED_AT = 16
"""Of many jobs of one request those whose state is looked at; of the others nothing is told."""

log = logging.getLogger(__name__)


@contextmanager
def reading(job: str) -> Iterator[None]:
    """Around what reads a job's fields: raises DamagedJob where they are of another type, or cannot be understood."""
    try:
        yield
    except ResponseError as error:
        if not _is_of_another_type(error):
            raise
        raise _damaged(job) from error
    except _UNREADABLE as error:
        raise _damaged(job) from error


def _damaged(job: str) -> DamagedJob:
    return DamagedJob(f"what is kept of {called(job)} cannot be read")


def _is_of_another_type(error: Exception) -> bool:
    """Whether a key is no hash, say: other refusals are the server's state, and no fault of a job."""
    return isinstance(error, ResponseError) and "WRONGTYPE" in str(error)


def readable(answers: Sequence[Any]) -> list[Any]:
    """A pipeline's answers (raise_on_error=False), with None from keys of another type; raises other errors."""
    for answer in answers:
        if isinstance(answer, Exception) and not _is_of_another_type(answer):
            raise answer
    return [None if isinstance(answer, Exception) else answer for answer in answers]


def read_outcome(outcome: bytes | None) -> State | None:
    """How a job ended, None while it has not; raises ValueError for what is no end."""
    if outcome is None:
        return None
    for end in ENDED:
        if outcome == end.encode():
            return end
    raise ValueError("a job does not end so")


def ended_as(outcome: bytes | None) -> State | None:
    """The same, where what is no end counts as a cancel."""
    try:
        return read_outcome(outcome)
    except ValueError:
        return "cancelled"


def read_state(redis: Redis, job: str, keep_s: int) -> tuple[SearchState, Question] | None:
    """A job as it stands, but for what is before it, which the question asks for; None where it is gone."""
    keys = SearchKeys(job)
    with reading(job):
        with redis.pipeline(transaction=False) as pipe:
            pipe.hmget(keys.meta, "target", "outcome", "failure", "created", "finished", "title", "warnings")
            pipe.hmget(keys.meta, "work", "residues", "later", "planned", "round", "again")
            pipe.hkeys(keys.shards)
            pipe.hgetall(keys.progress)
            found, (work, residues, expected, planned, number, again), done, begun = pipe.execute()
        raw_target, outcome, failure, created, finished, title, warnings = found
        if raw_target is None:
            return None
        target, end = read_target(raw_target), read_outcome(outcome)
        # Versions before did not count rounds: there were two at most.
        number, planned = int(number or (2 if again else 1)), int(planned or (2 if expected else 1))
        rounds = Rounds.of(number, planned, again)
        composed = isinstance(target, JobsTarget)
        progress = NOT_BEGUN if composed else SearchProgress.of(begun, done, target.parts, rounds)
        state = SearchState(
            id=job,
            state=end or ("queued" if progress.phase == "queued" else "running"),
            title=title.decode(),
            databases=target.searched if isinstance(target, SearchTarget) else (),
            created_at=utc(float(created)),
            finished_at=utc(float(finished)) if finished else None,
            expires_at=utc(float(created) + keep_s),
            progress=1.0 if end == "succeeded" else progress.share,
            phase=None if end else progress.phase,
            shards=ShardCount(len(done), target.parts),
            error=FAILURE_JSON.validate_json(failure) if failure else None,
            position=None,
            estimate_s=None,
            warnings=_WARNINGS.validate_json(warnings) if warnings else (),
        )
        left = max(0, planned - number)
        later = Work.from_json(expected, 0).times(left / (planned - 1)) if expected and left else None
        return state, Question(target, Work.from_json(work, int(residues)), job, progress=progress, later=later)


def outlook_of(estimates: Estimates, question: Question) -> Outlook | None:
    """What stands before a job; None where another job before it is such that it cannot be counted."""
    try:
        return estimates.outlook(question)
    except ResponseError as error:
        if type(error) is not ResponseError:
            # The server's state: it is loading, full, or a replica.
            raise
        log.warning("what stands before %s cannot be told: %s", called(question.search), outline(error))
        return None


def last_of(redis: Redis, estimates: Estimates, jobs: Sequence[str]) -> Outlook:
    """What stands before that one of some accepted jobs which ends last, as far as a few of them tell."""
    kept = [read_state(redis, job, 0) for job in few_of(jobs)]
    questions = [each[1] for each in kept if each is not None and each[0].state not in ENDED]
    return max(map(estimates.outlook, questions), key=lambda each: each.total_seconds, default=NOTHING_AHEAD)


def few_of(jobs: Sequence[str]) -> list[str]:
    """Those of many jobs that are looked at; the last one says when all are done."""
    return [*jobs[: LOOKED_AT - 1], *jobs[LOOKED_AT - 1 :][-1:]]
