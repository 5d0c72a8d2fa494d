"""How a batch of pairs is cut into chunks: consecutive pairs, as many together as a device has room for."""

from dataclasses import dataclass

import numpy as np

from shardwater.pairs.batch import Numbers, PairBatch

CHUNK_LETTERS = 1 << 26
CHUNK_PAIRS = 1 << 18
"""Letters and pairs of a chunk, at most: what is on the device at a time follows from them."""


@dataclass(frozen=True, slots=True, eq=False)
class Budget:
    """What a chunk may have at most of something that adds up over pairs; ends: after each pair, 0 pairs too."""

    ends: Numbers
    most: int

    @classmethod
    def of(cls, amounts: Numbers, most: int) -> "Budget":
        """That of what each pair takes."""
        return cls(np.concatenate((np.zeros(1, np.int64), np.cumsum(amounts))), most)

    def end(self, start: int) -> int:
        """The first pair that has no room in a chunk from this one on."""
        return int(np.searchsorted(self.ends, self.ends[start] + self.most, side="right")) - 1


def chunks(batch: PairBatch, *budgets: Budget) -> list[range]:
    """The pairs in order, by their numbers; a pair too large for any chunk is one of its own."""
    letters = Budget(batch.queries.offsets + batch.subjects.offsets, CHUNK_LETTERS)
    found, start = list[range](), 0
    while start < len(batch):
        end = min(start + CHUNK_PAIRS, *(each.end(start) for each in (letters, *budgets)))
        found.append(range(start, max(start + 1, end)))
        start = found[-1].stop
    return found
