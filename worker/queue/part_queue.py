"""The queues of parts as one worker sees them: it leases what is next, renews what it has, and says when it is done.

A lease lapses when its worker is not heard of for ALIVE_S; recovery.py queues the part again. Redis counts the time.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, ValidationError
from redis.client import Pipeline, PubSub

from worker.jobs.costs import Room, Work
from worker.jobs.ids import called, kind_named
from worker.jobs.redis_names import (
    SearchKeys,
    asleep_key,
    lease_entry,
    leased_key,
    order_key,
    part_id,
    ring_channel,
    text,
    waiting_key,
)
from worker.jobs.scripts import ASIDE
from worker.jobs.states import Failure
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE, Target, read_target, shard_of
from worker.jobs.worker_registry import ALIVE_S
from worker.kinds import kind_of
from worker.queue.fair_order import LEASE, RENEW, SLEEP
from worker.telemetry.request_context import Origin
from worker.telemetry.safe_traceback import outline

log = logging.getLogger(__name__)

SUBSCRIBE_S = 5.0
"""How long the server may take to say that it has heard, in seconds."""
_ANY, _ANY_SHORTER = "+inf", "(inf"
"""Below which rank parts are wanted: any, be it as long as it may, or any that is short enough."""


@dataclass(frozen=True, slots=True)
class LeasedPart:
    """A part that a worker has leased: its number, what its job asks for, its query residues, work and rank.

    queue: where it waited; size: what its job counts in that queue's order (fair_order.py).

    interrupted: how often its worker has died while it ran, and may have died of it. round: that of its job, from 1.
    """

    search: str
    number: int
    queue: str
    request: BaseModel
    target: Target
    residues: int
    work: Work
    rank: float
    size: float
    origin: Origin
    interrupted: int = 0
    round: int = 1


@dataclass(slots=True)
class PartQueue:
    """One worker's way to its queues, the first of which it is called by, and which others know it by.

    Used by the thread that works; leases are renewed by the heart.
    """

    store: JobStore
    names: tuple[str, ...]
    worker: str
    leases: dict[str, str] = field(default_factory=dict)
    """Entries of what the worker has leased, each with its queue."""
    _turn: int = 0
    """The queue that comes first: they take turns while parts wait in several."""
    _bell: PubSub | None = None
    """What hears of parts that come; listens before the worker first looks, so that none is missed."""
    _asleep: bool = True

    @property
    def name(self) -> str:
        """The first of its queues."""
        return self.names[0]

    def lease(self, room: Room) -> list[LeasedPart]:
        """The part whose turn it is, and those of its kind that go in one pass with it; nothing where none waits."""
        names = (*self.names[self._turn :], *self.names[: self._turn])
        parts = self._lease(names, _ANY, room, None)
        if parts:
            self._turn = (self.names.index(parts[0].queue) + 1) % len(self.names)
        return parts

    def lease_better(
        self, first: LeasedPart, left: float, room: Room, patience_s: float, beyond_s: float = 0.0
    ) -> list[LeasedPart]:
        """Parts that should not wait for the rest, such a share of it, of the one at work.

        patience_s: for how long it may wait for parts of other queues, whose ranks do not compare with its own.
        beyond_s: how long it has been at work that was not expected; as much again may be left of it.
        """
        # Once may be by chance, as when the service is stopped; of what dies again, others must not die along.
        if first.interrupted > 1:
            return []
        rest_s = max(left * room.costs.seconds(first.work), beyond_s)
        # The clock goes on while it works, and its own rank with that.
        clock = first.rank - left * first.size + beyond_s
        below = max(first.rank, clock) + beyond_s
        parts = self._lease((first.queue,), f"({below!r}", replace(room, longest=rest_s), clock)
        others = tuple(name for name in self.names if name != first.queue)
        if parts or not others:
            return parts
        # Of a job with parts that follow this one, those are to wait, too.
        longest = min(patience_s, max(rest_s, first.size) if first.queue == DEVICE else rest_s)
        return self._lease(others, _ANY_SHORTER, replace(room, longest=longest), None)

    @contextmanager
    def aside(self, part: LeasedPart) -> Iterator[None]:
        """While better parts go before this one: their time is not counted in what it has taken."""
        script, meta = self.store.redis.register_script(ASIDE), SearchKeys(part.search).meta
        field = f"began:{part.round}:{part.number}"
        script(keys=[meta], args=[field, -1])
        # What is raised ends the worker; of a job that lost one nobody asks for how long it has run.
        yield
        script(keys=[meta], args=[field, 1])

    def _lease(self, names: tuple[str, ...], below: str, room: Room, clock: float | None) -> list[LeasedPart]:
        anyones = SearchKeys("")
        # What has been said of parts until now, the script will see.
        self.rung()
        numbers = [shard_of(name) for name in names]
        queue, found = self.store.redis.register_script(LEASE)(
            keys=[key(name) for name in names for key in (waiting_key, leased_key, order_key)],
            args=[
                self.worker, ALIVE_S, below, room.seconds, room.longest, room.costs.to_json(),
                "" if clock is None else clock, anyones.meta, anyones.shards, anyones.progress, anyones.moved,
                *("" if number is None else number for number in numbers),
            ],
        )  # fmt: skip
        read = (self._read(names[queue], each) for each in found)
        return [part for part in read if part is not None]

    def _read(self, queue: str, found: Sequence[bytes]) -> LeasedPart | None:
        """What LEASE says of a part; the job of one that cannot be read fails."""
        search, number = text(found[0]), int(found[-1])
        entry = self._entry(search, number)
        self.leases[entry] = queue
        try:
            return _leased(search, number, queue, found)
        except (ValidationError, ValueError, TypeError) as error:
            # No version of ours writes that.
            log.error("%s cannot be read: %s", called(search), outline(error))
            detail = f"what the {kind_named(search)} asks for cannot be read"
            self.store.fail(search, Failure("shard-failed", detail, shard_of(queue)))
            self._forget([entry])
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
            bell.subscribe(*map(ring_channel, self.names))
            for _ in self.names:
                # The server's word that it does.
                bell.get_message(timeout=SUBSCRIBE_S)
            self._bell = bell
        return self._bell

    def wake(self) -> None:
        """Say that RQ need not call this worker."""
        if self._asleep:
            for name in self.names:
                self.store.redis.srem(asleep_key(name), self.worker)
            self._asleep = False

    def may_sleep(self) -> bool:
        """Whether nothing waits; from then on this worker counts on a call."""
        script = self.store.redis.register_script(SLEEP)
        keys = [key(name) for name in self.names for key in (waiting_key, asleep_key)]
        self._asleep = bool(script(keys=keys, args=[self.worker]))
        return self._asleep

    def ring(self) -> None:
        """Have the workers look up that wait for parts."""
        for name in self.names:
            self.store.redis.publish(ring_channel(name), "part")

    def finish(self, parts: Sequence[LeasedPart]) -> None:
        """Give up the leases of parts that are done."""
        self._forget([self._entry(part.search, part.number) for part in parts])

    def _forget(self, entries: Sequence[str]) -> None:
        for queue, its in self._by_queue(entries):
            self.store.redis.zrem(leased_key(queue), *its)
        for entry in entries:
            self.leases.pop(entry, None)

    def _by_queue(self, entries: Sequence[str]) -> list[tuple[str, list[str]]]:
        """The entries of each queue that has any."""
        found = [(name, [entry for entry in entries if self.leases.get(entry) == name]) for name in self.names]
        return [(name, its) for name, its in found if its]

    def lapse(self) -> None:
        """Have what was leased count as interrupted: something that may be its fault keeps it from being done."""
        for queue, entries in self._by_queue(list(self.leases)):
            self.store.redis.zadd(leased_key(queue), dict.fromkeys(entries, 1), xx=True)
        self.leases.clear()

    def renew(self, pipe: Pipeline) -> None:
        """Say that the worker is still at work on what it has leased."""
        for queue, entries in self._by_queue(list(self.leases)):
            pipe.eval(RENEW, 1, leased_key(queue), ALIVE_S, *entries)

    def _entry(self, search: str, number: int) -> str:
        return lease_entry(part_id(search, number), self.worker)


def _leased(search: str, number: int, queue: str, found: Sequence[bytes]) -> LeasedPart:
    _, request, target, residues, work, rank, created, waited, request_id, traceparent, interrupted, size, round_, _ = (
        found
    )
    return LeasedPart(
        search=search,
        number=number,
        queue=queue,
        request=kind_of(search).read(request),
        target=read_target(target),
        residues=int(residues),
        work=Work.from_json(work, int(residues)),
        rank=float(rank),
        size=float(size),
        origin=Origin(text(request_id) or None, text(traceparent) or None, float(created), float(waited)),
        interrupted=int(interrupted),
        round=int(round_),
    )
