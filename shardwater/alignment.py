"""A local alignment and its text: CIGAR, the three rows, and what is counted in them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.alphabet import encode

GAP = ord("-")


@dataclass(frozen=True, slots=True)
class Run:
    """`length` columns of one kind: M (a pair of residues), I (query only) or D (subject only)."""

    kind: str
    length: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where two sequences align best: 0-based half-open coordinates and the runs between them."""

    score: int
    query_start: int
    query_end: int
    subject_start: int
    subject_end: int
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class AlignedRows:
    """The text of an alignment, one character a column, and the counts that BLAST reports.

    cigar uses =, X, I and D. A column is identical when its two letters are the same, case aside, and
    positive when it is identical or scores above 0; midline shows the letter, `+` or a space.
    """

    query: str
    midline: str
    subject: str
    cigar: str
    identity: int
    positive: int
    gaps: int


def aligned_rows(alignment: Alignment, query: bytes, subject: bytes, scores: npt.NDArray[np.int32]) -> AlignedRows:
    """Write out an alignment of these two sequences (ASCII letters) under these 24 x 24 scores."""
    query_row, subject_row = _rows(alignment, query, subject)
    upper_query, upper_subject = _letters(query_row.upper()), _letters(subject_row.upper())
    gap = (upper_query == GAP) | (upper_subject == GAP)
    identical = (upper_query == upper_subject) & ~gap
    similar = (scores[encode(query_row), encode(subject_row)] > 0) & ~gap
    midline = np.where(identical, upper_query, np.where(similar, ord("+"), ord(" "))).astype(np.uint8)
    kinds = np.where(identical, ord("="), ord("X"))
    kinds[upper_subject == GAP] = ord("I")
    kinds[upper_query == GAP] = ord("D")
    return AlignedRows(
        query=query_row.decode("ascii"),
        midline=midline.tobytes().decode("ascii"),
        subject=subject_row.decode("ascii"),
        cigar=_run_lengths(kinds),
        identity=int(identical.sum()),
        positive=int((identical | similar).sum()),
        gaps=int(gap.sum()),
    )


def _letters(row: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(row, dtype=np.uint8)


def _rows(alignment: Alignment, query: bytes, subject: bytes) -> tuple[bytes, bytes]:
    query_parts, subject_parts = [], []
    i, j = alignment.query_start, alignment.subject_start
    for run in alignment.runs:
        query_parts.append(b"-" * run.length if run.kind == "D" else query[i : i + run.length])
        subject_parts.append(b"-" * run.length if run.kind == "I" else subject[j : j + run.length])
        i += 0 if run.kind == "D" else run.length
        j += 0 if run.kind == "I" else run.length
    return b"".join(query_parts), b"".join(subject_parts)


def _run_lengths(kinds: npt.NDArray[np.int64]) -> str:
    borders = np.flatnonzero(np.diff(kinds)) + 1
    starts = [0, *borders.tolist()]
    ends = [*borders.tolist(), len(kinds)]
    return "".join(f"{end - start}{chr(kinds[start])}" for start, end in zip(starts, ends, strict=True))


def merge_runs(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Runs with neighbours of one kind joined."""
    merged: list[Run] = []
    for run in runs:
        if merged and merged[-1].kind == run.kind:
            merged[-1] = Run(run.kind, merged[-1].length + run.length)
        else:
            merged.append(run)
    return tuple(merged)
