"""Aligned pairs as users see them: 1-based inclusive coordinates, CIGAR, counts, and the three rows."""

from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError
from shardwater.pairs.engine import Report
from shardwater.sequences.alphabets import PROTEIN
from shardwater.sequences.named import Letters, reverse_complement

Strand = Literal["+", "-"]
_GAP, _SPACE, _PLUS = ord("-"), ord(" "), ord("+")


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
    """The text of an alignment, a character a column; `-` is a gap, midline has `|`, `+` or a space as aligned_rows."""

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
        return AlignedPair(query.name, subject.name, 0, strand=strand)
    score = scheme.shown(found.score)
    if report == "score":
        return AlignedPair(query.name, subject.name, score, strand=strand)
    first, last, whole = found.query_start + 1, found.query_end, len(query.letters)
    if strand == "-":
        first, last = whole - last + 1, whole - first + 1
    ends = (first, last, found.subject_start + 1, found.subject_end)
    if report == "ends":
        return AlignedPair(query.name, subject.name, score, *ends, strand)
    columns = _Columns.of(query, subject, found, scheme, strand)
    worth = columns.paired - sum(scheme.gap(run.length) for run in found.runs if run.kind != "M")
    if worth != found.score:
        told = f"{query.name} and {subject.name} scored {found.score}, but {worth} in their alignment"
        raise EngineError(told)
    counts = (columns.identical.sum(), columns.positive.sum(), columns.gap.sum(), len(columns.gap))
    return AlignedPair(query.name, subject.name, score, *ends, strand, columns.cigar, *map(int, counts))


def rows(query: Letters, subject: Letters, found: Alignment, scheme: Scheme, strand: Strand = "+") -> Rows:
    """The three rows of an alignment: midline shows `|` under the same letters, `+` under others that score above 0."""
    columns = _Columns.of(query, subject, found, scheme, strand)
    midline = np.where(columns.identical, ord("|"), np.where(columns.positive, _PLUS, _SPACE)).astype(np.uint8)
    return Rows(*(row.tobytes().decode("ascii") for row in (columns.query, midline, columns.subject)))


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """An alignment by columns: the letters of both, what each column is, and what the pairs of letters score."""

    query: npt.NDArray[np.uint8]
    subject: npt.NDArray[np.uint8]
    identical: npt.NDArray[np.bool_]
    positive: npt.NDArray[np.bool_]
    gap: npt.NDArray[np.bool_]
    paired: int

    @classmethod
    def of(cls, query: Letters, subject: Letters, found: Alignment, scheme: Scheme, strand: Strand) -> "_Columns":
        letters = reverse_complement(query.letters) if strand == "-" else query.letters
        kinds = np.repeat(
            np.frombuffer("".join(run.kind for run in found.runs).encode(), np.uint8),
            np.array([run.length for run in found.runs], np.int64),
        )
        rows = []
        for kind, text in (
            ("D", letters[found.query_start : found.query_end]),
            ("I", subject.letters[found.subject_start : found.subject_end]),
        ):
            row = np.full(len(kinds), _GAP, np.uint8)
            row[kinds != ord(kind)] = np.frombuffer(text, np.uint8)
            rows.append(row)
        gap = kinds != ord("M")
        same = [np.frombuffer(_alike(row.tobytes(), scheme), np.uint8) for row in rows]
        identical = (same[0] == same[1]) & ~gap
        codes = [np.frombuffer(row.tobytes().translate(scheme.table.alphabet.codes), np.uint8) for row in rows]
        scores = np.where(gap, 0, scheme.table.scores[np.where(gap, 0, codes[0]), np.where(gap, 0, codes[1])])
        return cls(rows[0], rows[1], identical, identical | (scores > 0), gap, int(scores.sum(dtype=np.int64)))

    @property
    def cigar(self) -> str:
        """With = and X, I where the query alone has letters, D where the subject has."""
        paired = np.where(self.identical, ord("="), ord("X"))
        kinds = np.where(self.subject == _GAP, ord("I"), np.where(self.query == _GAP, ord("D"), paired))
        runs = groupby(kinds.astype(np.uint8).tobytes().decode("ascii"))
        return "".join(f"{sum(1 for _ in run)}{kind}" for kind, run in runs)


def _alike(row: bytes, scheme: Scheme) -> bytes:
    """A row where letters that are the same look the same: of proteins those that score as X are not."""
    alphabet = scheme.table.alphabet
    return row.upper() if alphabet is PROTEIN else row.translate(alphabet.codes)
