"""Chains split where they lose by a link: what alignments share is known once they are cut, and that may be more than
what the link gains.
"""

import numpy as np

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.chaining import GAP_LETTERS, Along, Sequences
from shardwater.genomes.hsps import Numbers

MOST_SPLITS = 16
"""Of a chain."""


def worths(alignments: Alignments, found: Sequences, match: int) -> Numbers:
    """What each member adds to its chain, GAP_LETTERS times: its score less what the gap before it costs.

    match: what two equal letters score.
    """
    aligned = Along.of(alignments.select(found.members))
    gaps = aligned.x - np.append(0, aligned.x_end)[:-1] + aligned.y - np.append(0, aligned.y_end)[:-1]
    worth: Numbers = GAP_LETTERS * alignments.column("score")[found.members] - match * np.where(found.later, gaps, 0)
    return worth


def split(found: Sequences, worth: Numbers, whole: Numbers) -> Sequences:
    """The same chains, split where what is behind scores more alone, or takes from what is before.

    worth, whole: what each member adds where it follows another one, and where it is the first.
    """
    first = ~found.later
    for _ in range(MOST_SPLITS):
        value, chain = np.where(first, whole, worth), np.cumsum(first) - 1
        sums, heads = np.cumsum(value), np.flatnonzero(first)
        before = (sums - value)[heads]
        behind = np.append(before[1:], sums[-1:])
        reached = sums - before[chain]
        losing = np.flatnonzero(~first & ((reached < whole) | (behind[chain] - sums + value < 0)))
        if len(losing) == 0:
            break
        # A later link of the same chain may be a good one then.
        first[losing[np.diff(chain[losing], prepend=-1) != 0]] = True
    return Sequences(found.members, np.append(np.flatnonzero(first), len(first)))
