"""What one comparison may be, before it costs anything but its own letters."""

from collections.abc import Sequence
from dataclasses import dataclass

from shardwater.errors import LimitExceeded
from shardwater.genomes.genome import MOST_LETTERS


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a genome is."""

    records: int
    letters: int


@dataclass(frozen=True, slots=True)
class ComparisonBounds:
    """Published bounds of both genomes together; MOST_LETTERS bounds each of them."""

    max_comparison_letters: int = 600_000_000
    max_comparison_records: int = 1_000_000

    def check(self, genomes: Sequence[Extent]) -> None:
        """Raise LimitExceeded where these are more; all of them, or those that are known so far."""
        letters, records = sum(each.letters for each in genomes), sum(each.records for each in genomes)
        if letters > self.max_comparison_letters:
            raise LimitExceeded("max_comparison_letters", self.max_comparison_letters, letters)
        if records > self.max_comparison_records:
            raise LimitExceeded("max_comparison_records", self.max_comparison_records, records)
        longest = max((each.letters for each in genomes), default=0)
        if longest > MOST_LETTERS:
            raise LimitExceeded("letters of a genome", MOST_LETTERS, longest)
