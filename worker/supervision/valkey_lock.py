"""Who has the embedded queue of a data folder: one `serve`, or one command that starts the queue for a moment.

A lock of the system (flock) on a file in the queue's folder: it ends with its process, however that dies. Two that had
the same queue would stop it under each other.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from redis import Redis

from shardwater.errors import AlignError
from worker.supervision.valkey import FOLDER, EmbeddedError, EmbeddedValkey

FILE = "serve.lock"
PATIENCE_S = 30.0
"""A command has the queue for less than that, and a `serve` says within it where it listens."""
LOOK_S = 0.05


class QueueTakenError(AlignError):
    """Another process has the queue of a data folder."""


@dataclass(frozen=True, slots=True)
class Tenure:
    """That this process has the queue, as long as the file is open."""

    file: BinaryIO

    def tell(self, url: str = "") -> None:
        """Say who we are, and where we serve."""
        self.file.truncate(0)
        self.file.write(f"{os.getpid()} {url}".encode())


@contextmanager
def tenure(data: Path) -> Iterator[Tenure]:
    """Have the queue of a data folder, as soon as no command has it; raises QueueTakenError where it is served."""
    with _opened(data / FOLDER) as file:
        _lock(file, data)
        taken = Tenure(file)
        taken.tell()
        yield taken
        file.truncate(0)


@contextmanager
def own_queue(data: Path) -> Iterator[Redis]:
    """The queue of a data folder for a command: the one that is served, or else started and stopped with the command.

    Raises EmbeddedError.
    """
    embedded = EmbeddedValkey(data)
    with ExitStack() as ending:
        # Whoever serves it stops it.
        with suppress(QueueTakenError):
            ending.enter_context(tenure(data))
            if not embedded.running:
                ending.callback(embedded.stop)
        embedded.start()
        yield ending.enter_context(embedded.connect())


def _opened(folder: Path) -> BinaryIO:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return (folder / FILE).open("a+b", buffering=0)
    except OSError as error:
        raise EmbeddedError(
            f"{error.filename}: {error.strerror}; the queue is kept there, unless --redis names another one"
        ) from None


def _lock(file: BinaryIO, data: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            pid, _, url = file.read().decode().partition(" ")
            if url or time.monotonic() > deadline:
                where = f" at {url}" if url else ""
                raise QueueTakenError(f"process {pid} serves {data} already{where}: stop it first") from None
            time.sleep(LOOK_S)
        else:
            return
