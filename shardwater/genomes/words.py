"""The words of a strand, sorted: by value, then by the letter before, then by place (decision 042)."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.genomes.comparison import UNITS, Part
from shardwater.genomes.genome import Places
from shardwater.genomes.strands import UNKNOWN, Strand

Values = npt.NDArray[np.uint64]
NONE_BEFORE = 4
CLASSES = 5
"""Letters before a word: A, C, G, T, and none."""
AT_ONCE = 1 << 20
"""Places whose words are made together."""
_MIXER, _UNIT_SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(56)
_HASH_SHIFT, MOST_HASH_BITS = np.uint64(32), 24
"""Hashes of words are the bits below their units, so many at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words of a strand: values, the places that they begin at, and the letters before them (NONE_BEFORE: none)."""

    values: Values
    places: Places
    before: npt.NDArray[np.uint8]

    @classmethod
    def listed(cls, strand: Strand, word: int, part: Part) -> Self:
        """All words of so many letters in the units of a part, by place."""
        tiles = [_tile(strand, word, part, first) for first in range(0, max(1, len(strand)), AT_ONCE)]
        return cls(*(np.concatenate([getattr(tile, name) for tile in tiles]) for name in cls.__slots__))

    def sorted(self) -> "Words":
        """The same by value, letter before, and place."""
        order = np.argsort(self.values)
        values = self.values[order]
        # Equal words, which are few as a rule, are put in their order by themselves.
        same = np.diff(values) == 0
        which = np.flatnonzero(np.append(same, False) | np.append(False, same)) if len(values) else order
        own = order[which]
        order[which] = own[np.lexsort((self.places[own], self.before[own], values[which]))]
        return Words(values, self.places[order], self.before[order])

    def shared(self, other: Self) -> Self:
        """Those that the other strand may have, too: few that it lacks are left. To sort words takes far longer."""
        mask = np.uint64((1 << min(MOST_HASH_BITS, (8 * len(other)).bit_length())) - 1)
        seen = np.zeros(int(mask) + 1, np.bool_)
        seen[_hashes(other.values, mask)] = True
        kept = np.flatnonzero(seen[_hashes(self.values, mask)])
        return type(self)(self.values[kept], self.places[kept], self.before[kept])

    def __len__(self) -> int:
        return len(self.values)


def unit_of(values: Values) -> npt.NDArray[np.int64]:
    """The unit of each word."""
    units: npt.NDArray[np.int64] = (values * _MIXER >> _UNIT_SHIFT).astype(np.int64)
    return units


def _hashes(values: Values, mask: np.uint64) -> npt.NDArray[np.int64]:
    hashes: npt.NDArray[np.int64] = (values * _MIXER >> _HASH_SHIFT & mask).astype(np.int64)
    return hashes


def _tile(strand: Strand, word: int, part: Part, first: int) -> Words:
    """The words that begin in AT_ONCE places from one on."""
    places = np.arange(first, max(first, min(first + AT_ONCE, len(strand) - word + 1)))
    begins, ends = strand.record_at(places) if len(places) else (places, places)
    values = strand.letters_from(places) & np.uint64((1 << 2 * word) - 1)
    known = strand.unknown_from(places) & np.uint32((1 << word) - 1) == 0
    wanted = known & (places + word <= ends)
    if part.first > 0 or part.last < UNITS:
        units = unit_of(values)
        wanted &= (units >= part.first) & (units < part.last)
    places, values, begins = places[wanted], values[wanted], begins[wanted]
    before = strand.codes[places - 1]
    before = np.where((places == begins) | (before == UNKNOWN), NONE_BEFORE, before).astype(np.uint8)
    return Words(values, places, before)
