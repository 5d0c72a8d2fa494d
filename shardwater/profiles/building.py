"""Position-specific scores from what is observed: PSI-BLAST's rules.

What is observed is mixed with pseudocounts, which follow from it by the frequencies that the matrix implies (Altschul,
Madden, Schaffer, Zhang, Zhang, Miller and Lipman 1997, Nucleic Acids Research 25:3389):

    g_i = sum over j of f_j q_ij / P_j          q_ij = P_i P_j exp(lambda_u s_ij)
    Q_i = (n f_i + m g_i) / (n + m)

and scaled to add up to 1 at each position. n are the independent observations, m those that the pseudocounts count as:
fewer where what is observed is far from the background, that is where a position is conserved (Altschul, Gertz,
Agarwala, Schaffer and Yu 2009, NAR 37:815).

The score of residue i is ln(Q_i / P_i) / lambda_u: so each position, and with it the profile, has the lambda that the
matrix has without gaps, and the matrix's parameters with gaps fit the profile, too (Schaffer et al. 2001, NAR 29:2994).
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.profiles.weights import Observed
from shardwater.scoring.pssm import MOST_PSSM, Pssm
from shardwater.scoring.scoring import Matrix
from shardwater.sequences.alphabet import Codes
from shardwater.statistics.background import RESIDUES, WithoutGaps, background
from shardwater.statistics.length_regression import mapped

FIRST_PSEUDOCOUNTS = 5.5
"""Of the background, which is mixed with what is observed to tell how far it is from the background,"""
FACTOR, POWER, COLUMN = 0.0457, 0.8, 500.0
"""and what follows of that: a = FACTOR / entropy ** POWER, m = COLUMN a / (1 - a)."""
LEAST = 1e-10
"""How often a residue is expected that is never seen, and that no pseudocount reaches."""

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Scores by position of the query, in units of the matrix.

    ratios: how much more frequent each residue is than in the background, (positions, 20), as they follow from what
    was observed, before they were rounded to scores. frequencies: what was observed, (positions, 20). weight: of real
    matches beside the pseudocounts, as PSI-BLAST's table has it, (positions,).
    """

    pssm: Pssm
    ratios: Numbers
    frequencies: Numbers
    weight: Numbers

    @classmethod
    def of(cls, query: Codes, observed: Observed, matrix: Matrix) -> Self:
        """The profile of what was observed at each position of a query. Raises ScoringError where none has statistics.

        A letter of the query that is no residue scores as the matrix has it, whatever was observed.
        """
        ratios = mixed(observed, matrix) / background()
        scores = _logarithms(ratios) / _lambda(matrix)
        pssm = Pssm.of_residues(np.minimum(MOST_PSSM, scores), stop=int(matrix.scores.min()))
        unknown = query[:, None] >= RESIDUES
        by_letter = Pssm(np.where(unknown, matrix.scores[query], pssm.scores))
        weight = observed.matches * _conserved(observed) / (COLUMN * FACTOR)
        return cls(by_letter, ratios, observed.frequencies, weight)


def implied(matrix: Matrix) -> Numbers:
    """How much more often than by chance a matrix expects two residues to be aligned, q_ij / (P_i P_j), (20, 20)."""
    scores = matrix.scores[:RESIDUES, :RESIDUES].astype(np.float64)
    return mapped(math.exp, _lambda(matrix) * scores.ravel()).reshape(scores.shape)


# A tenth of a second, and each profile asks.
@lru_cache(maxsize=64)
def _lambda(matrix: Matrix) -> float:
    return WithoutGaps.of(matrix.scores).lambda_


def mixed(observed: Observed, matrix: Matrix) -> Numbers:
    """How often each residue is expected at each position, (positions, 20): observations and pseudocounts."""
    aligned = implied(matrix) * background()
    # In the order of residues: numpy's products of matrices, and its sums of rows, depend on the processor.
    pseudo = np.zeros_like(observed.frequencies)
    for residue in range(RESIDUES):
        pseudo += observed.frequencies[:, residue, None] * aligned[residue]
    share = seen(observed)[:, None]
    found = np.maximum(LEAST, share * observed.frequencies + (1 - share) * pseudo)
    return found / _sums(found)[:, None]


def seen(observed: Observed) -> Numbers:
    """What the observations weigh beside the pseudocounts, n / (n + m), (positions,); 0 where they say nothing."""
    left = observed.observations * _conserved(observed)
    return left / (left + COLUMN * FACTOR)


def _conserved(observed: Observed) -> Numbers:
    """COLUMN FACTOR / m: how much an observation counts for at each position; 0 where a is 1 or more."""
    n = observed.observations
    near = (n[:, None] * observed.frequencies + FIRST_PSEUDOCOUNTS * background()) / (n[:, None] + FIRST_PSEUDOCOUNTS)
    entropies = np.maximum(0.0, _sums(near * _logarithms(near / background())))
    return np.maximum(0.0, mapped(lambda entropy: entropy**POWER, entropies) - FACTOR)


def _logarithms(values: Numbers) -> Numbers:
    return mapped(math.log, values.ravel()).reshape(values.shape)


def _sums(rows: Numbers) -> Numbers:
    found: Numbers = np.add.accumulate(rows, axis=1)[:, -1]
    return found
