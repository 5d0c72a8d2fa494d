"""How two residues score, and what a gap costs.

A gap of n residues costs gap_open + n * gap_extend, as in BLAST: under 11 and 1 its first residue costs 12.
Code that needs another convention converts at its border.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.statistics.karlin_altschul import published_pairs

MatrixName = Literal["BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250"]
MATRICES: tuple[MatrixName, ...] = get_args(MatrixName)
FOLDER = Path(__file__).with_name("matrices")

Scores = npt.NDArray[np.int32]


# Compared by identity: load_matrix makes one object for each name, and arrays have no plain ==.
@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """A substitution matrix: 24 x 24 scores by residue code, read-only.

    They are int32 although int8 would hold them: sums of int8 scores wrap around silently.
    """

    name: str
    scores: Scores


@dataclass(frozen=True, slots=True)
class Scoring:
    """A substitution matrix by name (any case) and the gap costs, both positive or zero."""

    matrix: str
    gap_open: int
    gap_extend: int

    def __post_init__(self) -> None:
        # One spelling of the name, so that equal scorings compare and hash as equal.
        object.__setattr__(self, "matrix", load_matrix(self.matrix).name)
        _check_gap_cost("gap_open", self.gap_open)
        _check_gap_cost("gap_extend", self.gap_extend)

    @classmethod
    def recommended(cls, matrix: str) -> Self:
        """The matrix with the gap costs that BLAST recommends for it."""
        name = load_matrix(matrix).name
        pair = next(pair for pair in published_pairs(name) if pair.recommended)
        return cls(name, pair.gap_open, pair.gap_extend)

    @property
    def scores(self) -> Scores:
        """The matrix's scores, by residue code."""
        return load_matrix(self.matrix).scores

    @property
    def gap_first(self) -> int:
        """What the first residue of a gap costs; each further one costs gap_extend."""
        return self.gap_open + self.gap_extend


def load_matrix(name: str) -> Matrix:
    """The matrix of a name in any case; the same object at each call."""
    if name.upper() not in MATRICES:
        raise ScoringError(f"unknown matrix {name!r}; known are {', '.join(MATRICES)}")
    return _read_matrix(name.upper())


@cache
def _read_matrix(name: str) -> Matrix:
    text = (FOLDER / f"{name}.txt").read_text(encoding="ascii")
    _header, *rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    # Residue codes index the scores: the files keep the alphabet's order of letters.
    scores = np.array([row[1:] for row in rows], dtype=np.int32)
    scores.flags.writeable = False
    return Matrix(name, scores)


def _check_gap_cost(name: str, cost: object) -> None:
    if not isinstance(cost, int) or isinstance(cost, bool) or cost < 0:
        raise ScoringError(f"{name} is {cost!r}; a gap cost is a whole number, 0 or more")
