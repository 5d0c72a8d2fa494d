"""A genome: DNA records one after another, as every step of a comparison counts their letters."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.errors import LimitExceeded
from shardwater.sequences.named import Letters
from shardwater.sequences.stored import StoredSequences

Places = npt.NDArray[np.int64]
PLACE_BITS = 29
"""Of a place in a genome."""
MOST_LETTERS = (1 << PLACE_BITS) - 1
"""Of all records of a genome: places, and runs of alignments with their kinds, are kept in 32 bits."""
COMPARED_AT_ONCE = 1 << 20
"""Letters: two genomes that differ do so early."""
_UPPER = np.frombuffer(bytes(range(256)).upper().replace(b"U", b"T"), np.uint8)


@dataclass(frozen=True, eq=False)
class Genome:
    """Records of DNA, joined: place n is the nth letter of all records, from 0, with nothing between two records.

    letters (all,): ASCII as it was written, uint8; offsets (records + 1,): where each record begins, and the last ends.
    whole: the letters before those outside of regions were left out, if any were (regions.py).
    Raises LimitExceeded where there are more letters than MOST_LETTERS.
    """

    names: tuple[str, ...]
    letters: npt.NDArray[np.uint8]
    offsets: Places
    whole: npt.NDArray[np.uint8] | None = None

    def __post_init__(self) -> None:
        if len(self) > MOST_LETTERS:
            raise LimitExceeded("letters", MOST_LETTERS, len(self))

    @classmethod
    def of(cls, records: Iterable[Letters]) -> Self:
        """A copy of these records."""
        known = list(records)
        offsets = np.cumsum([0, *(len(record.letters) for record in known)], dtype=np.int64)
        joined = np.frombuffer(b"".join(record.letters for record in known), np.uint8)
        return cls(tuple(record.name for record in known), joined, offsets)

    @classmethod
    def stored(cls, sequences: StoredSequences) -> Self:
        """Those of a folder; the letters stay mapped. Raises DamagedSequences."""
        sequences.check(range(len(sequences)))
        return cls(tuple(sequences.names(range(len(sequences)))), sequences.letters, sequences.offsets.astype(np.int64))

    def __len__(self) -> int:
        """The letters of all records."""
        return int(self.offsets[-1])

    @cached_property
    def lengths(self) -> Places:
        """The letters of each record."""
        return np.diff(self.offsets)

    def records(self, places: Places) -> Places:
        """The numbers of the records that these places are in."""
        found: Places = np.searchsorted(self.offsets, places, side="right") - 1
        return found

    def same_as(self, other: "Genome") -> bool:
        """Whether both have the same letters in the same records, in either case, and outside of regions too."""
        if not np.array_equal(self.offsets, other.offsets):
            return False
        ours, theirs = (each.letters if each.whole is None else each.whole for each in (self, other))
        pieces = range(0, len(ours), COMPARED_AT_ONCE)
        return all(
            np.array_equal(_UPPER[ours[first:last]], _UPPER[theirs[first:last]])
            for first, last in ((first, first + COMPARED_AT_ONCE) for first in pieces)
        )
