"""Gap costs as a dialect's clients write them, made ours: a gap of n residues costs gap_open + n * gap_extend."""

from app.problems import InvalidParameterError
from shardwater.errors import ScoringError
from shardwater.scoring.scoring import Scoring
from shardwater.statistics.evalue import parameters


def scoring_of(matrix: str, gap_open: int | None, gap_extend: int | None) -> Scoring:
    """A matrix with gap costs, the recommended ones where none are given; raises InvalidParameterError."""
    try:
        usual = Scoring.recommended(matrix)
    except ScoringError as error:
        raise InvalidParameterError("/matrix", str(error)) from None
    return Scoring(
        usual.matrix,
        usual.gap_open if gap_open is None else gap_open,
        usual.gap_extend if gap_extend is None else gap_extend,
    )


def published(scoring: Scoring) -> Scoring:
    """The same, if statistics are published for it; the InvalidParameterError lists the costs that will do.

    Clients of BLAST go by E-values, and BLAST refuses what it has none for.
    """
    try:
        parameters(scoring)
    except ScoringError as error:
        raise InvalidParameterError("/gap_open", str(error)) from None
    return scoring
