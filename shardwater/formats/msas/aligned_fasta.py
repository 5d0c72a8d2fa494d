"""Aligned FASTA: all rows in all columns, also those in which the query has a gap."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from shardwater.formats.msas.a3m import records
from shardwater.formats.msas.reading import LIMITS, Gathered, Limits, MsaFormatError, lines_of
from shardwater.formats.msas.row_headers import query_header, searched, told, with_title
from shardwater.msa.layout import Layout
from shardwater.msa.msa import CELLS, Msa


def write_aligned_fasta(msa: Msa, headers: Iterable[str] | None = None, cells: int = CELLS) -> Iterator[bytes]:
    """The MSA, two lines a row, with these headers of rows or else those that A3M has; cells: as in Layout."""
    layout = Layout.of(msa, cells)
    yield b">%b\n%b\n" % (query_header(msa).encode(), layout.query(msa))
    told = (with_title(msa, row) for row in msa) if headers is None else headers
    for header, letters in zip(told, layout.rows(msa), strict=True):
        yield b">%b\n%b\n" % (header.encode(), letters)


def read_aligned_fasta(file: BinaryIO, limits: Limits = LIMITS) -> Msa:
    """An MSA whose first row is the query. Raises MsaFormatError and LimitExceeded."""
    gathered, provenance, first = Gathered(limits), None, True
    for header, row, line in records(lines_of(file, limits)):
        if first:
            own, provenance = searched(header)
            gathered.query(own, row, line)
            first = False
        else:
            gathered.add_aligned(told(header), row, line)
    if first:
        raise MsaFormatError("there is no row", 1)
    return gathered.msa(provenance=provenance)
