"""The order of a query's hits: total, so that no two subjects ever change places."""

import numpy as np
import numpy.typing as npt

from shardwater.search.hits import ScoreColumns
from shardwater.search.parameters import Parameters
from shardwater.statistics.evalue import FigureColumns, Figures

Place = tuple[float, ...]
"""What hits are sorted by, the best first."""


def place(parameters: Parameters, figures: Figures, score: int, *tie: int) -> Place:
    """A subject's place: by E-value where that was asked for and there is one, then score descending, then by `tie`.

    tie: what settles it, ascending: a subject's number in its database, or its length and its number among all.
    """
    if parameters.order == "score":
        return -score, *tie
    return figures.evalue or 0.0, figures.depth, -score, *tie


def order_by_evalue(figures: FigureColumns, scores: ScoreColumns) -> npt.NDArray[np.int64]:
    """The places of subjects in the order of their E-values, as `place` has it."""
    evalues = np.zeros(len(scores)) if figures.evalues is None else figures.evalues
    return np.lexsort((scores.subjects, -scores.scores, figures.depths, evalues))
