"""Processes that merge are forked off one that is replaced where it dies or hangs, and are gone when a front end is."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread

import pytest

from app.background import heartbeat, launcher, launching
from app.background.launcher import Launched, Launcher
from tests.support.processes import children, launchers, merging_processes
from tests.support.server import PATIENCE_S, until
from worker.settings import Settings

FRONT_END = """
import sys
from pathlib import Path
from app.background.launcher import Launcher
from worker.settings import Settings

launcher = Launcher(Settings(data=Path("data"), redis_url="unix:///nowhere"))
processes = [launcher.start(), launcher.start()]
print("ready", flush=True)
sys.stdin.read()
"""
US = os.getpid()


@pytest.fixture
def starting(tmp_path: Path) -> Iterator[Launcher]:
    made = Launcher(Settings(data=tmp_path, redis_url="unix:///nowhere"))
    yield made
    made.close()


def test_processes_are_forked_off_one(starting: Launcher) -> None:
    first, second = starting.start(), starting.start()
    assert merging_processes(US) == sorted((first.pid, second.pid))
    assert len(launchers(US)) == 1
    assert not first.has_ended
    first.end()
    until(lambda: merging_processes(US) == [second.pid])
    # No other process keeps the way to it open.
    os.kill(second.pid, signal.SIGKILL)
    until(lambda: second.has_ended)
    second.end()


def test_one_that_has_died_is_replaced(starting: Launcher, caplog: pytest.LogCaptureFixture) -> None:
    starting.start().end()
    [first] = launchers(US)
    os.kill(first, signal.SIGKILL)
    until(lambda: launchers(US) == [])
    starting.start().end()
    assert launchers(US) != [first]
    assert caplog.messages == [f"process {first}, which starts those that merge, is gone; another follows"]


def test_one_that_is_stopped_is_replaced_in_time(
    starting: Launcher, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "MOST_SILENT", 3)
    first = starting.start()
    [stopped] = launchers(US)
    os.kill(stopped, signal.SIGSTOP)
    starting.start().end()
    assert launchers(US) != [stopped]
    # What it had started is gone with it: nothing outlasts a front end by that.
    until(lambda: first.has_ended)
    [told] = caplog.messages
    assert told.startswith(f"process {stopped}, which starts those that merge, lives but has done nothing for 3 s")


def test_who_waits_for_a_stopped_one_does_not_keep_the_front_end_from_ending(
    starting: Launcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "MOST_SILENT", 1 << 30)
    starting.start().end()
    waits = Event()

    def hear(asked: Connection, process: int) -> object:
        waits.set()
        return heartbeat.hear(asked, process)

    monkeypatch.setattr(launcher, "hear", hear)
    [stopped] = launchers(US)
    os.kill(stopped, signal.SIGSTOP)
    refused: list[OSError] = []

    def wait() -> None:
        try:
            starting.start()
        except OSError as error:
            refused.append(error)

    waiting = Thread(target=wait)
    waiting.start()
    assert waits.wait(PATIENCE_S)
    starting.close()
    waiting.join(PATIENCE_S)
    assert [str(each) for each in refused] == ["no process is started any more"]
    assert launchers(US) == []
    with pytest.raises(OSError, match="no thread"):
        starting.start()


def test_a_machine_that_has_room_for_no_more_processes_ends_none(
    starting: Launcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = starting.start()
    with monkeypatch.context() as full:
        full.setattr(launcher, "hear", lambda *_: -errno.EAGAIN)
        with pytest.raises(BlockingIOError):
            starting.start()
    assert not before.has_ended


def test_a_fork_that_fails_is_answered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fork() -> int:
        raise BlockingIOError(errno.EAGAIN, "")

    monkeypatch.setattr(os, "fork", fork)
    here, there = launcher.Pipe()
    with here, there:
        assert launching._forked(here, there, Settings(data=tmp_path), lambda *_: None) == -errno.EAGAIN


@pytest.mark.parametrize("ended", ["killed", "by itself"])
def test_all_are_gone_with_the_front_end_whatever_they_do_and_leave_nothing(tmp_path: Path, ended: str) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", FRONT_END],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(temporary)},
        cwd=tmp_path,
    ) as front_end:
        assert front_end.stdin is not None and front_end.stdout is not None
        assert front_end.stdout.readline() == b"ready\n"
        [launching_one] = children(front_end.pid)
        stopped, other = merging_processes(front_end.pid)
        for pid in (stopped, launching_one):
            os.kill(pid, signal.SIGSTOP)
        if ended == "killed":
            front_end.kill()
        else:
            front_end.stdin.close()
        assert front_end.wait(PATIENCE_S) == (-signal.SIGKILL if ended == "killed" else 0)
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in (launching_one, stopped, other)))
    assert list(temporary.iterdir()) == []


def test_one_that_has_ended_is_not_killed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: killed.append(pid))
    here, there = launcher.Pipe()
    there.send(None)
    there.close()
    Launched(1 << 22, here).end()
    assert killed == []
