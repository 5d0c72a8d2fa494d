"""The runs that seeds make, by their first seeds, from the words that both strands have (decision 042)."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.genomes import comparison as bounds
from shardwater.genomes.comparison import UNITS, Comparison
from shardwater.genomes.counts import Counts
from shardwater.genomes.genome import Places
from shardwater.genomes.words import CLASSES, NONE_BEFORE, Words, unit_of

Numbers = npt.NDArray[np.int64]
NO_LIMIT = (1 << 62) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Places x in the query and y in the subject's strand of the first seeds of the runs taken, in any order."""

    x: Places
    y: Places
    counts: Counts


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The places of matched words on one side: those of a word follow each other, by the letter before.

    classes (words, CLASSES): how many there are by the letter before; firsts: of each word.
    """

    places: Places
    firsts: Numbers
    classes: Numbers

    @classmethod
    def of(cls, words: Words, firsts: Numbers, counts: Numbers, steps: Numbers | None = None) -> Self:
        """The places of words by where each begins among sorted ones, and how often it stands there.

        steps: of each word, which places are taken: those whose ranks are multiples of it.
        """
        number = np.repeat(np.arange(len(firsts)), counts)
        ranks = np.arange(len(number)) - np.repeat(np.cumsum(counts) - counts, counts)
        at = np.repeat(firsts, counts) + ranks
        if steps is not None:
            taken = ranks % steps[number] == 0
            number, at = number[taken], at[taken]
        classes = np.bincount(number * CLASSES + words.before[at], minlength=len(firsts) * CLASSES)
        classes = classes.reshape(-1, CLASSES)
        sizes = classes.sum(axis=1)
        return cls(words.places[at], np.cumsum(sizes) - sizes, classes)


def runs_of(query: Words, subject: Words, comparison: Comparison) -> Runs:
    """The runs of sorted words."""
    values, firsts, counts = _matched(query, subject)
    every = [
        _Side.of(words, *each) for words, each in zip((query, subject), zip(firsts, counts, strict=True), strict=True)
    ]
    all_runs = _runs_by_class(*every).sum(axis=1)
    sides = every
    if comparison.sensitivity != "sensitive":
        steps = [np.floor(np.sqrt(4.0 * each)).astype(np.int64) for each in counts]
        if comparison.sensitivity == "hyperfast":
            steps[1] = counts[1]
        sides = [
            _Side.of(words, *each)
            for words, each in zip((query, subject), zip(firsts, counts, steps, strict=True), strict=True)
        ]
    runs = _runs_by_class(*sides)
    limits = _Limits.of(unit_of(values), runs.sum(axis=1), comparison)
    strides = -(-runs.sum(axis=1) // limits.of_words)
    taken = -(-runs.sum(axis=1) // np.maximum(1, strides))
    x, y = _places(sides[0], sides[1], runs, strides, taken)
    seeds = int((counts[0] * counts[1]).sum())
    sampled = int((taken < all_runs).sum())
    found = Counts(len(query), len(subject), seeds, int(all_runs.sum()), len(x), sampled, limits.least_frequency)
    return Runs(x, y, found)


def _matched(query: Words, subject: Words) -> tuple[npt.NDArray[np.uint64], list[Numbers], list[Numbers]]:
    """The words of both: values; of each where it begins among the query's, and the subject's; and how often it stands
    there."""
    heads = [_heads(words) for words in (query, subject)]
    own = [words.values[head] for words, head in zip((query, subject), heads, strict=True)]
    # Both are sorted: to find one in the other takes less than to sort them together.
    place = np.minimum(np.searchsorted(own[1], own[0]), len(own[1]) - 1)
    both = np.flatnonzero(own[1][place] == own[0]) if len(own[1]) else np.zeros(0, np.int64)
    values, which = own[0][both], (both, place[both])
    sizes = [np.diff(head, append=len(words)) for words, head in zip((query, subject), heads, strict=True)]
    firsts = [head[each] for head, each in zip(heads, which, strict=True)]
    return values, firsts, [size[each] for size, each in zip(sizes, which, strict=True)]


def _heads(words: Words) -> Numbers:
    """The first of each of equal words."""
    return np.flatnonzero(np.append(np.ones(min(1, len(words)), np.bool_), np.diff(words.values) != 0))


def _runs_by_class(query: _Side, subject: _Side) -> Numbers:
    """Runs of each word (words, CLASSES), by the letter before in the query."""
    runs: Numbers = query.classes * _partners(subject)
    return runs


def _partners(subject: _Side) -> Numbers:
    """Places of the subject (words, CLASSES) that begin a run with a place of the query of this class."""
    partners: Numbers = subject.classes.sum(axis=1, keepdims=True) - subject.classes
    partners[:, NONE_BEFORE] += subject.classes[:, NONE_BEFORE]
    return partners


def _places(query: _Side, subject: _Side, runs: Numbers, strides: Numbers, taken: Numbers) -> tuple[Places, Places]:
    """The places of every so-many-th run of each word: by the query's place, then by the subject's."""
    word = np.repeat(np.arange(len(taken)), taken)
    number = (np.arange(len(word)) - np.repeat(np.cumsum(taken) - taken, taken)) * strides[word]
    ends = np.cumsum(runs, axis=1)[word]
    kind = (ends <= number[:, None]).sum(axis=1)
    number -= np.where(kind > 0, np.take_along_axis(ends, np.maximum(0, kind - 1)[:, None], 1)[:, 0], 0)
    each = _partners(subject)[word, kind]
    borders = [np.cumsum(side.classes, axis=1) - side.classes for side in (query, subject)]
    behind = (kind != NONE_BEFORE) & (number % each >= borders[1][word, kind])
    other = number % each + np.where(behind, subject.classes[word, kind], 0)
    x = query.places[query.firsts[word] + borders[0][word, kind] + number // each]
    return x, subject.places[subject.firsts[word] + other]


@dataclass(frozen=True, slots=True, eq=False)
class _Limits:
    """Runs that each word may have; least_frequency: as Counts has it."""

    of_words: Numbers
    least_frequency: int

    @classmethod
    def of(cls, units: Numbers, runs: Numbers, comparison: Comparison) -> Self:
        """Those of words in these units with so many runs."""
        asked = comparison.max_frequency or NO_LIMIT
        runs = np.minimum(runs, asked)
        limits = np.full(UNITS, asked, np.int64)
        # Sums that a float does not hold exactly are far above the bound.
        full = np.flatnonzero(np.bincount(units, weights=runs, minlength=UNITS) > bounds.UNIT_RUNS)
        for unit in full.tolist():
            limits[unit] = min(asked, _limit_of(runs[units == unit]))
        return cls(limits[units], int(limits[full].min()) if len(full) else 0)


def _limit_of(runs: Numbers) -> int:
    """The largest power of two that a unit's words may have, so that all together are within the bound; at least 1."""
    limit = bounds.UNIT_RUNS
    while limit > 1 and np.minimum(runs, limit).sum() > bounds.UNIT_RUNS:
        limit //= 2
    return limit
