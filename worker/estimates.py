"""How long a search will take: its cells and those of the searches before it, at the rates its shards have shown.

Only the searches of its own queues count; a queue that moves on, a cancel or a faster worker shows at the next look.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from redis import Redis
from redis.client import Pipeline
from rq.registry import StartedJobRegistry

from shardwater.warnings import NumberedWarning
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
    warnings: tuple[NumberedWarning, ...]


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


@dataclass(frozen=True, slots=True)
class Question:
    """What stands before a search, or, where it has no id yet, before one of an owner that came now."""

    target: SearchTarget
    search: str = ""
    owner: str = ""
    residues: int = 1

    @property
    def keys(self) -> list[str]:
        """Those of AHEAD."""
        queues = shard_queues(self.target)
        keys = [key for queue in queues for key in (order_key(queue), _at_work_key(queue), rate_key(queue))]
        return [*keys, line_key(self.target)]

    @property
    def arguments(self) -> list[str | int]:
        """Those of AHEAD."""
        anyones = SearchKeys("")
        return [self.search, anyones.meta, anyones.progress, self.owner, self.residues]

    def put(self, pipe: Pipeline) -> None:
        """Ask among other things."""
        # Not a registered script: a pipeline asks first, in a round trip of its own, whether the server knows it.
        pipe.eval(AHEAD, len(self.keys), *self.keys, *map(str, self.arguments))

    def read(self, found: Sequence[tuple[int, int, int, int, bytes | None]], cells: int) -> Outlook:
        """AHEAD's answer, for a search that has so many cells left."""
        shards = [
            _Shard(bool(waits), searches, ahead, scored, None if rate is None else float(rate))
            for waits, searches, ahead, scored, rate in found
        ]
        rates = [shard.rate for shard in shards if shard.rate is not None]
        slowest = min(rates) if rates else None
        # Shards differ by a sequence or so.
        share = self.target.size.residues / len(shards)
        before = [(max(0.0, shard.residues * share - shard.scored), shard.rate or slowest) for shard in shards]
        return Outlook(
            position=max(shard.position for shard in shards),
            seconds=None if slowest is None else cells / len(shards) / slowest,
            queue_seconds=None if slowest is None else max(left / (rate or slowest) for left, rate in before),
            queue_cells=sum(left for left, _ in before),
        )


class Estimates:
    """Looks ahead in the shards' queues, in one round trip."""

    def __init__(self, redis: Redis) -> None:
        self._ahead = redis.register_script(AHEAD)

    def outlook(self, target: SearchTarget, cells: int, search: str) -> Outlook:
        """What stands before a search that has so many cells left."""
        return self._ask(Question(target, search), cells)

    def outlook_now(self, target: SearchTarget, residues: int, owner: str) -> Outlook:
        """What would stand before a search of so many query residues that came now."""
        return self._ask(Question(target, "", owner, residues), residues * target.size.residues)

    def _ask(self, question: Question, cells: int) -> Outlook:
        return question.read(self._ahead(keys=question.keys, args=question.arguments), cells)


def check_room(ahead: Outlook, target: SearchTarget, cells: int, max_cells: int) -> None:
    """Raise QueueFull where there is no room for so many cells more; where nothing stands before them, there is.

    max_cells: what may stand before a new search; 0 for an hour's work. Not all that waits counts: one user's long
    search must not keep the short ones of others out, which go before it. Requests that come at the same moment may
    pass the bound together.
    """
    if ahead.queue_cells == 0 or ahead.seconds is None:
        return
    rate = cells / ahead.seconds
    beyond_s = (ahead.queue_cells + cells - (max_cells or FULL_S * rate)) / rate
    if beyond_s > 0:
        raise QueueFull(target.used.name, math.ceil(beyond_s))


def _at_work_key(queue: str) -> str:
    return StartedJobRegistry.key_template.format(queue)
