"""Stretches of low complexity, by SEG's rules: Wootton and Federhen (1993), Statistics of local complexity in amino
acid sequences and sequence databases, Computers & Chemistry 17:149.

Windows of 12 letters with an entropy of 2.2 bits or less trigger; windows beside them of up to 2.5 bits join. Of the
stretch that they cover, the part is masked whose composition is least likely; no more than 50 letters are cut off it. A
trigger that lies in what is cut off to the left is looked at anew.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from shardwater.sequences.alphabet import Codes
from shardwater.statistics.length_regression import mapped

WINDOW = 12
TRIGGER, JOINED = 2.2, 2.5
"""Bits of a window."""
MOST_TRIMMED = 50
MOST_UNKNOWN = 2
"""A window with more letters than these that are no residues has no complexity."""
RESIDUES = 20
TOGETHER = 1 << 16
"""Windows whose letters are counted together."""
DECIMALS = 9
"""Of the logarithm of a probability: more than what tells two compositions apart, less than what rounding does."""

Masks = npt.NDArray[np.bool_]
_Numbers = npt.NDArray[np.float64]
_Counts = npt.NDArray[np.int32]


def low_complexity(sequence: Codes) -> Masks:
    """Which letters of a sequence are in stretches of low complexity, one truth for a letter."""
    mask = np.zeros(len(sequence), np.bool_)
    for first, end in _stretches(sequence):
        mask[first:end] = True
    return mask


def _stretches(sequence: Codes) -> Iterator[tuple[int, int]]:
    """Where they begin, and where they have ended."""
    entropies = _entropies(sequence)
    triggers = np.flatnonzero(entropies <= TRIGGER).tolist()
    apart = [-1, *np.flatnonzero(entropies > JOINED).tolist(), len(entropies)]
    lowest, number = 0, 0
    for window in triggers:
        if window < lowest:
            continue
        while apart[number + 1] < window:
            number += 1
        first, last = max(lowest, apart[number] + 1), apart[number + 1] - 1
        begin, end = _trimmed(sequence[first : last + WINDOW])
        begin, end = first + begin, first + end
        if window + WINDOW <= begin:
            yield from ((first + one, first + other) for one, other in _stretches(sequence[first:begin]))
        yield begin, end
        lowest = min(last, end - 1) + 1


def _entropies(sequence: Codes) -> _Numbers:
    """Bits of each window, by where it begins; infinite for one of letters that nobody knows."""
    windows = max(0, len(sequence) - WINDOW + 1)
    found = np.empty(windows)
    for first in range(0, windows, TOGETHER):
        some = sequence[first : first + TOGETHER + WINDOW - 1]
        counts = np.stack([row[WINDOW:] - row[:-WINDOW] for row in _rows(some, range(RESIDUES))])
        known = counts.sum(axis=0)
        # Residues are added one after the other: the same sum on every processor.
        bits = _SHARES[counts, known].sum(axis=0)
        found[first : first + TOGETHER] = np.where(known < WINDOW - MOST_UNKNOWN, np.inf, bits)
    return found


def _shares() -> _Numbers:
    """What a residue that is so many of so many letters adds to the bits of a window."""
    table = np.zeros((WINDOW + 1, WINDOW + 1))
    for known in range(1, WINDOW + 1):
        for count in range(1, known + 1):
            table[count, known] = count / known * math.log2(known / count)
    return table


_SHARES = _shares()


def _rows(sequence: Codes, letters: Sequence[int]) -> Iterator[_Counts]:
    """How many of each letter come before each place."""
    for letter in letters:
        yield np.concatenate(([0], np.cumsum(sequence == letter, dtype=np.int32)))


def _trimmed(sequence: Codes) -> tuple[int, int]:
    """Where the part begins, and where it has ended, whose composition is least likely: the longest, first one."""
    length = len(sequence)
    sizes = np.arange(length, max(1, length - MOST_TRIMMED), -1)
    # All parts of all sizes together: there are 1,275 at most.
    begins = np.concatenate([np.arange(length - size + 1) for size in sizes.tolist()])
    sizes = np.repeat(sizes, length - sizes + 1)
    letters = np.flatnonzero(np.bincount(sequence, minlength=RESIDUES)[:RESIDUES]).tolist()
    counts = [row[begins + sizes] - row[begins] for row in _rows(sequence, letters)]
    factorials = _log_factorials(max(length, RESIDUES))
    orders = factorials[sizes] - sum((factorials[each] for each in counts), np.zeros(len(sizes)))
    likely = np.round(orders + _assignments(counts, factorials) - sizes * math.log(RESIDUES), DECIMALS)
    best = int(np.argmin(likely))
    return int(begins[best]), int(begins[best] + sizes[best])


def _log_factorials(most: int) -> _Numbers:
    logarithms = mapped(math.log, np.arange(1, most + 1))
    return np.concatenate(([0.0], np.cumsum(logarithms)))


def _assignments(counts: Sequence[_Counts], factorials: _Numbers) -> _Numbers:
    """Logarithms of how many ways there are to give these counts to the residues.

    Each residue divides them by how many residues up to it have the same count: the factorials of all classes.
    """
    absent = RESIDUES - len(counts)
    found = np.full(len(counts[0]), factorials[RESIDUES] - factorials[absent])
    for number, each in enumerate(counts):
        alike = np.where(each == 0, absent + 1, 1)
        for other in counts[:number]:
            alike += each == other
        found -= _LOGARITHMS[alike]
    return found


_LOGARITHMS = np.array([0.0, *(math.log(number) for number in range(1, RESIDUES + 1))])
