"""Aligned pairs as users see them: 1-based inclusive coordinates, CIGAR, counts, and the three rows."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.columns import Columns
from shardwater.pairs.engine import Report
from shardwater.pairs.replay import Replay, UnsoundAlignment
from shardwater.sequences.named import Letters, reverse_complement

Strand = Literal["+", "-"]
_SPACE, _PLUS = ord(" "), ord("+")


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


def aligned_pair(
    query: Letters, subject: Letters, found: Alignment | None, scheme: Scheme, report: Report, strand: Strand = "+"
) -> AlignedPair:
    """What is told of a pair; `found` is that of the query's strand.

    Raises EngineError where the letters and gaps of an alignment are not worth its score: only its path is believed.
    """
    if found is None:
        return AlignedPair(query.name, subject.name, scheme.shown(0), strand=strand)
    score = scheme.shown(found.score)
    if report == "score":
        return AlignedPair(query.name, subject.name, score, strand=strand)
    first, last, whole = found.query_start + 1, found.query_end, len(query.letters)
    if strand == "-":
        first, last = whole - last + 1, whole - first + 1
    ends = (first, last, found.subject_start + 1, found.subject_end)
    if report == "ends":
        return AlignedPair(query.name, subject.name, score, *ends, strand)
    columns = _replayed(query, subject, found, scheme, strand)
    [cigar], [length] = columns.cigars, columns.lengths
    [identity], [positive], [gaps] = map(columns.sums, (columns.identical, columns.positive, columns.gap))
    return AlignedPair(query.name, subject.name, score, *ends, strand, cigar, identity, positive, gaps, length)


def rows(query: Letters, subject: Letters, found: Alignment, scheme: Scheme, strand: Strand = "+") -> Rows:
    """The three rows of an alignment: midline shows `|` under the same letters, `+` under others that score above 0."""
    columns = _replayed(query, subject, found, scheme, strand)
    midline = np.where(columns.identical, ord("|"), np.where(columns.positive, _PLUS, _SPACE)).astype(np.uint8)
    return Rows(*(row.tobytes().decode("ascii") for row in (columns.query, midline, columns.subject)))


def _replayed(query: Letters, subject: Letters, found: Alignment, scheme: Scheme, strand: Strand) -> Replay:
    letters = reverse_complement(query.letters) if strand == "-" else query.letters
    sides = [Joined.of([np.frombuffer(text, np.uint8)]) for text in (letters, subject.letters)]
    # Any cells: they are not told.
    columns = Columns.of([(0, found)], np.ones((2, 1), np.int64), scheme.mode.local)
    try:
        return Replay.of(PairBatch(*sides), columns, scheme)
    except UnsoundAlignment as error:
        raise error.of_pair(query.name, subject.name) from None
