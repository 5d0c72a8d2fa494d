"""What a result says of the letters of a query that are masked."""

from dataclasses import dataclass

from shardwater.sequences.fasta import Record
from shardwater.sequences.masking.masks import Mask, masks_of, runs_of

MOST_RANGES = 1000


@dataclass(frozen=True, slots=True)
class MaskedRange:
    """Letters of a query that follow one another, counted from 1, both ends in it."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class QueryMask:
    """How many letters of a query are masked, and where: the first 1,000 places."""

    letters: int
    ranges: tuple[MaskedRange, ...]

    @classmethod
    def of(cls, record: Record, mask: Mask) -> "QueryMask":
        """What a rule masks of a query, or of the part of it that is searched."""
        [found] = masks_of([record.residues], mask)
        ranges = runs_of(found)[:MOST_RANGES].tolist()
        places = tuple(MaskedRange(record.offset + first + 1, record.offset + end) for first, end in ranges)
        return cls(int(found.sum()), places)
