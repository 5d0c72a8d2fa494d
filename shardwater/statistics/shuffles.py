"""Z-values: how far a score lies above those of the same two sequences with the letters of one in another order.

Z = (score - mean) / sd over the scores of so many shuffles (Comet, Aude, Glemet, Risler, Henaut, Slonimski, Codani
1999). Of both sequences one is shuffled, then the other, and the smaller Z counts. P is the chance of such a Z where
scores follow the extreme value distribution (Pearson 1998): P = 1 - exp(-exp(-pi Z / sqrt(6) - 0.5772157)).

Which letters come where follows from the sequence and a seed alone: the same everywhere, in any order of work.
"""

import hashlib
import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from shardwater.sequences.alphabet import Codes
from shardwater.statistics.chance import numbers as random
from shardwater.statistics.length_regression import EULER_GAMMA, SCALE, mapped

Shuffle = Literal["uniform", "windows"]
SHUFFLES: tuple[Shuffle, ...] = get_args(Shuffle)
WINDOW = 10
"""Letters that `windows` shuffles among themselves: the composition along a sequence stays."""
BLOCK_LETTERS = 1 << 15
"""Letters that are shuffled together, about: their keys, eight bytes each, stay in a core's cache."""
CODE_BITS, RANDOM_BITS = 8, 32
"""Of a letter's key: its code, and what orders it within a window."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The scores of a sequence's shuffles: their mean and standard deviation, and how far the score is above them.

    z is None where all are the same: letters that are all alike have no other order.
    """

    mean: float
    sd: float
    z: float | None

    @classmethod
    def of(cls, score: int, shuffled: npt.ArrayLike) -> "Spread":
        """Of two shuffles at least, scores of 32 bits."""
        scores = np.asarray(shuffled, np.int64)
        # Whole numbers until they are divided, so that no order of adding shows; squares by halves, to fit.
        high, low = scores >> 16, scores & 0xFFFF
        count, total = len(scores), int(scores.sum())
        squares = (int(high @ high) << 32) + (int(high @ low) << 17) + int(low @ low)
        sd = math.sqrt((count * squares - total * total) / (count * (count - 1)))
        return cls.around(score, total / count, sd)

    @classmethod
    def around(cls, score: int, mean: float, sd: float) -> "Spread":
        """Of a score, where mean and standard deviation are known."""
        return cls(mean, sd, (score - mean) / sd if sd > 0 else None)


@dataclass(frozen=True, slots=True)
class Shuffled:
    """What shuffles say of a score: z, the smaller of both, and its P; None where one of both has no z."""

    z: float | None
    pvalue: float | None
    of_query: Spread
    of_subject: Spread

    @classmethod
    def of(cls, of_query: Spread, of_subject: Spread) -> "Shuffled":
        """Of both sequences' shuffles."""
        if of_query.z is None or of_subject.z is None:
            return cls(None, None, of_query, of_subject)
        z = min(of_query.z, of_subject.z)
        return cls(z, pvalue(z), of_query, of_subject)

    def judged(self, score: int) -> "Shuffled":
        """The same of another score, by these means and standard deviations."""
        return self.of(*(Spread.around(score, each.mean, each.sd) for each in (self.of_query, self.of_subject)))


def pvalue(z: float) -> float:
    """The chance of a Z of at least so much."""
    exceeding = mapped(math.exp, np.minimum(700.0, np.array([-SCALE * z - EULER_GAMMA])))
    return float(-mapped(math.expm1, -exceeding)[0])


@dataclass(frozen=True, slots=True)
class Shuffling:
    """How sequences are shuffled: how often, by whole or by windows of ten letters, and from which seed."""

    count: int
    shuffle: Shuffle = "uniform"
    seed: int = 0

    def rows(self, codes: Codes, numbers: range) -> npt.NDArray[np.uint8]:
        """The shuffles of these numbers of a sequence, of one letter at least: (numbers, letters)."""
        size = max(1, BLOCK_LETTERS // len(codes))
        blocks = [self._block(codes, numbers[at : at + size]) for at in range(0, len(numbers), size)]
        return np.concatenate(blocks)

    def _block(self, codes: Codes, numbers: range) -> npt.NDArray[np.uint8]:
        letters = len(codes)
        keys = random(np.uint64(self.stream(codes)), range(numbers.start * letters, numbers.stop * letters))
        low = codes.astype(np.uint64)
        # A key's random bits stand between its letter and, if letters stay in windows, the number of its own.
        if self.shuffle == "windows":
            keys >>= np.uint64(64 - RANDOM_BITS)
            keys <<= np.uint64(CODE_BITS)
            low |= (np.arange(letters, dtype=np.uint64) // np.uint64(WINDOW)) << np.uint64(CODE_BITS + RANDOM_BITS)
        else:
            keys &= ~np.uint64((1 << CODE_BITS) - 1)
        table = keys.reshape(len(numbers), letters)
        table |= low
        table.sort(axis=1)
        return table.astype(np.uint8)

    def stream(self, codes: Codes) -> int:
        """Of the stream whose numbers are for the letters of a sequence's first shuffle, of its second, and so on."""
        named = hashlib.sha256(f"{self.shuffle} {self.seed} ".encode() + codes.tobytes())
        return int.from_bytes(named.digest()[:8], "little")
