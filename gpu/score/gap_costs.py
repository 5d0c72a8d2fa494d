"""Which gap costs have packed kernels of their own: the costs stand in those as immediate operands (decision 009).

A compiled kernel stays for as long as the process does, and what is compiled is asked for by clients. So there are
kernels for the published pairs of costs and for some others; what comes later is scored in 32 bits, whose kernel takes
the costs as arguments: slower, and as exact.
"""

import threading
from functools import cache

from shardwater.scoring.scoring import MATRICES, Scoring
from shardwater.statistics.karlin_altschul import published_pairs

MOST_OTHERS = 16
"""Pairs of costs that are not published."""

_Costs = tuple[int, int]
_others: set[_Costs] = set()
_lock = threading.Lock()


def have_kernels(scoring: Scoring) -> bool:
    """Whether packed kernels for these costs were compiled, or may be from now on."""
    costs = scoring.gap_open, scoring.gap_extend
    if costs in _published():
        return True
    with _lock:
        if len(_others) < MOST_OTHERS:
            _others.add(costs)
        return costs in _others


@cache
def _published() -> frozenset[_Costs]:
    return frozenset((pair.gap_open, pair.gap_extend) for matrix in MATRICES for pair in published_pairs(matrix))
