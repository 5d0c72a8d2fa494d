"""How long a search will take: its cells and those of the searches before it, at the rates its shards have shown.

Only the searches of its own queues count; a queue that moves on, a cancel or a faster worker shows at the next look.
"""

import math
from dataclasses import dataclass

from redis import Redis
from rq.registry import StartedJobRegistry

from worker.line_scripts import AHEAD
from worker.queues import SearchKeys, line_key, order_key, rate_key, shard_queues
from worker.states import QueueFull, SearchTarget

FULL_S = 3600
"""Seconds of work that may stand before a new search where no bound in cells is set."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Searches before a search in its longest queue, their cells over all shards, and seconds: of its own work, and
    until that begins.

    Seconds are None where no shard has shown its rate yet.
    """

    position: int
    seconds: float | None
    queue_seconds: float | None
    queue_cells: float

    @property
    def total_seconds(self) -> float | None:
        """Seconds until its end."""
        return None if self.seconds is None or self.queue_seconds is None else self.seconds + self.queue_seconds


NOTHING_AHEAD = Outlook(0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a search would take if it were submitted now; reused when an earlier one would answer it."""

    queries: int
    residues: int
    cells: int
    reused: bool
    outlook: Outlook


@dataclass(frozen=True, slots=True)
class _Shard:
    """A shard's queue as a search sees it: AHEAD's answer."""

    waits: bool
    searches: int
    residues: int
    scored: int
    rate: float | None

    @property
    def position(self) -> int:
        """A job that waits has one search more before it than are queued: the one at work."""
        return self.searches + 1 if self.waits else 0


class Estimates:
    """Looks ahead in the shards' queues, in one round trip."""

    def __init__(self, redis: Redis) -> None:
        self._ahead = redis.register_script(AHEAD)

    def outlook(self, target: SearchTarget, cells: int, search: str) -> Outlook:
        """What stands before a search that has so many cells left."""
        return self._outlook(target, cells, search, "", 1)

    def outlook_now(self, target: SearchTarget, residues: int, owner: str = "") -> Outlook:
        """What would stand before a search of so many query residues that came now."""
        return self._outlook(target, residues * target.size.residues, "", owner, residues)

    def _outlook(self, target: SearchTarget, cells: int, *who: str | int) -> Outlook:
        """who: a search, or nothing, an owner and query residues."""
        queues, anyones = shard_queues(target), SearchKeys("")
        keys = [key for queue in queues for key in (order_key(queue), _at_work_key(queue), rate_key(queue))]
        search, owner, residues = who
        arguments = [search, anyones.meta, anyones.progress, owner, residues]
        found = self._ahead(keys=[*keys, line_key(target)], args=arguments)
        shards = [
            _Shard(bool(waits), searches, ahead, scored, rate and float(rate))
            for waits, searches, ahead, scored, rate in found
        ]
        rates = [shard.rate for shard in shards if shard.rate is not None]
        slowest = min(rates) if rates else None
        # Shards differ by a sequence or so.
        share = target.size.residues / len(queues)
        before = [(max(0.0, shard.residues * share - shard.scored), shard.rate or slowest) for shard in shards]
        return Outlook(
            position=max(shard.position for shard in shards),
            seconds=None if slowest is None else cells / len(queues) / slowest,
            queue_seconds=None if slowest is None else max(left / (rate or slowest) for left, rate in before),
            queue_cells=sum(left for left, _ in before),
        )


@dataclass(frozen=True, slots=True)
class Room:
    """How much work is taken on: what may stand before a new search, in cells; 0 for an hour's work.

    Not all that waits counts: one user's long search must not keep the short ones of others out, which go before it.
    """

    estimates: Estimates
    max_cells: int

    def check(self, target: SearchTarget, residues: int, owner: str) -> None:
        """Raise QueueFull where there is no room; where nothing stands before it, any search may go.

        Requests that come at the same moment may pass the bound together.
        """
        ahead = self.estimates.outlook_now(target, residues, owner)
        if ahead.queue_cells == 0 or ahead.seconds is None or ahead.queue_seconds is None:
            return
        cells = residues * target.size.residues
        rate = cells / ahead.seconds
        beyond_s = (ahead.queue_cells + cells - (self.max_cells or FULL_S * rate)) / rate
        if beyond_s > 0:
            raise QueueFull(target.used.name, math.ceil(beyond_s))


def _at_work_key(queue: str) -> str:
    return StartedJobRegistry.key_template.format(queue)
