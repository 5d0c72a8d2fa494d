import math

from hypothesis import given
from hypothesis import strategies as st

from shardwater.search.candidates import candidates
from shardwater.search.hits import Score

pairs = st.lists(st.tuples(st.integers(1, 60), st.integers(1, 40)), max_size=60)


def in_order(pairs):
    """Scores in the total order, and their lengths."""
    ordered = sorted(enumerate(pairs), key=lambda each: (-each[1][0], each[0]))
    return [Score(subject, score) for subject, (score, _) in ordered], [length for _, (_, length) in ordered]


def first_of(scores, lengths, most):
    """Who may be among the first."""
    return [scores[place] for place in candidates(lengths, most)]


@given(pairs, st.integers(0, 8), st.floats(-20, 20), st.floats(-20, 100))
def test_no_line_lets_another_subject_be_among_the_first(pairs, most, rho, limit):
    scores, lengths = in_order(pairs)
    found = first_of(scores, lengths, most)
    passing = [s for s, length in zip(scores, lengths, strict=True) if s.score - rho * math.log(length) >= limit]
    assert set(passing[:most]) <= set(found)


@given(pairs, st.integers(0, 8))
def test_the_first_are_always_candidates_in_their_order(pairs, most):
    scores, lengths = in_order(pairs)
    found = first_of(scores, lengths, most)
    assert found[:most] == scores[:most]
    assert [score for score in scores if score in set(found)] == found


def test_subjects_of_one_length_need_no_others():
    scores, lengths = in_order([(score, 300) for score in range(100, 0, -1)])
    assert first_of(scores, lengths, 7) == scores[:7]


def test_a_subject_shorter_than_all_before_may_pass_where_they_do_not():
    scores, lengths = in_order([(50, 300), (49, 300), (48, 100), (47, 200)])
    assert first_of(scores, lengths, 1) == [scores[0], scores[2]]


def test_of_10000_subjects_of_random_lengths_few_are_candidates():
    scores, lengths = in_order([(20_000 - n, 50 + (n * 7919) % 1009) for n in range(10_000)])
    assert 100 < len(first_of(scores, lengths, 100)) < 1500
