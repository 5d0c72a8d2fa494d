"""lambda and lengths from where walks pass levels: of walks whose steps are known, they are known, too."""

import math
from dataclasses import replace

import numpy as np
import pytest

from shardwater.statistics.importance import Reached
from shardwater.statistics.passages import Lengths, Moments, lambda_of, passage_of, summed

LEVELS = 20, 60


def walks(steps, samples):
    """Where random walks that go by these steps, each as often as told, first reach both levels; all of them do.

    They are drawn by how often steps are once each counts as exp(lambda step) times what it did, and weigh less for it.
    """
    sizes = np.array(list(steps))
    often = np.array(list(steps.values()))
    scale = root(sizes, often)
    tilted = often * np.exp(scale * sizes)
    drawn = np.random.default_rng(1).choice(sizes, (samples, 400), p=tilted / tilted.sum()).cumsum(axis=1)
    rows = np.stack([(drawn >= level).argmax(axis=1) + 1 for level in LEVELS], axis=1)
    scores = np.take_along_axis(drawn, rows - 1, axis=1)
    assert (scores >= LEVELS).all()
    mean = float(tilted @ sizes)
    spread = float(tilted @ sizes**2) - mean**2
    return Reached(np.exp(-scale * scores), rows.astype(float), rows.astype(float), scores.astype(float)), (
        scale,
        1 / mean,
        spread / mean**3,
    )


def root(sizes, often):
    low, high = 1e-9, 10.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if float(often @ np.exp(middle * sizes)) < 1 else (low, middle)
    return high


# Steps that pass levels by little, by up to eight, and always by a multiple of five.
@pytest.mark.parametrize("steps", [{1: 0.3, -1: 0.7}, {9: 0.1, -5: 0.4, -2: 0.5}, {15: 0.2, -10: 0.8}])
def test_walks_have_their_own_lambda_and_lengths(steps):
    reached, (lambda_, alpha, alpha_v) = walks(steps, 4000)
    low, high = passage_of(reached, 0), passage_of(reached, 1)
    found = lambda_of(low, high)
    # Weights undo exp(lambda score) to the last digit: each sample counts as much at both levels.
    assert found == pytest.approx(lambda_, rel=1e-9)
    lengths = Lengths.between(low, high, found)
    assert lengths.alpha == pytest.approx(alpha, rel=0.05)
    assert lengths.alpha_v == lengths.sigma == pytest.approx(alpha_v, rel=0.15)


def test_parts_add_up():
    reached, _ = walks({9: 0.1, -5: 0.9}, 400)
    halves = [Reached(*(each[part] for each in fields_of(reached))) for part in (slice(0, 150), slice(150, 400))]
    for whole, both in zip(passage_of(reached, 0), summed([passage_of(half, 0) for half in halves]), strict=True):
        assert whole.score == both.score
        for name in ("weight", "rows", "columns", "rows_squared", "columns_squared", "product"):
            assert getattr(both, name) == pytest.approx(getattr(whole, name), rel=1e-12)
    assert summed([]) == ()


def fields_of(reached):
    return reached.weights, reached.rows, reached.columns, reached.scores


def test_samples_that_do_not_reach_a_level_count_for_nothing():
    reached = Reached(*(np.array([[value], [0.0]]) for value in (0.5, 3.0, 4.0, 21.0)))
    assert passage_of(reached, 0) == (Moments(21, 0.5, 1.5, 2.0, 4.5, 8.0, 6.0),)


def test_levels_that_tell_no_lambda_have_none():
    low = Moments(20, 1e-3, 1.0, 1.0, 1.0, 1.0, 1.0)
    assert lambda_of((low,), ()) is None
    assert lambda_of((low,), (replace(low, score=60),)) is None
    assert lambda_of((low,), (replace(low, weight=1e-6),)) is None
    assert lambda_of((low,), (replace(low, score=60, weight=1e-6),)) == pytest.approx(math.log(1e3) / 40)
