import numpy as np
import pytest

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.striped import score_pair
from shardwater.scoring.scoring import Scoring
from shardwater.scoring.table import matrix_table
from shardwater.statistics import importance
from shardwater.statistics.background import RESIDUES, WithoutGaps, background
from shardwater.statistics.importance import BAND, WIDTH, Random, Trial, _Best, _Paths, reach

DEFAULT = Scoring("BLOSUM62", 11, 1)


def trial_of(scoring):
    return Trial.of(scoring, WithoutGaps.of(scoring.scores))


def pairs_of(queries, subjects, row):
    """The pairs of letters of a row, where there are letters."""
    pairs = np.full((len(queries), WIDTH), RESIDUES * RESIDUES)
    before = max(0, BAND + 1 - row)
    pairs[:, before:] = RESIDUES * queries[:, row - 1 : row] + subjects[:, row - BAND + before - 1 : row + BAND]
    return pairs


def test_numbers_by_chance_are_the_same_everywhere():
    assert Random(1, 2).uniform(3).tolist() == Random(1, 2).uniform(3).tolist()
    assert Random(0).residues((1, 12)).tolist() == [[11, 5, 0, 0, 15, 18, 11, 14, 10, 18, 15, 0]]


def test_letters_of_matches_are_of_the_background():
    trial = trial_of(DEFAULT)
    assert trial.matches.sum(axis=0) == pytest.approx(background())
    assert trial.matches.sum(axis=1) == pytest.approx(background())


@pytest.mark.parametrize("scoring", [DEFAULT, Scoring("PAM30", 5, 2), Scoring("BLOSUM45", 0, 3)])
def test_best_scores_are_those_of_whole_prefixes(scoring):
    queries, subjects = trial_of(scoring).draw(Random(3), 4)
    best = _Best(trial_of(scoring), 4, 1 << 20)
    scheme = Scheme(matrix_table(scoring.matrix), scoring.gap_open, scoring.gap_extend, Mode.GLOBAL)
    for row in range(1, 25):
        scores = best.after(pairs_of(queries, subjects, row))
        for sample, column in ((0, row), (1, 1), (2, row + 7), (3, max(1, row - 5))):
            query, subject = queries[sample, :row].astype(np.uint8), subjects[sample, :column].astype(np.uint8)
            assert scores[sample, column - row + BAND] == score_pair(query, subject, scheme)


def test_random_letters_are_as_likely_by_both_laws_on_average():
    samples, trial, random = 4_000, trial_of(Scoring("BLOSUM62", 5, 1)), Random(4)
    queries, subjects = random.residues((samples, 3)), random.residues((samples, 3 + BAND))
    paths = _Paths(trial.opened[0], trial.extended, samples)
    ratios = np.append(trial.ratios.ravel(), 0.0)
    for row in (1, 2, 3):
        paths.follow(ratios.take(pairs_of(queries, subjects, row)))
        likelier = paths.likelier(np.arange(len(queries)))
        assert likelier.mean() == pytest.approx(1, abs=4 * likelier.std() / samples**0.5)
        assert likelier.std() > 0.1


def test_low_scores_are_as_frequent_as_in_plain_samples(monkeypatch):
    # Few of them come later.
    monkeypatch.setattr(importance, "MOST_ROWS", 40)
    trial, levels = trial_of(DEFAULT), (8,)
    weighed = reach(trial, Random(5), 1500, levels).weights
    # Plain: of sequences of the background, each as likely as it is.
    plain = reach(_without_bias(trial), Random(6), 1500, levels).weights
    assert set(np.unique(plain)) <= {0.0, 1.0}
    error = (weighed[:, 0].var() + plain[:, 0].var()) ** 0.5 / 1500**0.5
    assert weighed[:, 0].mean() == pytest.approx(plain[:, 0].mean(), abs=4 * error)


def _without_bias(trial):
    """Its matches are of the background, and no path leads anywhere: a ratio of 1 for everything."""
    even = np.multiply.outer(background(), background())
    return Trial(trial.scores, trial.gap_open, trial.gap_extend, even, np.ones_like(even), (0.0, 0.0), 0.5)


def test_samples_do_not_depend_on_those_beside_them(monkeypatch):
    trial, levels = trial_of(DEFAULT), (20, 40)
    monkeypatch.setattr(importance, "FULL", 0.0)
    whole = reach(trial, Random(7), 40, levels)
    monkeypatch.setattr(importance, "FULL", 1.0)
    left_out = reach(trial, Random(7), 40, levels)
    for name in ("weights", "rows", "columns"):
        assert getattr(whole, name).tolist() == getattr(left_out, name).tolist()
    assert (whole.rows[:, 0] <= whole.rows[:, 1]).all()


@pytest.mark.parametrize("gaps", [(11, 15), (50, 20), (1000, 1000), (100_000, 0)])
def test_dear_gaps_have_weights_that_are_numbers(gaps):
    reached = reach(trial_of(Scoring("BLOSUM62", *gaps)), Random(3), 64, [25, 69])
    assert np.isfinite(reached.weights).all()
    assert (reached.weights.max(axis=0) > 0).all()
