"""Karlin-Altschul parameters of any matrix with any gap costs, from the scores of random sequences (simulation.py).

lambda and the lengths of chance alignments follow from how often samples reach two scores, and where; K makes the local
scores of random pairs likeliest, under the extreme value law with the finite-size correction of evalue.py.
docs/statistics.md has the formulas.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.scoring.scoring import Scoring
from shardwater.statistics.background import WithoutGaps
from shardwater.statistics.evalue import SearchSpace, area
from shardwater.statistics.growth import NO_STATISTICS
from shardwater.statistics.karlin_altschul import KarlinAltschul, Simulated, with_intercepts
from shardwater.statistics.length_regression import mapped
from shardwater.statistics.passages import Lengths, lambda_of, summed
from shardwater.statistics.simulation import LENGTH, Block

GROUPS = 16
"""Standard errors are those of the jackknife, which leaves out a group of blocks at a time."""
MOST_ERROR, MOST_COVERED = 0.03, 0.5
"""Of lambda, as a share of it; and of the random sequences, what a chance alignment may cover."""
DEAREST = 20
"""Of gaps that cost more, in units of 1/lambda, chance alignments have fewer than one in 10^8."""
FREQUENT = 8
"""A score that so many random pairs have is taken for one that scores may have."""
HALVINGS = 60


def fit(scoring: Scoring, blocks: Sequence[Block]) -> Simulated:
    """The parameters that all blocks tell, rounded to what they are worth.

    Raises ScoringError where they tell none: so near to where alignments grow with the sequences that chance
    alignments are as long as these, or their scores too uncertain.
    """
    plain = WithoutGaps.of(scoring.scores)
    row = _row(scoring, plain, blocks)
    groups = [[block for place, block in enumerate(blocks) if place % GROUPS != left] for left in range(GROUPS)]
    without = [_row(scoring, plain, group) for group in groups]
    error, kappa_error = (_jackknife([getattr(each, name) for each in without]) for name in ("lambda_", "kappa"))
    if not error <= MOST_ERROR * row.lambda_:
        raise _too_near(scoring, f"lambda, {row.lambda_:.4f}, has a standard error of {error:.4f}")
    return Simulated(row, _rounded(error, 2), _rounded(kappa_error, 2))


def _row(scoring: Scoring, plain: WithoutGaps, blocks: Sequence[Block]) -> KarlinAltschul:
    low, high = (summed([block.levels[place] for block in blocks]) for place in range(2))
    found = lambda_of(low, high)
    if found is None:
        raise _too_near(scoring, "high scores are no rarer than low ones")
    lengths = Lengths.between(low, high, found)
    if not lengths.alpha > 0 or not lengths.alpha_v > 0:
        raise _too_near(scoring, "alignments of high scores are no longer than those of low ones")
    lambda_, alpha = _rounded(found, 5), _rounded(lengths.alpha, 4)
    alpha_v, sigma = _rounded(lengths.alpha_v, 4), _rounded(lengths.sigma, 4)
    slopes = KarlinAltschul(lambda_, 1.0, _rounded(lambda_ / alpha, 4), alpha, 0.0, alpha_v, sigma, 0.0, 0.0, 0.0)
    # Gaps that cost more are in no chance alignment: the slopes differ by errors alone, which costs would multiply.
    gap_first = min(scoring.gap_first, math.ceil(DEAREST / plain.lambda_))
    row = with_intercepts(slopes, plain.alpha, plain.alpha_v, gap_first)
    scores = np.sort([score for block in blocks for score in block.scores])
    covered = row.alpha * float(scores[len(scores) // 2]) + row.b
    if covered > MOST_COVERED * LENGTH:
        raise _too_near(scoring, f"a chance alignment of {LENGTH:,} residues covers {covered:,.0f} of them")
    return replace(row, kappa=_rounded(_kappa(row, scores), 4), beta=row.b)


def _too_near(scoring: Scoring, why: str) -> ScoringError:
    costs = f"{scoring.gap_open}/{scoring.gap_extend}"
    return ScoringError(
        f"gaps of {costs} cost so little that alignments of random sequences nearly grow with them ({why}): "
        f"{NO_STATISTICS}"
    )


def _kappa(row: KarlinAltschul, scores: npt.NDArray[np.int64]) -> float:
    """The K that makes the scores of random pairs likeliest; of those below the median it counts how many there are.

    Expected are E(s) = K area(s) exp(-lambda s) scores of s or better. A score is from s to below t with the
    probability exp(-E(t)) - exp(-E(s)), and below the median M with exp(-E(M)). Scores may come in steps: s and t are
    two that follow one another among those that are frequent, and the last ones are all together.
    """
    least = int(scores[len(scores) // 2])
    found, counts = np.unique(scores[scores >= least], return_counts=True)
    frequent = (counts >= FREQUENT) | (found == least)
    levels, counts = found[frequent].astype(np.float64), np.add.reduceat(counts, np.flatnonzero(frequent))
    space = SearchSpace(LENGTH, LENGTH, 1)
    at_least = area(row, space, levels, np.full(len(levels), LENGTH)) * mapped(math.exp, -row.lambda_ * levels)
    above = np.append(at_least[1:], 0.0)
    below = int(np.count_nonzero(scores < least)) * float(at_least[0])

    def slope(logarithm: float) -> float:
        """Of the likelihood's logarithm over that of K; it falls."""
        kappa = math.exp(logarithm)
        high, low = kappa * at_least, kappa * above
        # exp(-low) - exp(-high), over exp(-low).
        share = -mapped(math.expm1, low - high)
        gain = (high * mapped(math.exp, low - high) - low) / share
        return math.fsum((counts * gain).tolist()) - kappa * below

    low, high = math.log(1e-12), math.log(1e6)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return math.exp(low)


def _jackknife(values: Sequence[float]) -> float:
    """The standard error of what these tell, each of which leaves out another group."""
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) * (len(values) - 1) / len(values))


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")
