"""Aligned pairs as users see them: 1-based inclusive coordinates, CIGAR, counts, and the three rows."""

from dataclasses import dataclass
from typing import Literal

Strand = Literal["+", "-"]


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A pair and what was found: null is what was not asked for, or a local alignment that there is not.

    Coordinates count from 1 and are both in the alignment; of one without letters of a sequence `from` is `to` + 1.
    On strand `-` the reverse complement of the query was aligned: query_from and query_to count along the query as it
    was given, the alignment's first letter of it is query_to, and cigar goes along the subject.
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


@dataclass(frozen=True, slots=True)
class Rows:
    """The text of an alignment, a character a column: `-` is a gap; the midline has `|` (the same), `+` or a space."""

    query: str
    midline: str
    subject: str
