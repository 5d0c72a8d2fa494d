"""The row scan on a device: every value of every row, and the same end points as the other paths (S3.1)."""

from types import SimpleNamespace

import numpy as np
import pytest

from shardwater.alignment import ends
from shardwater.alignment.ends import Selection
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.sweep import Sweep
from shardwater.pairs.coded import CodedPair
from shardwater.scoring.table import match_table, matrix_table
from shardwater.sequences.alphabets import DNA
from tests.support.pairs import random_pair

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def gpu():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.pairs import row_scan

    def rows(pair, scheme):
        return [h.get() for h in row_scan.RowScan(pair, scheme).rows()]

    return SimpleNamespace(rows=rows, scan=row_scan)


def of_host(pair, scheme):
    sweep = Sweep(pair.query, [pair.subject], scheme)
    return [row.h[1:, 0].copy() for row in sweep.rows(sweep.first_row())]


@pytest.mark.parametrize("extend", [0, 1, 2, 3])
@pytest.mark.parametrize("gap_open", range(10))
def test_every_value_of_every_row_is_that_of_the_recurrence(gpu, gap_open, extend):
    rng = np.random.default_rng(10 * gap_open + extend)
    scheme = Scheme(match_table(5, -3), gap_open, extend)
    for size in ((1, 1), (30, 1), (1, 3_000), (25, 2_048), (25, 2_049), (40, 4_500)):
        pair = random_pair(rng, 4, *size)
        assert np.array_equal(gpu.rows(pair, scheme), of_host(pair, scheme))


def test_gaps_longer_than_several_blocks(gpu):
    rng = np.random.default_rng(71)
    query, other = rng.integers(0, 20, 200, np.uint8), rng.integers(20, 24, 9_000, np.uint8)
    subject = np.concatenate((query[:100], other, query[100:]))
    scheme = Scheme(matrix_table("BLOSUM62"), 11, 0)
    pair = CodedPair(query, subject)
    found = np.array(gpu.rows(pair, scheme))
    assert np.array_equal(found, of_host(pair, scheme))
    assert found.max() > 600


def test_the_published_pair(gpu):
    letters = str.maketrans("U", "T")
    query, subject = (DNA.encode(each.translate(letters).encode()) for each in ("AAUGCCAUUGCCGG", "CAGCCUCGCUUAG"))
    found = np.array(gpu.rows(CodedPair(query, subject), Scheme(match_table(5, -3), 8, 1)))
    assert (found.max(), np.argwhere(found == 18).tolist()) == (18, [[10, 8]])
    assert np.argwhere(found == 15).tolist() == [[5, 4], [11, 4], [11, 9]]


@pytest.mark.parametrize(
    "selection", [Selection(200), Selection(20, least=4, query_apart=5, subject_apart=5), Selection(2, least=5_000)]
)
def test_end_points_equal_those_of_the_host(gpu, selection):
    rng = np.random.default_rng(72)
    for scheme in (Scheme(match_table(5, -3), 8, 1), Scheme(match_table(1, -3), 3, 2)):
        pair = random_pair(rng, 4, 150, 5_000)
        expected = ends.best_ends(pair.query, pair.subject, scheme, selection)
        assert gpu.scan.best_ends(pair, scheme, selection) == expected


def test_what_32_bits_do_not_hold_is_not_scanned(gpu):
    pair = CodedPair(np.zeros(1_000, np.uint8), np.zeros(60_000, np.uint8))
    assert gpu.scan.scans(pair, Scheme(match_table(5, -3), 8, 1))
    assert not gpu.scan.scans(pair, Scheme(match_table(5, -3), 8, 10_000))
    assert not gpu.scan.scans(CodedPair(pair.query[:0], pair.subject), Scheme(match_table(5, -3), 8, 1))
    assert not gpu.scan.scans(pair, Scheme(match_table(5, -3), 8, 1, Mode.GLOBAL))
