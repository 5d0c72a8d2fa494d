"""The bound on what lies outside a band: it is never passed, and blocks that are not there lower it."""

import numpy as np
import pytest

from shardwater.alignment.lanes import Place
from shardwater.alignment.outside import Costs, Outside

COSTS, LAST = Costs(2, 3, 7, 2), 4
ALONE = [Place(0, 0)]
NOTHING = np.zeros((2, 1), np.int32)


def best_outside(query: list[int], subject: list[int]) -> tuple[int, int]:
    """The best local score among the cells right of the band alone, and left of it: each cell by itself."""
    best = {1: 0, -1: 0}
    for side in (1, -1):
        h: dict[tuple[int, int], int] = {}
        gaps: dict[tuple[int, int, str], int] = {}
        for row, one in enumerate(query, 1):
            for column, other in enumerate(subject, 1):
                if side * (column - row) <= LAST:
                    continue
                ends = [0, h.get((row - 1, column - 1), 0) + (2 if one == other and one < 4 else -3)]
                for kind, before in (("I", (row - 1, column)), ("D", (row, column - 1))):
                    gap = max(h.get(before, 0) - 7, gaps.get((*before, kind), -99) - 2)
                    gaps[row, column, kind] = gap
                    ends.append(gap)
                h[row, column] = max(ends)
                best[side] = max(best[side], *ends)
    return best[1], best[-1]


@pytest.mark.parametrize("seed", range(20))
def test_nothing_outside_scores_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    query = rng.integers(0, 5, int(rng.integers(20, 70))).astype(np.uint8)
    # Much of the query again, somewhere else.
    subject = np.roll(query, int(rng.integers(-30, 30)))
    subject[rng.random(len(subject)) < 0.05] = 1
    subject = subject[: int(rng.integers(10, 70))]
    outside = Outside([(query, subject)], ALONE, COSTS, LAST, np.int32)
    for _ in range(len(query) + len(subject)):
        outside.go_on(NOTHING)
    right, left = best_outside(query.tolist(), subject.tolist())
    assert outside.top[0, 0] >= right
    assert outside.top[1, 0] >= left


def test_blocks_that_are_not_there_lower_it() -> None:
    rng = np.random.default_rng(1)
    one = rng.integers(0, 4, 1_000).astype(np.uint8)
    outside = Outside([(one, one), (one, np.roll(one, 100))], [Place(0, 0), Place(1, 0)], COSTS, 64, np.int32)
    for _ in range(1_000):
        outside.go_on(NOTHING)
    alone, shifted = outside.top[0].tolist()
    # A block of 7 letters, 14 at most, has a letter of 4 less.
    assert 1_300 < alone < 1_450
    assert shifted >= 2 * 900


def test_what_comes_out_of_a_band_gains_from_there() -> None:
    one = np.random.default_rng(2).integers(0, 4, 1_000).astype(np.uint8)
    outside = Outside([(one, one)], ALONE, COSTS, 64, np.int32)
    for _ in range(4):
        outside.go_on(NOTHING)
    outside.go_on(np.array([[500], [0]], np.int32))
    assert outside.top.ravel().tolist() == [500, 10]
    # Nothing more comes out in the next line.
    outside.go_on(NOTHING)
    assert outside.top.ravel().tolist() == [502, 12]
