"""Stretches of alignments: where they are on both strands, cut, and joined."""

import numpy as np

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.stretches import Stretches
from tests.support.genome_lists import GAPPED, alignments, chain

ALIGNED = alignments(GAPPED)


def rows(stretches: Stretches) -> list[list[int]]:
    return np.stack((stretches.query, stretches.subject, stretches.length), axis=1).tolist()


def test_stretches_are_the_runs_of_pairs_on_both_strands() -> None:
    expected = [chain(row).blocks.tolist() for row in GAPPED]
    found = Stretches.of(ALIGNED)
    assert rows(found) == [block for blocks in expected for block in blocks]
    assert found.owners.tolist() == [number for number, blocks in enumerate(expected) for _ in blocks]


def test_a_part_of_a_stretch_goes_along_the_subject() -> None:
    found = Stretches.of(ALIGNED.select(np.array([0, 2])))
    assert rows(found) == [[3, 4, 24], [47, 35, 4], [44, 40, 3], [37, 43, 5], [34, 49, 3]]
    # A reverse one begins where its range in the query ends. What has no such letters is gone.
    part = found.part(np.array([5, 1, 3, 4, -2]), np.array([9, 9, 9, 5, 2]))
    assert rows(part) == [[8, 9, 4], [47, 36, 3], [37, 47, 1], [35, 49, 2]]
    assert part.owners.tolist() == [0, 1, 1, 1]
    assert rows(Stretches.together([part, found]))[2:5] == [[37, 47, 1], [35, 49, 2], [3, 4, 24]]


def test_stretches_of_an_owner_that_touch_are_one() -> None:
    zeros = np.zeros(4, np.int64)
    forward = Stretches(
        np.array([0, 0, 0, 1]), np.array([10, 15, 21, 25]), np.array([3, 8, 13, 17]), np.array([5, 5, 4, 2]), zeros > 0
    )
    assert rows(forward.joined()) == [[10, 3, 10], [21, 13, 4], [25, 17, 2]]
    reverse = Stretches(zeros, np.array([20, 15, 9, 4]), np.array([3, 8, 13, 19]), np.array([5, 5, 6, 5]), zeros == 0)
    assert rows(reverse.joined()) == [[4, 3, 21]]


def test_no_alignments_have_no_stretches() -> None:
    none = Stretches.of(Alignments.joined([]))
    assert (len(none), rows(none.joined())) == (0, [])
