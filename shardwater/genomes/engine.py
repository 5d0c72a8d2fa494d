"""What finds HSPs: the protocol of both engines."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol

from shardwater.genomes.comparison import Comparison, Part
from shardwater.genomes.counts import Counts
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps


@dataclass(frozen=True, slots=True, eq=False)
class FoundPart:
    """What a part has: HSPs of min_length letters at least, in any order, and its counts.

    They may be of any identity, and lie in one another: `merge_hsps` makes of all parts the list.
    """

    hsps: Hsps
    counts: Counts


Finding = Generator[float, None, FoundPart]
"""Yields how much of the part is done, 0 to 1; may be closed after any step."""


class GenomeEngine(Protocol):
    """Finds all HSPs of two genomes; two engines answer with the same bytes (decision 042 says what an HSP is)."""

    @property
    def name(self) -> str:
        """What computes: `cpu`, or the device's name."""
        ...

    def find(self, query: Genome, subject: Genome, comparison: Comparison, part: Part) -> Finding:
        """The HSPs of a part; whatever the order of parts, and of the pieces that an engine cuts them into."""
        ...
