"""The launches under way, so that no stream has too many."""

from collections import deque
from collections.abc import Iterator
from typing import Any


class Launches:
    """The cells of launches under way, over all streams."""

    def __init__(self) -> None:
        self._streams: dict[Any, deque[tuple[Any, int]]] = {}

    def queued(self, stream: Any, cells: int) -> None:
        """Count a launch just queued on a stream."""
        if cells:
            self._streams.setdefault(stream.ptr, deque()).append((stream.record(), cells))

    def ended(self, most: int) -> Iterator[int]:
        """Wait until no stream has more than one launch and so many cells under way; the cells of each that ends."""
        for waiting in self._streams.values():
            while len(waiting) > (most > 0) and sum(cells for _, cells in waiting) > most:
                event, cells = waiting.popleft()
                event.synchronize()
                yield cells
