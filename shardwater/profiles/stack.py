"""Many sequences aligned to one query, position by position of it: what a profile is made of.

Letters that a sequence has between two positions of the query have no place here, as in PSI-BLAST (Altschul, Madden,
Schaffer, Zhang, Zhang, Miller and Lipman 1997, Nucleic Acids Research 25:3389).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Run
from shardwater.sequences.alphabet import LETTERS, Codes
from shardwater.statistics.background import RESIDUES

GAP = len(LETTERS)
"""A position of the query that a sequence leaves out, between two that it has."""
OUTSIDE = GAP + 1
"""One before or behind what is aligned of it."""
MOST_IDENTICAL = 0.94
"""Of two sequences that are more alike, the second says nothing new."""
TOGETHER = 1 << 24
"""Letters that are compared at a time."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A sequence's alignment with the query: its letters as codes from `subject_start` on, and the runs.

    Of a run, `=` and `X` are columns with a letter of each, `I` has one of the query alone, `D` one of the subject.
    """

    query_start: int
    letters: Codes
    runs: Sequence[Run]


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """Rows of codes, GAP or OUTSIDE, (sequences, positions of the query); the first one is the query."""

    rows: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, query: Codes, others: Iterable[Aligned]) -> Self:
        """The query and those that are aligned to it, in their order."""
        rows = [query.astype(np.uint8), *(_row(len(query), each) for each in others)]
        return cls(np.stack(rows))

    def purged(self, most_identical: float = MOST_IDENTICAL) -> Self:
        """Without those that say nothing new: equal to the query, or more alike to one before than `most_identical`.

        Identity is the share of equal residues among positions where both have one; who shares none is alike to none.
        """
        kept = np.zeros(len(self.rows), np.bool_)
        kept[0] = True
        for number in range(1, len(self.rows)):
            row = self.rows[number]
            own = np.flatnonzero(row < RESIDUES)
            if len(own) and not _alike(row[own], self.rows[:, own], kept, most_identical):
                kept[number] = True
        return type(self)(self.rows[kept])


def _row(length: int, each: Aligned) -> npt.NDArray[np.uint8]:
    row = np.full(length, OUTSIDE, np.uint8)
    place, letter = each.query_start, 0
    for run in each.runs:
        if run.kind == "D":
            letter += run.length
            continue
        if run.kind == "I":
            row[place : place + run.length] = GAP
        else:
            row[place : place + run.length] = each.letters[letter : letter + run.length]
            letter += run.length
        place += run.length
    return row


def _alike(row: npt.NDArray[np.uint8], others: npt.NDArray[np.uint8], kept: npt.NDArray[np.bool_], most: float) -> bool:
    """Whether a row of residues is as good as one of those kept, of which the first is the query."""
    numbers = np.flatnonzero(kept)
    step = max(1, TOGETHER // len(row))
    for start in range(0, len(numbers), step):
        some = others[numbers[start : start + step]]
        both, equal = (some < RESIDUES).sum(axis=1), (some == row).sum(axis=1)
        alike = equal > most * both
        if start == 0:
            # The query is left in the company of those that are nearly, but not quite, the same.
            alike[0] = equal[0] == len(row)
        if alike.any():
            return True
    return False
