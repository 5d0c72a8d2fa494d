"""Bytes of a mapped file to the device, through pinned buffers: some are filled while others are sent.

A plain copy to the device would wait for pages that are not pinned; a file's pages cannot be.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.device import tuned

Look = Callable[[int, npt.NDArray[np.uint8]], None]
"""Where a piece begins, and its bytes."""


class Staging:
    """Pinned buffers and the threads that fill them, for any number of senders at a time."""

    def __init__(self, device: int = 0) -> None:
        """device: CUDA's number of that which bytes go to."""
        self._device = device
        copiers, self._bytes = tuned().copiers, tuned().copied_bytes
        # Each with the event after which it may be filled again.
        self._buffers: SimpleQueue[tuple[npt.NDArray[np.uint8], Any]] = SimpleQueue()
        self._count = 2 * copiers
        for _ in range(self._count):
            self._buffers.put((cupyx.empty_pinned(self._bytes, np.uint8), None))
        self._copiers = ThreadPoolExecutor(copiers, thread_name_prefix="staging")

    def send(self, data: npt.NDArray[Any]) -> Any:
        """The same array on the device, its copy queued on the current stream; returns once all of it is read."""
        target = cupy.empty(data.shape, data.dtype)
        deque(self.begin(data.view(np.uint8), target.view(cupy.uint8)), maxlen=0)
        return target

    def begin(self, source: npt.NDArray[np.uint8], target: Any, look: Look | None = None) -> Iterator[None]:
        """Copy bytes to the device on the current stream: all of them are read when the iterator ends.

        look: is shown what will be sent, piece by piece, and may change it.
        """
        stream = cupy.cuda.get_current_stream()

        def send(first: int) -> None:
            piece = slice(first, first + self._bytes)
            self._send(source[piece], target[piece], stream, look and partial(look, first))

        return self._copiers.map(send, range(0, len(source), self._bytes))

    def _send(
        self,
        piece: npt.NDArray[np.uint8],
        target: Any,
        stream: Any,
        look: Callable[[npt.NDArray[np.uint8]], None] | None,
    ) -> None:
        buffer, sent = self._buffers.get()
        try:
            if sent is not None:
                sent.synchronize()
            filled = buffer[: len(piece)]
            np.copyto(filled, piece)
            if look is not None:
                look(filled)
            # Events are the current device's, which each thread has its own of.
            with cupy.cuda.Device(self._device):
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
