"""Long pairs of DNA, walked back through kept rows and columns: the alignments of the host, wherever tiles meet."""

from types import SimpleNamespace

import numpy as np
import pytest

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import bases_table, match_table, matrix_table
from tests.support.pairs import aligned, random_pair
from tests.support.schemes import MODES

pytestmark = pytest.mark.gpu

UNEVEN = bases_table([[3, -2, 1, -4], [0, 2, -3, -1], [-1, 1, 4, -2], [-5, 0, -2, 1]])
SCHEMES = [(match_table(2, -1), 1, 1), (match_table(2, -1), 0, 1), (UNEVEN, 5, 2), (match_table(1, -9), 0, 3)]


@pytest.fixture(scope="module")
def gpu():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.database.staging import Staging
    from gpu.pairs import chunks, kept

    streams, staging = [cupy.cuda.Stream(non_blocking=True) for _ in range(3)], Staging()

    def found(pairs, scheme):
        work = kept.KeptWork.of(PairBatch.of(pairs), scheme, np.ones(len(pairs), np.bool_))
        columns = chunks.done(PairBatch.of(pairs), work, streams, staging)
        return work, dict(answer for each in columns for answer in each)

    return SimpleNamespace(found=found, kept=kept)


@pytest.fixture(autouse=True)
def any_length(gpu, monkeypatch):
    monkeypatch.setattr(gpu.kept, "SHORT_LETTERS", 0)


def same(gpu, pairs, scheme):
    work, found = gpu.found(pairs, scheme)
    assert work.taken.all()
    return [found[number] for number in range(len(pairs))] == aligned(CpuPairs(), pairs, scheme, "alignment")


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: f"{scheme[0].best}/{scheme[0].worst} {scheme[1:]}")
def test_alignments_equal_those_of_the_host(gpu, scheme, mode):
    rng = np.random.default_rng(3)
    sizes = [*rng.integers(1, 700, (10, 2)), (1, 600), (600, 1), (128, 256), (129, 257), (127, 255), (256, 512)]
    assert same(gpu, [random_pair(rng, 4, *size) for size in sizes], Scheme(*scheme, mode))


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("gaps", [(11, 1), (0, 2), (3, 0)])
@pytest.mark.parametrize("matrix", ["BLOSUM62", "PAM30"])
def test_alignments_of_proteins_equal_those_of_the_host(gpu, matrix, gaps, mode):
    rng = np.random.default_rng(17)
    sizes = [*rng.integers(1, 700, (8, 2)), (1, 600), (600, 1), (127, 256), (129, 257)]
    pairs = [random_pair(rng, 24 if number % 3 else 20, *size) for number, size in enumerate(sizes)]
    assert same(gpu, pairs, Scheme(matrix_table(matrix), *gaps, mode))


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_of_many_best_alignments_the_first_is_taken(gpu, mode):
    rng = np.random.default_rng(5)
    pairs = [random_pair(rng, letters, *rng.integers(1, 400, 2), related=0.2) for letters in (1, 2, 2, 2, 3)]
    for table in (match_table(2, -1), match_table(1, 0), match_table(0, -1)):
        for gaps in ((0, 1), (1, 1), (0, 0), (3, 0)):
            assert same(gpu, pairs, Scheme(table, *gaps, mode))


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL], ids=str)
def test_gaps_may_cross_tiles(gpu, mode):
    rng = np.random.default_rng(7)
    letters = rng.integers(0, 4, 2_000, np.uint8)
    pairs = []
    for first, last in [(400, 1_100), (120, 136), (250, 262), (1_000, 1_999), (0, 700)]:
        cut = np.delete(letters, np.arange(first, last))
        pairs += [CodedPair(letters, cut), CodedPair(cut, letters)]
    for gaps in ((20, 0), (1, 1), (0, 1)):
        assert same(gpu, pairs, Scheme(match_table(5, -4), *gaps, mode))


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL], ids=str)
def test_thousands_of_letters_in_little_memory(gpu, monkeypatch, mode):
    monkeypatch.setattr(gpu.kept, "MEMORY", 3_000_000)
    rng = np.random.default_rng(11)
    pairs = [random_pair(rng, 4, *rng.integers(1_500, 4_500, 2), related=1) for _ in range(10)]
    assert same(gpu, pairs, Scheme(match_table(2, -1), 1, 1, mode))


def test_pairs_that_are_not_for_it_are_left_out(gpu):
    rng = np.random.default_rng(13)
    scheme = Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL)
    sizes = [(300, 300), (0, 300), (300, 300), (9_000, 9_000)]
    pairs = [random_pair(rng, letters, *size) for letters, size in zip((4, 4, 15, 4), sizes, strict=True)]
    work, found = gpu.found(pairs, scheme)
    assert work.taken.tolist() == [True, False, True, False]
    assert found == {0: aligned(CpuPairs(), pairs[:1], scheme, "alignment")[0]}
