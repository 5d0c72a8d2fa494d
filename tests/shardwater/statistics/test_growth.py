"""Gap costs under which chance alignments grow with the sequences are refused, and looked at once."""

import pytest

from shardwater.errors import ScoringError
from shardwater.scoring.scoring import Scoring
from shardwater.statistics import growth
from shardwater.statistics.growth import check_growth


@pytest.fixture
def looks(monkeypatch):
    """The gap costs that were looked at since then."""
    growth._growth.cache_clear()
    seen, batch = [], growth.score_batch

    def counted(query, subjects, scheme):
        seen.append((scheme.gap_open, scheme.gap_extend))
        return batch(query, subjects, scheme)

    monkeypatch.setattr(growth, "score_batch", counted)
    return seen


@pytest.mark.parametrize(("gap_open", "gap_extend"), [(7, 1), (4, 2), (0, 1)])
def test_costs_too_low_are_refused_each_time_and_looked_at_once(looks, gap_open, gap_extend):
    for _ in range(3):
        with pytest.raises(ScoringError, match=f"^gaps of {gap_open}/{gap_extend} cost so little that alignments"):
            check_growth(Scoring("BLOSUM62", gap_open, gap_extend))
    assert looks == [(gap_open, gap_extend)]


def test_published_costs_pass_and_dear_ones_are_not_looked_at_one_by_one(looks):
    for gap_open in (44, 45, 1000, 100_000):
        for gap_extend in (1, 44, 99, 5000):
            check_growth(Scoring("BLOSUM62", gap_open, gap_extend))
    assert looks == [(44, 1), (44, 44)]
    for matrix, *costs in (("BLOSUM62", 11, 1), ("BLOSUM62", 9, 1), ("PAM250", 17, 1), ("PAM30", 5, 2)):
        check_growth(Scoring(matrix, *costs))
