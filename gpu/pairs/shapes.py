"""The lengths of pairs and what follows from them: memory, batches, and whether 32 bits hold their numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from gpu.layout import PAIR_BURST, PAIR_STRIP, WARP
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers

MOST = 1 << 30
"""What no number of a kernel of 32 bits comes near to."""
PADDING = PAIR_STRIP + 2 * PAIR_BURST
"""Columns and rows that are worked on beyond those of a pair."""


class Sequences(Protocol):
    """A pair of sequences, a byte a letter."""

    @property
    def query(self) -> "bytes | npt.NDArray[np.uint8]":
        """Letters, or their codes."""

    @property
    def subject(self) -> "bytes | npt.NDArray[np.uint8]":
        """Letters, or their codes."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """The lengths of pairs, and what follows from them: one number a pair."""

    queries: Numbers
    subjects: Numbers

    @classmethod
    def of(cls, pairs: Sequence[Sequences]) -> "Shapes":
        """The lengths of these pairs."""
        queries = np.fromiter((len(pair.query) for pair in pairs), np.int64, len(pairs))
        return cls(queries, np.fromiter((len(pair.subject) for pair in pairs), np.int64, len(pairs)))

    def __len__(self) -> int:
        return len(self.queries)

    def select(self, chosen: npt.NDArray[np.integer] | slice) -> "Shapes":
        """Those of some pairs."""
        return Shapes(self.queries[chosen], self.subjects[chosen])

    @property
    def cells(self) -> Numbers:
        """Letters of one times letters of the other."""
        return self.queries * self.subjects

    @property
    def strips(self) -> Numbers:
        """How many warps a pair can keep busy."""
        return -(-self.queries // PAIR_STRIP)

    @property
    def moves(self) -> Numbers:
        """Words of moves: whole bursts of rows, the last lane being WARP - 1 rows behind the first."""
        bursts = -(-(self.subjects + WARP - 1) // PAIR_BURST)
        return self.strips * bursts * (PAIR_BURST * WARP)

    @property
    def scratch(self) -> Numbers:
        """Words for two numbers a row, then for as many runs as an alignment can have; even, for the numbers' sake."""
        words = self.subjects + np.maximum(self.queries, self.subjects)
        return words + words % 2

    def best(self, scheme: Scheme) -> Numbers:
        """What no score passes."""
        best: Numbers = max(1, scheme.best) * np.minimum(self.queries, self.subjects)
        return best

    def exact(self, scheme: Scheme) -> npt.NDArray[np.bool_]:
        """The pairs whose numbers 32 bits hold."""
        highest = 3 * self.best(scheme) + 3
        if scheme.mode.local:
            return highest < MOST
        least = 3 * scheme.gap_open + (self.queries + self.subjects + PADDING) * scheme.gap_extend
        return (highest < MOST) & (least - scheme.worst < MOST)

    def batches(self, chosen: Numbers, memory: int) -> Iterator[Numbers]:
        """These pairs, longest first, as many together as have moves of so many bytes: blocks start in that order."""
        moves = 4 * self.moves[chosen]
        order = np.argsort(-moves, kind="stable")
        ends = np.cumsum(moves[order])
        start, before = 0, 0
        while start < len(order):
            end = int(np.searchsorted(ends, before + memory, side="right"))
            yield chosen[order[start:end]]
            start, before = end, int(ends[end - 1])
