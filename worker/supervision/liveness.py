"""Whether what the supervisor runs still answers, and the end of what does not.

A process may live and do nothing: stopped, or stuck for ever. Each is asked in its own way once a second, and killed
when it has been silent for several looks in a row, for more of them where it computes meanwhile; the supervisor then
does what it does for any that dies. Only looks count, never the clock: a machine that was paused as a whole has missed
none.
"""

import http.client
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self, cast
from urllib.parse import urlsplit

from redis import Redis, exceptions

from worker.jobs.redis_names import text
from worker.jobs.worker_registry import WORKERS, worker_key
from worker.telemetry.process_status import processor_ticks, status_of

LOOK_S = 1.0
ANSWER_S = 2.0
"""How long an answer may take; one that takes longer is none."""
UNANSWERED_LOOKS = 5
UNBEATEN_LOOKS = 10
"""Looks without a new heartbeat, as long as a worker's word is good for (process.ALIVE_S)."""
IDLE_LOOKS = 10
"""Looks at a process that has not begun to answer yet, and has not computed anything either."""
BUSY_LOOKS, BUSY_TICKS = 20, 10
"""Looks in vain at a process that computes, so many hundredths of a second or more between two of them: it may have
more to do than it can, and gets through. What its idle threads use is far less."""
LATE_S = 3.0
"""A look that comes so much later than it should says that we ourselves were stopped or starved."""

Sign = Callable[[], bool | None]
"""Whether there is a sign of life since the last look; None when nobody can tell."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Watched:
    """A process, how it is asked, and how many looks in a row may be in vain once it has answered, and does nothing."""

    name: str
    pid: int
    kill: Callable[[], None]
    sign: Sign
    patience: int = UNANSWERED_LOOKS
    begun: bool = False
    missed: int = 0
    idle: int = 0
    computed: int | None = None

    def look(self, ended: threading.Event) -> None:
        """Ask once; kill what has been silent for too long, unless nobody wants to know any more by then."""
        sign, ticks = self.sign(), self._ticks()
        self.begun = self.begun or bool(sign)
        if sign is not False:
            self.forgive()
            return
        if self.begun:
            computes = ticks is not None and ticks >= BUSY_TICKS
            self.missed += 1
        else:
            # What loads a large shard has no heartbeat, however long that takes.
            computes = ticks != 0
        self.idle = 0 if computes else self.idle + 1
        is_stuck = self.idle >= (self.patience if self.begun else IDLE_LOOKS) or self.missed >= BUSY_LOOKS
        if is_stuck and not ended.is_set():
            log.warning("%s (process %d) lives but does not answer, and is killed", self.name, self.pid)
            self.forgive()
            self.kill()

    def forgive(self) -> None:
        """What was missed so far counts no more."""
        self.missed = self.idle = 0

    def _ticks(self) -> int | None:
        """The processor time that it has used since the last look; None where the system does not say."""
        before, self.computed = self.computed, processor_ticks(self.pid)
        return None if self.computed is None else self.computed - (before or 0)


class LivenessProbes:
    """Looks at all that it is told to watch, as long as its context lasts.

    A thread each: who waits for an answer must not keep the others from being asked.
    """

    def __init__(self) -> None:
        self._threads: dict[int, _Watch] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        watches = list(self._threads.values())
        for watch in watches:
            watch.ended.set()
        for watch in watches:
            watch.join()

    def watch(self, watched: Watched) -> None:
        """Look at a process from now on."""
        self.forget(watched.pid)
        self._threads[watched.pid] = watch = _Watch(watched)
        watch.start()

    def forget(self, pid: int) -> None:
        """Look at it no more."""
        if pid in self._threads:
            self._threads.pop(pid).ended.set()

    def has_answered(self, pid: int) -> bool:
        """Whether there ever was a sign of life of it."""
        return pid in self._threads and self._threads[pid].watched.begun


class _Watch(threading.Thread):
    def __init__(self, watched: Watched) -> None:
        super().__init__(name=f"liveness of {watched.name}", daemon=True)
        self.watched, self.ended = watched, threading.Event()

    def run(self) -> None:
        """A look each LOOK_S seconds."""
        asked = time.monotonic()
        while not self.ended.wait(LOOK_S):
            if time.monotonic() - asked - LOOK_S > LATE_S:
                self.watched.forgive()
            else:
                self.watched.look(self.ended)
            asked = time.monotonic()


@dataclass(slots=True)
class Heartbeat:
    """The sign of a worker that is known by what its name begins with: a new number in what it tells of itself."""

    redis: Redis
    prefix: str
    name: str = ""
    last: object = None

    def __call__(self) -> bool | None:
        """Whether its heart has beaten; None while Redis does not answer, since then no heart can be heard."""
        try:
            if not self.name:
                self.name = next(self._told(), "")
                if not self.name:
                    return False
            beat = self.redis.hget(worker_key(self.name), "beats")
        except exceptions.RedisError:
            return None
        before, self.last = self.last, beat
        # What a worker tells of itself lapses some time after its last word.
        return beat is not None and beat != before

    def _told(self) -> Iterator[str]:
        """The workers that have told of themselves under such a name."""
        for member in cast(set[bytes], self.redis.smembers(WORKERS)):
            if text(member).startswith(self.prefix) and self.redis.hexists(worker_key(text(member)), "beats"):
                yield text(member)


def answers_http(url: str) -> bool:
    """Whether a server answers at all, whatever it says."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=ANSWER_S)
    try:
        connection.request("GET", address.path)
        return connection.getresponse().status > 0
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def answers_redis(url: str) -> bool:
    """Whether a Redis answers at all: also that it is still reading its file, or that it cannot write."""
    try:
        with Redis.from_url(url, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S) as redis:
            redis.ping()
    except exceptions.BusyLoadingError:
        return True
    except (exceptions.ConnectionError, exceptions.TimeoutError):
        return False
    except exceptions.RedisError:
        return True
    return True


def lives(pid: int) -> bool:
    """Whether a process of this number is there, and not only its end that nobody has asked for."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return status_of(pid)[:1] != ["Z"]
