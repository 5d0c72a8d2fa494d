"""How two residues score, and what a gap costs.

A gap of n residues costs gap_open + n * gap_extend, as in BLAST: under 11 and 1 its first residue costs 12.
Code that needs another convention converts at its border.
"""

import hashlib
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.sequences.alphabet import LETTERS
from shardwater.statistics.karlin_altschul import published_pairs

MatrixName = Literal["BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250"]
MATRICES: tuple[MatrixName, ...] = get_args(MatrixName)
FOLDER = Path(__file__).with_name("matrices")

OWN_PREFIX, OWN_DIGITS = "matrix-", 32
"""Names of users' own matrices: a word, and so many hexadecimal digits that follow from the scores."""
OWN_NAME = rf"^{OWN_PREFIX}[0-9a-f]{{{OWN_DIGITS}}}$"
MOST_OWN = 100
"""No score of a user's own matrix is further from 0: every engine holds such scores in a signed byte."""

Scores = npt.NDArray[np.int32]
Rows = tuple[tuple[int, ...], ...]
"""A matrix's scores as they are written down: 24 rows of 24, in the order of residue codes."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """A substitution matrix: 24 x 24 scores by residue code, read-only. A name has one matrix (own_matrix).

    They are int32 although int8 would hold them: sums of int8 scores wrap around silently.
    """

    name: str
    scores: Scores = field(compare=False)


@dataclass(frozen=True, slots=True)
class Scoring:
    """A substitution matrix and the gap costs, both positive or zero.

    The matrix is one by name, in any case; or a user's own by its rows, and its name follows from these.
    """

    matrix: str
    gap_open: int
    gap_extend: int
    own: Rows | None = None

    def __post_init__(self) -> None:
        # One spelling of the name, so that equal scorings compare and hash as equal.
        object.__setattr__(self, "matrix", self.loaded.name)
        _check_gap_cost("gap_open", self.gap_open)
        _check_gap_cost("gap_extend", self.gap_extend)

    @classmethod
    def recommended(cls, matrix: str) -> Self:
        """The matrix with the gap costs that BLAST recommends for it."""
        name = load_matrix(matrix).name
        pair = next(pair for pair in published_pairs(name) if pair.recommended)
        return cls(name, pair.gap_open, pair.gap_extend)

    @property
    def loaded(self) -> Matrix:
        """The matrix itself."""
        return load_matrix(self.matrix) if self.own is None else own_matrix(self.own)

    @property
    def scores(self) -> Scores:
        """The matrix's scores, by residue code."""
        return self.loaded.scores

    @property
    def gap_first(self) -> int:
        """What the first residue of a gap costs; each further one costs gap_extend."""
        return self.gap_open + self.gap_extend


def load_matrix(name: str) -> Matrix:
    """The published matrix of a name in any case; the same object at each call."""
    if name.upper() not in MATRICES:
        raise ScoringError(f"unknown matrix {name!r}; known are {', '.join(MATRICES)}", "matrix")
    return _read_matrix(name.upper())


@cache
def _read_matrix(name: str) -> Matrix:
    text = (FOLDER / f"{name}.txt").read_text(encoding="ascii")
    _header, *rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    # Residue codes index the scores: the files keep the alphabet's order of letters.
    scores = np.array([row[1:] for row in rows], dtype=np.int32)
    scores.flags.writeable = False
    return Matrix(name, scores)


# Bounded: users make up rows.
@lru_cache(maxsize=64)
def own_matrix(rows: Rows) -> Matrix:
    """A user's own matrix, named by a digest of its scores: equal ones have one name. Raises ScoringError.

    It is symmetric, as all that computes with scores of letters takes it to be.
    """
    size = len(LETTERS)
    if len(rows) != size or any(len(row) != size for row in rows):
        raise ScoringError(f"a matrix has {size} rows of {size} scores, in the order {LETTERS}")
    if any(abs(score) > MOST_OWN for row in rows for score in row):
        raise ScoringError(f"a score is further from 0 than {MOST_OWN}, which is the most that all engines hold")
    scores = np.array(rows, np.int32)
    scores.flags.writeable = False
    odd = np.argwhere(scores != scores.T)
    if len(odd):
        one, other = (LETTERS[code] for code in odd[0])
        raise ScoringError(f"{one} scores another number against {other} than {other} against {one}")
    return Matrix(OWN_PREFIX + hashlib.sha256(scores.astype(np.int8).tobytes()).hexdigest()[:OWN_DIGITS], scores)


def _check_gap_cost(name: str, cost: object) -> None:
    if not isinstance(cost, int) or isinstance(cost, bool) or cost < 0:
        raise ScoringError(f"{name} is {cost!r}; a gap cost is a whole number, 0 or more")
