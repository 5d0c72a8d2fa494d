"""The bytes of jobs' folders by account, counted now and then: to look at every file of many jobs takes seconds."""

import math
import os
import stat
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

COUNTED_S = 60
"""So long a count is gone by, in seconds; what this process has added or removed since is reckoned with."""
_ACCOUNT = "account."
"""Before an account's digest, in the name of an empty file of a job's folder: what is in there is that account's."""


class KeptBytes:
    """The bytes of all files in a folder of jobs' folders; safe for use by several threads."""

    def __init__(self, folder: Path, most: int) -> None:
        """most: bytes that may be kept."""
        self._folder, self._most, self._due = folder, most, -math.inf
        self._bytes, self._coming = Counter[str](), Counter[str]()
        self._changing, self._counting = threading.Lock(), threading.Lock()

    def has_room(self, size: int, account: str = "") -> bool:
        """Whether so many bytes may be kept. Of an account: whether it then has no more than it leaves to others.

        So no account can take the last room, and one that has nothing yet always finds some.
        """
        self._look()
        with self._changing:
            return self._fits(size, account)

    @contextmanager
    def coming(self, size: int, account: str) -> Iterator[bool]:
        """Whether so many bytes may be written; if so they count as if they were kept, as long as the context lasts."""
        self._look()
        with self._changing:
            fits = self._fits(size, account)
            counted = size if fits else 0
            self._coming[account] += counted
        try:
            yield fits
        finally:
            with self._changing:
                self._coming[account] -= counted
                if not self._coming[account]:
                    del self._coming[account]

    def add(self, more: int, account: str) -> None:
        """Reckon with bytes that have been written; below 0: removed."""
        with self._changing:
            self._bytes[account] += more

    def _fits(self, size: int, account: str) -> bool:
        left = self._most - self._bytes.total() - self._coming.total() - size
        mine = self._bytes[account] + self._coming[account] + size if account else 0
        return left >= mine

    def _look(self) -> None:
        """Count what is there, if it is time; what other processes have changed is known a count later."""
        # Who comes while they are counted goes by the count before, if there is one.
        if self._counting.acquire(blocking=self._due == -math.inf):
            try:
                if time.monotonic() >= self._due:
                    self._count()
            finally:
                self._counting.release()

    def _count(self) -> None:
        before = self._bytes.copy()
        counted = _bytes_by_account(self._folder)
        with self._changing:
            # What came meanwhile may not have been seen; what went may have.
            self._bytes = counted + (self._bytes - before)
        self._due = time.monotonic() + COUNTED_S


def keep_account(folder: Path, account: str) -> None:
    """Note whose a job's folder is. Raises OSError."""
    (folder / f"{_ACCOUNT}{account}").touch(mode=0o600)


def account_of(folder: Path) -> str:
    """Whose a job's folder is; nothing where that is not known."""
    with suppress(FileNotFoundError):
        return _account_among(path.name for path in folder.iterdir())
    return ""


def _account_among(names: Iterable[str]) -> str:
    return next((name.removeprefix(_ACCOUNT) for name in names if name.startswith(_ACCOUNT)), "")


def _bytes_by_account(folder: Path) -> Counter[str]:
    """Those of all files in jobs' folders."""
    sizes, account = Counter[str](), ""
    for inside, _, names in os.walk(folder):
        # What is in a job's folder comes right behind it.
        if Path(inside).parent == folder:
            account = _account_among(names)
        sizes[account] += _bytes_among(inside, names)
    return sizes


def bytes_in(folder: Path) -> int:
    """Those of all files in a folder, less those that are removed meanwhile."""
    # Path.rglob raises where a folder goes while it looks; os.walk goes on.
    return sum(_bytes_among(inside, names) for inside, _, names in os.walk(folder))


def _bytes_among(inside: str, names: list[str]) -> int:
    sizes = 0
    for name in names:
        with suppress(FileNotFoundError):
            found = Path(inside, name).lstat()
            sizes += found.st_size if stat.S_ISREG(found.st_mode) else 0
    return sizes
