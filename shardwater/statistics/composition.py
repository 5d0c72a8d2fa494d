"""How much of a score the compositions of two sequences explain: what the adjusted E-value goes by.

Two stretches of few kinds of letters, as of collagens or of coiled coils, score high with each other whatever the order
of their letters. Karlin and Altschul (1990, PNAS 87:2264) tell by how much: lambda, the scale of scores between letters
drawn with frequencies p and q, is the positive solution of sum(p_i q_j exp(lambda s_ij)) = 1, and is small where such
letters score high. A score counts by lambda of its two aligned stretches over lambda of the query and proteins at
large, which a fit knows of already. BLAST scales scores alike (Schaeffer et al. 2001, Nucleic Acids Research 29:2994),
by whole sequences; stretches find what is local, too. Where a profile scores, the positions k of a stretch stand in
place of its letters: sum(q_j exp(lambda s_kj)). docs/statistics.md has the rule, and how it was chosen.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from shardwater.ranges import ranges_of
from shardwater.sequences.alphabet import Codes
from shardwater.statistics.length_regression import Numbers, mapped

RESIDUES = 20
"""Letters that have a frequency: the alphabet's first; B, Z, X and `*` are not counted."""
BACKGROUND = np.array(
    [780, 513, 449, 536, 193, 426, 630, 738, 220, 514, 901, 574, 224, 386, 520, 712, 584, 133, 322, 645], np.float64
)
"""Of 10,000 residues of proteins, by letter (Robinson and Robinson 1991, PNAS 88:8880)."""
BACKGROUND_RESIDUES = 100
"""A stretch is taken together with so many residues of usual composition: of a short one little is known."""
RESIDUE = BACKGROUND.sum() / BACKGROUND_RESIDUES
"""What one residue of it counts beside those of BACKGROUND: a whole number."""
TOLERANCE, POWER = 1.06, 2
"""A ratio of lambdas down to 1 / 1.06 is what chance alignments have, too; below, its square counts."""
LEAST_SCALE = 0.15
"""However biased, a score counts by so much: what is long and nearly identical is told from chance."""
MOST_ROUNDS = 25
TOGETHER = 2000
"""Stretches whose scores are counted at a time."""
COUNTED = 100
"""Those whose residues are."""
LARGEST_POWER = 1e250
"""No power of a root that is worked with is above: sums of such powers stay doubles."""

Compositions = Numbers
"""Weights of the 20 residues: whole numbers, one row for each stretch."""
Weights = Sequence[Numbers]
"""How often each score stands between two stretches, of each pair of them; by score, the highest one first."""
Scores = npt.NDArray[np.int32]


def scales(
    query: npt.NDArray[np.integer],
    stretches: Sequence[tuple[npt.NDArray[np.integer], Codes]],
    scores: Scores,
    pssm: Scores | None = None,
) -> list[float]:
    """What the score of each alignment with a query counts by: from 0.15 to 1, to four decimals.

    stretches: the aligned residues of query and subject. scores: the matrix, 24 x 24. pssm: what the query's positions
    score, (positions, 24), where the matrix does not say it: then the query, and its part of a stretch, are numbers of
    positions that have a residue. All is arithmetic of whole numbers and a few operations that have one result on every
    processor.
    """
    if not stretches:
        return []
    table = _Table(scores[:RESIDUES, :RESIDUES], None if pssm is None else pssm[:, :RESIDUES], query)
    of_query = table.weights([query], BACKGROUND[None])
    usual = _roots(of_query, table, _above(of_query, table))
    if usual[0] <= 1:
        # Where a query scores above 0 with anything, there is no scale to compare with.
        return [1.0] * len(stretches)
    own, other = ([each[side] for each in stretches] for side in (0, 1))
    roots = _roots(table.weights(own, _compositions(other)), table, np.repeat(usual, len(stretches)))
    ratios = TOLERANCE * mapped(math.log, roots) / math.log(usual[0])
    return [round(scale, 4) for scale in np.clip(ratios**POWER, LEAST_SCALE, 1).tolist()]


def _compositions(stretches: Sequence[npt.NDArray[np.integer]]) -> Compositions:
    """Some at a time: a number for each letter takes memory."""
    parts = (stretches[some.start : some.stop] for some in ranges_of(len(stretches), COUNTED))
    found: Compositions = np.concatenate([_counted(part) for part in parts]) * RESIDUE + BACKGROUND
    return found


def _counted(stretches: Sequence[npt.NDArray[np.integer]]) -> npt.NDArray[np.int64]:
    """How often each residue stands in each stretch, (stretches, 20)."""
    codes = np.concatenate(stretches)
    known = codes < RESIDUES
    rows = np.repeat(np.arange(len(stretches)), [len(each) for each in stretches])
    counts = np.bincount(RESIDUES * rows[known] + codes[known], minlength=RESIDUES * len(stretches))
    return counts.reshape(-1, RESIDUES)


class _Table:
    """What residues score with each other, (20, 20), and positions with residues, (positions, 20), if they do.

    Sums are of whole numbers far below 2^53, in which the order of adding does not show.
    """

    def __init__(self, residues: Scores, positions: Scores | None, counted: npt.NDArray[np.integer]) -> None:
        """counted: which of the positions have a residue; of others nothing is summed."""
        both = residues if positions is None else np.concatenate((residues, positions[counted]))
        self.highest, self.lowest = int(both.max()), int(both.min())
        self._residues = self._which(residues)
        self._before = None
        if positions is not None:
            which = np.zeros((len(positions), *self._residues.shape[1:]))
            which[counted] = self._which(positions[counted])
            self._before = np.concatenate((np.zeros_like(which[:1]), np.cumsum(which, axis=0)))
            """How many of the positions before each one have each score with each residue."""

    def _which(self, scores: Scores) -> Numbers:
        """Whether each is each score, the highest first, (rows, 20, scores)."""
        every = np.arange(self.highest, self.lowest - 1, -1)
        which: Numbers = (scores[..., None] == every).astype(np.float64)
        return which

    def weights(self, own: Sequence[npt.NDArray[np.integer]], other: Compositions) -> Weights:
        """Of stretches with others: of residues, or, where positions score, of ascending positions that have one."""
        parts = (slice(some.start, some.stop) for some in ranges_of(len(own), TOGETHER))
        return list(np.concatenate([self._weights(own[part], other[part]) for part in parts]).T)

    def _weights(self, own: Sequence[npt.NDArray[np.integer]], other: Compositions) -> Numbers:
        """(stretches, scores)."""
        if self._before is None:
            seen = np.tensordot(_compositions(own), self._residues, 1)
        else:
            usual = np.tensordot(BACKGROUND, self._residues, 1)
            ends = np.array([(each[0], each[-1] + 1) if len(each) else (0, 0) for each in own])
            seen = usual + RESIDUE * (self._before[ends[:, 1]] - self._before[ends[:, 0]])
        found: Numbers = np.einsum("pj,pjs->ps", other, seen)
        return found


def _above(weights: Weights, table: _Table) -> Numbers:
    """What exp(lambda) of each pair is below: there the highest score alone, which is a share of all, makes the sum.

    In a matrix whose scores are of other units than the published ones' that is another number.
    """
    share = weights[0] / sum(weights)
    bound = mapped(math.exp, -mapped(math.log, share) / max(1, table.highest))
    most = math.exp(math.log(LARGEST_POWER) / max(1, table.highest - table.lowest))
    return np.minimum(bound, most)


def _roots(weights: Weights, table: _Table, start: Numbers) -> Numbers:
    """exp(lambda) of each pair, or where it is from: what is larger is not looked for.

    Newton's method on sum(w_s y^s) - sum(w_s), a convex function of y that is 0 at 1 and at the root: from above it
    falls to the root, and to 1 where the mean score is not below 0.
    """
    lowest, total = table.lowest, sum(weights)
    y = start.copy()
    for _ in range(MOST_ROUNDS):
        value, slope, power = np.zeros(len(y)), np.zeros(len(y)), np.ones(len(y))
        for weight in weights:
            slope = slope * y + value
            value = value * y + weight
        for _score in range(-lowest):
            power = power * y
        # Both times y to the power of -lowest, which makes a polynomial of it.
        height = value - total * power
        steepness = slope + lowest * value / y
        step = np.where(height > 0, height / np.where(steepness > 0, steepness, 1.0), 0.0)
        before, y = y, np.maximum(1.0, y - step)
        if (y == before).all():
            break
    return y
