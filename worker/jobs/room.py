"""The bytes of jobs' folders by account, counted now and then: to look at every file of many jobs takes seconds."""

import math
import os
import stat
import threading
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

COUNTED_S = 60
"""Seconds for which a count holds; what this process has added or removed since is counted, too."""
OVERDRAWN = 2
"""Accepted jobs may use up to this many times the limit: the size of some results is unknown at acceptance."""
_ACCOUNT, _PROMISED = "account.", "promised."
"""Notes are empty files in a job's folder. `account.<digest>`: who is charged. `promised.<bytes>`: what counts until
the job ends, unless its files have more."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of a job's folder: its account, the bytes that are promised to it, and the bytes of its files."""

    account: str = ""
    promised: int = 0
    written: int = 0

    @property
    def size(self) -> int:
        """The bytes that count."""
        return max(self.promised, self.written)

    def grown(self, more: int) -> "Kept":
        """The same with so many bytes more in its files."""
        return replace(self, written=self.written + more)


class KeptBytes:
    """The bytes of all files in a folder of jobs' folders; safe for use by several threads."""

    def __init__(self, folder: Path, most: int) -> None:
        """most: bytes that may be kept."""
        self._folder, self._most, self._due = folder, most, -math.inf
        # By job: who removes a folder takes off what was counted of it, and no count falls below 0.
        self._jobs, self._bytes = dict[str, Kept](), Counter[str]()
        self._under_way = set[str]()
        self._changing, self._counting = threading.Lock(), threading.Lock()

    @property
    def most_of_one(self) -> int:
        """The bytes that an account may have while nobody else has any."""
        return self._most // 2

    def has_room(self, size: int, account: str = "") -> bool:
        """Whether so many bytes may be kept. Of an account: whether it then has no more than it leaves to others.

        So no account can take the last room, and one that has nothing yet always finds some.
        """
        self._look()
        with self._changing:
            return self._fits(size, account)

    def is_far_past(self, job: str, more: int, noted: Kept) -> bool:
        """Whether a job that grows by so many bytes would pass the bound OVERDRAWN times.

        What was promised to the job counts already. noted: what its folder's notes say.
        """
        self._look()
        with self._changing:
            kept = self._jobs.get(job, noted)
            added = kept.grown(more).size - kept.size
            return added > 0 and self._bytes.total() + added > OVERDRAWN * self._most

    def take(self, job: str, kept: Kept) -> bool:
        """Whether there is room for a new job's folder; if so it counts from now on, whether it is there yet or not."""
        self._look()
        with self._changing:
            if fits := self._fits(max(1, kept.size), kept.account):
                self._put(job, kept)
                self._under_way.add(job)
            return fits

    def add(self, job: str, more: int, noted: Kept) -> None:
        """Count bytes that have been written into a job's folder; noted: what its notes say."""
        with self._changing:
            self._put(job, self._jobs.get(job, noted).grown(more))

    def put(self, job: str, kept: Kept) -> None:
        """Count a job's folder as it is."""
        with self._changing:
            self._put(job, kept)
            self._under_way.discard(job)

    def drop(self, job: str) -> None:
        """Count a job's folder no more: it has been removed."""
        with self._changing:
            self._put(job, None)
            self._under_way.discard(job)

    def _put(self, job: str, kept: Kept | None) -> None:
        if (before := self._jobs.pop(job, None)) is not None:
            self._bytes[before.account] -= before.size
        if kept is not None:
            self._jobs[job] = kept
            self._bytes[kept.account] += kept.size

    def _fits(self, size: int, account: str) -> bool:
        left = self._most - self._bytes.total() - size
        mine = self._bytes[account] + size if account else 0
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
                if more := kept.written - before.get(job, Kept()).written:
                    counted[job] = replace(kept, written=counted.get(job, Kept()).written + more)
            for job in self._under_way & (self._jobs.keys() - counted.keys()):
                counted[job] = self._jobs[job]
            self._jobs, self._bytes = counted, Counter()
            for kept in counted.values():
                self._bytes[kept.account] += kept.size
        self._due = time.monotonic() + COUNTED_S


def keep_account(folder: Path, account: str) -> None:
    """Note whose a job's folder is. Raises OSError."""
    (folder / f"{_ACCOUNT}{account}").touch(mode=0o600)


def keep_promise(folder: Path, size: int) -> None:
    """Note how many bytes count for a job's folder until the job has ended. Raises OSError."""
    (folder / f"{_PROMISED}{size}").touch(mode=0o600)


def drop_promise(folder: Path) -> None:
    """Count only the written bytes from now on: the job has ended."""
    for note in folder.glob(f"{_PROMISED}*"):
        note.unlink(missing_ok=True)


def notes_in(folder: Path) -> Kept:
    """What the notes in a job's folder say; nothing where there are none that can be read."""
    with suppress(OSError):
        return _noted_among(path.name for path in folder.iterdir())
    return Kept()


def _noted_among(names: Iterable[str]) -> Kept:
    account, promised = "", 0
    for name in names:
        if name.startswith(_ACCOUNT):
            account = name.removeprefix(_ACCOUNT)
        elif name.startswith(_PROMISED) and (size := name.removeprefix(_PROMISED)).isdecimal():
            promised = int(size)
    return Kept(account, promised)


def _kept_in(folder: Path) -> dict[str, Kept]:
    """Jobs' folders, by the jobs."""
    found, job = dict[str, Kept](), ""
    for inside, _, names in os.walk(folder):
        if (path := Path(inside)) == folder:
            continue
        # What is in a job's folder comes right behind it.
        if path.parent == folder:
            job = path.name
            found[job] = _noted_among(names)
        found[job] = found[job].grown(_bytes_among(inside, names))
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
