"""Where `shardwater msa` writes, begun or gone on with: what it is begun with is kept beside it, so that only the same
request goes on, and one command at a time.
"""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from shardwater.errors import AlignError
from worker.cli.console import errors_of, new_output, output
from worker.cli.msa_outputs import FAILED, UNFINISHED, Choice, MsaFolder, MsaLines, MsaOutput

STATE = "shardwater-msa.json"
"""In a folder: what it is begun with."""
LINES = ".ndjson"
"""How the name of a file of lines ends; any other name is a folder's."""
_PIECE = 1 << 20


class OtherRun(AlignError):
    """A folder or a file that was begun with something else, or that another command writes."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has begun: where it writes, and a name that no other run has; resumed: whether it was begun before."""

    output: MsaOutput
    name: str
    resumed: bool


@contextmanager
def begun(out: Path | None, choice: Choice, request: Mapping[str, Any]) -> Iterator[Run]:
    """A run into a folder, a file of lines, or as lines to standard output. Raises OtherRun and OSError.

    request: all that decides what is written, as values of JSON.
    """
    if out is None:
        with output(None) as file:
            yield Run(MsaLines(file, choice), _new_name(), resumed=False)
    elif out.suffix == LINES:
        with _lines(out, choice, request) as run:
            yield run
    else:
        with _folder(out, choice, request) as run:
            yield run


@contextmanager
def _folder(folder: Path, choice: Choice, request: Mapping[str, Any]) -> Iterator[Run]:
    folder.mkdir(parents=True, exist_ok=True)
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _lock(opened, folder)
        name = _same(folder / STATE, folder, request)
        if name is None:
            if any(path.name != UNFINISHED for path in folder.iterdir()):
                raise OtherRun(f"{folder} has other files: name a folder that is empty or new")
            name = _new_name()
            _keep(folder / STATE, folder / UNFINISHED, request, name)
            yield Run(MsaFolder(folder, choice), name, resumed=False)
        else:
            yield Run(MsaFolder(folder, choice), name, resumed=True)
    finally:
        os.close(opened)


@contextmanager
def _lines(out: Path, choice: Choice, request: Mapping[str, Any]) -> Iterator[Run]:
    part, state = out.with_name(f".{out.name}.part"), out.with_name(f".{out.name}.json")
    if part.is_symlink():
        # As in new_output; what is no link may be gone on with.
        part.unlink()
    opened = os.open(part, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666)
    with errors_of(out), os.fdopen(opened, "ab+") as file:
        _lock(file.fileno(), out)
        if not part.exists() or not os.path.samestat(os.fstat(file.fileno()), part.stat()):
            raise OtherRun(f"{out}: another command has just written it: start again")
        status = os.fstat(file.fileno())
        if status.st_nlink != 1 or status.st_uid != os.geteuid():
            raise OtherRun(f"{part}: it is another file's link, or another user's: remove it")
        there = _whole_lines(file)
        # Where there is no line yet, nothing can be mixed.
        found = _same(state, out, request) if there.lines else None
        there = there if found else _Lines()
        file.truncate(there.size)
        name = found or _new_name()
        if found is None:
            _keep(state, out.with_name(f".{out.name}.new"), request, name)
        yield Run(MsaLines(file, choice, there.lines, there.failed), name, found is not None)
        file.flush()
        # Still locked: nobody else takes what is whole for something to go on with.
        part.replace(out)
        # Another command may have begun since.
        with suppress(OtherRun):
            if _same(state, out, request) == name:
                state.unlink()


@dataclass(slots=True)
class _Lines:
    """How many lines are whole, how many of them are of queries that have failed, and their bytes."""

    lines: int = 0
    failed: int = 0
    size: int = 0


def _whole_lines(file: BinaryIO) -> _Lines:
    """Lines are read in pieces: one may be as long as an MSA."""
    there, begin, at = _Lines(), b"", 0
    file.seek(0)
    while piece := file.readline(_PIECE):
        begin = begin or piece[: len(FAILED)]
        at += len(piece)
        if piece.endswith(b"\n"):
            there = _Lines(there.lines + 1, there.failed + (begin == FAILED), at)
            begin = b""
    return there


def _lock(opened: int, place: Path) -> None:
    """Have a file or a folder until it is closed, or the process ends, however that dies."""
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OtherRun(f"{place}: another command writes into it") from None


def _new_name() -> str:
    return secrets.token_hex(8)


def _keep(state: Path, unfinished: Path, request: Mapping[str, Any], name: str) -> None:
    with new_output(unfinished) as file:
        file.write(f"{json.dumps({'run': name, 'request': request}, indent=1)}\n".encode())
    unfinished.replace(state)


def _same(state: Path, place: Path, request: Mapping[str, Any]) -> str | None:
    """The name of the run that has begun with the same; None where none has. Raises OtherRun."""
    if not os.path.lexists(state):
        return None
    try:
        # Of a pipe nobody may ever write into the other end.
        kept = json.loads(state.read_text(encoding="utf-8")) if state.is_file() else {}
        name, before = str(kept["run"]), dict(kept["request"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise OtherRun(f"{state}: it does not say what was asked for") from None
    for field, value in request.items():
        if before.get(field) != value:
            raise OtherRun(f"{place} was begun with {_difference(field, before.get(field), value)}: name another one")
    return name


def _difference(field: str, before: Any, now: Any) -> str:
    return "other queries" if field == "queries" else f"{field} {_shown(before)}, not {_shown(now)}"


def _shown(value: Any) -> str:
    """A parameter, or a list; databases by name and version."""
    if isinstance(value, list):
        return " ".join(_shown(each) for each in value) or "none"
    return f"{value['name']}@{value['version']}" if isinstance(value, dict) else str(value)
