"""Work that is done step by step: a generator that yields how far it is, and returns what it has made."""

from collections.abc import Callable, Generator
from contextlib import closing
from typing import TypeVar, cast

Told = TypeVar("Told")
Made = TypeVar("Made")
Other = TypeVar("Other")


def finish(steps: Generator[Told, None, Made], between: Callable[[Told], object] = lambda told: None) -> Made:
    """What is made, after the steps that are left; `between` is told of each, and may raise what ends the work."""
    with closing(steps):
        while True:
            try:
                told = next(steps)
            except StopIteration as end:
                return cast(Made, end.value)
            between(told)


def mapped(steps: Generator[Told, None, Made], tell: Callable[[Told], Other]) -> Generator[Other, None, Made]:
    """The same steps, of which each tells something else."""
    with closing(steps):
        while True:
            try:
                told = next(steps)
            except StopIteration as done:
                return cast(Made, done.value)
            yield tell(told)
