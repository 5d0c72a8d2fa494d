"""What the command line says: progress on standard error, errors in one line, exit codes with a meaning."""

import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import timedelta
from enum import IntEnum
from pathlib import Path
from shutil import copymode
from typing import TYPE_CHECKING, BinaryIO, NoReturn

import typer

from shardwater.errors import AlignError
from shardwater.plural import plural
from worker.telemetry.logs import announce

if TYPE_CHECKING:
    from rich.text import Text

    from shardwater.database.build import Recoded

ShowProgress = Callable[[float, float], None]
"""Shows `done` of `total`."""
ShowSearch = Callable[[float, str, float | None], None]
"""Shows the share of a search that is done, its phase, and the seconds left where they are known."""

WIDEST = 1_000_000
"""Letters of a line that is as long as it needs to be."""
LINE_EVERY_S = 30.0
"""Between two lines about progress, where nobody watches a bar."""
MOST_TOLD = 5
"""Warnings of many queries that are written out; the others are counted."""


class Exit(IntEnum):
    """What a command's exit code says; 2, wrong usage, is Typer's own."""

    INPUT = 1
    SERVER = 3
    TIMEOUT = 4
    DIFFERENT = 5
    PARTLY = 6
    DEVICE = 70
    INTERRUPTED = 130


def say(message: str) -> None:
    """A line on standard error, which leaves standard output to results; one of the log's where that is JSON."""
    if not announce(message):
        typer.echo(message, err=True)


def warn(message: str) -> None:
    """A line on standard error about what is odd, and done all the same."""
    say(f"shardwater: warning: {message}")


class ManyWarnings:
    """Warnings about queries that may be millions: the first of them, and how many there are besides."""

    def __init__(self, elsewhere: str = "") -> None:
        """elsewhere: where all of them are."""
        self._first, self._others, self._elsewhere = list[str](), 0, elsewhere

    def add(self, warning: str) -> None:
        """One more, which is not told yet."""
        if len(self._first) < MOST_TOLD:
            self._first.append(warning)
        else:
            self._others += 1

    def tell(self) -> None:
        """Write them to standard error."""
        for warning in self._first:
            warn(warning)
        if self._others:
            warn(f"{plural(self._others, 'more warning')}{self._elsewhere}")


def warn_of_dna(records: int, like_dna: int, advice: str = "") -> None:
    """The same about subjects, where some of their records look like DNA; advice: what else can be done."""
    from shardwater.search.warnings import SHARE

    if like_dna:
        look, they = ("looks", "it") if like_dna == 1 else ("look", "they")
        warn(
            f"{like_dna:,} of {plural(records, 'record')} {look} like DNA (at least {SHARE} % A, C, G, T, U or N): "
            f"{they} will be searched as proteins{advice}"
        )


def warn_of_encoding(recoded: "Recoded | None") -> None:
    """The same about headers that were not UTF-8."""
    if recoded is not None:
        are, were = ("header is", "It was") if recoded.headers == 1 else ("headers are", "They were")
        warn(
            f"{recoded.headers:,} {are} not UTF-8. {were} read as Windows-1252 (Latin-1). First: {recoded.file}, "
            f"record {recoded.record:,}, line {recoded.line:,}"
        )


def warn_of_text(content: bytes, file: str) -> None:
    """The same about the headers of FASTA in memory."""
    from shardwater.sequences.fasta import count_headers

    try:
        content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start + 1]
        where = f"record {max(1, count_headers(before)):,}, line {len(before.splitlines()):,}"
        warn(f"{file} is not UTF-8. Its other letters were read as Windows-1252 (Latin-1). First: {where}")


def stop(message: str, code: Exit) -> NoReturn:
    """End the command with a message on standard error."""
    say(f"shardwater: {message}")
    raise typer.Exit(code)


def print_table(columns: Sequence[str], rows: "Iterable[Sequence[str | Text]]") -> None:
    """A table on standard output, with each string as it is: brackets are no markup, control characters no commands."""
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Column, Table
    from rich.text import Text

    # The first is what a row is named by, and is never broken; the others are folded.
    others = [Column(name, overflow="fold") for name in columns[1:]]
    table = Table(Column(columns[0], no_wrap=True), *others, box=None)
    for row in rows:
        table.add_row(*(Text(printable(cell)) if isinstance(cell, str) else cell for cell in row))
    wide = Console(width=WIDEST)
    needed = Measurement.get(wide, wide.options, table)
    shown = Console()
    # A table is cut by no terminal, however narrow that is. What is piped into a program has no width.
    width = max(shown.width, needed.minimum) if shown.is_terminal else needed.maximum
    Console(width=width).print(table)


def printable(text: str) -> str:
    """Text without what a terminal would take for commands."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text)


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
def errors_of(out: Path | None) -> Iterator[None]:
    """An error of writing names its file, or standard output, as one of opening does."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or out or "standard output"
        raise


@contextmanager
def output(out: Path | None) -> Iterator[BinaryIO]:
    """A file to write, or standard output, with errors that name it."""
    with errors_of(out), out.open("wb") if out else nullcontext(sys.stdout.buffer) as file:
        yield file


@contextmanager
def new_output(out: Path) -> Iterator[BinaryIO]:
    """A file that is made anew, whatever had its name: nothing is written through a link that somebody has left."""
    out.unlink(missing_ok=True)
    with errors_of(out), out.open("xb") as file:
        yield file


@contextmanager
def whole_output(out: Path | None) -> Iterator[BinaryIO]:
    """The same, but a file is there only when all of it is: until then its text is in another one beside it.

    It keeps the mode of the one that was there before.
    """
    if out is None or (out.exists() and not out.is_file()):
        with output(out) as file:
            yield file
        return
    final = out.resolve()
    unfinished = final.with_name(f".{final.name}.{os.getpid()}.part")
    try:
        with output(unfinished) as file:
            if final.exists():
                copymode(final, unfinished)
            yield file
        unfinished.replace(final)
    except OSError as error:
        if str(error.filename) == str(unfinished):
            error.filename = str(out)
        raise
    finally:
        # Where it could not be made there is none, and this would fail for the same reason.
        with suppress(OSError):
            unfinished.unlink()


class _ProgressLines:
    """How far something is, in a line now and then."""

    def __init__(self) -> None:
        self._next = time.monotonic() + LINE_EVERY_S

    def show(self, what: str, share: float, left: str = "") -> None:
        """Say which share of what is done, and what is left, if it is time."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + LINE_EVERY_S
            say(f"shardwater: {what}: {100 * share:.0f} %{left and f', {left}'}")


@contextmanager
def progress_bar(what: str) -> Iterator[ShowProgress]:
    """A bar on standard error, only where somebody watches: elsewhere a line now and then, without its library."""
    if not sys.stderr.isatty():
        lines = _ProgressLines()
        yield lambda done, total: lines.show(what, done / total if total else 0.0)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def search_bar(what: str = "Searching") -> Iterator[ShowSearch]:
    """The same of a job: its phase, its share, and what the model of time says is left, not this bar's speed."""
    if not sys.stderr.isatty():
        lines = _ProgressLines()
        yield lambda share, phase, left_s: lines.show(phase.capitalize() or what, share, _left(left_s))
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    phase_column, left_column = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[left]}")
    columns = (phase_column, BarColumn(), TaskProgressColumn(), left_column)
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=1.0, left="")

        def show(share: float, phase: str, left_s: float | None) -> None:
            progress.update(task, completed=share, description=phase.capitalize() or what, left=_left(left_s))

        yield show


def _left(seconds: float | None) -> str:
    return "" if seconds is None else f"{timedelta(seconds=math.ceil(seconds))} left"
