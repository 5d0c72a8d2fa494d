"""Ranges of different ranks over one genome: how many letters of each lie in none of a better rank."""

import numpy as np

from shardwater.genomes.hsps import Numbers


def owned(begins: Numbers, ends: Numbers, ranks: Numbers) -> Numbers:
    """How many letters belong to each rank, from 0, the best: those in its ranges that are in none of a better one.

    No range is empty. A range of places is two ranges of a power of two, which may overlap: so the least rank over each
    place is handed down from the largest power to the smallest, in O(n log n).
    """
    borders = np.unique(np.concatenate((begins, ends)))
    first, last = np.searchsorted(borders, begins), np.searchsorted(borders, ends)
    nobody = int(ranks.max(initial=-1)) + 1
    owners = np.full(max(0, len(borders) - 1), nobody)
    powers = np.frexp(last - first)[1] - 1
    for power in range(int(powers.max(initial=0)), -1, -1):
        those = powers == power
        np.minimum.at(owners, first[those], ranks[those])
        np.minimum.at(owners, last[those] - (1 << power), ranks[those])
        if power:
            half, halved = 1 << power - 1, owners.copy()
            halved[half:] = np.minimum(owners[half:], owners[:-half])
            owners = halved
    return np.bincount(owners, np.diff(borders), nobody + 1)[:nobody].astype(np.int64)
