"""Many sequences aligned to one query, position by position of it: what a profile is made of.

Letters that a sequence has between two positions of the query have no place here, as in PSI-BLAST (Altschul, Madden,
Schaffer, Zhang, Zhang, Miller and Lipman 1997, Nucleic Acids Research 25:3389).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

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
PLANES, WORD = 5, 64
"""Bits of a residue, and positions whose bits stand in one number, when rows are compared."""

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
        """The query and those that are aligned to it, in their order; of very many the first ones."""
        most = max(1, MOST_CELLS // max(1, len(query)))
        some = [each for each, _ in zip(others, range(most - 1), strict=False)]
        rows = np.full((1 + len(some), len(query)), OUTSIDE, np.uint8)
        rows[0] = query
        for row, each in zip(rows[1:], some, strict=True):
            letters = np.frombuffer(each.sequence, np.uint8)[np.frombuffer(each.query, np.uint8) != ord("-")]
            row[each.start : each.start + len(letters)] = np.where(letters == ord("-"), GAP, encode(letters.tobytes()))
        return cls(rows)

    def purged(self, most_identical: float = MOST_IDENTICAL) -> Self:
        """Without those that say nothing new: equal to the query, or more alike to one before than `most_identical`.

        Identity is the share of equal residues among positions where both have one; who shares none is alike to none.
        """
        compared = _Compared(self.rows, most_identical)
        kept = [0]
        for number in range(1, len(self.rows)):
            if compared.is_new(number):
                compared.keep(number)
                kept.append(number)
        return type(self)(self.rows[kept])


class _Compared:
    """Rows as bits, 64 positions to a number: PLANES numbers with the bits of the residues, one that says where any is.

    A number has every so-manieth position, so that those of a short row stand in all: most pairs of rows are told
    apart by their first numbers.
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
        self._starts, self._stops = there.argmax(axis=1), rows.shape[1] - there[:, ::-1].argmax(axis=1)
        self._kept = np.empty_like(self._bits)
        self._spans = np.empty((2, len(rows)), np.int64)
        self._count = 0
        self.keep(0)

    def keep(self, number: int) -> None:
        """Compare those that come with this row, too."""
        self._kept[:, :, self._count] = self._bits[:, :, number]
        self._spans[:, self._count] = self._starts[number], self._stops[number]
        self._count += 1

    def is_new(self, number: int) -> bool:
        """Whether a row has residues, other ones than the query, and is alike to none of those kept."""
        own, residues = self._bits[:, :, number], int(self._residues[number])
        if not residues:
            return False
        starts, stops = self._spans[:, : self._count]
        overlaps = np.minimum(stops, self._stops[number]) - np.maximum(starts, self._starts[number])
        candidates = np.flatnonzero(overlaps > 0)
        # More differences than this, and two rows are not alike: they share no more positions than they overlap.
        most = overlaps - (self._most * overlaps).astype(np.int64)
        most, different = most[candidates], np.zeros(len(candidates), np.int64)
        for word, bits in zip(self._kept, own, strict=True):
            if not candidates.size:
                return True
            some = word[:, candidates] if len(candidates) < self._count else word[:, : self._count]
            apart = some[0] ^ bits[0]
            for plane in range(1, PLANES):
                apart |= some[plane] ^ bits[plane]
            different += np.bitwise_count(apart & some[PLANES] & bits[PLANES])
            left = different <= most
            # The query is left in the company of those that are nearly, but not quite, the same.
            if candidates[0] == 0:
                left[0] = different[0] == 0
            candidates, different, most = candidates[left], different[left], most[left]
        both = np.bitwise_count(self._kept[:, PLANES, candidates] & own[:, PLANES, None]).sum(axis=0, dtype=np.int64)
        equal = both - different
        alike = equal > self._most * both
        if candidates.size and candidates[0] == 0:
            alike[0] = equal[0] == residues
        return not alike.any()


def _packed(bits: npt.NDArray[np.bool_]) -> Words:
    """Up to 64 of each row as one number."""
    packed = np.zeros((len(bits), WORD // 8), np.uint8)
    found = np.packbits(bits, axis=1)
    packed[:, : found.shape[1]] = found
    return packed.view(np.uint64)[:, 0]
