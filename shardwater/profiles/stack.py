"""Many sequences aligned to one query, position by position of it: what a profile is made of.

Letters that a sequence has between two positions of the query have no place here, as in PSI-BLAST (Altschul, Madden,
Schaffer, Zhang, Zhang, Miller and Lipman 1997, Nucleic Acids Research 25:3389).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from shardwater.ranges import ranges_of
from shardwater.sequences.alphabet import LETTERS, Codes, encode
from shardwater.statistics.background import RESIDUES

GAP = len(LETTERS)
"""A position of the query that a sequence leaves out, between two that it has."""
OUTSIDE = GAP + 1
"""One before or behind what is aligned of it."""
MOST_IDENTICAL = 0.94
"""Of two sequences that are more alike, the second says nothing new."""
MOST_CELLS = 1 << 26
"""Positions of all rows together: of more, the last rows are left out, and a profile takes some 300 MB at most."""
WRITTEN = 1 << 22
"""Positions that are written at a time."""
PLANES, WORD = 5, 64
"""Bits of a residue, and positions whose bits stand in one number, when rows are compared."""

TOGETHER, ACROSS = 128, 512
"""Rows that are compared at a time, and with how many: what numpy costs for a call, and what a cache holds."""

Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


class Aligned(NamedTuple):
    """A sequence's alignment with the query as two rows of ASCII letters and `-`, the query's from `start` on."""

    start: int
    query: bytes
    sequence: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """Rows of codes, GAP or OUTSIDE, (sequences, positions of the query); the first one is the query."""

    rows: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, query: Codes, others: Iterable[Aligned]) -> Self:
        """The query and those that are aligned to it, in their order; of very many the first ones.

        Raises ValueError for one that does not lie in the query, or whose two rows differ in length.
        """
        most = max(1, MOST_CELLS // max(1, len(query)))
        some = [each for each, _ in zip(others, range(most - 1), strict=False)]
        rows = np.full((1 + len(some), len(query)), OUTSIDE, np.uint8)
        rows[0] = query
        for few in ranges_of(len(some), max(1, WRITTEN // max(1, len(query)))):
            _write(rows[1 + few.start : 1 + few.stop], some[few.start : few.stop])
        return cls(rows)

    def purged(self, most_identical: float = MOST_IDENTICAL) -> Self:
        """Without those that say nothing new: equal to the query, or more alike to one before than `most_identical`.

        Identity is the share of equal residues among positions where both have one; who shares none is alike to none.
        """
        return type(self)(self.rows[_Compared(self.rows, most_identical).new()])


def _write(rows: npt.NDArray[np.uint8], some: Sequence[Aligned]) -> None:
    """Write these, a row each: all at once, since what numpy costs for a call is more than the letters of a row.

    Raises ValueError for one that does not lie in the query, or whose two rows differ in length.
    """
    kept = np.frombuffer(b"".join([each.query for each in some]), np.uint8) != ord("-")
    letters = np.frombuffer(b"".join([each.sequence for each in some]), np.uint8)[kept]
    counts = np.array([len(each.query) - each.query.count(b"-") for each in some])
    starts, positions = np.array([each.start for each in some]), rows.shape[1]
    fit = [len(each.query) == len(each.sequence) for each in some]
    if not all(fit) or ((starts < 0) | (starts + counts > positions)).any():
        raise ValueError("a sequence is not aligned to letters of the query")
    firsts = positions * np.arange(len(some)) + starts
    places = np.repeat(firsts - np.cumsum(counts) + counts, counts) + np.arange(len(letters))
    rows.reshape(-1)[places] = np.where(letters == ord("-"), GAP, encode(letters.tobytes()))


class _Compared:
    """Rows as bits, 64 positions to a number: PLANES numbers with the bits of the residues, one that says where any is.

    Positions are dealt out over the numbers in turn, so that even a short row has bits in each: most pairs of rows are
    told apart by their first numbers.
    """

    def __init__(self, rows: npt.NDArray[np.uint8], most_identical: float) -> None:
        self._most = most_identical
        words = -(-rows.shape[1] // WORD)
        self._bits = np.empty((words, PLANES + 1, len(rows)), np.uint64)
        for word in range(words):
            codes = rows[:, word::words]
            known = codes < RESIDUES
            for plane in range(PLANES):
                self._bits[word, plane] = _packed(known & (codes >> plane & 1).astype(np.bool_))
            self._bits[word, PLANES] = _packed(known)
        self._residues = np.bitwise_count(self._bits[:, PLANES]).sum(axis=0, dtype=np.int64)
        there = rows < RESIDUES
        starts, stops = there.argmax(axis=1), rows.shape[1] - there[:, ::-1].argmax(axis=1)
        self._spans = (np.maximum, starts), (np.minimum, stops)

    def new(self) -> Numbers:
        """The query, and rows that have residues, other ones than the query, and are alike to none of these before."""
        kept = np.zeros(1, np.int64)
        for first in range(1, len(self._residues), TOGETHER):
            some = np.arange(first, min(first + TOGETHER, len(self._residues)))
            some = some[self._residues[some] > 0]
            some = np.setdiff1d(some, self._alike(some, kept)[0], assume_unique=True)
            dropped: set[int] = set()
            # In the order of the first ones, for which those before them are settled.
            for one, other in zip(*map(np.ndarray.tolist, self._alike(some, some)), strict=True):
                if other < one and other not in dropped:
                    dropped.add(one)
            kept = np.concatenate((kept, some[[number not in dropped for number in some.tolist()]]))
        return kept

    def _alike(self, some: Numbers, others: Numbers) -> tuple[Numbers, Numbers]:
        """All pairs of one of some rows and one of others that are alike, in the order of the first."""
        pairs = [self._alike_few(some, others[first : first + ACROSS]) for first in range(0, len(others), ACROSS)]
        one, other = (np.concatenate(each) for each in zip(*pairs, strict=True)) if pairs else (some[:0], some[:0])
        order = np.argsort(one, kind="stable")
        return one[order], other[order]

    def _alike_few(self, some: Numbers, others: Numbers) -> tuple[Numbers, Numbers]:
        one = some[:, None]
        starts, stops = (reach(at[one], at[others]) for reach, at in self._spans)
        overlaps = stops - starts
        # More differences than this, and two rows are not alike: they share no more positions than they overlap.
        most = np.where(overlaps > 0, overlaps - (self._most * overlaps).astype(np.int64), -1)
        # The query is left in the company of those that are nearly, but not quite, the same.
        most[:, others == 0] = 0
        different = self._different(0, one, others)
        left = different <= most
        rows, columns = np.nonzero(left)
        one, other, different, most = some[rows], others[columns], different[left], most[left]
        for word in range(1, len(self._bits)):
            different += self._different(word, one, other)
            left = different <= most
            one, other, different, most = one[left], other[left], different[left], most[left]
        both = np.bitwise_count(self._bits[:, PLANES, one] & self._bits[:, PLANES, other]).sum(axis=0, dtype=np.int64)
        equal = both - different
        alike = np.where(other == 0, equal == self._residues[one], equal > self._most * both)
        return one[alike], other[alike]

    def _different(self, word: int, one: Numbers, other: Numbers) -> Numbers:
        """At how many of a number's positions pairs of rows have two different residues."""
        bits = self._bits[word]
        apart = bits[0, one] ^ bits[0, other]
        for plane in range(1, PLANES):
            apart |= bits[plane, one] ^ bits[plane, other]
        apart &= bits[PLANES, one]
        apart &= bits[PLANES, other]
        different: Numbers = np.bitwise_count(apart).astype(np.int64)
        return different


def _packed(bits: npt.NDArray[np.bool_]) -> Words:
    """Up to 64 of each row as one number."""
    packed = np.zeros((len(bits), WORD // 8), np.uint8)
    found = np.packbits(bits, axis=1)
    packed[:, : found.shape[1]] = found
    return packed.view(np.uint64)[:, 0]
