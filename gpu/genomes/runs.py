"""The runs that seeds make, by their first seeds, from the words that both strands have (decision 042)."""

from dataclasses import dataclass
from typing import Any, Self

import cupy
import numpy as np

from gpu.compile import kernel
from gpu.genomes.words import Words, host, matched, units_of
from gpu.layout import THREADS
from shardwater.genomes import comparison as bounds
from shardwater.genomes.comparison import UNITS, Comparison
from shardwater.genomes.counts import Counts

MODES = {"sensitive": 0, "fast": 1, "hyperfast": 2}
"""Numbers that kernels have for them."""
NO_LIMIT = (1 << 62) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """First seeds of the runs taken, in any order: the diagonal, counted from -shift, above the place in the query."""

    starts: Any
    shift: int
    counts: Counts


def runs_of(query: Words, subject: Words, shift: int, comparison: Comparison) -> Runs:
    """The runs of sorted words; shift: the letters of the query."""
    words = matched(query, subject)
    counts = Counts(len(query), len(subject))
    if len(words) == 0:
        return Runs(cupy.zeros(0, np.uint64), shift, counts)
    mode = np.int32(MODES[comparison.sensitivity])
    blocks = (-(-len(words) // THREADS),)
    every, taken = cupy.empty(len(words), np.uint64), cupy.empty(len(words), np.uint64)
    sides = (query.values, query.places, np.int32(len(query)), subject.values, subject.places, np.int32(len(subject)))
    kernel("count_runs")(blocks, (THREADS,), (np.int32(len(words)), *sides, mode, words, every, taken))
    seeds = int((words[:, 2].astype(np.int64) * words[:, 3]).sum())
    some = cupy.flatnonzero(every)
    words, every, taken = cupy.ascontiguousarray(words[some]), every[some], taken[some]
    limits = _Limits.of(units_of(query.values[words[:, 0]]), taken, comparison)
    strides = _ceiled(taken, limits.of_words)
    taken = _ceiled(taken, cupy.maximum(strides, np.uint64(1)))
    ends = cupy.cumsum(taken.astype(np.int64))
    runs = int(ends[-1]) if len(ends) else 0
    starts = cupy.empty(runs, np.uint64)
    if runs:
        arguments = np.int32(runs), np.int32(len(words)), ends, query.places, subject.places, mode, words, strides
        kernel("write_starts")((-(-runs // THREADS),), (THREADS,), (*arguments, np.int32(shift), starts))
    counts = Counts(
        len(query), len(subject), seeds, int(every.sum()), runs, int((taken < every).sum()), limits.least_frequency
    )
    return Runs(starts, shift, counts)


@dataclass(frozen=True, slots=True, eq=False)
class _Limits:
    """Runs that each word may have; least_frequency: as Counts has it."""

    of_words: Any
    least_frequency: int

    @classmethod
    def of(cls, units: Any, runs: Any, comparison: Comparison) -> Self:
        """Those of words in these units with so many runs."""
        asked = comparison.max_frequency or NO_LIMIT
        # Sums that a float does not hold exactly are far above the bound.
        runs = cupy.minimum(runs, np.uint64(asked)).astype(np.float64)
        sums = host(cupy.bincount(units, weights=runs, minlength=UNITS))
        limits = np.full(UNITS, asked, np.uint64)
        full = np.flatnonzero(sums > bounds.UNIT_RUNS)
        for unit in full.tolist():
            limits[unit] = min(asked, _limit_of(runs[units == unit]))
        return cls(cupy.asarray(limits)[units], int(limits[full].min(initial=NO_LIMIT)) if len(full) else 0)


def _limit_of(runs: Any) -> int:
    """The largest power of two that a unit's words may have, so that all together are within the bound; at least 1."""
    limit = bounds.UNIT_RUNS
    while limit > 1 and float(cupy.minimum(runs, limit).sum()) > bounds.UNIT_RUNS:
        limit //= 2
    return limit


def _ceiled(numbers: Any, divisors: Any) -> Any:
    return (numbers + divisors - np.uint64(1)) // divisors
