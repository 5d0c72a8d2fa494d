"""Strands of genomes as the CPU engine reads them: 32 letters a word of two bits each, the first in the lowest bits.

A word of padding comes before the first letter, and two follow the last: 32 letters can be read from any place that is
at most 32 before the first letter, and not behind the last.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shardwater.genomes.genome import Genome, Places

LETTERS = 32
"""Of a word."""
UNKNOWN = 4
"""The code of what is none of A, C, G, T (0 to 3); U is T."""
PACKED_AT_ONCE = 1 << 24
"""Letters: what is done with them takes some bytes for each."""

Words = npt.NDArray[np.uint64]
Bits = npt.NDArray[np.uint32]


def _codes() -> npt.NDArray[np.uint8]:
    codes = np.full(256, UNKNOWN, np.uint8)
    for code, letters in enumerate((b"Aa", b"Cc", b"Gg", b"TtUu")):
        codes[list(letters)] = code
    return codes


CODES = _codes()
"""Of each byte."""
COMPLEMENTS = np.array([3, 2, 1, 0, UNKNOWN], np.uint8)
"""Of each code."""


@dataclass(frozen=True, slots=True, eq=False)
class Strand:
    """A strand of a genome: letters and unknown (a bit each) as above; offsets (records + 1): of its records.

    codes (length,): of all letters; those of the reverse strand are the complements, from the last letter on.
    """

    codes: npt.NDArray[np.uint8]
    letters: Words
    unknown: Bits
    offsets: Places

    @classmethod
    def of(cls, genome: Genome, *, reverse: bool) -> Self:
        """A strand of a genome."""
        codes, offsets = CODES[genome.letters], genome.offsets
        if reverse:
            codes, offsets = COMPLEMENTS[codes[::-1]], len(genome) - offsets[::-1]
        words = -(-len(codes) // LETTERS)
        letters, unknown = np.zeros(words + 3, np.uint64), np.zeros(words + 3, np.uint32)
        for first in range(0, words, PACKED_AT_ONCE // LETTERS):
            last = min(words, first + PACKED_AT_ONCE // LETTERS)
            some = codes[first * LETTERS : last * LETTERS]
            letters[first + 1 : last + 1], unknown[first + 1 : last + 1] = _packed(some)
        return cls(codes, letters, unknown, offsets)

    def __len__(self) -> int:
        return len(self.codes)

    def letters_from(self, places: Places) -> Words:
        """32 letters from each place on."""
        at = places + LETTERS
        word, shift = at // LETTERS, (at % LETTERS * 2).astype(np.uint64)
        # Shifted in two steps: by 64 bits there is no shift.
        behind = self.letters[word + 1] << (np.uint64(63) - shift) << np.uint64(1)
        found: Words = self.letters[word] >> shift | behind
        return found

    def unknown_from(self, places: Places) -> Bits:
        """Which of 32 letters from each place on are unknown, a bit each."""
        at = places + LETTERS
        word, shift = at // LETTERS, (at % LETTERS).astype(np.uint32)
        behind = self.unknown[word + 1] << (np.uint32(31) - shift) << np.uint32(1)
        found: Bits = self.unknown[word] >> shift | behind
        return found

    def record_at(self, places: Places) -> tuple[Places, Places]:
        """Where the record of each place begins, and where it ends."""
        number = np.searchsorted(self.offsets, places, side="right")
        return self.offsets[number - 1], self.offsets[number]


def _packed(codes: npt.NDArray[np.uint8]) -> tuple[Words, Bits]:
    rows = np.full((-(-len(codes) // LETTERS), LETTERS), 0, np.uint8)
    rows.reshape(-1)[: len(codes)] = codes
    letters = np.zeros(len(rows), np.uint64)
    for place in range(LETTERS):
        letters |= (rows[:, place] & 3).astype(np.uint64) << np.uint64(2 * place)
    unknown = np.packbits(rows == UNKNOWN, axis=1, bitorder="little").view("<u4").reshape(-1)
    return letters, unknown


_HALVES = tuple(
    (np.uint64(shift), np.uint64(mask))
    for shift, mask in (
        (1, 0x3333333333333333),
        (2, 0x0F0F0F0F0F0F0F0F),
        (4, 0x00FF00FF00FF00FF),
        (8, 0x0000FFFF0000FFFF),
    )
)


def unequal(query: Strand, x: Places, subject: Strand, y: Places) -> Bits:
    """A bit for each of 32 letters from these places on that are not equal; unknown ones never are."""
    other = query.letters_from(x) ^ subject.letters_from(y)
    bits = (other | other >> np.uint64(1)) & np.uint64(0x5555555555555555)
    for shift, mask in _HALVES:
        bits = (bits | bits >> shift) & mask
    bits |= bits >> np.uint64(16)
    found: Bits = bits.astype(np.uint32) | query.unknown_from(x) | subject.unknown_from(y)
    return found


def room(query: Strand, x: Places, subject: Strand, y: Places) -> tuple[Places, Places]:
    """How many letters of both records come before these places, and how many from them on."""
    (begin, end), (other_begin, other_end) = query.record_at(x), subject.record_at(y)
    return np.minimum(x - begin, y - other_begin), np.minimum(end - x, other_end - y)


def reversed_bits(bits: Bits) -> Any:
    """The same bits in the other order."""
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        bits = (bits >> np.uint32(shift)) & np.uint32(mask) | (bits & np.uint32(mask)) << np.uint32(shift)
    return bits >> np.uint32(16) | bits << np.uint32(16)
