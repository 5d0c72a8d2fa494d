"""Schedules, by name: how packs are scored against a query, and by which launches. All find the same best values.

Strips are the fastest, but for pairs of very few cells. The others are the two designs of CUDASW++2.0 (docs/kernels.md,
Two older schedules), for comparison on the same card.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any, Protocol

import numpy as np

from gpu.arithmetic import Arithmetic
from gpu.compile import kernel
from gpu.database.packing import PackClass
from gpu.device import device, tuned
from gpu.family import Family, simt, striped, strips
from gpu.layout import GROUP, SIMT_ITEMS, WARP
from gpu.score.partitions import partitions, runs
from gpu.score.query import DeviceQuery
from gpu.score.strips import Strip, Table, cut, lanes_for, launch
from gpu.tuning import Launch
from shardwater.engines.schedules import SCHEDULES, ScheduleName
from shardwater.scoring.scoring import Scoring

PLAIN = (PackClass.EVEN, PackClass.UNEVEN)
Counts = Mapping[tuple[PackClass, ...], int]
"""Packs of classes that may be launched together."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Packs that are launched together, as many, and the multiprocessors that they may have."""

    classes: tuple[PackClass, ...]
    packs: int
    multiprocessors: int


@dataclass(frozen=True, slots=True)
class Step:
    """A launch over a batch: some columns of the query, by so many lanes to a pair.

    profile: the scores of its columns on the device; own: arguments that only this schedule's kernel has.
    """

    kernel: Any
    strip: Strip
    threads: int
    profile: Any
    own: tuple[Any, ...] = ()
    blocks: int = 1
    """On a multiprocessor."""
    shared_bytes: int = 0

    def launch(self, grid: int, arguments: tuple[Any, ...]) -> None:
        """Queue it on the current stream, on so many blocks."""
        self.kernel((grid,), (self.threads,), arguments, shared_mem=self.shared_bytes)

    def shares(self, packs: int) -> int:
        """Pieces of work that warps take: the whole, a half or several of so many packs."""
        return math.ceil(packs * self.strip.lanes / GROUP)

    def grid(self, packs: int, multiprocessors: int) -> int:
        """Blocks of the launch."""
        return min(multiprocessors * self.blocks, self.shares(packs))

    def takers(self, packs: int, multiprocessors: int) -> int:
        """Warps that take work: where there is little, so are they."""
        grid = self.grid(packs, multiprocessors)
        return grid * min(self.threads // WARP, -(-self.shares(packs) // grid))


@dataclass(frozen=True, slots=True)
class Asked:
    """A query with its scoring, and the arithmetic that is exact for them."""

    query: DeviceQuery
    packed: Arithmetic
    scoring: Scoring


class Schedule(Protocol):
    """Who owns which cells of packs."""

    def longest(self) -> int | None:
        """The longest subject that is not scored singly; None where that follows from all of them."""
        ...

    def suited(self, longest: int, length: int) -> "Schedule":
        """Which one scores a query of this length against packs of subjects of at most `longest`: this, or a faster."""
        ...

    def classes(self, packs: Counts, length: int) -> list[tuple[PackClass, ...]]:
        """What is launched together for a query of this length: the main batch, and those beside it."""
        ...

    def steps(self, asked: Asked, batch: Batch) -> list[Step]:
        """The launches over a batch, each of which takes the border that the one before it leaves."""
        ...


class Strips:
    """A strip of the query in a block's shared memory, by pairs of letters, and lanes a row behind each other."""

    def longest(self) -> int | None:
        """What follows from all subjects."""
        return None

    def suited(self, longest: int, length: int) -> Schedule:
        """Pairs so small that lanes, a row behind each other, would mostly wait for their first and last rows: simt."""
        return BY_NAME["simt"] if longest * length <= tuned().simt_cells else self

    def classes(self, packs: Counts, length: int) -> list[tuple[PackClass, ...]]:
        """Amino acids; pairs of equal length alone where their smaller table saves them a second strip."""
        whole = self._table(Batch(PLAIN, packs[PLAIN], device().multiprocessors))
        shared, blocks = device().shared_bytes, -(-length // whole.lanes)
        if whole.most_items(shared) < blocks <= replace(whole, even=True).most_items(shared):
            return [(PackClass.EVEN,), (PackClass.AMBIGUOUS,), (PackClass.UNEVEN,)]
        return [PLAIN, (PackClass.AMBIGUOUS,)]

    def steps(self, asked: Asked, batch: Batch) -> list[Step]:
        """A launch for each strip."""
        table, query = self._table(batch), asked.query
        strips = cut(query.length, table.most_items(device().shared_bytes), device().capability, table.lanes)
        profiles = query.profiles(asked.packed.ops, table, strips)
        steps = []
        for strip, profile in zip(strips, profiles, strict=True):
            score, how = strip_kernel(asked.packed, table, strip.items, len(strips) > 1, asked.scoring)
            # The factor of sw_score that its compiler must not know.
            own = (np.uint32(1),)
            steps.append(Step(score, strip, how.threads, profile, own, shared_bytes=table.bytes(strip.items)))
        return steps

    def _table(self, batch: Batch) -> Table:
        lanes = lanes_for(batch.packs, batch.multiprocessors, tuned().few_warps)
        return Table(batch.classes[0].letters, batch.classes == (PackClass.EVEN,), lanes)


class _ByLetters:
    """What has a profile by single letters, which always has room."""

    def classes(self, packs: Counts, length: int) -> list[tuple[PackClass, ...]]:
        """One table has room for any letters, but codes of pairs differ by their number."""
        return [PLAIN, (PackClass.AMBIGUOUS,)]


class Simt(_ByLetters):
    """A pair to a thread, which goes through the subjects for a few columns of the query at a time."""

    def longest(self) -> int | None:
        """A number of gpu/tuning."""
        return tuned().simt.longest

    def suited(self, longest: int, length: int) -> Schedule:
        """This one: it was chosen to be seen."""
        return self

    def steps(self, asked: Asked, batch: Batch) -> list[Step]:
        """A launch for all blocks of the query, or several, so that a cancel need not wait for long."""
        how, letters = tuned().simt, batch.classes[0].letters
        score = _compiled(simt(asked.packed, letters, how, asked.scoring))
        steps = []
        for strip in runs(asked.query.length):
            blocks = strip.items // SIMT_ITEMS
            profile = asked.query.byte_profile(letters, Strip(strip.first, SIMT_ITEMS, 1), blocks)
            steps.append(Step(score, strip, how.threads, profile, (np.int32(blocks),), how.blocks))
        return steps


class Striped(_ByLetters):
    """A pair to half a warp, whose lanes are at the same row, each with a stretch of a partition of the query."""

    def longest(self) -> int | None:
        """A number of gpu/tuning."""
        return tuned().striped.longest

    def suited(self, longest: int, length: int) -> Schedule:
        """This one: it was chosen to be seen."""
        return self

    def steps(self, asked: Asked, batch: Batch) -> list[Step]:
        """A launch for each partition of the query."""
        how, letters = tuned().striped, batch.classes[0].letters
        steps = []
        for items, group in groupby(partitions(asked.query.length), key=lambda strip: strip.items):
            alike = list(group)
            score = _compiled(striped(asked.packed, letters, items, how, asked.scoring))
            profiles = asked.query.byte_profile(letters, alike[0], len(alike))
            for strip, profile in zip(alike, profiles, strict=True):
                steps.append(Step(score, strip, how.threads, profile, blocks=how.blocks))
        return steps


BY_NAME: dict[ScheduleName, Schedule] = dict(zip(SCHEDULES, (Strips(), Simt(), Striped()), strict=True))


# Bounded, as scorings hold scores that users make up; what is compiled is kept elsewhere.
@lru_cache(maxsize=1024)
def strip_kernel(packed: Arithmetic, table: Table, items: int, border: bool, scoring: Scoring) -> tuple[Any, Launch]:
    """sw_score for strips of so many items a lane, and how to launch it."""
    how = launch(device().capability, items, border, table.lanes)
    compiled = _compiled(strips(packed, table, items, border, how, scoring))
    compiled.max_dynamic_shared_size_bytes = table.bytes(items)
    return compiled, how


def _compiled(family: Family) -> Any:
    """The kernel of a family, compiled once."""
    return kernel(family.schedule, family.ptxas, **family.macros)
