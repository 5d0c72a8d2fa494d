"""What all readers of MSAs share: lines of bounded length, and rows that are checked as they are gathered.

Each letter is looked at a fixed number of times; what is wrong is told with its line and column.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError, LimitExceeded
from shardwater.formats.msas.row_headers import Told
from shardwater.msa.msa import GAP, Msa, capitals
from shardwater.msa.provenance import Provenance
from shardwater.msa.stacking import Rows
from shardwater.plural import plural
from shardwater.sequences.fasta import Record

SMALL = bytes(range(ord("a"), ord("z") + 1))
LETTERS = SMALL + SMALL.upper() + b"*"
BLANKS = b" \t"
GAPS = b"-.~_"
"""What the formats write for a gap."""
_PIECES = re.compile(rb"-+|[a-z]+")
_AS_A3M = bytes.maketrans(b"*~_", b"X--")
_IS_GAP = bytes(byte in GAPS for byte in range(256))
_SMALL = np.uint8(0x20)
"""Between a capital and its small letter."""


class MsaFormatError(AlignError):
    """Text that is not the MSA it should be; line and column count from 1."""

    def __init__(self, detail: str, line: int, column: int | None = None) -> None:
        self.detail, self.line, self.column = detail, line, column
        where = f"line {line}" if column is None else f"line {line}, column {column}"
        super().__init__(f"{where}: {detail}")


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest MSA that is read: rows with the query, bytes of a line, and bytes of the whole text."""

    rows: int = 1_000_001
    line: int = 1 << 20
    size: int = 1 << 31


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file without its end, and its number, from 1."""

    number: int
    text: bytes


def lines_of(file: BinaryIO, limits: Limits) -> Iterator[Line]:
    """The lines of a file. Raises MsaFormatError and LimitExceeded."""
    size = 0
    for number in count(1):
        text = file.readline(limits.line + 1)
        if not text:
            return
        size += len(text)
        if len(text) > limits.line:
            raise MsaFormatError(f"it is longer than {limits.line:,} bytes", number)
        if size > limits.size:
            raise LimitExceeded("bytes of the MSA", limits.size, size)
        yield Line(number, text.rstrip(b"\r\n"))


def letters_of(line: Line, begin: int = 0) -> bytes:
    """What a line has of a row's letters and gaps, from a column on, without blanks. Raises MsaFormatError."""
    text = line.text[begin:]
    if strangers := text.translate(None, LETTERS + GAPS + BLANKS):
        column = begin + text.index(strangers[:1]) + 1
        raise MsaFormatError(f"{chr(strangers[0])!r} is no letter and no gap", line.number, column)
    return text.translate(None, BLANKS)


class Gathered:
    """The query, and rows that are checked against it."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._rows, self._count = limits, Rows(), 0
        self._query = Record("", b"")
        self._columns = np.zeros(0, np.bool_)
        """Which columns of aligned rows are the query's."""

    def query(self, header: str, row: bytes, line: int) -> None:
        """The first row, of letters and perhaps gaps."""
        letters = row.translate(None, GAPS)
        if not letters:
            raise MsaFormatError("the first row, the query, has no letters", line)
        self._count = 1
        self._columns = ~_gaps(row)
        self._query = Record(_text(header).decode(), capitals(letters))

    def add(self, told: Told, row: bytes, line: int, taxid: int = 0) -> None:
        """A row in A3M: a capital or a gap for each position of the query, small letters in between."""
        self._count += 1
        if self._count > self._limits.rows:
            raise LimitExceeded("rows of the MSA", self._limits.rows, self._count)
        row = row.translate(_AS_A3M, b".")
        if (columns := len(row.translate(None, SMALL))) != len(self._query.residues):
            raise MsaFormatError(
                f"the row has {columns:,} capitals and gaps, the query {plural(len(self._query.residues), 'letter')}",
                line,
            )
        self._rows.add(_text(told.header), *self._described(told, row, taxid), _text(told.representative))

    def add_aligned(self, told: Told, row: bytes, line: int) -> None:
        """A row with all columns that the query's row has."""
        if len(row) != len(self._columns):
            raise MsaFormatError(
                f"the row has {plural(len(row), 'column')}, the first one {len(self._columns):,}", line
            )
        letters = np.frombuffer(capitals(row), np.uint8)
        gaps = _gaps(row)
        letters = np.where(gaps, np.uint8(GAP), np.where(self._columns, letters, letters | _SMALL))
        self.add(told, letters[self._columns | ~gaps].tobytes(), line)

    def msa(self, organisms: Mapping[int, str] | None = None, provenance: Provenance | None = None) -> Msa:
        """All of it."""
        return self._rows.msa(self._query, organisms or {}, provenance)

    def _described(self, told: Told, row: bytes, taxid: int) -> tuple[bytes, tuple[float, ...]]:
        """The letters between the first and the last one, and the row's figures."""
        start = len(row) - len(row.lstrip(b"-"))
        letters = row.strip(b"-")
        inside = np.frombuffer(letters.translate(None, SMALL), np.uint8)
        start = start if letters else 0
        end = start + len(inside)
        same = inside == np.frombuffer(self._query.residues, np.uint8)[start:end]
        gaps = len(letters) - int((inside != GAP).sum())
        figures = (
            *(np.nan if each is None else each for each in (told.bits, told.evalue)),
            *(start, end, told.subject_start, told.subject_end, told.length),
            *(len(letters), int(same.sum()), gaps, len(_PIECES.findall(letters)), told.score),
            taxid,
        )
        return letters, figures


def _gaps(row: bytes) -> npt.NDArray[np.bool_]:
    return np.frombuffer(row.translate(_IS_GAP), np.bool_)


def _text(header: str) -> bytes:
    # JSON can hold halves of characters, which have no bytes.
    return header.encode("utf-8", "replace")
