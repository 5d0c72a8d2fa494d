"""gotoh.py against the oracle: scores, ends and the very path, stored whole and in parts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.alignment.alignment import Run
from shardwater.alignment.gotoh import align_local, score_batch
from shardwater.alignment.scheme import Scheme
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import encode
from tests.support.oracle import best_alignment, best_score, replay
from tests.support.strategies import GAPS, alike, sequences


def check(query: list[int], subjects: list[list[int]], scoring: Scoring, memory: int) -> None:
    codes = [np.array(subject, dtype=np.uint8) for subject in subjects]
    found = align_local(np.array(query, dtype=np.uint8), codes, scoring, memory)
    table = scoring.scores.tolist()
    for subject, alignment in zip(subjects, found, strict=True):
        assert alignment == best_alignment(query, subject, table, scoring.gap_open, scoring.gap_extend)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(sequences, alike),
    st.lists(st.one_of(sequences, alike), min_size=1, max_size=4),
    st.sampled_from(["BLOSUM62", "BLOSUM45", "PAM30", "PAM250"]),
    st.sampled_from(GAPS),
)
def test_batch_equals_oracle(query: list[int], subjects: list[list[int]], matrix: str, gaps: tuple[int, int]) -> None:
    check(query, subjects, Scoring(matrix, *gaps), memory=1 << 20)


@settings(max_examples=150, deadline=None)
@given(st.one_of(sequences, alike), st.one_of(sequences, alike), st.sampled_from(GAPS), st.integers(1, 2000))
def test_path_in_parts_equals_oracle(query: list[int], subject: list[int], gaps: tuple[int, int], memory: int) -> None:
    check(query, [subject], Scoring("BLOSUM62", *gaps), memory)


@pytest.mark.parametrize("memory", [1, 4000, 1 << 26])
def test_gap_longer_than_a_part_is_found_whole(memory: int) -> None:
    left, right = encode(b"WWWWWWWWWWCHWWWWWWWW"), encode(b"CCCCCCCCHHHHHHHHCCCCHHHH")
    query = np.concatenate((left, encode(b"A" * 50), right))
    subject = np.concatenate((left, right))
    [alignment] = align_local(query, [subject], Scoring("BLOSUM62", 11, 1), memory)
    assert alignment is not None
    assert alignment.runs == (Run("M", len(left)), Run("I", 50), Run("M", len(right)))
    [turned] = align_local(subject, [query], Scoring("BLOSUM62", 11, 1), memory)
    assert turned is not None
    assert turned.runs == (Run("M", len(left)), Run("D", 50), Run("M", len(right)))


def test_scores_beyond_16_bits() -> None:
    query = encode(b"W" * 3000)
    [alignment] = align_local(query, [query], Scoring("BLOSUM62", 11, 1))
    assert alignment is not None
    assert (alignment.score, alignment.query_end, alignment.runs) == (33_000, 3000, (Run("M", 3000),))


def test_no_letters_that_score_give_no_alignment() -> None:
    assert align_local(encode(b"AAA"), [encode(b"WWW"), encode(b"")], Scoring("BLOSUM62", 11, 1)) == [None, None]


def test_long_pair_replays_to_its_score() -> None:
    rng = np.random.default_rng(5)
    query = rng.integers(0, 20, 3000, dtype=np.uint8)
    subject = np.concatenate((query[200:1400], rng.integers(0, 20, 90, dtype=np.uint8), query[1500:2900]))
    scoring = Scoring("BLOSUM62", 11, 1)
    [whole] = align_local(query, [subject], scoring)
    [parts] = align_local(query, [subject], scoring, memory=1 << 16)
    assert whole == parts
    assert whole is not None
    assert replay(whole, query.tolist(), subject.tolist(), scoring.scores.tolist(), 11, 1) == whole.score


@settings(max_examples=100, deadline=None)
@given(
    st.one_of(sequences, alike), st.lists(st.one_of(sequences, alike), min_size=1, max_size=4), st.sampled_from(GAPS)
)
def test_score_alone_equals_oracle(query: list[int], subjects: list[list[int]], gaps: tuple[int, int]) -> None:
    scoring = Scoring("BLOSUM62", *gaps)
    codes = [np.array(subject, np.uint8) for subject in subjects]
    *_, found = score_batch(np.array(query, np.uint8), codes, Scheme.local(scoring))
    assert found.tolist() == [best_score(query, subject, scoring.scores.tolist(), *gaps) for subject in subjects]


def test_score_without_residues_is_0() -> None:
    scheme = Scheme.local(Scoring("BLOSUM62", 11, 1))
    for query, subject in ((b"", b"W"), (b"W", b""), (b"", b"")):
        *_, found = score_batch(encode(query), [encode(subject)], scheme)
        assert found.tolist() == [0]
