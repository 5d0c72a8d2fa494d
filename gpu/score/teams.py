"""How sw_wide shares a query out among warps, and its macros; no device is needed to know."""

from dataclasses import dataclass

from gpu.layout import MATRIX_LETTERS, RING_BYTES, WARP, WIDE_COLUMNS, WIDE_ITEMS, WIDE_ROWS, WIDE_STRIP_BYTES

TEAM_WARPS = 8
BLOCK_WARPS = 16
WIDE_SHAPE = {
    "LETTERS": MATRIX_LETTERS,
    "ROWS": WIDE_ROWS,
    "ITEMS": WIDE_ITEMS,
    "LANES": WARP,
    "TABLE_BYTES": WIDE_STRIP_BYTES,
}
"""Macros of the kernel that makes the profile of one strip."""


@dataclass(frozen=True, slots=True)
class Team:
    """How sw_wide shares a query out: warps of a team, those of a block, and passes over the subject."""

    warps: int
    block_warps: int
    passes: int

    @classmethod
    def of(cls, query_length: int, shared_bytes: int) -> "Team":
        """The fewest passes, by teams no larger than the query needs."""
        strips = -(-query_length // WIDE_COLUMNS)
        largest = 1
        rings = (BLOCK_WARPS + 1) * RING_BYTES
        while largest < TEAM_WARPS and 2 * largest * WIDE_STRIP_BYTES + rings <= shared_bytes:
            largest *= 2
        warps = 1
        while warps < min(strips, largest):
            warps *= 2
        passes = -(-strips // warps)
        return cls(warps, BLOCK_WARPS if passes == 1 else warps, passes)

    @property
    def profile_bytes(self) -> int:
        """Shared memory for the profile of a team's strips."""
        return self.warps * WIDE_STRIP_BYTES
