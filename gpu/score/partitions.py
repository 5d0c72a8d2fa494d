"""How the two older schedules cut a query (docs/kernels.md, Two older schedules); no device is needed to know."""

from gpu.layout import PARTITION, SIMT_ITEMS, STRIPED_LANES
from gpu.score.strips import Strip

RUN = 64 * SIMT_ITEMS
"""Columns of a launch of sw_simt at most: as many cells of a part as a few launches of sw_score have."""


def partitions(query_length: int) -> list[Strip]:
    """The partitions of the striped schedule: of PARTITION columns each, and as few vectors as the last one needs."""
    firsts = range(0, query_length, PARTITION)
    return [Strip(first, -(-min(PARTITION, query_length - first) // STRIPED_LANES), STRIPED_LANES) for first in firsts]


def runs(query_length: int) -> list[Strip]:
    """Runs of whole blocks of SIMT_ITEMS columns, one for each launch."""
    firsts = range(0, query_length, RUN)
    return [Strip(first, -(-min(RUN, query_length - first) // SIMT_ITEMS) * SIMT_ITEMS, 1) for first in firsts]
