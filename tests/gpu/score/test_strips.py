"""Cutting queries into strips, and the tables that must hold them."""

import pytest

from gpu.layout import GROUP
from gpu.score.strips import MORE_LANES, Table, bordered_items, cut, lanes_for, launch
from gpu.tuning import tuning

H200_SHARED = 232_448


@pytest.mark.parametrize("most", [2, 5, 12, 17, 18])
@pytest.mark.parametrize("capability", [80, 90])
@pytest.mark.parametrize("lanes", [GROUP, MORE_LANES])
def test_strips_cover_the_query_once_and_only_the_last_reaches_beyond(most, capability, lanes):
    for length in [*range(1, 400), 1000, 5478, 35_213]:
        strips = cut(length, most, capability, lanes)
        assert [strip.first for strip in strips[1:]] == [strip.first + lanes * strip.items for strip in strips[:-1]]
        assert sum(strip.columns(length) for strip in strips) == length
        assert max(strip.items for strip in strips) <= most
        if len(strips) > 1:
            assert {strip.items for strip in strips} <= set(bordered_items(most))


def test_h200_holds_136_columns_of_any_pairs_and_144_of_even_ones():
    assert Table(20).most_items(H200_SHARED) == 17
    assert Table(20, even=True).most_items(H200_SHARED) == 18
    assert Table(24).most_items(H200_SHARED) == 12


def test_h200_holds_as_many_columns_of_even_pairs_on_more_lanes():
    assert Table(20, lanes=MORE_LANES).most_items(H200_SHARED) == 8
    assert Table(20, even=True, lanes=MORE_LANES).most_items(H200_SHARED) == 9
    assert Table(24, lanes=MORE_LANES).most_items(H200_SHARED) == 6


def test_packs_get_more_lanes_as_long_as_each_half_has_a_warp_of_its_own():
    assert [lanes_for(packs, 132, 28) for packs in (1, 1848, 1849, 100_000)] == [16, 16, 8, 8]


def test_h200_has_a_measured_launch_for_every_width():
    assert all(launch(90, items, border=False).tcups > 1 for items in range(1, 19))
    assert all(launch(90, items, border=True).tcups > 1 for items in bordered_items(17))


def test_h200_has_a_measured_launch_with_room_for_few_packs_for_every_width():
    singles = [launch(90, items, border=False, lanes=MORE_LANES) for items in range(1, 10)]
    bordered = [launch(90, items, border=True, lanes=MORE_LANES) for items in bordered_items(8)]
    assert all(how.tcups > 1 and how.threads == 32 * tuning(90).few_warps for how in singles + bordered)
