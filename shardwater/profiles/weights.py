"""How often each residue is seen at each position of a stack, and in how many independent observations.

Sequences that are alike are weighed down: position-based weights (Henikoff and Henikoff 1994, Journal of Molecular
Biology 243:574), for each position over the part of the stack that all sequences which are there have in common
(Altschul et al. 1997, Nucleic Acids Research 25:3389).
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.profiles.stack import GAP, OUTSIDE, Stack
from shardwater.statistics.background import RESIDUES, background

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """Of a stack, by position of the query.

    frequencies: (positions, 20), each row adds up to 1; what gaps and ambiguous letters weigh is spread over all
    residues as the background has them. independent: the mean number of different letters, gaps being one, in the part
    that the sequences of a position have in common: 1 where there is only the query.
    """

    frequencies: Numbers
    independent: Numbers


def observe(stack: Stack) -> Observed:
    """Count what is seen, by weight."""
    rows = stack.rows
    positions = rows.shape[1]
    frequencies, independent = np.zeros((positions, RESIDUES)), np.ones(positions)
    there = rows != OUTSIDE
    starts, stops = there.argmax(axis=1), positions - there[:, ::-1].argmax(axis=1)
    before: npt.NDArray[np.bool_] | None = None
    weights, distinct = np.ones(1), 1.0
    for position in range(positions):
        some = there[:, position]
        if before is None or not np.array_equal(some, before):
            part = rows[some, starts[some].max() : stops[some].min()]
            weights, distinct = _weighed(part)
            before = some
        frequencies[position] = _frequencies(rows[some, position], weights)
        independent[position] = distinct
    return Observed(frequencies, independent)


def _weighed(part: npt.NDArray[np.uint8]) -> tuple[Numbers, float]:
    """The weight of each row of letters that are all there, and the mean number of different ones in a column."""
    counts = np.stack([(part == letter).sum(axis=0) for letter in range(GAP + 1)])
    different = (counts > 0).sum(axis=0)
    if not (different > 1).any():
        return np.full(len(part), 1 / len(part)), float(different.mean())
    shares = 1 / (np.take_along_axis(counts, part.astype(np.int64), axis=0) * different)
    weights = shares.sum(axis=1)
    return weights / weights.sum(), float(different.mean())


def _frequencies(letters: npt.NDArray[np.uint8], weights: Numbers) -> Numbers:
    known = letters < RESIDUES
    found = np.asarray(np.bincount(letters[known], weights[known], RESIDUES), np.float64)
    spread: Numbers = (1 - math.fsum(found.tolist())) * background()
    return found + spread
