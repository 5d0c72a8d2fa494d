"""How far a search is, step by step."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Step:
    """What of a search has been done since the step before.

    cells: those scored, which add up to ShardResult.cells; aligned: of all alignments, weighed by their queries'
    residues, the share that was made or found not to be needed; further: the same of alignments after the second of a
    hit, which were not expected, and with the others 1 in all; simulated: what was done of a simulation that has to
    come first, in the cells that it counts as.
    """

    cells: int = 0
    aligned: float = 0.0
    further: float = 0.0
    simulated: int = 0


Steps = Generator[Step, None, Made]
"""A search step by step, which returns what was found. Between two steps the engine may do another one, which has to
end before this one goes on; to close them ends the search.
"""
