"""striped.py against the oracle and against gotoh.py: the same alignments, to the last run."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("parasail", reason="there is no parasail for this processor")
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.alignment import striped
from shardwater.alignment.gotoh import align_batch, align_local
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.striped import align_pair, end_pair, score_pair
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.scoring.table import match_table
from shardwater.sequences.alphabet import encode
from tests.support.oracle import best_alignment
from tests.support.pair_oracle import best
from tests.support.pssms import any_pssm
from tests.support.schemes import MODES, dna, schemes
from tests.support.strategies import GAPS, alike, sequences

DEFAULT = Scheme.local(Scoring("BLOSUM62", 11, 1))


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(sequences, alike),
    st.one_of(sequences, alike),
    st.sampled_from(["BLOSUM62", "BLOSUM45", "PAM30", "PAM250"]),
    st.sampled_from(GAPS),
)
def test_pair_equals_oracle(query: list[int], subject: list[int], matrix: str, gaps: tuple[int, int]) -> None:
    scoring = Scoring(matrix, *gaps)
    found = align_pair(np.array(query, np.uint8), np.array(subject, np.uint8), Scheme.local(scoring))
    assert found == best_alignment(query, subject, scoring.scores.tolist(), *gaps)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 40), st.one_of(sequences, alike), st.sampled_from(GAPS), st.integers(0, 2**32), st.booleans())
def test_pair_with_scores_by_position_equals_oracle(
    positions: int, subject: list[int], gaps: tuple[int, int], seed: int, tying: bool
) -> None:
    """Where all scores are 3 or -2 many ends have the best one."""
    pssm = any_pssm(np.random.default_rng(seed), positions)
    if tying:
        pssm = Pssm(np.where(pssm.scores > 0, 3, -2).astype(np.int32))
    scheme = Scheme.local(Scoring("BLOSUM62", *gaps), pssm)
    pair, expected = (
        (scheme.places(b"W" * positions), np.array(subject, np.uint8)),
        best_alignment(range(positions), subject, pssm.scores.tolist(), *gaps),
    )
    assert align_pair(*pair, scheme) == expected
    assert align_batch(pair[0], [pair[1]], scheme) == [expected]
    assert score_pair(*pair, scheme) == (expected.score if expected else 0)


@settings(max_examples=500, deadline=None)
@given(dna, dna, schemes)
def test_pair_in_any_mode_equals_oracle(query: list[int], subject: list[int], scheme: Scheme) -> None:
    codes, expected = (np.array(query, np.uint8), np.array(subject, np.uint8)), best(query, subject, scheme)
    assert align_pair(*codes, scheme) == expected
    assert score_pair(*codes, scheme) == (expected.score if expected else 0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("gaps", [(0, 1), (1, 1), (10, 3), (2000, 900)])
def test_long_pairs_in_any_mode_equal_gotoh(mode: Mode, gaps: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    query = rng.integers(0, 4, 400).astype(np.uint8)
    kept = rng.random(400) < 0.9
    subject = np.where(rng.random(400) < 0.9, query, rng.integers(0, 4, 400))[kept].astype(np.uint8)
    scheme = Scheme(match_table(2, -1), *gaps, mode)
    pairs = ((query, subject), (subject[100:250], query), (query, subject[200:]))
    expected = [align_batch(one, [two], scheme)[0] for one, two in pairs]
    assert [align_pair(one, two, scheme) for one, two in pairs] == expected
    assert [score_pair(one, two, scheme) for one, two in pairs] == [found.score for found in expected if found]
    if not (mode.local or mode.query_begin or mode.subject_begin):
        assert [end_pair(one, two, scheme) for one, two in pairs] == [
            replace(each, runs=()) for each in expected if each
        ]
    monkeypatch.setattr(striped, "MOST_TABLE", 100)
    assert [align_pair(one, two, scheme) for one, two in pairs] == expected
    monkeypatch.setattr(striped, "parasail", None)
    assert [score_pair(one, two, scheme) for one, two in pairs] == [found.score for found in expected if found]


@pytest.mark.parametrize(
    "gaps",
    [(11, 1), (5, 2), (0, 1), (0, 0), (1, 0), (0, 160), (0, 5000), (3, 200), (11, 1000), (1, 500), (100_000,) * 2],
)
@pytest.mark.parametrize("seed", range(4))
def test_long_pairs_equal_gotoh(seed: int, gaps: tuple[int, int]) -> None:
    """Relatives with insertions and repeats of both lengths, where ends and gaps tie."""
    rng = np.random.default_rng(seed)
    core = rng.integers(0, (20, 3)[seed % 2], 150).astype(np.uint8)
    query = np.concatenate([core, rng.integers(0, 20, 40).astype(np.uint8), core[20:], core])
    kept = rng.random(len(query)) < 0.9
    subject = np.where(rng.random(len(query)) < 0.8, query, rng.integers(0, 20, len(query)))[kept].astype(np.uint8)
    scoring = Scoring("BLOSUM62", *gaps)
    for other in (subject, np.concatenate([subject, core, subject[::2], subject])):
        for one, two in ((query, other), (other, query)):
            assert [align_pair(one, two, Scheme.local(scoring))] == align_local(one, [two], scoring)


def test_a_table_beyond_the_memory_is_left_to_gotoh(monkeypatch: pytest.MonkeyPatch) -> None:
    query = encode(b"WWWWHHHHCCCCAAAAWWWWHHHHCCCC")
    subject = encode(b"WWWWHHHHCCCCWWWWHHHHCCCC")
    expected = align_pair(query, subject, DEFAULT)
    assert expected is not None
    assert len(expected.runs) > 1
    monkeypatch.setattr(striped, "MOST_TABLE", 100)
    assert align_pair(query, subject, DEFAULT) == expected


@pytest.mark.parametrize("gaps", [(0, 3841), (0, 100_000), (11, 1000)])
@pytest.mark.parametrize("length", [256, 400, 1500])
def test_dear_gaps_overflow_no_kernel(length: int, gaps: tuple[int, int]) -> None:
    query, scoring = encode(b"W" * length), Scoring("BLOSUM62", *gaps)
    longer = encode(b"W" * length + b"A" + b"W" * length)
    for subject in (query, longer):
        assert [align_pair(query, subject, Scheme.local(scoring))] == align_local(query, [subject], scoring)


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL, Mode.free(["query_begin", "subject_begin"])], ids=str)
@pytest.mark.parametrize("letters", [1, 2, 4, 8, 10])
@pytest.mark.parametrize("gaps", [(0, 0), (1, 1), (0, 5)])
def test_a_column_may_score_as_much_as_16_bits_hold(mode: Mode, letters: int, gaps: tuple[int, int]) -> None:
    codes = [np.arange(letters, dtype=np.uint8) % 4, np.arange(letters + 2, dtype=np.uint8) % 4]
    for most in (*range(20_000, 33_000, 500), 32_766, 32_767, 32_768, 65_535):
        scheme = Scheme(match_table(most // letters, -1), *gaps, mode)
        for query, subject in (codes, codes[::-1]):
            [expected] = align_batch(query, [subject], scheme)
            assert expected is not None
            assert align_pair(query, subject, scheme) == expected
            assert score_pair(query, subject, scheme) == expected.score


def test_scores_beyond_16_bits_are_found() -> None:
    query = encode(b"W" * 3000)
    found = align_pair(query, query, DEFAULT)
    assert found is not None
    assert (found.score, found.query_start, found.query_end) == (33_000, 0, 3000)


@pytest.mark.parametrize(("query", "subject"), [(b"", b"W"), (b"W", b""), (b"W", b"A"), (b"XX", b"XX")])
def test_what_does_not_score_has_no_alignment(query: bytes, subject: bytes) -> None:
    assert align_pair(encode(query), encode(subject), DEFAULT) is None
