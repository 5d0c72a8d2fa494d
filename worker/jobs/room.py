"""The bytes of jobs' folders by account, counted now and then: to look at every file of many jobs takes seconds."""

import math
import os
import stat
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

COUNTED_S = 60
"""So long a count is gone by, in seconds; what this process has added or removed since is reckoned with."""
OVERDRAWN = 2
"""Jobs that were accepted may pass the bound so many times, since what they will write is not known before."""
_ACCOUNT = "account."
"""Before an account's digest, in the name of an empty file of a job's folder: what is in there is that account's."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is known of a job's folder: whose it is, and the bytes of its files."""

    account: str = ""
    size: int = 0


class KeptBytes:
    """The bytes of all files in a folder of jobs' folders; safe for use by several threads."""

    def __init__(self, folder: Path, most: int) -> None:
        """most: bytes that may be kept."""
        self._folder, self._most, self._due = folder, most, -math.inf
        # By job: who removes a folder takes off what was counted of it, and no count falls below 0.
        self._jobs, self._coming = dict[str, _Kept](), Counter[str]()
        self._bytes = Counter[str]()
        self._changing, self._counting = threading.Lock(), threading.Lock()

    def has_room(self, size: int, account: str = "") -> bool:
        """Whether so many bytes may be kept. Of an account: whether it then has no more than it leaves to others.

        So no account can take the last room, and one that has nothing yet always finds some.
        """
        self._look()
        with self._changing:
            return self._fits(size, account)

    def is_far_past(self, size: int) -> bool:
        """Whether the bound would be passed OVERDRAWN times with so many bytes more."""
        self._look()
        with self._changing:
            return self._bytes.total() + size > OVERDRAWN * self._most

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

    def add(self, job: str, more: int, account: str) -> None:
        """Reckon with bytes that have been written into a job's folder, which is this account's."""
        with self._changing:
            self._put(job, _Kept(account, self._size(job) + more))

    def drop(self, job: str) -> None:
        """Reckon with a job's folder no more: it has been removed."""
        with self._changing:
            self._put(job, None)

    def _size(self, job: str) -> int:
        return self._jobs.get(job, _Kept()).size

    def _put(self, job: str, kept: _Kept | None) -> None:
        if (before := self._jobs.pop(job, None)) is not None:
            self._bytes[before.account] -= before.size
        if kept is not None:
            self._jobs[job] = kept
            self._bytes[kept.account] += kept.size

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
        with self._changing:
            before = self._jobs.copy()
        counted = _kept_in(self._folder)
        with self._changing:
            # What came meanwhile may not have been seen, what went may have.
            for job in before.keys() - self._jobs.keys():
                counted.pop(job, None)
            for job, kept in self._jobs.items():
                if more := kept.size - before.get(job, _Kept()).size:
                    counted[job] = _Kept(kept.account, counted.get(job, _Kept()).size + more)
            self._jobs, self._bytes = counted, Counter()
            for kept in counted.values():
                self._bytes[kept.account] += kept.size
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


def _kept_in(folder: Path) -> dict[str, _Kept]:
    """Jobs' folders, by the jobs."""
    found, account, job = dict[str, _Kept](), "", ""
    for inside, _, names in os.walk(folder):
        if (path := Path(inside)) == folder:
            continue
        # What is in a job's folder comes right behind it.
        if path.parent == folder:
            account, job = _account_among(names), path.name
        found[job] = _Kept(account, found.get(job, _Kept()).size + _bytes_among(inside, names))
    return found


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
