"""Chunks of a batch under way on a device: while some are computed, the letters of the next are copied and sent."""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import cupy
import numpy as np
import numpy.typing as npt

from gpu.database.staging import Staging
from shardwater.pairs.batch import Joined, Numbers, PairBatch
from shardwater.pairs.columns import Columns

WAYS = 3
"""Chunks at a time: one is computed, one waits behind it, and one is fetched or sent."""
Plan = TypeVar("Plan")
"""What a kind of work has worked out for a chunk before it is launched."""
PLANNERS = 4
"""Chunks that are planned at a time: for many short pairs that takes longer than to align them."""
WORD = 8
"""Bytes that kernels may read at a time."""


class Letters:
    """The codes of a chunk on their way to the device, all queries and then all subjects.

    Kernels take so many codes, from 0 on: another one goes as 0, and pairs that have such letters are told.
    """

    def __init__(self, part: PairBatch, letters: int, staging: Staging) -> None:
        """Begin to send them on the current stream."""
        sides = part.queries.letters, part.subjects.letters
        self.subjects_at = len(sides[0])
        size = sum(map(len, sides))
        self.codes = cupy.empty(size + -size % WORD, np.uint8)
        self._sides = part.queries, part.subjects
        self._unknown: tuple[list[Numbers], list[Numbers]] = ([], [])
        targets = self.codes[: self.subjects_at], self.codes[self.subjects_at : size]
        self._copies = [
            staging.begin(side, target, _Checked(letters, unknown))
            for side, target, unknown in zip(sides, targets, self._unknown, strict=True)
        ]

    def wait(self) -> None:
        """Return when all are read: what is queued on the stream after that will find them."""
        for copies in self._copies:
            deque(copies, maxlen=0)

    def known(self) -> npt.NDArray[np.bool_]:
        """Which pairs of the chunk have no other letters, once all are read."""
        known = np.ones(len(self._sides[0]), np.bool_)
        for side, unknown in zip(self._sides, self._unknown, strict=True):
            for places in unknown:
                known[_owners(side, places)] = False
        return known


@dataclass(frozen=True, slots=True, eq=False)
class _Checked:
    """Makes known letters of all, and notes where others were."""

    letters: int
    unknown: list[Numbers]

    def __call__(self, first: int, piece: npt.NDArray[np.uint8]) -> None:
        if piece.max(initial=0) >= self.letters:
            places = np.flatnonzero(piece >= self.letters)
            piece[places] = 0
            self.unknown.append(first + places)


def letters_at(batch: PairBatch, part: range, numbers: Numbers) -> tuple[Numbers, Numbers]:
    """Where the letters of pairs begin among those of a chunk, of queries and of subjects."""
    queries, subjects = batch.queries.offsets, batch.subjects.offsets
    before = queries[part.stop] - queries[part.start] - subjects[part.start]
    return queries[numbers] - queries[part.start], subjects[numbers] + before


def _owners(side: Joined, places: Numbers) -> Numbers:
    """Which sequences letters are of, by their places among those of all."""
    owners: Numbers = np.searchsorted(side.offsets, side.offsets[0] + places, side="right") - 1
    return owners


class UnderWay(Protocol):
    """A chunk whose launches are queued."""

    def columns(self) -> Columns:
        """What was found, once it is: by the numbers of the batch, and only of pairs that were to be computed."""
        ...

    def next(self) -> "UnderWay | None":
        """What was queued on the same stream since then, for other pairs of the chunk."""
        ...


class Work(Protocol[Plan]):
    """What is to be done with the pairs of a batch, chunk by chunk."""

    @property
    def letters(self) -> int:
        """How many codes its kernels take."""
        ...

    @property
    def chunks(self) -> Sequence[range]:
        """The pairs that are sent together."""
        ...

    def prepare(self) -> None:
        """What comes before the first launch, on the current stream; the first letters are on their way meanwhile."""
        ...

    def plan(self, number: int) -> Plan:
        """What the host works out for a chunk, whose letters need not be there; several threads do so."""
        ...

    def launch(self, number: int, plan: Plan, letters: Letters) -> UnderWay:
        """Queue all of a chunk on the current stream; must not wait for what is queued."""
        ...


def done(
    batch: PairBatch, work: Work[Plan], streams: Sequence[Any], staging: Staging
) -> Generator[Columns, None, None]:
    """What the work finds, chunk by chunk, and what is found next for some of their pairs.

    No more chunks are under way than there are streams, with what comes after them no more than twice as many.
    """
    if not work.chunks:
        return
    waiting = deque[UnderWay]()
    sending = _sending(batch, work, streams, staging)
    letters = next(sending)
    planners = ThreadPoolExecutor(PLANNERS, thread_name_prefix="planner")
    plans = deque(planners.submit(work.plan, number) for number in range(len(work.chunks))[:PLANNERS])
    try:
        # Not behind the first letters, which are sent on the first stream: to plan is to wait for what was found.
        with streams[-1]:
            work.prepare()
        for number in range(len(work.chunks)):
            with streams[number % len(streams)]:
                plan = plans.popleft().result()
                if number + PLANNERS < len(work.chunks):
                    plans.append(planners.submit(work.plan, number + PLANNERS))
                letters.wait()
                waiting.append(work.launch(number, plan, letters))
            found = _answers(waiting) if len(waiting) >= len(streams) else None
            letters = next(sending, letters)
            if found is not None:
                yield found
            while len(waiting) >= 2 * len(streams):
                yield _answers(waiting)
        while waiting:
            yield _answers(waiting)
    finally:
        # Memory must outlast what is done with it.
        planners.shutdown(cancel_futures=True)
        letters.wait()
        for stream in streams:
            stream.synchronize()


def _answers(waiting: deque[UnderWay]) -> Columns:
    """Those of the first; what comes after it is waited for last."""
    first = waiting.popleft()
    found = first.columns()
    after = first.next()
    if after is not None:
        waiting.append(after)
    return found


def _sending(batch: PairBatch, work: Work[Any], streams: Sequence[Any], staging: Staging) -> Iterator[Letters]:
    for number, part in enumerate(work.chunks):
        with streams[number % len(streams)]:
            letters = Letters(batch[part.start : part.stop], work.letters, staging)
        yield letters
