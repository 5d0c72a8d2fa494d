"""Samples followed row by row, as far as a level: the best score there, and how likely the letters are so far.

What importance.py says is followed here by numpy; gpu/statistics/reach.py does the same to the last bit on a device.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from shardwater.statistics.background import RESIDUES
from shardwater.statistics.chance import Words
from shardwater.statistics.importance import BAND, Reached, Trial
from shardwater.statistics.length_regression import Numbers

WIDTH = 2 * BAND + 1
FULL = 0.8
"""Samples that have reached all levels are left out once no more than this share is left."""
LOW = -(1 << 28)
"""The score of what cannot be."""

Whole = npt.NDArray[np.int64]


def reach(trial: Trial, streams: Words, levels: Sequence[int]) -> Reached:
    """As importance.Reach has it, by numpy. Takes some 80 kB a sample."""
    queries, subjects = trial.draw(streams)
    codes, samples = RESIDUES * queries.astype(np.int64), len(streams)
    found = Reached(*(np.zeros((samples, len(levels))) for _ in range(4)))
    best = Best(trial, samples, levels[-1])
    laws = [Paths(opened, trial.extended, samples) for opened in trial.opened]
    ratios, live, following = np.append(trial.ratios.ravel(), 0.0), np.arange(samples), np.zeros(samples, np.int64)
    for row in range(1, trial.rows + 1):
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
            found.scores[number, some] = int(scores[sample].max())
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


class Best:
    """The best scores of alignments that begin with the first letters and end in a row, for each sample.

    Column k is k - BAND letters further in the second sequence than in the first; one more, always empty, stands for
    what comes from beyond the band.
    """

    def __init__(self, trial: Trial, samples: int, most: int) -> None:
        """most: the highest level; a gap that costs more leads to none."""
        self.open, self.extend = min(trial.gap_open, most + 1), min(trial.gap_extend, most + 1)
        self.table = np.append(trial.scores.ravel(), LOW).astype(np.int32)
        self.ramp = (self.extend * np.arange(WIDTH)).astype(np.int32)
        # By their last step: any, or a gap in the second sequence.
        self.any = np.full((samples, WIDTH + 1), LOW, np.int32)
        self.any[:, BAND:WIDTH] = -self.open - self.ramp[: BAND + 1]
        self.any[:, BAND] = 0
        self.gap = np.full((samples, WIDTH + 1), LOW, np.int32)

    def after(self, pairs: Whole) -> npt.NDArray[np.int32]:
        """Those of the next row (samples, WIDTH), whose pairs of letters these are."""
        first = self.open + self.extend
        self.gap[:, :-1] = np.maximum(self.gap[:, 1:] - self.extend, self.any[:, 1:] - first)
        now: npt.NDArray[np.int32] = np.maximum(self.any[:, :-1] + self.table.take(pairs), self.gap[:, :-1])
        across = np.maximum.accumulate(now + self.ramp, axis=1)
        np.maximum(now[:, 1:], across[:, :-1] - self.ramp[1:] - self.open, out=now[:, 1:])
        self.any[:, :-1] = now
        return now

    def keep(self, kept: Whole) -> None:
        """These samples alone."""
        self.any, self.gap = self.any[kept], self.gap[kept]


class Paths:
    """How much likelier the trial law makes the letters so far than the background does, for each sample.

    It is the sum over all paths of the model; columns as in Best.
    """

    def __init__(self, opened: float, extended: float, samples: int) -> None:
        """opened, extended: as Trial has them, of one half."""
        self.opened, self.extended = opened, extended
        # By their last step: a match, a gap in the second sequence, a gap in the first one.
        self.match, self.gap = np.zeros((samples, WIDTH + 1)), np.zeros((samples, WIDTH + 1))
        self.other = np.zeros((samples, WIDTH))
        self.match[:, BAND] = 1
        powers = np.cumprod(np.append(1.0, np.full(WIDTH - 1, extended)))
        self.other[:, BAND + 1 :] = opened * powers[:BAND]
        self.rising, self.falling = 1 / powers, opened * powers[:-1]
        # Those that have left the band.
        self.left = np.zeros(samples)

    def follow(self, ratios: Numbers) -> None:
        """Go on to the next row, whose pairs have these ratios."""
        opened, extended = self.opened, self.extended
        self.left += opened * self.match[:, -2] + extended * self.other[:, -1]
        self.left += opened * self.match[:, 0] + extended * self.gap[:, 0]
        gap = opened * self.match[:, 1:] + extended * self.gap[:, 1:]
        ended = (1 - extended) * (self.gap[:, :-1] + self.other)
        match = (ended + (1 - 2 * opened) * self.match[:, :-1]) * ratios
        self.other[:, 1:] = np.cumsum(match * self.rising, axis=1)[:, :-1] * self.falling
        self.match[:, :-1] = match
        self.gap[:, :-1] = gap

    def likelier(self, some: Whole) -> Numbers:
        """That of all letters up to this row, of these samples."""
        # Added in order: numpy's own sums depend on the processor.
        found: Numbers = np.cumsum(self.match[some] + self.gap[some], axis=1)[:, -1] + self.left[some]
        return found

    def keep(self, kept: Whole) -> None:
        """These samples alone."""
        self.match, self.gap, self.other, self.left = (
            each[kept] for each in (self.match, self.gap, self.other, self.left)
        )
