"""What a result says of the rounds of a search that was made with profiles of what it found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoundReport:
    """A round, from 1: how many subjects it found well enough for a profile, and how many of them the one before had.

    new and lost: accessions of those that the round before did not have, and of those that this one has no more.
    """

    number: int
    included: int
    kept: int
    new: tuple[str, ...]
    lost: tuple[str, ...]
