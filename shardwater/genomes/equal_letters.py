"""How many letters of stretches are equal, counted in the genomes."""

import numpy as np
import numpy.typing as npt

from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Numbers
from shardwater.genomes.strands import CODES, COMPLEMENTS, UNKNOWN
from shardwater.genomes.stretches import Stretches

WINDOW = 8
"""Letters that are fetched at once: that takes about as long as to fetch one."""
WINDOWS_AT_ONCE = 1 << 20


def equal_letters(query: Genome, subject: Genome, stretches: Stretches) -> Numbers:
    """How many pairs of equal, known letters each stretch has."""
    equal = np.zeros(len(stretches), np.int64)
    windows = -(-stretches.length // WINDOW)
    batches = np.flatnonzero(np.diff((np.cumsum(windows) - windows) // WINDOWS_AT_ONCE)) + 1
    for some in np.split(np.arange(len(stretches)), batches):
        own = np.repeat(some, windows[some])
        at = WINDOW * (np.arange(len(own)) - np.repeat(np.cumsum(windows[some]) - windows[some], windows[some]))
        x, reverse = stretches.query[own], stretches.reverse[own]
        ours = _windows(query, np.where(reverse, x + stretches.length[own] - at - WINDOW, x + at))
        codes = CODES[ours]
        codes[reverse] = COMPLEMENTS[codes[reverse, ::-1]]
        alike = (codes == CODES[_windows(subject, stretches.subject[own] + at)]) & (codes != UNKNOWN)
        alike &= np.arange(WINDOW) < (stretches.length[own] - at)[:, None]
        equal += np.bincount(own, np.count_nonzero(alike, axis=1), len(equal)).astype(np.int64)
    return equal


def _windows(genome: Genome, places: Numbers) -> npt.NDArray[np.uint8]:
    """The letters from each place on (places, WINDOW); whatever there may be where a genome has none."""
    last = len(genome) - WINDOW
    letters = genome.letters if last >= 0 else np.resize(genome.letters, WINDOW)
    found = np.lib.stride_tricks.sliding_window_view(letters, WINDOW)[np.clip(places, 0, max(0, last))]
    beyond = np.flatnonzero((places < 0) | (places > last))
    found[beyond] = genome.letters[np.clip(places[beyond, None] + np.arange(WINDOW), 0, len(genome) - 1)]
    return found
