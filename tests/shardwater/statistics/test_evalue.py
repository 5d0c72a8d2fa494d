import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shardwater.errors import ScoringError
from shardwater.scoring.scoring import MATRICES, Scoring, load_matrix
from shardwater.statistics.evalue import (
    METHODS,
    GapCosts,
    SearchSpace,
    Statistics,
    length_adjustment,
    parameters,
    published_pairs,
)
from shardwater.statistics.karlin_altschul import published

DEFAULT = Scoring("BLOSUM62", 11, 1)
SWISSPROT = {"database_residues": 206_858_779, "database_subjects": 569_793}
# Robinson and Robinson 1991, in 1/100,000, in the order of the matrices' letters.
BACKGROUND = np.array(
    [
        *(7805, 5129, 4487, 5364, 1925, 4264, 6295, 7377, 2199, 5142),
        *(9019, 5744, 2243, 3856, 5203, 7120, 5841, 1330, 3216, 6441),
    ]
)

scorings = st.sampled_from(
    [Scoring(name, pair.gap_open, pair.gap_extend) for name in MATRICES for pair in published_pairs(name)]
)
lengths = st.integers(1, 40_000)
spaces = st.builds(
    SearchSpace,
    query_length=lengths,
    database_residues=st.integers(10**6, 10**11),
    database_subjects=st.integers(1, 10**4),
)


def table(query_length, database_residues, scoring=DEFAULT):
    return Statistics.of("table", scoring, SearchSpace(query_length, database_residues, 1))


def plain(query_length, scoring=DEFAULT):
    return Statistics.of("karlin-altschul", scoring, SearchSpace(query_length, **SWISSPROT))


def test_intercepts_of_the_default_scoring():
    row = parameters(DEFAULT)
    assert row.b == pytest.approx(-26.6016)
    assert row.beta_v == pytest.approx(-903.31536)
    assert row.tau == pytest.approx(-928.11696)


@pytest.mark.parametrize(("gap_open", "score", "bits"), [(11, 50, 23.8682), (11, 100, 43.1282), (10, 100, 40.4383)])
def test_bits(gap_open, score, bits):
    assert table(250, 200_000_000, Scoring("BLOSUM62", gap_open, 1)).bits(score, 300) == pytest.approx(bits, abs=6e-5)


@pytest.mark.parametrize(
    ("score", "query_length", "subject_length", "residues", "evalue"),
    [
        (50, 250, 300, 200_000_000, 1885.73),
        (100, 250, 300, 200_000_000, 1.05787e-3),
        (100, 30, 300, 200_000_000, 4.5139e-6),
        (60, 144, 361, 206_858_779, 45.2291),
        (200, 500, 35_213, 206_858_779, 8.02516e-15),
    ],
)
def test_finite_size_evalue(score, query_length, subject_length, residues, evalue):
    assert table(query_length, residues).evalue(score, subject_length) == pytest.approx(evalue, rel=3e-6)


@pytest.mark.parametrize(
    ("query_length", "subject_length", "evalue"), [(250, 300, 9_069_612.81566), (20, 25, 579_630.515847)]
)
def test_finite_size_evalue_where_variance_and_covariance_have_reached_their_floors(
    query_length, subject_length, evalue
):
    # The values come from the formula of docs/statistics.md by way of the standard library's NormalDist.
    assert table(query_length, 200_000_000).evalue(20, subject_length) == pytest.approx(evalue, rel=1e-9)


def test_an_empty_subject_has_a_finite_evalue():
    assert 0 < table(375, 200_000_000).evalue(0, 0) < math.inf


def test_finite_size_evalue_with_other_gap_costs():
    statistics = table(250, 200_000_000, Scoring("BLOSUM62", 10, 1))
    assert statistics.evalue(100, 300) == pytest.approx(4.04149e-3, rel=3e-6)


@pytest.mark.parametrize(("query_length", "adjustment"), [(30, 5), (144, 106), (375, 120), (1000, 128), (5478, 141)])
def test_length_adjustment_for_swissprot(query_length, adjustment):
    assert length_adjustment(parameters(DEFAULT), SearchSpace(query_length, **SWISSPROT)) == adjustment


def test_plain_evalue_for_swissprot():
    assert plain(375).evalue(100, 361) == pytest.approx(3.67333e-3, rel=2e-6)


def test_plain_evalue_is_the_same_for_every_subject():
    assert plain(375).evalue(100, 10) == plain(375).evalue(100, 35_213)


@pytest.mark.parametrize("method", ["table", "karlin-altschul"])
def test_report_figures_of_the_default_scoring(method):
    statistics = Statistics.of(method, DEFAULT, SearchSpace(375, **SWISSPROT))
    assert (statistics.lambda_, statistics.kappa, statistics.entropy) == (0.267, 0.041, 0.14)
    assert statistics.eff_space == (375 - 120) * (206_858_779 - 569_793 * 120)


def test_method_none_gives_no_figures_and_takes_any_gap_costs():
    statistics = Statistics.of("none", Scoring("BLOSUM62", 5, 5), SearchSpace(375, **SWISSPROT))
    assert (statistics.bits(100, 361), statistics.evalue(100, 361)) == (None, None)
    assert (statistics.lambda_, statistics.kappa, statistics.entropy, statistics.eff_space) == (None, None, None, None)


@pytest.mark.parametrize("method", ["table", "karlin-altschul"])
def test_gap_costs_without_published_statistics_are_refused_with_those_that_have_them(method):
    with pytest.raises(ScoringError) as refusal:
        Statistics.of(method, Scoring("BLOSUM62", 5, 5), SearchSpace(375, **SWISSPROT))
    assert str(refusal.value) == (
        "no published statistics for BLOSUM62 with gap costs 5/5; pairs that have them: "
        "11/1, 11/2, 10/2, 9/2, 8/2, 7/2, 6/2, 13/1, 12/1, 10/1, 9/1"
    )


def test_swapped_gap_costs_are_not_taken_for_a_published_pair():
    with pytest.raises(ScoringError, match="gap costs 1/11"):
        parameters(Scoring("BLOSUM62", 1, 11))


def test_a_matrix_without_a_table_is_refused():
    with pytest.raises(ScoringError, match="no published statistics for a matrix named 'PAM120'"):
        published_pairs("PAM120")


@pytest.mark.parametrize(
    ("matrix", "pairs"),
    [
        ("BLOSUM45", 13),
        ("BLOSUM50", 15),
        ("BLOSUM62", 11),
        ("BLOSUM80", 9),
        ("BLOSUM90", 7),
        ("PAM30", 10),
        ("PAM70", 8),
        ("PAM250", 15),
    ],
)
def test_published_pairs_begin_with_the_one_recommended(matrix, pairs):
    found = published_pairs(matrix)
    assert len(set(found)) == pairs
    assert [pair.recommended for pair in found] == [True] + [False] * (pairs - 1)


def test_published_pairs_of_blosum62_begin_with_11_1():
    assert published_pairs("blosum62")[:2] == (GapCosts(11, 1, recommended=True), GapCosts(11, 2))


def ungapped_lambda(scores, pairs):
    """The positive root of sum of p_i p_j e^(lambda s) = 1, by bisection."""
    low, high = 0.01, 2.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if (pairs * np.exp(middle * scores)).sum() > 1 else (middle, high)
    return low


@pytest.mark.parametrize("matrix", MATRICES)
def test_ungapped_lambda_and_entropy_follow_from_the_matrix_and_the_background(matrix):
    scores = load_matrix(matrix).scores[:20, :20]
    pairs = np.outer(BACKGROUND, BACKGROUND) / 1e10
    lambda_ = ungapped_lambda(scores, pairs)
    entropy = lambda_ * (pairs * scores * np.exp(lambda_ * scores)).sum()
    assert round(lambda_, 4) == published(matrix).ungapped.lambda_
    assert entropy == pytest.approx(published(matrix).ungapped.entropy, rel=5e-4)


def left(row, space, adjustment):
    database = space.database_residues - space.database_subjects * adjustment
    return row.kappa * (space.query_length - adjustment) * max(0, database)


def fits(row, space, adjustment):
    """Whether the adjustment leaves enough, and enough for chance to make an alignment as long as itself."""
    remaining = left(row, space, adjustment)
    if remaining < max(space.query_length, space.database_residues):
        return False
    return adjustment <= row.beta + row.alpha / row.lambda_ * math.log(remaining)


@given(scorings, st.integers(1, 400), st.integers(1, 10**6), st.integers(1, 2000))
def test_length_adjustment_is_the_largest_whole_length_that_fits(scoring, query_length, residues, subjects):
    row, space = parameters(scoring), SearchSpace(query_length, residues, subjects)
    # On the very limit of the search space rounding decides, here and in BLAST.
    assume(not any(math.isclose(left(row, space, each), max(query_length, residues)) for each in range(query_length)))
    fitting = [adjustment for adjustment in range(1, query_length) if fits(row, space, adjustment)]
    assert length_adjustment(row, space) == max(fitting, default=0)


@given(scorings, spaces)
def test_length_adjustment_leaves_something_of_query_and_database(scoring, space):
    adjustment = length_adjustment(parameters(scoring), space)
    assert 0 <= adjustment < space.query_length
    assert space.database_subjects * adjustment < space.database_residues


def test_a_query_shorter_than_the_adjustment_allows_is_not_shortened():
    assert length_adjustment(parameters(DEFAULT), SearchSpace(1, **SWISSPROT)) == 0
    assert plain(1).eff_space == 206_858_779


def test_an_empty_database_has_the_smallest_search_space():
    assert Statistics.of("table", DEFAULT, SearchSpace(375, 0, 0)).eff_space == 375


@given(scorings, spaces, lengths, st.integers(0, 5000))
def test_a_higher_score_never_has_a_larger_evalue(scoring, space, subject_length, score):
    for method in ("table", "karlin-altschul"):
        statistics = Statistics.of(method, scoring, space)
        assert 0 <= statistics.evalue(score + 1, subject_length) <= statistics.evalue(score, subject_length)


@given(scorings, spaces, st.integers(0, 150_000))
def test_a_higher_score_has_more_bits(scoring, space, score):
    statistics = Statistics.of("table", scoring, space)
    assert statistics.bits(score, 361) < statistics.bits(score + 1, 361)


@given(scorings, spaces, lengths, st.integers(0, 500))
def test_a_database_of_twice_the_size_doubles_the_evalue(scoring, space, subject_length, score):
    twice = SearchSpace(space.query_length, 2 * space.database_residues, 2 * space.database_subjects)
    small, large = (Statistics.of("table", scoring, each).evalue(score, subject_length) for each in (space, twice))
    assert large == pytest.approx(2 * small)


@given(scorings, lengths, lengths, st.integers(0, 500))
def test_query_and_subject_may_be_exchanged(scoring, a, b, score):
    # With the database as long as the subject, the E-value is that of the pair alone.
    one, other = (table(m, n, scoring).evalue(score, n) for m, n in ((a, b), (b, a)))
    assert one == pytest.approx(other)


@pytest.mark.parametrize("method", ["table", "karlin-altschul"])
@pytest.mark.parametrize("matrix", MATRICES)
def test_a_titin_sized_score_underflows_to_zero(method, matrix):
    statistics = Statistics.of(method, Scoring.recommended(matrix), SearchSpace(35_213, **SWISSPROT))
    assert statistics.evalue(150_000, 35_213) == 0.0


@pytest.mark.parametrize("method", ["table", "karlin-altschul"])
def test_score_0_between_single_residues_has_a_large_evalue(method):
    statistics = Statistics.of(method, DEFAULT, SearchSpace(1, **SWISSPROT))
    assert 1e6 < statistics.evalue(0, 1) < math.inf


def test_an_impossible_score_of_a_short_query_is_not_below_zero():
    assert table(1, 200_000_000).evalue(1500, 1) >= 0.0


def test_the_default_method_comes_first():
    assert METHODS == ("table", "karlin-altschul", "simulated", "fitted", "none")


@pytest.mark.parametrize("matrix", MATRICES)
def test_the_documentation_lists_the_published_pairs(matrix):
    text = (Path(__file__).parents[3] / "docs" / "statistics.md").read_text(encoding="utf-8")
    recommended, *others = map(str, published_pairs(matrix))
    assert f"| {matrix} | {recommended} | {', '.join(others)} |" in text
