"""Which rounds of which strips of long pairs a launch does, so that none waits for what another launch does.

A round is WARP rows. A strip needs what left the strip before in its rows, which has done NEEDED rounds more by then.
The first strips of all pairs come before the second ones of any.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from gpu.layout import PLACES, WARP
from shardwater.pairs.batch import Numbers

NEEDED = PLACES // WARP
SLACK = 1
"""Rounds that a strip leaves for the next launch: without them each would wait, at its start, for the one before."""

WORK = np.dtype([(name, np.int32) for name in ("pair", "strip", "stored", "from", "to")])
"""Work of kernels/pairs/long.cuh."""


def rounds_of(rows: Numbers) -> Numbers:
    """Rounds of strips of so many rows."""
    found: Numbers = -(-(rows + PLACES - 1) // WARP)
    return found


def launches(strips: Numbers, rounds: Numbers, warps: int, most: int, first: int = 0) -> Iterator[npt.NDArray[np.void]]:
    """The work of each launch, for pairs that have so many strips of so many rounds, from their round `first` on.

    No strip has more than `most` rounds in it, and all together no more than so many warps do of `most`.
    """
    pair = np.repeat(np.arange(len(strips)), strips)
    firsts = np.cumsum(strips) - strips
    strip = np.arange(len(pair)) - firsts[pair]
    # Pairs are in order already; numbers of 16 bits are sorted by their digits, in a tenth of the time.
    order = np.argsort(strip.astype(np.uint16) if strip.max(initial=0) < 1 << 16 else strip, kind="stable")
    ends, done = rounds[pair], np.zeros(len(pair), np.int64)
    if len(pair) and ends.max() <= most and ends.sum() <= warps * most:
        yield _works(order, pair, strip, first, first + ends)
        return
    # Numbers of one pair after another, each pair's below those of the pair before.
    behind = (NEEDED + SLACK) * strip
    below = pair * (2 * int(ends.max()) + 2 * int(behind.max()) + 1)
    while (done < ends).any():
        wanted = np.minimum(done + most, ends)
        granted = order[np.cumsum((wanted - done)[order]) <= max(most, warps * most)]
        reach = done.copy()
        reach[granted] = wanted[granted]
        open_before = np.cumsum(reach < ends)
        ending = open_before == np.where(firsts > 0, open_before[firsts - 1], 0)[pair]
        # A strip stays behind the one before, unless that ends.
        bound = np.where(ending, int(ends.max()) + int(behind.max()), reach + behind) - below
        to = np.where(ending, ends, np.maximum(done, np.minimum.accumulate(bound) + below - behind))
        yield _works(order[(to > done)[order]], pair, strip, first + done, first + to)
        done = to


def _works(chosen: Numbers, pair: Numbers, strip: Numbers, begin: Numbers | int, end: Numbers) -> npt.NDArray[np.void]:
    """The work of some strips by their numbers among those of all pairs."""
    works = np.zeros(len(chosen), WORK)
    works["pair"], works["strip"], works["stored"] = pair[chosen], strip[chosen], chosen
    works["from"], works["to"] = begin if isinstance(begin, int) else begin[chosen], end[chosen]
    return works
