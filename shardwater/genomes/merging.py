"""HSPs of all parts become one list: none within another one, of those that overlap on a diagonal the longest.

Then they are cut where they lead through bad letters, and bounded."""

from bisect import bisect_left, insort
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from shardwater.genomes.comparison import Comparison
from shardwater.genomes.cutting import without_drops
from shardwater.genomes.genome import PLACE_BITS, Genome
from shardwater.genomes.hsps import MATCH, Hsps, Numbers

_PLACES = 1 << PLACE_BITS


def merge_hsps(query: Genome, subject: Genome, comparison: Comparison, several: Sequence[Hsps]) -> Hsps:
    """The list of a comparison, by strand, place in the query, then in the subject; the shortest first.

    Where the genomes are one, the main diagonal is left out: it equals itself.
    """
    hsps = without_overlaps(without_contained(Hsps.joined(several)))
    if query.same_as(subject):
        hsps = hsps[hsps.reverse | (hsps.diagonal != 0)]
    if comparison.extension == "letters" and comparison.x_drop:
        hsps = without_drops(query, subject, hsps, comparison.x_drop, MATCH * comparison.word)
    hsps = hsps[(hsps.length >= comparison.min_length) & (hsps.identity >= comparison.min_identity)]
    # Reverse HSPs of several diagonals may begin together.
    return hsps[_ordered(_key(hsps.reverse, hsps.query, hsps.subject), hsps.length)]


def without_contained(hsps: Hsps) -> Hsps:
    """Those that lie in no other one of their diagonal, along it; of equal ones one."""
    places = _along(hsps)
    # Of those that begin together the longest comes first.
    order = _ordered(places, -hsps.length)
    hsps, begins = hsps[order], places[order]
    # A diagonal's places lie beyond those of the diagonals before it: one running maximum serves all.
    ends = begins + hsps.length
    reached = np.maximum.accumulate(ends)
    return hsps[np.append(np.ones(min(1, len(hsps)), np.bool_), ends[1:] > reached[:-1])]


def without_overlaps(hsps: Hsps) -> Hsps:
    """Of maximal HSPs along their diagonals, the longest of those that overlap, of equally long ones the first."""
    begins = _along(hsps)
    ends = begins + hsps.length
    touching = begins[1:] < ends[:-1]
    if not touching.any():
        return hsps
    concerned = np.flatnonzero(np.append(touching, False) | np.append(False, touching))
    kept = np.ones(len(hsps), np.bool_)
    kept[concerned] = False
    kept[concerned[_longest(begins[concerned], ends[concerned])]] = True
    return hsps[kept]


def _along(hsps: Hsps) -> Numbers:
    """The places of HSPs in the query, those of each diagonal and strand beyond those of the one before it."""
    return _key(hsps.reverse, hsps.diagonal + _PLACES, hsps.query)


def _key(reverse: npt.NDArray[np.bool_], above: Numbers, below: Numbers) -> Numbers:
    """One number to sort by strand, then by these: the lower one a place, the upper one below four times all places."""
    key: Numbers = reverse.astype(np.int64) << (2 * PLACE_BITS + 2) | above << PLACE_BITS | below
    return key


def _ordered(keys: Numbers, seconds: Numbers) -> npt.NDArray[np.int64]:
    """The order by keys, then by seconds: these are looked at where keys are equal alone."""
    order = np.argsort(keys)
    same = np.diff(keys[order]) == 0
    if same.any():
        which = np.flatnonzero(np.append(same, False) | np.append(False, same))
        own = order[which]
        order[which] = own[np.lexsort((seconds[own], keys[own]))]
    return order


def _longest(begins: Numbers, ends: Numbers) -> npt.NDArray[np.int64]:
    """Which intervals stay when the longest is taken again and again that overlaps none taken before."""
    taken, chosen = list[tuple[int, int]](), list[int]()
    order = np.lexsort((begins, begins - ends))
    for place, begin, end in zip(order.tolist(), begins[order].tolist(), ends[order].tolist(), strict=True):
        at = bisect_left(taken, (begin, end))
        free_before = at == 0 or taken[at - 1][1] <= begin
        if free_before and (at == len(taken) or taken[at][0] >= end):
            insort(taken, (begin, end))
            chosen.append(place)
    return np.array(sorted(chosen), np.int64)
