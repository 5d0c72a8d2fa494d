"""When the two E-values of a hit disagree: by more than a factor, which grows with the score."""

import pytest

from shardwater.search.judging import evalues_differ


@pytest.mark.parametrize(
    ("table", "fitted", "differ"),
    [
        (6e-53, 2e-27, True),
        (3e-28, 2e-11, True),
        (1e-6, 1e-3, True),
        (0.01, 0.2, True),
        (3.0, 31.0, True),
        (1e-60, 1e-45, False),
        (1e-40, 1e-51, False),
        (1e-6, 1e-5, False),
        (3.0, 29.0, False),
        (0.0, 0.0, False),
        (0.0, 1e-100, True),
        (0.0, 1e-290, False),
    ],
)
def test_evalues_differ_by_more_than_the_score_explains(table: float, fitted: float, differ: bool) -> None:
    assert evalues_differ(table, fitted) is differ
    assert evalues_differ(fitted, table) is differ
