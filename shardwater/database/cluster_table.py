"""A file of clusters, as MMseqs2's createtsv writes it: `representative TAB member`, one a line."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from shardwater.database.database import Database
from shardwater.database.line_files import Lines, fault, read_lines
from shardwater.database.lookup import subjects_of
from shardwater.database.runs import Int64s
from shardwater.errors import DatabaseError

UNNAMED = -1
"""In place of a representative where the file does not name a sequence."""
_COLUMNS = 2
_SHOWN = 80
"""Bytes of an accession that an error repeats."""
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class _Pairs:
    """What some lines say, and the number of each: which subjects represent which."""

    lines: Sequence[int]
    accessions: Sequence[list[bytes]]
    representatives: Int64s
    members: Int64s


def read_clusters(path: Path, database: Database, representatives: Int64s) -> None:
    """Write the representative of each subject that a file names, its own number for one that represents.

    representatives: of all subjects, UNNAMED before. Raises DatabaseError, with file, line and column, for a line that
    is none, an accession that the database does not have, and where a subject would be in two clusters.
    """
    pairs = None
    for some in read_lines(path):
        for pairs in _pairs(path, some, database):
            # A line says of two subjects which cluster each is in.
            subjects = np.stack([pairs.representatives, pairs.members], axis=1).ravel()
            clusters = np.repeat(pairs.representatives, _COLUMNS)
            before = representatives[subjects]
            representatives[subjects] = clusters
            # Of a subject that these lines put into two clusters, one is no more what was written.
            if ((before != UNNAMED) & (before != clusters)).any() or (representatives[subjects] != clusters).any():
                representatives[subjects] = before
                _refuse_second(path, pairs, representatives)
    if pairs is None:
        raise DatabaseError(f"{path}: no cluster in it")


def _pairs(path: Path, some: Lines, database: Database) -> Iterator[_Pairs]:
    """What lines say, unless all are empty."""
    lines = [number for number, line in enumerate(some.lines, start=some.first) if line]
    if not lines:
        return
    accessions = [line.split(b"\t") for line in some.lines if line]
    if any(len(pair) != _COLUMNS or not all(pair) for pair in accessions) or _CONTROL.search(b"".join(some.lines)):
        _refuse_line(path, some)
    different = list(dict.fromkeys(accession for pair in accessions for accession in pair))
    numbers = dict(zip(different, subjects_of(database, different).tolist(), strict=True))
    subjects = np.array([[numbers[accession] for accession in pair] for pair in accessions], np.int64)
    [unknown] = np.nonzero((subjects < 0).any(axis=1))
    if len(unknown):
        place = int(unknown[0])
        representative, member = accessions[place]
        is_first = subjects[place, 0] < 0
        detail = f"no sequence has the accession {_shown(representative if is_first else member)}, or several have"
        raise fault(path, lines[place], detail, column=1 if is_first else len(representative) + 2)
    yield _Pairs(lines, accessions, subjects[:, 0], subjects[:, 1])


def _refuse_line(path: Path, some: Lines) -> None:
    """Tell of the first line that is none."""
    for number, line in enumerate(some.lines, start=some.first):
        pair = line.split(b"\t")
        if found := _CONTROL.search(line):
            raise fault(path, number, "a control character", column=found.start() + 1)
        if line and (len(pair) != _COLUMNS or not all(pair)):
            at = len(line) if len(pair) < _COLUMNS else 0 if not pair[0] else len(b"\t".join(pair[:2]))
            raise fault(path, number, "a representative, a tab and a member are needed", column=at + 1)


def _refuse_second(path: Path, pairs: _Pairs, representatives: Int64s) -> None:
    """Tell of the first line that puts a subject into another cluster than lines before it."""
    seen: dict[int, int] = {}
    rows = zip(pairs.lines, pairs.accessions, pairs.representatives.tolist(), pairs.members.tolist(), strict=True)
    for line, (name, other), representative, member in rows:
        own = seen.get(representative, int(representatives[representative]))
        if own not in (UNNAMED, representative):
            raise fault(path, line, f"the representative {_shown(name)} is a member of another cluster", column=1)
        seen[representative] = representative
        own = seen.get(member, int(representatives[member]))
        if own not in (UNNAMED, representative):
            kind = "represents a cluster of its own" if own == member else "is a member of another cluster"
            raise fault(path, line, f"the member {_shown(other)} {kind}", column=len(name) + 2)
        seen[member] = representative


def _shown(accession: bytes) -> str:
    return repr(accession[:_SHOWN].decode("utf-8", "replace"))
