"""What the formats of compared genomes show: alignments, chains, and what stands besides them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from shardwater.formats.titles import one_line
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.comparison import Comparison
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps, Numbers

ROWS = 1 << 13
"""Rows whose text is made together: it stays in a processor's cache."""
_BYTES = 1 << 24
"""Of these rows' names."""


@dataclass(frozen=True, slots=True, eq=False)
class ChainBlocks:
    """A chain of a record of the query and one of the subject, by their numbers.

    blocks (n, 3): where each block without gaps begins in the query and in the subject, and its letters. Places are
    those of Genome, joined and forward, also of a reverse chain. Blocks stand in the subject's order and do not overlap
    in either; so those of a reverse chain go backwards in the query.
    """

    query: int
    subject: int
    reverse: bool
    score: int
    blocks: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Two genomes and what they share; gapped: whether gaps were asked for. chains are shown by `chain` alone.

    HSPs become alignments as they are written, so that a list in a file takes little memory.
    """

    query: Genome
    subject: Genome
    alignments: Alignments | Hsps
    gapped: bool = False
    chains: Iterable[ChainBlocks] = ()

    def blocks(self, columns: int | None = None) -> Iterator[Alignments]:
        """The alignments, as many at a time as a writer takes together; with columns, so many of these or one alone."""
        widest = max(len(name) for genome in (self.query, self.subject) for name in (*genome.names, ""))
        most, whole = max(1, min(ROWS, _BYTES // (4 * widest + 1))), len(self.alignments)
        ends = np.cumsum(self._columns)
        first, some = 0, self._some()
        while first < whole:
            last = min(first + most, whole)
            if columns is not None:
                before = int(ends[first - 1]) if first else 0
                last = min(last, max(first + 1, int(np.searchsorted(ends, before + columns, side="right"))))
            yield some(first, last)
            first = last

    @property
    def _columns(self) -> Numbers:
        return self.alignments.length if isinstance(self.alignments, Hsps) else self.alignments.column("columns")

    def _some(self) -> Callable[[int, int], Alignments]:
        """What gives the rows from one to before another one; HSPs become alignments only then."""
        listed = self.alignments
        if isinstance(listed, Hsps):
            return lambda first, last: Alignments.of_hsps(listed[first:last])
        rows, runs, firsts = listed.rows, listed.runs, listed.firsts
        return lambda first, last: Alignments(rows[first:last], runs[firsts[first] : firsts[last]])


@dataclass(frozen=True, slots=True)
class Layout:
    """How genomes were compared; a table's columns, and whether its names are to be no formulas of spreadsheets;
    members of JSON before the list.
    """

    comparison: Comparison = field(default_factory=Comparison)
    columns: tuple[str, ...] = ()
    head: Mapping[str, object] = field(default_factory=dict)
    for_spreadsheets: bool = False


def names_of(genome: Genome) -> list[bytes]:
    """Of each record a name without blanks, since formats put blanks between fields."""
    return ["_".join(one_line(name).split()).encode() or b"-" for name in genome.names]


@dataclass(frozen=True, slots=True, eq=False)
class InRecords:
    """Of each alignment its record in one of the genomes, where it begins and ends in it, and the record's letters.

    Places count from 0, half-open, on the forward strand.
    """

    records: Numbers
    begins: Numbers
    ends: Numbers
    sizes: Numbers

    @classmethod
    def of(cls, genome: Genome, begins: Numbers, ends: Numbers) -> "InRecords":
        """From places in the whole genome."""
        records = genome.records(begins)
        before = genome.offsets[records]
        return cls(records, begins - before, ends - before, genome.lengths[records])

    @property
    def turned(self) -> tuple[Numbers, Numbers]:
        """Where they begin and end on the record's reverse strand."""
        return self.sizes - self.ends, self.sizes - self.begins


def sides(listed: Listed, some: Alignments) -> tuple[InRecords, InRecords]:
    """The query's and the subject's."""
    query = InRecords.of(listed.query, some.column("query"), some.column("query_end"))
    return query, InRecords.of(listed.subject, some.column("subject"), some.column("subject_end"))
