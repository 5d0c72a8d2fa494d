from dataclasses import replace

import numpy as np
import pytest

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.striped import score_pair
from shardwater.scoring.scoring import Scoring
from shardwater.scoring.table import matrix_table
from shardwater.statistics import prefixes
from shardwater.statistics.background import RESIDUES, WithoutGaps, background
from shardwater.statistics.chance import numbers, residues, streams
from shardwater.statistics.importance import BAND, Trial
from shardwater.statistics.prefixes import WIDTH, Best, Paths, reach

DEFAULT = Scoring("BLOSUM62", 11, 1)


def trial_of(scoring):
    return Trial.of(scoring, WithoutGaps.of(scoring.scores))


def pairs_of(queries, subjects, row):
    """The pairs of letters of a row, where there are letters."""
    pairs = np.full((len(queries), WIDTH), RESIDUES * RESIDUES)
    before = max(0, BAND + 1 - row)
    letters = RESIDUES * queries[:, row - 1 : row].astype(int)
    pairs[:, before:] = letters + subjects[:, row - BAND + before - 1 : row + BAND]
    return pairs


@pytest.mark.parametrize("scoring", [DEFAULT, Scoring("PAM30", 5, 2), Scoring("BLOSUM45", 0, 3)])
def test_best_scores_are_those_of_whole_prefixes(scoring):
    queries, subjects = trial_of(scoring).draw(streams(4, 3))
    best = Best(trial_of(scoring), 4, 1 << 20)
    scheme = Scheme(matrix_table(scoring.matrix), scoring.gap_open, scoring.gap_extend, Mode.GLOBAL)
    for row in range(1, 25):
        scores = best.after(pairs_of(queries, subjects, row))
        for sample, column in ((0, row), (1, 1), (2, row + 7), (3, max(1, row - 5))):
            query, subject = queries[sample, :row], subjects[sample, :column]
            assert scores[sample, column - row + BAND] == score_pair(
                query.astype(np.uint8), subject.astype(np.uint8), scheme
            )


def test_random_letters_are_as_likely_by_both_laws_on_average():
    samples, trial = 4_000, trial_of(Scoring("BLOSUM62", 5, 1))
    letters = residues(numbers(streams(samples, 4)[:, None], range(6 + BAND)))
    queries, subjects = letters[:, :3], letters[:, 3:]
    paths = Paths(trial.opened[0], trial.extended, samples)
    ratios = np.append(trial.ratios.ravel(), 0.0)
    for row in (1, 2, 3):
        paths.follow(ratios.take(pairs_of(queries, subjects, row)))
        likelier = paths.likelier(np.arange(samples))
        assert likelier.mean() == pytest.approx(1, abs=4 * likelier.std() / samples**0.5)
        assert likelier.std() > 0.1


def test_low_scores_are_as_frequent_as_in_plain_samples():
    # Few of them come later.
    trial, levels = replace(trial_of(DEFAULT), rows=40), (8,)
    weighed = reach(trial, streams(1500, 5), levels).weights
    # Plain: of sequences of the background, each as likely as it is.
    plain = reach(_without_bias(trial), streams(1500, 6), levels).weights
    assert set(np.unique(plain)) <= {0.0, 1.0}
    error = (weighed[:, 0].var() + plain[:, 0].var()) ** 0.5 / 1500**0.5
    assert weighed[:, 0].mean() == pytest.approx(plain[:, 0].mean(), abs=4 * error)


def _without_bias(trial):
    """Its matches are of the background, and no path leads anywhere: a ratio of 1 for everything."""
    even = np.multiply.outer(background(), background())
    return replace(trial, matches=even, ratios=np.ones_like(even), opened=(0.0, 0.0), extended=0.5)


def test_samples_do_not_depend_on_those_beside_them(monkeypatch):
    trial, levels = trial_of(DEFAULT), (20, 40)
    monkeypatch.setattr(prefixes, "FULL", 0.0)
    whole = reach(trial, streams(40, 7), levels)
    monkeypatch.setattr(prefixes, "FULL", 1.0)
    left_out = reach(trial, streams(40, 7), levels)
    for name in ("weights", "rows", "columns"):
        assert getattr(whole, name).tolist() == getattr(left_out, name).tolist()
    assert (whole.rows[:, 0] <= whole.rows[:, 1]).all()


@pytest.mark.parametrize("gaps", [(11, 15), (50, 20), (1000, 1000), (100_000, 0)])
def test_dear_gaps_have_weights_that_are_numbers(gaps):
    trial = trial_of(Scoring("BLOSUM62", *gaps))
    reached = reach(trial, streams(64, 3), [25, 69])
    assert np.isfinite(reached.weights).all()
    assert (reached.weights.max(axis=0) > 0).all()
