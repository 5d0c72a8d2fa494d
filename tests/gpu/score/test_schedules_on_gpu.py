"""The two designs of CUDASW++2.0 on a device: the scores of the oracle, of the published golden sums, and of strips."""

import numpy as np
import pytest

from gpu import device_count
from gpu.layout import PARTITION, STRIPED_LANES
from shardwater.alignment.gotoh import align_local
from shardwater.engines.schedules import SCHEDULES
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import Score
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record, read_fasta
from tests.support.answers import best_of, scores_of
from tests.support.engine_inputs import ALL_LETTERS, AMINO_ACIDS, random_letters, related, worth

pytestmark = pytest.mark.gpu

DEFAULT = Scoring("BLOSUM62", 11, 1)
OLDER = SCHEDULES[1:]
VL, PL = STRIPED_LANES, PARTITION
QUERIES = 20
SUBJECTS = 100
"""Of each query: 2,000 pairs."""


@pytest.fixture
def loaded(build, monkeypatch):
    """loaded(schedule, sequences, **engine): an engine with these subjects, all of them in packs."""
    if not device_count():
        pytest.skip("no CUDA device")
    from gpu.engine import GpuEngine
    from gpu.score.schedules import Simt, Striped

    for schedule in (Simt, Striped):
        monkeypatch.setattr(schedule, "longest", lambda self: 1 << 30)

    def engine(schedule, sequences, **how):
        found = GpuEngine(schedule=schedule, **how)
        found.load(build([(f"s{number}", each) for number, each in enumerate(sequences)]).shard(0, 1))
        return found

    return engine


def record(sequence):
    return Record("q", sequence.encode())


def check(engine, sequences, query, scoring=DEFAULT):
    """Scores of subjects, which stand by length in a shard, ties as they came."""
    ordered = sorted(sequences, key=len)
    expected = align_local(encode(query.encode()), [encode(each.encode()) for each in ordered], scoring)
    found = scores_of(engine, record(query), scoring).tolist()
    assert found == [alignment.score if alignment else 0 for alignment in expected]


def pairs(rng, lengths):
    """Queries of these lengths, and for each as many subjects of like lengths, every other one a relative of it."""
    queries = [random_letters(rng, AMINO_ACIDS, length) for length in lengths]
    strangers = [random_letters(rng, AMINO_ACIDS, length) for length in rng.permutation(lengths)]
    relatives = [related(rng, AMINO_ACIDS, query) for query in queries]
    return queries, [each for two in zip(strangers, relatives, strict=True) for each in two]


@pytest.mark.parametrize("schedule", OLDER)
@pytest.mark.parametrize(("shortest", "longest"), [(1, 700), (1500, 5478)])
@pytest.mark.parametrize("gaps", [(10, 2), (40, 3)])
def test_random_pairs_are_scored_as_by_the_oracle(loaded, schedule, shortest, longest, gaps):
    rng = np.random.default_rng(longest)
    # Of the long ones fewer, each with fewer: the oracle is the one that takes the time.
    number = SUBJECTS // 2 if longest == 700 else 5
    queries, subjects = pairs(rng, rng.integers(shortest, longest + 1, number))
    engine = loaded(schedule, subjects)
    for query in queries[: QUERIES if longest == 700 else 4]:
        check(engine, subjects, query, Scoring("BLOSUM62", *gaps))


@pytest.mark.parametrize("schedule", OLDER)
@pytest.mark.parametrize("gaps", [(10, 2), (20, 2), (40, 3), (0, 1), (0, 0), (11, 1)])
def test_all_pairs_are_scored_as_by_strips(loaded, schedule, gaps):
    rng = np.random.default_rng(sum(gaps))
    lengths = [*rng.integers(1, 701, 40), *rng.integers(1500, 5479, 10)]
    queries, subjects = pairs(rng, lengths)
    subjects += [random_letters(rng, ALL_LETTERS, length) for length in rng.integers(1, 701, 100)]
    queries.append(random_letters(rng, ALL_LETTERS, 300))
    tried, usual = loaded(schedule, subjects), loaded("strips", subjects)
    scoring = Scoring("BLOSUM62", *gaps)
    for query in queries:
        assert np.array_equal(scores_of(tried, record(query), scoring), scores_of(usual, record(query), scoring))


@pytest.mark.shared
@pytest.mark.parametrize("schedule", OLDER)
@pytest.mark.parametrize(("gaps", "total"), [((10, 2), 236_169), ((20, 2), 234_711), ((40, 3), 234_607)])
def test_golden_sums(loaded, shared, schedule, gaps, total):
    queries = read_fasta((shared / "queries20.fasta").read_bytes())
    engine = loaded(schedule, [query.residues.decode() for query in queries])
    assert sum(int(scores_of(engine, query, Scoring("BLOSUM62", *gaps)).sum()) for query in queries) == total


@pytest.mark.parametrize("schedule", OLDER)
@pytest.mark.parametrize("length", [1, VL - 1, VL, VL + 1, PL - 1, PL, PL + 1, 2 * PL, 513, 1024])
def test_query_lengths_at_borders(loaded, schedule, length):
    rng = np.random.default_rng(length)
    query = random_letters(rng, AMINO_ACIDS, length)
    subjects = [query, query[::-1], related(rng, AMINO_ACIDS, query), *(query[n:] for n in range(0, length, 97))]
    check(loaded(schedule, subjects), subjects, query)


@pytest.mark.parametrize("schedule", OLDER)
def test_gap_across_a_partition_and_gap_over_all_lanes(loaded, schedule):
    rng = np.random.default_rng(7)
    head, tail = random_letters(rng, AMINO_ACIDS, PL), "YWH"
    crossing = [head + tail, head + "G" * 5 + tail]
    check(loaded(schedule, crossing), crossing, head + "G" * (2 * VL - 3) + tail)
    check(loaded(schedule, ["WY"]), ["WY"], "W" + "G" * (VL - 2) + "Y", Scoring("BLOSUM62", 0, 0))


@pytest.mark.parametrize("schedule", OLDER)
@pytest.mark.parametrize(("arithmetic", "largest"), [("s16x2", 32_767), ("half2", 2_048)])
def test_what_an_arithmetic_cannot_hold_is_scored_again(loaded, schedule, arithmetic, largest):
    limit = largest - 11
    for score in (limit, limit + 1, largest + 1):
        engine = loaded(schedule, [worth(score), "AAAA"], arithmetic=arithmetic)
        [found] = best_of(engine, [record(worth(score))], DEFAULT, 1)
        # By length the other one comes first.
        assert found == [Score(1, score)]
        assert engine.rescored == (score > limit)


@pytest.mark.parametrize("schedule", OLDER)
def test_ties_are_cut_by_subject_index(loaded, schedule):
    engine = loaded(schedule, ["WWA" if number == 900 else "WWW" for number in range(1000)])
    assert best_of(engine, [record("WWW")], DEFAULT, 999) == [[Score(n + (n >= 900), 33) for n in range(999)]]


@pytest.mark.parametrize("schedule", OLDER)
def test_subjects_beyond_the_longest_are_left_to_single_ones(loaded, schedule, monkeypatch):
    from gpu.score.schedules import BY_NAME

    monkeypatch.setattr(type(BY_NAME[schedule]), "longest", lambda self: 500)
    rng = np.random.default_rng(4)
    subjects = [random_letters(rng, ALL_LETTERS, length) for length in (*range(450, 560, 10), 3000)]
    check(loaded(schedule, subjects), subjects, subjects[-1][1000:1400])


def test_pairs_of_few_cells_are_left_to_threads_of_their_own(loaded, monkeypatch):
    from gpu.device import tuned
    from gpu.score.schedules import Simt

    taken, steps = [], Simt.steps
    monkeypatch.setattr(Simt, "steps", lambda self, *how: taken.append(1) or steps(self, *how))
    rng = np.random.default_rng(11)
    subjects = [random_letters(rng, ALL_LETTERS, length) for length in rng.integers(1, 31, 500)]
    subjects.append(random_letters(rng, AMINO_ACIDS, 30))
    most = tuned().simt_cells // 30
    engine = loaded("strips", subjects)
    for length, told in ((1, True), (most, True), (most + 1, False)):
        taken.clear()
        check(engine, subjects, random_letters(rng, AMINO_ACIDS, length))
        assert bool(taken) == told


@pytest.mark.parametrize("schedule", OLDER)
def test_streamed_shard_gives_the_same(loaded, schedule):
    rng = np.random.default_rng(9)
    subjects = [random_letters(rng, ALL_LETTERS, length) for length in rng.integers(1, 700, 200)]
    query = random_letters(rng, AMINO_ACIDS, 1300)
    streamed = loaded(schedule, subjects, memory=28 * 9000)
    assert streamed.parts > 1
    check(streamed, subjects, query)
