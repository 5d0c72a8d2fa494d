"""What is asked of a part's scores, answered on the device: the best subjects, or a histogram."""

from collections.abc import Sequence
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.device import device
from gpu.module import kernel

BINS = 4096
TALLY_THREADS = 256
GATHER_THREADS = 1024
"""As in kernels/gather.cu."""
MORE = 4096
"""Candidates beyond those asked for that are copied with them: ties, which only their order decides."""


class Best:
    """The `top` best subjects of a part, on their way to the host."""

    def __init__(self, scores: Any, first: int, top: int) -> None:
        """Queue the selection on the current stream; scores is int32, by subject of a part that begins at `first`."""
        self._first, self._top = first, min(top, len(scores))
        self._keys = _candidates(scores, self._top)
        stream = cupy.cuda.get_current_stream()
        some = self._keys[: 1 + self._top + MORE]
        self._copy: npt.NDArray[np.uint64] = cupyx.empty_pinned(len(some), np.uint64)
        some.get(stream=stream, out=self._copy, blocking=False)
        self._copied = stream.record()

    def keys(self) -> npt.NDArray[np.int64]:
        """Score << 32 | (2^32 - 1 - position in the shard), for those above 0, the best first; waits for them."""
        self._copied.synchronize()
        count = int(self._copy[0])
        keys = self._copy if count < len(self._copy) else self._keys[: 1 + count].get()
        found = np.sort(keys[1 : 1 + count].view(np.int64))[::-1][: self._top]
        return found - self._first


def _candidates(scores: Any, top: int) -> Any:
    """Their number, and the keys of kernels/gather.cu."""
    counts, keys = cupy.empty(BINS, cupy.int32), cupy.empty(1 + len(scores), cupy.uint64)
    stream, blocks = cupy.cuda.get_current_stream(), device().multiprocessors
    counts.data.memset_async(0, counts.nbytes, stream)
    keys.data.memset_async(0, keys.itemsize, stream)
    subjects = np.int32(len(scores))
    kernel("tally")((blocks,), (TALLY_THREADS,), (scores, subjects, counts))
    kernel("gather")((blocks,), (GATHER_THREADS,), (scores, subjects, counts, np.int32(top), keys))
    return keys


def histogram(scores: Any, lengths: Any, length_edges: Sequence[int], bins: int) -> Any:
    """How many subjects have each score, by length: int64 (len(length_edges) + 1, bins).

    Row k counts lengths from length_edges[k - 1] to below length_edges[k]; the last column all scores from bins - 1.
    """
    row = cupy.searchsorted(cupy.asarray(np.array(length_edges, np.uint32)), lengths, side="right")
    place = row * bins + cupy.minimum(scores, bins - 1)
    return cupy.bincount(place, minlength=(len(length_edges) + 1) * bins).reshape(-1, bins)
