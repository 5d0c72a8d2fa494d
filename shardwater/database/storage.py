"""Files that survive a crash: digested while they are written, synced before they are named.

Everything here is about bytes and folders; what the bytes mean is said elsewhere.
"""

import fcntl
import hashlib
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Buffer = bytes | npt.NDArray[Any]
_OUTSTANDING = 1 << 25
"""Bytes handed over and not yet written."""


@dataclass(frozen=True, slots=True)
class FileDigest:
    """A file's size and its SHA-256 in hex."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class _Pending:
    future: Future[None]
    size: int


class DigestedFile:
    """A new file that is written by one thread and digested by another, so that the caller can go on computing."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("xb", buffering=0)
        self._sha256 = hashlib.sha256()
        self._size = 0
        self._pending: deque[_Pending] = deque()
        self._writer, self._hasher = ThreadPoolExecutor(1), ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._writer.shutdown(cancel_futures=True)
        self._hasher.shutdown(cancel_futures=True)
        self._file.close()

    def write(self, data: Buffer) -> None:
        """Append the data, which must not change afterwards; waits only when too much is outstanding."""
        view = memoryview(data).cast("B")  # type: ignore[arg-type]
        self._size += len(view)
        self._pending.append(_Pending(self._writer.submit(self._write, view), len(view)))
        self._pending.append(_Pending(self._hasher.submit(self._sha256.update, view), 0))
        while sum(pending.size for pending in self._pending) > _OUTSTANDING:
            self._pending.popleft().future.result()

    def digest(self) -> FileDigest:
        """Size and digest of all that was written."""
        while self._pending:
            self._pending.popleft().future.result()
        return FileDigest(self._size, self._sha256.hexdigest())

    def _write(self, view: memoryview) -> None:
        while view:
            view = view[self._file.write(view) :]


def write_file(path: Path, chunks: Iterable[Buffer]) -> FileDigest:
    """Write a new file while the chunks are still being made."""
    with DigestedFile(path) as file:
        for chunk in chunks:
            file.write(chunk)
        return file.digest()


def digest_file(path: Path, block: int = 1 << 23) -> Iterator[FileDigest]:
    """Read a file through; yields the digest of what was read so far, block by block."""
    sha256, size = hashlib.sha256(), 0
    with path.open("rb", buffering=0) as file:
        while data := file.read(block):
            sha256.update(data)
            size += len(data)
            yield FileDigest(size, sha256.hexdigest())


def sync(path: Path) -> None:
    """Force a file's bytes, or a folder's list of names, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_text(path: Path, text: str) -> None:
    """Write a small file whole or not at all: beside, synced, then renamed over the old one."""
    beside = path.with_name(f".{path.name}-{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    sync(beside)
    beside.replace(path)
    sync(path.parent)


@contextmanager
def locked(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold the folder's lock, which dies with the process. Without wait: BlockingIOError if it is held."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def is_abandoned(folder: Path) -> bool:
    """Whether no living process holds the folder's lock."""
    with suppress(BlockingIOError, FileNotFoundError), locked(folder, wait=False):
        return True
    return False


def read_slice(path: Path, start: int, size: int) -> bytes:
    """Bytes of a file, read rather than mapped so that they count once and are gone with the object."""
    with path.open("rb", buffering=0) as file:
        file.seek(start)
        data = file.read(size)
    if len(data) != size:  # raw reads stop at 2 GiB; callers ask for far less
        raise OSError(f"{path.name}: {size} bytes wanted at {start}, {len(data)} read")
    return data


def read_numbers(path: Path, dtype: np.dtype[Any], size: int) -> Iterator[npt.NDArray[Any]]:
    """A file's numbers, `size` at a time."""
    with path.open("rb", buffering=0) as file:
        while data := file.read(size * dtype.itemsize):
            yield np.frombuffer(data, dtype=dtype)
