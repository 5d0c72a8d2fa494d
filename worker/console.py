"""What the command line says: progress on standard error, errors in one line, exit codes with a meaning."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from shardwater.errors import AlignError

messages = Console(stderr=True, highlight=False)
output = Console(highlight=False)


class Exit(IntEnum):
    """What a command's exit code says; 2, wrong usage, is Typer's own."""

    INPUT = 1
    SERVER = 3
    TIMEOUT = 4


def stop(message: str, code: Exit) -> NoReturn:
    """End the command with a message on standard error."""
    messages.print(f"shardwater: {message}", markup=False, soft_wrap=True)
    raise typer.Exit(code)


@contextmanager
def input_errors() -> Iterator[None]:
    """Turn what the input is to blame for into a message and its exit code."""
    try:
        yield
    except AlignError as error:
        stop(str(error), Exit.INPUT)
    except BrokenPipeError:
        raise
    except OSError as error:
        stop(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": "), Exit.INPUT)


@contextmanager
def progress_bar(what: str) -> Iterator["Bar"]:
    """A bar on standard error, only where somebody watches."""
    columns = (TextColumn(what), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=messages, transient=True, disable=not sys.stderr.isatty()) as progress:
        yield Bar(progress)


class Bar:
    """A progress bar that learns its total as it goes."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None)

    def set(self, done: float, total: float) -> None:
        """Show `done` of `total`."""
        self._progress.update(self._task, completed=done, total=total)
