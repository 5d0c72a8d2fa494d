"""align_pairs: on the device the alignments that the oracle and gotoh.py give, run for run."""

from types import SimpleNamespace

import numpy as np
import pytest

from shardwater.alignment.alignment import Alignment, Run
from shardwater.alignment.gotoh import align_local
from shardwater.engines.engine import Pair
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.scoring import MATRICES, Scoring
from shardwater.sequences.alphabet import encode
from tests.support.engine_inputs import (
    ALL_LETTERS,
    AMINO_ACIDS,
    DEFAULT,
    GAPS,
    codes,
    family,
    mixed_pairs,
    random_letters,
    related,
    worth,
)
from tests.support.oracle import best_alignment, replay

pytestmark = pytest.mark.gpu

ITEMS, STRIP, BLOCK = 8, 256, 8 * 256
"""Columns of a lane, of a warp and of a whole block of warps."""


@pytest.fixture(scope="module")
def traceback():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.pairs import traceback

    return traceback


@pytest.fixture(scope="module")
def align_pairs(traceback):
    return lambda pairs, scoring: alignments_of(traceback.align_pairs(pairs, scoring))


def pair(query, subject):
    return Pair(query.encode(), subject.encode())


def on_host(pairs, scoring=DEFAULT):
    return [align_local(encode(pair.query), [encode(pair.subject)], scoring)[0] for pair in pairs]


def random_pairs(rng, letters, lengths):
    """A stranger and a relative for every two lengths: relatives make alignments long, with gaps."""
    pairs = []
    for query_length, subject_length in lengths:
        query = random_letters(rng, letters, query_length)
        pairs.append(pair(query, random_letters(rng, letters, subject_length)))
        pairs.append(pair(query, (related(rng, letters, query) * (subject_length + 1))[:subject_length]))
    return pairs


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("matrix", MATRICES)
def test_alignments_of_any_letters_equal_the_oracle(align_pairs, matrix, gaps):
    rng = np.random.default_rng([MATRICES.index(matrix), *gaps])
    queries, subjects = family(rng, ALL_LETTERS, (3, 6), longest=50)
    scoring = Scoring(matrix, *gaps)
    table = scoring.scores.tolist()
    sequences = [(query, subject) for query in queries for subject in subjects]
    found = align_pairs([pair(*both) for both in sequences], scoring)
    assert found == [best_alignment(codes(query), codes(subject), table, *gaps) for query, subject in sequences]
    for (query, subject), alignment in zip(sequences, found, strict=True):
        if alignment is not None:
            assert replay(alignment, codes(query), codes(subject), table, *gaps) == alignment.score


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("matrix", MATRICES)
def test_alignments_of_several_strips_equal_those_of_the_host(align_pairs, matrix, gaps):
    rng = np.random.default_rng([MATRICES.index(matrix), *gaps, 1])
    pairs = random_pairs(rng, ALL_LETTERS, [(300, 200), (520, 600), (900, 90)])
    scoring = Scoring(matrix, *gaps)
    assert align_pairs(pairs, scoring) == on_host(pairs, scoring)


@pytest.mark.parametrize("letters", ["W", "WC", "AST", "ILV", "W*"])
@pytest.mark.parametrize("gaps", GAPS)
def test_ties_in_sequences_of_few_letters_go_as_on_the_host(align_pairs, letters, gaps):
    rng = np.random.default_rng([len(letters), *gaps])
    pairs = random_pairs(rng, letters, [(5, 9), (40, 33), (257, 300), (600, 150)] * 3)
    scoring = Scoring("BLOSUM62", *gaps)
    assert align_pairs(pairs, scoring) == on_host(pairs, scoring)


@pytest.mark.parametrize("border", [ITEMS, 2 * ITEMS, STRIP - ITEMS, STRIP, 2 * STRIP, 3 * STRIP, BLOCK])
def test_query_lengths_beside_the_borders_of_lanes_strips_and_blocks(align_pairs, border):
    rng = np.random.default_rng(border)
    pairs = random_pairs(rng, AMINO_ACIDS, [(border + step, 70) for step in (-1, 0, 1)])
    pairs += [pair("A" * (border + step) + "HEAGW" * 3, "PHEAGW" * 3) for step in (-15, -8, -1, 0, 1)]
    assert align_pairs(pairs, DEFAULT) == on_host(pairs)


@pytest.mark.parametrize("border", [1, 32, 33, 64, 65, 96, 97, 8 * 64])
def test_subject_lengths_beside_the_borders_of_bursts(align_pairs, border):
    rng = np.random.default_rng(border)
    lengths = [(query, border + step) for query in (1, 31, 255, 700) for step in (0, 1, 2)]
    pairs = random_pairs(rng, AMINO_ACIDS, lengths)
    assert align_pairs(pairs, DEFAULT) == on_host(pairs)


@pytest.mark.parametrize("query_length", [BLOCK - 1, BLOCK + 300, 2 * BLOCK + 1])
@pytest.mark.parametrize("subject_length", [3, 450, 1500])
def test_queries_that_take_a_block_several_rounds(align_pairs, query_length, subject_length):
    rng = np.random.default_rng([query_length, subject_length])
    pairs = random_pairs(rng, AMINO_ACIDS, [(query_length, subject_length)])
    assert align_pairs(pairs, DEFAULT) == on_host(pairs)


@pytest.mark.parametrize("rounds", [1, 2])
def test_alignments_across_the_border_between_two_rounds(align_pairs, rounds):
    # Few rows, so that the first warp is done with its strip before the last has begun its own.
    rng = np.random.default_rng(rounds)
    query = random_letters(rng, AMINO_ACIDS, rounds * BLOCK + 300)
    subjects = [query[rounds * BLOCK - 50 : rounds * BLOCK + length] for length in (1, 20, 200)]
    found = align_pairs([pair(query, subject) for subject in subjects], DEFAULT)
    assert [alignment.runs for alignment in found] == [(Run("M", len(subject)),) for subject in subjects]
    assert {alignment.query_start for alignment in found} == {rounds * BLOCK - 50}


def test_gap_longer_than_a_strip_in_the_query_and_in_the_subject(align_pairs):
    rng = np.random.default_rng(1350)
    left, right = random_letters(rng, AMINO_ACIDS, 400) + "W", "H" + random_letters(rng, AMINO_ACIDS, 400)
    long, short, scoring = left + "P" * 700 + right, left + right, Scoring("BLOSUM62", 100, 1)
    score = int(DEFAULT.scores.diagonal()[codes(short)].sum()) - 800
    over, down = ((Run("M", 401), Run(kind, 700), Run("M", 401)) for kind in "ID")
    assert align_pairs([pair(long, short), pair(short, long)], scoring) == [
        Alignment(score, 0, len(long), 0, len(short), over),
        Alignment(score, 0, len(short), 0, len(long), down),
    ]


def test_first_of_equal_ends_is_by_query_then_by_subject(align_pairs):
    pairs = [pair("A" * 300 + "W" + "A" * 300 + "W", "PW" * 40), pair("W", "PPWPW"), pair("PWPW", "W")]
    assert [(found.query_end, found.subject_end) for found in align_pairs(pairs, DEFAULT)] == [
        (301, 2), (1, 3), (2, 1),
    ]  # fmt: skip


@pytest.mark.parametrize("score", [2048, 32_766, 32_767, 32_768, 65_534, 65_535, 65_536])
def test_alignments_that_score_beside_the_borders_of_16_bits(align_pairs, score):
    sequence = worth(score)
    whole = Alignment(score, 0, len(sequence), 0, len(sequence), (Run("M", len(sequence)),))
    assert align_pairs([pair(sequence, sequence)], DEFAULT) == [whole]


def test_pairs_with_nothing_to_align_give_none(align_pairs):
    pairs = [pair("W", "P"), pair("WWW", "WW"), pair("", "WW"), pair("WW", ""), pair("P" * 300, "W" * 300)]
    found = align_pairs(pairs, DEFAULT)
    assert found == [None, Alignment(22, 0, 2, 0, 2, (Run("M", 2),)), None, None, None]
    assert align_pairs([pair("W", "P")], DEFAULT) == [None]
    assert align_pairs([pair("", "")], DEFAULT) == [None]
    assert align_pairs([], DEFAULT) == []


def test_several_queries_mixed_keep_the_order_of_the_pairs(align_pairs):
    pairs = mixed_pairs(7)
    assert align_pairs(pairs, DEFAULT) == on_host(pairs)


def test_500_queries_with_20_subjects_each(align_pairs):
    rng = np.random.default_rng(500)
    queries = [random_letters(rng, AMINO_ACIDS, length) for length in rng.integers(10, 90, 500)]
    pairs = [pair(query, related(rng, AMINO_ACIDS, query)) for query in queries for _ in range(20)]
    found = align_pairs(pairs, DEFAULT)
    assert found[::97] == on_host(pairs[::97])
    table = DEFAULT.scores.tolist()
    for both, alignment in zip(pairs, found, strict=True):
        if alignment is not None:
            assert replay(alignment, codes(both.query), codes(both.subject), table, 11, 1) == alignment.score


def test_repeats_give_the_same_alignments(align_pairs):
    pairs = mixed_pairs(11)
    first = align_pairs(pairs, DEFAULT)
    assert all(align_pairs(pairs, DEFAULT) == first for _ in range(5))


# The moves of 30 x 30 residues take 8 KB, those of 700 x 500 take 204 KB: from no pair on the device to all at once.
@pytest.mark.parametrize("memory", [0, (8 << 10) - 1, 8 << 10, 12 << 10, 50 << 10, 1 << 20])
def test_little_memory_makes_batches_and_sends_long_pairs_to_the_host(traceback, monkeypatch, memory):
    monkeypatch.setattr(traceback, "MEMORY", memory)
    rng = np.random.default_rng(memory)
    pairs = random_pairs(rng, AMINO_ACIDS, [(30, 30), (700, 500), (200, 60), (1, 1), (257, 40)])
    parts = list(traceback.align_pairs(pairs, DEFAULT))
    assert alignments_of(parts) == on_host(pairs)
    assert sum(each.cells.sum() for each in parts) == sum(len(both.query) * len(both.subject) for both in pairs)


def test_no_more_than_a_quarter_of_the_free_memory_is_taken(traceback, monkeypatch):
    monkeypatch.setattr(traceback, "SMALL", 0)
    monkeypatch.setattr(traceback.cupy.cuda.runtime, "memGetInfo", lambda: (4 * (8 << 10), 1 << 30))
    monkeypatch.setattr(traceback.cupy, "get_default_memory_pool", lambda: SimpleNamespace(free_bytes=lambda: 0))
    pairs = [pair("W", "W"), pair("WW", "WW"), pair("W" * 300, "W" * 300)]
    parts = list(traceback.align_pairs(pairs, DEFAULT))
    assert alignments_of(parts) == on_host(pairs)
    # The longest goes to the host, which comes first; the others' 4 and 8 KB make two batches, the larger first.
    assert [each.cells.tolist() for each in parts if len(each)] == [[90_000], [4], [1]]


@pytest.mark.parametrize("taken", [1, 2])
def test_alignment_that_is_given_up_does_not_disturb_the_next(traceback, align_pairs, taken):
    pairs = [pair("W" * length, "W" * 30) for length in range(1, 30)]
    slices = traceback.align_pairs(pairs, DEFAULT)
    for _ in range(taken):
        next(slices)
    slices.close()
    assert [found.score for found in align_pairs(pairs, DEFAULT)] == [11 * length for length in range(1, 30)]


def test_pair_of_5478_by_35213_residues_finds_the_planted_piece(align_pairs):
    rng = np.random.default_rng(35_213)
    query, subject = random_letters(rng, AMINO_ACIDS, 5478), random_letters(rng, AMINO_ACIDS, 35_213)
    planted = subject[:20_000] + query[1000:2000] + query[2050:4000] + subject[22_950:]
    found = align_pairs([pair(query, planted)], Scoring("BLOSUM62", 11, 1))
    assert found == on_host([pair(query, planted)])
    assert found[0].query_end - found[0].query_start > 2900
