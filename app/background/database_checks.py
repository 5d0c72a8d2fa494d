"""Whether a database's files may be given out: the front end has each read through before it gives sequences of it.

Workers do so when they load a database, but perhaps on other machines, and from files that were written to since.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotDone
from pathlib import Path
from threading import Event, Lock

from app.problems import NotCheckedError
from shardwater.database.database import Database
from shardwater.database.verified import Record, record_of, verify_once

WAIT_S = 1.0
"""A request waits so long for the end of the reading, in seconds: 1 GB takes about as long."""


class Soundness:
    """What is known of each version's files as they are now; they are read by one thread, one after another."""

    def __init__(self) -> None:
        self._lock, self._closed = Lock(), Event()
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="soundness")
        self._found: dict[Path, tuple[Record, Future[None]]] = {}

    def check(self, database: Database) -> None:
        """Return if the files are the manifest's; raises DatabaseError, or NotCheckedError while they are read."""
        files = record_of(database)
        with self._lock:
            known = self._found.get(database.path)
            if known is None or known[0] != files:
                known = files, self._reader.submit(verify_once, database, self._go_on)
                self._found[database.path] = known
        try:
            known[1].result(WAIT_S)
        except NotDone:
            name = database.manifest.name
            raise NotCheckedError(f"the files of database {name} are being compared with their checksums") from None

    def close(self) -> None:
        """Give up what is being read."""
        self._closed.set()
        self._reader.shutdown(cancel_futures=True)

    def _go_on(self, done: int, total: int) -> None:
        if self._closed.is_set():
            raise InterruptedError
