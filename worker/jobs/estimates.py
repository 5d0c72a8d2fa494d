"""How long a job will take: its work and that of the jobs before it, at what work costs its queues' workers.

Only the jobs of its own queues count; a queue that moves on, a cancel or another worker shows at the next look.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

from redis import Redis
from redis.client import Pipeline

from worker.jobs.costs import Costs, Work
from worker.jobs.progress import NOT_BEGUN, SearchProgress, ShardProgress
from worker.jobs.redis_names import SearchKeys, costs_key, leased_key, order_key, waiting_key
from worker.jobs.states import QueueFull
from worker.jobs.targets import Target
from worker.jobs.worker_registry import worker_key
from worker.queue.fair_order import AHEAD

FULL_S = 3600
"""Seconds of work that may stand before a new job where no bound in cells is set."""
DOUBT = 2.0
"""Estimates are right within this factor: what is refused would have waited as long as the bound says, or longer."""
TELLING = 0.01
"""From this share of work on its rate so far tells of the rest; before, it may have been begun with alone."""
ENOUGH = 0.2
"""From this share on the rate so far tells all."""
SOON = 0.05
"""The same where it tells of more than the model: less is said of the rest than twenty times what work has run for."""

_AtWork = tuple[bytes, bytes, int, bytes, bytes, bytes]
_Known = tuple[bytes, int]
_Found = tuple[int, bytes, bytes, bytes, Sequence[_AtWork], Sequence[_Known], bytes]
"""AHEAD's answer for a shard."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Jobs before a job in its longest queue, and seconds: of its own work, and until that begins.

    queue_cells: what is before it, over all shards.
    """

    position: int
    seconds: float
    queue_seconds: float
    queue_cells: float

    @property
    def total_seconds(self) -> float:
        """Seconds until its end."""
        return self.seconds + self.queue_seconds


NOTHING_AHEAD = Outlook(0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What jobs would take if they were submitted now; reused when earlier ones would answer all of them.

    cells: what they would be charged with.
    """

    reused: bool
    cells: int
    outlook: Outlook


def rest_s(expected_s: float, share: float, ran_s: float | None) -> float:
    """Seconds that work has left: by the model, and by how long it has run for the share that is done.

    The model counts the less the more is done, sooner where the rate so far tells of more. ran_s: None where not known.
    """
    if ran_s is None:
        return expected_s
    if share < TELLING:
        return max(expected_s, ran_s)
    seen_s = ran_s * (1 - share) / share
    enough = SOON if seen_s > expected_s else ENOUGH
    return expected_s + min(1.0, share / enough) * (seen_s - expected_s)


@dataclass(frozen=True, slots=True)
class _Queue:
    """A queue as a job sees it: how many jobs are before it there, what is left of them, and its workers."""

    position: int
    ahead: Work
    before_s: float
    own_s: float

    @classmethod
    def of(cls, found: _Found, costs: Costs, workers: int, question: "Question", number: int) -> Self:
        """AHEAD's answer for the queue of this number, at these costs of each of the workers."""
        waits, waiting, sums, factor, at_work, _, ran = found
        part_s, workers, parts = costs.seconds(question.work), max(1, workers), question.left(number).count
        later_s = costs.seconds(question.later) / workers if question.later else 0.0
        own_s = _own_s(part_s, workers, question, number, bool(waits), _ran_s(ran)) + later_s
        if not waits:
            return cls(0, Work(), 0.0, own_s)
        # A job at work is interrupted for one of lower rank that is shorter than what it has left.
        rest = [(each, *_left(each, costs)) for each in at_work]
        running = [each for each in rest if not (each[0][2] and part_s * parts <= each[2])]
        # Whoever has written more numbers than there are has written none of ours.
        queued = Work(*json.loads(sums)[: len(fields(Work))]).times(float(factor))
        position = round(float(waiting)) + len({each[4] for each, *_ in running if each[4]})
        # Jobs of one pass end together, after as long as each of them says.
        passes: dict[bytes, float] = {}
        for each, _, seconds in running:
            passes[each[3]] = max(passes.get(each[3], 0.0), seconds)
        before_s = costs.seconds(queued) + math.fsum(passes.values())
        ahead = Work.sum((queued, *(left for _, left, _ in running)))
        return cls(position, ahead, before_s / workers, own_s)

    @property
    def total_s(self) -> float:
        """Seconds until its parts there have been answered."""
        return self.before_s + self.own_s


def _own_s(part_s: float, workers: int, question: "Question", number: int, waits: bool, ran_s: float | None) -> float:
    """Seconds that the job's parts in a queue have left, once they are begun."""
    left, count = question.left(number), len(question.parts_of(number))
    side_by_side = max(1, min(workers, left.count))
    rest = left.untouched + math.fsum(1 - part.share for part in left.begun)
    told = left.untouched * part_s + math.fsum(part_s if part.left_s is None else part.left_s for part in left.begun)
    expected_s = (part_s * rest if waits else told) / side_by_side
    if ran_s is not None:
        # With fewer parts left than workers, some of these have no more to do.
        ran_s *= min(workers, count) / side_by_side
    return rest_s(expected_s, 1 - rest / count, ran_s)


def _ran_s(told: bytes) -> float | None:
    """For how long AHEAD says that something has run."""
    return max(0.0, float(told)) if told else None


def _left(each: _AtWork, costs: Costs) -> tuple[Work, float]:
    """What is left of a part at work, and for how many seconds."""
    try:
        work, progress = Work.from_json(each[0], 0), ShardProgress.from_text(each[1].decode())
    except (ValueError, TypeError):
        # It is damaged: who asks for it is told, and nobody else has to do with it.
        work, progress = Work(1, 1), ShardProgress()
    expected_s = costs.seconds(work) if progress.left_s is None else progress.left_s
    return work.times(1 - progress.share), rest_s(expected_s, progress.share, _ran_s(each[5]))


@dataclass(frozen=True, slots=True)
class LeftParts:
    """Parts that have not been answered: how far those are that have begun, and the number of the others."""

    begun: Sequence[ShardProgress]
    untouched: int

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.begun) + self.untouched


@dataclass(frozen=True, slots=True)
class Question:
    """What stands before a job, or, where it has no id yet, before one of an owner that came now.

    work: of each of its parts; progress: how far they are; later: of the rounds that are to come, about.
    """

    target: Target
    work: Work
    search: str = ""
    owner: str = ""
    progress: SearchProgress = NOT_BEGUN
    later: Work | None = None

    @property
    def keys(self) -> list[str]:
        """Those of AHEAD."""
        return [
            key
            for queue in self.target.queues
            for key in (waiting_key(queue), leased_key(queue), costs_key(queue), order_key(queue))
        ]

    @property
    def arguments(self) -> list[str | int]:
        """Those of AHEAD."""
        anyones = SearchKeys("")
        return [
            self.search, anyones.meta, anyones.progress, worker_key(""), self.owner, self.work.to_json(),
            self.target.parts,
        ]  # fmt: skip

    def put(self, pipe: Pipeline) -> None:
        """Ask among other things."""
        # Not a registered script: a pipeline asks first, in a round trip of its own, whether the server knows it.
        pipe.eval(AHEAD, len(self.keys), *self.keys, *map(str, self.arguments))

    def read(self, found: Sequence[_Found]) -> Outlook:
        """AHEAD's answer."""
        workers = [_workers(known) for *_, known, _ in found]
        everybody = [costs for each in workers for costs in each]
        seen = {
            number: _Queue.of(one, self._costs(number, of_it or everybody), len(of_it), self, number)
            for number, (one, of_it) in enumerate(zip(found, workers, strict=True))
            if self.left(number).count or self.later
        }
        queues = seen.values()
        if not queues:
            return NOTHING_AHEAD
        seconds, total = max(queue.own_s for queue in queues), max(queue.total_s for queue in queues)
        return Outlook(
            position=max(queue.position for queue in queues),
            seconds=seconds,
            queue_seconds=max(0.0, total - seconds),
            queue_cells=math.fsum(self.target.cells(number, queue.ahead) for number, queue in seen.items()),
        )

    def _costs(self, queue: int, workers: Sequence[Costs]) -> Costs:
        """Those of these workers, or what is usual where there has never been one."""
        return Costs.mean(workers) if workers else self.target.usual(queue)

    def parts_of(self, queue: int) -> range:
        """The numbers of the parts in a queue."""
        return range(queue, self.target.parts, len(self.target.queues))

    def left(self, queue: int) -> LeftParts:
        """The parts of a queue that have not been answered."""
        numbers, progress = self.parts_of(queue), self.progress
        begun = [each for number, each in progress.begun.items() if number in numbers and number not in progress.done]
        answered = sum(number in numbers for number in progress.done)
        return LeftParts(begun, len(numbers) - answered - len(begun))


def _workers(known: Sequence[_Known]) -> list[Costs]:
    """The costs of the workers that live; of the last ones where none does."""
    read = [(Costs.from_json(text), lives) for text, lives in known]
    alive = [costs for costs, lives in read if costs is not None and lives]
    return alive or [costs for costs, _ in read if costs is not None][-1:]


class Estimates:
    """Looks ahead in the shards' queues, in one round trip."""

    def __init__(self, redis: Redis) -> None:
        self._ahead = redis.register_script(AHEAD)

    def outlook(self, question: Question) -> Outlook:
        """What stands before a job."""
        return question.read(self._ahead(keys=question.keys, args=question.arguments))


def check_room(ahead: Outlook, target: Target, cells: int, max_cells: int) -> None:
    """Raise QueueFull where there is no room for so many cells more; where nothing stands before them, there is.

    max_cells: what may stand before a new job; 0 for an hour's work, which is refused only where there is no doubt.
    Not all that waits counts: one user's long job must not keep the short ones of others out, which go before it.
    Requests that come at the same moment may pass the bound together.
    """
    if ahead.queue_cells == 0:
        return
    if max_cells:
        beyond = (ahead.queue_cells + cells - max_cells) / max(1, cells)
        beyond_s = beyond * ahead.seconds
    else:
        beyond_s = ahead.total_seconds - DOUBT * FULL_S
    if beyond_s > 0:
        # Others come and go meanwhile: after an hour it is worth another try.
        raise QueueFull(target.called, min(FULL_S, math.ceil(beyond_s)))
