"""Position-specific scores from what is observed: PSI-BLAST's rules.

Altschul, Madden, Schaffer, Zhang, Zhang, Miller and Lipman (1997), Nucleic Acids Research 25:3389. What is observed is
mixed with pseudocounts, which follow from it by the frequencies that the matrix implies:

    g_i = sum over j of f_j q_ij / P_j          q_ij = P_i P_j exp(lambda_u s_ij)
    Q_i = (alpha f_i + BETA g_i) / (alpha + BETA)          alpha: independent observations - 1

and scaled to add up to 1 at each position. The score of residue i is ln(Q_i / P_i) / lambda_u: so each position, and
with it the profile, has the lambda that the matrix has without gaps, and the matrix's parameters with gaps fit the
profile, too (Schaffer et al. 2001, Nucleic Acids Research 29:2994).
"""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.profiles.weights import Observed
from shardwater.scoring.pssm import MOST_PSSM, Pssm
from shardwater.scoring.scoring import Matrix
from shardwater.sequences.alphabet import LETTERS, Codes
from shardwater.statistics.background import RESIDUES, WithoutGaps, background
from shardwater.statistics.length_regression import mapped

BETA = 10.0
"""How many observations the pseudocounts count as."""
LEAST = 1e-10
"""How often a residue is expected that is never seen, and that no pseudocount reaches."""
AMBIGUOUS = {"B": "ND", "Z": "QE", "X": LETTERS[:RESIDUES]}
"""What a letter stands for that is no residue: it scores the mean of theirs, by how frequent they are."""

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Scores by position of the query, in units of the matrix.

    ratios: how much more frequent each residue is than in the background, (positions, 20), as they follow from what
    was observed, before they were rounded to scores.
    """

    pssm: Pssm
    ratios: Numbers

    @classmethod
    def of(cls, query: Codes, observed: Observed, matrix: Matrix) -> Self:
        """The profile of what was observed at each position of a query. Raises ScoringError where none has statistics.

        A letter of the query that is no residue scores as the matrix has it, whatever was observed.
        """
        ratios = mixed(observed, matrix) / background()
        logarithms = mapped(math.log, ratios.ravel()).reshape(ratios.shape)
        scores = _with_ambiguous(logarithms / WithoutGaps.of(matrix.scores).lambda_, matrix)
        unknown = query >= RESIDUES
        scores[unknown] = matrix.scores[query[unknown]]
        return cls(Pssm(np.clip(scores, -MOST_PSSM, MOST_PSSM)), ratios)


def implied(matrix: Matrix) -> Numbers:
    """How much more often than by chance a matrix expects two residues to be aligned, q_ij / (P_i P_j), (20, 20)."""
    scores = matrix.scores[:RESIDUES, :RESIDUES].astype(np.float64)
    lambda_ = WithoutGaps.of(matrix.scores).lambda_
    return mapped(math.exp, lambda_ * scores.ravel()).reshape(scores.shape)


def mixed(observed: Observed, matrix: Matrix) -> Numbers:
    """How often each residue is expected at each position, (positions, 20): observations and pseudocounts."""
    alpha, aligned = observed.independent[:, None] - 1, implied(matrix) * background()
    # In the order of residues: numpy's products of matrices, and its sums of rows, depend on the processor.
    pseudo = np.zeros_like(observed.frequencies)
    for residue in range(RESIDUES):
        pseudo += observed.frequencies[:, residue, None] * aligned[residue]
    found = np.maximum(LEAST, (alpha * observed.frequencies + BETA * pseudo) / (alpha + BETA))
    return found / np.add.accumulate(found, axis=1)[:, -1:]


def _with_ambiguous(scores: Numbers, matrix: Matrix) -> npt.NDArray[np.int32]:
    """Rounded, with the letters that are no residues; a stop scores what it does in the matrix at worst."""
    found = np.full((len(scores), len(LETTERS)), int(matrix.scores.min()), np.int32)
    found[:, :RESIDUES] = np.rint(scores)
    for letter, residues in AMBIGUOUS.items():
        codes = [LETTERS.index(residue) for residue in residues]
        weights = background()[codes]
        mean = sum(weight * scores[:, code] for weight, code in zip(weights.tolist(), codes, strict=True))
        found[:, LETTERS.index(letter)] = np.rint(mean / math.fsum(weights.tolist()))
    return found
