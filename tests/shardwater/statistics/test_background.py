import math

import numpy as np
import pytest

from shardwater.errors import ScoringError
from shardwater.scoring.scoring import MATRICES, load_matrix
from shardwater.statistics.background import WithoutGaps, background
from shardwater.statistics.karlin_altschul import published


def test_frequencies_add_up():
    assert len(background()) == 20
    assert math.fsum(background()) == pytest.approx(1)


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_without_gaps_are_as_published(name):
    found, known = WithoutGaps.of(load_matrix(name).scores), published(name).ungapped
    assert found.lambda_ == pytest.approx(known.lambda_, abs=1e-4)
    # PAM250's is published as 0.98.
    assert found.alpha == pytest.approx(known.alpha, rel=0.035)
    assert found.alpha_v == pytest.approx(known.alpha_v, rel=1e-4)


def test_a_match_of_one_letter_and_no_other():
    scores = np.full((20, 20), -1)
    scores[0, 0] = 1
    p = background()[0] ** 2
    # p e^x + (1 - p) e^-x = 1 at e^x = (1 - p) / p.
    assert WithoutGaps.of(scores).lambda_ == pytest.approx(math.log((1 - p) / p))


def test_a_matrix_that_aligns_nothing_is_refused():
    with pytest.raises(ScoringError, match="no two residues score above 0"):
        WithoutGaps.of(np.full((20, 20), -1))


def test_a_matrix_that_aligns_everything_is_refused():
    with pytest.raises(ScoringError, match=r"score 2\.000 on average, and have to score below 0"):
        WithoutGaps.of(np.full((20, 20), 2))
