"""What the formats of pairs show of a pair, and besides the pairs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from shardwater.alignment.alignment import Alignment
from shardwater.pairs.align import FoundPair


@dataclass(frozen=True, slots=True)
class Layout:
    """What the scores are called (a matrix's name, a file's, or the scores of DNA), and the columns of a table.

    each_with_each: pairs of one query, by its number, follow each other and are one read; else each pair is a read of
    its own. head: of JSON, members before the pairs.
    """

    scores: str
    columns: tuple[str, ...] = ()
    each_with_each: bool = False
    head: Mapping[str, object] = field(default_factory=dict)


def shown(pair: FoundPair) -> Alignment | None:
    """The alignment that a format shows: none where it has no column, as where there is no alignment."""
    return pair.found if pair.found is not None and pair.found.runs else None
