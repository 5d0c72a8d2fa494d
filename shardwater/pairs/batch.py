"""Many pairs in arrays: a million of them are four arrays, where as many objects would take seconds to make."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self, overload

import numpy as np
import numpy.typing as npt

from shardwater.pairs.engine import CodedPair
from shardwater.sequences.alphabet import Codes

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """Sequences one after another: offsets has one number more than these, where each begins, and where the last ends.

    What stands in `codes` before the first or after the last is nobody's.
    """

    codes: Codes
    offsets: Numbers

    @classmethod
    def of(cls, sequences: Iterable[Codes]) -> Self:
        """These sequences, copied."""
        parts = [np.zeros(0, np.uint8), *sequences]
        return cls(np.concatenate(parts), np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts))))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> Codes:
        return self.codes[self.offsets[number] : self.offsets[number + 1]]

    @property
    def lengths(self) -> Numbers:
        """The letters of each."""
        return np.diff(self.offsets)

    @property
    def letters(self) -> Codes:
        """The codes of all, from the first of them to the last."""
        return self.codes[self.offsets[0] : self.offsets[-1]]

    def part(self, start: int, end: int) -> "Joined":
        """Those from one number to before another, not copied."""
        return Joined(self.codes, self.offsets[start : end + 1])


@dataclass(frozen=True, eq=False)
class PairBatch(Sequence[CodedPair]):
    """Pairs of the first query and the first subject, the second of each, and so on."""

    queries: Joined
    subjects: Joined

    def __post_init__(self) -> None:
        assert len(self.queries) == len(self.subjects)

    @classmethod
    def of(cls, pairs: Sequence[CodedPair]) -> "PairBatch":
        """These pairs: copied, if they are no batch yet."""
        if isinstance(pairs, PairBatch):
            return pairs
        return cls(Joined.of(pair.query for pair in pairs), Joined.of(pair.subject for pair in pairs))

    def __len__(self) -> int:
        return len(self.queries)

    @overload
    def __getitem__(self, number: int) -> CodedPair: ...
    @overload
    def __getitem__(self, number: slice) -> "PairBatch": ...
    def __getitem__(self, number: int | slice) -> "CodedPair | PairBatch":
        if isinstance(number, slice):
            start, end, step = number.indices(len(self))
            if step != 1:
                return PairBatch.of([self[each] for each in range(start, end, step)])
            end = max(start, end)
            return PairBatch(self.queries.part(start, end), self.subjects.part(start, end))
        # As lists count; numpy would take what lies beyond the first for the last.
        place = range(len(self))[number]
        return CodedPair(self.queries[place], self.subjects[place])

    @cached_property
    def lengths(self) -> Numbers:
        """Letters of the queries, and of the subjects: (2, pairs)."""
        return np.stack((self.queries.lengths, self.subjects.lengths))
