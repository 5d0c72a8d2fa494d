"""Teams of warps share out any query, within a block's shared memory."""

import pytest

from gpu.layout import WIDE_COLUMNS
from gpu.score.teams import Team


@pytest.mark.parametrize("shared", [101_376, 166_912, 232_448])
def test_team_covers_the_query(shared):
    for length in (1, 144, 256, 257, 2048, 2049, 35_213):
        team = Team.of(length, shared)
        assert team.warps * team.passes * WIDE_COLUMNS >= length
        assert team.profile_bytes + 17 * 1024 <= shared
        assert team.passes == 1 or team.block_warps == team.warps
