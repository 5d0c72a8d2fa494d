"""A local alignment and its text: CIGAR, the three rows, and what is counted in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from shardwater.sequences.alphabet import encode

GAP = ord("-")
KINDS = "=XID"
SHORT = 256
_RUN_TEXTS = [f"{length}{kind}" for kind in KINDS for length in range(SHORT)]
"""What most runs of a CIGAR are: made once, since a result has thousands of them."""


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

    A `-` is a gap: a database's own `-`, a residue that scores as X, is written as X.
    cigar uses =, X, I and D. A column is identical when its two letters are the same, case aside, and
    positive when it is identical or scores above 0; midline shows the letter, `+` or a space. paired is what its pairs
    of letters score together, gaps left out.
    """

    query: str
    midline: str
    subject: str
    cigar: str
    identity: int
    positive: int
    gaps: int
    paired: int


def aligned_rows(
    alignments: Sequence[Alignment], queries: Sequence[bytes], subjects: Sequence[bytes], scores: npt.NDArray[np.int32]
) -> list[AlignedRows]:
    """Write out alignments of these queries and subjects (ASCII letters), each with each, under 24 x 24 scores.

    All at once: what numpy costs for a call is more than what it costs for the columns of an alignment.
    """
    if not alignments:
        return []
    texts = [_rows(*each) for each in zip(alignments, queries, subjects, strict=True)]
    query_row, subject_row = (b"".join(rows) for rows in zip(*texts, strict=True))
    ends = np.cumsum([len(query) for query, _ in texts])
    starts = np.concatenate(([0], ends[:-1]))
    upper_query, upper_subject = _letters(query_row.upper()), _letters(subject_row.upper())
    gap = (upper_query == GAP) | (upper_subject == GAP)
    identical = (upper_query == upper_subject) & ~gap
    pairs = np.where(gap, 0, scores[encode(query_row), encode(subject_row)])
    similar = pairs > 0
    midline = np.where(identical, upper_query, np.where(similar, _byte("+"), _byte(" ")))
    kinds = np.where(identical, _kind("="), _kind("X"))
    kinds[upper_subject == GAP] = _kind("I")
    kinds[upper_query == GAP] = _kind("D")
    midlines = midline.tobytes().decode("ascii")
    counted = (identical, identical | similar, gap, pairs)
    counts = (np.add.reduceat(columns, starts, dtype=np.int64).tolist() for columns in counted)
    places = zip(texts, starts.tolist(), ends.tolist(), _run_lengths(kinds, starts), *counts, strict=True)
    return [
        AlignedRows(
            query=query.decode("ascii"),
            midline=midlines[start:end],
            subject=subject.decode("ascii"),
            cigar=cigar,
            identity=identity,
            positive=positive,
            gaps=gaps,
            paired=paired,
        )
        for (query, subject), start, end, cigar, identity, positive, gaps, paired in places
    ]


def _byte(letter: str) -> np.uint8:
    return np.uint8(ord(letter))


def _kind(letter: str) -> np.uint8:
    return np.uint8(KINDS.index(letter))


def _letters(row: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(row, dtype=np.uint8)


def _rows(alignment: Alignment, query: bytes, subject: bytes) -> tuple[bytes, bytes]:
    query_parts, subject_parts = [], []
    # Once for all runs: most subjects have none.
    subject = subject[alignment.subject_start : alignment.subject_end].replace(b"-", b"X")
    i, j = alignment.query_start, 0
    for run in alignment.runs:
        query_parts.append(b"-" * run.length if run.kind == "D" else query[i : i + run.length])
        subject_parts.append(b"-" * run.length if run.kind == "I" else subject[j : j + run.length])
        i += 0 if run.kind == "D" else run.length
        j += 0 if run.kind == "I" else run.length
    return b"".join(query_parts), b"".join(subject_parts)


def _run_lengths(kinds: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> list[str]:
    """The CIGAR of each alignment, whose columns begin at these places."""
    begins = np.concatenate(([True], kinds[1:] != kinds[:-1]))
    begins[starts] = True
    runs = np.flatnonzero(begins)
    lengths = np.diff(runs, append=len(kinds))
    texts = SHORT * kinds[runs].astype(np.int64) + np.minimum(lengths, SHORT - 1)
    parts = [_RUN_TEXTS[text] for text in texts.tolist()]
    for long in np.flatnonzero(lengths >= SHORT).tolist():
        parts[long] = f"{lengths[long]}{KINDS[kinds[runs[long]]]}"
    firsts = [*np.searchsorted(runs, starts).tolist(), len(parts)]
    return ["".join(parts[first:stop]) for first, stop in pairwise(firsts)]


def merge_runs(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Runs with neighbours of one kind joined."""
    merged: list[Run] = []
    for run in runs:
        if merged and merged[-1].kind == run.kind:
            merged[-1] = Run(run.kind, merged[-1].length + run.length)
        else:
            merged.append(run)
    return tuple(merged)
