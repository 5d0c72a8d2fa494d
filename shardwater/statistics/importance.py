"""How often chance gives high scores to an alignment from the first letters on: by importance sampling.

Park, Sheetlin and Spouge (2009), Annals of Statistics 37:3697. Pairs of sequences are drawn from a trial law, under
which they are related: a hidden Markov model of matches and gaps, whose matches favour pairs that score high. Each
pair counts by how much more likely the background makes it than the trial law does. So the share of random pairs with
a score that one in 10^8 reaches follows from some thousands of them.

Only alignments within BAND of the diagonal count. Letters that the model's path does not reach are of the background,
and so is either letter of a match by itself: letters that were not reached yet change no weight.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.scoring.scoring import Scoring
from shardwater.statistics.background import RESIDUES, WithoutGaps, background
from shardwater.statistics.length_regression import Numbers, mapped

BAND = 80
"""Letters that the two sequences may be apart in an alignment: those of some standard deviations, near the linear
phase too."""
WIDTH = 2 * BAND + 1
MOST_ROWS = 1024
FULL = 0.8
"""Samples that have reached all levels are left out once no more than this share is left."""
SHARPNESS, GAPS = 0.95, (0.8, 1.5)
"""Of the trial law, against that without gaps: how strongly matches favour high scores; how many more gaps open, in
either half of the samples. Few suit costs near the linear phase, many those far from it: both are safe under all."""
MOST_OPENED, MOST_EXTENDED, LEAST_EXTENDED = 0.15, 0.9, 0.25
BALANCING = 100
_LOW = -(1 << 28)

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """Where samples first reach scores: (samples, levels), weight 0 where one does not.

    rows: letters of the first sequence at which the level is reached; columns: of the second one, at the best cell.
    """

    weights: Numbers
    rows: Numbers
    columns: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """The trial law of a scoring. scores: of the twenty residues, by code.

    opened: how often a gap of one sequence follows a match, in either half of the samples; extended: how often it goes
    on.
    matches: how often two letters are matched, (20, 20); ratios: that over their being matched by chance.
    """

    scores: npt.NDArray[np.int32]
    gap_open: int
    gap_extend: int
    matches: Numbers
    ratios: Numbers
    opened: tuple[float, float]
    extended: float

    @classmethod
    def of(cls, scoring: Scoring, plain: WithoutGaps) -> Self:
        """The law for a scoring, of which this is known without gaps."""
        scores = scoring.scores[:RESIDUES, :RESIDUES]
        tilted = mapped(math.exp, SHARPNESS * plain.lambda_ * scores.ravel()).reshape(RESIDUES, RESIDUES)
        residues = background()
        matches = tilted * np.multiply.outer(residues, residues)
        # So that each letter alone is of the background (Sinkhorn).
        for _ in range(BALANCING):
            matches *= (residues / np.cumsum(matches, axis=1)[:, -1])[:, None]
            matches *= residues / np.cumsum(matches, axis=0)[-1]
        usual = math.exp(-plain.lambda_ * scoring.gap_first)
        opened = min(MOST_OPENED, GAPS[0] * usual), min(MOST_OPENED, GAPS[1] * usual)
        extended = min(MOST_EXTENDED, max(LEAST_EXTENDED, math.exp(-plain.lambda_ * scoring.gap_extend)))
        ratios = matches / np.multiply.outer(residues, residues)
        return cls(scores, scoring.gap_open, scoring.gap_extend, matches, ratios, opened, extended)

    def draw(self, random: "Random", samples: int) -> tuple[Whole, Whole]:
        """Pairs of sequences: codes (samples, MOST_ROWS) and (samples, MOST_ROWS + BAND)."""
        lengths = MOST_ROWS, MOST_ROWS + BAND
        sides = [random.residues((samples, length)) for length in lengths]
        at, state, live = np.zeros((2, samples), np.int64), np.zeros(samples, np.int64), np.arange(samples)
        chosen = np.cumsum(self.matches.ravel())[:-1]
        opened = np.resize(self.opened, samples)
        while len(live):
            chance, before = random.uniform(len(live)), state[live]
            often = opened[live]
            begun = np.where(chance < often, 1, np.where(chance < 2 * often, 2, 0))
            state[live] = np.where(before == 0, begun, np.where(chance < self.extended, before, 0))
            matched = live[state[live] == 0]
            pairs = np.searchsorted(chosen, random.uniform(len(matched)), side="right")
            for side, place, letters in zip(sides, at, np.divmod(pairs, RESIDUES), strict=True):
                side[matched, place[matched]] = letters
            at[0, live] += state[live] != 2
            at[1, live] += state[live] != 1
            inside = (at[0, live] < MOST_ROWS) & (np.abs(at[1, live] - at[0, live]) <= BAND)
            live = live[inside & (at[1, live] < lengths[1])]
        return sides[0], sides[1]


class Random:
    """Numbers by chance that are the same wherever and by whichever numpy they are drawn."""

    def __init__(self, *seed: int) -> None:
        """By whole numbers."""
        self._bits = np.random.PCG64(np.random.SeedSequence(seed))
        self._occurring = np.cumsum(background())[:-1]

    def uniform(self, count: int) -> Numbers:
        """From 0 to before 1."""
        found: Numbers = (self._bits.random_raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        return found

    def residues(self, shape: tuple[int, int]) -> Whole:
        """Codes of the background."""
        chosen = np.searchsorted(self._occurring, self.uniform(shape[0] * shape[1]), side="right")
        return chosen.astype(np.int64).reshape(shape)


def reach(trial: Trial, random: Random, samples: int, levels: Sequence[int]) -> Reached:
    """Draw samples, and see where they reach each level; these rise, above 0. Holds some 20 kB a sample."""
    queries, subjects = trial.draw(random, samples)
    codes = RESIDUES * queries
    found = Reached(*(np.zeros((samples, len(levels))) for _ in range(3)))
    best = _Best(trial, samples, levels[-1])
    laws = [_Paths(opened, trial.extended, samples) for opened in trial.opened]
    ratios, live, following = np.append(trial.ratios.ravel(), 0.0), np.arange(samples), np.zeros(samples, np.int64)
    for row in range(1, MOST_ROWS + 1):
        # Places before the second sequence have no letter: a score and a ratio of their own.
        pairs = np.full((len(live), WIDTH), RESIDUES * RESIDUES)
        before = max(0, BAND + 1 - row)
        pairs[:, before:] = codes[live, row - 1][:, None] + subjects[live, row - BAND + before - 1 : row + BAND]
        scores, of_pairs = best.after(pairs), ratios.take(pairs)
        for paths in laws:
            paths.follow(of_pairs)
        reached = np.searchsorted(levels, scores.max(axis=1), side="right")
        new = np.flatnonzero(reached > following)
        # Each sample may be of either half.
        likelier = np.add(*(paths.likelier(new) for paths in laws)) / 2
        for place, sample in enumerate(new.tolist()):
            number, some = live[sample], slice(following[sample], reached[sample])
            found.weights[number, some] = 1 / likelier[place]
            found.rows[number, some] = row
            found.columns[number, some] = row - BAND + int(scores[sample].argmax())
        following[new] = reached[new]
        kept = np.flatnonzero(following < len(levels))
        if len(kept) == 0:
            break
        if len(kept) <= FULL * len(live):
            live, following = live[kept], following[kept]
            best.keep(kept)
            for paths in laws:
                paths.keep(kept)
    return found


class _Best:
    """The best scores of alignments that begin with the first letters and end in a row, for each sample.

    Column k is k - BAND letters further in the second sequence than in the first; one more, always empty, stands for
    what comes from beyond the band.
    """

    def __init__(self, trial: Trial, samples: int, most: int) -> None:
        """most: the highest level; a gap that costs more leads to none."""
        self._open, self._extend = min(trial.gap_open, most + 1), min(trial.gap_extend, most + 1)
        self._table = np.append(trial.scores.ravel(), _LOW).astype(np.int32)
        self._ramp = (self._extend * np.arange(WIDTH)).astype(np.int32)
        # By their last step: any, or a gap in the second sequence.
        self._any = np.full((samples, WIDTH + 1), _LOW, np.int32)
        self._any[:, BAND:WIDTH] = -self._open - self._ramp[: BAND + 1]
        self._any[:, BAND] = 0
        self._gap = np.full((samples, WIDTH + 1), _LOW, np.int32)

    def after(self, pairs: Whole) -> npt.NDArray[np.int32]:
        """Those of the next row (samples, WIDTH), whose pairs of letters these are."""
        first = self._open + self._extend
        self._gap[:, :-1] = np.maximum(self._gap[:, 1:] - self._extend, self._any[:, 1:] - first)
        now: npt.NDArray[np.int32] = np.maximum(self._any[:, :-1] + self._table.take(pairs), self._gap[:, :-1])
        across = np.maximum.accumulate(now + self._ramp, axis=1)
        np.maximum(now[:, 1:], across[:, :-1] - self._ramp[1:] - self._open, out=now[:, 1:])
        self._any[:, :-1] = now
        return now

    def keep(self, kept: Whole) -> None:
        """These samples alone."""
        self._any, self._gap = self._any[kept], self._gap[kept]


class _Paths:
    """How much likelier the trial law makes the letters so far than the background does, for each sample.

    It is the sum over all paths of the model; columns as in _Best.
    """

    def __init__(self, opened: float, extended: float, samples: int) -> None:
        """opened, extended: as Trial has them, of one half."""
        self._opened, self._extended = opened, extended
        # By their last step: a match, a gap in the second sequence, a gap in the first one.
        self._match, self._gap = np.zeros((samples, WIDTH + 1)), np.zeros((samples, WIDTH + 1))
        self._other = np.zeros((samples, WIDTH))
        self._match[:, BAND] = 1
        powers = np.cumprod(np.append(1.0, np.full(WIDTH - 1, extended)))
        self._other[:, BAND + 1 :] = opened * powers[:BAND]
        self._rising, self._falling = 1 / powers, opened * powers[:-1]
        # Those that have left the band.
        self._left = np.zeros(samples)

    def follow(self, ratios: Numbers) -> None:
        """Go on to the next row, whose pairs have these ratios."""
        opened, extended = self._opened, self._extended
        self._left += opened * self._match[:, -2] + extended * self._other[:, -1]
        self._left += opened * self._match[:, 0] + extended * self._gap[:, 0]
        gap = opened * self._match[:, 1:] + extended * self._gap[:, 1:]
        ended = (1 - extended) * (self._gap[:, :-1] + self._other)
        match = (ended + (1 - 2 * opened) * self._match[:, :-1]) * ratios
        self._other[:, 1:] = np.cumsum(match * self._rising, axis=1)[:, :-1] * self._falling
        self._match[:, :-1] = match
        self._gap[:, :-1] = gap

    def likelier(self, some: Whole) -> Numbers:
        """That of all letters up to this row, of these samples."""
        # Added in order: numpy's own sums depend on the processor.
        found: Numbers = np.cumsum(self._match[some] + self._gap[some], axis=1)[:, -1] + self._left[some]
        return found

    def keep(self, kept: Whole) -> None:
        """These samples alone."""
        self._match, self._gap, self._other, self._left = (
            each[kept] for each in (self._match, self._gap, self._other, self._left)
        )
