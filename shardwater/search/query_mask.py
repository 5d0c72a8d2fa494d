"""What a result says of the letters of a query that are masked."""

from collections.abc import Sequence
from dataclasses import dataclass

from shardwater.sequences.fasta import Record
from shardwater.sequences.masking.masks import Mask, Masks, masks_of, runs_of

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
    def of_all(cls, records: Sequence[Record], mask: Mask) -> "list[QueryMask | None]":
        """What a rule masks of each query, or of the part of it that is searched; None where there is no mask.

        All together: that takes a tenth of the time of one after another.
        """
        if mask == "none":
            return [None] * len(records)
        masks = masks_of([record.residues for record in records], mask)
        return [cls._of(record, found) for record, found in zip(records, masks, strict=True)]

    @classmethod
    def _of(cls, record: Record, found: Masks) -> "QueryMask":
        ranges = runs_of(found)[:MOST_RANGES].tolist()
        places = tuple(MaskedRange(record.offset + first + 1, record.offset + end) for first, end in ranges)
        return cls(int(found.sum()), places)
