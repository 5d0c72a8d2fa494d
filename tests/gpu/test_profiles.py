"""Queries with scores by position on a device: all schedules and arithmetics, long subjects, parts, little memory."""

import numpy as np
import pytest

from gpu import device_count
from shardwater.alignment.gotoh import align_batch, score_batch
from shardwater.alignment.scheme import Scheme
from shardwater.engines.engine import Pair
from shardwater.engines.schedules import SCHEDULES
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import encode
from tests.support.answers import best_of, scores_of
from tests.support.engine_inputs import ALL_LETTERS, AMINO_ACIDS, DEFAULT, random_letters, related
from tests.support.pssms import any_pssm, noisy_pssm, with_pssm

pytestmark = pytest.mark.gpu

DEAR = Scoring("BLOSUM62", 40_000, 7)
"""Beyond what 16 bits hold: all subjects are scored in 32."""
OWN = Scoring("BLOSUM62", 17, 5)
"""Costs that nothing is published for."""


@pytest.fixture
def open_gpu():
    """open_gpu(memory=..., arithmetic=..., schedule=...): an engine on the device."""
    if not device_count():
        pytest.skip("no CUDA device")
    from gpu.engine import GpuEngine

    return GpuEngine


@pytest.fixture
def database(build):
    """150 subjects, some related to the profiles' sequences, some with any letters, and one of 9,000 residues."""
    rng = np.random.default_rng(21)
    base = base_of(700)
    sequences = [
        related(rng, AMINO_ACIDS, base[: 200 + number]) if number % 3 == 0 else random_letters(rng, letters, length)
        for number, length in enumerate(rng.integers(1, 400, 150).tolist())
        for letters in [ALL_LETTERS if number % 3 == 1 else AMINO_ACIDS]
    ]
    long = random_letters(rng, AMINO_ACIDS, 4000) + base + random_letters(rng, AMINO_ACIDS, 4300)
    return build([(f"s{number}", each) for number, each in enumerate([*sequences, long])])


def base_of(length):
    return random_letters(np.random.default_rng(length), AMINO_ACIDS, length)


def queries(lengths):
    rng = np.random.default_rng(5)
    for number, length in enumerate(lengths):
        query = base_of(700)[:length].encode()
        pssm = any_pssm(rng, length) if number % 3 == 2 else noisy_pssm(rng, query, DEFAULT)
        yield with_pssm(f"q{number}", query, pssm)


def on_host(database, query, scoring):
    scheme = Scheme.local(scoring, query.pssm)
    subjects = [encode(database.sequence(subject)) for subject in range(len(database))]
    *_, scores = score_batch(scheme.places(query.residues), subjects, scheme)
    return scores.tolist()


@pytest.mark.parametrize("how", [*SCHEDULES, "half2", "float", "int32"])
def test_schedules_and_arithmetics_are_exact(open_gpu, database, how):
    engine = open_gpu(schedule=how) if how in SCHEDULES else open_gpu(arithmetic=how)
    engine.load(database.shard(0, 1))
    for query in queries((1, 9, 128, 136, 137, 257, 260, 700)):
        assert scores_of(engine, query, DEFAULT).tolist() == on_host(database, query, DEFAULT)


@pytest.mark.parametrize("scoring", [DEAR, OWN, Scoring("PAM30", 0, 1), Scoring("BLOSUM62", 0, 0)], ids=str)
def test_gap_costs_are_those_of_the_scoring(open_gpu, database, scoring):
    engine = open_gpu()
    engine.load(database.shard(0, 1))
    for query in queries((40, 300, 120)):
        assert scores_of(engine, query, scoring).tolist() == on_host(database, query, scoring)


def test_long_subjects_in_pieces_are_as_long_as_the_pssm_asks(open_gpu, build):
    # Each position scores 30 with W: an alignment pays for gaps ten times as long as one by the matrix.
    scores = np.full((300, 24), -4, np.int32)
    scores[:, 17] = 30
    query = with_pssm("w", b"A" * 300, Pssm(scores))
    long = "P" * 3000 + "W" * 150 + "P" * 4400 + "W" * 150 + "P" * 3000
    engine = open_gpu()
    engine.load(build([("long", long), *((f"s{n}", "A" * 50) for n in range(2000))]).shard(0, 1))
    # 300 W's, and a gap of 4,400.
    assert [each.score for each in best_of(engine, [query], DEFAULT, 1)[0]] == [9000 - 11 - 4400]


def test_a_streamed_shard_gives_the_same_scores(open_gpu, database):
    whole, streamed = open_gpu(), open_gpu(memory=28 * 9000)
    for engine in (whole, streamed):
        engine.load(database.shard(0, 1))
    assert streamed.parts >= 3
    asked = list(queries((5, 144, 700)))
    assert best_of(streamed, asked, DEFAULT, 40) == best_of(whole, asked, DEFAULT, 40)


@pytest.mark.parametrize("score", [32_667, 32_668])
def test_what_16_bits_cannot_hold_is_scored_again(open_gpu, build, score):
    scores = np.full((327, 24), -100, np.int32)
    scores[:, 17] = 100
    scores[-1, 17] = score - 32_600
    engine = open_gpu()
    engine.load(build([("a", "A"), ("w", "W" * 327)]).shard(0, 1))
    [[best]] = best_of(engine, [with_pssm("w", b"A" * 327, Pssm(scores))], DEFAULT, 1)
    assert best.score == score
    # 100 below 32,767 a value may be another one that went round.
    assert engine.rescored == (score > 32_667)


@pytest.mark.parametrize("memory", [0, 50 << 10, 1 << 20])
def test_alignments_in_batches_and_on_the_host_are_the_same(open_gpu, monkeypatch, memory):
    engine = open_gpu()
    monkeypatch.setattr("gpu.pairs.traceback.MEMORY", memory)
    rng = np.random.default_rng(memory)
    asked = list(queries((30, 257, 700)))
    pairs = [
        Pair(query.residues, subject, pssm)
        for query in asked
        for subject in (random_letters(rng, ALL_LETTERS, 60).encode(), related(rng, AMINO_ACIDS, base_of(700)).encode())
        for pssm in (query.pssm, None)
    ]
    schemes = [Scheme.local(DEFAULT, pair.pssm) for pair in pairs]
    expected = [
        align_batch(scheme.places(pair.query), [encode(pair.subject)], scheme)[0]
        for pair, scheme in zip(pairs, schemes, strict=True)
    ]
    assert alignments_of(engine.align(pairs, DEFAULT)) == expected
