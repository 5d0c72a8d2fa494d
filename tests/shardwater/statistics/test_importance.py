import bisect
from dataclasses import replace
from itertools import accumulate

import numpy as np
import pytest

from shardwater.scoring.scoring import Scoring
from shardwater.statistics.background import RESIDUES, WithoutGaps, background
from shardwater.statistics.chance import numbers, residues, streams, uniform
from shardwater.statistics.importance import BAND, Trial


def trial_of(scoring):
    return Trial.of(scoring, WithoutGaps.of(scoring.scores))


def test_letters_of_matches_are_of_the_background():
    trial = trial_of(Scoring("BLOSUM62", 11, 1))
    assert trial.matches.sum(axis=0) == pytest.approx(background())
    assert trial.matches.sum(axis=1) == pytest.approx(background())


def step_by_step(trial, stream, opened):
    """A sample, drawn number by number, and how far from the diagonal its matches are at most."""
    steps = 2 * trial.rows + BAND
    chance = uniform(numbers(stream, range(3 * steps))).tolist()
    letters = residues(numbers(stream, range(steps))).tolist()
    query, subject = letters[: trial.rows], letters[trial.rows :]
    pairs = list(accumulate(trial.matches.ravel().tolist()))[:-1]
    row = column = step = farthest = 0
    state = "match"
    while row < len(query) and abs(row - column) <= BAND:
        number = chance[steps + step]
        if state == "match":
            state = "down" if number < opened else "across" if number < 2 * opened else "match"
        elif number >= trial.extended:
            state = "match"
        if state == "match":
            farthest = max(farthest, abs(row - column))
            query[row], subject[column] = divmod(bisect.bisect_right(pairs, chance[2 * steps + step]), RESIDUES)
        row += state != "across"
        column += state != "down"
        step += 1
    return query, subject, farthest


# Paths that end within the band, and such that leave it.
@pytest.mark.parametrize(("opened", "extended"), [((0.05, 0.15), 0.5), ((0.15, 0.1), 0.97)])
def test_samples_are_paths_of_the_model(opened, extended):
    trial = replace(trial_of(Scoring("BLOSUM62", 5, 1)), opened=opened, extended=extended, rows=300)
    queries, subjects = trial.draw(streams(60, 1))
    farthest = 0
    for number, stream in enumerate(streams(60, 1)):
        query, subject, apart = step_by_step(trial, stream, opened[number % 2])
        assert queries[number].tolist() == query
        assert subjects[number].tolist() == subject
        farthest = max(farthest, apart)
    assert (queries.dtype, subjects.shape) == (np.uint8, (60, 300 + BAND))
    # Matches stand at the border of the band, too.
    assert (farthest == BAND) == (extended > 0.9)
