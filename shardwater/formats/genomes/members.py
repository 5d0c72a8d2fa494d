"""What JSON and tables tell of an alignment: its members by name, as cells."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shardwater.formats.genomes.layout import Listed, sides
from shardwater.formats.genomes.replayed import AT_ONCE, cigars
from shardwater.formats.genomes.text_cells import Cell, Choices, Hundredths
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.hsps import Numbers

MEMBERS = (
    *("query", "subject", "query_from", "query_to", "subject_from", "subject_to", "strand"),
    *("score", "length", "matches", "identity", "cigar"),
)
STRANDS = Choices.of([b"+", b"-"])


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """The cells of a block of alignments; queries and subjects: names of all records as they are written.

    Places count from 1, the last one included, on the forward strand of their record. length: columns.
    """

    listed: Listed
    queries: Choices
    subjects: Choices

    def blocks(self, names: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Cell]]]:
        """Of each block the number of its rows, and its cells; a CIGAR if it is named and gaps were asked for."""
        has_cigars = "cigar" in names and self.listed.gapped
        # A CIGAR takes memory for each column, however few rows there are.
        for some in self.listed.blocks(AT_ONCE if has_cigars else None):
            known = self._cells(some)
            if has_cigars:
                known["cigar"] = cigars(self.listed, some)
            yield len(some), known

    def _cells(self, some: Alignments) -> dict[str, Cell]:
        query, subject = sides(self.listed, some)
        return {
            "query": self.queries.choose(query.records),
            "subject": self.subjects.choose(subject.records),
            "query_from": query.begins + 1,
            "query_to": query.ends,
            "subject_from": subject.begins + 1,
            "subject_to": subject.ends,
            "strand": strand(some),
            "score": some.column("score"),
            "length": some.column("columns"),
            "matches": some.column("matches"),
            "identity": Hundredths(hundredths(100 * some.column("matches"), some.column("columns"))),
        }


def strand(some: Alignments) -> Cell:
    """+ or -."""
    return STRANDS.choose(some.reverse.astype(np.int64))


def hundredths(parts: Numbers, wholes: Numbers) -> Numbers:
    """Hundredths of parts / wholes, rounded, halves up; wholes are above 0."""
    rounded: Numbers = (200 * parts + wholes) // (2 * wholes)
    return rounded
