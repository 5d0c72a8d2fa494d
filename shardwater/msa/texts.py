"""Many short texts in one array: a Python object each would take more memory than they do."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Bytes by number. joined: all of them, one after another; offsets: where each begins, and the end."""

    joined: npt.NDArray[np.uint8]
    offsets: Numbers

    @classmethod
    def of(cls, texts: Iterable[bytes]) -> Self:
        """These texts in their order."""
        joined, lengths = bytearray(), []
        for text in texts:
            joined += text
            lengths.append(len(text))
        return cls.cut(joined, np.array(lengths, np.int64))

    @classmethod
    def cut(cls, joined: bytearray, lengths: Numbers) -> Self:
        """Texts of these lengths, which stand one after another."""
        return cls(np.frombuffer(joined, np.uint8), np.concatenate(([0], np.cumsum(lengths))))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> bytes:
        return self.joined[self.offsets[number] : self.offsets[number + 1]].tobytes()

    def __iter__(self) -> Iterator[bytes]:
        return map(self.__getitem__, range(len(self)))

    @property
    def lengths(self) -> Numbers:
        """Bytes of each."""
        return np.diff(self.offsets)

    def first(self, most: int) -> Self:
        """The first of them, so many at most; nothing is copied."""
        offsets = self.offsets[: most + 1]
        return type(self)(self.joined[: offsets[-1]], offsets)

    def take(self, numbers: Numbers) -> Self:
        """The texts of these numbers, in this order; -1 is an empty one."""
        return self.of(self[number] if number >= 0 else b"" for number in numbers.tolist())
