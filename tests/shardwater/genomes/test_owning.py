"""Letters that no better range has, against a painted genome."""

import numpy as np
import pytest

from shardwater.genomes.owning import owned


@pytest.mark.parametrize("seed", range(10))
def test_the_letters_of_ranges_that_no_better_one_has(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ranges = []
    for rank in range(int(rng.integers(1, 15))):
        borders = np.sort(rng.choice(300, 2 * int(rng.integers(1, 6)), replace=False)).reshape(-1, 2)
        ranges += [(int(begin), int(end), rank) for begin, end in borders]
    rng.shuffle(ranges)
    painted = np.full(300, 99)
    for begin, end, rank in sorted(ranges, key=lambda each: -each[2]):
        painted[begin:end] = rank
    begins, ends, ranks = np.array(ranges).T
    expected = [int((painted[begin:end] == rank).sum()) for begin, end, rank in ranges]
    assert owned(begins, ends, ranks).tolist() == expected


def test_no_ranges_own_nothing() -> None:
    assert owned(*np.zeros((3, 0), np.int64)).tolist() == []
