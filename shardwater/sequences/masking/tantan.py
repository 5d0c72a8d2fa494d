"""Repeats, by tantan's model: Frith (2011), A new repeat-masking method enables specific detection of homologous
sequences, Nucleic Acids Research 39:e23.

A hidden Markov model writes a sequence letter by letter. In its background state letters come alone. In repeat state i
a letter is like the one i before it, which is as much more likely as its score in BLOSUM62 says: exp(lambda s). Masked
is what lies in repeat states with a probability of one half or more. The constants are those of the program
`tantan -p`. Its Python binding is no choice here: its licence is GPL, and its sums depend on the processor.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from shardwater.ranges import ranges_of
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import Codes
from shardwater.statistics.length_regression import mapped

LONGEST_PERIOD = 50
LEAST = 0.5
"""The probability from which on a letter is masked."""
START, END = 0.005, 0.05
"""Probabilities, at each letter, that a repeat starts and that it ends;"""
DECAY = 0.9
"""of the periods that it may start with, each is so much less likely than the one before."""
LAMBDA = 0.324032
"""The scale by which BLOSUM62's scores are logarithms of likelihood ratios: the inverse of the matrix of exp(lambda s)
has the sum 1 (Yu, Wootton and Altschul 2003, PNAS 100:15688)."""
CORE, MARGIN = 1000, 250
"""A long sequence is looked at in pieces of so many letters, each with so many more to either side: what is farther
away tells next to nothing, and pieces stand side by side in one array."""
TOGETHER = 256
SCALED = 8
"""Letters after which probabilities are scaled, far from what a double holds."""

Masks = npt.NDArray[np.bool_]
_Numbers = npt.NDArray[np.float64]


class _Piece(NamedTuple):
    """Letters first to last of a sequence, to tell of those from `begin` to `end`."""

    sequence: int
    first: int
    begin: int
    end: int
    last: int


def repeats(sequences: Sequence[Codes], longest_period: int = LONGEST_PERIOD, least: float = LEAST) -> list[Masks]:
    """Which letters of each sequence lie in repeats, one truth for a letter.

    longest_period: how far apart the copies of a letter may be. least: the probability from which on it is one.
    """
    masks = [np.zeros(len(each), np.bool_) for each in sequences]
    pieces = sorted(_pieces(sequences), key=lambda each: each.first - each.last)
    for numbers in ranges_of(len(pieces), TOGETHER):
        some = pieces[numbers.start : numbers.stop]
        letters = [sequences[each.sequence][each.first : each.last] for each in some]
        # The longest comes twice: numpy adds up a single column in another order than columns side by side.
        found = _probabilities([letters[0], *letters], longest_period)
        for each, column in zip(some, found.T[1:], strict=True):
            inner = column[each.begin - each.first : each.end - each.first]
            masks[each.sequence][each.begin : each.end] = inner >= least
    return masks


def _pieces(sequences: Sequence[Codes]) -> Iterator[_Piece]:
    for number, sequence in enumerate(sequences):
        for begin in range(0, len(sequence), CORE):
            end = min(begin + CORE, len(sequence))
            yield _Piece(number, max(0, begin - MARGIN), begin, end, min(end + MARGIN, len(sequence)))


def _ratios() -> _Numbers:
    """Likelihood ratios of a letter and an earlier one, (letter, earlier); none before the start, code 24."""
    scores = Scoring("BLOSUM62", 11, 1).scores
    table = np.zeros((len(scores), len(scores) + 1))
    table[:, :-1] = mapped(math.exp, (LAMBDA * scores).ravel()).reshape(scores.shape)
    return table


RATIOS = _ratios()


def _probabilities(sequences: Sequence[Codes], longest_period: int) -> _Numbers:
    """The probability that each letter is in a repeat, (letter, sequence); the longest sequence comes first.

    All is done letter by letter for all sequences that have it, and added up period by period: each number is the same
    on every processor, whatever stands beside it.
    """
    lengths = np.array([len(each) for each in sequences])
    active = np.searchsorted(-lengths, -np.arange(lengths[0]), side="left").tolist()
    ratios = _Ratios.of(sequences, longest_period)
    starts = START * (1 - DECAY) / (1 - DECAY**longest_period)
    begun = np.array([[starts * DECAY**longer] for longer in range(longest_period)])
    alone = np.zeros((lengths[0], len(lengths)))
    sizes: dict[int, _Numbers] = {}
    background, repeat = np.ones(len(lengths)), np.zeros((longest_period, len(lengths)))
    for letter, some in enumerate(active):
        own, periods = background[:some], repeat[:, :some]
        ended = END * periods.sum(axis=0)
        periods *= 1 - END
        periods += begun * own
        periods *= ratios.at(letter, some)
        own *= 1 - START
        own += ended
        if letter % SCALED == SCALED - 1:
            sizes[letter] = own + periods.sum(axis=0)
            own /= sizes[letter]
            periods /= sizes[letter]
        alone[letter, :some] = own
    total = (1 - START) * background + END * repeat.sum(axis=0)
    background[:], repeat[:] = 1 - START, END
    for letter, some in reversed(list(enumerate(active))):
        own, periods = background[:some], repeat[:, :some]
        alone[letter, :some] *= own
        if letter in sizes:
            own /= sizes[letter]
            periods /= sizes[letter]
        periods *= ratios.at(letter, some)
        started = (begun * periods).sum(axis=0)
        periods *= 1 - END
        periods += END * own
        own *= 1 - START
        own += started
    found: _Numbers = 1 - alone / total
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Ratios:
    """Likelihood ratios of the letters of several sequences and the letters before them.

    letters: codes, (row, sequence); letter k is in row longest - 1 - k, those before it in the rows below.
    """

    letters: npt.NDArray[np.intp]
    longest: int
    periods: int

    @classmethod
    def of(cls, sequences: Sequence[Codes], periods: int) -> Self:
        """Those of these sequences, the longest of which comes first."""
        longest = len(sequences[0])
        letters = np.full((longest + periods, len(sequences)), len(RATIOS), np.intp)
        for number, each in enumerate(sequences):
            letters[longest - len(each) : longest, number] = each[::-1]
        return cls(letters, longest, periods)

    def at(self, letter: int, some: int) -> _Numbers:
        """Of a letter of the first sequences and those from 1 to `periods` before it, (period, sequence)."""
        row = self.longest - 1 - letter
        codes = self.letters[row, :some] * RATIOS.shape[1] + self.letters[row + 1 : row + 1 + self.periods, :some]
        found: _Numbers = RATIOS.take(codes)
        return found
