"""GpuEngine beyond the contract: arithmetics, streaming, selection on the device, and what borders kernels have."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gpu import device_count
from shardwater.alignment.gotoh import align_local
from shardwater.engines.engine import Pair, gather
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_on_any_line, best_scores
from shardwater.search.hits import Score
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import Counts, Histogram
from tests.support.answers import best_of, runs_of, scores_of

pytestmark = pytest.mark.gpu

DEFAULT = Scoring("BLOSUM62", 11, 1)
AMINO_ACIDS = list("ARNDCQEGHILKMFPSTWYV")
ALL_LETTERS = [*AMINO_ACIDS, *"BZX*"]


@pytest.fixture
def open_gpu():
    """open_gpu(memory=..., arithmetic=...): an engine on the device."""
    if not device_count():
        pytest.skip("no CUDA device")
    from gpu.engine import GpuEngine

    return GpuEngine


@pytest.fixture(params=[8, 16])
def lanes(open_gpu, request, monkeypatch):
    """Every search gets so many lanes to a pair, whatever the number of packs."""
    monkeypatch.setattr("gpu.score.schedules.lanes_for", lambda packs, multiprocessors, few_warps: request.param)


def letters(rng, length, alphabet=AMINO_ACIDS):
    return "".join(rng.choice(alphabet, length))


def record(sequence):
    return Record("q", sequence.encode())


def named(sequences):
    return [(f"s{number}", sequence) for number, sequence in enumerate(sequences)]


def device_memory():
    """Bytes of the device that this process keeps, used or not."""
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    return cupy.get_default_memory_pool().total_bytes()


def gotoh_score(query, subject, scoring=DEFAULT):
    [alignment] = align_local(encode(query.encode()), [encode(subject.encode())], scoring)
    return alignment.score if alignment else 0


@pytest.fixture
def database(build):
    """Subjects of 1 to 700 residues, a third with letters beyond the amino acids, some alike, many of equal length."""
    rng = np.random.default_rng(21)
    base = letters(rng, 700)
    lengths = [*rng.integers(1, 700, 150), *[64] * 40, *[65] * 3]
    sequences = [
        base[:length] if number % 3 == 0 else letters(rng, length, ALL_LETTERS if number % 3 == 1 else AMINO_ACIDS)
        for number, length in enumerate(lengths)
    ]
    return build(named(sequences))


@pytest.mark.usefixtures("lanes")
@pytest.mark.parametrize("arithmetic", ["s16x2", "half2"])
@pytest.mark.parametrize("scoring", [DEFAULT, Scoring("BLOSUM45", 13, 3), Scoring("PAM30", 0, 1)], ids=str)
def test_packed_arithmetics_are_exact_at_every_strip_border(open_gpu, database, arithmetic, scoring):
    check_strip_borders(open_gpu, database, arithmetic, scoring)


@pytest.mark.parametrize("scoring", [DEFAULT, Scoring("BLOSUM45", 13, 3), Scoring("PAM30", 0, 1)], ids=str)
def test_floats_are_exact_at_every_strip_border(open_gpu, database, scoring):
    check_strip_borders(open_gpu, database, "float", scoring)


def check_strip_borders(open_gpu, database, arithmetic, scoring):
    rng = np.random.default_rng(7)
    columns = [4, 8, 16, 24, 48, 60, 68, 88, 96, 104, 128, 136, 144, 192, 256, 272, 280, 408]
    borders = [border + step for border in columns for step in (-1, 0, 1)]
    queries = [record(letters(rng, length, ALL_LETTERS)) for length in [*borders, 1, 2048, 2049]]
    queries.append(record(database.sequence(len(database) - 1).decode()))
    exact, tried = open_gpu(arithmetic="int32"), open_gpu(arithmetic=arithmetic)
    for engine in (exact, tried):
        engine.load(database.shard(0, 1))
    assert best_of(tried, queries, scoring, 300) == best_of(exact, queries, scoring, 300)


@pytest.mark.parametrize("subjects", [1, 8, 9, 14_784, 14_792])
def test_as_many_packs_as_lanes_are_chosen_by_are_scored_exactly(open_gpu, build, subjects):
    rng = np.random.default_rng(subjects)
    database = build(named(letters(rng, length) for length in rng.integers(20, 40, subjects)))
    exact, tried = open_gpu(arithmetic="int32"), open_gpu()
    for engine in (exact, tried):
        engine.load(database.shard(0, 1))
    for length in (30, 129, 141, 300):
        query = record(letters(rng, length))
        assert np.array_equal(scores_of(tried, query, DEFAULT), scores_of(exact, query, DEFAULT))


@pytest.mark.usefixtures("lanes")
def test_few_subjects_of_thousands_of_residues_are_scored_exactly(open_gpu, build):
    rng = np.random.default_rng(35)
    sequences = [letters(rng, length, ALL_LETTERS if length % 3 == 0 else AMINO_ACIDS) for length in range(4990, 5002)]
    database = build(named([*sequences, *(letters(rng, 5000) for _ in range(5))]))
    exact, tried = open_gpu(arithmetic="int32"), open_gpu()
    for engine in (exact, tried):
        engine.load(database.shard(0, 1))
    # Pieces of subjects, with gaps, over one strip and several.
    queries = [sequences[n][700 : 700 + n * 90] + sequences[n][720 + n * 90 : 900 + n * 180] for n in range(12)]
    queries = [record(query) for query in queries]
    assert best_of(tried, queries, DEFAULT, 20) == best_of(exact, queries, DEFAULT, 20)


def test_streamed_shard_gives_the_same_bytes_in_five_parts_or_more(open_gpu, database):
    rng = np.random.default_rng(8)
    queries = [record(letters(rng, length)) for length in (5, 144, 700)]
    whole, streamed = open_gpu(), open_gpu(memory=28 * 9000)
    for engine in (whole, streamed):
        engine.load(database.shard(0, 1))
    assert whole.parts == 1
    assert streamed.parts >= 5
    for top in (1, 7, 1000):
        assert best_of(streamed, queries, DEFAULT, top) == best_of(whole, queries, DEFAULT, top)
    handed = runs_of(streamed, queries, DEFAULT)
    for number, query in enumerate(queries):
        own = [run for run in handed if run.query == number]
        assert [run.first for run in own] == np.cumsum([0, *(len(run.scores) for run in own[:-1])]).tolist()
        assert np.array_equal(np.concatenate([run.scores for run in own]), scores_of(whole, query, DEFAULT))


@pytest.mark.parametrize("share", [1, 0.8])
def test_a_resident_shard_in_parts_is_cut_by_the_counts_of_all(open_gpu, database, monkeypatch, share):
    rng = np.random.default_rng(10)
    queries = [record(letters(rng, length)) for length in (5, 144, 700)]
    shard = database.shard(0, 1)
    among = None if share == 1 else shard.among(rng.random(len(database)) < share)
    counted = []

    def cut(counts):
        counted.append(counts.total)
        return best_on_any_line(7)(counts)

    engines = [open_gpu()]
    engines[0].load(shard)
    monkeypatch.setattr("gpu.database.resident.PART_RESIDUES", 9000)
    engines.append(open_gpu())
    engines[1].load(shard)
    assert [engine.parts >= 5 for engine in engines] == [False, True]
    whole, parts = (gather(engine.survey(queries, DEFAULT, [cut] * 3, False, among)) for engine in engines)
    assert counted == [len(among or shard)] * 6
    assert [list(each.ranked) for each in parts] == [list(each.ranked) for each in whole]
    assert [each.extent for each in parts] == [each.extent for each in whole]
    assert [Histogram.of(each.counts) for each in parts] == [Histogram.of(each.counts) for each in whole]
    for query in queries:
        assert np.array_equal(scores_of(engines[1], query, DEFAULT), scores_of(engines[0], query, DEFAULT))


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_a_choice_of_a_streamed_shard_is_that_of_a_resident_one(open_gpu, database, share):
    rng = np.random.default_rng(9)
    queries = [record(letters(rng, length)) for length in (5, 144, 700)]
    shard = database.shard(0, 1)
    part = shard.among(rng.random(len(database)) < share)
    whole, streamed = open_gpu(), open_gpu(memory=28 * 9000)
    for engine in (whole, streamed):
        engine.load(shard)
    cuts = [best_scores(20)] * 3
    expected = gather(whole.survey(queries, DEFAULT, cuts, False, part))
    found = gather(streamed.survey(queries, DEFAULT, cuts, False, part))
    assert [list(each.ranked) for each in found] == [list(each.ranked) for each in expected]
    assert [each.extent for each in found] == [each.extent for each in expected]
    assert [Histogram.of(each.counts) for each in found] == [Histogram.of(each.counts) for each in expected]


def test_choices_are_packed_as_long_as_there_is_room(open_gpu, database):
    engine, shard = open_gpu(), database.shard(0, 1)
    engine.load(shard)
    numbers, query = np.arange(len(database)), [record("WCAWCWKLH")]
    few = [shard.among(numbers % 9 == rest) for rest in range(5)]
    expected = [gather(engine.search(query, DEFAULT, 9, part))[0] for part in few]
    assert list(engine._choices._packed) == few
    engine._choices._resident.room = 3 * max(part.residues for part in few)
    assert [gather(engine.search(query, DEFAULT, 9, part))[0] for part in reversed(few)] == expected[::-1]
    engine._choices.searched(shard.among(numbers % 11 == 0))
    assert 1 <= len(engine._choices._packed) < 5
    engine._choices._resident.room = 0
    rest = shard.among(numbers % 7 == 0)
    assert gather(engine.search(query, DEFAULT, 9, rest))[0].extent.subjects == len(rest)
    assert rest not in engine._choices._packed


@pytest.mark.parametrize("count", [1, 3])
def test_letters_that_come_in_pieces_make_the_same_shard(open_gpu, database, monkeypatch, count):
    import gpu.database.resident

    queries = [record(database.sequence(number).decode()) for number in (100, 150, 190)]
    whole, in_pieces = open_gpu(), open_gpu()
    whole.load(database.shard(count - 1, count))
    # Fewer than the longest subject has, and no multiple of anything.
    monkeypatch.setattr(gpu.database.resident, "LETTERS", 611)
    in_pieces.load(database.shard(count - 1, count))
    assert best_of(in_pieces, queries, DEFAULT, 300) == best_of(whole, queries, DEFAULT, 300)


def test_thousands_of_ties_are_cut_by_subject_index(open_gpu, build):
    engine = open_gpu()
    engine.load(build(named(["WWA" if number == 9000 else "WWW" for number in range(10_000)])).shard(0, 1))
    for top in (1, 5000, 9999):
        assert best_of(engine, [record("WWW")], DEFAULT, top) == [[Score(n + (n >= 9000), 33) for n in range(top)]]


def test_scores_beyond_the_last_bin_are_ordered(open_gpu, build):
    engine = open_gpu()
    engine.load(build(named("W" * length for length in range(600, 700))).shard(0, 1))
    expected = [Score(99 - n, 11 * (699 - n)) for n in range(10)]
    assert best_of(engine, [record("W" * 800)], DEFAULT, 10) == [expected]


def test_scores_and_survey_say_what_the_search_says(open_gpu, database):
    engine, query = open_gpu(), record(database.sequence(120).decode())
    engine.load(database.shard(0, 1))
    scores = scores_of(engine, query, DEFAULT)
    [found] = best_of(engine, [query], DEFAULT, len(database))
    assert {hit.subject: hit.score for hit in found} == {n: s for n, s in enumerate(scores.tolist()) if s > 0}
    [survey] = gather(engine.survey([query], DEFAULT, [best_scores(len(database))]))
    assert list(survey.ranked) == found
    assert Histogram.of(survey.counts) == Histogram.of(Counts.of(database.lengths, scores))


@pytest.mark.usefixtures("lanes")
def test_what_16_bits_cannot_hold_is_scored_again_and_counted(open_gpu, build):
    engine = open_gpu()
    lengths = [2977, 2978, 2979, 2980, 3000]
    engine.load(build(named(["AAAA", *("W" * length for length in lengths)])).shard(0, 1))
    expected = [Score(n + 1, 11 * length) for n, length in enumerate(lengths)][::-1]
    assert best_of(engine, [record("W" * 3001)], DEFAULT, 10) == [expected]
    # 32,747 proves itself; 32,758 is beyond 32,767 - 11.
    assert engine.rescored == 4


@pytest.fixture
def with_long(build):
    """1.2 M residues of short subjects and one of 12,000, which is scored in pieces."""
    rng = np.random.default_rng(9)
    long = letters(rng, 12_000)
    short = (letters(rng, 400, AMINO_ACIDS if number % 10 else ALL_LETTERS) for number in range(3000))
    return long, build(named([*short, long]))


@pytest.mark.parametrize("query_length", [20, 100, 144, 300, 1000])
def test_long_subject_is_scored_in_pieces_that_miss_nothing(open_gpu, with_long, query_length):
    long, database = with_long
    engine = open_gpu()
    engine.load(database.shard(0, 1))
    for middle in (0, 2048, 4096, 6000, 11_000):
        begin = max(0, middle - query_length // 2)
        # A piece of the subject with a gap in it, across where pieces may end.
        query = long[begin : begin + query_length // 2] + long[begin + query_length // 2 + 9 : begin + query_length]
        [found] = best_of(engine, [record(query)], DEFAULT, 1)
        assert found == [Score(3000, gotoh_score(query, long))]


@pytest.mark.usefixtures("lanes")
def test_query_of_50000_residues_over_packs_of_every_class(open_gpu, with_long):
    long, database = with_long
    rng = np.random.default_rng(50)
    query = record(letters(rng, 38_000, ALL_LETTERS) + long)
    exact, tried = open_gpu(arithmetic="int32"), open_gpu()
    for engine in (exact, tried):
        engine.load(database.shard(0, 1))
    assert best_of(tried, [query], DEFAULT, 3001) == best_of(exact, [query], DEFAULT, 3001)


@pytest.mark.usefixtures("lanes")
def test_streamed_search_that_is_given_up_leaves_the_next_one_right(open_gpu, database):
    queries = [record(database.sequence(number).decode()) for number in (100, 150, 190)]
    engine = open_gpu(memory=28 * 9000)
    engine.load(database.shard(0, 1))
    expected = best_of(engine, queries, DEFAULT, 50)

    for taken in range(3):
        slices = engine.search(queries, DEFAULT, 50)
        for _ in range(1 + taken):
            next(slices)
        slices.close()
        assert best_of(engine, queries, DEFAULT, 50) == expected


def test_gap_costs_without_kernels_of_their_own_score_the_same(open_gpu, with_long, monkeypatch):
    (_, subjects), rng = with_long, np.random.default_rng(8)
    engine, queries = open_gpu(), [record(letters(rng, length)) for length in (8, 300)]
    engine.load(subjects.shard(0, 1))
    scoring = Scoring("BLOSUM62", 9, 4)
    expected = best_of(engine, queries, scoring, 100)
    monkeypatch.setattr("gpu.score.scorer.have_kernels", lambda scoring: False)
    assert best_of(engine, queries, scoring, 100) == expected


@pytest.mark.parametrize("arithmetic", ["s16x2", "float"])
def test_searches_between_slices_change_neither(open_gpu, with_long, arithmetic):
    (_, subjects), rng = with_long, np.random.default_rng(4)
    engine = open_gpu(arithmetic=arithmetic)
    engine.load(subjects.shard(0, 1))
    queries = [record(letters(rng, length)) for length in (3000, 500, 40)]
    other = record(letters(rng, 1500) + "BZ")
    pairs = [Pair(query.residues, subjects.sequence(number)) for query in queries for number in range(5)]
    expected = best_of(engine, queries, DEFAULT, 300)
    cuts = [best_on_any_line(50)]
    [of_other], alignments = gather(engine.survey([other], DEFAULT, cuts)), alignments_of(engine.align(pairs, DEFAULT))
    answers, meanwhile = {}, 0
    for each in engine.search(queries, DEFAULT, 300):
        answers |= dict(each.answers)
        [survey] = gather(engine.survey([other], DEFAULT, cuts))
        assert list(survey.ranked) == list(of_other.ranked)
        assert Histogram.of(survey.counts) == Histogram.of(of_other.counts)
        assert alignments_of(engine.align(pairs, DEFAULT)) == alignments
        meanwhile += 1
    assert [answers[number].best for number in range(len(queries))] == expected
    assert meanwhile > len(queries)


def test_threads_align_while_another_searches(open_gpu, with_long):
    (_, subjects), rng = with_long, np.random.default_rng(6)
    engine = open_gpu()
    engine.load(subjects.shard(0, 1))
    queries = [record(letters(rng, length)) for length in (2000, 700)]
    pairs = [Pair(query.residues, subjects.sequence(number)) for query in queries for number in range(40)]
    hits, alignments = best_of(engine, queries, DEFAULT, 100), alignments_of(engine.align(pairs, DEFAULT))
    with ThreadPoolExecutor(3) as threads:
        aligned = [threads.submit(lambda: alignments_of(engine.align(pairs, DEFAULT))) for _ in range(6)]
        assert best_of(engine, queries, DEFAULT, 100) == hits
        assert [each.result() for each in aligned] == [alignments] * 6


def test_another_search_goes_between_slices_of_a_streamed_shard(open_gpu, database):
    engine, rng = open_gpu(memory=28 * 9000), np.random.default_rng(12)
    engine.load(database.shard(0, 1))
    assert engine.parts > 1
    queries, other = [record(letters(rng, length)) for length in (300, 80)], [record(letters(rng, 50))]
    expected, expected_meanwhile = best_of(engine, queries, DEFAULT, 40), best_of(engine, other, DEFAULT, 40)
    answers = {}
    for each in engine.search(queries, DEFAULT, 40):
        answers |= dict(each.answers)
        assert best_of(engine, other, DEFAULT, 40) == expected_meanwhile
    assert [answers[number].best for number in range(2)] == expected


def test_a_shard_takes_the_place_of_the_one_before(open_gpu, with_long):
    engine, (_, subjects) = open_gpu(), with_long
    held = []
    for _ in range(3):
        engine.load(subjects.shard(0, 1))
        held.append(device_memory())
    assert held[2] == held[1] == held[0]


def test_kernels_of_the_default_scoring_are_compiled_by_load(open_gpu, database):
    from gpu.compile import compiled

    engine = open_gpu()
    engine.load(database.shard(0, 1))
    before = compiled.cache_info().misses
    rng = np.random.default_rng(3)
    best_of(engine, [record(letters(rng, length)) for length in (*range(1, 300, 5), 144, 1000, 9000)], DEFAULT, 5)
    assert compiled.cache_info().misses == before


def test_cuda_errors_are_device_faults(open_gpu):
    import cupy

    from gpu.device import DeviceFault, faults

    with pytest.raises(DeviceFault, match="cudaErrorMemoryAllocation"), faults():
        raise cupy.cuda.runtime.CUDARuntimeError(2)
