"""What stands after the `>` of a row: MMseqs2's ten fields, and for the query, what was searched.

The fields are name, bits, identity, E-value, first and last position in the query, its length, the same of the subject,
by tabs; positions count from 0 and the last one is included (Mirdita et al. 2022, Nature Methods 19:679).
"""

import json
import re
from dataclasses import dataclass

from shardwater.formats.number_text import NOT_AVAILABLE
from shardwater.formats.titles import joined, one_line
from shardwater.msa.msa import Msa, Row
from shardwater.msa.provenance import Provenance

MARK = " shardwater="
"""Between the query's own header and what was searched, as JSON: no reader of the format looks there."""
_FIELDS = re.compile(
    r"([^\t]*)\t(N/A|[0-9.eE+-]{1,20})\t[0-9.]{1,20}\t(N/A|[0-9.eE+-]{1,20})"
    r"\t[0-9]{1,10}\t-?[0-9]{1,10}\t[0-9]{1,10}\t([0-9]{1,9})\t([0-9]{1,9})\t([0-9]{1,9})(?:\t(.*))?"
)


@dataclass(frozen=True, slots=True)
class Told:
    """What a row's header says: places in the subject from 0, half-open, and its length; 0 and None where it does not.

    score and representative are told by JSON alone."""

    header: str
    subject_start: int = 0
    subject_end: int = 0
    length: int = 0
    bits: float | None = None
    evalue: float | None = None
    score: int = 0
    representative: str = ""


def ten_fields(msa: Msa, row: Row) -> str:
    """A row's header with the ten fields and no more."""
    bits = NOT_AVAILABLE if row.bits is None else str(int(row.bits + 0.5))
    evalue = NOT_AVAILABLE if row.evalue is None else f"{row.evalue:.3E}"
    places = row.query_start, row.query_end - 1, msa.columns, row.subject_start, row.subject_end - 1, row.length
    return "\t".join((one_line(row.name), bits, f"{row.identity:.3f}", evalue, *map(str, places)))


def with_title(msa: Msa, row: Row) -> str:
    """The ten fields and, where there is one, the title as another. Of a row whose subject is not known, its header."""
    if not row.subject_end:
        return one_line(row.header)
    return "\t".join(part for part in (ten_fields(msa, row), one_line(row.title)) if part)


def told(header: str) -> Told:
    """What one of these headers says; any other is one without fields."""
    found = _FIELDS.fullmatch(header)
    if found is None:
        return Told(header)
    name, bits, evalue, start, end, length, title = found.groups()
    try:
        figures = [None if text == NOT_AVAILABLE else float(text) for text in (bits, evalue)]
    except ValueError:
        return Told(header)
    places = int(start), int(end) + 1, int(length)
    return Told(joined(name, title or ""), *places, bits=figures[0], evalue=figures[1])


def query_header(msa: Msa) -> str:
    """The query's own header, and after it what was searched, where that is known."""
    header = one_line(msa.query.header)
    return f"{header}{MARK}{msa.provenance.brief()}" if msa.provenance else header


def searched(header: str) -> tuple[str, Provenance | None]:
    """The query's own header, and what was searched, where it says so."""
    own, mark, text = header.rpartition(MARK)
    if not mark:
        return header, None
    try:
        return own, Provenance.from_json(json.loads(text))
    except (ValueError, RecursionError):
        return header, None
