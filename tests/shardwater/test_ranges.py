"""Ranges that are taken one after another."""

import pytest

from shardwater.ranges import ranges_of


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, []),
        (1, [range(1)]),
        (3, [range(3)]),
        (4, [range(3), range(3, 4)]),
        (6, [range(3), range(3, 6)]),
    ],
)
def test_ranges_have_each_number_once(count: int, expected: list[range]) -> None:
    assert list(ranges_of(count, 3)) == expected
