"""Sections of long pairs: every tile is in one of them, with the row above it; and they are as large as memory lets."""

import numpy as np
import pytest

from gpu.layout import KEPT_COLUMNS, KEPT_ROWS, PLACES, WARP
from gpu.pairs.classes import LONG_BASES
from gpu.pairs.plan import rounds_of
from gpu.pairs.section_rows import MOST_ROUNDS, SPARE, STRIPS_APART, Sections, kept_columns, sections_for


@pytest.mark.parametrize("rounds", [4, 12, 128])
def test_what_the_way_needs_of_a_tile_is_filled_with_it(rounds: int) -> None:
    sections = Sections(rounds)
    for row in range(0, 3 * rounds * WARP + 300, 7):
        number, top = sections.of(row), row // KEPT_ROWS * KEPT_ROWS
        first, end = sections.first_round(number) * WARP, sections.first_row(number + 1)
        assert sections.first_row(number) <= top <= row < end
        # The row above is whole: the last place is so many rows behind.
        assert top == 0 or top - 1 >= first
        # Where the rows are that a round of any place has, there is room for them.
        last = rounds_of(np.array(end)) - 1
        for kept_row in {max(0, top // KEPT_ROWS - 1), max(0, first // KEPT_ROWS - 1), (end - 2) // KEPT_ROWS - 1}:
            assert 0 <= kept_row + sections.rows_shift(number) < sections.kept_rows
        for kept_round in {sections.first_round(number), int(last)}:
            assert 0 <= kept_round + sections.rounds_shift(number) < sections.kept_rounds
        assert max(0, first - (PLACES - 1)) // WARP + sections.rounds_shift(number) >= 0


@pytest.mark.parametrize("rows", [1, 128, 129, 4_000, 4_160, 4_200])
def test_strips_are_stored_before_each_section(rows: int) -> None:
    sections = Sections(4)
    assert sections.stored(rows) >= sections.of(rows - 1)
    assert sections.stored(rows) == sum(1 for number in range(1, int(rounds_of(np.array(rows)))) if number % 4 == 0)


def test_sections_that_tiles_would_cross_are_not_made() -> None:
    with pytest.raises(AssertionError):
        Sections(3)


def test_sections_are_as_large_as_memory_lets_them_be() -> None:
    lengths, (narrow, wide) = np.array([1_660_000, 1_650_000]), LONG_BASES
    assert sections_for(lengths, narrow, 64 << 30) == Sections(MOST_ROUNDS)
    fewer = sections_for(lengths, wide, 5 << 30)
    assert fewer is not None
    assert 128 <= fewer.rounds < MOST_ROUNDS
    assert (
        fewer.bytes_of(*lengths.tolist(), wide)
        <= 5 << 30
        < Sections(2 * fewer.rounds).bytes_of(*lengths.tolist(), wide)
    )
    assert sections_for(lengths, wide, 1 << 30) is None


def test_of_large_pairs_fewer_strips_are_stored() -> None:
    narrow = LONG_BASES[0]
    for million, group in ((1, 16), (4, 16), (5, 32), (10, 128)):
        size = million * 1_000_000
        sections = sections_for(np.array([size, size]), narrow, 64 << 30)
        assert sections is not None
        assert sections.group == group


def test_sections_begin_right_of_strips_that_have_handed_on() -> None:
    sections = Sections(MOST_ROUNDS)
    reach = MOST_ROUNDS * WARP + SPARE
    for column in (0, 5, reach, reach + 16 * 1_024 - 1, reach + 16 * 1_024, 3_000_000):
        first = sections.first_strip(column, 1_024)
        assert first % STRIPS_APART == 0
        assert first == 0 or column - (first + STRIPS_APART) * 1_024 < reach <= column - first * 1_024
    assert sections.first_strip(reach + 16 * 1_024, 1_024) == STRIPS_APART


def test_columns_that_are_kept() -> None:
    assert [kept_columns(columns) for columns in (0, 1, KEPT_COLUMNS, KEPT_COLUMNS + 1)] == [0, 0, 0, 1]
