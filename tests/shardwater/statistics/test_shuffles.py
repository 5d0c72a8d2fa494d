"""Shuffles: the same for the same seed, with the same letters, evenly; and what their scores say."""

import math
from collections import Counter

import numpy as np
import pytest

from shardwater.sequences.alphabet import decode, encode
from shardwater.statistics import shuffles as module
from shardwater.statistics.shuffles import WINDOW, Shuffled, Shuffling, Spread, pvalue

SEQUENCE = encode(b"MKVLAAGWDEHHKLMNPQRSTVWYACD")


def rows(shuffling, codes=SEQUENCE):
    return shuffling.rows(codes, range(shuffling.count))


@pytest.mark.parametrize("shuffle", ["uniform", "windows"])
def test_shuffles_have_the_letters_of_the_sequence(shuffle):
    found = rows(Shuffling(200, shuffle))
    assert found.shape == (200, 27)
    assert found.dtype == np.uint8
    assert (np.sort(found, axis=1) == np.sort(SEQUENCE)).all()
    assert len({row.tobytes() for row in found}) == 200


def test_letters_stay_in_their_windows():
    found = rows(Shuffling(100, "windows"))
    for start in range(0, 27, WINDOW):
        assert (np.sort(found[:, start : start + WINDOW], axis=1) == np.sort(SEQUENCE[start : start + WINDOW])).all()
    assert any((np.sort(row[:WINDOW]) != np.sort(SEQUENCE[:WINDOW])).any() for row in rows(Shuffling(100)))


def test_same_seed_gives_the_same_shuffles_in_any_parts(monkeypatch):
    whole = rows(Shuffling(150, "uniform", 5))
    assert np.array_equal(rows(Shuffling(150, "uniform", 5)), whole)
    monkeypatch.setattr(module, "BLOCK_LETTERS", 100)
    parts = [
        Shuffling(150, "uniform", 5).rows(SEQUENCE, range(start, min(start + 40, 150))) for start in (0, 40, 80, 120)
    ]
    assert np.array_equal(np.concatenate(parts), whole)
    for other in (Shuffling(150, "uniform", 6), Shuffling(150, "windows", 5)):
        assert not np.array_equal(rows(other), whole)
    assert not np.array_equal(
        np.sort(rows(Shuffling(150, "uniform", 5), SEQUENCE[::-1]), axis=0), np.sort(whole, axis=0)
    )


def test_shuffles_are_those_of_other_versions():
    """Whoever verifies a result of an earlier version draws them again."""
    assert [decode(row) for row in rows(Shuffling(2, "uniform", 0))] == GOLDEN["uniform"]
    assert [decode(row) for row in rows(Shuffling(2, "windows", 7))] == GOLDEN["windows"]


GOLDEN = {
    "uniform": [b"WMDHAPLEDGKWVSKVCNAQALRMTHY", b"NVATDCSQHERYLMAAWHKPKWVGMDL"],
    "windows": [b"VGMDEAWLAKLNSKPMRHHQCTAWVYD", b"GWADAVELKMHHQKRMNLSPCADVWTY"],
}


@pytest.mark.parametrize("shuffle", ["uniform", "windows"])
def test_every_order_comes_as_often(shuffle):
    counts = Counter(row.tobytes() for row in rows(Shuffling(24_000, shuffle), encode(b"ARND")))
    assert len(counts) == 24
    # Of a binomial law: 1,000 each, with a standard deviation of 31.
    assert all(abs(count - 1000) < 4 * 31 for count in counts.values())


def test_every_letter_comes_to_every_place_as_often():
    found = rows(Shuffling(20_000), np.arange(20, dtype=np.uint8))
    counts = np.array([np.bincount(found[:, place], minlength=20) for place in range(20)])
    assert (abs(counts - 1000) < 5 * 31).all()


def test_mean_and_deviation_are_those_of_the_sample():
    shuffled = [31, 35, 40, 28, 36]
    spread = Spread.of(80, shuffled)
    assert spread.mean == pytest.approx(np.mean(shuffled))
    assert spread.sd == pytest.approx(np.std(shuffled, ddof=1))
    assert spread.z == pytest.approx((80 - np.mean(shuffled)) / np.std(shuffled, ddof=1))
    large = [2**31 - 1, 2**31 - 3]
    assert (Spread.of(2**31 - 1, large).mean, Spread.of(2**31 - 1, large).sd) == (2**31 - 2, math.sqrt(2))


def test_smaller_of_both_counts_and_none_where_a_sequence_has_no_other_order():
    one, other, alike = Spread.around(50, 30.0, 5.0), Spread.around(50, 35.0, 2.0), Spread.of(44, [44, 44, 44])
    assert (one.z, other.z, alike) == (4.0, 7.5, Spread(44.0, 0.0, None))
    assert Shuffled.of(one, other) == Shuffled(4.0, pvalue(4.0), one, other)
    assert Shuffled.of(other, one).z == 4.0
    assert Shuffled.of(one, alike) == Shuffled(None, None, one, alike)
    assert Shuffled.of(one, other).judged(55) == Shuffled.of(Spread.around(55, 30.0, 5.0), Spread.around(55, 35.0, 2.0))


@pytest.mark.parametrize(
    ("z", "expected"),
    [(-2.0, 0.999324), (0.0, 0.429624), (3.0, 0.0119044), (8.0, 1.96462e-05), (50.0, 7.92689e-29), (600.0, 0.0)],
)
def test_pvalues_are_those_of_the_extreme_value_distribution(z, expected):
    assert pvalue(z) == pytest.approx(-math.expm1(-math.exp(-math.pi * z / math.sqrt(6) - 0.5772156649015329)))
    assert pvalue(z) == pytest.approx(expected, rel=1e-4, abs=1e-60)
