"""Stockholm 1.0, a line a row: the query first, subjects as `name/first-last`, titles as `#=GS name DE`.

AlphaFold's readers take a row's columns for the query's where the query has no `-`, and no other sign for a gap.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from shardwater.errors import LimitExceeded
from shardwater.formats.msas.reading import LIMITS, Gathered, Limits, Line, MsaFormatError, letters_of, lines_of
from shardwater.formats.msas.row_headers import Told
from shardwater.formats.titles import joined, one_line
from shardwater.msa.layout import Layout
from shardwater.msa.msa import CELLS, Msa, Row
from shardwater.msa.provenance import Provenance
from shardwater.msa.texts import Texts
from shardwater.sequences.encoding import decoded

FIRST = b"# STOCKHOLM 1.0"
END = b"//"
MARK = b"#=GF CC shardwater "
"""Before what was searched, as JSON."""
MOST_BLANKS = 48
"""Names up to this length end in one column."""
_STRANGE = re.compile(r"[^!-~]|^[#/>]")
"""Blanks end a name, and a line that begins with one of these signs is no row."""
_PLACES = re.compile(r"(.+)/([0-9]{1,9})-([0-9]{1,9})(?:\.[0-9]{1,9})?")


def write_stockholm(msa: Msa, cells: int = CELLS) -> Iterator[bytes]:
    """The MSA; `#=GC RF` has an x for each of the query's columns. Rows are read three times; cells: as in Layout."""
    names = Texts.of(row_names(msa))
    yield FIRST + b"\n"
    yield b"#=GF ID %b\n#=GF AU Shardwater\n" % names[0]
    if msa.provenance:
        yield b"%b%b\n" % (MARK, msa.provenance.brief().encode())
    yield b"#=GF SQ %d\n\n" % (len(msa) + 1)
    yield from _described(names[0], msa.query.title, None)
    for number, row in enumerate(msa):
        yield from _described(names[number + 1], row.title, msa.organisms.get(row.taxid))
    layout = Layout.of(msa, cells)
    width = min(MOST_BLANKS, int(names.lengths.max()))
    yield b"\n%b %b\n" % (names[0].ljust(width), layout.query(msa))
    for number, letters in enumerate(layout.rows(msa)):
        yield b"%b %b\n" % (names[number + 1].ljust(width), letters)
    marks = bytes(b".x"[match] for match in layout.matches.tolist())
    yield b"%b %b\n%b\n" % (b"#=GC RF".ljust(width), marks, END)


def _described(name: bytes, title: str, organism: str | None) -> Iterator[bytes]:
    if title := one_line(title):
        yield b"#=GS %b DE %b\n" % (name, title.encode())
    if organism:
        yield b"#=GS %b OS %b\n" % (name, one_line(organism).encode())


def row_names(msa: Msa) -> Iterator[bytes]:
    """A name for each row, the query's first, none of them twice."""
    seen: dict[str, int] = {}
    own = query_name(msa)
    seen[own] = 1
    yield own.encode()
    for row in msa:
        name = _name(row)
        number = seen[name] = seen.get(name, 0) + 1
        while number > 1 and f"{name}.{number}" in seen:
            number += 1
        if number > 1:
            seen[name] = number
            name = f"{name}.{number}"
            seen[name] = 1
        yield name.encode()


def query_name(msa: Msa) -> str:
    """The query's name as it stands in its row."""
    return _STRANGE.sub("_", msa.query.id) or "query"


def subject_name(row: Row) -> str:
    """A subject's name as it stands before its places."""
    return _STRANGE.sub("_", row.name) or "row"


def _name(row: Row) -> str:
    name = subject_name(row)
    return f"{name}/{row.subject_start + 1}-{row.subject_end}" if row.subject_end else name


@dataclass(slots=True)
class _Found:
    """A row as it is gathered from the blocks of a file."""

    line: int
    parts: list[bytes] = field(default_factory=list)


class _Reader:
    """Rows, titles and organisms by name, and what was searched."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._rows: dict[str, _Found] = {}
        self._titles: dict[str, str] = {}
        self._provenance: Provenance | None = None

    def take(self, line: Line) -> None:
        if line.text.startswith(MARK):
            self._provenance = _searched(line)
        elif line.text.startswith(b"#=GS "):
            _, name, feature, *rest = (*decoded(line.text).split(None, 3), "", "")
            if feature == "DE":
                self._titles[name] = rest[0]
        elif line.text.strip() and not line.text.startswith(b"#"):
            self._take_row(line)

    def _take_row(self, line: Line) -> None:
        words = line.text.split()
        if len(words) != 2:
            raise MsaFormatError("a row has a name and letters, and a blank between them", line.number)
        name = decoded(words[0])
        letters = letters_of(line, line.text.rindex(words[1]))
        self._rows.setdefault(name, _Found(line.number)).parts.append(letters)
        if len(self._rows) > self._limits.rows:
            raise LimitExceeded("rows of the MSA", self._limits.rows, len(self._rows))

    def msa(self) -> Msa:
        gathered, first = Gathered(self._limits), True
        for name, found in self._rows.items():
            row, title = b"".join(found.parts), self._titles.get(name, "")
            if first:
                gathered.query(joined(name, title), row, found.line)
                first = False
                continue
            places = _PLACES.fullmatch(name)
            own, start, end = (places[1], int(places[2]) - 1, int(places[3])) if places else (name, 0, 0)
            gathered.add_aligned(Told(joined(own, title), start, end), row, found.line)
        if first:
            raise MsaFormatError("there is no row", 1)
        return gathered.msa(provenance=self._provenance)


def read_stockholm(file: BinaryIO, limits: Limits = LIMITS) -> Msa:
    """The one MSA of a file, its rows in one piece or in blocks, the query first.

    Raises MsaFormatError and LimitExceeded.
    """
    reader, ended, last = _Reader(limits), False, 0
    for line in lines_of(file, limits):
        last = line.number
        if last == 1:
            if line.text.rstrip() != FIRST:
                raise MsaFormatError(f"it does not begin with `{FIRST.decode()}`", 1)
        elif ended:
            if line.text.strip():
                raise MsaFormatError("there is more than one alignment", last)
        elif line.text.rstrip() == END:
            ended = True
        else:
            reader.take(line)
    if not ended:
        raise MsaFormatError(f"it does not end with `{END.decode()}`", max(1, last))
    return reader.msa()


def _searched(line: Line) -> Provenance:
    try:
        return Provenance.from_json(json.loads(line.text.removeprefix(MARK)))
    except (ValueError, RecursionError) as error:
        raise MsaFormatError("it does not say what was searched", line.number) from error
