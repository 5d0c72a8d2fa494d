"""What kernels found of pairs, as numbers of the device and as alignments."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment, Run
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS


@dataclass(frozen=True, slots=True)
class Found:
    """A row for each pair, Found of kernels/pairs/walk.cuh, and the runs of all, a word each."""

    rows: list[list[int]]
    runs: list[int]
    local: bool

    def alignment(self, index: int) -> Alignment | None:
        """That of a pair; None where a local one has no score above 0."""
        score, query_start, query_end, subject_start, subject_end, start, end, _ = self.rows[index]
        if self.local and score == 0:
            return None
        runs = tuple(map(_run, self.runs[start:end]))
        return Alignment(score, query_start, query_end, subject_start, subject_end, runs)


@lru_cache(maxsize=1 << 14)
def _run(word: int) -> Run:
    # Most alignments are made of the same few runs: looking one up costs a tenth of making it.
    return Run(RUN_KINDS[word % (1 << KIND_BITS)], word >> KIND_BITS)


def fetched(numbers: Any, stream: Any) -> npt.NDArray[np.int32]:
    """Numbers of the device, once they are there.

    Through pinned memory: a copy from or to any other keeps all threads from launching until it has ended.
    """
    words: npt.NDArray[np.int32] = cupyx.empty_pinned(numbers.shape, np.int32)
    numbers.get(stream=stream, out=words, blocking=False)
    stream.record().synchronize()
    return words


@dataclass(frozen=True, slots=True, eq=False)
class Sent:
    """Bytes on their way to the device, and the pinned memory that must not be used again before they are there."""

    numbers: Any
    pinned: npt.NDArray[np.uint8]


def sent(parts: list[bytes], stream: Any) -> Sent:
    """One part after the other; through pinned memory, too. Whole words: kernels may read eight letters at a time."""
    letters = b"".join(parts)
    pinned = cupyx.empty_pinned(-(-len(letters) // 8) * 8, np.uint8)
    pinned.data[: len(letters)] = letters
    numbers = cupy.empty(len(pinned), np.uint8)
    numbers.set(pinned, stream)
    return Sent(numbers, pinned)
