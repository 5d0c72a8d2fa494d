"""Many pairs in four arrays: to make a million objects instead would take seconds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self, overload

import numpy as np
import numpy.typing as npt

from shardwater.pairs.coded import CodedPair
from shardwater.sequences.alphabet import Codes

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """Sequences one after another in `codes`; offsets (sequences + 1): where each begins, and where the last ends.

    Codes before the first sequence or after the last belong to none.
    """

    codes: Codes
    offsets: Numbers

    @classmethod
    def of(cls, sequences: Iterable[Codes]) -> Self:
        """A copy of these sequences."""
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
        """The sequences from number `start` to before `end`; codes are shared, not copied."""
        return Joined(self.codes, self.offsets[start : end + 1])


@dataclass(frozen=True, eq=False)
class PairBatch(Sequence[CodedPair]):
    """Pair n is the nth query and the nth subject."""

    queries: Joined
    subjects: Joined

    def __post_init__(self) -> None:
        assert len(self.queries) == len(self.subjects)

    @classmethod
    def of(cls, pairs: Sequence[CodedPair]) -> "PairBatch":
        """A batch of these pairs: the same one where they are a batch already, else a copy."""
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


def lengths_of(pairs: Sequence[CodedPair]) -> Numbers:
    """Letters of the queries, and of the subjects: (2, pairs)."""
    if isinstance(pairs, PairBatch):
        return pairs.lengths
    return np.array([(len(pair.query), len(pair.subject)) for pair in pairs], np.int64).reshape(-1, 2).T
