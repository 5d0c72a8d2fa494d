"""A job's next round: its parts are done once more in another way, or others that the last ones have shown.

One script takes the job from one round to the other: whoever looks finds each part answered, leased or waiting.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Self

from redis.exceptions import RedisError

from worker.jobs.costs import Work
from worker.jobs.redis_names import SearchKeys, places_of, text
from worker.jobs.states import Phase
from worker.jobs.targets import Target, home_of, target_json
from worker.queue.fair_order import AGAIN
from worker.queue.wake_up import call_worker

if TYPE_CHECKING:
    from worker.jobs.store import JobStore


@dataclass(frozen=True, slots=True)
class Round:
    """The next round of a job: its parts, the work of each, and what is done meanwhile.

    cells: what the account is charged with besides.
    """

    target: Target
    work: Work
    phase: Phase
    cells: int = 0

    @classmethod
    def repeated(cls, store: "JobStore", job: str) -> Self:
        """All parts of a job once more. Raises SearchNotFound, SearchExpired and DamagedJob."""
        return cls(store.target(job), store.work(job), "scoring")


def do_again(store: "JobStore", job: str, ended: int, round_: Round) -> None:
    """Begin the round of a job that follows the one that has ended, unless it has begun or the job has ended.

    Raises QuotaExceeded or LimitExceeded where the account has not so many cells left: then the job has to fail.
    """
    if (asleep := _begun(store, job, ended, round_)) is None:
        return
    store.charge_cells(job, round_.cells)
    # Where we cannot, the watchdog does.
    with suppress(RedisError):
        for worker in chain.from_iterable(asleep):
            call_worker(store.redis, home_of(text(worker)))


def _begun(store: "JobStore", job: str, ended: int, round_: Round) -> Sequence[Sequence[bytes]] | None:
    """The workers to be called; None where nothing has begun."""
    keys, target = SearchKeys(job), round_.target
    found: Sequence[Sequence[bytes]] | None = store.redis.register_script(AGAIN)(
        keys=[*places_of(job, target), keys.shards, keys.progress, keys.moved],
        args=[
            job, round_.work.to_json(), store.retention.search_s, target.parts, round_.phase,
            target_json(target), ended,
        ],
    )  # fmt: skip
    return found
