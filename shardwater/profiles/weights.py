"""How often each residue is seen at each position of a stack, and in how many independent observations.

Sequences that are alike are weighed down: position-based weights (Henikoff and Henikoff 1994, Journal of Molecular
Biology 243:574), for each position over the part of the stack that all sequences which are there have in common
(Altschul et al. 1997, Nucleic Acids Research 25:3389). How many observations they are worth is told by how many
different residues they have in a column (Altschul, Gertz, Agarwala, Schaffer and Yu 2009, NAR 37:815).
"""

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from shardwater.profiles.stack import GAP, OUTSIDE, Stack
from shardwater.ranges import ranges_of
from shardwater.statistics.background import RESIDUES, background

KINDS = GAP + 1
"""Letters and the gap."""
TOGETHER = 1 << 20
"""Cells that are counted at a time."""
MOST_OBSERVATIONS = 400
"""So many random residues have all twenty among them, as good as always."""

Letters = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """Of a stack, by position of the query.

    frequencies: (positions, 20), of what has a residue there; each row adds up to 1, and is the background's where
    nothing has. observations: independent ones beside the query's own, (positions,): 0 where there is only the query.
    matches: what PSI-BLAST's table tells in their place, (positions,): how many different letters there are in the
    columns that count for a position, on average and gaps among them, less one, times the share of the weight at the
    position that has a letter; 0 where there is only the query.
    """

    frequencies: Numbers
    observations: Numbers
    matches: Numbers


def observe(stack: Stack) -> Observed:
    """Count what is seen, by weight; each row has a letter at one position at least, as those have that are purged."""
    letters = np.ascontiguousarray(stack.rows.T)
    positions = len(letters)
    there = stack.rows != OUTSIDE
    starts, stops = there.argmax(axis=1), positions - there[:, ::-1].argmax(axis=1)
    frequencies, observations, matches = np.empty((positions, RESIDUES)), np.empty(positions), np.empty(positions)
    # From one of these to the next the same sequences are there.
    borders = np.unique(np.concatenate((starts, stops))).tolist()
    counts = np.zeros((positions, KINDS), np.int64)
    for first, behind in pairwise(borders):
        for sign, changed in ((1, starts == first), (-1, stops == first)):
            for few in _few(np.flatnonzero(changed), positions):
                span = slice(starts[few].min(), stops[few].max())
                counts[span] += sign * _counted(letters[span, few])
        some = np.flatnonzero((starts <= first) & (stops > first))
        common = slice(starts[some].max(), stops[some].min())
        weights = _weights(letters[common, some], counts[common])
        observations[first:behind] = _independent(counts[common], len(some)) - 1
        more = int((counts[common] > 0).sum()) / (common.stop - common.start) - 1
        total = math.fsum(weights.tolist())
        for part in ranges_of(behind - first, max(1, TOGETHER // len(some))):
            places = slice(first + part.start, first + part.stop)
            here = letters[places, some]
            gaps = here == GAP
            frequencies[places], matches[places] = _frequencies(here, weights), more
            for place in np.flatnonzero(gaps.any(axis=1)).tolist():
                matches[places.start + place] = more * (1 - math.fsum(weights[gaps[place]].tolist()) / total)
    return Observed(frequencies, observations, matches)


def _few(sequences: npt.NDArray[np.intp], positions: int) -> list[npt.NDArray[np.intp]]:
    """These, as many at a time as are counted together."""
    step = max(1, TOGETHER // positions)
    return [sequences[first : first + step] for first in range(0, len(sequences), step)]


def _counted(letters: Letters) -> npt.NDArray[np.int64]:
    """How many sequences have each letter or a gap at each position, (positions, KINDS); not those that are outside."""
    kinds = KINDS + 1
    cells = letters + kinds * np.arange(len(letters))[:, None]
    return np.bincount(cells.ravel(), minlength=kinds * len(letters)).reshape(-1, kinds)[:, :KINDS]


def _weights(part: Letters, counts: npt.NDArray[np.int64]) -> Numbers:
    """The weight of each sequence in columns that all of them are in, (columns, sequences); counts: by letter."""
    different = (counts > 0).sum(axis=1)
    if not (different > 1).any():
        return np.ones(part.shape[1])
    shares = 1 / (np.maximum(1, counts) * different[:, None])
    weights = np.zeros(part.shape[1])
    for few in ranges_of(len(part), max(1, TOGETHER // part.shape[1])):
        cells = part[few.start : few.stop] + shares.shape[1] * np.arange(few.start, few.stop)[:, None]
        # All of them are there: to "clip" what is not spares numpy a look.
        of_each = shares.take(cells, mode="clip")
        of_each[0] += weights
        # One row is added after the other, on every processor: sequences stand side by side in memory.
        weights = of_each.sum(axis=0)
    return weights


def _independent(counts: npt.NDArray[np.int64], sequences: int) -> float:
    """How many random residues are as different as those in the more diverse half of these columns; 1 at least."""
    different = np.sort((counts[:, :RESIDUES] > 0).sum(axis=1))[::-1][: (len(counts) + 1) // 2]
    mean, expected = int(different.sum()) / len(different), _expected_different()
    above = int(np.searchsorted(expected, mean, side="right"))
    if above == len(expected):
        return float(min(sequences, MOST_OBSERVATIONS))
    number = above - (expected[above] - mean) / (expected[above] - expected[above - 1])
    return max(1.0, min(float(number), sequences))


@cache
def _expected_different() -> Numbers:
    """How many different ones there are among 0, 1, ... random residues, on average."""
    missing = np.ones((1 + MOST_OBSERVATIONS, RESIDUES))
    missing[1:] = np.multiply.accumulate(np.tile(1 - background(), (MOST_OBSERVATIONS, 1)), axis=0)
    found = np.array([RESIDUES - math.fsum(row) for row in missing.tolist()])
    found.flags.writeable = False
    return found


def _frequencies(here: Letters, weights: Numbers) -> Numbers:
    """Of some positions, (positions, 20), by their letters, (positions, sequences), and the sequences' weights."""
    cells = here + KINDS * np.arange(len(here))[:, None]
    counted = np.bincount(cells.ravel(), np.tile(weights, len(here)), KINDS * len(here))
    found = counted.reshape(len(here), KINDS)[:, :RESIDUES]
    totals = np.array([math.fsum(each) for each in found.tolist()])[:, None]
    return np.where(totals > 0, found / np.where(totals > 0, totals, 1.0), background())
