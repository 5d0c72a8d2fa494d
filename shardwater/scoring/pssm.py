"""Position-specific scores: what a query's positions score, in place of a matrix.

A matrix scores a letter against a letter; a PSSM (position-specific scoring matrix; Gribskov, McLachlan and Eisenberg
1987, PNAS 84:4355) scores a place in the query against a letter. Gap costs stay those of the scoring beside it.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.scoring.scoring import MOST_OWN, Scores, Scoring
from shardwater.sequences.alphabet import LETTERS, encode
from shardwater.statistics.background import RESIDUES, background

MOST_PSSM = MOST_OWN
"""No score of a PSSM is further from 0: every engine holds such scores in a signed byte."""

STOP = -4
"""What `*` scores where nothing says it: as in BLOSUM62."""

_MEANS = {"B": "ND", "Z": "QE", "X": LETTERS[:RESIDUES]}
"""What a letter that is no residue stands for."""


@dataclass(frozen=True, slots=True, eq=False)
class Pssm:
    """Scores by position of the query and by residue code, int32 (positions, 24), read-only. Raises ScoringError."""

    scores: Scores

    def __post_init__(self) -> None:
        if self.scores.ndim != 2 or self.scores.shape[1] != len(LETTERS):
            raise ScoringError(f"a PSSM has {len(LETTERS)} scores for each position, in the order {LETTERS}")
        if len(self.scores) and abs(self.scores).max() > MOST_PSSM:
            raise ScoringError(f"a score is further from 0 than {MOST_PSSM}, which is the most that all engines hold")
        self.scores.flags.writeable = False

    def __len__(self) -> int:
        """Positions."""
        return len(self.scores)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pssm) and np.array_equal(self.scores, other.scores)

    def __hash__(self) -> int:
        return hash(self.scores.tobytes())

    @property
    def digest(self) -> str:
        """What its scores are known by: SHA-256 of them as signed bytes, position by position."""
        return f"sha256:{hashlib.sha256(self.scores.astype(np.int8).tobytes()).hexdigest()}"

    @classmethod
    def of_residues(cls, scores: npt.NDArray[np.float64], stop: int) -> Self:
        """Of scores for the 20 residues, (positions, 20), which are rounded, and kept from being too low.

        A letter that stands for several residues scores their mean, by how frequent they are; `*` scores `stop`.
        """
        found = np.full((len(scores), len(LETTERS)), stop, np.int32)
        found[:, :RESIDUES] = _rounded(scores)
        for letter, ones in _MEANS.items():
            own = [LETTERS.index(one) for one in ones]
            weights = background()[own]
            # In the order of residues: numpy's products of matrices depend on the processor.
            total = sum(weight * scores[:, code] for weight, code in zip(weights.tolist(), own, strict=True))
            found[:, LETTERS.index(letter)] = _rounded(total / math.fsum(weights.tolist()))
        return cls(found)

    def part(self, first: int, last: int) -> "Pssm":
        """The positions from `first` to `last`, which count from 1 and are both in it."""
        return Pssm(self.scores[first - 1 : last])


def _rounded(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.maximum(-MOST_PSSM, np.rint(scores))


def stacked(scores: Scores, pssms: Sequence[Pssm | None]) -> tuple[Scores, list[int | None]]:
    """The scores of letters, and below them those of PSSMs, each once, int32 (rows, 24); and where each one's begin.

    None where there is no PSSM: a residue's code is the row that it has.
    """
    distinct = list({id(pssm): pssm for pssm in pssms if pssm is not None}.values())
    firsts = accumulate(map(len, distinct), initial=len(scores))
    first_of = {id(pssm): first for pssm, first in zip(distinct, firsts, strict=False)}
    table = np.concatenate([scores, *(pssm.scores for pssm in distinct)])
    return table, [None if pssm is None else first_of[id(pssm)] for pssm in pssms]


def scores_of(residues: bytes, pssm: Pssm | None, scoring: Scoring) -> Scores:
    """What each position of a query scores against each letter, int32 (positions, 24): by its PSSM, or the matrix."""
    return scoring.scores[encode(residues)] if pssm is None else pssm.scores
