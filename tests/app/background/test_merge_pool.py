"""Processes that merge side by side: as many as there are, and no more bytes at a time than there is room for."""

from collections import deque
from collections.abc import Callable
from multiprocessing import Pipe
from pathlib import Path
from threading import Event, Thread

import pytest

from app.background import merge_pool, merge_process
from app.background.launcher import Launched, Launcher
from app.background.merge_pool import MANY_ROWS, MergePool
from app.background.merge_process import MergeProcess
from tests.support.server import PATIENCE_S, until
from worker.settings import Settings

BEGUN: deque[str] = deque()
LET_GO: dict[str, Event] = {}
NOBODY = 1 << 22
"""The number of no process, as Linux has none so large."""


class Held:
    """In place of a process: notes what it is given, and works until it is let go."""

    def __init__(self, launcher: Launcher) -> None:
        pass

    def merge(self, job: str, going_on: Callable[[], object]) -> None:
        BEGUN.append(job)
        assert LET_GO[job].wait(PATIENCE_S)
        going_on()


class Jobs:
    """Merges that wait for their turn, each in a thread of its own."""

    def __init__(self, pool: MergePool) -> None:
        self.pool = pool
        self.threads: dict[str, Thread] = {}

    def ask(self, job: str, size: int) -> None:
        """Have one merged; the next one is asked for later."""
        LET_GO[job] = Event()
        self.threads[job] = Thread(target=self._merge, args=(job, size))
        self.threads[job].start()

    def _merge(self, job: str, size: int) -> None:
        with self.pool.process(size) as process:
            process.merge(job, lambda: None)

    def end(self, job: str) -> None:
        """Let one end."""
        LET_GO[job].set()
        self.threads.pop(job).join(PATIENCE_S)


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Jobs:
    """Four processes, and room for 100 bytes."""
    BEGUN.clear()
    LET_GO.clear()
    monkeypatch.setattr(merge_pool, "MergeProcess", Held)
    monkeypatch.setattr(merge_pool, "MOST_BYTES", 100)
    return Jobs(MergePool(Settings(data=tmp_path), 4))


def begun(*jobs: str) -> None:
    """Wait until these, and no others, have begun since the last look."""
    until(lambda: len(BEGUN) >= len(jobs))
    assert sorted(BEGUN) == sorted(jobs)
    BEGUN.clear()


def waits(jobs: Jobs, count: int) -> None:
    """Wait until so many wait for room, and see that nobody else has begun."""
    room = jobs.pool._room

    def waiting() -> bool:
        with room._changed:
            return len(room._waiting) == count

    until(waiting)
    assert not BEGUN


def test_merges_share_the_room_and_small_ones_pass_large_ones(jobs: Jobs) -> None:
    jobs.ask("a", 60)
    jobs.ask("b", 30)
    begun("a", "b")
    jobs.ask("c", 50)
    waits(jobs, 1)
    jobs.ask("d", 10)
    begun("d")
    jobs.ask("e", 40)
    waits(jobs, 2)
    jobs.end("b")
    # There is room for 30: the next one alone is small enough.
    jobs.ask("f", 1)
    begun("f")
    waits(jobs, 2)
    jobs.end("f")
    jobs.end("a")
    # For both, whoever looks first.
    begun("c", "e")
    for job in "cde":
        jobs.end(job)


def test_who_waits_for_room_is_passed_so_often_and_no_more(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge_pool, "MOST_PASSES", 2)
    jobs.ask("first", 50)
    begun("first")
    jobs.ask("huge", 1000)
    waits(jobs, 1)
    for job in "ab":
        jobs.ask(job, 1)
        begun(job)
        jobs.end(job)
    jobs.ask("c", 1)
    waits(jobs, 2)
    jobs.end("first")
    begun("huge")
    waits(jobs, 1)
    jobs.end("huge")
    begun("c")
    jobs.end("c")


def test_what_is_larger_than_the_room_is_merged_alone(jobs: Jobs) -> None:
    jobs.ask("small", 1)
    begun("small")
    jobs.ask("huge", 1000)
    waits(jobs, 1)
    jobs.end("small")
    begun("huge")
    jobs.ask("next", 1)
    waits(jobs, 1)
    jobs.end("huge")
    begun("next")
    jobs.end("next")


def test_who_fails_gives_its_room_and_its_process_back(jobs: Jobs) -> None:
    def fail() -> None:
        raise EOFError

    for number in range(5):
        LET_GO[str(number)] = Event()
        LET_GO[str(number)].set()
        with pytest.raises(EOFError), jobs.pool.process(100) as process:
            process.merge(str(number), fail)
    jobs.ask("after", 100)
    until(lambda: "after" in BEGUN)
    jobs.end("after")


def test_no_more_are_merged_at_a_time_than_there_are_processes(jobs: Jobs) -> None:
    for job in "abcd":
        jobs.ask(job, 1)
    begun(*"abcd")
    jobs.ask("e", 1)
    # It has its room, and waits for a process.
    until(lambda: jobs.pool._room._used == 5)
    assert not BEGUN
    jobs.end("c")
    begun("e")
    for job in "abde":
        jobs.end(job)


def test_half_as_many_more_are_begun_as_there_are_processes(tmp_path: Path) -> None:
    assert [MergePool(Settings(data=tmp_path), most).places for most in (1, 2, 5)] == [2, 3, 8]


def test_one_process_does_what_comes_one_after_the_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    used: list[MergeProcess] = []
    monkeypatch.setattr(MergeProcess, "merge", lambda process, job, going_on: used.append(process))
    pool = MergePool(Settings(data=tmp_path), 3)
    for _ in range(4):
        with pool.process(1) as process:
            process.merge("job", lambda: None)
    assert len(set(map(id, used))) == 1
    # It is also the one that is made ready.
    assert not pool.is_up
    pool.expect(MANY_ROWS)
    until(lambda: pool.is_up)
    assert used[0].is_up
    monkeypatch.setattr(merge_process, "EXPECTED_S", -1)
    pool.rest()
    assert not pool.is_up
    pool.close()


def test_what_is_expected_is_not_waited_for_and_started_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    starting, go_on = deque[Launcher](), Event()

    def start(launcher: Launcher) -> Launched:
        starting.append(launcher)
        assert go_on.wait(PATIENCE_S)
        return Launched(NOBODY, Pipe()[0])

    monkeypatch.setattr(Launcher, "start", start)
    pool = MergePool(Settings(data=tmp_path), 2)
    for _ in range(50):
        pool.expect(MANY_ROWS)
    until(lambda: starting)
    assert not pool.is_up
    go_on.set()
    until(lambda: pool.is_up)
    assert len(starting) == 1
    pool.close()
    # It is too late for more.
    pool.expect(MANY_ROWS)
    assert len(starting) == 1
