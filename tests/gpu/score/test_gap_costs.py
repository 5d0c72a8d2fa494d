"""Gap costs that have kernels of their own: bounded, whoever asks for which."""

import pytest

from gpu.score import gap_costs
from gpu.score.gap_costs import MOST_OTHERS, have_kernels
from shardwater.scoring.scoring import Scoring


@pytest.fixture(autouse=True)
def nobody_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gap_costs, "_others", set())


def test_published_costs_have_kernels_whatever_was_asked_for_before() -> None:
    for gap_open in range(1000, 1000 + 2 * MOST_OTHERS):
        have_kernels(Scoring("BLOSUM62", gap_open, 3))
    assert have_kernels(Scoring("BLOSUM62", 11, 1))
    assert have_kernels(Scoring("BLOSUM45", 13, 3))


def test_of_others_so_many_have_kernels_and_keep_them() -> None:
    asked = [Scoring("PAM30", gap_open, 3) for gap_open in range(1000, 1000 + MOST_OTHERS + 5)]
    for _ in range(2):
        assert [have_kernels(scoring) for scoring in asked] == [True] * MOST_OTHERS + [False] * 5


def test_the_matrix_makes_no_difference() -> None:
    for matrix in ("BLOSUM62", "PAM30", "BLOSUM45"):
        have_kernels(Scoring(matrix, 1000, 3))
    assert len(gap_costs._others) == 1
