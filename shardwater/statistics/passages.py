"""Where samples first reach a level, counted by the score that they have there; lambda and lengths follow from that.

Scores come in steps, so that a level is passed by more at times, and by how much hangs on the level. What holds for all
levels is the mean of exp(lambda score) over the samples that reach one, each by its weight: it is the same for any two
high levels (Park, Sheetlin and Spouge 2009, Annals of Statistics 37:3697; without gaps for all levels, as the
exponential martingale has it). Weighed so, lengths grow in proportion to the score, too.
"""

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from shardwater.statistics.importance import Reached

ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over samples that have a score where they reach a level, by weight: of 1, rows, columns, and their squares
    and product."""

    score: int
    weight: float
    rows: float
    columns: float
    rows_squared: float
    columns_squared: float
    product: float


Passage = tuple[Moments, ...]
"""All samples that reach a level, by rising score."""


def passage_of(reached: Reached, level: int) -> Passage:
    """The samples that reach a level, by its number."""
    w, i, j, scores = (each[:, level] for each in (reached.weights, reached.rows, reached.columns, reached.scores))
    sums = np.stack((w, w * i, w * j, w * i * i, w * j * j, w * i * j))
    return tuple(
        Moments(int(score), *(math.fsum(each.tolist()) for each in sums[:, (scores == score) & (w > 0)]))
        for score in np.unique(scores[w > 0]).tolist()
    )


def summed(parts: Sequence[Passage]) -> Passage:
    """Those of several parts."""
    by_score: dict[int, list[Moments]] = {}
    for each in (moments for part in parts for moments in part):
        by_score.setdefault(each.score, []).append(each)
    names = [field.name for field in fields(Moments)][1:]
    return tuple(
        Moments(score, *(math.fsum(getattr(each, name) for each in by_score[score]) for name in names))
        for score in sorted(by_score)
    )


def lambda_of(low: Passage, high: Passage) -> float | None:
    """The lambda under which both levels have the same mean of exp(lambda score); None where none above 0 does."""

    def grown(lambda_: float) -> float:
        return _logarithm(high, lambda_) - _logarithm(low, lambda_)

    if not low or not high or grown(0) >= 0 or high[-1].score <= low[-1].score:
        return None
    least, most = 0.0, 1.0
    while grown(most) < 0:
        least, most = most, 2 * most
    for _ in range(ROUNDS):
        middle = (least + most) / 2
        least, most = (middle, most) if grown(middle) < 0 else (least, middle)
    return most


def _logarithm(passage: Passage, lambda_: float) -> float:
    """Of the sum of exp(lambda score), by weight."""
    first = passage[0].score
    return lambda_ * first + math.log(
        math.fsum(each.weight * math.exp(lambda_ * (each.score - first)) for each in passage)
    )


@dataclass(frozen=True, slots=True)
class Lengths:
    """How lengths of alignments grow by unit of score: in the mean, their variance about that, and their covariance."""

    alpha: float
    alpha_v: float
    sigma: float

    @classmethod
    def between(cls, low: Passage, high: Passage, lambda_: float) -> "Lengths":
        """From one level to another."""
        before, after = _Means.of(low, lambda_), _Means.of(high, lambda_)
        grown = after.score - before.score
        alpha = (after.rows + after.columns - before.rows - before.columns) / 2 / grown
        variance, covariance = (
            end - begin for begin, end in zip(before.spread(alpha), after.spread(alpha), strict=True)
        )
        return cls(alpha, variance / grown, covariance / grown)


@dataclass(frozen=True, slots=True)
class _Means:
    """Of samples, each by its weight and exp(lambda score): of score, rows, columns, their squares and products."""

    score: float
    rows: float
    columns: float
    score_squared: float
    rows_squared: float
    columns_squared: float
    rows_score: float
    columns_score: float
    product: float

    @classmethod
    def of(cls, passage: Passage, lambda_: float) -> "_Means":
        first = passage[0].score
        shares = [math.exp(lambda_ * (each.score - first)) for each in passage]
        total = math.fsum(share * each.weight for share, each in zip(shares, passage, strict=True))
        sums = [
            (
                *(each.score * each.weight, each.rows, each.columns),
                *(each.score**2 * each.weight, each.rows_squared, each.columns_squared),
                *(each.score * each.rows, each.score * each.columns, each.product),
            )
            for each in passage
        ]
        columns = zip(*sums, strict=True)
        return cls(*(math.fsum(map(operator.mul, shares, column)) / total for column in columns))

    def spread(self, alpha: float) -> tuple[float, float]:
        """How far rows and columns are from alpha times the score: the mean variance of both, and the covariance."""
        rows, columns = self.rows - alpha * self.score, self.columns - alpha * self.score
        squared = alpha * alpha * self.score_squared
        of_rows = self.rows_squared - 2 * alpha * self.rows_score + squared - rows * rows
        of_columns = self.columns_squared - 2 * alpha * self.columns_score + squared - columns * columns
        product = self.product - alpha * (self.rows_score + self.columns_score) + squared - rows * columns
        return (of_rows + of_columns) / 2, product
