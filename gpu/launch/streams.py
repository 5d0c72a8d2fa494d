"""Work in steps on a stream, which is not the current one between them."""

from collections.abc import Generator
from contextlib import closing
from typing import Any, TypeVar

import cupy

Step = TypeVar("Step")
Made = TypeVar("Made")


def on_device(number: int, steps: Generator[Step, None, Made]) -> Generator[Step, None, Made]:
    """The same steps with this device, by CUDA's number, the current one within each of them, and not between them."""
    with closing(steps):
        while True:
            with cupy.cuda.Device(number):
                try:
                    step = next(steps)
                except StopIteration as done:
                    made: Made = done.value
                    return made
            yield step


def on_stream(stream: Any, steps: Generator[Step, None, Made]) -> Generator[Step, None, Made]:
    """The same steps with this stream the current one within each of them, and not between them."""
    with closing(steps):
        while True:
            with stream:
                try:
                    step = next(steps)
                except StopIteration as done:
                    made: Made = done.value
                    return made
            yield step
