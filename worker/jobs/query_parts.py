"""A part of each query, as `5-40`: its first and last residue, from 1."""

import re
from collections.abc import Sequence

from shardwater.errors import AlignError
from shardwater.sequences.fasta import Record

PART = r"^[1-9][0-9]{0,8}-[1-9][0-9]{0,8}$"


class QueryRangeError(AlignError):
    """A part of a query that it does not have."""


def check_part(value: object) -> object:
    """The same; raises ValueError for text that is no part of any query."""
    if isinstance(value, str):
        if not re.fullmatch(PART, value):
            raise ValueError("a first and a last residue are needed, as 5-40")
        first, last = _ends(value)
        if first > last:
            raise ValueError(f"{value} ends before it begins")
    return value


def parts_of(records: Sequence[Record], part: str) -> list[Record]:
    """This part of each; one that ends before is taken to its end. Raises QueryRangeError."""
    first, last = _ends(part)
    for number, record in enumerate(records, start=1):
        if first > record.length:
            whole = f"1-{record.length}"
            raise QueryRangeError(f"{part} is no part of record {number}, which is {whole}")
    return [record.part(first, min(last, record.length)) for record in records]


def _ends(part: str) -> tuple[int, int]:
    first, last = part.split("-")
    return int(first), int(last)
