"""What kernels found of pairs, fetched; and what goes to the device beside letters."""

from dataclasses import dataclass
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.layout import FOUND_WORDS
from shardwater.pairs.batch import Numbers
from shardwater.pairs.columns import Columns


def columns(
    local: bool, numbers: Numbers, cells: Numbers, found: npt.NDArray[np.int32], runs: npt.NDArray[np.int32]
) -> Columns:
    """Of a row for each pair, Found of kernels/pairs/walk.cuh, and the runs of all, a word each."""
    return Columns(local, numbers, cells, found[:, 0], found[:, 1:5], found[:, 5], found[:, 6], runs)


def fetching(numbers: Any, stream: Any) -> npt.NDArray[np.int32]:
    """Numbers of the device: there when the stream has come so far.

    Through pinned memory: a copy from or to any other keeps all threads from launching until it has ended.
    """
    if numbers.size == 0:
        # There is no pinned memory of no bytes.
        return np.zeros(numbers.shape, np.int32)
    words: npt.NDArray[np.int32] = cupyx.empty_pinned(numbers.shape, np.int32)
    numbers.get(stream=stream, out=words, blocking=False)
    return words


def fetched(numbers: Any, stream: Any) -> npt.NDArray[np.int32]:
    """The same, once they are there."""
    words = fetching(numbers, stream)
    stream.record().synchronize()
    return words


def pinned(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same in pinned memory; not of no numbers."""
    copy: npt.NDArray[Any] = cupyx.empty_pinned(numbers.shape, numbers.dtype)
    copy[...] = numbers
    return copy


def sending(numbers: npt.NDArray[Any]) -> Any:
    """The bytes of an array in pinned memory on the device, once the current stream has come so far."""
    there = cupy.empty(numbers.nbytes, np.uint8)
    there.set(numbers.view(np.uint8).ravel(), cupy.cuda.get_current_stream())
    return there


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What will be found, walk.cuh's Found for each pair and the number of runs; these are still on the device."""

    found: npt.NDArray[np.int32]
    taken: npt.NDArray[np.int32]
    runs: Any
    stream: Any
    done: Any

    @classmethod
    def of(cls, found: Any, taken: Any, runs: Any) -> "Answer":
        """What the current stream will have found when it has come so far."""
        stream = cupy.cuda.get_current_stream()
        return cls(fetching(found, stream), fetching(taken, stream), runs, stream, stream.record())


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """A chunk whose launches are queued; known: which of its pairs have no letters that kernels do not take.

    sent: pinned memory on its way to the device.
    """

    local: bool
    numbers: Numbers
    cells: Numbers
    known: npt.NDArray[np.bool_]
    answer: Answer
    sent: tuple[npt.NDArray[Any], ...]

    def columns(self) -> Columns:
        """What was found, once it is."""
        answer = self.answer
        answer.done.synchronize()
        runs = fetched(answer.runs[: int(answer.taken[0])], answer.stream)
        found = columns(self.local, self.numbers, self.cells, answer.found.reshape(-1, FOUND_WORDS), runs)
        return found if self.known.all() else found.select(self.known)

    def next(self) -> None:
        """Nothing."""


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
