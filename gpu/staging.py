"""Bytes of a mapped file to the device: through two pinned buffers, so that one is filled while the other is sent.

A plain copy to the device would wait for pages that are not pinned; a file's pages cannot be.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

BUFFER_BYTES = 64 << 20
COPIERS = 8
"""Threads that fill a buffer: one alone is slower than the bus."""


class Staging:
    """Two pinned buffers and the threads that fill them; for one thread of use at a time."""

    def __init__(self) -> None:
        self._buffers: list[npt.NDArray[np.uint8]] = [cupyx.empty_pinned(BUFFER_BYTES, np.uint8) for _ in range(2)]
        self._sent: list[Any] = [None, None]
        self._copiers = ThreadPoolExecutor(COPIERS, thread_name_prefix="staging")

    def send(self, data: npt.NDArray[np.uint8], target: Any) -> None:
        """Queue the copy of host bytes to a device array on the current stream; returns once all are read."""
        stream = cupy.cuda.get_current_stream()
        for number, start in enumerate(range(0, len(data), BUFFER_BYTES)):
            part = data[start : start + BUFFER_BYTES]
            buffer = self._free(number % 2)[: len(part)]
            self._fill(buffer, part)
            target[start : start + len(part)].set(buffer, stream=stream)
            self._sent[number % 2] = stream.record()

    def _free(self, number: int) -> npt.NDArray[np.uint8]:
        if self._sent[number] is not None:
            self._sent[number].synchronize()
        return self._buffers[number]

    def _fill(self, buffer: npt.NDArray[np.uint8], part: npt.NDArray[np.uint8]) -> None:
        step = -(-len(part) // COPIERS)
        pieces = [slice(first, first + step) for first in range(0, len(part), step)]
        list(self._copiers.map(lambda piece: np.copyto(buffer[piece], part[piece]), pieces))

    def wait(self) -> None:
        """Return when nothing is under way any more."""
        for event in self._sent:
            if event is not None:
                event.synchronize()
