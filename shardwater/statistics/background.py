"""Random proteins: how often each residue occurs in them, and what follows of a matrix without gaps.

Frequencies: Robinson and Robinson (1991), PNAS 88:8880, as BLAST has them. What is worked out is Karlin and Altschul
(1990), PNAS 87:2264.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.statistics.length_regression import Numbers, mapped

_OCCUR = (
    *(7805, 5129, 4487, 5364, 1925, 4264, 6295, 7377, 2199, 5142),
    *(9019, 5744, 2243, 3856, 5203, 7120, 5841, 1330, 3216, 6441),
)
"""Of 100,000 residues, in the order of the codes of the twenty amino acids (ARNDCQEGHILKMFPSTWYV)."""
RESIDUES = len(_OCCUR)
ROUNDS = 200


@cache
def background() -> Numbers:
    """The frequency of each of the twenty residues, by code; read-only."""
    found = np.array(_OCCUR, np.float64) / sum(_OCCUR)
    found.flags.writeable = False
    return found


def residue_counts() -> tuple[int, ...]:
    """How often each of the twenty residues is counted, by code: whole numbers, in the proportions of background()."""
    return _OCCUR


@dataclass(frozen=True, slots=True)
class WithoutGaps:
    """What random alignments without gaps are like under a matrix.

    lambda_: the scale of the scores, per unit of score. alpha: letters per unit of the score of a chance alignment;
    alpha_v: the variance of its length per unit of score.
    """

    lambda_: float
    alpha: float
    alpha_v: float

    @classmethod
    def of(cls, scores: npt.NDArray[np.integer]) -> "WithoutGaps":
        """Of scores by residue code, of which the first 20 rows and columns count.

        Raises ScoringError where they have no statistics: no score is positive, or random residues score above 0 on
        average.
        """
        pairs = scores[:RESIDUES, :RESIDUES].astype(np.float64).ravel()
        often = np.multiply.outer(background(), background()).ravel()
        mean = _sum(often * pairs)
        if pairs.max() <= 0:
            raise ScoringError("no two residues score above 0: such a matrix aligns nothing")
        if mean >= 0:
            raise ScoringError(
                f"random residues score {mean:.3f} on average, and have to score below 0: else alignments grow with "
                "the sequences, related or not, and no statistics hold"
            )
        scale = _scale(pairs, often)
        tilted = often * mapped(math.exp, scale * pairs)
        gain = _sum(tilted * pairs)
        spread = _sum(tilted * pairs * pairs) - gain * gain
        return cls(scale, 1 / gain, spread / gain**3)


def _scale(pairs: Numbers, often: Numbers) -> float:
    """The root above 0 of sum(p exp(lambda s)) = 1, by bisection."""
    low, high = 0.0, 1 / float(pairs.max())
    while _sum(often * mapped(math.exp, high * pairs)) < 1:
        low, high = high, 2 * high
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        if _sum(often * mapped(math.exp, middle * pairs)) < 1:
            low = middle
        else:
            high = middle
    return high


def _sum(values: Numbers) -> float:
    return math.fsum(values.tolist())
