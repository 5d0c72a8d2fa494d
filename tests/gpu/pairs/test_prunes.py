"""Long local pairs of which some is left out: the alignments of the whole matrix, and less to do."""

from types import SimpleNamespace

import numpy as np
import pytest

from gpu.pairs.section_rows import Sections
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import bases_table, match_table, matrix_table
from tests.support.pairs import aligned

pytestmark = pytest.mark.gpu

UNEVEN = bases_table([[3, -2, 1, -4], [0, 2, -3, -1], [-1, 1, 4, -2], [-5, 0, -2, 1]])
SCHEMES = [
    Scheme(match_table(1, -3), 3, 2),
    Scheme(match_table(2, -1), 0, 1),
    Scheme(match_table(100, -90), 20, 100),
    Scheme(UNEVEN, 5, 0),
    Scheme(match_table(5, -4), 30, 1),
]


@pytest.fixture(scope="module")
def gpu():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.pairs import filling, long

    def filled(pair, scheme, *, prunes):
        """The end of a pair's alignment, and H where strips have handed on."""
        aligning = long.LongPairs.of(scheme, bases=True)
        purpose = filling.Purpose(prunes=prunes)
        each = filling.Filling([pair], aligning.how, purpose)
        for _ in each.run(each.whole):
            pass
        return each.ends.get().tolist(), (each._shares[0].edges.get() & 0xFFFFFFFF).astype(np.int32)

    return SimpleNamespace(filled=filled, long=long, filling=filling)


@pytest.fixture(params=[0, -1], ids=["narrow", "wide"], autouse=True)
def strips(gpu, monkeypatch, request):
    """Strips of one width, and launches of few rounds."""
    shapes = gpu.long.long_shapes
    monkeypatch.setattr(gpu.filling, "shape_for", lambda columns, how: shapes(how)[request.param])
    monkeypatch.setattr(gpu.filling, "placed", lambda columns, how, devices: (shapes(how)[request.param], devices))
    monkeypatch.setattr(gpu.filling, "ROUNDS", 23)


def alike(rng, letters, share=0.05):
    """The same letters but for a share of them, and some gaps."""
    wrong = np.where(rng.random(len(letters)) < share, rng.integers(0, 4, len(letters), np.uint8), letters)
    return np.delete(wrong, rng.integers(0, len(wrong), len(wrong) // 100))


def pairs_that_come_and_go(rng):
    """Alike from end to end, within, behind others that are shorter or as long, and across what is not."""
    a, b, c = (rng.integers(0, 4, size, np.uint8) for size in (1_500, 1_900, 1_100))
    like_a, like_b = alike(rng, a), alike(rng, b)
    return [
        CodedPair(like_b, b),
        CodedPair(np.concatenate((c, like_a)), np.concatenate((a, c[::-1], b))),
        CodedPair(np.concatenate((like_a, c, like_b)), np.concatenate((a, c[::-1], b))),
        CodedPair(np.concatenate((b, c, a)), np.concatenate((a, b))),
        CodedPair(a, np.concatenate((a, a, a))),
        CodedPair(np.concatenate((a, a)), a),
        CodedPair(np.concatenate((a[:1_200], b)), np.concatenate((c, a[:1_200], c[:400], b))),
        CodedPair(np.zeros(3_000, np.uint8), np.zeros(4_000, np.uint8)),
    ]


@pytest.mark.parametrize(
    "scheme", SCHEMES, ids=lambda scheme: f"{scheme.table.best} {scheme.gap_open} {scheme.gap_extend}"
)
def test_what_is_left_out_changes_no_end(gpu, scheme):
    left_out = 0
    for pair in pairs_that_come_and_go(np.random.default_rng(81)):
        (end, handed_on), (whole_end, whole) = (gpu.filled(pair, scheme, prunes=prunes) for prunes in (True, False))
        assert end == whole_end
        less = whole - handed_on
        assert less.min() >= 0
        left_out += int(np.count_nonzero(less))
    # Where going on with a gap costs nothing, all that follows a good alignment is as good.
    assert left_out or scheme.gap_extend == 0


@pytest.mark.parametrize(
    "scheme", SCHEMES, ids=lambda scheme: f"{scheme.table.best} {scheme.gap_open} {scheme.gap_extend}"
)
def test_alignments_equal_those_of_the_host(gpu, monkeypatch, scheme):
    monkeypatch.setattr(gpu.long, "kept_bytes", lambda lengths: np.full(lengths.shape[1], 1 << 60))
    monkeypatch.setattr(gpu.long, "sections_for", lambda *_: Sections(8, 1))
    pairs = pairs_that_come_and_go(np.random.default_rng(82))
    aligning = gpu.long.LongPairs.of(scheme, bases=True)
    columns = list(aligning.align(PairBatch.of(pairs), np.arange(len(pairs)), "alignment"))
    found = [each for _, each in sorted(answer for part in columns for answer in part)]
    assert found == aligned(CpuPairs(), pairs, scheme, "alignment")


def test_scores_of_proteins_beyond_16_bits(gpu):
    rng = np.random.default_rng(83)
    letters = rng.integers(0, 20, 9_000, np.uint8)
    wrong = np.where(rng.random(9_000) < 0.1, rng.integers(0, 20, 9_000, np.uint8), letters)
    pairs = [CodedPair(wrong, letters), CodedPair(np.concatenate((letters[4_000:], wrong)), letters)]
    scheme = Scheme(matrix_table("BLOSUM62"), 11, 1, Mode.LOCAL)
    aligning = gpu.long.LongPairs.of(scheme, bases=False)
    [columns] = [each for each in aligning.align(PairBatch.of(pairs), np.arange(2), "score") if len(each)]
    expected = aligned(CpuPairs(), pairs, scheme, "score")
    assert sorted(zip(columns.numbers.tolist(), columns.scores.tolist(), strict=True)) == [
        (number, each.score) for number, each in enumerate(expected)
    ]
    assert columns.scores.max() > 1 << 15
