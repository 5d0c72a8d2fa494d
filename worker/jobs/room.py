"""The bytes of a folder, counted now and then: to look at every file of many jobs takes seconds."""

import math
import os
import stat
import threading
import time
from contextlib import suppress
from pathlib import Path

COUNTED_S = 60
"""So long a count is gone by, in seconds; what this process has added or removed since is reckoned with."""


class KeptBytes:
    """The bytes of all files in a folder; safe for use by several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._bytes, self._due = folder, 0, -math.inf
        self._changing, self._counting = threading.Lock(), threading.Lock()

    def now(self) -> int:
        """The bytes, as far as they are known; what other processes have changed, a count later."""
        # Who comes while they are counted goes by the count before, if there is one.
        if self._counting.acquire(blocking=self._due == -math.inf):
            try:
                if time.monotonic() >= self._due:
                    self._count()
            finally:
                self._counting.release()
        return self._bytes

    def add(self, more: int) -> None:
        """Reckon with bytes that have been written; below 0: removed."""
        with self._changing:
            self._bytes += more

    def _count(self) -> None:
        before = self._bytes
        counted = bytes_in(self._folder)
        with self._changing:
            # What came meanwhile may not have been seen; what went may have.
            self._bytes = counted + max(0, self._bytes - before)
        self._due = time.monotonic() + COUNTED_S


def bytes_in(folder: Path) -> int:
    """Those of all files in a folder, less those that are removed meanwhile."""
    sizes = 0
    # Path.rglob raises where a folder goes while it looks; os.walk goes on.
    for inside, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                found = Path(inside, name).lstat()
                sizes += found.st_size if stat.S_ISREG(found.st_mode) else 0
    return sizes
