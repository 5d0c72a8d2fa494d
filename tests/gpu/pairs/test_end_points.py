"""The best end points of long pairs on the device: those of the host, wherever strips, rounds and pieces meet."""

from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest

from gpu.pairs.section_rows import Sections
from shardwater.alignment.ends import EndPoint, Selection, best_ends
from shardwater.alignment.gotoh import align_ends
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import match_table, matrix_table
from shardwater.ssca1.forms import ACIDS
from shardwater.steps import finish
from tests.support.pairs import random_pair

pytestmark = pytest.mark.gpu

SELECTIONS = [
    Selection(1),
    Selection(200),
    Selection(30, least=4, query_apart=5, subject_apart=5),
    Selection(12, subject_apart=40),
    Selection(12, query_apart=9),
    Selection(3, least=10_000),
]


@pytest.fixture(scope="module")
def gpu():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.pairs import end_engine, end_points, end_ways, filling, long, pieces

    def found(pairs, scheme, selection, *, bases=True):
        search = end_points.EndPoints(pairs, long.LongPairs.of(scheme, bases=bases), selection)
        assert search.fits
        shares, finding = [], search.find()
        while True:
            try:
                shares.append(next(finding))
            except StopIteration as done:
                assert sum(shares) <= 1 + 1e-9
                return done.value

    return SimpleNamespace(
        found=found, end_points=end_points, end_ways=end_ways, end_engine=end_engine, filling=filling, pieces=pieces
    )


@pytest.fixture
def in_pieces(gpu, monkeypatch):
    """All pairs in so many pieces."""

    def set_count(count):
        monkeypatch.setattr(gpu.pieces, "_time", lambda sizes, side, number, *_: number != count)

    return set_count


def of_host(pairs, scheme, selection):
    return [best_ends(pair.query, pair.subject, scheme, selection) for pair in pairs]


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
@pytest.mark.parametrize("gaps", [(3, 2), (0, 2), (8, 1)])
def test_end_points_equal_those_of_the_host(gpu, in_pieces, selection, gaps):
    rng = np.random.default_rng(61)
    in_pieces(1)
    pairs = [random_pair(rng, 4, *size) for size in [(1, 1), (40, 1_100), (170, 2_100), (700, 90)]]
    pairs.append(random_pair(rng, 4, 300, 1_300, related=0))
    scheme = Scheme(match_table(5, -3), *gaps)
    assert gpu.found(pairs, scheme, selection) == of_host(pairs, scheme, selection)


@pytest.mark.parametrize("selection", SELECTIONS[1:4], ids=str)
def test_pieces_have_no_end_point_twice(gpu, in_pieces, selection):
    rng = np.random.default_rng(62)
    in_pieces(8)
    long = rng.integers(0, 4, 3_000, np.uint8)
    pairs = [CodedPair(long[first : first + 40], long) for first in (0, 355, 740, 2_960)]
    pairs += [CodedPair(pair.subject, pair.query) for pair in pairs]
    scheme = Scheme(match_table(5, -3), 8, 1)
    assert gpu.found(pairs, scheme, selection) == of_host(pairs, scheme, selection)


def test_rounds_are_done_again_from_where_strips_were_stored(gpu, monkeypatch, in_pieces):
    rng = np.random.default_rng(63)
    in_pieces(1)
    monkeypatch.setattr(gpu.end_points, "SECTIONS", Sections(4))
    monkeypatch.setattr(gpu.filling, "ROUNDS", 3)
    pairs = [random_pair(rng, 4, 900, 1_500), random_pair(rng, 4, 600, 2_200)]
    scheme, selection = Scheme(match_table(1, -3), 3, 2), SELECTIONS[2]
    assert gpu.found(pairs, scheme, selection) == of_host(pairs, scheme, selection)


def test_cells_that_gaps_alone_reach_from_outside_a_round(gpu, in_pieces):
    in_pieces(1)
    # A long match ends where a strip ends, or beside that: gaps go on from there, and no letters match or may differ.
    rng = np.random.default_rng(64)
    query = rng.integers(0, 2, 256, np.uint8)
    pairs = []
    for column in (1_023, 1_024, 1_025):
        subject = rng.integers(2, 4, 1_700, np.uint8)
        subject[column - 160 : column] = query[:160]
        pairs.append(CodedPair(query, subject))
    scheme, selection = Scheme(match_table(9, -120), 5, 1), Selection(20_000, least=1_340)
    found = gpu.found(pairs, scheme, selection)
    assert found == of_host(pairs, scheme, selection)
    assert min(map(len, found)) > 3_000


def planted(rng, rows, columns, words):
    """Two sequences without a letter in common, but for words that end in these cells."""
    query, subject = rng.integers(0, 10, rows, np.uint8), rng.integers(10, 20, columns, np.uint8)
    for row, column, letters in words:
        word = rng.integers(0, 20, letters, np.uint8)
        query[row + 1 - letters : row + 1] = subject[column + 1 - letters : column + 1] = word
    return CodedPair(query, subject)


@pytest.mark.parametrize("place", range(0, 640, 64))
def test_a_peak_may_be_in_any_column_of_its_place(gpu, in_pieces, place):
    # The second and third are too close to the first, unless one takes the first column of a place for a peak's.
    in_pieces(1)
    rng = np.random.default_rng(place)
    base = place + 32
    pair = planted(rng, 128, 1_000, [(60, base + 40, 12), (100, base + 15, 11), (28, base + 64, 10)])
    selection = Selection(2, subject_apart=32)
    assert gpu.found([pair], ACIDS.scheme, selection, bases=False) == of_host([pair], ACIDS.scheme, selection)


@pytest.mark.parametrize("count", [2, 4, 8])
@pytest.mark.parametrize("before", [1, 6, 13, 40, 99])
def test_what_ends_just_before_a_piece_counts_once_and_in_full(gpu, in_pieces, count, before):
    in_pieces(count)
    rng = np.random.default_rng(count)
    for cut in (3_000 // count, 3_000 * (count - 1) // count):
        pair = planted(rng, 40, 3_000, [(16, cut - before, 12), (35, cut + 12, 12)])
        pairs = [pair, CodedPair(pair.subject, pair.query)]
        for selection in (Selection(1), Selection(2), Selection(9, query_apart=2)):
            assert gpu.found(pairs, ACIDS.scheme, selection, bases=False) == of_host(pairs, ACIDS.scheme, selection)


def test_numbers_beyond_16_bits(gpu, in_pieces):
    in_pieces(1)
    rng = np.random.default_rng(65)
    pairs = [random_pair(rng, 4, 1_200, 1_200)]
    scheme, selection = Scheme(match_table(100, -90), 90, 60), SELECTIONS[2]
    found = gpu.found(pairs, scheme, selection)
    assert found == of_host(pairs, scheme, selection)
    assert found[0][0].score > 1 << 16


def test_end_points_of_proteins(gpu, in_pieces):
    in_pieces(1)
    rng = np.random.default_rng(66)
    pairs = [random_pair(rng, 24, 130, 1_400), random_pair(rng, 24, 400, 600)]
    scheme, selection = Scheme(matrix_table("BLOSUM62"), 11, 1), SELECTIONS[2]
    assert gpu.found(pairs, scheme, selection, bases=False) == of_host(pairs, scheme, selection)


def test_more_cells_than_there_is_room_for(gpu, monkeypatch, in_pieces):
    in_pieces(1)
    same = np.zeros(300, np.uint8)
    pairs, scheme, selection = [CodedPair(same, same)], Scheme(match_table(1, -3), 3, 2), Selection(50, least=100)
    monkeypatch.setattr(gpu.end_points, "CELLS", 16)
    assert gpu.found(pairs, scheme, selection) == of_host(pairs, scheme, selection)
    monkeypatch.setattr(gpu.end_points, "MOST_CELLS", 16)
    assert gpu.found(pairs, scheme, selection) is None


def points_of(engine, pairs, scheme, selection):
    found = finish(engine.find(pairs, scheme, selection))
    assert {each.way for each in found} == {"long"}
    return [each.points for each in found]


@pytest.fixture
def device_alone(gpu, monkeypatch):
    """The engine, whose host must not be asked."""
    engine = gpu.end_engine.GpuEndPoints()
    for name in ("find", "align"):
        monkeypatch.setattr(engine._host, name, lambda *_: pytest.fail("the host was asked"))
    return engine


@pytest.mark.parametrize("gaps", [(3, 2), (0, 2)])
def test_alignments_that_end_there_equal_those_of_the_host(gpu, device_alone, monkeypatch, gaps):
    rng = np.random.default_rng(67)
    monkeypatch.setattr(gpu.end_ways, "RUN_WORDS", 3_000)
    pairs = [random_pair(rng, 4, *size) for size in [(40, 1_100), (1, 1), (300, 1_300), (700, 90)]]
    scheme, selection = Scheme(match_table(5, -3), *gaps), Selection(40, least=5, query_apart=3, subject_apart=3)
    ends = points_of(device_alone, pairs, scheme, selection)
    assert ends == of_host(pairs, scheme, selection)
    # Of cells that are no good end points, too.
    ends[2] += best_ends(pairs[2].query, pairs[2].subject, scheme, Selection(3_000))[2_900:]
    expected = [align_ends(pair.query, pair.subject, scheme, each) for pair, each in zip(pairs, ends, strict=True)]
    assert finish(device_alone.align(pairs, scheme, ends)) == expected
    assert len(expected[2]) > 100


def test_pairs_for_which_there_is_no_memory_together_are_done_apart(gpu, device_alone, monkeypatch):
    rng = np.random.default_rng(68)
    pairs = [random_pair(rng, 4, 200, 1_100) for _ in range(3)]
    scheme, selection = Scheme(match_table(5, -3), 8, 1), SELECTIONS[2]
    ends = of_host(pairs, scheme, selection)
    expected = [align_ends(pair.query, pair.subject, scheme, each) for pair, each in zip(pairs, ends, strict=True)]
    together = []

    def bytes_of(lengths, *_):
        together.append(lengths.shape[1])
        return np.full(lengths.shape[1], 1 << 50 if lengths.shape[1] > 1 else 1)

    monkeypatch.setattr(gpu.end_engine, "kept_bytes", bytes_of)
    monkeypatch.setattr(gpu.end_points, "peak_bytes", lambda *given: bytes_of(*given).sum())
    assert points_of(device_alone, pairs, scheme, selection) == ends
    assert finish(device_alone.align(pairs, scheme, ends)) == expected
    assert max(together) > 1


def test_what_no_kernel_takes_is_done_by_the_host(gpu):
    engine, same = gpu.end_engine.GpuEndPoints(), np.zeros(40, np.uint8)
    pairs, scheme = [CodedPair(same, same[:0]), CodedPair(same, same)], Scheme(match_table(1_000, -3), 8, 1)
    found = finish(engine.find(pairs, scheme, Selection(1)))
    assert found == [("cpu", []), ("cpu", [EndPoint(40_000, 40, 40)])]
    [none, [whole]] = finish(engine.align(pairs, scheme, [[], [EndPoint(40_000, 40, 40)]]))
    assert (none, whole.query_start, whole.runs[0].length) == ([], 0, 40)
    assert engine.engines == {"cpu"}


def test_no_pairs_and_no_end_points_are_no_answers(gpu):
    scheme = Scheme(match_table(5, -3), 8, 1)
    pair = CodedPair(np.zeros(40, np.uint8), np.zeros(50, np.uint8))
    for engine in (gpu.end_engine.GpuEndPoints(), gpu.end_engine.RowScans()):
        assert finish(engine.find([], scheme, Selection(1))) == finish(engine.align([], scheme, [])) == []
        assert finish(engine.align([pair], scheme, [[]])) == [[]]
        assert engine.engines == set()
        assert finish(engine.find([pair], scheme, Selection(1))) == [("long", [EndPoint(200, 40, 40)])]
        assert "cpu" not in engine.engines
        assert len(engine.engines) == 1


def test_both_methods_answer_alike(gpu):
    rng = np.random.default_rng(69)
    tiles, rows = gpu.end_engine.GpuEndPoints(), gpu.end_engine.RowScans()
    pairs = [random_pair(rng, 4, 200, 3_100), random_pair(rng, 4, 90, 4_000)]
    scheme = Scheme(match_table(5, -3), 8, 1)
    for selection in SELECTIONS[1:4]:
        ends = points_of(tiles, pairs, scheme, selection)
        assert points_of(rows, pairs, scheme, selection) == ends
        assert finish(rows.align(pairs, scheme, ends)) == finish(tiles.align(pairs, scheme, ends))


def test_several_alignments_of_each_pair_equal_those_of_the_host(gpu):
    from gpu import open_pair_engine

    rng, selection = np.random.default_rng(70), Selection(7, query_apart=4, subject_apart=30)
    sizes = [(40, 900), (0, 30), (25, 31), (200, 1_200), (900, 40)]
    pairs, scheme = PairBatch.of([random_pair(rng, 4, *size) for size in sizes]), Scheme(match_table(5, -3), 8, 1)
    for report in get_args(Report):
        device, host = (
            Columns.joined(True, [*engine.several(selection).align_batch(pairs, scheme, report)])
            for engine in (open_pair_engine(), CpuPairs(1))
        )
        assert list(device) == list(host)
        assert device.ranks.max() == 7
