"""Regions: what is outside of them is unknown, and each is in a record."""

import pytest

from shardwater.genomes.comparison import ComparisonError
from shardwater.genomes.genome import Genome
from shardwater.genomes.regions import Region, places_of, within
from shardwater.sequences.named import Letters

GENOME = Genome.of([Letters("one", b"ACGTAC"), Letters("two", b"GGGG"), Letters("one", b"TTTT")])


def test_letters_outside_of_regions_are_unknown() -> None:
    kept = within(GENOME, [Region("two", 1, 3), Region("one", 4, 6)])
    assert kept.letters.tobytes() == b"NNNNACNGGNNNNN"
    assert (kept.names, kept.offsets.tolist()) == (GENOME.names, GENOME.offsets.tolist())


def test_genome_without_regions_is_itself() -> None:
    assert within(GENOME, []) is GENOME


@pytest.mark.parametrize(
    ("region", "detail"),
    [
        (Region("three", 0, 1), "no record is called three"),
        (Region("one", 5, 7), "one has letters 1 to 6"),
        (Region("two", 2, 2), "two has letters 1 to 4"),
    ],
)
def test_region_that_is_in_no_record_is_named(region: Region, detail: str) -> None:
    with pytest.raises(ComparisonError, match=detail):
        list(places_of(GENOME, [region]))
