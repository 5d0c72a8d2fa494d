"""The FASTA files that a database is built from."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shardwater.errors import DatabaseError


@dataclass(frozen=True, slots=True)
class Source:
    """A file that can be read twice, and what errors call it."""

    path: Path
    name: str


def check_sources(paths: Sequence[Path]) -> None:
    """Raise DatabaseError where there is nothing to read."""
    if not paths:
        raise DatabaseError("no FASTA file given")
    for path in paths:
        if not path.exists():
            raise DatabaseError(f"{path}: no such file")
        if path.is_dir():
            raise DatabaseError(f"{path}: a folder, not a file")


def open_sources(paths: Sequence[Path], folder: Path) -> list[Source]:
    """The files; what comes through a pipe is copied into the folder: a fault is looked for in a second reading."""
    return [
        Source(path if path.is_file() else _copy(path, folder / f"source-{number}"), str(path))
        for number, path in enumerate(paths)
    ]


def _copy(pipe: Path, copy: Path) -> Path:
    with pipe.open("rb") as source, copy.open("wb") as file:
        shutil.copyfileobj(source, file)
    return copy
