"""Whether the supervisor of a front end makes its rounds: it says so in Redis, and the front end looks.

A supervisor that is stopped or hangs replaces nothing that dies. Its front end can only say so: the service itself goes
on, and to end the supervisor is for whoever would start it again (docs/operations.md, systemd).
"""

import logging
import os
import socket

from redis import Redis

from worker.jobs.redis_names import PREFIX

KEPT_S = 24 * 3600
SILENT_S = 30.0
"""A round may take so long, as when the queue is started again."""
LOOKS = 2
"""A machine that was paused as a whole has an old sign at the first look, and a new one at the next."""

log = logging.getLogger(__name__)


def supervisor_key(pid: int) -> str:
    """Set by a supervisor of this host in each of its rounds; how old that is, its remaining life says."""
    return f"{PREFIX}:supervisor:{socket.gethostname()}.{pid}"


def note_round(redis: Redis) -> None:
    """Say that this process, a supervisor, has made a round."""
    redis.set(supervisor_key(os.getpid()), 1, ex=KEPT_S)


def forget_rounds(redis: Redis) -> None:
    """Say nothing any more: this supervisor ends."""
    redis.delete(supervisor_key(os.getpid()))


def silence_s(redis: Redis, pid: int) -> float | None:
    """How long ago a supervisor of this host made its last round, in seconds; None where that is not known."""
    left_ms = redis.pttl(supervisor_key(pid))
    return max(0.0, KEPT_S - left_ms / 1000) if left_ms >= 0 else None


class SupervisorWatch:
    """Looks again and again at the supervisor of this process, if it has one."""

    def __init__(self, redis: Redis, pid: int) -> None:
        self._redis, self._pid, self._missed = redis, pid, 0

    def look(self) -> None:
        """Say once when it has become silent, and once when it is back."""
        silent = silence_s(self._redis, self._pid) if self._pid else None
        if silent is None or silent < SILENT_S:
            if self._missed >= LOOKS:
                log.warning("the supervisor (process %d) makes its rounds again", self._pid)
            self._missed = 0
            return
        self._missed += 1
        if self._missed == LOOKS:
            log.error(
                "the supervisor (process %d) has made no round for %d s: what dies is not started again, and SIGTERM "
                "to it does nothing; SIGCONT to it, or SIGKILL and a new start",
                self._pid,
                silent,
            )
