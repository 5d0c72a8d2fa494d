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
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import Codes
from shardwater.statistics.background import RESIDUES, WithoutGaps, background
from shardwater.statistics.chance import Words, numbers, residues, thresholds, uniform
from shardwater.statistics.length_regression import Numbers, mapped

BAND = 80
"""Letters that the two sequences may be apart in an alignment: those of some standard deviations, near the linear
phase too."""
MOST_ROWS = 1024
SHARPNESS, GAPS = 0.95, (0.8, 1.5)
"""Of the trial law, against that without gaps: how strongly matches favour high scores; how many more gaps open, in
either half of the samples. Few suit costs near the linear phase, many those far from it: both are safe under all."""
MOST_OPENED, MOST_EXTENDED, LEAST_EXTENDED = 0.15, 0.9, 0.25
LEAST_POWER = -100.0
"""Of e, for pairs of letters that score lowest: no letter is without any other to match."""
BALANCING = 100

MATCH, GAP, OTHER_GAP = 0, 1, 2
"""What a step of a path is: a match, a gap in the second sequence, a gap in the first one."""


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """Where samples first reach levels: (samples, levels), weight 0 where one does not.

    rows: letters of the first sequence at which the level is reached; columns: of the second one, at the best cell;
    scores: that of the cell.
    """

    weights: Numbers
    rows: Numbers
    columns: Numbers
    scores: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """The trial law of a scoring. scores: of the twenty residues, by code.

    opened: how often a gap of one sequence follows a match, in the samples at even places and in those at odd ones;
    extended: how often it goes on.
    matches: how often two letters are matched, (20, 20); ratios: that over their being matched by chance.
    rows: letters of the first sequence that are drawn.
    """

    scores: npt.NDArray[np.int32]
    gap_open: int
    gap_extend: int
    matches: Numbers
    ratios: Numbers
    opened: tuple[float, float]
    extended: float
    rows: int = MOST_ROWS

    @classmethod
    def of(cls, scoring: Scoring, plain: WithoutGaps) -> Self:
        """The law for a scoring, of which this is known without gaps."""
        scores = scoring.scores[:RESIDUES, :RESIDUES]
        powers = np.maximum(LEAST_POWER, SHARPNESS * plain.lambda_ * scores.ravel())
        tilted = mapped(math.exp, powers).reshape(RESIDUES, RESIDUES)
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

    @property
    def gain(self) -> float:
        """What a match scores on average."""
        return math.fsum((self.matches * self.scores).ravel().tolist())

    def draw(self, streams: Words) -> tuple[Codes, Codes]:
        """A pair of sequences by each stream: codes (streams, rows) and (streams, rows + BAND). Takes 80 kB for each.

        Of a stream's numbers the first are for letters by chance, then there is one for each step of the path, and then
        one for each step that is a match.
        """
        steps, columns = 2 * self.rows + BAND, streams[:, None]
        letters = residues(numbers(columns, range(steps)))
        sides = letters[:, : self.rows], letters[:, self.rows :]
        path = self._path(uniform(numbers(columns, range(steps, 2 * steps))).T)
        after = [np.cumsum(path != gap, axis=0, dtype=np.int32) for gap in (OTHER_GAP, GAP)]
        inside = (after[0] < self.rows) & (np.abs(after[1] - after[0]) <= BAND)
        # The step that leads outside is the last one.
        inside[1:] = inside[:-1]
        inside[0] = True
        at, which = np.nonzero(np.logical_and.accumulate(inside) & (path == MATCH))
        chosen = uniform(numbers(streams[which], (2 * steps + at).astype(np.uint64)))
        pairs = np.searchsorted(thresholds(self.matches.ravel()), chosen, side="right")
        for side, places, codes in zip(sides, after, np.divmod(pairs, RESIDUES), strict=True):
            side[which, places[at, which] - 1] = codes
        return sides

    def _path(self, chance: Numbers) -> npt.NDArray[np.int8]:
        """What each step is, (steps, samples), by numbers from 0 to 1."""
        often = np.resize(self.opened, chance.shape[1])
        begun = np.where(chance < often, GAP, np.where(chance < 2 * often, OTHER_GAP, MATCH)).astype(np.int8)
        stays = chance < self.extended
        path = np.zeros(chance.shape, np.int8)
        before = np.full(chance.shape[1], MATCH, np.int8)
        for step, now in enumerate(path):
            now[:] = before = np.where(before == MATCH, begun[step], np.where(stays[step], before, MATCH))
        return path


class Reach(Protocol):
    """What draws samples and follows them: engines answer with the same bits."""

    def __call__(self, trial: Trial, streams: Words, levels: Sequence[int]) -> Reached:
        """Where the sample of each stream reaches each level; these rise, above 0."""
        ...
