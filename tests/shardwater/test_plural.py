"""Numbers with their nouns."""

import pytest

from shardwater.plural import plural


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (plural(1, "hit"), "1 hit"),
        (plural(0, "hit"), "0 hits"),
        (plural(1234, "hit"), "1,234 hits"),
        (plural(1, "query", "queries"), "1 query"),
        (plural(2, "query", "queries"), "2 queries"),
    ],
)
def test_one_is_singular_and_no_other_number(told: str, expected: str) -> None:
    assert told == expected
