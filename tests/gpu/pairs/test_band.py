"""Pairs of DNA that are alike, in bands: the alignments of the host, or none where the band may not be enough."""

from types import SimpleNamespace

import numpy as np
import pytest

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.columns import Columns
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import match_table
from tests.support.pairs import aligned, random_pair

pytestmark = pytest.mark.gpu

SCHEMES = [(2, -1, 1, 1), (2, -1, 0, 1), (5, -4, 10, 1), (1, -3, 0, 2), (1, 0, 2, 0), (1, -20, 2, 1)]


def scheme(match, mismatch, *gaps):
    return Scheme(match_table(match, mismatch), *gaps, Mode.GLOBAL)


def read(rng, subject, share, long_gaps=0):
    """A copy with so many letters changed, put in and left out, and some longer gaps."""
    query = subject.copy()
    changed = rng.random(len(query)) < share / 2
    query[changed] = (query[changed] + rng.integers(1, 4, changed.sum(), np.uint8)) & 3
    query = query[rng.random(len(query)) > share / 4]
    query = np.insert(query, rng.integers(0, len(query) + 1, int(share * len(query) / 4)), 2)
    for _ in range(long_gaps):
        place, length = rng.integers(0, len(query)), rng.integers(2, 9)
        query = np.delete(query, slice(place, place + length))
        query = np.insert(query, rng.integers(0, len(query) + 1), rng.integers(0, 4, length))
    return CodedPair(query.astype(np.uint8), subject)


def reads(seed, count, lengths, share, long_gaps=0):
    rng = np.random.default_rng(seed)
    return [read(rng, rng.integers(0, 4, rng.integers(*lengths), np.uint8), share, long_gaps) for _ in range(count)]


@pytest.fixture(scope="module")
def gpu():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.database.staging import Staging
    from gpu.pairs import band, chunks

    streams, staging = [cupy.cuda.Stream(non_blocking=True) for _ in range(3)], Staging()

    def found(pairs, scheme, report="alignment"):
        work = band.BandWork.of(PairBatch.of(pairs), scheme, report)
        columns = list(chunks.done(PairBatch.of(pairs), work, streams, staging))
        return work, Columns.joined(local=False, parts=columns)

    return SimpleNamespace(found=found, band=band)


@pytest.fixture(autouse=True)
def any_number_and_length(gpu, monkeypatch):
    monkeypatch.setattr(gpu.band, "MANY", 1)
    monkeypatch.setattr(gpu.band, "LEAST_CELLS", 0)


@pytest.fixture
def lanes(gpu, monkeypatch):
    """Bands of so many lanes for all, and no others after them."""

    def set_lanes(number):
        monkeypatch.setattr(gpu.band, "guessed", lambda lengths, _: np.full(lengths.shape[1], number))
        monkeypatch.setattr(gpu.band, "needed", lambda lengths, *_: np.zeros(lengths.shape[1], np.int64))

    return set_lanes


def on_host(pairs, scheme):
    return aligned(CpuPairs(), pairs, scheme, "alignment")


def right(columns, expected):
    return len(columns) > 0 and all(expected[number] == alignment for number, alignment in columns)


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize("numbers", SCHEMES, ids=str)
def test_alignments_equal_those_of_the_host(gpu, lanes, numbers, width):
    lanes(width)
    pairs = reads(width, 70, (60, 200 + 20 * width), 0.04, long_gaps=1)
    _, columns = gpu.found(pairs, scheme(*numbers))
    assert right(columns, on_host(pairs, scheme(*numbers)))
    # A band that is as wide as the matrix is enough for all.
    assert width < 16 or len(columns) == len(pairs)


@pytest.mark.parametrize("letters", [1, 2, 3])
@pytest.mark.parametrize("numbers", SCHEMES, ids=str)
def test_of_many_best_alignments_the_first_is_taken(gpu, lanes, numbers, letters):
    rng = np.random.default_rng(letters)
    sizes = rng.integers(30, 120, 80)
    pairs = [random_pair(rng, letters, size, size + rng.integers(-5, 6), related=0.8) for size in sizes]
    expected = on_host(pairs, scheme(*numbers))
    for width in (1, 4):
        lanes(width)
        assert right(gpu.found(pairs, scheme(*numbers))[1], expected)


def test_pairs_of_any_lengths_share_bands(gpu, lanes):
    rng = np.random.default_rng(7)
    sizes = [(1, 1), (1, 2), (2, 1), (1, 28), (28, 1), (15, 16), (17, 16), (33, 32), (400, 380), (31, 64)] * 5
    pairs = [random_pair(rng, 4, *size, related=1) for size in sizes] + reads(9, 33, (500, 900), 0.02)
    rng.shuffle(pairs)
    expected = on_host(pairs, scheme(2, -1, 1, 1))
    for width in (4, 32):
        lanes(width)
        _, columns = gpu.found(pairs, scheme(2, -1, 1, 1))
        assert right(columns, expected)
    assert len(columns) == len(pairs)


@pytest.mark.parametrize("report", ["score", "ends"])
def test_scores_and_ends_alone(gpu, report):
    pairs = reads(3, 200, (900, 2_000), 0.03)
    expected = on_host(pairs, scheme(2, -1, 1, 1))
    _, columns = gpu.found(pairs, scheme(2, -1, 1, 1), report)
    assert len(columns) > 150
    found = dict(zip(columns.numbers.tolist(), columns.scores.tolist(), strict=True))
    assert found == {number: expected[number].score for number in found}
    lengths = [[0, len(pairs[number].query), 0, len(pairs[number].subject)] for number in columns.numbers]
    assert columns.places.tolist() == lengths
    assert len(columns.row_runs) == 0


def test_long_reads_in_little_memory(gpu, monkeypatch):
    monkeypatch.setattr(gpu.band, "MEMORY", 8_000_000)
    pairs = reads(5, 40, (3_000, 6_000), 0.03)
    tried, columns = gpu.found(pairs, scheme(2, -1, 1, 1))
    assert len(tried.chunks) > 1
    assert len(columns) == len(pairs)
    assert right(columns, on_host(pairs, scheme(2, -1, 1, 1)))


def test_what_one_band_leaves_a_wider_one_does(gpu, monkeypatch):
    tried: list[tuple[int, list[int]]] = []
    plan = gpu.band.BandWork._plan

    def recorded(work, part, numbers, lanes):
        tried.append((lanes, numbers.tolist()))
        return plan(work, part, numbers, lanes)

    monkeypatch.setattr(gpu.band.BandWork, "_plan", recorded)
    pairs = reads(11, 60, (1_200, 1_210), 0.02) + reads(12, 80, (1_200, 1_210), 0.1)
    _, columns = gpu.found(pairs, scheme(2, -1, 1, 1))
    widths = [[lanes for lanes, numbers in tried if number in numbers] for number in range(len(pairs))]
    assert {len(each) for each in widths} == {1, 2}
    assert all(each == sorted(set(each)) for each in widths)
    assert sorted(columns.numbers.tolist()) == list(range(len(pairs)))
    assert right(columns, on_host(pairs, scheme(2, -1, 1, 1)))


def test_strangers_and_other_letters_are_left_to_others(gpu):
    rng = np.random.default_rng(13)
    alike = reads(13, 40, (900, 1_000), 0.02)
    pairs = alike + [random_pair(rng, 4, 900, 900, related=0) for _ in range(30)]
    other = alike[0].query.copy()
    other[100] = 7
    pairs += [CodedPair(other, alike[0].subject), CodedPair(alike[0].query[:0], alike[0].subject)]
    _, columns = gpu.found(pairs, scheme(2, -1, 1, 1))
    assert sorted(columns.numbers.tolist()) == list(range(len(alike)))
    assert right(columns, on_host(pairs, scheme(2, -1, 1, 1)))
