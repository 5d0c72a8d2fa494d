"""GpuPairs: on the device the alignments that the oracle and the CPU engine give, run for run, in every mode."""

import numpy as np
import pytest

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair, told
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import Table, bases_table, match_table, matrix_table
from shardwater.sequences.alphabets import Alphabet
from tests.support.pair_oracle import best, replayed
from tests.support.pairs import aligned
from tests.support.schemes import MODES

pytestmark = pytest.mark.gpu

THREE = Table(Alphabet.of("three", "XYZ"), ((1000, -300, -1), (-2, 400, -900), (0, -70, 5)))
WIDE = Table(
    Alphabet.of("many", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
    tuple(tuple(7 if one == other else -(one + 2 * other) % 11 for other in range(36)) for one in range(36)),
)
TABLES = {
    "protein": (matrix_table("BLOSUM62"), 20),
    "DNA": (match_table(2, -1), 4),
    "any DNA": (match_table(2, -1), 15),
    "uneven DNA": (bases_table([[3, -2, 1, -4], [0, 2, -3, -1], [-1, 1, 4, -2], [-5, 0, -2, 1]]), 4),
    "three letters, dear": (THREE, 3),
    "36 letters": (WIDE, 36),
}
GAPS = [(0, 0), (0, 1), (1, 1), (11, 1), (300, 40), (10.5, 0.5)]


@pytest.fixture(scope="module")
def gpu():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.pairs import engine

    return engine


@pytest.fixture(scope="module")
def engine(gpu):
    return gpu.GpuPairs()


@pytest.fixture
def always_short(gpu, monkeypatch):
    """Few pairs, too, go to the kernels of short ones, which take some unless the costs are too dear for them."""
    taken, of = list[int | None](), gpu.ShortWork.of

    def recorded(batch, scheme, wanted):
        work = of(batch, scheme, wanted)
        taken.append(None if work is None else int(work.taken.sum()))
        return work

    monkeypatch.setattr(gpu, "MANY", 1)
    monkeypatch.setattr(gpu, "MANY_LONG", 1)
    monkeypatch.setattr(gpu.ShortWork, "of", recorded)
    yield
    assert taken
    assert 0 not in taken


def coded(query, subject):
    return CodedPair(np.array(query, np.uint8), np.array(subject, np.uint8))


def random_pair(rng, letters, rows, columns):
    """Related more often than not: a copy with edits, cut or filled up to the length."""
    query = rng.integers(0, letters, rows, np.uint8)
    subject = rng.integers(0, letters, columns, np.uint8)
    if rng.random() < 0.7:
        copy = np.delete(query, np.flatnonzero(rng.random(rows) < 0.05))
        copy = np.insert(copy, rng.integers(0, len(copy) + 1, rows // 25), rng.integers(0, letters))
        subject[: len(copy)] = copy[:columns]
    return CodedPair(query, subject)


def random_pairs(rng, letters, count, longest):
    sizes = rng.integers(0, longest + 1, (count, 2))
    return [random_pair(rng, letters, *size) for size in sizes]


def answers(engine, pairs, scheme, report="alignment"):
    return aligned(engine, pairs, scheme, report)


def on_host(pairs, scheme, report="alignment"):
    return answers(CpuPairs(), pairs, scheme, report)


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("name", TABLES)
def test_alignments_equal_the_oracle(engine, name, mode):
    rng = np.random.default_rng(len(name))
    table, letters = TABLES[name]
    for gaps in GAPS:
        scheme = Scheme.of(table, *gaps, mode)
        pairs = random_pairs(rng, letters, 12, 24)
        found = answers(engine, pairs, scheme)
        assert found == [best(pair.query.tolist(), pair.subject.tolist(), scheme) for pair in pairs]


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("name", TABLES)
def test_longer_alignments_equal_those_of_the_host(engine, name, mode):
    rng = np.random.default_rng(len(name))
    table, letters = TABLES[name]
    for gaps in GAPS:
        scheme = Scheme.of(table, *gaps, mode)
        pairs = random_pairs(rng, letters, 4, 300)
        assert answers(engine, pairs, scheme) == on_host(pairs, scheme)


@pytest.mark.usefixtures("always_short")
@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("gaps", [(0, 0), (0, 1), (1, 1), (5, 1), (10, 0.5), (30, 2)])
@pytest.mark.parametrize("scores", [(2, -1), (1, -4), (5, -4), (1, 0)])
def test_short_pairs_of_dna_equal_the_oracle(engine, scores, gaps, mode):
    rng = np.random.default_rng(scores[0])
    scheme = Scheme.of(match_table(*scores), *gaps, mode)
    pairs = random_pairs(rng, 4, 40, 20) + random_pairs(rng, 2, 20, 40) + random_pairs(rng, 1, 10, 9)
    expected = [best(pair.query.tolist(), pair.subject.tolist(), scheme) for pair in pairs]
    assert answers(engine, pairs, scheme) == expected


@pytest.mark.usefixtures("always_short")
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_short_pairs_of_several_strips_equal_those_of_the_host(engine, mode):
    rng = np.random.default_rng(7)
    for table in (match_table(2, -1), TABLES["uneven DNA"][0]):
        for gaps in ((1, 1), (0, 2), (40, 3)):
            scheme = Scheme.of(table, *gaps, mode)
            pairs = random_pairs(rng, 4, 20, 300) + [random_pair(rng, 4, 150, n) for n in (31, 32, 33, 64, 65)]
            assert answers(engine, pairs, scheme) == on_host(pairs, scheme)


@pytest.mark.usefixtures("always_short")
def test_pairs_with_unknown_letters_are_aligned_beside_the_others(engine):
    scheme = Scheme.of(match_table(2, -1), 1, 1, Mode.SEMI_GLOBAL)
    rng = np.random.default_rng(14)
    pairs = [random_pair(rng, letters, 60, 70) for letters in (4, 15, 4, 15, 4)]
    assert answers(engine, pairs, scheme) == on_host(pairs, scheme)


def test_shorter_reports_tell_less_of_the_same(engine):
    rng = np.random.default_rng(3)
    scheme = Scheme.of(match_table(2, -1), 1, 1)
    pairs = random_pairs(rng, 4, 10, 50)
    whole = answers(engine, pairs, scheme)
    for report in ("score", "ends"):
        assert answers(engine, pairs, scheme, report) == [found and told(found, report) for found in whole]


def test_numbers_beyond_32_bits_are_exact(engine):
    scheme = Scheme.of(match_table(2, -1), 1_000_000, 1_000_000, Mode.GLOBAL)
    pair = coded([0] * 5000, [0])
    [found] = answers(engine, [pair], scheme)
    assert found.score == 2 - 1_000_000 - 4999 * 1_000_000
    assert replayed(found, pair.query.tolist(), pair.subject.tolist(), scheme) == found.score


@pytest.mark.parametrize("short", [1, 1 << 20])
def test_batches_in_little_memory_answer_every_pair(gpu, engine, monkeypatch, short):
    monkeypatch.setattr(gpu, "MANY", short)
    monkeypatch.setattr(gpu, "MANY_LONG", short)
    monkeypatch.setattr("gpu.pairs.short.MEMORY", 20_000)
    monkeypatch.setattr("gpu.pairs.traceback.MEMORY", 20_000)
    rng = np.random.default_rng(5)
    scheme = Scheme.of(match_table(2, -1), 1, 1, Mode.GLOBAL)
    pairs = random_pairs(rng, 4, 30, 120)
    parts = list(engine.align_batch(PairBatch.of(pairs), scheme, "alignment"))
    found = dict(answer for each in parts for answer in each)
    assert [found[number] for number in range(len(pairs))] == on_host(pairs, scheme)
    assert sum(int(each.cells.sum()) for each in parts) == sum(pair.cells for pair in pairs)


REPORTS = ["score", "ends", "alignment"]
KINDS = {"DNA": (4, 4), "some N": (4, 15), "protein": (20, 20)}
"""How many letters most pairs are made of, and how many some are."""


@pytest.mark.usefixtures("always_short")
@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("gaps", [(0, 1), (5, 2)])
@pytest.mark.parametrize("kind", KINDS)
def test_two_thousand_pairs_equal_those_of_the_host_in_every_report(engine, kind, gaps, mode):
    rng = np.random.default_rng([len(kind), *gaps])
    table = match_table(2, -3) if kind != "protein" else matrix_table("BLOSUM62")
    scheme = Scheme(table, *gaps, mode)
    letters = np.where(rng.random(2_000) < 0.9, *KINDS[kind])
    pairs = [random_pair(rng, each, *rng.integers(0, 41, 2)) for each in letters]
    whole = on_host(pairs, scheme)
    for report in REPORTS:
        assert answers(engine, pairs, scheme, report) == [found and told(found, report) for found in whole]


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL], ids=str)
@pytest.mark.parametrize("report", REPORTS)
def test_lengths_from_1_to_60_000_in_one_batch(engine, report, mode):
    rng = np.random.default_rng(17)
    rows = np.exp(rng.uniform(0, np.log(60_000), 80)).astype(int)
    columns = np.minimum(np.exp(rng.uniform(0, np.log(60_000), 80)).astype(int), 4_000_000 // rows + 1)
    sizes = [*zip(rows, columns, strict=True), (60_000, 60), (60, 60_000), *rng.integers(1, 200, (2_500, 2))]
    pairs = [random_pair(rng, 4, *sizes[place]) for place in rng.permutation(len(sizes))]
    scheme = Scheme(match_table(2, -1), 1, 1, mode)
    assert answers(engine, PairBatch.of(pairs), scheme, report) == on_host(pairs, scheme, report)


@pytest.mark.parametrize("report", REPORTS)
def test_many_chunks_answer_every_pair_in_columns(gpu, engine, monkeypatch, report):
    monkeypatch.setattr(gpu, "MANY", 1)
    monkeypatch.setattr(gpu, "MOST", 700)
    monkeypatch.setattr("gpu.pairs.budgets.CHUNK_LETTERS", 9_000)
    monkeypatch.setattr("gpu.pairs.budgets.CHUNK_PAIRS", 150)
    rng = np.random.default_rng(23)
    pairs = [random_pair(rng, 15 if rng.random() < 0.05 else 4, *rng.integers(0, 90, 2)) for _ in range(1_500)]
    scheme = Scheme(match_table(2, -1), 1, 1, Mode.SEMI_GLOBAL)
    columns = list(engine.align_batch(PairBatch.of(pairs), scheme, report))
    found = dict(answer for each in columns for answer in each)
    assert [found[number] for number in range(len(pairs))] == on_host(pairs, scheme, report)
    assert sum(len(each) for each in columns) == len(pairs)
    assert sum(int(each.cells.sum()) for each in columns) == sum(pair.cells for pair in pairs)


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL], ids=str)
def test_what_no_kernel_takes_is_aligned_on_the_host(engine, monkeypatch, mode, report):
    monkeypatch.setattr("gpu.pairs.traceback.MEMORY", 40_000)
    rng = np.random.default_rng(31)
    pairs = [random_pair(rng, 4, *size) for size in [(900, 800), (50, 40), (0, 30), (700, 1), (600, 900)]]
    scheme = Scheme(match_table(2, -1), 1, 1, mode)
    assert answers(engine, pairs, scheme, report) == on_host(pairs, scheme, report)


def test_who_leaves_early_can_come_again(engine):
    rng = np.random.default_rng(29)
    pairs = [random_pair(rng, 4, 60, 60) for _ in range(3_000)]
    scheme = Scheme(match_table(2, -1), 1, 1)
    left = engine.align_batch(PairBatch.of(pairs), scheme, "alignment")
    next(left)
    left.close()
    assert answers(engine, pairs, scheme, "score") == on_host(pairs, scheme, "score")
