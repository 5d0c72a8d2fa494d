"""Pairs of letters that earlier alignments of two sequences have, and that later ones may not have.

Several alignments of two sequences are found one after the other: the best, then the best of those that share no pair
of letters with it, and so on (Waterman and Eggert 1987, J. Mol. Biol. 197:723). Only pairs are taken: a gap may cross
an earlier alignment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment

Numbers = npt.NDArray[np.int64]


def paired(alignment: Alignment) -> tuple[Numbers, Numbers]:
    """The pairs of letters of an alignment, first to last: their places in query and subject, from 0."""
    kinds = np.repeat([run.kind for run in alignment.runs], [run.length for run in alignment.runs])
    of_query, of_subject = (np.cumsum(kinds != other)[kinds == "M"] - 1 for other in "DI")
    return alignment.query_start + of_query, alignment.subject_start + of_subject


def share_pairs(one: Alignment, other: Alignment) -> bool:
    """Whether two alignments of the same sequences have a pair of letters in common."""
    first, second = max(one.query_start, other.query_start), max(one.subject_start, other.subject_start)
    if first >= min(one.query_end, other.query_end) or second >= min(one.subject_end, other.subject_end):
        return False
    (rows, columns), (other_rows, other_columns) = paired(one), paired(other)
    _, places, other_places = np.intersect1d(rows, other_rows, assume_unique=True, return_indices=True)
    return bool((columns[places] == other_columns[other_places]).any())


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """The pairs that are taken of a query with a batch of subjects, those of its first letter first.

    columns, subjects: of each pair, the letter of the subject from 0, and the subject by its number in the batch.
    firsts: where the pairs of each letter of the query begin, and where the last ones end. width: letters of the
    longest subject.
    """

    columns: Numbers
    subjects: Numbers
    firsts: Numbers
    width: int

    @classmethod
    def of(cls, batch: Sequence[Sequence[Alignment]], letters: int, width: int) -> Self:
        """Those of earlier alignments of each subject with a query of so many letters."""
        pairs = [(*paired(each), subject) for subject, earlier in enumerate(batch) for each in earlier]
        nothing = np.zeros(0, np.int64)
        rows = np.concatenate([nothing, *(of_query for of_query, _, _ in pairs)])
        columns = np.concatenate([nothing, *(of_subject for _, of_subject, _ in pairs)])
        subjects = np.concatenate([nothing, *(np.full(len(of_query), subject) for of_query, _, subject in pairs)])
        order = np.argsort(rows, kind="stable")
        return cls(columns[order], subjects[order], np.searchsorted(rows[order], np.arange(letters + 1)), width)

    def select(self, chosen: Sequence[int]) -> "Taken":
        """Those of some subjects, numbered anew."""
        numbers = np.full(max([*chosen, *self.subjects.tolist()]) + 1, -1)
        numbers[list(chosen)] = np.arange(len(chosen))
        subjects = numbers[self.subjects]
        kept = subjects >= 0
        firsts = np.concatenate(([0], np.cumsum(kept)))[self.firsts]
        return Taken(self.columns[kept], subjects[kept], firsts, self.width)

    def of_row(self, row: int) -> tuple[Numbers, Numbers]:
        """The columns and the subjects of the pairs of one letter of the query."""
        own = slice(int(self.firsts[row]), int(self.firsts[row + 1]))
        return self.columns[own], self.subjects[own]

    def of_subject(self, subject: int) -> "TakenPairs":
        """Those of one subject."""
        rows = np.repeat(np.arange(len(self.firsts) - 1), np.diff(self.firsts))
        own = self.subjects == subject
        return TakenPairs(np.sort(rows[own] * self.width + self.columns[own]), self.width)


@dataclass(frozen=True, slots=True, eq=False)
class TakenPairs:
    """The pairs that are taken of two sequences, as numbers: row * width + column, ascending."""

    numbers: Numbers
    width: int

    def among(self, rows: Numbers, columns: Numbers) -> npt.NDArray[np.bool_]:
        """Which of some pairs are taken."""
        if len(self.numbers) == 0:
            return np.zeros(len(rows), np.bool_)
        wanted = rows * self.width + columns
        places = np.minimum(np.searchsorted(self.numbers, wanted), len(self.numbers) - 1)
        found: npt.NDArray[np.bool_] = self.numbers[places] == wanted
        return found
