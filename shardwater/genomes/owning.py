"""Ranges of different ranks over one line, as a genome's letters are: what of each lies in none of a better rank."""

from dataclasses import dataclass

import numpy as np

from shardwater.genomes.hsps import Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """What ranges own, in pieces along the line: the number of the range, where each begins, and where it ends."""

    ranges: Numbers
    begins: Numbers
    ends: Numbers


def owned(begins: Numbers, ends: Numbers, ranks: Numbers) -> Numbers:
    """How many places of each range are in no range of a better rank, the least being the best."""
    pieces = owned_pieces(begins, ends, ranks)
    return np.bincount(pieces.ranges, pieces.ends - pieces.begins, len(begins)).astype(np.int64)


def owned_pieces(begins: Numbers, ends: Numbers, ranks: Numbers) -> Pieces:
    """What of each range is in no range of a better rank, of equal ranks in no earlier one. No range is empty.

    A range of places is two ranges of a power of two, which may overlap: so the best range over each place is handed
    down from the greatest power to the least, in O(n log n).
    """
    if len(begins) == 0:
        return Pieces(begins, begins, begins)
    borders, numbers = _numbered(np.concatenate((begins, ends)))
    order = np.argsort(ranks, kind="stable")
    best = _best(numbers[order], numbers[len(begins) + order], len(borders) - 1)
    taken = np.flatnonzero(best < len(order))
    return Pieces(order[best[taken]], borders[taken], borders[taken + 1])


def _numbered(places: Numbers) -> tuple[Numbers, Numbers]:
    """All different places in order, and the number of each among them."""
    order, numbers = np.argsort(places), np.empty(len(places), np.int64)
    other = np.diff(places[order], prepend=places[order[0]] - 1) != 0
    numbers[order] = np.cumsum(other) - 1
    return places[order[other]], numbers


def _best(first: Numbers, last: Numbers, places: int) -> Numbers:
    """The first of the ranges that are over each place, and one more than all where there is none."""
    best, ranges = np.full(places, len(first)), np.arange(len(first))
    powers = np.frexp(last - first)[1] - 1
    for power in range(int(powers.max()), -1, -1):
        those = np.flatnonzero(powers == power)
        np.minimum.at(best, first[those], ranges[those])
        np.minimum.at(best, last[those] - (1 << power), ranges[those])
        if power:
            half, halved = 1 << power - 1, best.copy()
            halved[half:] = np.minimum(best[half:], best[:-half])
            best = halved
    return best
