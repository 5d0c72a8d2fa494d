"""HSPs of all parts become one list: none within another one, of those that overlap on a diagonal the longest."""

from bisect import bisect_left, insort
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from shardwater.genomes.comparison import Comparison
from shardwater.genomes.hsps import Hsps, Numbers


def merge_hsps(several: Sequence[Hsps], comparison: Comparison, *, same: bool = False) -> Hsps:
    """The list of a comparison, by strand, place in the query, then in the subject.

    same: the genomes are one: the main diagonal, where it equals itself, is left out.
    """
    hsps = without_overlaps(without_contained(Hsps.joined(several)))
    hsps = hsps[(hsps.length >= comparison.min_length) & (hsps.identity >= comparison.min_identity)]
    if same:
        hsps = hsps[hsps.reverse | (hsps.diagonal != 0)]
    return hsps[np.lexsort((hsps.length, hsps.subject, hsps.query, hsps.reverse))]


def without_contained(hsps: Hsps) -> Hsps:
    """Those that lie in no other one of their diagonal, along it; of equal ones the first."""
    if len(hsps) == 0:
        return hsps
    hsps = hsps[np.lexsort((-hsps.length, hsps.query, hsps.diagonal, hsps.reverse))]
    # A diagonal's ends are moved beyond those of the diagonals before it, so that one running maximum serves all.
    ends = _moved(hsps, hsps.query + hsps.length)
    reached = np.maximum.accumulate(ends)
    return hsps[np.append(True, ends[1:] > reached[:-1])]


def without_overlaps(hsps: Hsps) -> Hsps:
    """Of maximal HSPs along their diagonals, the longest of those that overlap, of equally long ones the first."""
    begins, ends = (_moved(hsps, places) for places in (hsps.query, hsps.query + hsps.length))
    touching = begins[1:] < ends[:-1]
    if not touching.any():
        return hsps
    concerned = np.flatnonzero(np.append(touching, False) | np.append(False, touching))
    kept = np.ones(len(hsps), np.bool_)
    kept[concerned] = False
    kept[concerned[_longest(begins[concerned], ends[concerned])]] = True
    return hsps[kept]


def _moved(hsps: Hsps, places: Numbers) -> Numbers:
    """Places along diagonals, those of each diagonal beyond all of the one before it; hsps: by strand and diagonal."""
    if len(hsps) == 0:
        return places
    other = (np.diff(hsps.diagonal) != 0) | np.diff(hsps.reverse)
    diagonals = np.append(0, np.cumsum(other))
    moved: Numbers = places + diagonals * (int((hsps.query + hsps.length).max()) + 1)
    return moved


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
