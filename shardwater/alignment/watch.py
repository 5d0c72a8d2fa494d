"""What a long alignment tells while it is made, and how it learns that nobody wants it any more."""

from threading import Lock


class Stopped(Exception):
    """Nobody wants it any more."""


class Watch:
    """Cells that were computed, by several threads, since it was last asked."""

    def __init__(self) -> None:
        self._cells, self._lock, self._stopped = 0, Lock(), False

    def passed(self, cells: int) -> None:
        """So many more; raises Stopped."""
        if self._stopped:
            raise Stopped
        with self._lock:
            self._cells += cells

    def news(self) -> int:
        """How many there were."""
        with self._lock:
            cells, self._cells = self._cells, 0
        return cells

    def stop(self) -> None:
        """Have all that is still made end."""
        self._stopped = True
