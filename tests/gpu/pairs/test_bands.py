"""Bands: no alignment that leaves one scores more than its bound says; what a pair needs is enough for it."""

import numpy as np
import pytest

from gpu.pairs.bands import DIAGONALS, LANES, WORTH, Costs, bounds, guessed, lowest, needed
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.scoring.table import bases_table, match_table, matrix_table
from tests.support.pairs import random_pair

NOTHING = -(1 << 20)
SCHEMES = [(2, -1, 1, 1), (2, -1, 0, 1), (5, -4, 10, 1), (1, -3, 0, 0), (0, -1, 0, 2), (-1, -2, 3, 1)]


def scheme(match, mismatch, *gaps, mode=Mode.GLOBAL):
    return Scheme(match_table(match, mismatch), *gaps, mode)


def best_scores(pair, costs, first, last):
    """Of all alignments within the diagonals, and of all that leave them: cells by what has been, and the last step."""
    rows, columns = len(pair.query), len(pair.subject)
    best = np.full((2, 3, rows + 1, columns + 1), NOTHING)
    best[0, 0, 0, 0] = 0
    for i in range(rows + 1):
        for j in range(columns + 1):
            if i + j == 0:
                continue
            cells = best[:, :, i, j]
            if i and j:
                score = costs.equal if pair.query[i - 1] == pair.subject[j - 1] else costs.unlike
                cells[:, 0] = best[:, :, i - 1, j - 1].max(axis=1) + score
            for kind, before in ((1, (i - 1, j)), (2, (i, j - 1))):
                if min(before) >= 0:
                    opened = best[:, :, *before].max(axis=1) - costs.gap(1)
                    cells[:, kind] = np.maximum(opened, best[:, kind, *before] - costs.gap_extend)
            if not first <= j - i <= last:
                cells[1], cells[0] = cells.max(axis=0), NOTHING
    return best[:, :, rows, columns].max(axis=1)


@pytest.mark.parametrize("numbers", SCHEMES, ids=str)
def test_no_alignment_that_leaves_a_band_passes_its_bound(numbers):
    rng = np.random.default_rng(3)
    costs = Costs.of(scheme(*numbers))
    met = 0
    for _ in range(12):
        pair = random_pair(rng, int(rng.integers(1, 5)), *rng.integers(20, 60, 2), related=0.5)
        lengths = np.array([[len(pair.query)], [len(pair.subject)]])
        if abs(len(pair.query) - len(pair.subject)) + 2 >= DIAGONALS:
            continue
        one = np.ones(1, np.int64)
        first = int(lowest(lengths, one)[0])
        assert first % 2 == 0
        last = first + DIAGONALS - 1
        assert first <= min(0, len(pair.subject) - len(pair.query))
        assert last >= max(0, len(pair.subject) - len(pair.query))
        inside, outside = best_scores(pair, costs, first, last)
        bound = int(bounds(lengths, one, costs)[0])
        assert max(outside, NOTHING // 2) <= max(bound, NOTHING // 2)
        if inside > bound:
            met += 1
            assert inside > outside
    assert met or numbers[0] <= 0


def test_bound_is_met_by_equal_letters_beside_the_band():
    # All letters are the same: the best that leaves the band loses no more than it must.
    costs, one = Costs.of(scheme(2, -1, 1, 1)), np.ones(1, np.int64)
    letters = np.zeros(50, np.uint8)
    pair = type("Pair", (), {"query": letters, "subject": letters})
    lengths = np.full((2, 1), 50)
    first = int(lowest(lengths, one)[0])
    _, outside = best_scores(pair, costs, first, first + DIAGONALS - 1)
    assert outside == bounds(lengths, one, costs)[0]


def test_what_scores_more_needs_less():
    costs = Costs.of(scheme(2, -1, 1, 1))
    lengths = np.full((2, 6), 4_096)
    scores = np.array([8_192, 7_800, 6_200, 6_000, 3_000, 0])
    found = needed(lengths, scores, costs)
    assert found.tolist() == [1, 8, 32, 0, 0, 0]
    enough = found > 0
    assert (bounds(lengths, found, costs) < scores)[enough].all()
    assert (bounds(lengths[:, 1:3], found[1:3] // 2, costs) >= scores[1:3]).all()


@pytest.mark.parametrize("letters", [1, 64, 512, 680, 800, 4_096, 7_500, 30_000])
def test_guessed_bands_hold_the_way_and_are_worth_it(letters):
    rows = np.arange(max(1, letters - 40), letters + 40)
    lengths = np.stack((rows, np.full(len(rows), letters)))
    lanes = guessed(lengths, Costs.of(scheme(2, -1, 1, 1)))
    assert set(lanes.tolist()) <= {0, *LANES}
    tried, chosen = lengths[:, lanes > 0], lanes[lanes > 0]
    first = lowest(tried, chosen)
    assert (first <= np.minimum(0, tried[1] - tried[0])).all()
    assert (first + chosen * DIAGONALS > np.maximum(0, tried[1] - tried[0])).all()
    assert (WORTH * chosen * DIAGONALS // 2 * tried.sum(axis=0) <= np.multiply(*tried)).all()
    assert bool(len(chosen)) == (letters in (800, 4_096, 7_500))


def test_schemes_of_other_kinds_have_no_bands():
    uneven = bases_table([[3, -2, 1, -4], [0, 2, -3, -1], [-1, 1, 4, -2], [-5, 0, -2, 1]])
    assert Costs.of(Scheme(uneven, 1, 1, Mode.GLOBAL)) is None
    assert Costs.of(Scheme(matrix_table("BLOSUM62"), 11, 1, Mode.GLOBAL)) is None
    assert Costs.of(scheme(-2, 1, 1, 1)) is None
    for mode in (Mode.LOCAL, Mode.SEMI_GLOBAL, Mode(True, False, False, False)):
        assert Costs.of(scheme(2, -1, 1, 1, mode=mode)) is None


def test_numbers_that_16_bits_do_not_hold_are_not_for_a_band():
    # A step of a diagonal is 4; before the first letters there may be 512 of them, and the last takes one more.
    assert Costs.of(scheme(2, -1, 1, 1)).longest == (32_767 - 4 * 515 - 2) // 4
    assert Costs.of(scheme(2, -1, 40_000, 1)).longest < 1
    lengths = np.array([[7_000, 7_676, 7_677], [7_000, 7_676, 7_677]])
    assert (guessed(lengths, Costs.of(scheme(2, -1, 1, 1))) > 0).tolist() == [True, True, False]
