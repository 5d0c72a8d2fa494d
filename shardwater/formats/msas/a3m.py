"""A3M: the query first, then each row with a capital or `-` for each of its positions, small letters in between.

What was searched stands in the query's header: lines that begin with `#` stop AlphaFold 2's reader, and ColabFold's own
mean the lengths of chains.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from shardwater.formats.msas.reading import LIMITS, Gathered, Limits, Line, MsaFormatError, letters_of, lines_of
from shardwater.formats.msas.row_headers import query_header, searched, told, with_title
from shardwater.msa.msa import Msa
from shardwater.sequences.encoding import decoded

ANNOTATIONS = ("ss_pred", "ss_conf", "ss_dssp", "sa_dssp", "aa_dssp", "aa_pred", "Consensus")
"""HHsuite's rows that are no sequences."""


def write_a3m(msa: Msa) -> Iterator[bytes]:
    """The MSA, two lines a row: the fields of row_headers.py and, as another one, the title; its letters."""
    yield b">%b\n%b\n" % (query_header(msa).encode(), msa.query.residues)
    for number, row in enumerate(msa):
        yield b">%b\n%b\n" % (with_title(msa, row).encode(), msa.a3m(number))


def read_a3m(file: BinaryIO, limits: Limits = LIMITS) -> Msa:
    """An MSA that any program has written as A3M. Raises MsaFormatError and LimitExceeded."""
    found = read_records(lines_of(file, limits), limits)
    if found is None:
        raise MsaFormatError("there is no row", 1)
    return found


def read_records(lines: Iterable[Line], limits: Limits) -> Msa | None:
    """The MSA of some of a file's lines; None where there is no row in them."""
    gathered, provenance, first = Gathered(limits), None, True
    for header, row, line in records(lines):
        if first:
            own, provenance = searched(header)
            gathered.query(own, row, line)
            first = False
        elif not header.partition(" ")[0].endswith(ANNOTATIONS):
            gathered.add(told(header), row, line)
    return None if first else gathered.msa(provenance=provenance)


def records(lines: Iterable[Line]) -> Iterator[tuple[str, bytes, int]]:
    """Headers, letters, and the line on which these begin; comments before the first one are left out."""
    header: str | None = None
    parts: list[bytes] = []
    begin = 0
    for line in lines:
        if line.text.startswith(b">"):
            if header is not None:
                yield header, b"".join(parts), begin
            header, parts, begin = decoded(line.text[1:]), [], line.number + 1
        elif header is not None:
            parts.append(letters_of(line))
        elif line.text.strip() and not line.text.startswith(b"#"):
            raise MsaFormatError("text before the first '>'", line.number, 1)
    if header is not None:
        yield header, b"".join(parts), begin
