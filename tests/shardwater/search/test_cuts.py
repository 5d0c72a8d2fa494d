"""The least scores that may have an E-value, and how many subjects have them, told from counts."""

import numpy as np
import pytest

from shardwater.search.cuts import UNREACHED, reaching, within
from shardwater.statistics.distribution import LENGTH_EDGES, ROWS, SCORES, Counts, rows_of
from shardwater.statistics.length_regression import Fit

RISING, FALLING = Fit(4.1, 8.3, 22.0, 900, 100), Fit(-2.5, 60.0, 9.0, 1000, 0)
LONGEST = 40_000


@pytest.mark.parametrize(
    ("fit", "easiest"),
    [
        (RISING, sorted({edge for edge in LENGTH_EDGES if edge < LONGEST})),
        (FALLING, sorted({LONGEST, *(edge - 1 for edge in LENGTH_EDGES if 1 < edge < LONGEST)})),
    ],
    ids=["rising", "falling"],
)
@pytest.mark.parametrize("evalue", [1e-300, 1e-30, 1e-3, 10.0, 999.0])
def test_each_row_asks_for_what_its_easiest_length_needs(fit, easiest, evalue):
    least = within(fit, evalue, LONGEST)[rows_of(np.array(easiest))]

    def evalues(scores):
        return np.array(fit.evalues(fit.deviations(scores, easiest)))

    # Nobody below is within the limit; with two more everybody of that length is.
    assert (evalues(least - 1) > evalue)[least > 1].all()
    assert (evalues(least + 2) <= evalue).all()


def test_a_limit_of_as_many_as_there_are_asks_for_any_score_at_all():
    for evalue in (1000.0, 1e300):
        assert within(RISING, evalue, LONGEST).tolist() == [1] * ROWS


def test_no_score_is_asked_for_that_cannot_be_held():
    steep = Fit(0.0, 0.0, 1e18, 1000, 0)
    assert set(within(steep, 1e-300, 100).tolist()) == {UNREACHED}


def test_subjects_that_have_their_rows_least_score_are_counted():
    rng = np.random.default_rng(1)
    lengths, scores = rng.integers(1, 3000, 500), rng.integers(0, SCORES + 500, 500)
    least = rng.integers(1, SCORES + 300, ROWS).astype(np.int32)
    # The last column is that score or any higher one: who is there may have any least score.
    expected = sum(
        score >= least[row] or score >= SCORES - 1
        for row, score in zip(rows_of(lengths).tolist(), scores.tolist(), strict=True)
    )
    assert 0 < expected < 500
    assert reaching(Counts.of(lengths, scores), least) == expected
    assert reaching(Counts.of(lengths, scores), np.full(ROWS, UNREACHED, np.int32)) == (scores >= SCORES - 1).sum()
