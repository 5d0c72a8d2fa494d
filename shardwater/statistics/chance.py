"""Numbers by chance that are the same everywhere: SplitMix64 (Steele, Lea and Flood, 2014, OOPSLA).

A stream is known by 64 bits; each of its numbers can be had without those before it.
"""

import numpy as np
import numpy.typing as npt

from shardwater.sequences.alphabet import Codes
from shardwater.statistics.background import background
from shardwater.statistics.length_regression import Numbers

STEP, FIRST_FACTOR, SECOND_FACTOR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

Words = npt.NDArray[np.uint64]


def streams(count: int, *seed: int) -> Words:
    """So many streams, by whole numbers."""
    return np.random.SeedSequence(seed).generate_state(count, np.uint64).astype(np.uint64)


def numbers(of: Words | np.uint64, which: range | Words) -> Words:
    """These numbers of streams, counted from 0; shapes are broadcast."""
    places = np.arange(which.start, which.stop, dtype=np.uint64) if isinstance(which, range) else which
    found: Words = (places + np.uint64(1)) * np.uint64(STEP) + of
    for shift, factor in ((30, FIRST_FACTOR), (27, SECOND_FACTOR)):
        found ^= found >> np.uint64(shift)
        found *= np.uint64(factor)
    found ^= found >> np.uint64(31)
    return found


def uniform(drawn: Words) -> Numbers:
    """From 0 to before 1: the highest 53 bits of each number."""
    return (drawn >> np.uint64(11)).astype(np.float64) * 2.0**-53


def residues(drawn: Words) -> Codes:
    """A residue of the background by each number."""
    return np.searchsorted(thresholds(background()), uniform(drawn), side="right").astype(np.uint8)


def thresholds(often: Numbers) -> Numbers:
    """Between what occurs so often: the least numbers from 0 to 1 that stand for the second, the third, ..."""
    return np.cumsum(often)[:-1]
