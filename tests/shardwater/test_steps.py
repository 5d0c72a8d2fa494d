"""Work step by step: what is told, what is made, and that nothing goes on where the listener has had enough."""

from collections.abc import Generator

import pytest

from shardwater.steps import finish


def work(closed: list[bool]) -> Generator[int, None, str]:
    try:
        yield 1
        yield 2
    finally:
        closed.append(True)
    return "made"


def test_steps_are_told_and_what_is_made_is_returned() -> None:
    told, closed = list[int](), list[bool]()
    assert (finish(work(closed), told.append), told, closed) == ("made", [1, 2], [True])


def test_listener_that_raises_ends_the_work() -> None:
    closed = list[bool]()
    with pytest.raises(KeyError):
        finish(work(closed), {}.__getitem__)
    assert closed == [True]
