"""Aligned pairs as users see them: 1-based inclusive coordinates, CIGAR, counts, and the three rows."""

from dataclasses import dataclass
from typing import Literal

Strand = Literal["+", "-"]


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A pair and an alignment of it; None stands for what was not asked for, or where no local alignment exists.

    Coordinates count from 1 and are inclusive; where no letter of a sequence is aligned, `from` is `to` + 1. On strand
    `-` the reverse complement of the query was aligned. query_from and query_to still count along the query as it was
    given, so the alignment begins at query_to; cigar goes along the subject. rank: 1 is the best alignment of the pair;
    where several were asked for, the next ones follow it.
    """

    query: str
    subject: str
    score: int | float
    query_from: int | None = None
    query_to: int | None = None
    subject_from: int | None = None
    subject_to: int | None = None
    strand: Strand = "+"
    cigar: str | None = None
    identity: int | None = None
    positive: int | None = None
    gaps: int | None = None
    align_len: int | None = None
    rank: int = 1


@dataclass(frozen=True, slots=True)
class Rows:
    """The text of an alignment, one character a column: `-` is a gap; ToldPairs.rows says what the midline shows."""

    query: str
    midline: str
    subject: str
