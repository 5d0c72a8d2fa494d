"""Coverage: how much of each genome lies under alignments."""

from dataclasses import dataclass

import numpy as np

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Numbers

MOST_RECORDS = 1000
"""Records that are told one by one, the longest; of equally long ones the first."""
GECKO_IDENTITY = 80.0
"""Per cent that an HSP has at least to count in GECKO's coverage."""


@dataclass(frozen=True, slots=True)
class RecordCoverage:
    """Of a record: its letters, and those of them that lie under alignments."""

    name: str
    letters: int
    covered: int


@dataclass(frozen=True, slots=True)
class SideCoverage:
    """Of a genome: the letters under alignments, each once, in per cent of all; and of its longest records."""

    covered: int
    percent: float
    records: tuple[RecordCoverage, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Both ways, and GECKO's: equal letters of alignments of 80 % identity or more, in per cent of the query's letters.

    GECKO's counts a letter as often as it is aligned, so that repeats may make it more than 100.
    """

    query: SideCoverage
    subject: SideCoverage
    gecko: float


def coverage_of(query: Genome, subject: Genome, alignments: Alignments) -> Coverage:
    """The coverage of two genomes by these alignments."""
    column = alignments.column
    equal = int(column("matches")[alignments.identity >= GECKO_IDENTITY].sum())
    return Coverage(
        _side(query, column("query"), column("query_end")),
        _side(subject, column("subject"), column("subject_end")),
        _percent(equal, len(query)),
    )


def covered(genome: Genome, begins: Numbers, ends: Numbers) -> Numbers:
    """How many letters of each record lie in these ranges, each in one record, by the union of ranges."""
    order = np.argsort(begins)
    begins, ends = begins[order], ends[order]
    reached = np.append(0, np.maximum.accumulate(ends))[:-1]
    letters = np.maximum(0, ends - np.maximum(begins, reached))
    return np.bincount(genome.records(begins), letters, len(genome.names)).astype(np.int64)


def _side(genome: Genome, begins: Numbers, ends: Numbers) -> SideCoverage:
    letters = covered(genome, begins, ends)
    longest = np.argsort(-genome.lengths, kind="stable")[:MOST_RECORDS].tolist()
    records = tuple(
        RecordCoverage(genome.names[record], int(genome.lengths[record]), int(letters[record])) for record in longest
    )
    return SideCoverage(int(letters.sum()), _percent(int(letters.sum()), len(genome)), records)


def _percent(part: int, whole: int) -> float:
    return round(100.0 * part / whole, 4) if whole else 0.0
