"""M8: BLAST's table of twelve columns, a line a row."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from shardwater.formats.msas.reading import LIMITS, Limits, MsaFormatError, lines_of
from shardwater.formats.number_text import NOT_AVAILABLE, bits_text, evalue_text, percent_text
from shardwater.formats.titles import one_line
from shardwater.msa.msa import Msa
from shardwater.sequences.encoding import decoded

_NUMBER = r"[0-9]{1,10}"
_REAL = r"(?:[0-9][0-9.eE+-]{0,19}|N/A)"
_LINE = re.compile(rf"[^\t]+\t[^\t]+\t{_REAL}\t{_NUMBER}(?:\t{_NUMBER}){{6}}\t{_REAL}\t *{_REAL}(?:\t.*)?")


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line: identity in per cent, places from 1, included; bits and evalue are None where there are none."""

    query: str
    subject: str
    identity: float
    evalue: float | None
    bits: float | None
    columns: int
    mismatches: int
    gap_opens: int
    query_from: int
    query_to: int
    hit_from: int
    hit_to: int


def write_m8(msa: Msa) -> Iterator[bytes]:
    """The rows without their letters."""
    query = one_line(msa.query.id)
    for row in msa:
        counts = row.columns, row.columns - row.identical - row.gaps, row.gap_opens
        places = row.query_start + 1, row.query_end, row.subject_start + 1, row.subject_end
        names = query, one_line(row.name), percent_text(100 * row.identity)
        figures = evalue_text(row.evalue, table=True), bits_text(row.bits)
        yield "\t".join((*names, *map(str, counts + places), *figures)).encode() + b"\n"


def read_m8(file: BinaryIO, limits: Limits = LIMITS) -> Iterator[TableRow]:
    """The lines, one after another; further columns are left out. Raises MsaFormatError and LimitExceeded."""
    for line in lines_of(file, limits):
        text = decoded(line.text)
        if not _LINE.fullmatch(text):
            raise MsaFormatError("it does not have the twelve columns of BLAST's table", line.number)
        query, subject, identity, *numbers, evalue, bits = text.split("\t")[:12]
        try:
            figures = float(identity), _figure(evalue), _figure(bits)
        except ValueError:
            raise MsaFormatError("a figure is no number", line.number) from None
        yield TableRow(query, subject, *figures, *map(int, numbers))


def _figure(text: str) -> float | None:
    return None if text.strip() == NOT_AVAILABLE else float(text)
