"""One long pair over several devices, or in several shares on one: what the CPU finds."""

from types import SimpleNamespace

import numpy as np
import pytest

from gpu.pairs import section_rows
from gpu.pairs.section_rows import Sections
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import match_table, matrix_table
from tests.support.pairs import aligned, random_pair

pytestmark = pytest.mark.gpu

COMMON = [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL]
WIDTH = 1_024
"""Columns of the narrowest strips of bases."""


@pytest.fixture(scope="module")
def gpu():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.pairs import filling, long, long_layout

    # One device may take the place of several: its strips are as far apart.
    present = cupy.cuda.runtime.getDeviceCount()

    def found(pairs, scheme, report="alignment", devices=2):
        bases = all(pair.most < 4 for pair in pairs)
        several = tuple(number % present for number in range(devices))
        aligning = long.LongPairs.of(scheme, bases=bases, devices=several)
        answers = []
        for pair in pairs:
            columns = list(aligning.align(PairBatch.of([pair]), np.arange(1), report))
            assert sum(part.ahead for part in columns) <= pair.cells
            answers += [each for part in columns for _, each in part]
        return answers

    return SimpleNamespace(found=found, long=long, filling=filling, layout=long_layout, present=present)


@pytest.fixture(autouse=True)
def small(gpu, monkeypatch):
    """All pairs in sections and over all devices for which they have strips, in launches of few rounds."""
    monkeypatch.setattr(gpu.layout, "STRIPS_A_DEVICE", 1)
    monkeypatch.setattr(gpu.long, "SECTIONED_ROWS", 1)
    monkeypatch.setattr(gpu.long, "pieces_of", lambda *_: None)
    monkeypatch.setattr(gpu.long, "sections_for", lambda *_: Sections(16, 1))
    monkeypatch.setattr(section_rows, "SPARE", 512)
    monkeypatch.setattr(gpu.filling, "ROUNDS", 7)
    monkeypatch.setattr(gpu.filling, "LEAST_ROUNDS", 7)


@pytest.fixture
def over(gpu, monkeypatch):
    """The strips of each share that was filled, share by share."""
    seen, begun = [], gpu.filling.Share.__init__

    def recorded(self, inputs, purpose, own, *there):
        seen.append(own)
        begun(self, inputs, purpose, own, *there)

    monkeypatch.setattr(gpu.filling.Share, "__init__", recorded)
    return seen


def same(gpu, pairs, scheme, report="alignment", devices=2):
    return gpu.found(pairs, scheme, report, devices) == aligned(CpuPairs(), pairs, scheme, report)


@pytest.mark.parametrize("mode", COMMON, ids=str)
@pytest.mark.parametrize("report", ["score", "alignment"])
@pytest.mark.parametrize("devices", [2, 3])
def test_as_one_device(gpu, over, mode, report, devices):
    rng = np.random.default_rng(90)
    pairs = [random_pair(rng, 4, *size, related=1) for size in [(3_000, 4_500), (700, 5_200), (4_100, 3_073)]]
    pairs.append(random_pair(rng, 4, 1_500, 4_000, related=0))
    for gaps in ((3, 2), (0, 1)):
        assert same(gpu, pairs, Scheme(match_table(2, -3), *gaps, mode), report, devices)
    assert len(over) == 2 * len(pairs) * devices
    assert over[:devices] == [[range(2), range(2, 5)], [range(1), range(1, 3), range(3, 5)]][devices - 2]


@pytest.mark.parametrize("mode", COMMON, ids=str)
@pytest.mark.parametrize("devices", [1, 2])
def test_in_shares_on_each_device(gpu, over, monkeypatch, mode, devices):
    monkeypatch.setattr(gpu.layout, "SHARES", 2)
    monkeypatch.setattr(gpu.layout, "STRIPS_A_SHARE", 1)
    rng = np.random.default_rng(98)
    pairs = [random_pair(rng, 4, *size, related=1) for size in [(3_000, 7_500), (700, 8_200)]]
    for report in ("score", "alignment"):
        assert same(gpu, pairs, Scheme(match_table(2, -3), 3, 2, mode), report, devices)
    assert (
        over[: 2 * devices] == [[range(2), range(2, 4)], [range(1), range(1, 2), range(2, 3), range(3, 4)]][devices - 1]
    )


def test_proteins(gpu):
    rng = np.random.default_rng(91)
    pairs = [random_pair(rng, 20, *size, related=1) for size in [(1_200, 2_900), (2_000, 2_200)]]
    assert same(gpu, pairs, Scheme(matrix_table("BLOSUM62"), 10, 1), devices=3)


@pytest.mark.parametrize("devices", [2, 4])
def test_alignments_cross_each_border(gpu, devices):
    rng = np.random.default_rng(92)
    subject = rng.integers(0, 4, 4 * WIDTH, np.uint8)
    pairs = []
    for border in range(WIDTH, 4 * WIDTH, WIDTH):
        # Two thirds of each begin before the border; one begins just behind it, one ends just before it.
        for first, last in [(-40, 20), (-1, 1), (-200, 100), (-1_500, 700), (0, 90), (-90, 0), (1, 400), (-400, -1)]:
            span = slice(max(0, border + first), border + last)
            query = rng.integers(0, 4, 2_000, np.uint8)
            planted = np.concatenate([query[:700], subject[span], query[700:]])
            pairs += [CodedPair(planted, subject), CodedPair(subject[span], subject)]
    for gaps in ((3, 2), (0, 1)):
        assert same(gpu, pairs, Scheme(match_table(2, -3), *gaps), devices=devices)


@pytest.mark.parametrize("mode", COMMON, ids=str)
def test_gaps_cross_borders(gpu, mode):
    rng = np.random.default_rng(93)
    letters = rng.integers(0, 4, 4_000, np.uint8)
    pairs = []
    for first, last in [(400, 3_100), (2_020, 2_070), (1_990, 2_047), (2_048, 2_100), (900, 2_048)]:
        cut = np.delete(letters, np.arange(first, last))
        pairs += [CodedPair(cut, letters), CodedPair(letters, cut)]
    for gaps in ((20, 0), (1, 1)):
        assert same(gpu, pairs, Scheme(match_table(5, -4), *gaps, mode))


def test_of_equal_ends_the_first_row_is_taken_and_there_the_first_column(gpu):
    rng = np.random.default_rng(94)
    motif, other = rng.integers(0, 2, (2, 60), np.uint8)
    pairs = []
    for columns in [(3_500, 300), (300, 3_500), (1_000, 2_500)]:
        subject = np.full(4_000, 3, np.uint8)
        for first, each in zip(columns, (motif, other), strict=True):
            subject[first : first + 60] = each
        nothing = np.full(50, 2, np.uint8)
        pairs += [
            CodedPair(np.concatenate(each), subject) for each in ([motif, nothing, other], [other, nothing, motif])
        ]
        # The same twice in a row.
        subject = subject.copy()
        subject[columns[1] : columns[1] + 60] = motif
        pairs.append(CodedPair(np.concatenate([nothing, motif]), subject))
    assert same(gpu, pairs, Scheme(match_table(2, -3), 3, 2), devices=3)


def test_alike_ones_of_which_some_is_left_out(gpu):
    rng = np.random.default_rng(95)
    letters = rng.integers(0, 4, 6_000, np.uint8)
    other = np.where(rng.random(6_000) < 0.05, rng.integers(0, 4, 6_000, np.uint8), letters)
    pairs = [CodedPair(other, letters), CodedPair(other[:2_000], letters), CodedPair(letters[3_000:], letters)]
    scheme = Scheme(match_table(1, -3), 3, 2)
    assert same(gpu, pairs, scheme)
    assert same(gpu, pairs, scheme, "score", devices=3)
    handed_on = []
    for prunes in (True, False):
        how = gpu.long.LongPairs.of(scheme, bases=True).how
        several = (0, 0, 0) if gpu.present == 1 else (0, 1, 0)
        each = gpu.filling.Filling(pairs[:1], how, gpu.filling.Purpose(prunes=prunes), several)
        for _ in each.run(each.whole):
            pass
        handed_on.append([(share.edges.get() & 0xFFFFFFFF).astype(np.int32) for share in each._shares])
    assert len(handed_on[0]) == 3
    # What follows the alignment in its own rows, of the first share already.
    assert (handed_on[1][0] > handed_on[0][0]).any()


def test_no_more_devices_than_strips(gpu, over):
    rng = np.random.default_rng(96)
    pairs = [random_pair(rng, 4, 900, size, related=1) for size in (1_000, 2_000)]
    assert same(gpu, pairs, Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL), "score", devices=3)
    assert over == [range(1), range(1), range(1, 2)]


def test_what_is_kept_at_once_stays_on_one_device(gpu, over, monkeypatch):
    monkeypatch.setattr(gpu.long, "SECTIONED_ROWS", 1 << 20)
    rng = np.random.default_rng(97)
    pairs = [random_pair(rng, 4, 2_000, 3_000, related=1)]
    assert same(gpu, pairs, Scheme(match_table(2, -1), 1, 1))
    assert over == [range(3)]
