"""Regions: what is outside of them is unknown, and each is in a record."""

import pytest

from shardwater.genomes.comparison import ComparisonError
from shardwater.genomes.genome import Genome
from shardwater.genomes.regions import Region, numbers_of, places_of, within
from shardwater.sequences.named import Letters

GENOME = Genome.of([Letters("one", b"ACGTAC"), Letters("two", b"GGGG"), Letters("one", b"TTTT")])


def test_letters_outside_of_regions_are_unknown() -> None:
    kept = within(GENOME, [Region("two", 1, 3), Region("#1", 4, 6)])
    assert kept.letters.tobytes() == b"NNNNACNGGNNNNN"
    assert (kept.names, kept.offsets.tolist()) == (GENOME.names, GENOME.offsets.tolist())


def test_number_names_a_record_that_no_other_is_called_by() -> None:
    assert numbers_of(["#2", "a", "#3"], {"a", "#2", "#3"}) == {"a": 1, "#2": 0, "#3": 2}
    assert numbers_of(["a", "a", "#4"], {"#2", "#4"}) == {"#2": 1, "#4": 2}


def test_genome_without_regions_is_itself() -> None:
    assert within(GENOME, []) is GENOME


@pytest.mark.parametrize(
    ("region", "detail"),
    [
        (Region("three", 0, 1), "no record is called three"),
        (Region("#1", 5, 7), "#1 has letters 1 to 6"),
        (Region("two", 2, 2), "two has letters 1 to 4"),
        (Region("#4", 0, 1), "no record is called #4"),
        (Region("#0", 0, 1), "no record is called #0"),
        (Region("one", 0, 1), "2 records are called one: one of them is named by its number, as #1"),
    ],
)
def test_region_that_is_in_no_record_is_named(region: Region, detail: str) -> None:
    with pytest.raises(ComparisonError, match=detail):
        list(places_of(GENOME, [region]))
