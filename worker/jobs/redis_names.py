"""Names in Redis: the queue of each shard and the keys of each job."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from worker.jobs.ids import SEARCH, is_id
from worker.jobs.targets import Target, order_of

if TYPE_CHECKING:
    from redis import Redis

PREFIX = "shardwater"

LIVE = f"{PREFIX}:live"
"""Set of the ids of jobs that have not ended."""
SEARCHES = f"{PREFIX}:searches"
"""Sorted set of all searches kept, by the time of their creation."""
MARK = f"{PREFIX}:mark"
"""What ids of jobs say of the data that they are kept in (ids.py)."""
ANSWERED = f"{PREFIX}:answered"
"""List of the jobs that all shards have answered, for a front end to merge; some may have ended since."""
OWNED_BY = "owned by "
"""Before the owner in what outlives a job; earlier versions kept something else there."""
BEGUN = "begun"
"""What is said of a job when a worker leases a part of it, so that those behind it have moved on."""


def jobs_key(kind: str) -> str:
    """Sorted set of all jobs kept of a kind, by the time of their creation."""
    return SEARCHES if kind == SEARCH else f"{PREFIX}:{kind}s"


def owners_key(kind: str, owner: str) -> str:
    """Sorted set of an owner's jobs kept of a kind; of all of the kind where nobody owns any."""
    return f"{jobs_key(kind)}:{owner}" if owner else jobs_key(kind)


def lists_of(kind: str, owner: str) -> set[str]:
    """The sorted sets that a job of a kind and an owner stands in."""
    return {jobs_key(kind), owners_key(kind, owner)}


def waiting_key(queue: str) -> str:
    """Sorted set of the parts that wait in a queue, by rank."""
    return f"{PREFIX}:waiting:{queue}"


def leased_key(queue: str) -> str:
    """Sorted set of the parts that workers have leased, each with its worker, by the time at which the lease lapses."""
    return f"{PREFIX}:leased:{queue}"


def ring_channel(queue: str) -> str:
    """Channel on which something is said when a part has come, for workers that are awake."""
    return f"{PREFIX}:ring:{queue}"


def asleep_key(queue: str) -> str:
    """Set of the workers of a queue that wait for RQ to call them."""
    return f"{PREFIX}:asleep:{queue}"


def order_key(queue: str) -> str:
    """Hash of what a queue and others of its database have in common: the clock of their order, and what waits."""
    return f"{PREFIX}:order:{order_of(queue)}"


def places_of(search: str, target: Target) -> list[str]:
    """The keys of a job's place in its queues, as ENQUEUE has them (fair_order.py)."""
    of_queues = [
        key
        for queue in target.queues
        for key in (waiting_key(queue), ring_channel(queue), asleep_key(queue), costs_key(queue), order_key(queue))
    ]
    return [SearchKeys(search).meta, *of_queues]


def part_id(search: str, shard: int) -> str:
    """The id of a job's part by its number; that of a search of one database is its shard's."""
    return f"{search}-{shard}"


def search_of(part: str) -> str:
    """The job that a part is of."""
    return part.rpartition("-")[0]


def lease_entry(part: str, worker: str) -> str:
    """What stands for a part among those that are leased."""
    return f"{part} {worker}"


def part_of(lease: str) -> str:
    """The part that an entry among those that are leased is about."""
    return lease.partition(" ")[0]


def worker_of(lease: str) -> str:
    """The worker that has it."""
    return lease.partition(" ")[2]


def alive_key(queue: str) -> str:
    """Set, with a short life, by each worker of the queue as long as it lives."""
    return f"{PREFIX}:alive:{queue}"


def costs_key(queue: str) -> str:
    """Hash: what work costs each worker of the queue (costs.py), by its name."""
    return f"{PREFIX}:costs:{queue}"


def refused_key(queue: str) -> str:
    """How often a worker of the queue could not load its shard of late."""
    return f"{PREFIX}:refused:{queue}"


def claim_key(digest: str) -> str:
    """Which job answers a request of this content."""
    return f"{PREFIX}:claim:{digest}"


def once_key(name: str) -> str:
    """Which job the request with this Idempotency-Key (a digest of it) asked for."""
    return f"{PREFIX}:once:{name}"


def onces_key(account: str) -> str:
    """Sorted set of an account's latest keys of this kind, by the time of their last use."""
    return f"{PREFIX}:once-times:{account}"


def text(value: object) -> str:
    """A string as Redis gives it: bytes, since no connection of ours decodes."""
    return value.decode() if isinstance(value, bytes) else str(value)


def owner_in(known: bytes | None) -> bytes | None:
    """The owner, by what outlives a job."""
    mark = OWNED_BY.encode()
    return known.removeprefix(mark) if known is not None and known.startswith(mark) else None


def live_searches(redis: "Redis") -> list[str]:
    """The jobs that have not ended; members that are no ids are removed, since nothing else ever would."""
    members = cast(set[bytes], redis.smembers(LIVE))
    odd = {member for member in members if not is_id(member.decode("latin-1"))}
    if odd:
        redis.srem(LIVE, *odd)
    return sorted(map(text, members - odd))


@dataclass(frozen=True, slots=True)
class SearchKeys:
    """The keys of one job."""

    id: str

    @property
    def meta(self) -> str:
        """Hash: the request and what became of it."""
        return f"{PREFIX}:search:{self.id}"

    @property
    def shards(self) -> str:
        """Hash: shard index to its stored result, until all are merged."""
        return f"{PREFIX}:shards:{self.id}"

    @property
    def progress(self) -> str:
        """Hash: shard index to how far it is (progress.py)."""
        return f"{PREFIX}:progress:{self.id}"

    @property
    def whole(self) -> str:
        """The whole result of a job that has succeeded."""
        return f"{PREFIX}:merged:{self.id}"

    @property
    def merging(self) -> str:
        """There while a front end merges a large result."""
        return f"{PREFIX}:merging:{self.id}"

    @property
    def wholes(self) -> str:
        """Set of the jobs that this one is part of (composed.py)."""
        return f"{PREFIX}:wholes:{self.id}"

    @property
    def awaited(self) -> str:
        """Set of the jobs that this one is made of which have not ended (composed.py)."""
        return f"{PREFIX}:awaited:{self.id}"

    @property
    def known(self) -> str:
        """The owner; outlives the job, to tell an expired id from one that never was."""
        return f"{PREFIX}:known:{self.id}"

    @property
    def done(self) -> str:
        """Channel: a word when the job has ended."""
        return f"{PREFIX}:done:{self.id}"

    @property
    def moved(self) -> str:
        """Channel: a word when the job has begun (BEGUN) or got on."""
        return f"{PREFIX}:moved:{self.id}"

    @property
    def data(self) -> tuple[str, ...]:
        """All keys that hold data of the user."""
        return self.meta, self.shards, self.progress, self.whole, self.wholes, self.awaited
