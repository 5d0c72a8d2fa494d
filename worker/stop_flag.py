"""A word to stop that a handler of signals gives: threading.Event must not be set there.

A handler runs in the main thread, between two steps of whatever that does. Where it waits for an Event it holds, for a
moment, the lock that setting the Event takes: the process would wait for itself. To release a lock takes none.
"""

from contextlib import suppress
from threading import Lock


class StopFlag:
    """Set once, from anywhere; any number of threads may wait for it."""

    def __init__(self) -> None:
        self._is_set = False
        # Taken until the word is given; then each who waits takes it and gives it on.
        self._lock = Lock()
        self._lock.acquire()

    def set(self) -> None:
        """Say it; who waits goes on."""
        self._is_set = True
        self._release()

    def is_set(self) -> bool:
        """Whether it was said."""
        return self._is_set

    def wait(self, seconds: float) -> bool:
        """Wait for it, for so many seconds at most; whether it was said."""
        if not self._is_set and self._lock.acquire(timeout=seconds):
            self._release()
        return self._is_set

    def _release(self) -> None:
        # A handler may come between another release and what that was for.
        with suppress(RuntimeError):
            self._lock.release()
