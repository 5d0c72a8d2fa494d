"""Searches of some of a resident shard's subjects, be they few or most.

A choice of few is packed like a shard, and kept for the next search of the same one as long as there is room. Of one
that has most of the shard, or for which there is no room, everybody is scored, and those who were not asked for are
left out before anything is counted.
"""

from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.database.resident import Part, ResidentShard
from gpu.memory import SLACK, SUBJECT_BYTES
from shardwater.database.database import Shard
from shardwater.statistics.distribution import ROWS, rows_of

FEW = 0.5
"""Of a shard's residues: what has more is not packed again."""


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """Of a part, which subjects a search leaves out (bool on the device), their residues, and how many of each row of
    counts they are (int32); kept: which ones it does not leave out.
    """

    subjects: Any
    residues: int
    by_row: npt.NDArray[np.int32]
    kept: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, lengths: npt.NDArray[np.uint32], kept: npt.NDArray[np.bool_]) -> "LeftOut":
        """Those of a part's subjects, which have these lengths, that are not kept."""
        out = lengths[~kept]
        by_row = np.bincount(rows_of(out), minlength=ROWS).astype(np.int32)
        return cls(cupy.asarray(~kept), int(out.sum(dtype=np.int64)), by_row, kept)


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """What a search goes over: parts that are on the device, and of each what it leaves out, if it does."""

    resident: ResidentShard
    chosen: npt.NDArray[np.bool_] | None = None
    """Of the shard's subjects those that are asked for, where these are not all."""

    def left_out(self, part: Part) -> LeftOut | None:
        """What is left out of a part."""
        if self.chosen is None:
            return None
        own = slice(part.first, part.first + len(part))
        found = LeftOut.of(self.resident.shard.lengths[own], self.chosen[own])
        # Other streams use it.
        cupy.cuda.get_current_stream().synchronize()
        return found


class Choices:
    """The choices of a resident shard that are packed for themselves, those that were searched last."""

    def __init__(self, resident: ResidentShard) -> None:
        self._resident = resident
        self._packed: dict[Shard, ResidentShard] = {}

    def searched(self, among: Shard | None) -> Searched:
        """What a search of these subjects goes over; all where nobody has chosen."""
        if among is None or among.chosen is None:
            return Searched(self._resident)
        packed = self._packed.pop(among, None) or self._pack(among)
        if packed is not None:
            self._packed[among] = packed
            return Searched(packed)
        chosen = np.zeros(len(self._resident.shard), np.bool_)
        chosen[among.chosen] = True
        return Searched(self._resident, chosen)

    def _pack(self, among: Shard) -> ResidentShard | None:
        """The chosen ones as a shard of their own; None where they are too many, or there is no room."""
        wanted = _bytes_of(among)
        if among.residues > FEW * self._resident.shard.residues or wanted > self._resident.room:
            return None
        while self._packed and sum(map(_bytes_of, self._packed)) + wanted > self._resident.room:
            del self._packed[next(iter(self._packed))]
        # Memory goes back to the stream that had it, and those of the loaders before are gone.
        cupy.get_default_memory_pool().free_all_blocks()
        try:
            return ResidentShard(among, whole=self._resident)
        except cupy.cuda.memory.OutOfMemoryError:
            return None


def _bytes_of(among: Shard) -> int:
    """What a choice takes on the device, as it is packed: its letters are there as well."""
    return int((SLACK + 1) * among.residues) + SUBJECT_BYTES * len(among)
