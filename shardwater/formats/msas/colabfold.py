"""ColabFold's A3M files: a block for each query, which ends with a NUL byte; its header is as it was sent.

In files of pairs row i of each chain's block is of one taxon, and rows have names alone: ColabFold joins the headers of
a pair by tabs. A chain without a partner has a row of gaps.
"""

from collections.abc import Iterator
from typing import BinaryIO

from shardwater.formats.msas.a3m import read_records
from shardwater.formats.msas.reading import LIMITS, Limits, Line, lines_of
from shardwater.formats.msas.row_headers import ten_fields
from shardwater.formats.titles import one_line
from shardwater.msa.msa import Msa
from shardwater.msa.pairing import NOBODY
from shardwater.msa.texts import Numbers

END = b"\0"
NO_PARTNER = "DUMMY"
"""MMseqs2's name of such a row."""


def write_block(msa: Msa) -> Iterator[bytes]:
    """A query's block; one without rows has the query alone."""
    yield b">%b\n%b\n" % (msa.query.header.encode(), msa.query.residues)
    for number, row in enumerate(msa):
        yield b">%b\n%b\n" % (ten_fields(msa, row).encode(), msa.a3m(number))
    yield END


def write_paired(msa: Msa, rows: Numbers) -> Iterator[bytes]:
    """A chain with its rows of pairs, by their numbers (pairing.py): what is in a block before its END.

    Each is read as it is written: together they may be more than fits into memory.
    """
    yield b">%b\n%b\n" % (msa.query.header.encode(), msa.query.residues)
    for number in map(int, rows):
        name, letters = ("", b"-" * msa.columns) if number == NOBODY else (msa.row(number).name, msa.a3m(number))
        yield b">%b\n%b\n" % (one_line(name or NO_PARTNER).encode(), letters)


def read_blocks(file: BinaryIO, limits: Limits = LIMITS) -> Iterator[Msa]:
    """The MSA of each block; one without rows at all is left out. Raises MsaFormatError and LimitExceeded."""
    block: list[Line] = []
    for line in lines_of(file, limits):
        before, *after = line.text.split(END)
        block.append(Line(line.number, before))
        for text in after:
            if (msa := read_records(block, limits)) is not None:
                yield msa
            block = [Line(line.number, text)]
    if (msa := read_records(block, limits)) is not None:
        yield msa
