"""Long pairs, a strip to a warp: the alignments of the host, wherever strips, rounds, tiles and launches meet."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from gpu.pairs.section_rows import Sections
from shardwater.alignment.alignment import Alignment, Run
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
EDGES = [(1, 1), (1, 600), (600, 1), (31, 512), (32, 513), (33, 1_023), (64, 1_024), (65, 1_025), (129, 1_537)]
"""Rows and columns about where a round, a half of a strip, and a strip end."""
COMMON = [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL]


@pytest.fixture(scope="module")
def gpu():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.pairs import filling, long, pieces

    def found(pairs, scheme, report="alignment"):
        batch = PairBatch.of(pairs)
        bases = all(pair.most < 4 for pair in pairs)
        aligning = long.LongPairs.of(scheme, bases=bases)
        assert aligning.holds(batch.lengths).all()
        columns = list(aligning.align(batch, np.arange(len(batch)), report))
        assert sum(part.ahead for part in columns) <= np.multiply(*batch.lengths).sum()
        return [each for _, each in sorted(answer for part in columns for answer in part)]

    return SimpleNamespace(found=found, long=long, filling=filling, pieces=pieces)


@pytest.fixture(params=[0, -1], ids=["narrow", "wide"])
def strips(gpu, monkeypatch, request):
    """Strips of one width, which the number of strips would choose."""
    shapes = gpu.long.long_shapes
    monkeypatch.setattr(gpu.filling, "shape_for", lambda columns, how: shapes(how)[request.param])
    monkeypatch.setattr(gpu.filling, "placed", lambda columns, how, devices: (shapes(how)[request.param], devices))


def same(gpu, pairs, scheme):
    return gpu.found(pairs, scheme) == aligned(CpuPairs(), pairs, scheme, "alignment")


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: f"{scheme[0].best}/{scheme[0].worst} {scheme[1:]}")
@pytest.mark.usefixtures("strips")
def test_alignments_equal_those_of_the_host(gpu, scheme, mode):
    rng = np.random.default_rng(3)
    sizes = [*EDGES, *rng.integers(1, 2_500, (6, 2))]
    assert same(gpu, [random_pair(rng, 4, *size) for size in sizes], Scheme(*scheme, mode))


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("gaps", [(11, 1), (0, 2), (3, 0)])
def test_alignments_of_other_letters_equal_those_of_the_host(gpu, gaps, mode):
    rng = np.random.default_rng(17)
    sizes = [*EDGES[::2], *rng.integers(1, 2_500, (3, 2))]
    proteins = [random_pair(rng, 24, *size) for size in sizes]
    assert same(gpu, proteins, Scheme(matrix_table("BLOSUM62"), *gaps, mode))
    assert same(gpu, [random_pair(rng, 15, *size) for size in sizes], Scheme(match_table(2, -1), *gaps, mode))


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_of_many_best_alignments_the_first_is_taken(gpu, mode):
    rng = np.random.default_rng(5)
    pairs = [random_pair(rng, letters, *rng.integers(1, 1_500, 2), related=0.2) for letters in (1, 2, 2, 3)]
    for table in (match_table(2, -1), match_table(1, 0), match_table(0, -1)):
        for gaps in ((0, 1), (1, 1), (0, 0), (3, 0)):
            assert same(gpu, pairs, Scheme(table, *gaps, mode))


@pytest.mark.parametrize("report", ["score", "alignment"])
@pytest.mark.parametrize("mode", COMMON, ids=str)
@pytest.mark.usefixtures("strips")
def test_strips_go_on_where_a_launch_left_them(gpu, monkeypatch, mode, report):
    monkeypatch.setattr(gpu.filling, "ROUNDS", 5)
    rng = np.random.default_rng(7)
    pairs = [random_pair(rng, 4, *size, related=1) for size in [(3_000, 4_500), (40, 5_000), (4_000, 900), (1, 1)]]
    scheme = Scheme(match_table(2, -1), 1, 1, mode)
    expected = aligned(CpuPairs(), pairs, scheme, report)
    assert gpu.found(pairs, scheme, report) == expected


@pytest.mark.parametrize("letters", [546, 547, 1_092, 1_093, 279_620, 279_621])
@pytest.mark.parametrize("mode", COMMON, ids=str)
@pytest.mark.usefixtures("strips")
def test_scores_about_what_15_16_and_24_bits_hold(gpu, mode, letters):
    # 32,760 and 32,820; 65,520 and 65,580; 16,777,200 and 16,777,260.
    same = np.random.default_rng(8).integers(0, 4, letters, np.uint8)
    whole = Alignment(60 * letters, 0, letters, 0, letters, (Run("M", letters),))
    assert gpu.found([CodedPair(same, same)], Scheme(match_table(60, -40), 5, 2, mode)) == [whole]


@pytest.fixture
def in_sections(gpu, monkeypatch):
    """Sections of so many rounds for all pairs."""

    def set_rounds(rounds, group=16):
        monkeypatch.setattr(gpu.long, "kept_bytes", lambda lengths: np.full(lengths.shape[1], 1 << 60))
        monkeypatch.setattr(gpu.long, "sections_for", lambda *_: Sections(rounds, group))

    return set_rounds


@pytest.fixture
def in_pieces(gpu, monkeypatch):
    """All pairs in so many pieces."""

    def set_count(count):
        monkeypatch.setattr(gpu.pieces, "_time", lambda lengths, side, number, *_: number != count)

    return set_count


@pytest.mark.parametrize("report", ["score", "alignment"])
@pytest.mark.parametrize("gaps", [(8, 1), (0, 1), (1, 3), (20, 5)])
def test_pieces_of_a_long_sequence_equal_the_whole(gpu, in_pieces, gaps, report):
    rng = np.random.default_rng(47)
    long = rng.integers(0, 4, 4_000, np.uint8)
    # Alike across a border, over more than 64 letters, with a gap there, twice as well, and nowhere.
    pairs = [random_pair(rng, 4, 70, 4_000, related=0), CodedPair(np.zeros(9, np.uint8), np.full(3_000, 2, np.uint8))]
    for first, last in [(960, 1_040), (1_900, 2_100), (0, 90), (3_900, 4_000), (995, 1_005)]:
        part = long[first:last]
        pairs += [CodedPair(part, long), CodedPair(np.delete(part, slice(3, 7)), long)]
    twice = long.copy()
    twice[2_950:3_050] = long[950:1_050]
    pairs.append(CodedPair(long[960:1_040], twice))
    pairs += [CodedPair(pair.subject, pair.query) for pair in pairs]
    scheme = Scheme(match_table(5, -3), *gaps)
    expected = aligned(CpuPairs(), pairs, scheme, report)
    for count in (2, 4, 64):
        in_pieces(count)
        assert [gpu.found([pair], scheme, report)[0] for pair in pairs] == expected


def test_only_what_is_much_longer_is_cut(gpu):
    pieces_of = gpu.pieces.pieces_of
    local = Scheme(match_table(5, -3), 8, 1)
    [cut] = [pieces_of(np.array([1_024, 1_000_000]), 1_024, local, 132)]
    assert cut.side == 1 and len(cut.ranges) > 16
    assert cut.ranges[0].start == 0 and cut.ranges[-1].stop == 1_000_000
    assert all(before.stop - after.start == 1_024 + 5 * 1_024 - 8 for before, after in pairwise(cut.ranges))
    for lengths in ([1_000_000, 1_000_000], [5_000, 5_000], [100_000, 1_000_000]):
        assert pieces_of(np.array(lengths), 1_024, local, 132) is None
    for scheme in (Scheme(match_table(5, -3), 8, 1, Mode.GLOBAL), Scheme(match_table(5, -3), 8, 0)):
        assert pieces_of(np.array([1_024, 1_000_000]), 1_024, scheme, 132) is None


SECTION_EDGES = [(127, 300), (128, 300), (129, 1_100), (255, 300), (256, 257), (257, 300), (383, 90), (384, 1_030)]
"""Rows and columns about where a section of 4 rounds ends, and the first tile of the one after it."""


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: f"{scheme[0].best}/{scheme[0].worst} {scheme[1:]}")
@pytest.mark.usefixtures("strips")
def test_ways_back_section_by_section_equal_those_of_the_host(gpu, in_sections, scheme, mode):
    rng = np.random.default_rng(37)
    sizes = [*EDGES[::3], *SECTION_EDGES, *rng.integers(1, 2_500, (3, 2))]
    pairs = [random_pair(rng, 4, *size, related=1) for size in sizes]
    for rounds in (4, 12):
        in_sections(rounds)
        assert same(gpu, pairs, Scheme(*scheme, mode))


@pytest.mark.parametrize("mode", COMMON, ids=str)
def test_sections_of_proteins_and_of_many_launches(gpu, in_sections, monkeypatch, mode):
    monkeypatch.setattr(gpu.filling, "ROUNDS", 5)
    in_sections(8)
    rng = np.random.default_rng(41)
    proteins = [random_pair(rng, 24, *size, related=1) for size in [(1_500, 2_300), (900, 700)]]
    assert same(gpu, proteins, Scheme(matrix_table("BLOSUM62"), 11, 1, mode))


@pytest.mark.parametrize("mode", COMMON, ids=str)
def test_gaps_may_cross_sections(gpu, in_sections, mode):
    in_sections(4)
    rng = np.random.default_rng(43)
    letters = rng.integers(0, 4, 2_000, np.uint8)
    pairs = []
    for first, last in [(100, 1_100), (120, 136), (250, 262), (1_000, 1_999), (0, 700)]:
        cut = np.delete(letters, np.arange(first, last))
        pairs += [CodedPair(letters, cut), CodedPair(cut, letters)]
    for gaps in ((20, 0), (1, 1), (0, 1)):
        assert same(gpu, pairs, Scheme(match_table(5, -4), *gaps, mode))


@pytest.fixture
def passes(monkeypatch):
    """Sets in how many passes the way through a section is sought, and counts the ways that were walked in each."""
    from gpu.pairs import tile_rows

    walked, walk = [], tile_rows.TileRows._walked

    def counted(self, stages, most):
        walked.append(len(stages))
        return walk(self, stages, most)

    def set_passes(most):
        walked.clear()
        monkeypatch.setattr(tile_rows, "PASSES", most)
        return walked

    monkeypatch.setattr(tile_rows.TileRows, "_walked", counted)
    return set_passes


@pytest.mark.parametrize("mode", COMMON, ids=str)
@pytest.mark.parametrize("most", [1, 2, 4])
def test_rows_of_tiles_side_by_side_have_the_way_of_one_warp(gpu, in_sections, passes, mode, most):
    in_sections(64)
    rng = np.random.default_rng(73)
    passes(most)
    pairs = [random_pair(rng, 4, *size, related=1) for size in [(2_300, 2_500), (4_200, 1_900), (900, 2_600)]]
    # Beyond any guess: a gap along five rows of tiles, and one across them; nothing alike.
    letters = pairs[0].query
    pairs += [CodedPair(letters, np.delete(letters, slice(700, 1_300))), random_pair(rng, 4, 1_800, 1_700, related=0)]
    pairs += [CodedPair(pairs[-2].subject, pairs[-2].query)]
    for gaps in ((3, 2), (0, 1), (20, 0)):
        assert same(gpu, pairs, Scheme(match_table(2, -3), *gaps, mode))


def test_a_way_through_what_is_alike_is_known_in_two_passes(gpu, in_sections, passes):
    in_sections(128)
    rng = np.random.default_rng(74)
    walked = passes(4)
    letters = rng.integers(0, 4, 4_000, np.uint8)
    other = np.where(rng.random(4_000) < 0.05, rng.integers(0, 4, 4_000, np.uint8), letters)
    assert same(gpu, [CodedPair(letters, other)], Scheme(match_table(1, -3), 3, 2, Mode.GLOBAL))
    assert walked[0] == -(-4_000 // 128)
    assert sum(walked[1:]) < walked[0] / 2


@pytest.mark.parametrize("mode", COMMON, ids=str)
@pytest.mark.parametrize("rounds", [4, 16])
def test_sections_are_filled_from_some_strip_on(gpu, in_sections, monkeypatch, mode, rounds):
    from gpu.pairs import section_rows

    in_sections(rounds, 1)
    monkeypatch.setattr(section_rows, "SPARE", 512)
    firsts, section = [], gpu.filling.Filling.section

    def recorded(self, number, *given):
        filled = section(self, number, *given)
        firsts.append((number, filled.first_strip))
        return filled

    monkeypatch.setattr(gpu.filling.Filling, "section", recorded)
    rng = np.random.default_rng(76)
    letters = rng.integers(0, 4, 5_000, np.uint8)
    cut = np.delete(letters, slice(1_500, 4_400))
    other = np.where(rng.random(5_000) < 0.04, rng.integers(0, 4, 5_000, np.uint8), letters)
    pairs = [CodedPair(other[:4_300], letters), CodedPair(cut, letters), CodedPair(letters[4_000:], letters)]
    pairs.append(random_pair(rng, 4, 900, 4_500, related=0))
    for gaps in ((3, 2), (30, 0)):
        assert same(gpu, pairs, Scheme(match_table(2, -3), *gaps, mode))
    assert max(first for _, first in firsts) > 2
    # A gap along several strips: one section is filled again, from further left.
    assert len({number for number, _ in firsts}) < len(set(firsts))


def test_pairs_of_many_rows_go_by_sections(gpu, monkeypatch):
    monkeypatch.setattr(gpu.long, "SECTIONED_ROWS", 1_000)
    monkeypatch.setattr(gpu.long, "sections_for", lambda *_: Sections(4))
    sections, begun = [], gpu.long.SectionedWay.__init__

    def recorded(self, *given):
        sections.append(given)
        begun(self, *given)

    monkeypatch.setattr(gpu.long.SectionedWay, "__init__", recorded)
    rng = np.random.default_rng(75)
    pairs = [random_pair(rng, 4, *size, related=1) for size in [(1_000, 900), (999, 1_100), (1_200, 400)]]
    assert same(gpu, pairs, Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL))
    assert len(sections) == 2
    few = gpu.long.FEW
    assert same(gpu, pairs[:1] * few, Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL))
    assert len(sections) == 2


@pytest.mark.parametrize("rounds", [None, 4])
def test_progress_is_told_between_launches(gpu, in_sections, monkeypatch, rounds):
    monkeypatch.setattr(gpu.filling, "ROUNDS", 2)
    if rounds is not None:
        in_sections(rounds)
    rng = np.random.default_rng(53)
    batch = PairBatch.of([random_pair(rng, 4, 1_500, 2_500, related=1)])
    aligning = gpu.long.LongPairs.of(Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL), bases=True)
    columns = list(aligning.align(batch, np.arange(1), "alignment"))
    ahead = [part.ahead for part in columns if len(part) == 0]
    assert min(ahead) > 0
    assert 0.4 * 1_500 * 2_500 < sum(ahead) <= 1_500 * 2_500
    # The second pass is told, too.
    assert len(ahead) > (30 if rounds else 20)


@pytest.mark.parametrize("mode", COMMON, ids=str)
def test_pairs_take_turns_where_memory_is_little(gpu, monkeypatch, mode):
    monkeypatch.setattr(gpu.long, "MEMORY", 1_000_000)
    rng = np.random.default_rng(11)
    pairs = [random_pair(rng, 4, *rng.integers(1_500, 4_500, 2), related=1) for _ in range(6)]
    assert same(gpu, pairs, Scheme(match_table(2, -1), 1, 1, mode))


def test_pairs_that_memory_does_not_hold_are_left_out(gpu, monkeypatch):
    monkeypatch.setattr(gpu.long, "MEMORY", 1_000_000)
    rng = np.random.default_rng(31)
    pairs = [random_pair(rng, 4, *size) for size in [(900, 800), (9_000, 8_000), (700, 600)]]
    scheme = Scheme(match_table(2, -1), 1, 1, Mode.LOCAL)
    assert gpu.found(pairs, scheme) == aligned(CpuPairs(), pairs[::2], scheme, "alignment")
    assert len(gpu.found(pairs, scheme, "score")) == 3


@pytest.mark.parametrize("mode", COMMON, ids=str)
@pytest.mark.usefixtures("strips")
def test_gaps_may_cross_strips(gpu, mode):
    rng = np.random.default_rng(19)
    letters = rng.integers(0, 4, 4_000, np.uint8)
    pairs = []
    for first, last in [(400, 3_100), (1_020, 1_030), (500, 2_100), (3_000, 3_999), (0, 1_700)]:
        cut = np.delete(letters, np.arange(first, last))
        pairs += [CodedPair(letters, cut), CodedPair(cut, letters)]
    for gaps in ((20, 0), (1, 1), (0, 1)):
        assert same(gpu, pairs, Scheme(match_table(5, -4), *gaps, mode))


@pytest.mark.parametrize("mode", COMMON, ids=str)
@pytest.mark.parametrize(("gap_open", "gap_extend"), [(0, 5), (30, 5)])
def test_scores_far_beyond_16_bits(gpu, mode, gap_open, gap_extend):
    rng = np.random.default_rng(23)
    letters, head = rng.integers(0, 4, 40_000, np.uint8), np.full(100, 3, np.uint8)
    wrong = letters.copy()
    wrong[[0, -1]] = (wrong[[0, -1]] + 1) % 4
    scheme = Scheme(match_table(5, -4), gap_open, gap_extend, mode)
    same_letters, two_wrong = gpu.found([CodedPair(letters, letters), CodedPair(letters, wrong)], scheme)
    assert same_letters.runs == (Run("M", 40_000),) and same_letters.score == 200_000
    assert two_wrong.score == 5 * 39_998 - (0 if mode.local else 8)
    [longer] = gpu.found([CodedPair(letters, np.concatenate((head, letters)))], scheme)
    assert longer.score == 200_000 - (gap_open + 100 * gap_extend if mode == Mode.GLOBAL else 0)
    nothing_alike = CodedPair(np.zeros(20_000, np.uint8), np.full(30_000, 2, np.uint8))
    [lost] = gpu.found([nothing_alike], scheme)
    if mode == Mode.GLOBAL:
        assert lost.score == -4 * 20_000 - gap_open - 10_000 * gap_extend
    else:
        assert lost is None or lost.score == 0


def test_one_to_sixty_thousand_letters_in_one_batch(gpu):
    rng = np.random.default_rng(29)
    scheme = Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL)
    sizes = [(1, 3), (17, 60_000), (60_000, 2), (300, 310), (5_000, 5_200), (2_000, 30)]
    pairs = [random_pair(rng, 4, *size) for size in sizes]
    together = gpu.found(pairs, scheme)
    assert together == [each for pair in pairs for each in gpu.found([pair], scheme)]
    assert together == aligned(CpuPairs(), pairs, scheme, "alignment")
