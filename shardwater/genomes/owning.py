"""Ranges of different ranks over one genome: how many letters of each range lie in none of a better rank."""

import numpy as np

from shardwater.genomes.hsps import Numbers


def owned(begins: Numbers, ends: Numbers, ranks: Numbers) -> Numbers:
    """How many letters of each range are in no range of a better rank, the least being the best.

    No range is empty, and none of equal ranks overlap. A range of places is two ranges of a power of two, which may
    overlap: so the least rank at each place is handed down from the greatest power to the least, in O(n log n).
    """
    if len(begins) == 0:
        return begins
    borders = np.unique(np.concatenate((begins, ends)))
    first, last = np.searchsorted(borders, begins), np.searchsorted(borders, ends)
    owners = _least(first, last, ranks, len(borders) - 1)
    # Of its rank, the range that a place is in is the last that begins there or before.
    order = np.lexsort((first, ranks))
    keys, places = ranks[order] * len(borders) + first[order], np.arange(len(owners))
    taken = np.flatnonzero(owners <= ranks.max())
    own = order[np.searchsorted(keys, owners[taken] * len(borders) + places[taken], side="right") - 1]
    return np.bincount(own, np.diff(borders)[taken], len(begins)).astype(np.int64)


def _least(first: Numbers, last: Numbers, ranks: Numbers, places: int) -> Numbers:
    """The least rank of the ranges over each place, and one more than all where there is none."""
    least = np.full(places, int(ranks.max()) + 1)
    powers = np.frexp(last - first)[1] - 1
    for power in range(int(powers.max()), -1, -1):
        those = powers == power
        np.minimum.at(least, first[those], ranks[those])
        np.minimum.at(least, last[those] - (1 << power), ranks[those])
        if power:
            half, halved = 1 << power - 1, least.copy()
            halved[half:] = np.minimum(least[half:], least[:-half])
            least = halved
    return least
