"""Parts of a genome that are compared: what is outside of them counts as unknown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shardwater.genomes.comparison import ComparisonError
from shardwater.genomes.genome import Genome

_UNKNOWN = ord("N")


@dataclass(frozen=True, slots=True)
class Region:
    """Letters of a record from `begin` to before `end`, from 0."""

    record: str
    begin: int
    end: int


def within(genome: Genome, regions: Sequence[Region]) -> Genome:
    """The genome with N outside of these regions; itself where there are none. Raises what `places_of` does."""
    if not regions:
        return genome
    letters = np.full(len(genome), _UNKNOWN, np.uint8)
    for own in places_of(genome, regions):
        letters[own] = genome.letters[own]
    return replace(genome, letters=letters, whole=genome.letters)


def places_of(genome: Genome, regions: Sequence[Region]) -> Iterator[slice]:
    """Where each region is in the genome.

    Of records with one name the first is meant. Raises ComparisonError for a region that is in no record.
    """
    numbers = dict[str, int]()
    for number, name in enumerate(genome.names if regions else ()):
        numbers.setdefault(name, number)
    for region in regions:
        if region.record not in numbers:
            raise ComparisonError(f"no record is called {region.record}")
        number = numbers[region.record]
        length = int(genome.lengths[number])
        if not 0 <= region.begin < region.end <= length:
            raise ComparisonError(f"{region.record} has letters 1 to {length:,}; a region has some of them")
        first = int(genome.offsets[number])
        yield slice(first + region.begin, first + region.end)
