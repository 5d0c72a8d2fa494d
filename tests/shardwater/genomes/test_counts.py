"""Counts of parts together are those of the whole."""

from shardwater.genomes.counts import Counts


def test_numbers_are_added_and_the_least_limit_that_there_was_stays() -> None:
    limited, other, free = Counts(1, 2, 3, 4, 5, 6, 16), Counts(1, 1, 1, 1, 1, 1, 8), Counts(10, 20, 30, 40, 50, 60, 0)
    assert limited + free == free + limited == Counts(11, 22, 33, 44, 55, 66, 16)
    assert Counts.sum([free, limited, other]) == Counts(12, 23, 34, 45, 56, 67, 8)
    assert Counts.sum([free]) == free
    assert Counts.sum([]) == Counts()
