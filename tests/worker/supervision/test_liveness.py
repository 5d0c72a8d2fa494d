"""Silence is counted in looks, and only silence ends a process."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from redis import Redis

from tests.support.server import PATIENCE_S, until
from worker.jobs.redis_names import alive_key
from worker.jobs.worker_registry import WORKERS, worker_key
from worker.supervision import liveness
from worker.supervision.liveness import (
    BUSY_LOOKS,
    BUSY_TICKS,
    IDLE_LOOKS,
    Heartbeat,
    Sign,
    Watched,
    answers_redis,
)
from worker.supervision.valkey import EmbeddedValkey

BUSY = "print(flush=True)\nwhile True: pass"


@pytest.fixture
def busy() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that computes."""
    with subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def watched(process: "subprocess.Popen[bytes]", sign: Sign) -> Watched:
    return Watched("test", process.pid, process.kill, sign, patience=3)


def test_one_that_has_answered_is_killed_at_the_third_silent_look(busy: "subprocess.Popen[bytes]") -> None:
    signs = [True, False, False, True, False, False, None, False, False, False]
    subject, ended = watched(busy, lambda: signs.pop(0)), threading.Event()
    busy.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, busy.pid, os.WSTOPPED)
    # What it computed before.
    subject.computed = ticks(busy.pid)
    while len(signs) > 1:
        subject.look(ended)
        assert busy.poll() is None
    subject.look(ended)
    assert busy.wait(PATIENCE_S) == -signal.SIGKILL


@pytest.mark.parametrize(("ticks", "looks"), [(BUSY_TICKS, BUSY_LOOKS), (1, 3)], ids=["computes", "idles"])
def test_one_that_computes_has_more_looks(monkeypatch: pytest.MonkeyPatch, ticks: int, looks: int) -> None:
    used = count(0, ticks)
    monkeypatch.setattr(liveness, "processor_ticks", lambda process: next(used))
    signs, killed = [], list[int]()
    subject = Watched("test", 1, lambda: killed.append(len(signs)), lambda: signs.pop(0), patience=3)
    # The first look cannot tell what has been used since the one before.
    signs += [True, *[False] * (looks - 1), True, *[False] * (looks - 1), None, *[False] * looks, True]
    while signs:
        subject.look(threading.Event())
    assert killed == [1]


def ticks(pid: int) -> int:
    """The processor time that a process has used, in hundredths of a second."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return int(user) + int(system)


def computes(pid: int, before: int) -> bool:
    return ticks(pid) > before


def test_one_that_has_not_begun_is_killed_only_when_it_does_nothing(busy: "subprocess.Popen[bytes]") -> None:
    subject, ended = watched(busy, lambda: False), threading.Event()
    for _ in range(IDLE_LOOKS + 1):
        until(partial(computes, busy.pid, ticks(busy.pid)))
        subject.look(ended)
    assert busy.poll() is None
    busy.send_signal(signal.SIGSTOP)
    while busy.poll() is None:
        subject.look(ended)
    assert busy.returncode == -signal.SIGKILL


def test_heartbeat_is_a_new_time_and_unknown_without_redis(redis: Redis) -> None:
    beat = Heartbeat(redis, "q.host.7.")
    assert beat() is False
    redis.sadd(WORKERS, "q.host.8.another", "q.host.7.of a process before")
    redis.hset(worker_key("q.host.8.another"), "beats", "1")
    assert beat() is False
    redis.sadd(WORKERS, "q.host.7.this")
    redis.hset(worker_key("q.host.7.this"), "beats", "1")
    # Another one of the queue beats, too, and later.
    redis.set(alive_key("q"), "q.host.8.another")
    assert beat() is True
    assert beat() is False
    # As when all data is lost.
    redis.hset(worker_key("q.host.7.this"), "beats", "0")
    redis.delete(WORKERS)
    assert beat() is True
    redis.delete(worker_key("q.host.7.this"))
    assert beat() is False
    assert Heartbeat(Redis.from_url("unix:///nowhere"), "q.")() is None


def test_a_stopped_redis_does_not_answer(tmp_path: Path) -> None:
    valkey = EmbeddedValkey(tmp_path)
    valkey.start()
    assert answers_redis(valkey.url)
    os.kill(valkey.pid, signal.SIGSTOP)
    assert not answers_redis(valkey.url)
    os.kill(valkey.pid, signal.SIGCONT)
    assert answers_redis(valkey.url)
    valkey.stop()
