"""One alignment after the other, by gotoh.py and taken.py, against the oracle; stored whole and in parts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.alignment.alignment import Alignment, Run
from shardwater.alignment.gotoh import MEMORY, align_next
from shardwater.alignment.scheme import Scheme
from shardwater.alignment.taken import Taken, paired
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import encode
from tests.support.oracle import best_alignments, pairs_of
from tests.support.strategies import GAPS, alike, sequences

DEFAULT = Scoring("BLOSUM62", 11, 1)
MOST = 6


def codes(letters):
    return np.array(letters, np.uint8)


def one_after_the_other(query, subjects, scoring, memory=MEMORY, most=MOST):
    """Up to so many alignments of each subject."""
    found = [[] for _ in subjects]
    left = list(range(len(subjects)))
    for _ in range(most):
        earlier = [found[number] for number in left]
        batch = [codes(subjects[number]) for number in left]
        new = align_next(codes(query), batch, Scheme.local(scoring), earlier, memory) if left else []
        for number, alignment in zip(left, new, strict=True):
            if alignment is not None:
                found[number].append(alignment)
        left = [number for number, alignment in zip(left, new, strict=True) if alignment is not None]
    return found


@settings(max_examples=80)
@given(
    st.one_of(sequences, alike),
    st.lists(st.one_of(sequences, alike), min_size=1, max_size=3),
    st.sampled_from(GAPS),
    st.sampled_from([1, 700, MEMORY]),
)
def test_batch_equals_oracle(query, subjects, gaps, memory):
    scoring = Scoring("BLOSUM62", *gaps)
    table = scoring.scores.tolist()
    expected = [best_alignments(query, subject, table, gaps, MOST) for subject in subjects]
    assert one_after_the_other(query, subjects, scoring, memory) == expected


@pytest.mark.parametrize("memory", [2000, MEMORY])
def test_repeats_are_found_one_by_one(memory):
    unit = b"HEAGAWGHEEPAWHEAEKLMNPQRST"
    query, subject = encode(unit).tolist(), encode(unit + b"GGG" + unit + b"PPPPP" + unit).tolist()
    [found] = one_after_the_other(query, [subject], DEFAULT, memory, most=3)
    whole = (Run("M", len(unit)),)
    assert [each.runs for each in found] == [whole] * 3
    # Of equal ones the first end counts.
    assert [each.subject_start for each in found] == [0, len(unit) + 3, 2 * len(unit) + 8]


def test_a_gap_may_cross_what_is_taken():
    first = Alignment(33, 2, 5, 2, 5, (Run("M", 3),))
    query = encode(b"HHWWWHH")
    [found] = align_next(query, [query], Scheme.local(Scoring("BLOSUM62", 0, 1)), [[first]])
    # Three letters of both are left out, by the one gap and the other, between pairs that are free.
    assert found.runs == (Run("M", 2), Run("D", 1), Run("M", 2), Run("I", 1), Run("M", 2))
    assert not set(pairs_of(found)) & set(pairs_of(first))


def test_pairs_of_an_alignment():
    alignment = Alignment(9, 3, 9, 10, 15, (Run("M", 2), Run("I", 3), Run("D", 2), Run("M", 1)))
    rows, columns = paired(alignment)
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == pairs_of(alignment) == [(3, 10), (4, 11), (8, 14)]


def test_some_subjects_keep_their_pairs():
    batch = [[Alignment(1, 0, 2, 1, 3, (Run("M", 2),))], [], [Alignment(1, 1, 2, 5, 6, (Run("M", 1),))]]
    taken = Taken.of(batch, 3, 9)
    part = taken.select([2, 1])
    assert [[each.tolist() for each in taken.of_row(row)] for row in range(3)] == [
        [[1], [0]],
        [[2, 5], [0, 2]],
        [[], []],
    ]
    assert [[each.tolist() for each in part.of_row(row)] for row in range(3)] == [[[], []], [[5], [0]], [[], []]]
    pairs = taken.of_subject(0)
    assert pairs.among(np.array([0, 1, 1]), np.array([1, 1, 2])).tolist() == [True, False, True]
    assert not taken.of_subject(1).among(np.array([0]), np.array([1])).any()


@pytest.mark.parametrize(("query", "subject"), [(b"", b"W"), (b"W", b""), (b"A", b"W")])
def test_nothing_that_scores_is_none(query, subject):
    assert align_next(encode(query), [encode(subject)], Scheme.local(DEFAULT), [[]]) == [None]
