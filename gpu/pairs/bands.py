"""Bands of pairs that are aligned from end to end: which diagonals they have, and when no other cell can matter.

A band is enough where its score passes what any alignment could have that leaves it: then all best alignments lie in
it, and the first of these is what would be found among all cells. What else a pair needs follows from the score: it is
never more than the best one, and so tells a band that is enough.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from gpu.layout import BAND_ITEMS, BASES
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.batch import Numbers
from shardwater.sequences.alphabets import DNA

LANES = (1, 2, 4, 8, 16, 32)
"""Of a band."""
DIAGONALS = 2 * BAND_ITEMS
"""Of a lane."""
MOST = (1 << 15) - 1
ROOM = 10
"""A band has a diagonal for so many letters, where nothing is known of a pair: for one in twenty, to both sides."""
WORTH = 2
"""Times fewer cells than all must a band have."""
LEAST_CELLS = 1 << 19
"""Of a pair that is worth one: for smaller ones the host works longer than a device saves."""
_ENOUGH_LANES = np.array([next(lanes for lanes in LANES if lanes >= wanted) for wanted in range(LANES[-1] + 1)] + [0])
"""For so many lanes, or for more than there are."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What a scheme's steps cost, in plain numbers."""

    equal: int
    unlike: int
    gap_open: int
    gap_extend: int

    @classmethod
    def of(cls, scheme: Scheme) -> Self | None:
        """None where alignments are not from end to end, or letters of DNA have more than two scores."""
        if scheme.table.alphabet is not DNA or scheme.mode != Mode.GLOBAL:
            return None
        scores = scheme.table.scores[:BASES, :BASES].astype(np.int64)
        equal, unlike = int(scores[0, 0]), int(scores[0, 1])
        two = np.array_equal(scores, np.where(np.eye(BASES, dtype=np.bool_), equal, unlike))
        return cls(equal, unlike, scheme.gap_open, scheme.gap_extend) if two and equal >= unlike else None

    @property
    def step(self) -> int:
        """What a number grows by in a diagonal step, at most."""
        return max(0, self.equal + 2 * self.gap_extend)

    @property
    def loss(self) -> int:
        """What it shrinks by, at most."""
        return max(0, -self.unlike - 2 * self.gap_extend)

    def corner(self, longest: int) -> int:
        """The number of the first corner: with it none of sequences of so many letters is as low as `loss`.

        Nor is it less than what cells before the first letters may come to from there, a step for each of their cells
        on a diagonal: a band has half as many as diagonals.
        """
        return self.loss * (longest + 1) + self.gap_open + self.step * (LANES[-1] * BAND_ITEMS + 1) + 1

    @property
    def longest(self) -> int:
        """The letters of a sequence for which 16 bits do; less than 1 where they never do."""
        return (MOST - self.corner(0) - 2 * self.step) // max(1, self.loss + self.step)

    def gap(self, letters: Numbers) -> Numbers:
        """What so many cost, one at least."""
        return self.gap_open + self.gap_extend * letters


def lowest(lengths: Numbers, lanes: Numbers) -> Numbers:
    """The first diagonal of bands of so many lanes: even, and as far from the way as the last, or one further."""
    apart = lengths[1] - lengths[0]
    room = lanes * DIAGONALS - 1 - np.abs(apart)
    first: Numbers = np.minimum(apart, 0) - (room + 1) // 2
    return first - first % 2


def bounds(lengths: Numbers, lanes: Numbers, costs: Costs) -> Numbers:
    """What no alignment has that leaves a band of so many lanes, (2, pairs) of letters.

    To pass the last diagonal takes so many letters of the subject alone, and then of the query alone to come back; what
    is left of the subject is equal at best. Below the first diagonal it is the other way round.
    """
    first = lowest(lengths, lanes)
    last = first + lanes * DIAGONALS - 1
    apart = lengths[1] - lengths[0]
    found = []
    for away, letters, back in ((last + 1, lengths[1], -apart), (1 - first, lengths[0], apart)):
        best = max(0, costs.equal) * (letters - away) - costs.gap(away) - costs.gap(away + back)
        found.append(np.where(away > letters, -(1 << 30), best))
    bound: Numbers = np.maximum(*found)
    return bound


def _room(lengths: Numbers, lanes: Numbers) -> npt.NDArray[np.bool_]:
    """Where the way from corner to corner lies in such bands, and these are worth it."""
    total, apart = lengths.sum(axis=0), np.abs(lengths[1] - lengths[0])
    cells = lanes * BAND_ITEMS * total
    every = np.multiply(*lengths)
    room: npt.NDArray[np.bool_] = (apart + 2 < lanes * DIAGONALS) & (WORTH * cells <= every) & (every >= LEAST_CELLS)
    return room


def guessed(lengths: Numbers, costs: Costs) -> Numbers:
    """Lanes of bands that pairs may do with, of (2, pairs) letters; 0 where there is none."""
    longest = lengths.max(axis=0)
    wanted = np.abs(lengths[1] - lengths[0]) + longest // ROOM
    lanes = _ENOUGH_LANES[np.minimum(-(-wanted // DIAGONALS), len(_ENOUGH_LANES) - 1)]
    return np.where((lanes > 0) & (longest <= costs.longest) & _room(lengths, lanes), lanes, 0)


def needed(lengths: Numbers, scores: npt.NDArray[np.integer], costs: Costs) -> Numbers:
    """Lanes of bands that are enough for pairs that score so much at least; 0 where there is none."""
    found = np.zeros(lengths.shape[1], np.int64)
    for lanes in reversed(LANES):
        every = np.full_like(found, lanes)
        found[_room(lengths, every) & (bounds(lengths, every, costs) < scores)] = lanes
    return found
