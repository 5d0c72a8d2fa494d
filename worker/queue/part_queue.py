"""A queue of parts as one worker sees it: it leases what is next, renews what it has, and says when it is done.

A lease lapses when its worker is not heard of for ALIVE_S; recovery.py queues the part again. Redis counts the time.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, ValidationError
from redis.client import Pipeline, PubSub

from worker.jobs.costs import Room, Work
from worker.jobs.redis_names import (
    SearchKeys,
    asleep_key,
    lease_entry,
    leased_key,
    part_id,
    ring_channel,
    shard_of,
    text,
    waiting_key,
)
from worker.jobs.states import TARGET_JSON, Failure, SearchTarget
from worker.jobs.store import JobStore
from worker.jobs.worker_registry import ALIVE_S
from worker.kinds import kind_of
from worker.queue.fair_order import LEASE, RENEW, SLEEP
from worker.telemetry.request_context import Origin
from worker.telemetry.safe_traceback import outline

log = logging.getLogger(__name__)

SUBSCRIBE_S = 5.0
"""How long the server may take to say that it has heard, in seconds."""


@dataclass(frozen=True, slots=True)
class LeasedPart:
    """A part that a worker has leased: what its job asks for, its query residues, work and rank.

    size: what it counts in its queue's order (fair_order.py).

    interrupted: how often its worker has died while it ran, and may have died of it.
    """

    search: str
    request: BaseModel
    target: SearchTarget
    residues: int
    work: Work
    rank: float
    size: float
    origin: Origin
    interrupted: int = 0


@dataclass(slots=True)
class PartQueue:
    """One worker's way to the queue of its shard; used by the thread that works, leases are renewed by the heart."""

    store: JobStore
    name: str
    worker: str
    leases: dict[str, None] = field(default_factory=dict)
    """Entries of what the worker has leased."""
    _bell: PubSub | None = None
    """What hears of parts that come; listens before the worker first looks, so that none is missed."""
    _asleep: bool = True

    @property
    def shard(self) -> int:
        """The number of the shard."""
        return shard_of(self.name)

    def lease(self, room: Room) -> list[LeasedPart]:
        """The part whose turn it is, and those of its kind that go in one pass with it; nothing where none waits."""
        return self._lease("+inf", room, 0)

    def lease_better(self, first: LeasedPart, left: float, room: Room) -> list[LeasedPart]:
        """Parts that should not wait for the rest, such a share of it, of the one at work."""
        # Once may be by chance, as when the service is stopped; of what dies again, others must not die along.
        if first.interrupted > 1:
            return []
        shorter = replace(room, longest=left * room.costs.seconds(first.work))
        return self._lease(f"({first.rank!r}", shorter, first.rank - left * first.size)

    def _lease(self, below: str, room: Room, clock: float) -> list[LeasedPart]:
        anyones = SearchKeys("")
        # What has been said of parts until now, the script will see.
        self.rung()
        found = self.store.redis.register_script(LEASE)(
            keys=[waiting_key(self.name), leased_key(self.name)],
            args=[
                self.shard, self.worker, ALIVE_S, below, room.seconds, room.longest, room.costs.to_json(), clock,
                anyones.meta, anyones.shards, anyones.progress, anyones.moved,
            ],
        )  # fmt: skip
        self.leases.update({self._entry(text(search)): None for search, *_ in found})
        return [part for part in map(self._read, found) if part is not None]

    def _read(self, found: Sequence[bytes]) -> LeasedPart | None:
        """What LEASE says of a part; the search of one that cannot be read fails."""
        search = text(found[0])
        try:
            return _leased(search, found)
        except (ValidationError, ValueError, TypeError) as error:
            # No version of ours writes that.
            log.error("search %s cannot be read: %s", search, outline(error))
            self.store.fail(search, Failure("shard-failed", "what the search asks for cannot be read", self.shard))
            self._forget([search])
            return None

    def await_part(self, seconds: float) -> bool:
        """Wait until a part comes, for so long at most; whether something has come."""
        return self._listen().get_message(timeout=seconds) is not None

    def rung(self) -> bool:
        """Whether a part has come since this, or await_part, was last asked; asks Redis nothing."""
        bell, rung = self._listen(), False
        while bell.get_message(timeout=0) is not None:
            rung = True
        return rung

    def _listen(self) -> PubSub:
        if self._bell is None:
            bell = self.store.redis.pubsub()  # type: ignore[no-untyped-call]
            bell.subscribe(ring_channel(self.name))
            # The server's word that it does.
            bell.get_message(timeout=SUBSCRIBE_S)
            self._bell = bell
        return self._bell

    def wake(self) -> None:
        """Say that RQ need not call this worker."""
        if self._asleep:
            self.store.redis.srem(asleep_key(self.name), self.worker)
            self._asleep = False

    def may_sleep(self) -> bool:
        """Whether nothing waits; from then on this worker counts on a call."""
        script = self.store.redis.register_script(SLEEP)
        self._asleep = bool(script(keys=[waiting_key(self.name), asleep_key(self.name)], args=[self.worker]))
        return self._asleep

    def ring(self) -> None:
        """Have the workers look up that wait for parts."""
        self.store.redis.publish(ring_channel(self.name), "part")

    def finish(self, parts: Sequence[LeasedPart]) -> None:
        """Give up the leases of parts that are done."""
        self._forget([part.search for part in parts])

    def _forget(self, searches: Sequence[str]) -> None:
        entries = [self._entry(search) for search in searches]
        self.store.redis.zrem(leased_key(self.name), *entries)
        for entry in entries:
            self.leases.pop(entry, None)

    def lapse(self) -> None:
        """Have what was leased count as interrupted: something that may be its fault keeps it from being done."""
        if self.leases:
            self.store.redis.zadd(leased_key(self.name), dict.fromkeys(self.leases, 1), xx=True)
            self.leases.clear()

    def renew(self, pipe: Pipeline) -> None:
        """Say that the worker is still at work on what it has leased."""
        entries = list(self.leases)
        if entries:
            pipe.eval(RENEW, 1, leased_key(self.name), ALIVE_S, *entries)

    def _entry(self, search: str) -> str:
        return lease_entry(part_id(search, self.shard), self.worker)


def _leased(search: str, found: Sequence[bytes]) -> LeasedPart:
    _, request, target, residues, work, rank, created, waited, request_id, traceparent, interrupted, size = found
    return LeasedPart(
        search=search,
        request=kind_of(search).read(request),
        target=TARGET_JSON.validate_json(target),
        residues=int(residues),
        work=Work.from_json(work, int(residues)),
        rank=float(rank),
        size=float(size),
        origin=Origin(text(request_id) or None, text(traceparent) or None, float(created), float(waited)),
        interrupted=int(interrupted),
    )
