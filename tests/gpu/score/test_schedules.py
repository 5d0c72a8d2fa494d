"""The schedules of packs, by their kernels' own source on the CPU, against the oracle; device or not."""

import numpy as np
import pytest

from gpu.arithmetic import ARITHMETICS
from gpu.layout import PARTITION, SIMT_ITEMS, STRIPED_LANES
from gpu.score.partitions import RUN, partitions, runs
from shardwater.alignment.gotoh import align_batch, align_local
from shardwater.alignment.scheme import Scheme
from shardwater.scoring.scoring import MOST_OWN, Scoring
from shardwater.sequences.alphabet import encode
from tests.support.emulation.emulator import needs_compiler
from tests.support.emulation.searching import EmulatedShard, Search, counting
from tests.support.engine_inputs import ALL_LETTERS, AMINO_ACIDS, family, random_letters, worth
from tests.support.pssms import any_pssm, noisy_pssm

DEFAULT = Scoring("BLOSUM62", 11, 1)
SCHEDULES = ["strips", "simt", "striped"]
OLDER = ["simt", "striped"]
VL, PL = STRIPED_LANES, PARTITION


def coded(sequence):
    return encode(sequence.encode())


def oracle(query, subjects, scoring):
    return [found.score if found else 0 for found in align_local(query, subjects, scoring)]


def check(schedule, query, subjects, scoring=DEFAULT, *, backwards=False, packed="s16x2"):
    query, subjects = coded(query), [coded(each) for each in subjects]
    search = Search(schedule, query, scoring, ARITHMETICS[packed])
    assert EmulatedShard(subjects).scores(search, backwards=backwards) == oracle(query, subjects, scoring)


@needs_compiler
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("backwards", [False, True], ids=["first thread first", "last thread first"])
def test_random_pairs_and_relatives_are_scored_as_by_the_oracle(schedule, backwards):
    rng = np.random.default_rng(16)
    # Partitions of 16 vectors and of one; blocks of 8 columns, and one that is not full.
    queries, subjects = family(rng, AMINO_ACIDS, (1, 36), PL + 200)
    check(schedule, (queries[0] + random_letters(rng, AMINO_ACIDS, PL))[: PL + 9], subjects, backwards=backwards)


@needs_compiler
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_own_matrices_of_the_furthest_scores_are_exact(schedule):
    rng = np.random.default_rng(100)
    half = rng.choice([-MOST_OWN, -37, 0, 99, MOST_OWN], (24, 24), p=[0.4, 0.2, 0.2, 0.1, 0.1])
    rows = tuple(map(tuple, (np.triu(half) + np.triu(half, 1).T).tolist()))
    [query], subjects = family(rng, ALL_LETTERS, (1, 24), 120)
    check(schedule, query, subjects, Scoring("own", 11, 1, rows))


@needs_compiler
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("make", [any_pssm, lambda rng, positions: noisy_pssm(rng, b"W" * positions, DEFAULT)])
def test_scores_by_position_are_exact(schedule, make):
    rng = np.random.default_rng(101)
    scheme = Scheme.local(DEFAULT, make(rng, PL + 9))
    subjects = [coded(random_letters(rng, ALL_LETTERS, length)) for length in (1, 2, 33, 90, 90, 200)]
    subjects += [coded("W" * 150), coded("WWA" * 90)]
    places = scheme.places(b"W" * len(scheme.pssm))
    search = Search(schedule, places, DEFAULT, pssm=scheme.pssm)
    expected = [found.score if found else 0 for found in align_batch(places, subjects, scheme)]
    assert EmulatedShard(subjects).scores(search) == expected


@needs_compiler
@pytest.mark.parametrize("schedule", OLDER)
@pytest.mark.parametrize("gaps", [(10, 2), (40, 3), (0, 0)])
def test_gap_costs_dear_and_cheap_to_nothing(schedule, gaps):
    rng = np.random.default_rng(sum(gaps))
    [query], subjects = family(rng, AMINO_ACIDS, (1, 12), 150)
    check(schedule, (query * 9)[: PL + VL], subjects, Scoring("BLOSUM62", *gaps))


@needs_compiler
@pytest.mark.parametrize("schedule", OLDER)
def test_ambiguous_letters_and_ties_beside_amino_acids(schedule):
    rng = np.random.default_rng(24)
    query = random_letters(rng, ALL_LETTERS, VL * 4)
    subjects = [random_letters(rng, ALL_LETTERS, length) for length in (1, 2, 33, 90, 90)]
    check(schedule, query, [*subjects, query, query, query[::-1], "W", "W", "WW", "A" * 40])


@needs_compiler
@pytest.mark.parametrize("schedule", OLDER)
def test_query_lengths_at_the_borders_of_vectors_and_partitions(schedule):
    rng = np.random.default_rng(8)
    long = random_letters(rng, AMINO_ACIDS, PL + 1)
    subjects = [long[10:50] + long[60:], long[:90], long[200:], long[::-1], "W"]
    for length in (1, VL - 1, VL, VL + 1, PL - 1, PL, PL + 1):
        check(schedule, long[:length], subjects)


@needs_compiler
@pytest.mark.parametrize("schedule", OLDER)
def test_half_precision_finds_the_same(schedule):
    rng = np.random.default_rng(2)
    [query], subjects = family(rng, AMINO_ACIDS, (1, 8), 120)
    check(schedule, (query * 20)[: VL * 4], subjects, packed="half2")


@needs_compiler
@pytest.mark.parametrize(
    ("schedule", "packed", "largest"),
    [("simt", "half2", 2_048), ("striped", "half2", 2_048), ("simt", "s16x2", 32_767)],
)
def test_what_an_arithmetic_cannot_hold_is_listed_and_nothing_else(schedule, packed, largest):
    limit = largest - int(DEFAULT.scores.max())
    for score, found in ((limit, limit), (limit + 1, -1)):
        alike = coded(worth(score))
        search = Search(schedule, alike, DEFAULT, ARITHMETICS[packed])
        assert EmulatedShard([alike]).scores(search) == [found]


def rounds_of(query, subject, scoring):
    """The rounds of the lazy loop in each row, of the query's last partition."""
    shard = EmulatedShard([coded(subject)])
    search = counting(Search("striped", coded(query), scoring), shard)
    assert shard.scores(search) == oracle(coded(query), [coded(subject)], scoring)
    [rounds] = search.debug
    start = int(shard.packs.starts[0])
    return rounds[start : start + len(subject), shard.pair_of(0)].tolist()


@needs_compiler
def test_gap_that_crosses_a_partition_takes_all_rounds_of_the_next():
    # The first partition is matched whole. The gap begins there, and passes each lane of the next one but the last.
    rng = np.random.default_rng(7)
    head, tail = random_letters(rng, AMINO_ACIDS, PL), "YWH"
    rounds = rounds_of(head + "G" * (2 * VL - 3) + tail, head + tail, DEFAULT)
    # After few rows a gap cannot be paid for yet that comes so far.
    assert max(rounds[: PL // 8]) < VL - 1
    assert rounds[PL - 1] == VL - 1


@needs_compiler
def test_gap_within_a_partition_takes_all_rounds():
    # It costs nothing, so it passes from the first lane's only column to the last one's.
    assert rounds_of("W" + "G" * (VL - 2) + "Y", "WY", Scoring("BLOSUM62", 0, 0))[0] == VL - 1


@needs_compiler
def test_dear_gaps_take_no_rounds():
    rng = np.random.default_rng(5)
    query = random_letters(rng, AMINO_ACIDS, PL)
    assert set(rounds_of(query, query[: PL // 2], Scoring("BLOSUM62", 1000, 1000))) == {0}


def test_partitions_and_runs_cover_a_query_once():
    for length in [*range(1, 2 * RUN + 2), 35_213]:
        for cut, most in ((partitions, PL), (runs, RUN)):
            strips = cut(length)
            assert [strip.first for strip in strips] == list(range(0, length, most))
            assert sum(strip.columns(length) for strip in strips) == length
        assert all(strip.items <= PL // VL for strip in partitions(length))
        assert all(strip.items % SIMT_ITEMS == 0 for strip in runs(length))
