"""An alignment and its text: CIGAR, the three rows, and what is counted in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from shardwater.scoring.pssm import Pssm, stacked
from shardwater.scoring.scoring import Scores
from shardwater.sequences.alphabet import encode

Letters = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]

GAP = ord("-")
KINDS = "=XID"
SHORT = 256
_RUN_TEXTS = np.array([[f"{length}{kind}" for length in range(SHORT)] for kind in KINDS], "S5")
"""What most runs of a CIGAR are, by kind and length: made once, since a result has thousands of them."""


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

    @classmethod
    def scored(cls, score: int) -> "Alignment":
        """One of which nothing but its score is known, or wanted."""
        return cls(score, 0, 0, 0, 0, ())

    def shifted(self, query: int, subject: int) -> "Alignment":
        """The same where so many letters come before each sequence."""
        places = (
            self.query_start + query,
            self.query_end + query,
            self.subject_start + subject,
            self.subject_end + subject,
        )
        return Alignment(self.score, *places, self.runs)


class AlignedRows(NamedTuple):
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


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """Alignments that all have runs, and these runs of all in one row: their kinds as ASCII, and their lengths.

    All at once: what numpy costs for a call is more than what it costs for the columns of an alignment.
    """

    alignments: Sequence[Alignment]
    kinds: Letters
    lengths: Numbers
    firsts: Numbers

    @classmethod
    def of(cls, alignments: Sequence[Alignment]) -> Self:
        """The paths of these alignments, which are one at least."""
        runs = [run for alignment in alignments for run in alignment.runs]
        kinds = _letters("".join([run.kind for run in runs]).encode("ascii"))
        counts = np.array([len(alignment.runs) for alignment in alignments])
        return cls(alignments, kinds, np.array([run.length for run in runs]), np.cumsum(counts) - counts)

    @property
    def along_query(self) -> Numbers:
        """How many residues of its query each one spans."""
        return self._sums(self.lengths * (self.kinds != ord("D")))

    @property
    def along_subject(self) -> Numbers:
        """How many residues of its subject each one spans."""
        return self._sums(self.lengths * (self.kinds != ord("I")))

    @property
    def gaps(self) -> Numbers:
        """How many gaps each one has, be they long or short."""
        return self._sums(self.kinds != ord("M"))

    def _sums(self, values: npt.NDArray[Any]) -> Numbers:
        sums: Numbers = np.add.reduceat(values, self.firsts, dtype=np.int64)
        return sums


def aligned_rows(
    paths: Paths,
    queries: Sequence[bytes],
    subjects: Sequence[bytes],
    scores: Scores,
    pssms: Sequence[Pssm | None] = (),
) -> list[AlignedRows]:
    """Write out alignments of these queries and subjects (ASCII letters), each with each, under 24 x 24 scores.

    pssms: of each query what it scores by in place of these, or None; nothing where none has one.
    """
    kinds = np.repeat(paths.kinds, paths.lengths)
    query_row, subject_row = _rows(paths, kinds, queries, subjects)
    upper_query, upper_subject = _letters(query_row.upper()), _letters(subject_row.upper())
    # A gap has no letter in the other row: it is like none.
    identical, gap = upper_query == upper_subject, kinds != ord("M")
    # One index, and a short one: half the time of two.
    places: npt.NDArray[Any] = encode(query_row).astype(np.int16)
    if any(pssm is not None for pssm in pssms):
        scores, places = _by_place(paths, kinds, places, scores, pssms)
    pairs = np.where(gap, 0, scores.take(scores.shape[1] * places + encode(subject_row)))
    positive = identical | (pairs > 0)
    midline = np.where(identical, upper_query, np.where(positive, _byte("+"), _byte(" "))).tobytes()
    kinds = np.where(identical, _kind("="), _KIND_CODES[kinds])
    lengths = np.add.reduceat(paths.lengths, paths.firsts)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    stretches = [slice(*each) for each in zip(starts.tolist(), ends.tolist(), strict=True)]
    return list(
        map(
            AlignedRows,
            *(map(row.decode("ascii").__getitem__, stretches) for row in (query_row, midline, subject_row)),
            cigars(kinds, starts),
            *(np.add.reduceat(each, starts, dtype=np.int64).tolist() for each in (identical, positive, gap, pairs)),
        )
    )


def _byte(letter: str) -> np.uint8:
    return np.uint8(ord(letter))


def _kind(letter: str) -> np.uint8:
    return np.uint8(KINDS.index(letter))


_KIND_CODES = np.full(256, _kind("X"))
_KIND_CODES[[ord("I"), ord("D")]] = _kind("I"), _kind("D")
"""The kind of a column that is not identical, by its run's."""


def _letters(row: bytes) -> Letters:
    return np.frombuffer(row, dtype=np.uint8)


def _rows(paths: Paths, kinds: Letters, queries: Sequence[bytes], subjects: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The two rows of all alignments, whose columns are of these kinds."""
    ends = [(each.query_start, each.query_end, each.subject_start, each.subject_end) for each in paths.alignments]
    query_row, subject_row = np.full(len(kinds), GAP, np.uint8), np.full(len(kinds), GAP, np.uint8)
    letters = [query[start:end] for query, (start, end, _, _) in zip(queries, ends, strict=True)]
    query_row[kinds != ord("D")] = _letters(b"".join(letters))
    letters = [subject[start:end] for subject, (_, _, start, end) in zip(subjects, ends, strict=True)]
    subject_row[kinds != ord("I")] = _letters(b"".join(letters).replace(b"-", b"X"))
    return query_row.tobytes(), subject_row.tobytes()


def _by_place(
    paths: Paths, kinds: Letters, codes: npt.NDArray[Any], scores: Scores, pssms: Sequence[Pssm | None]
) -> tuple[Scores, Numbers]:
    """The scores of letters and, below them, of PSSMs; and which row of these each column's query has."""
    table, firsts = stacked(scores, pssms)
    places, of_query = codes.astype(np.int64), np.flatnonzero(kinds != ord("D"))
    ends = np.cumsum(paths.along_query).tolist()
    for first, alignment, end in zip(firsts, paths.alignments, ends, strict=True):
        if first is not None:
            rows = first + np.arange(alignment.query_start, alignment.query_end)
            places[of_query[end - len(rows) : end]] = rows
    return table, places


def cigars(kinds: Letters, starts: Numbers) -> list[str]:
    """The CIGAR of each alignment: of the kinds of their columns, by number in KINDS, and where each begins.

    All have columns.
    """
    begins = np.concatenate(([True], kinds[1:] != kinds[:-1]))
    begins[starts] = True
    runs = np.flatnonzero(begins)
    lengths = np.diff(runs, append=len(kinds))
    texts = _RUN_TEXTS[kinds[runs], np.minimum(lengths, SHORT - 1)]
    long = np.flatnonzero(lengths >= SHORT)
    if len(long):
        texts = texts.astype("S24")
        texts[long] = [f"{length}{KINDS[kind]}" for length, kind in zip(lengths[long], kinds[runs[long]], strict=True)]
    # Cut at line feeds: each text leaves a byte for one.
    letters = texts.view(np.uint8).reshape(len(runs), -1)
    letters[np.searchsorted(runs, starts[1:]) - 1, -1] = ord("\n")
    return letters.tobytes().translate(None, b"\0").decode("ascii").split("\n")


def merge_runs(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Runs with neighbours of one kind joined."""
    merged: list[Run] = []
    for run in runs:
        if merged and merged[-1].kind == run.kind:
            merged[-1] = Run(run.kind, merged[-1].length + run.length)
        else:
            merged.append(run)
    return tuple(merged)
