"""Tables of scores for pairs of letters, over any alphabet.

Scores are whole numbers. A table may keep them in tenths, where gap costs have a digit after the point (scheme.py).
"""

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.scoring.scoring import Matrix, load_matrix
from shardwater.sequences.alphabets import BASES, DNA, PROTEIN, Alphabet

MOST_SCORE = 100_000
"""No score of a table is further from 0."""


@dataclass(frozen=True, slots=True)
class Table:
    """The score of each letter of an alphabet against each, by their codes; `units` of them are a score of 1.

    Rows may be given as any sequences of whole numbers. scores: the same, int32 (letters, letters), read-only; best and
    worst: the highest and the lowest of them. Raises ScoringError.
    """

    alphabet: Alphabet
    rows: tuple[tuple[int, ...], ...]
    units: int = 1
    # Made once: they are asked for with each pair that is aligned.
    scores: npt.NDArray[np.int32] = field(init=False, repr=False, compare=False)
    best: int = field(init=False, repr=False, compare=False)
    worst: int = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(tuple(map(_whole, row)) for row in self.rows))
        size = len(self.alphabet.letters)
        if len(self.rows) != size or any(len(row) != size for row in self.rows):
            raise ScoringError(f"a table over {self.alphabet.name} has {size} rows of {size} scores")
        if any(abs(score) > MOST_SCORE * self.units for row in self.rows for score in row):
            raise ScoringError(f"a score is further from 0 than {MOST_SCORE:,}")
        scores = np.array(self.rows, np.int32)
        scores.flags.writeable = False
        made = {"scores": scores, "best": int(scores.max()), "worst": int(scores.min())}
        for name, value in {**made, "_hash": hash((self.alphabet.letters, self.rows, self.units))}.items():
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return self._hash

    @property
    def turned(self) -> "Table":
        """The score of each letter of the subject against each of the query."""
        return _turned(self)

    def in_units(self, units: int) -> "Table":
        """The same scores, so many units to each 1."""
        factor = units // self.units
        return Table(self.alphabet, tuple(tuple(factor * score for score in row) for row in self.rows), units)


@lru_cache(maxsize=64)
def _turned(table: Table) -> Table:
    return Table(table.alphabet, tuple(zip(*table.rows, strict=True)), table.units)


def _whole(score: object) -> int:
    try:
        return operator.index(score)  # type: ignore[arg-type]
    except TypeError:
        raise ScoringError(f"a score is {score!r}; scores are whole numbers") from None


def matrix_table(name: str) -> Table:
    """One of NCBI's matrices for proteins; raises ScoringError."""
    return protein_table(load_matrix(name))


@lru_cache(maxsize=64)
def protein_table(matrix: Matrix) -> Table:
    """A matrix for proteins, as a table."""
    return Table(PROTEIN, tuple(tuple(row) for row in matrix.scores.tolist()))


@lru_cache(maxsize=64)
def match_table(match: int, mismatch: int) -> Table:
    """DNA: a base scores `match` against itself; all else, what is not known against itself too, `mismatch`."""
    return _of_bases([[match if one == other else mismatch for one in BASES] for other in BASES], mismatch)


def bases_table(scores: Sequence[Sequence[int]]) -> Table:
    """DNA by a table in the order of ACGT, and of RYSWKMBDHVN where it is 15 x 15.

    Without these, a letter that is no base scores the table's least against any. Raises ScoringError.
    """
    if len(scores) == len(DNA.letters):
        return Table(DNA, tuple(map(tuple, scores)))
    if len(scores) != len(BASES) or any(len(row) != len(BASES) for row in scores):
        raise ScoringError("a table for DNA has 4 rows of 4 scores, or 15 of 15")
    return _of_bases(scores, min(map(min, scores)))


def _of_bases(scores: Sequence[Sequence[int]], others: int) -> Table:
    """others: the score of letters that are no base."""
    count = len(DNA.letters) - len(BASES)
    rows = [(*row, *[others] * count) for row in scores]
    return Table(DNA, (*rows, *[(others,) * len(DNA.letters)] * count))
