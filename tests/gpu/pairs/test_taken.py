"""Alignments where some pairs of letters are taken: the kernels' own source on the CPU, and a device, by the host's."""

import numpy as np
import pytest

from gpu.family import NEXT_PAIRS, PAIRS
from gpu.layout import FOUND_WORDS, KIND_BITS, PAIR_WARPS, RUN_KINDS, WARP
from gpu.pairs.shapes import Shapes
from gpu.pairs.taken import runs_of
from shardwater.alignment.alignment import Alignment, Run
from shardwater.alignment.gotoh import align_next
from shardwater.alignment.scheme import Scheme
from shardwater.engines.engine import Pair
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import encode
from tests.support.emulation.emulator import kernel, needs_compiler
from tests.support.engine_inputs import AMINO_ACIDS, DEFAULT, GAPS, random_letters, related
from tests.support.pssms import noisy_pssm

KINDS = dict(enumerate(RUN_KINDS))
PROFILE_BYTES = 24 * 256


def on_host(pairs, scoring=DEFAULT):
    found = []
    for pair in pairs:
        scheme = Scheme.local(scoring, pair.pssm)
        found += align_next(scheme.places(pair.query), [encode(pair.subject)], scheme, [pair.taken])
    return found


def with_taken(pairs, scoring, most):
    """Pairs with none, one, two, ... of their alignments taken, in turn."""
    found = []
    for number, pair in enumerate(pairs):
        taken = []
        for _ in range(number % (most + 1)):
            [new] = on_host([Pair(pair.query, pair.subject, pair.pssm, tuple(taken))], scoring)
            if new is None:
                break
            taken.append(new)
        found.append(Pair(pair.query, pair.subject, pair.pssm, tuple(taken)))
    return found


def repeats(rng, lengths, letters=AMINO_ACIDS):
    """Pairs with several like stretches."""
    for query_length, unit_length in lengths:
        query = random_letters(rng, letters, query_length)
        unit = query[query_length // 3 :][:unit_length]
        subject = random_letters(rng, letters, 7).join([related(rng, letters, unit) for _ in range(3)])
        yield Pair(query.encode(), subject.encode())


def emulated(pairs, scoring):
    """The alignments of pairs of which some letters are taken, by take.cu and align.cu as traceback.py calls them."""
    shapes = Shapes.of(pairs)
    queries, subjects = shapes.queries, shapes.subjects
    begins = [np.cumsum(each) - each for each in (queries + subjects, shapes.moves, shapes.scratch)]
    descriptors = np.stack((begins[0], queries, subjects, begins[1], begins[2], np.full(len(pairs), -1)), axis=1)
    letters = np.concatenate([encode(part) for pair in pairs for part in (pair.query, pair.subject)])
    moves = np.zeros(int(shapes.moves.sum()), np.uint32)
    scratch = np.zeros(int(shapes.scratch.sum()), np.int32)
    found, count = np.zeros((len(pairs), FOUND_WORDS), np.int32), np.zeros(1, np.int32)
    runs = np.zeros(int((queries + subjects).sum()), np.int32)
    taken = runs_of([pair.taken for pair in pairs], shapes)
    if len(taken):
        kernel("take")((len(taken),), (WARP,), (taken, moves))
    warps = min(PAIR_WARPS, int(shapes.strips.max()))
    best = int(shapes.best(Scheme.local(scoring)).max())
    gap_open, gap_extend = min(scoring.gap_open, best + 1), min(scoring.gap_extend, best + 1)
    arguments = (
        descriptors, letters, scoring.scores.astype(np.int8), np.int32(-gap_open - gap_extend), np.int32(-gap_extend),
        np.int32(24), np.int32(0), moves, scratch, runs, count, found,
    )  # fmt: skip
    launch = kernel("align", **(NEXT_PAIRS if len(taken) else PAIRS).macros)
    launch((len(pairs),), (warps * WARP,), arguments, shared_mem=warps * PROFILE_BYTES)
    return [_alignment(each, runs.tolist()) for each in found.tolist()]


def _alignment(found, words):
    score, query_start, query_end, subject_start, subject_end, first, last, _ = found
    if not score:
        return None
    runs = tuple(Run(KINDS[word & (1 << KIND_BITS) - 1], word >> KIND_BITS) for word in words[first:last])
    return Alignment(score, query_start, query_end, subject_start, subject_end, runs)


def test_runs_of_pairs_are_those_of_letters_alone():
    alignment = Alignment(9, 3, 9, 10, 15, (Run("M", 2), Run("I", 3), Run("D", 2), Run("M", 1)))
    pairs = [Pair(b"W" * 20, b"W" * 40), Pair(b"W" * 20, b"W" * 30)]
    shapes = Shapes.of(pairs)
    second = int(shapes.moves[0])
    assert runs_of([(), (alignment, alignment)], shapes).tolist() == [
        *([second, 30, 3, 10, 2], [second, 30, 8, 14, 1]) * 2,
    ]
    assert runs_of([(), ()], shapes).shape == (0, 5)


@needs_compiler
@pytest.mark.parametrize("gaps", [(11, 1), (0, 0), (2, 1)])
def test_kernels_on_the_cpu_find_what_the_host_finds(gaps):
    rng = np.random.default_rng(gaps)
    scoring = Scoring("BLOSUM62", *gaps)
    some = list(repeats(rng, [(30, 9), (12, 12), (70, 40)])) + list(repeats(rng, [(40, 20)] * 2, "AW"))
    pairs = with_taken(some + some, scoring, 3)
    assert emulated(pairs, scoring) == on_host(pairs, scoring)


@needs_compiler
def test_marks_lie_where_moves_of_several_strips_and_bursts_lie():
    rng = np.random.default_rng(600)
    pairs = with_taken([*repeats(rng, [(300, 60)]), *repeats(rng, [(520, 90)])], DEFAULT, 1)
    pairs = [Pair(pair.query, pair.subject, None, tuple(on_host([pair]))) for pair in pairs]
    assert emulated(pairs, DEFAULT) == on_host(pairs)


@pytest.fixture(scope="module")
def align_pairs():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.pairs import traceback

    return lambda pairs, scoring: alignments_of(traceback.align_pairs(pairs, scoring))


@pytest.mark.gpu
@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("letters", [AMINO_ACIDS, "AW", "ILV"])
def test_a_device_finds_what_the_host_finds(align_pairs, letters, gaps):
    rng = np.random.default_rng([len(letters), *gaps])
    scoring = Scoring("BLOSUM62", *gaps)
    pairs = with_taken(list(repeats(rng, [(20, 9), (90, 40), (257, 100), (700, 120)] * 4, letters)), scoring, 6)
    assert align_pairs(pairs, scoring) == on_host(pairs, scoring)


@pytest.mark.gpu
def test_queries_longer_than_a_block_and_with_pssms(align_pairs):
    rng = np.random.default_rng(2300)
    some = list(repeats(rng, [(2300, 500), (5000, 300), (300, 200), (64, 32)]))
    some += [Pair(pair.query, pair.subject, noisy_pssm(rng, pair.query, DEFAULT)) for pair in some]
    pairs = with_taken([*some, *some], DEFAULT, 4)
    assert align_pairs(pairs, DEFAULT) == on_host(pairs)


@pytest.mark.gpu
def test_little_memory_sends_pairs_to_the_host(align_pairs, monkeypatch):
    from gpu.pairs import traceback

    rng = np.random.default_rng(9)
    pairs = with_taken(list(repeats(rng, [(30, 12), (300, 90), (60, 30)] * 3)), DEFAULT, 3)
    for memory in (0, 12 << 10, 200 << 10):
        monkeypatch.setattr(traceback, "MEMORY", memory)
        assert align_pairs(pairs, DEFAULT) == on_host(pairs)
