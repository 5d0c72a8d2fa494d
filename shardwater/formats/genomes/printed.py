"""Alignments of genomes as people read them: a line that says where, then three rows, 60 columns at a time."""

from collections.abc import Iterator

from shardwater.formats.genomes.layout import Listed, sides
from shardwater.formats.genomes.replayed import aligned_rows
from shardwater.formats.titles import one_line
from shardwater.genomes.alignments import Alignments

COLUMNS = 60
"""On a line."""
_AT_ONCE = 1 << 20
_KNOWN = b"ACGT"
_MARKS = bytes.maketrans(b"acgtuU", b"ACGTTT")


def print_alignments(listed: Listed) -> Iterator[str]:
    """Of each alignment the query's row, `|` where letters are equal and known, and the subject's; places from 1.

    Rows go along the subject, forward; of a reverse alignment the query's is its reverse complement.
    """
    for some in listed.blocks(_AT_ONCE):
        for title, query, subject in zip(_titles(listed, some), *aligned_rows(listed, some), strict=True):
            yield title
            yield from _three(query, subject)


def _titles(listed: Listed, some: Alignments) -> Iterator[str]:
    query, subject = sides(listed, some)
    places = (each.tolist() for side in (query, subject) for each in (side.records, side.begins + 1, side.ends))
    for q, q_from, q_to, s, s_from, s_to, reverse, matches, columns in zip(
        *places, some.reverse.tolist(), some.column("matches").tolist(), some.column("columns").tolist(), strict=True
    ):
        where = f"{one_line(listed.query.names[q])} {q_from}-{q_to}{' (-)' if reverse else ''}"
        yield f">{where}, {one_line(listed.subject.names[s])} {s_from}-{s_to}: {matches} of {columns} equal\n"


def _three(query: bytes, subject: bytes) -> Iterator[str]:
    for first in range(0, len(query), COLUMNS):
        one, other = query[first : first + COLUMNS], subject[first : first + COLUMNS]
        pairs = zip(one.translate(_MARKS), other.translate(_MARKS), strict=True)
        marks = "".join("|" if this == that and this in _KNOWN else " " for this, that in pairs)
        yield f"{one.decode('ascii')}\n{marks.rstrip()}\n{other.decode('ascii')}\n\n"
