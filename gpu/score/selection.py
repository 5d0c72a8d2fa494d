"""What is asked of scores, answered on the device: a part's best subjects, the counts of all, those wanted of them."""

from dataclasses import dataclass
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.database.choices import LeftOut
from gpu.database.resident import Part
from gpu.device import device
from gpu.layout import BINS, GATHER_THREADS, THREADS
from gpu.variants import CENSUS
from shardwater.statistics.distribution import ROWS, SCORES, Counts

MORE = 4096
"""Candidates beyond those asked for that are copied with them: ties, which only their order decides."""
WANTED = 1 << 15
"""Subjects that are copied without a look at how many there are."""


class Copied:
    """The scores of a part's subjects on their way to the host."""

    def __init__(self, scores: Any, left_out: LeftOut | None) -> None:
        """Queue the copy on the current stream; scores is int32."""
        self._left_out = left_out
        stream = cupy.cuda.get_current_stream()
        self._copy: npt.NDArray[np.int32] = cupyx.empty_pinned(len(scores), np.int32)
        scores.get(stream=stream, out=self._copy, blocking=False)
        self._copied = stream.record()

    def get(self) -> npt.NDArray[np.int32]:
        """The scores, without those of who is left out; waits for them."""
        self._copied.synchronize()
        return self._copy if self._left_out is None else self._copy[self._left_out.kept]


class FetchedKeys:
    """Keys of subjects on their way to the host: their number, then keys, of a part that begins at `first`."""

    def __init__(self, keys: Any, first: int, likely: int) -> None:
        """Queue the copy on the current stream; likely: how many keys there hardly are more of."""
        self._all, self._first = keys, first
        stream = cupy.cuda.get_current_stream()
        some = keys[: 1 + likely]
        self._copy: npt.NDArray[np.uint64] = cupyx.empty_pinned(len(some), np.uint64)
        some.get(stream=stream, out=self._copy, blocking=False)
        self._copied = stream.record()

    def get(self) -> npt.NDArray[np.int64]:
        """Score << SUBJECT_BITS | (LAST_SUBJECT - position in the shard), the best first; waits for them."""
        self._copied.synchronize()
        count = int(self._copy[0])
        keys = self._copy if count < len(self._copy) else self._all[: 1 + count].get()
        return np.sort(keys[1 : 1 + count].view(np.int64))[::-1] - self._first


class Best:
    """The `top` best subjects of a part, on their way to the host."""

    def __init__(self, scores: Any, first: int, top: int) -> None:
        """Queue the selection on the current stream; scores is int32, by subject of a part that begins at `first`."""
        self._top = min(top, len(scores))
        self._keys = FetchedKeys(_candidates(scores, self._top), first, self._top + MORE)

    def keys(self) -> npt.NDArray[np.int64]:
        """As FetchedKeys.get has them, for those above 0."""
        return self._keys.get()[: self._top]


def _candidates(scores: Any, top: int) -> Any:
    """Their number, and the keys of kernels/score/gather.cu."""
    counts, keys = cupy.empty(BINS, cupy.int32), cupy.empty(1 + len(scores), cupy.uint64)
    stream, blocks = cupy.cuda.get_current_stream(), device().multiprocessors
    counts.data.memset_async(0, counts.nbytes, stream)
    keys.data.memset_async(0, keys.itemsize, stream)
    subjects = np.int32(len(scores))
    kernel("tally")((blocks,), (THREADS,), (scores, subjects, counts))
    kernel("gather")((blocks,), (GATHER_THREADS,), (scores, subjects, counts, np.int32(top), keys))
    return keys


@dataclass(frozen=True, slots=True)
class _Counted:
    """The int32 scores of a part, those of who is left out 0, and the stream that they were made on."""

    part: Part
    scores: Any
    stream: Any


class Census:
    """The counts of a query's subjects by length and score, in one part or several, and then those that are wanted.

    The scores stay on the device until then.
    """

    def __init__(self, edges: Any) -> None:
        """edges: the uint32 borders of lengths."""
        self._edges = edges
        self._parts: list[_Counted] = []
        self._left_out = np.zeros(ROWS, np.int64)
        self._ready: Any = None

    def add(self, part: Part, scores: Any, left_out: LeftOut | None) -> None:
        """Queue the counting of a part on the current stream, behind that of the part before."""
        stream = cupy.cuda.get_current_stream()
        if self._parts:
            stream.wait_event(self._ready)
        else:
            self._counts = cupy.empty((ROWS, SCORES), cupy.int32)
            self._counts.data.memset_async(0, self._counts.nbytes, stream)
        arguments = (scores, part.lengths, self._edges, np.int32(len(scores)), self._counts)
        kernel("census", **CENSUS)((2 * device().multiprocessors,), (THREADS,), arguments)
        self._ready = stream.record()
        self._parts.append(_Counted(part, scores, stream))
        if left_out is not None:
            self._left_out += left_out.by_row

    def end(self) -> None:
        """Queue the copy of the counts on the last part's stream."""
        self._table: npt.NDArray[np.int32] = cupyx.empty_pinned(self._counts.shape, np.int32)
        stream = self._parts[-1].stream
        self._counts.get(stream=stream, out=self._table, blocking=False)
        # A search waits here most of its time. The usual event spins and keeps a core; one that blocks sleeps.
        self._ready = stream.record(cupy.cuda.Event(block=True, disable_timing=True))

    def counts(self) -> Counts:
        """The counts; waits for them."""
        self._ready.synchronize()
        self._table[:, 0] -= self._left_out
        return Counts.in_table(self._table)

    def wanted(self, least: npt.NDArray[np.int32], most: int) -> list[FetchedKeys]:
        """Queue what finds the subjects above 0 that have their row's least score; the scores are given up.

        most: how many these are at most.
        """
        found = []
        for each in self._parts:
            with each.stream:
                keys = cupy.empty(1 + min(most, len(each.scores)), cupy.uint64)
                keys.data.memset_async(0, keys.itemsize, each.stream)
                reached, subjects = cupy.asarray(np.maximum(1, least).astype(np.int32)), np.int32(len(each.scores))
                arguments = (each.scores, each.part.lengths, self._edges, reached, subjects, keys)
                kernel("wanted", **CENSUS)((2 * device().multiprocessors,), (THREADS,), arguments)
                found.append(FetchedKeys(keys, each.part.first, WANTED))
        self._parts.clear()
        return found
