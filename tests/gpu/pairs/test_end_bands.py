"""End points where memory is short: strips filled some at a time, cells found in passes, ways walked in sections."""

from types import SimpleNamespace

import numpy as np
import pytest

from gpu.pairs import section_rows
from gpu.pairs.section_rows import Sections
from shardwater.alignment.ends import Selection, best_ends
from shardwater.alignment.gotoh import align_ends
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.coded import CodedPair
from shardwater.scoring.table import match_table
from shardwater.ssca1.forms import ACIDS
from shardwater.steps import finish
from tests.support.pairs import random_pair

pytestmark = pytest.mark.gpu

SELECTIONS = [
    Selection(1),
    Selection(200),
    Selection(30, least=4, query_apart=5, subject_apart=5),
    Selection(12, subject_apart=40),
    Selection(3, least=10_000),
]
WIDTH = 1_024
"""Columns of a strip."""


@pytest.fixture(scope="module")
def gpu():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.pairs import end_engine, end_parts, end_points, end_ways, filling

    return SimpleNamespace(
        end_engine=end_engine, end_parts=end_parts, end_points=end_points, end_ways=end_ways, filling=filling
    )


@pytest.fixture
def engine(gpu, monkeypatch):
    """The engine, whose host must not be asked, and pairs whole."""
    engine = gpu.end_engine.GpuEndPoints()
    for name in ("find", "align"):
        monkeypatch.setattr(engine._host, name, lambda *_: pytest.fail("the host was asked"))
    monkeypatch.setattr(gpu.end_parts, "pieces_of", lambda *_, **__: None)
    return engine


@pytest.fixture
def in_bands(gpu, monkeypatch):
    """Memory for so many strips; and the bands that were filled."""

    def set_most(most):
        filled, bands_of = [], gpu.end_points.bands_of

        def recorded(*given):
            filled.append(bands_of(*given))
            return filled[-1]

        monkeypatch.setattr(gpu.end_points, "bands_of", recorded)
        monkeypatch.setattr(gpu.end_points, "LEAST_STRIPS", 1)
        monkeypatch.setattr(gpu.end_points, "MEMORY", (most + 2) * 1_000)
        # Of lengths in columns and rows; the kernel's own number of bytes a strip is another test's.
        monkeypatch.setattr(
            gpu.end_points, "peak_bytes", lambda lengths, shape: int(sum(-(-lengths[0] // (2 * shape.width)))) * 1_000
        )
        return filled

    return set_most


def of_host(pairs, scheme, ends):
    return [align_ends(pair.query, pair.subject, scheme, each) for pair, each in zip(pairs, ends, strict=True)]


def found(engine, pair, scheme, selection):
    steps, told = engine.find([pair], scheme, selection), 0
    while True:
        try:
            told += next(steps)
        except StopIteration as done:
            assert told <= pair.cells
            [ends] = done.value
            assert ends.way == "long"
            return ends.points


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
@pytest.mark.parametrize("gaps", [(3, 2), (0, 2), (8, 1)])
@pytest.mark.parametrize("most", [1, 2])
def test_strips_some_at_a_time(engine, in_bands, selection, gaps, most):
    bands = in_bands(most)
    rng = np.random.default_rng(71)
    scheme = Scheme(match_table(5, -3), *gaps)
    for rows, columns, related in [(300, 5_000, 1), (2_000, 4_097, 1), (90, 3_073, 0), (700, 4_096, 1)]:
        pair = random_pair(rng, 4, rows, columns, related=related)
        assert found(engine, pair, scheme, selection) == best_ends(pair.query, pair.subject, scheme, selection)
    assert min(len(each) for each in bands) >= 2
    assert {len(band.strips) for each in bands for band in each} <= set(range(1, most + 1))


@pytest.mark.parametrize("border", [-40, -1, 0, 1, 2, 33, 80])
def test_alignments_cross_the_border_of_a_band(engine, in_bands, border):
    in_bands(1)
    rng = np.random.default_rng(72)
    pair = random_pair(rng, 20, 500, 4 * WIDTH, related=0)
    for number, end in enumerate((WIDTH, 2 * WIDTH, 3 * WIDTH)):
        rows, columns = slice(100 * number, 100 * number + 90), slice(end + border - 90, end + border)
        pair.subject[columns] = pair.query[rows]
        # A gap over the border.
        pair.subject[end - 4 : end + 3] = rng.integers(0, 20, 7)
    for selection in SELECTIONS[:3]:
        expected = best_ends(pair.query, pair.subject, ACIDS.scheme, selection)
        assert found(engine, pair, ACIDS.scheme, selection) == expected


@pytest.mark.parametrize("apart", [(5, 5), (0, 30), (9, 0)])
@pytest.mark.parametrize("most", [9, 1])
def test_more_cells_than_there_is_room_for_take_several_passes(gpu, engine, in_bands, monkeypatch, apart, most):
    bands = in_bands(most)
    rng = np.random.default_rng(73)
    rows = rng.integers(0, 4, 2_500, np.uint8)
    others = rng.integers(0, 4, 1_500, np.uint8)
    same = CodedPair(rows, np.concatenate((rows[:900], others[:40], rows[850:], others)))
    monkeypatch.setattr(gpu.end_points, "CELLS", 500)
    monkeypatch.setattr(gpu.end_points, "MOST_CELLS", 30_000)
    passes = []
    monkeypatch.setattr(
        gpu.end_points.EndPoints,
        "_candidates",
        lambda self, search, each=gpu.end_points.EndPoints._candidates: passes.append(search) or each(self, search),
    )
    scheme, selection = Scheme(match_table(2, -3), 3, 2), Selection(100, query_apart=apart[0], subject_apart=apart[1])
    assert found(engine, same, scheme, selection) == best_ends(same.query, same.subject, scheme, selection)
    assert len([search for search in passes if search.lines]) >= 1
    assert len(bands) == (1 if most == 1 else 0)


@pytest.fixture
def checked(gpu, monkeypatch):
    """Pairs in pieces that overlap by few strips, and for each whether they were right."""
    monkeypatch.setattr(gpu.end_parts, "STRIPS_CHECKED", 3)
    right, meet = [], gpu.end_points._meet

    def recorded(*given):
        right.append(meet(*given))
        return right[-1]

    monkeypatch.setattr(gpu.end_points, "_meet", recorded)
    return right


@pytest.mark.parametrize("gaps", [(3, 2), (0, 2), (8, 1)])
def test_pieces_that_forget_what_came_before_them(engine, checked, gaps):
    rng = np.random.default_rng(77)
    scheme = Scheme(match_table(1, -3), *gaps)
    for columns in (6 * WIDTH, 10 * WIDTH - 1, 9 * WIDTH + 1):
        pair = random_pair(rng, 4, 1_000, columns, related=0)
        # An alignment over the first strip that a piece has for its own.
        pair.subject[3 * WIDTH - 200 : 3 * WIDTH + 100] = pair.query[300:600]
        for selection in SELECTIONS[:3]:
            expected = best_ends(pair.query, pair.subject, scheme, selection)
            assert found(engine, pair, scheme, selection) == expected
    assert checked == [True] * 9


@pytest.mark.parametrize("after", [-1, 0, 1, 30])
def test_pieces_that_an_alignment_goes_through_are_not_taken(engine, checked, after):
    rng = np.random.default_rng(78)
    pair = random_pair(rng, 4, 1_500, 6 * WIDTH, related=0)
    # It begins before a piece, and ends where pieces are compared or right behind.
    end = 2 * WIDTH + after
    pair.subject[end - 1_200 : end] = pair.query[100:1_300]
    scheme = Scheme(match_table(1, -3), 3, 2)
    for selection in SELECTIONS[:3]:
        assert found(engine, pair, scheme, selection) == best_ends(pair.query, pair.subject, scheme, selection)
    assert checked == [False] * 3


@pytest.mark.parametrize("more", [1, 4])
def test_a_cut_that_leaves_too_few_peaks_is_not_taken(gpu, engine, monkeypatch, more):
    monkeypatch.setattr(gpu.end_points, "SAMPLE", 16)
    monkeypatch.setattr(gpu.end_points, "MORE_PEAKS", more)
    rng = np.random.default_rng(79)
    pairs = [random_pair(rng, 4, 3_000, 4_000, related=1), random_pair(rng, 4, 3_000, 4_000, related=0)]
    scheme = Scheme(match_table(1, -3), 3, 2)
    for pair in pairs:
        for selection in SELECTIONS[:4]:
            assert found(engine, pair, scheme, selection) == best_ends(pair.query, pair.subject, scheme, selection)


def test_pairs_that_share_letters(engine):
    rng = np.random.default_rng(74)
    subject = rng.integers(0, 20, 3_000, np.uint8)
    pairs = [CodedPair(subject[first : first + 17], subject) for first in range(0, 2_900, 290)]
    pairs += [CodedPair(pair.subject, pair.query) for pair in pairs[:3]]
    selection = Selection(40, least=10, subject_apart=5)
    ends = [each.points for each in finish(engine.find(pairs, ACIDS.scheme, selection))]
    assert ends == [best_ends(pair.query, pair.subject, ACIDS.scheme, selection) for pair in pairs]
    expected = [
        align_ends(pair.query, pair.subject, ACIDS.scheme, each) for pair, each in zip(pairs, ends, strict=True)
    ]
    assert finish(engine.align(pairs, ACIDS.scheme, ends)) == expected


@pytest.mark.parametrize("gaps", [(3, 2), (0, 2)])
def test_alignments_through_sections(gpu, engine, monkeypatch, gaps):
    monkeypatch.setattr(gpu.end_engine, "kept_bytes", lambda lengths: np.full(lengths.shape[1], 1 << 50))
    monkeypatch.setattr(gpu.end_ways, "sections_for", lambda *_: Sections(16, 1))
    monkeypatch.setattr(section_rows, "SPARE", 512)
    monkeypatch.setattr(gpu.filling, "ROUNDS", 7)
    rng = np.random.default_rng(75)
    pairs = [random_pair(rng, 4, *size, related=1) for size in [(3_000, 4_500), (700, 2_200), (4_100, 1_025)]]
    scheme, selection = Scheme(match_table(5, -3), *gaps), Selection(6, query_apart=300, subject_apart=5)
    ends = [best_ends(pair.query, pair.subject, scheme, selection) for pair in pairs]
    # Of cells that are no good end points, too.
    ends[1] += best_ends(pairs[1].query, pairs[1].subject, scheme, Selection(900))[800:804]
    expected = of_host(pairs, scheme, ends)
    steps, told = engine.align(pairs, scheme, ends), 0
    while True:
        try:
            told += next(steps)
        except StopIteration as done:
            assert done.value == expected
            break
    assert told <= sum(pair.cells for pair in pairs)


def test_no_memory_for_a_band_or_a_section_is_the_hosts(gpu, monkeypatch):
    engine = gpu.end_engine.GpuEndPoints()
    monkeypatch.setattr(gpu.end_points, "MEMORY", 1)
    monkeypatch.setattr(gpu.end_engine, "MEMORY", 1)
    rng = np.random.default_rng(76)
    pair, scheme = random_pair(rng, 4, 300, 1_500), Scheme(match_table(5, -3), 8, 1)
    [ends] = finish(engine.find([pair], scheme, Selection(3)))
    assert ends == ("cpu", best_ends(pair.query, pair.subject, scheme, Selection(3)))
    expected = align_ends(pair.query, pair.subject, scheme, ends.points)
    assert finish(engine.align([pair], scheme, [ends.points])) == [expected]
    assert engine.engines == {"cpu"}
