"""Alignments of stretches of two genomes, with gaps or without, in one array of rows and one of runs."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from mmap import mmap
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError
from shardwater.genomes.hsps import Hsps, Numbers
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS, run_words

ROW = np.dtype(
    [
        ("query", "<i4"),
        ("query_end", "<i4"),
        ("subject", "<i4"),
        ("subject_end", "<i4"),
        ("score", "<i8"),
        ("matches", "<i4"),
        ("columns", "<i4"),
        ("reverse", "?"),
        ("runs", "<i4"),
    ]
)
"""Where it begins and ends in both genomes (joined, from 0, half-open, forward), its score, the columns of two equal
letters, all columns, whether the query's reverse complement is aligned, and how many runs it has."""
MATCHING = RUN_KINDS.index("M")
_HEADER = struct.Struct("<8sQQ")
_MAGIC = b"SWGENOM1"


class UnreadableAlignments(AlignError):
    """Bytes that Alignments.pack did not write."""


@dataclass(frozen=True, slots=True, eq=False)
class Alignments:
    """Rows of ROW, and the runs of the first row, then of the second, and so on: words as pairs/columns.py has them.

    Runs go along the subject, forward. In a reverse row the reverse complement of query[query:query_end] is aligned to
    subject[subject:subject_end], so its first letter is query_end - 1.
    """

    rows: npt.NDArray[np.void]
    runs: npt.NDArray[np.int32]

    @classmethod
    def of_hsps(cls, hsps: Hsps) -> Self:
        """HSPs as alignments of one run each, in the same order; raises OverflowError as run_words does."""
        rows = np.zeros(len(hsps), ROW)
        rows["query"], rows["query_end"] = hsps.query, hsps.query + hsps.length
        rows["subject"], rows["subject_end"] = hsps.subject, hsps.subject + hsps.length
        rows["score"], rows["matches"], rows["columns"] = hsps.score, hsps.matches, hsps.length
        rows["reverse"], rows["runs"] = hsps.reverse, 1
        return cls(rows, run_words(MATCHING, hsps.length))

    @classmethod
    def joined(cls, several: Sequence["Alignments"]) -> "Alignments":
        """All rows of several."""
        rows = np.concatenate([np.zeros(0, ROW), *(each.rows for each in several)])
        return cls(rows, np.concatenate([np.zeros(0, np.int32), *(each.runs for each in several)]))

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> Numbers:
        """A column of ROW in 64 bits."""
        column: Numbers = self.rows[name].astype(np.int64)
        return column

    @property
    def reverse(self) -> npt.NDArray[np.bool_]:
        """Which rows are of the reverse strand."""
        reverse: npt.NDArray[np.bool_] = self.rows["reverse"]
        return reverse

    @property
    def paired(self) -> npt.NDArray[np.bool_]:
        """Which runs are of pairs of letters, and not of a gap."""
        paired: npt.NDArray[np.bool_] = self.runs & (1 << KIND_BITS) - 1 == MATCHING
        return paired

    @property
    def identity(self) -> npt.NDArray[np.float64]:
        """Equal letters in per cent of all columns."""
        return 100.0 * self.column("matches") / self.column("columns")

    @property
    def firsts(self) -> Numbers:
        """Where the runs of each row begin; one number more: where those of the last row end."""
        return np.append(0, np.cumsum(self.column("runs")))

    def select(self, chosen: npt.NDArray[np.int64]) -> "Alignments":
        """Some rows by their numbers, in this order, with their runs."""
        firsts, counts = self.firsts[:-1][chosen], self.column("runs")[chosen]
        before = np.cumsum(counts) - counts
        places = np.repeat(firsts - before, counts) + np.arange(counts.sum())
        return Alignments(self.rows.take(chosen), self.runs.take(places))

    def pack(self) -> bytes:
        """As bytes: a header, rows, runs; little-endian."""
        header = _HEADER.pack(_MAGIC, len(self.rows), len(self.runs))
        return header + self.rows.tobytes() + self.runs.astype("<i4").tobytes()

    @classmethod
    def read(cls, packed: bytes | mmap) -> Self:
        """What `pack` wrote; raises UnreadableAlignments."""
        if len(packed) < _HEADER.size:
            raise UnreadableAlignments("it is too short")
        magic, rows, runs = _HEADER.unpack_from(packed)
        if magic != _MAGIC or len(packed) != _HEADER.size + rows * ROW.itemsize + 4 * runs:
            raise UnreadableAlignments("it has another format, or its size is not what it says")
        found = cls(
            np.frombuffer(packed, ROW, rows, _HEADER.size),
            np.frombuffer(packed, "<i4", runs, _HEADER.size + rows * ROW.itemsize),
        )
        counts = found.column("runs")
        if (counts < 1).any() or counts.sum() != runs:
            raise UnreadableAlignments("its runs are not those of its rows")
        return found
