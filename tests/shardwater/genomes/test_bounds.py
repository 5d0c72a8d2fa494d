"""Bounds of both genomes together, and of each."""

import pytest

from shardwater.errors import LimitExceeded
from shardwater.genomes.bounds import ComparisonBounds, Extent
from shardwater.genomes.genome import MOST_LETTERS

BOUNDS = ComparisonBounds(max_comparison_letters=100, max_comparison_records=3)


def test_what_is_just_as_much_is_taken() -> None:
    BOUNDS.check([Extent(1, 60), Extent(2, 40)])
    BOUNDS.check([])


@pytest.mark.parametrize(
    ("genomes", "name", "actual"),
    [
        ([Extent(1, 60), Extent(1, 41)], "max_comparison_letters", 101),
        ([Extent(2, 60), Extent(2, 40)], "max_comparison_records", 4),
        ([Extent(4, 0)], "max_comparison_records", 4),
    ],
)
def test_limit_that_is_passed_is_named(genomes: list[Extent], name: str, actual: int) -> None:
    with pytest.raises(LimitExceeded) as caught:
        BOUNDS.check(genomes)
    assert (caught.value.name, caught.value.actual) == (name, actual)


def test_each_genome_has_a_bound_of_its_own() -> None:
    bounds = ComparisonBounds(max_comparison_letters=4 * MOST_LETTERS)
    bounds.check([Extent(1, MOST_LETTERS), Extent(1, MOST_LETTERS)])
    with pytest.raises(LimitExceeded):
        bounds.check([Extent(1, MOST_LETTERS + 1)])
