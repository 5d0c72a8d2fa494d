"""What `shardwater align` does: read pairs from two files side by side, align them, write what was found."""

import os
import signal
import stat
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from io import BufferedReader
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any, Literal, cast

import typer

from gpu import open_end_point_engine, open_pair_engine
from shardwater.alignment.ends import Selection
from shardwater.alignment.scheme import MODES, Mode, Scheme
from shardwater.errors import AlignError, FastaFormatError, ScoringError
from shardwater.formats.chunks import in_chunks
from shardwater.formats.pairs.layout import Layout
from shardwater.formats.pairs.names import PairFormat
from shardwater.formats.pairs.writers import WRITERS, columns_for
from shardwater.pairs.align import align_named
from shardwater.pairs.by_end_points import THE_BEST, ByEndPoints, check_several
from shardwater.pairs.coded import Report
from shardwater.pairs.end_points import Method
from shardwater.pairs.engine import PairEngine
from shardwater.pairs.scores import Scores
from shardwater.pairs.strands import Strands, passes
from shardwater.plural import plural
from shardwater.sequences.alphabets import Alphabet
from shardwater.sequences.named import Letters
from shardwater.sequences.reads import TELLING, TextRecord, guess_shared_alphabet, read_records
from worker.cli.console import Exit, ShowProgress, progress_bar, say, stop, whole_output

Pairs = Iterator[tuple[Letters, Letters]]


@dataclass(frozen=True, slots=True)
class Inputs:
    """Two files, one of which may be -, and which of their sequences are pairs."""

    query: Path
    subject: Path
    pairing: Literal["zip", "all"]


@dataclass(frozen=True, slots=True)
class Choice:
    """What is wanted of the pairs; table: the file that the scores of DNA are from, if one was named."""

    scores: Scores
    table: Path | None
    mode: str
    free_ends: str | None
    report: Report
    strand: Strands
    outfmt: PairFormat
    columns: str | None
    selection: Selection = THE_BEST

    def known_alphabet(self) -> Alphabet | None:
        """The alphabet that the flags say, directly, or by a flag that only one alphabet has.

        Wrong usage where they contradict each other.
        """
        try:
            return self.scores.known_alphabet(both_strands=self.strand == "both")
        except ScoringError as error:
            raise typer.BadParameter(str(error)) from None

    def scheme(self, alphabet: Alphabet) -> Scheme:
        """The scheme over an alphabet; a flag's wrong value is wrong usage."""
        try:
            if self.selection.count > 1:
                check_several(self._mode(), self.strand)
            return self.scores.scheme(alphabet, self._mode())
        except ScoringError as error:
            raise typer.BadParameter(str(error)) from None

    def layout(self, alphabet: Alphabet, inputs: Inputs) -> Layout:
        """What the format shows besides the pairs."""
        called = self.table.name if self.table else self.scores.called(alphabet)
        return Layout(called, self.checked_columns(), inputs.pairing == "all")

    def checked_columns(self) -> tuple[str, ...]:
        """The columns of a table; wrong usage where the format cannot show what is wanted."""
        try:
            return columns_for(self.outfmt, self.report, self.columns, ranked=self.selection.count > 1)
        except AlignError as error:
            raise typer.BadParameter(str(error), param_hint="-outfmt") from None

    def fields(self, inputs: Inputs) -> dict[str, Any]:
        """What was said, as the service's interface has it, and the columns of a table."""
        scores = {field.name: getattr(self.scores, field.name) for field in fields(Scores)}
        given = {name: value for name, value in scores.items() if value is not None}
        ends = {"mode": self.mode} if self.free_ends is None else {"free_ends": list(self._mode().free_ends)}
        columns = {"columns": self.columns} if self.columns is not None else {}
        wanted = {"pairing": inputs.pairing, "report": self.report, "strand": self.strand}
        return {**given, **ends, **wanted, **self._several(), **columns}

    def _several(self) -> dict[str, int]:
        count, (query, subject) = self.selection.count, self.selection.apart
        return {"best": count, "query_apart": query, "subject_apart": subject} if count > 1 else {}

    def _mode(self) -> Mode:
        if self.free_ends is None:
            return MODES[self.mode]
        return Mode.free(self.free_ends.replace(",", " ").split())


@dataclass(frozen=True, slots=True)
class Means:
    """By what it is done here: threads of the CPU (all when None), the GPUs that are named, and the method."""

    threads: int | None
    devices: Sequence[int]
    method: Method

    def engine(self, selection: Selection) -> PairEngine:
        """The engine that finds these alignments; raises DeviceError."""
        if self.devices:
            # What it needs takes longer to load than some pairs to align.
            from worker.runner.devices import check_shown, pin

            pin(self.devices)
            check_shown(self.devices)
        if self.method == "row-scan":
            return ByEndPoints(open_end_point_engine(self.method, self.threads), selection)
        engine = open_pair_engine(self.threads, max(1, len(self.devices)))
        return engine if selection == THE_BEST else engine.several(selection)


def run_align(inputs: Inputs, choice: Choice, out: Path | None, means: Means) -> None:
    """The whole command; ends it with its exit code where a device fails. Raises AlignError and OSError."""
    choice.checked_columns()
    alphabet = choice.known_alphabet()
    check_output(out, {"-query": inputs.query, "-subject": inputs.subject})
    with (
        interruptions("not all pairs were aligned"),
        opened(inputs.query) as query,
        opened(inputs.subject) as subject,
        progress_bar("Aligning") as show,
    ):
        queries, subjects = read_records(query, called(inputs.query)), read_records(subject, called(inputs.subject))
        if alphabet is None:
            alphabet, queries, subjects = _guessed(queries, subjects)
        # Before any more is read: a pipe may bring its last subject in an hour.
        scheme = choice.scheme(alphabet)
        pair_up = _zipped if inputs.pairing == "zip" else _all
        pairs = pair_up(inputs, _letters(queries, alphabet, "query"), _letters(subjects, alphabet, "subject"))
        bar = _Bar(query, show, passes(choice.report, choice.strand))
        engine = means.engine(choice.selection)
        found = align_named(bar.counted(pairs), scheme, choice.report, choice.strand, engine, bar.move)
        with device_errors(), whole_output(out) as file:
            file.writelines(in_chunks(WRITERS[choice.outfmt].write(found, choice.layout(alphabet, inputs))))


def check_output(out: Path | None, inputs: dict[str, Path], flag: str = "-out") -> None:
    """Wrong usage where the output, which this flag names, would replace an input."""
    if out is None or not out.is_file():
        return
    for side, path in inputs.items():
        if str(path) != "-" and path.exists() and out.samefile(path):
            raise typer.BadParameter(f"{out} is the file of {side}", param_hint=flag)


def called(path: Path) -> str:
    """An input's name in messages."""
    return "standard input" if str(path) == "-" else str(path)


@contextmanager
def opened(path: Path) -> Iterator[BufferedReader]:
    """An input, to be read."""
    if str(path) == "-":
        yield cast(BufferedReader, sys.stdin.buffer)
        return
    with path.open("rb") as file:
        yield file


def _guessed(
    queries: Iterator[TextRecord], subjects: Iterator[TextRecord]
) -> tuple[Alphabet, Iterator[TextRecord], Iterator[TextRecord]]:
    """The alphabet of the first records, and all records; raises MixedLetters."""
    first = [list(islice(records, TELLING)) for records in (queries, subjects)]
    alphabet = guess_shared_alphabet(*first)
    say_alphabet(alphabet.name)
    return alphabet, chain(first[0], queries), chain(first[1], subjects)


def say_alphabet(guessed: str) -> None:
    """A line on standard error about letters whose alphabet nobody said."""
    say(f"shardwater: the letters look like {guessed}; --alphabet decides")


def _letters(records: Iterable[TextRecord], alphabet: Alphabet, unnamed: str) -> Iterator[Letters]:
    return (record.letters(alphabet, unnamed) for record in records)


def _zipped(inputs: Inputs, queries: Iterable[Letters], subjects: Iterable[Letters]) -> Pairs:
    """First with first, second with second; raises FastaFormatError where one file has more of them."""
    for number, (query, subject) in enumerate(zip_longest(queries, subjects)):
        if query is None or subject is None:
            fewer, more = inputs.query, inputs.subject
            if query is not None:
                fewer, more = more, fewer
            raise FastaFormatError(
                f"{called(fewer)} has {plural(number, 'record')}, {called(more)} at least {number + 1:,}: "
                "--pairing zip needs as many queries as subjects"
            )
        yield query, subject


def _all(_: Inputs, queries: Iterable[Letters], subjects: Iterable[Letters]) -> Pairs:
    """Each query with each subject; the subjects stay in memory."""
    kept = list(subjects)
    return ((query, subject) for query in queries for subject in kept)


class _Bar:
    """Shows how much of a file was read, less what of its pairs has still to be computed; a pipe has no size."""

    def __init__(self, file: BufferedReader, show: ShowProgress, passes: int) -> None:
        """passes: how often the cells of a pair are computed."""
        status = os.fstat(file.fileno())
        self._size = status.st_size if stat.S_ISREG(status.st_mode) else None
        self._file, self._show, self._passes, self._read, self._done = file, show, passes, 0, 0

    def counted(self, pairs: Pairs) -> Pairs:
        """The same pairs, as they are read."""
        for query, subject in pairs:
            self._read += self._passes * len(query.letters) * len(subject.letters)
            yield query, subject

    def move(self, cells: int) -> None:
        """So many cells more are computed."""
        self._done += cells
        if self._size is not None:
            share = min(1.0, self._done / max(1, self._read))
            self._show(round(self._file.tell() * share), self._size)


@contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM is as Ctrl-C: KeyboardInterrupt, so that nothing is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def interruptions(undone: str) -> Iterator[None]:
    """Ctrl-C ends the command at once, with a line that says what was not done."""
    try:
        with interruptible():
            yield
    except KeyboardInterrupt:
        # Whoever presses it twice is answered once.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        say(f"shardwater: interrupted; {undone}")
        # Python would wait for the engine's threads, which end the pairs that they are at: that may take minutes.
        os._exit(Exit.INTERRUPTED)


@contextmanager
def device_errors() -> Iterator[None]:
    """A lost device ends the command with its own exit code."""
    try:
        yield
    except Exception as error:
        # Not before: what it needs takes longer to load than some pairs to align.
        from worker.runner.devices import device_failure

        failure = device_failure(error)
        if failure is not None:
            stop(failure, Exit.DEVICE)
        raise
