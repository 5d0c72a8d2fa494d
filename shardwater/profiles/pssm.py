"""Position-specific scores from what is observed: PSI-BLAST's rules.

Altschul, Madden, Schaffer, Zhang, Zhang, Miller and Lipman (1997), Nucleic Acids Research 25:3389. What is observed is
mixed with pseudocounts, which follow from it by the frequencies that the matrix implies:

    g_i = sum over j of f_j q_ij / P_j          q_ij = P_i P_j exp(lambda_u s_ij)
    Q_i = (alpha f_i + BETA g_i) / (alpha + BETA)          alpha: independent observations - 1

The score of residue i is ln(Q_i / P_i) in units in which the profile has the lambda that the matrix has without gaps.
So the matrix's parameters with gaps fit the profile, too (Schaffer et al. 2001, Nucleic Acids Research 29:2994).
"""

import math
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.profiles.weights import Observed
from shardwater.scoring.scoring import Matrix
from shardwater.sequences.alphabet import LETTERS
from shardwater.statistics.background import RESIDUES, WithoutGaps, background
from shardwater.statistics.length_regression import mapped

BETA = 10.0
"""How many observations the pseudocounts count as."""
LEAST_RATIO = 1e-9
"""Of a residue that is never seen, and that no pseudocount reaches."""
AMBIGUOUS = {"B": "ND", "Z": "QE", "X": LETTERS[:RESIDUES]}
"""What a letter stands for that is no residue: it scores the mean of theirs, by how frequent they are."""
ROUNDS = 200

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pssm:
    """Scores by position of the query and by residue code, int32 (positions, 24), read-only; units as the matrix's.

    ratios: how much more frequent each residue is than in the background, (positions, 20), as they follow from what
    was observed, before they were rounded to scores.
    """

    scores: npt.NDArray[np.int32]
    ratios: Numbers = field(repr=False)

    def __post_init__(self) -> None:
        self.scores.flags.writeable = False

    @classmethod
    def of(cls, observed: Observed, matrix: Matrix) -> Self:
        """The profile of what was observed, in the units of a matrix. Raises ScoringError where none has statistics."""
        lambda_ = WithoutGaps.of(matrix.scores).lambda_
        ratios = np.maximum(LEAST_RATIO, mixed(observed, matrix) / background())
        logarithms = mapped(math.log, ratios.ravel()).reshape(ratios.shape)
        scale = _lambda_of(logarithms) / lambda_
        return cls(_with_ambiguous(scale * logarithms, matrix), ratios)


def implied(matrix: Matrix) -> Numbers:
    """How much more often than by chance a matrix expects two residues to be aligned, q_ij / (P_i P_j), (20, 20)."""
    scores = matrix.scores[:RESIDUES, :RESIDUES].astype(np.float64)
    lambda_ = WithoutGaps.of(matrix.scores).lambda_
    return mapped(math.exp, lambda_ * scores.ravel()).reshape(scores.shape)


def mixed(observed: Observed, matrix: Matrix) -> Numbers:
    """How often each residue is expected at each position, (positions, 20): observations and pseudocounts."""
    alpha = observed.independent[:, None] - 1
    # In the order of residues: numpy's products of matrices depend on the processor.
    pseudo = np.zeros_like(observed.frequencies)
    for residue in range(RESIDUES):
        pseudo += observed.frequencies[:, residue, None] * implied(matrix)[residue] * background()
    return (alpha * observed.frequencies + BETA * pseudo) / (alpha + BETA)


def _lambda_of(logarithms: Numbers) -> float:
    """The lambda of scores that are these, over all positions and the background's residues."""
    often = np.broadcast_to(background() / len(logarithms), logarithms.shape).ravel()
    scores = logarithms.ravel()
    if math.fsum((often * scores).tolist()) >= 0 or scores.max() <= 0:
        raise ScoringError("the profile scores random residues above 0, or nothing: no statistics hold for it")
    low, high = 0.0, 1.0
    while math.fsum((often * mapped(math.exp, high * scores)).tolist()) < 1:
        low, high = high, 2 * high
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        below = math.fsum((often * mapped(math.exp, middle * scores)).tolist()) < 1
        low, high = (middle, high) if below else (low, middle)
    return high


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
