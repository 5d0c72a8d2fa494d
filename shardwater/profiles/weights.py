"""How often each residue is seen at each position of a stack, and in how many independent observations.

Sequences that are alike are weighed down: position-based weights (Henikoff and Henikoff 1994, Journal of Molecular
Biology 243:574), for each position over the part of the stack that all sequences which are there have in common
(Altschul et al. 1997, Nucleic Acids Research 25:3389).
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from shardwater.profiles.stack import GAP, OUTSIDE, Stack
from shardwater.statistics.background import RESIDUES, background

KINDS = GAP + 1
"""Letters and the gap."""

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
    letters = np.ascontiguousarray(stack.rows.T)
    positions = len(letters)
    there = stack.rows != OUTSIDE
    starts, stops = there.argmax(axis=1), positions - there[:, ::-1].argmax(axis=1)
    frequencies, independent = np.empty((positions, RESIDUES)), np.empty(positions)
    # From one of these to the next the same sequences are there.
    borders = np.unique(np.concatenate((starts, stops))).tolist()
    for first, behind in pairwise(borders):
        some = np.flatnonzero((starts <= first) & (stops > first))
        part = letters[starts[some].max() : stops[some].min(), some]
        weights, independent[first:behind] = _weighed(part)
        for position in range(first, behind):
            frequencies[position] = _frequencies(letters[position, some], weights)
    return Observed(frequencies, independent)


def _weighed(part: npt.NDArray[np.uint8]) -> tuple[Numbers, float]:
    """The weight of each column of letters that are all there, and the mean number of different ones in a row."""
    counts = np.stack([np.bincount(letters, minlength=KINDS) for letters in part])
    different = (counts > 0).sum(axis=1)
    weights = np.ones(part.shape[1])
    if (different > 1).any():
        shares = 1 / (np.maximum(1, counts) * different[:, None])
        # One row after the other: how numpy adds up a row depends on the processor.
        weights = np.zeros(part.shape[1])
        for of_letter, letters in zip(shares, part, strict=True):
            weights += of_letter[letters]
    return weights / math.fsum(weights.tolist()), float(different.mean())


def _frequencies(letters: npt.NDArray[np.uint8], weights: Numbers) -> Numbers:
    known = letters < RESIDUES
    found = np.asarray(np.bincount(letters[known], weights[known], RESIDUES), np.float64)
    spread: Numbers = (1 - math.fsum(found.tolist())) * background()
    return found + spread
