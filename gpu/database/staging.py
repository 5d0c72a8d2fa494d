"""Bytes of a mapped file to the device, through pinned buffers: some are filled while others are sent.

A plain copy to the device would wait for pages that are not pinned; a file's pages cannot be.
"""

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.device import tuned


class Staging:
    """Pinned buffers and the threads that fill them, for any number of senders at a time."""

    def __init__(self) -> None:
        copiers, self._bytes = tuned().copiers, tuned().copied_bytes
        # Each with the event after which it may be filled again.
        self._buffers: SimpleQueue[tuple[npt.NDArray[np.uint8], Any]] = SimpleQueue()
        self._count = 2 * copiers
        for _ in range(self._count):
            self._buffers.put((cupyx.empty_pinned(self._bytes, np.uint8), None))
        self._copiers = ThreadPoolExecutor(copiers, thread_name_prefix="staging")

    def send(self, data: npt.NDArray[Any]) -> Any:
        """The same array on the device, its copy queued on the current stream; returns once all of it is read."""
        stream = cupy.cuda.get_current_stream()
        target = cupy.empty(data.shape, data.dtype)
        source, there = data.view(np.uint8), target.view(cupy.uint8)
        pieces = (slice(first, first + self._bytes) for first in range(0, len(source), self._bytes))
        list(self._copiers.map(lambda piece: self._send(source[piece], there[piece], stream), pieces))
        return target

    def _send(self, piece: npt.NDArray[np.uint8], target: Any, stream: Any) -> None:
        buffer, sent = self._buffers.get()
        try:
            if sent is not None:
                sent.synchronize()
            filled = buffer[: len(piece)]
            np.copyto(filled, piece)
            target.set(filled, stream=stream)
            sent = stream.record()
        finally:
            self._buffers.put((buffer, sent))

    def close(self) -> None:
        """Return when nothing is under way any more."""
        self._copiers.shutdown()
        for _ in range(self._count):
            _, sent = self._buffers.get()
            if sent is not None:
                sent.synchronize()
