"""The order of a query's hits: total, so that no two subjects ever change places."""

from shardwater.search.parameters import Parameters
from shardwater.statistics.evalue import Figures

Place = tuple[float, ...]
"""What hits are sorted by, the best first."""


def place(parameters: Parameters, figures: Figures, score: int, *tie: int) -> Place:
    """A subject's place: by E-value where that was asked for and there is one, then score descending, then by `tie`.

    tie: what settles it, ascending: a subject's number in its database, or its length and its number among all.
    """
    if parameters.order == "score":
        return -score, *tie
    return figures.evalue or 0.0, figures.depth, -score, *tie
