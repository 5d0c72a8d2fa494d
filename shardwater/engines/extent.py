"""How much was scored for a query: as an engine counts it while it scores, and as it must be for the search to count.

A certificate says what was counted, not what was asked for. So an engine counts by what has come back to it, and a
search fails where that is not all of the shard.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from shardwater.errors import EngineError


@dataclass(frozen=True, slots=True)
class Extent:
    """Subjects of a shard that got a score for a query, their residues, and the cells that were computed for it."""

    subjects: int
    residues: int
    cells: int


NOTHING = Extent(0, 0, 0)


def check_extents(
    found: Sequence[Extent], subjects: int, residues: int, lengths: Sequence[int], before: int = 0
) -> None:
    """Raise EngineError unless queries of these lengths were scored against so many subjects and residues, each once.

    before counts the queries of the search that come before these.
    """
    if len(found) != len(lengths):
        raise EngineError(f"{len(found)} of {len(lengths)} queries were scored")
    for number, (extent, length) in enumerate(zip(found, lengths, strict=True), start=before + 1):
        cells = residues * length
        if extent != Extent(subjects, residues, cells):
            raise EngineError(
                f"query {number} was scored against {extent.subjects:,} of {subjects:,} subjects, "
                f"{extent.residues:,} of {residues:,} residues, in {extent.cells:,} of {cells:,} cells"
            )


def check_histograms(totals: Sequence[int], subjects: int, before: int = 0) -> None:
    """Raise EngineError unless every query's histogram has so many subjects; before as in check_extents."""
    for number, total in enumerate(totals, start=before + 1):
        if total != subjects:
            raise EngineError(f"the histogram of query {number} has {total:,} of {subjects:,} subjects")
