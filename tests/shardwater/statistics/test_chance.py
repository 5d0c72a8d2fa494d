import numpy as np
import pytest

from shardwater.statistics.background import background
from shardwater.statistics.chance import numbers, residues, streams, thresholds, uniform


def test_numbers_are_splitmix64s():
    # As Java's SplittableRandom and others have them for the seed 0.
    known = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert numbers(np.uint64(0), range(3)).tolist() == known
    assert numbers(np.zeros(2, np.uint64), np.array([2, 0], np.uint64)).tolist() == [known[2], known[0]]


def test_streams_are_the_same_everywhere():
    assert streams(2, 1, 2).tolist() == [15529898885419721899, 10153658008414891177]
    assert len({*streams(100, 0).tolist(), *streams(100, 1).tolist()}) == 200


def test_numbers_are_from_0_to_before_1():
    assert uniform(np.array([0, 2**63, 2**64 - 1], np.uint64)).tolist() == [0, 0.5, 1 - 2**-53]


def test_residues_are_as_frequent_as_in_the_background():
    found = residues(numbers(streams(1, 5)[0], range(100_000)))
    assert np.bincount(found) / len(found) == pytest.approx(background(), abs=0.004)
    assert thresholds(np.array([0.25, 0.5, 0.25])).tolist() == [0.25, 0.75]
