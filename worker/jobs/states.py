"""What is known of a job while it runs and after, and why it may not be answered."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pydantic import TypeAdapter

from shardwater.errors import AlignError
from shardwater.search.databases import SearchedDatabase
from shardwater.search.warnings import NumberedWarning

State = Literal["queued", "running", "succeeded", "failed", "cancelled"]
Phase = Literal["queued", "scoring", "aligning", "merging"]
"""What is done of a job that has not ended; merging: its result is made and stored."""
ENDED: tuple[State, ...] = ("succeeded", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job failed: a problem type's name, a sentence, and the shard where it happened."""

    type: str
    detail: str
    shard: int | None = None


FAILURE_JSON = TypeAdapter(Failure)
"""A failure as a job keeps it."""


@dataclass(frozen=True, slots=True)
class ShardCount:
    """Shards that have answered, of all."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class SearchState:
    """A job as it stands; progress runs from 0 to 1, times are UTC.

    position counts the jobs before this one in its longest queue, estimate_s the seconds until its end, theirs
    included; phase, position and estimate are None once it has ended. databases: empty of what needs none; shards: its
    parts.
    """

    id: str
    state: State
    title: str
    databases: tuple[SearchedDatabase, ...]
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime
    progress: float
    phase: Phase | None
    shards: ShardCount
    error: Failure | None
    position: int | None
    estimate_s: float | None
    warnings: tuple[NumberedWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """How an account stands with one of its quotas; reset_s is None before the first use."""

    name: str
    limit: int
    used: int
    reset_s: int | None

    @property
    def left(self) -> int:
        """What may still be used in this window."""
        return max(0, self.limit - self.used)


@dataclass(frozen=True, slots=True)
class Submission:
    """An accepted job; reused when an earlier job already answers the same request. Standings are of the quotas
    that there are.
    """

    id: str
    reused: bool
    standings: tuple[Standing, ...] = ()


class SearchNotFound(AlignError):
    """No job has this id."""


class SearchExpired(AlignError):
    """The job was there, and its result has been removed at the end of its time."""


class SearchLost(SearchExpired):
    """The job was accepted, and the queue has lost its data since."""


class SearchNotReady(AlignError):
    """The job has not ended, so that there is no result yet."""


class SearchUnsuccessful(AlignError):
    """The job failed or was cancelled: there is no result."""


class SearchFinished(AlignError):
    """The job has ended: there is nothing to cancel."""


class DamagedJob(AlignError):
    """What is kept of a job is what no version of ours writes."""


class ShardUnavailable(AlignError):
    """No worker answers for a shard of a database, or for any part: nobody serves this queue."""

    def __init__(self, message: str, queue: str) -> None:
        super().__init__(message)
        self.queue = queue


class QueueFull(AlignError):
    """More stands before a job than the service takes on; retry_s: when there should be room, in seconds."""

    def __init__(self, called: str, retry_s: int) -> None:
        super().__init__(f"the queue of {called} is full")
        self.retry_s = retry_s


def utc(timestamp: float) -> datetime:
    """A Unix time as a datetime with its zone."""
    return datetime.fromtimestamp(timestamp, UTC)
