"""Lanes of a band: pairs in one of them lie apart, and no lane is longer than the longest pair."""

from itertools import pairwise

from shardwater.alignment.lanes import Lanes, Place


def test_pairs_of_a_lane_lie_apart() -> None:
    sizes = [100, 900, 400, 30, 300, 500, 20, 250]
    lanes = Lanes(1_000, 33, 16)
    places = lanes.places(sizes)
    assert places[1] == Place(0, 0)
    assert len(lanes) == 3
    for lane in range(len(lanes)):
        own = sorted((place.before, size) for place, size in zip(places, sizes, strict=True) if place.lane == lane)
        assert own[0][0] == 0
        assert all(before % 16 == 0 and before + size <= 1_000 for before, size in own)
        assert all(one + size + 33 <= other for (one, size), (other, _) in pairwise(own))


def test_a_pair_that_fits_nowhere_has_a_lane_of_its_own() -> None:
    lanes = Lanes(100, 9, 8)
    assert not lanes.fits(1)
    assert [lanes.add(size) for size in (100, 60, 24, 20)] == [Place(0, 0), Place(1, 0), Place(1, 72), Place(2, 0)]
    assert lanes.fits(68)
    assert not lanes.fits(69)
