"""What every engine must do with pairs whose best alignments are known: find the next ones, which share no pair."""

from dataclasses import replace

import numpy as np
import pytest

from shardwater.alignment.alignment import Alignment, Run
from shardwater.alignment.gotoh import align_next
from shardwater.alignment.scheme import Scheme
from shardwater.engines.engine import Pair
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import encode
from tests.support.engine_inputs import ALL_LETTERS, AMINO_ACIDS, DEFAULT, GAPS, codes, family, random_letters, related
from tests.support.oracle import best_alignments, pairs_of
from tests.support.pssms import any_pssm, noisy_pssm


def all_of(engine, pairs, scoring, most):
    """The first alignments of each pair, so many at most, as an engine finds them."""
    pairs = list(pairs)
    left = list(range(len(pairs)))
    for _ in range(most):
        found = alignments_of(engine.align([pairs[number] for number in left], scoring))
        for number, alignment in zip(left, found, strict=True):
            if alignment is not None:
                pairs[number] = replace(pairs[number], taken=(*pairs[number].taken, alignment))
        left = [number for number, alignment in zip(left, found, strict=True) if alignment is not None]
    return [list(pair.taken) for pair in pairs]


def by_oracle(pair, gaps, most):
    if pair.pssm is None:
        return best_alignments(codes(pair.query), codes(pair.subject), DEFAULT.scores.tolist(), gaps, most)
    return best_alignments(range(len(pair.pssm)), codes(pair.subject), pair.pssm.scores.tolist(), gaps, most)


@pytest.mark.parametrize("gaps", GAPS)
def test_any_letters_and_ties_equal_the_oracle(engine, gaps):
    rng = np.random.default_rng([23, *gaps])
    pairs = []
    for letters, longest in ((ALL_LETTERS, 45), ("AW", 22), ("CAW", 30)):
        queries, subjects = family(rng, letters, (2, 4), longest)
        pairs += [Pair(query.encode(), subject.encode()) for query in queries for subject in subjects]
    pairs += [replace(pair, pssm=noisy_pssm(rng, pair.query, DEFAULT)) for pair in pairs[::4]]
    pairs += [replace(pair, pssm=any_pssm(rng, len(pair.query))) for pair in pairs[::9]]
    found = all_of(engine, pairs, Scoring("BLOSUM62", *gaps), 5)
    assert found == [by_oracle(pair, gaps, 5) for pair in pairs]
    assert max(map(len, found)) == 5


def test_repeats_of_hundreds_of_residues_equal_numpy(engine):
    rng = np.random.default_rng(24)
    unit = random_letters(rng, AMINO_ACIDS, 180)
    query = random_letters(rng, AMINO_ACIDS, 90) + unit + random_letters(rng, AMINO_ACIDS, 60)
    subjects = ["".join(related(rng, AMINO_ACIDS, unit) for _ in range(count)) for count in (1, 2, 4, 5)]
    pairs = [Pair(query.encode(), subject.encode()) for subject in subjects]
    pairs += [Pair(pair.subject, pair.query) for pair in pairs]
    found = all_of(engine, pairs, DEFAULT, 4)
    for pair, alignments in zip(pairs, found, strict=True):
        for number, alignment in enumerate(alignments):
            [expected] = align_next(
                encode(pair.query), [encode(pair.subject)], Scheme.local(DEFAULT), [alignments[:number]]
            )
            assert alignment == expected
        taken = [each for alignment in alignments for each in pairs_of(alignment)]
        assert len(set(taken)) == len(taken)


def test_pairs_of_all_kinds_together_are_what_each_is_alone(engine):
    rng = np.random.default_rng(25)
    queries, subjects = family(rng, AMINO_ACIDS, (3, 6), longest=120)
    plain = [Pair(query.encode(), subject.encode()) for query in queries for subject in subjects]
    found = all_of(engine, plain, DEFAULT, 2)
    pairs = [
        *plain,
        *(replace(pair, taken=tuple(each[:1])) for pair, each in zip(plain, found, strict=True)),
        *(replace(pair, taken=tuple(each)) for pair, each in zip(plain, found, strict=True)),
    ]
    pairs = [pairs[number] for number in rng.permutation(len(pairs))]
    alone = [alignments_of(engine.align([pair], DEFAULT)) for pair in pairs]
    parts = list(engine.align(pairs, DEFAULT))
    assert [[found] for found in alignments_of(parts)] == alone
    assert sum(each.cells.sum() for each in parts) == sum(len(pair.query) * len(pair.subject) for pair in pairs)


def test_scores_beyond_16_bits(engine):
    letters = b"W" * 3000
    whole = Alignment(33_000, 0, 3000, 0, 3000, (Run("M", 3000),))
    # Beside the main diagonal, one letter shorter; of the two the one whose query ends first.
    beside = Alignment(32_989, 0, 2999, 1, 3000, (Run("M", 2999),))
    assert all_of(engine, [Pair(letters, letters)], DEFAULT, 2) == [[whole, beside]]


def test_where_all_is_taken_nothing_is_left(engine):
    one = Alignment(11, 0, 1, 0, 1, (Run("M", 1),))
    assert alignments_of(engine.align([Pair(b"W", b"W", taken=(one,)), Pair(b"W", b"W")], DEFAULT)) == [None, one]
