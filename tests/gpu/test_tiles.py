"""Cutting queries into strips, and the tables that must hold them."""

import pytest

from gpu.arithmetic import ARITHMETICS, Choice
from gpu.layout import GROUP, WIDE_COLUMNS
from gpu.teams import Team
from gpu.tiles import MORE_LANES, Table, bordered_items, cut, lanes_for, launch
from gpu.tuning import tuning
from gpu.variants import all_variants
from shardwater.scoring.scoring import Scoring

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


@pytest.mark.parametrize("shared", [101_376, 166_912, H200_SHARED])
def test_team_covers_the_query(shared):
    for length in (1, 144, 256, 257, 2048, 2049, 35_213):
        team = Team.of(length, shared)
        assert team.warps * team.passes * WIDE_COLUMNS >= length
        assert team.profile_bytes + 17 * 1024 <= shared
        assert team.passes == 1 or team.block_warps == team.warps


def test_variants_are_distinct():
    variants = list(all_variants(90, H200_SHARED, Scoring("BLOSUM62", 11, 1)))
    named = {(variant.name, variant.ptxas, *sorted(variant.parameters.items())) for variant in variants}
    assert len(named) == len(variants)


def test_16_bits_hold_gap_costs_that_cannot_wrap():
    packed = ARITHMETICS["s16x2"]
    assert packed.holds_gaps(Scoring("BLOSUM62", 16_000, 383))
    assert packed.holds_gaps(Scoring("BLOSUM62", 32_765, 1))
    assert not packed.holds_gaps(Scoring("BLOSUM62", 32_766, 1))
    assert packed.limit(Scoring("BLOSUM62", 11, 1)) == 32_767 - 11


def test_costs_are_packed_twice():
    assert ARITHMETICS["s16x2"].word(12) == 0xFFF4FFF4
    assert ARITHMETICS["half2"].word(12) == 0xCA00CA00  # -12 in binary16


def test_device_chooses_the_arithmetic():
    assert Choice.of(90).packed == ARITHMETICS["s16x2"]
    assert Choice.of(89).packed == ARITHMETICS["half2"]
    assert Choice.of(90, "float") == Choice(None, ARITHMETICS["float"])
    assert Choice.of(90, "float").wide_for(1 << 24) == ARITHMETICS["int32"]
