"""Which arithmetic scores what: the score types of kernels/core/arithmetic.cuh, and where each is exact."""

from dataclasses import dataclass

import numpy as np

from shardwater.scoring.scoring import Scoring

DEAREST = 1 << 23
"""A gap cost that no score of 32 bits here can pay: dearer ones change nothing, and Float still holds twice this."""


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A score type. Costs of gaps and scores up to `largest` are exact in it."""

    ops: str
    largest: int

    @property
    def packed(self) -> bool:
        """Whether it holds two cells in a register."""
        return self.ops in ("Short2", "Half2")

    def holds_gaps(self, scoring: Scoring) -> bool:
        """Whether E and F, which fall to minus both costs and no further, stay in range."""
        return scoring.gap_first + scoring.gap_extend <= self.largest

    def limit(self, best: int) -> int:
        """The largest best value that proves itself: a cell that left the range would have been preceded by more.

        best: the highest score of letters, 1 or more. A diagonal step wraps only from a cell above largest - best,
        whose own value the maximum has taken in by then. The rounding of Half2 never brings a value beyond 2,048 back
        below it.
        """
        return self.largest - best

    def word(self, cost: int) -> int:
        """A negative cost in both halves of a register's bits."""
        kind = np.float16 if self.ops == "Half2" else np.int16
        half = int(np.array(-cost, dtype=kind).view(np.uint16))
        return half << 16 | half


ARITHMETICS = {
    "s16x2": Arithmetic("Short2", 32_767),
    "half2": Arithmetic("Half2", 2_048),
    "int32": Arithmetic("Int32", 1 << 28),
    "float": Arithmetic("Float", 1 << 24),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """The arithmetic for whole parts, where its range will do, and the one for single subjects."""

    packed: Arithmetic | None
    wide: Arithmetic

    @classmethod
    def of(cls, capability: int, name: str | None = None) -> "Choice":
        """What suits a device: 16-bit integers and DPX from sm_90 on, floating point before; or what is named."""
        integers = capability >= 90
        packed = ARITHMETICS["s16x2" if integers else "half2"]
        wide = ARITHMETICS["int32" if integers else "float"]
        if name is None:
            return cls(packed, wide)
        named = ARITHMETICS[name]
        return cls(named, wide) if named.packed else cls(None, named)

    def wide_for(self, most: int) -> Arithmetic:
        """The arithmetic of single subjects where no score passes `most`."""
        return self.wide if most <= self.wide.largest - 128 else ARITHMETICS["int32"]
