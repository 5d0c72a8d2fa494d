"""Parts of a genome that are compared: what is outside of them counts as unknown."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shardwater.genomes.comparison import ComparisonError
from shardwater.genomes.genome import Genome

_UNKNOWN = ord("N")
_NUMBER = re.compile(r"#([1-9][0-9]{0,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Region:
    """Letters of a record from `begin` to before `end`, from 0; the record by its name, or by its number as `#2`."""

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
    """Where each region is in the genome; raises ComparisonError for one that is in no record, or in one of several."""
    numbers = numbers_of(genome.names, {region.record for region in regions}) if regions else {}
    for region in regions:
        number = numbers[region.record]
        length = int(genome.lengths[number])
        if not 0 <= region.begin < region.end <= length:
            raise ComparisonError(f"{region.record} has letters 1 to {length:,}; a region has some of them")
        first = int(genome.offsets[number])
        yield slice(first + region.begin, first + region.end)


def numbers_of(names: Sequence[str], wanted: Collection[str]) -> dict[str, int]:
    """The number, from 0, of each record that is wanted by its name, or as `#2`: the second of the genome.

    Raises ComparisonError where no record is meant, or several are.
    """
    found: dict[str, list[int]] = {record: [] for record in wanted}
    for number, name in enumerate(names):
        if name in found:
            found[name].append(number)
    return {record: _only(record, numbers, len(names)) for record, numbers in found.items()}


def _only(record: str, named: Sequence[int], count: int) -> int:
    """The record that is meant, of those that have this name."""
    if len(named) > 1:
        first = named[0] + 1
        detail = f"{len(named):,} records are called {record}: one of them is named by its number, as #{first}"
        raise ComparisonError(detail)
    if named:
        return named[0]
    by_number = _NUMBER.fullmatch(record)
    if by_number is None or int(by_number[1]) > count:
        raise ComparisonError(f"no record is called {record}; by their numbers they are #1 to #{count}")
    return int(by_number[1]) - 1
