"""What was counted while genomes were compared: the numbers of a certificate."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one strand, or a part of it.

    query_words, subject_words: words without unknown letters; seeds: pairs of equal words, taken or not; runs: what
    seeds are together that follow each other on a diagonal; kept: runs that were extended, or with extension `blocks`
    the seeds that its filter left; sampled_words: words of which not all runs were taken; least_frequency: the fewest
    runs that a word was allowed because its unit had too many, 0 where none had.
    """

    query_words: int = 0
    subject_words: int = 0
    seeds: int = 0
    runs: int = 0
    kept: int = 0
    sampled_words: int = 0
    least_frequency: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        """Those of two parts."""
        sums = Counts(*(one + two for one, two in zip(astuple(self), astuple(other), strict=True)))
        limits = [each.least_frequency for each in (self, other) if each.least_frequency]
        return replace(sums, least_frequency=min(limits, default=0))

    @classmethod
    def sum(cls, several: "Sequence[Counts]") -> "Counts":
        """Those of all parts."""
        return sum(several, cls())
