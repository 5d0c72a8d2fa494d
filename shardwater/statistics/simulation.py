"""What Karlin-Altschul parameters of any matrix with any gap costs are made of: scores of random sequences.

Samples of rare high scores (importance.py), and local scores of random pairs. The work is cut into blocks, each the
same wherever and whenever it is done; all together make the parameters (simulated.py).
"""

import hashlib
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from shardwater.alignment.scheme import Scheme
from shardwater.engines.threads import Threads
from shardwater.errors import ScoringError
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.checked import align_checked
from shardwater.pairs.engine import PairEngine
from shardwater.scoring.scoring import Scoring
from shardwater.statistics.background import RESIDUES, WithoutGaps
from shardwater.statistics.chance import numbers, residues, streams
from shardwater.statistics.growth import check_growth
from shardwater.statistics.importance import Reach, Reached, Trial
from shardwater.statistics.passages import Passage, passage_of, summed

VERSION = 3
"""Of the method: another one has other numbers."""
BLOCKS, SAMPLES, TOGETHER = 16, 2048, 512
"""Blocks; of each its samples, of which so many are drawn together: fewer keep threads waiting for Python."""
PAIRS, LENGTH = 256, 1000
"""Random pairs of a block, with so many letters in each sequence."""
LEVELS = 8, 22
"""Scores that samples are to reach, in units of 1/lambda of the matrix without gaps: alignments that are just begun
follow another law."""
MOST_REACHED = 0.5
"""Of the letters that are drawn, the share within which matches alone should reach the higher one."""
NEWS_S = 0.02
"""How often something is told while samples are drawn."""
SAMPLE_CELLS = 250_000
"""What a sample takes, about: two milliseconds of a core."""
BLOCK_CELLS = PAIRS * LENGTH**2 + SAMPLES * SAMPLE_CELLS
"""What a block takes, about."""


@dataclass(frozen=True, slots=True)
class Block:
    """What one block has found: the samples that reach either level, and the local scores of random pairs."""

    levels: tuple[Passage, Passage]
    scores: tuple[int, ...]


def content_of(scoring: Scoring) -> str:
    """A digest of all that the numbers follow from: equal for equal scores and costs, whatever the matrix is called."""
    said = f"{VERSION} {scoring.gap_open} {scoring.gap_extend} {scoring.scores[:RESIDUES, :RESIDUES].tolist()}"
    return hashlib.sha256(said.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Simulator:
    """What simulates: pairs are scored by an engine, samples are drawn on threads, and followed there."""

    pairs: PairEngine
    reach: Reach
    threads: Threads

    def block(self, scoring: Scoring, number: int) -> Generator[int, None, Block]:
        """One of the blocks, from 0 on; yields cells, about BLOCK_CELLS in all, and returns what was found.

        Raises ScoringError where check_scoring does.
        """
        trial, levels = check_scoring(scoring)
        local = yield from _scored(self.pairs, scoring, streams(1, number, 1)[0])

        def sample(part: int) -> Reached:
            return self.reach(trial, streams(TOGETHER, number, 2, part), levels)

        parts: list[Reached] = []
        with closing(self.threads.in_time(sample, range(SAMPLES // TOGETHER), NEWS_S)) as sampled:
            for made in sampled:
                if made is not None:
                    parts.append(made[1])
                # Also where there is nothing yet: other work has its turn, and a cancel is seen.
                yield 0 if made is None else TOGETHER * SAMPLE_CELLS
        low, high = (summed([passage_of(part, level) for part in parts]) for level in range(2))
        return Block((low, high), tuple(local))


def check_scoring(scoring: Scoring) -> tuple[Trial, tuple[int, int]]:
    """What samples are drawn by, and what scores they are to reach, where that is to be had in a moment.

    Raises ScoringError where check_growth does, and where samples would hardly reach those scores.
    """
    check_growth(scoring)
    plain = WithoutGaps.of(scoring.scores)
    trial, levels = Trial.of(scoring, plain), levels_of(plain)
    if trial.gain * MOST_REACHED * trial.rows < levels[1]:
        raise ScoringError(
            f"alignments of random sequences that score {levels[1]:,}, as one in a billion does, are too long to be "
            "simulated with this matrix: ask for statistics=fitted or statistics=none"
        )
    return trial, levels


def levels_of(plain: WithoutGaps) -> tuple[int, int]:
    """The scores between which lambda is measured."""
    low, high = (max(1, round(level / plain.lambda_)) for level in LEVELS)
    return low, high


def _scored(engine: PairEngine, scoring: Scoring, stream: np.uint64) -> Generator[int, None, list[int]]:
    """The local scores of random pairs."""
    offsets = np.arange(PAIRS + 1) * LENGTH
    sides = residues(numbers(stream, range(2 * PAIRS * LENGTH))).reshape(2, -1)
    batch = PairBatch(*(Joined(codes, offsets) for codes in sides))
    found = np.zeros(PAIRS, np.int64)
    with closing(align_checked(engine, batch, Scheme.local(scoring), "score")) as parts:
        for part in parts:
            found[part.numbers] = part.scores
            yield part.ahead + int(part.cells.sum())
    scores: list[int] = found.tolist()
    return scores
