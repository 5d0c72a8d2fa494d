"""Alignments of small genomes for tests of their formats, written down as rows, and what formats make of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shardwater.formats.genomes.layout import ChainBlocks, Layout, Listed
from shardwater.formats.genomes.names import GenomeFormat
from shardwater.formats.genomes.writers import WRITERS, columns_for
from shardwater.genomes.alignments import ROW, Alignments
from shardwater.genomes.genome import Genome
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS
from shardwater.sequences.named import Letters, reverse_complement

FIRST = "GGCTTTGTAGCTAACTCTCGATTACAGGCA"
SECOND = "TTGACCATGGCATTCGAGTCCAnNACGTTGACCA"
QUERY = Genome.of([Letters("q1", FIRST.encode()), Letters("q2", SECOND.encode())])
SUBJECT = Genome.of(
    [
        # q1's letters 3 to 27 with a mismatch, then what q2 has from 5 to 30 reversed, with letters more and less.
        Letters("s1", b"AATC" + b"TTTGTAGCTAACTCTCcATTACAG" + b"CC"),
        Letters("s2", b"GTAC" + reverse_complement(b"CCATGGCATTCGAGTCCA")),
        Letters("s3", b"TTGACCATGAAGCATTAGTCCAnNACG"),
    ]
)


@dataclass(frozen=True, slots=True)
class Row:
    """An alignment: records, places in them from 0, half-open, forward, the strand, and runs of M, I and D."""

    query: str
    query_begin: int
    query_end: int
    subject: str
    begin: int
    end: int
    strand: str
    runs: str

    @property
    def operations(self) -> list[tuple[int, str]]:
        return [(int(length), kind) for length, kind in re.findall(r"(\d+)([MID])", self.runs)]

    @property
    def texts(self) -> tuple[str, str]:
        """Its rows, letter by letter."""
        query = letters(QUERY, self.query)[self.query_begin : self.query_end]
        query = reverse_complement(query) if self.strand == "-" else query
        subject = letters(SUBJECT, self.subject)[self.begin : self.end]
        rows, i, j = ["", ""], 0, 0
        for length, kind in self.operations:
            rows[0] += "-" * length if kind == "D" else query[i : i + length].decode()
            rows[1] += "-" * length if kind == "I" else subject[j : j + length].decode()
            i, j = i + length * (kind != "D"), j + length * (kind != "I")
        assert (i, j) == (len(query), len(subject))
        return rows[0], rows[1]

    @property
    def columns(self) -> str:
        """An operation a column: =, X, I, D."""
        return "".join(map(operation, *self.texts))

    @property
    def cigar(self) -> str:
        return re.sub(r"(.)\1*", lambda run: f"{len(run[0])}{run[1]}", self.columns)

    @property
    def corners(self) -> list[list[int]]:
        """Where runs begin and end, in the subject and in the query, which may go backwards."""
        step = -1 if self.strand == "-" else 1
        corners = [[self.begin, self.query_end if step < 0 else self.query_begin]]
        for length, kind in self.operations:
            at, query_at = corners[-1]
            corners.append([at + length * (kind != "I"), query_at + step * length * (kind != "D")])
        return corners


UNGAPPED = [
    Row("q1", 3, 27, "s1", 4, 28, "+", "24M"),
    Row("q2", 4, 22, "s2", 4, 22, "-", "18M"),
    Row("q2", 16, 27, "s3", 16, 27, "+", "11M"),
]
GAPPED = [
    Row("q1", 3, 27, "s1", 4, 28, "+", "24M"),
    Row("q2", 0, 27, "s3", 0, 27, "+", "9M2D5M2I11M"),
    Row("q2", 4, 21, "s2", 5, 22, "-", "4M1D3M2I5M1D3M"),
]


def operation(query: str, subject: str) -> str:
    """Of a column."""
    if "-" in (query, subject):
        return "D" if query == "-" else "I"
    return "=" if query.upper() == subject.upper() and query in "ACGTacgt" else "X"


def letters(genome: Genome, name: str) -> bytes:
    record = genome.names.index(name)
    return genome.letters[genome.offsets[record] : genome.offsets[record + 1]].tobytes()


def alignments(rows: Sequence[Row]) -> Alignments:
    """They score 4 and -4, and -1 a letter in gaps."""
    table, runs = np.zeros(len(rows), ROW), list[int]()
    for number, row in enumerate(rows):
        query_at, at = (
            int(genome.offsets[genome.names.index(name)])
            for genome, name in ((QUERY, row.query), (SUBJECT, row.subject))
        )
        places = (query_at + row.query_begin, query_at + row.query_end, at + row.begin, at + row.end)
        columns = row.columns
        score = sum({"=": 4, "X": -4}.get(each, -1) for each in columns)
        counted = (score, columns.count("="), len(columns), row.strand == "-", len(row.operations))
        table[number] = (*places, *counted)
        runs += (length << KIND_BITS | RUN_KINDS.index(kind) for length, kind in row.operations)
    return Alignments(table, np.array(runs, np.int32))


def chain(row: Row, score: int = 100) -> ChainBlocks:
    """Its stretches without gaps as a chain."""
    query, subject = QUERY.names.index(row.query), SUBJECT.names.index(row.subject)
    blocks = []
    for (length, kind), (at, query_at) in zip(row.operations, row.corners, strict=False):
        if kind == "M":
            blocks.append((query_at - length if row.strand == "-" else query_at, at, length))
    before = (int(QUERY.offsets[query]), int(SUBJECT.offsets[subject]), 0)
    return ChainBlocks(query, subject, row.strand == "-", score, np.array(blocks, np.int64) + np.array(before))


def listed(rows: Sequence[Row]) -> Listed:
    """Gaps were asked for where there are any; each row is a chain of its own."""
    gapped = any(len(row.operations) > 1 for row in rows)
    return Listed(QUERY, SUBJECT, alignments(rows), gapped, [chain(row) for row in rows])


def text_of(name: GenomeFormat, shown: Listed | Sequence[Row], layout: Layout | None = None) -> str:
    """What a format writes."""
    shown = shown if isinstance(shown, Listed) else listed(shown)
    pieces = WRITERS[name].write(shown, layout or Layout(columns=columns_for(name, None)))
    return "".join(piece if isinstance(piece, str) else piece.decode() for piece in pieces)
