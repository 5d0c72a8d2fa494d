"""Text files of one record a line, read some lines at a time: tables of taxids, NCBI's taxonomy."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shardwater.errors import DatabaseError
from shardwater.sequences.blocks import GZIP_MAGIC, inflate, unify
from shardwater.sequences.encoding import as_utf8

BLOCK = 1 << 20
LONGEST_LINE = 1 << 16


class Lines(NamedTuple):
    """Lines that follow one another, without their ends, and the number of the first, from 1."""

    first: int
    lines: list[bytes]


def read_lines(path: Path) -> Iterator[Lines]:
    """The lines of a plain or gzip file, BLOCK bytes of text at a time. Raises DatabaseError for one that is too long.

    They are UTF-8 (encoding.py), as a database's headers are.

    What stands after the last line end is a line, unless it is empty.
    """
    with path.open("rb", buffering=0) as file:
        magic = file.read(len(GZIP_MAGIC))
        file.seek(0)
        chunks = inflate(file, BLOCK, str(path)) if magic == GZIP_MAGIC else iter(lambda: file.read(BLOCK), b"")
        first, rest = 1, b""
        for chunk in unify(chunks):
            text = rest + chunk
            *lines, rest = text.split(b"\n")
            if len(max(lines, key=len, default=rest)) > LONGEST_LINE or len(rest) > LONGEST_LINE:
                _refuse_long(path, first, [*lines, rest])
            yield Lines(first, lines if text.isascii() else [*map(as_utf8, lines)])
            first += len(lines)
        if rest:
            yield Lines(first, [as_utf8(rest)])


def _refuse_long(path: Path, first: int, lines: list[bytes]) -> None:
    for number, line in enumerate(lines, start=first):
        if len(line) > LONGEST_LINE:
            raise fault(path, number, f"more than {LONGEST_LINE:,} bytes")


def fault(path: Path, line: int, detail: str, *, column: int | None = None) -> DatabaseError:
    """What is wrong in a line; column counts its bytes from 1."""
    where = "" if column is None else f", column {column:,}"
    return DatabaseError(f"{path}: line {line:,}{where}: {detail}")


def number_of(text: bytes, largest: int) -> int | None:
    """A whole number from 0 to the largest, in digits alone."""
    if not text.isdigit() or len(text) > len(str(largest)):
        return None
    number = int(text)
    return number if number <= largest else None
