"""Work on several threads: in order, with news while nothing is ready, and nothing left when it is left early."""

from threading import Event

import pytest

from shardwater.engines.threads import Threads


def test_answers_come_in_order_whatever_ends_first() -> None:
    last = Event()

    def work(part: int) -> int:
        if part == 0:
            assert last.wait(60)
        if part == 2:
            last.set()
        return 10 * part

    assert list(Threads(3, "t").in_order(work, range(5))) == [(part, 10 * part) for part in range(5)]


def test_nothing_is_told_of_as_long_as_nothing_is_ready() -> None:
    wanted = Event()

    def work(part: int) -> int:
        assert wanted.wait(60)
        return part

    made = Threads(1, "t").in_time(work, range(2), 0.001)
    assert [next(made) for _ in range(3)] == [None] * 3
    wanted.set()
    assert [each for each in made if each is not None] == [(0, 0), (1, 1)]


def test_what_nobody_waits_for_holds_nobody_up() -> None:
    wanted, begun = Event(), Event()

    def work(part: int) -> int:
        if part < 0:
            begun.set()
            assert wanted.wait(60)
        return part

    threads = Threads(1, "t")
    made = threads.in_time(work, [-1, -2], 0.001)
    assert next(made) is None
    assert begun.wait(60)
    made.close()
    assert [part for part, _ in threads.in_order(work, range(3))] == [0, 1, 2]
    wanted.set()
    assert list(threads.in_order(work, [-3])) == [(-3, -3)]


def test_what_fails_is_raised_in_its_place() -> None:
    def work(part: int) -> float:
        return 1 / (1 - part)

    made = Threads(2, "t").in_order(work, range(3))
    assert next(made) == (0, 1.0)
    with pytest.raises(ZeroDivisionError):
        next(made)
