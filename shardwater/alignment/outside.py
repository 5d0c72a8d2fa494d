"""The most that a local alignment can score outside a band of diagonals: a bound, for many pairs at once.

On one side of the band an alignment gains `match` for each letter at most. It gains less over each block of letters
that it passes there as a whole, where the block does not occur on that side: then it has a mismatch or a gap in it,
which costs `Costs.loss` at least, what the letter could have gained among it.

Right of the band rows are counted, and blocks of the query; left of it columns, and blocks of the subject. So both
sides are one thing, turned round.

Source: own proof; blocks as in the seed heuristic of Groot Koerkamp and Ivanov, Bioinformatics 40 (2024).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shardwater.alignment.lanes import Place
from shardwater.alignment.scheme import Scheme
from shardwater.sequences.alphabet import Codes
from shardwater.sequences.alphabets import BASES, DNA

Numbers = npt.NDArray[np.integer[Any]]
Pair = tuple[Codes, Codes]

RARE = 16
"""There are so many times more words as long as a block than letters, so that few blocks occur again by chance."""
MOST_COST = 1 << 10
"""More than this no step may be worth or cost, so that numbers of 16 bits do for long sequences."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What a local scheme's steps are worth, where letters of DNA have two scores; all but match are costs."""

    match: int
    mismatch: int
    gap_first: int
    gap_extend: int

    @classmethod
    def of(cls, scheme: Scheme) -> Self | None:
        """None for other schemes, and for costs that 16 bits are too few for."""
        if not scheme.mode.local or scheme.pssm is not None or scheme.table.alphabet is not DNA:
            return None
        bases, scores = len(BASES), scheme.table.scores.astype(np.int64)
        match, mismatch = int(scores[0, 0]), int(scores[0, 1])
        two = np.full_like(scores, mismatch)
        np.fill_diagonal(two[:bases, :bases], match)
        dear = max(match, -mismatch, scheme.gap_first) > MOST_COST
        if dear or match < 1 or mismatch > -1 or scheme.gap_first < 1 or not np.array_equal(scores, two):
            return None
        return cls(match, -mismatch, scheme.gap_first, scheme.gap_extend)

    @property
    def loss(self) -> int:
        """What a letter without an equal one loses at least, or two neighbours between which a gap lies."""
        return min(self.match + self.mismatch, self.match + self.gap_extend, self.gap_first)


class Outside:
    """The bound on both sides, (2, lanes): right, left; its lines are rows on the right and columns on the left.

    What is told at a line: `top`, the most that an alignment scores that ends outside in this line or before.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        places: Sequence[Place],
        costs: Costs,
        last: int,
        dtype: type[np.signedinteger[Any]],
    ) -> None:
        """places: those of the pairs, which begin at multiples of a block. last: the band's diagonals go from -last to
        last.
        """
        lengths = np.array([(len(query), len(subject)) for query, subject in pairs]).T
        lanes = 1 + max(place.lane for place in places)
        self._line, self._block = 0, block_of(int(lengths.max()))
        # To the right of the band a letter of the query has its equal one further on in the subject.
        self._gains = _gains(places, np.minimum(lengths, lengths[::-1] - last - 1), costs.match)
        self._losses = np.zeros((1 + int(lengths.max()) // self._block, 2, lanes), dtype)
        for place, both in zip(places, _all_lacking(pairs, self._block, last), strict=True):
            first = place.before // self._block
            for side, lacking in enumerate(both):
                self._losses[first : first + len(lacking), side, place.lane] = costs.loss * lacking
        # What has been outside since before this block, and what has come out in it, or begun.
        self._state, self.top = np.zeros((2, 2, lanes), dtype), np.zeros((2, lanes), dtype)
        self._long, self._new = self._state
        self._gain = np.zeros_like(self._state)

    def forget(self, lane: int) -> None:
        """Another pair begins in this lane."""
        self._state[..., lane] = self.top[:, lane] = 0

    def go_on(self, scores: npt.NDArray[Any]) -> None:
        """Go on by a letter; then alignments come out of the band with these scores at most."""
        self._line += 1
        if self._line in self._gains:
            for side, lane, gain in self._gains[self._line]:
                self._gain[:, side, lane] = gain
        np.add(self._state, self._gain, out=self._state)
        np.maximum(self.top, self._long, out=self.top)
        if self._line % self._block == 0 and self._line // self._block <= len(self._losses):
            np.maximum(self.top, self._new, out=self.top)
            np.subtract(self._long, self._losses[self._line // self._block - 1], out=self._long)
            np.maximum(self._long, self._new, out=self._long)
            self._new[...] = 0
        np.maximum(self._new, scores, out=self._new)
        np.maximum(self.top, self._new, out=self.top)


def _gains(places: Sequence[Place], ends: Numbers, match: int) -> dict[int, list[tuple[int, int, int]]]:
    """By line, what a letter gains from there on: side, lane, gain; ends (2, pairs): the letters that gain."""
    gains = dict[int, list[tuple[int, int, int]]]()
    for side, lasts in enumerate(ends.tolist()):
        for place, last in zip(places, lasts, strict=True):
            if last > 0:
                gains.setdefault(place.before + 1, []).append((side, place.lane, match))
                gains.setdefault(place.before + 1 + last, []).append((side, place.lane, 0))
    return gains


def block_of(letters: int) -> int:
    """How long blocks are: as short as they can be and still be rare among so many letters."""
    length = 1
    while len(BASES) ** length < RARE * letters:
        length += 1
    return length


def _words(codes: Codes, length: int) -> Numbers:
    """The number of the word that begins at each place; -1 where it has another letter than a base, or no room."""
    words = np.full(len(codes), -1, np.int32)
    count = len(codes) - length + 1
    if count > 0:
        own = np.zeros(count, np.int32)
        for place in range(length):
            own = own * len(BASES) + codes[place : place + count]
        unknown = np.append(0, np.cumsum(codes >= len(BASES)))
        words[:count] = np.where(unknown[length:] == unknown[:-length], own, -1)
    return words


def _all_lacking(
    pairs: Sequence[Pair], length: int, last: int
) -> Iterator[tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]]:
    """For each pair: which blocks of the query do not occur right of the band, and of the subject left of it."""
    unknown = np.full(1, len(BASES), np.uint8)
    words = _words(np.concatenate([each for pair in pairs for codes in pair for each in (codes, unknown)]), length)
    seen, first = np.full(len(BASES) ** length, -1, np.int32), 0
    for query, subject in pairs:
        middle, behind = first + len(query) + 1, first + len(query) + len(subject) + 2
        ours, theirs = words[first : middle - 1], words[middle : behind - 1]
        yield _lacking(ours[::length], length, theirs, last, seen), _lacking(theirs[::length], length, ours, last, seen)
        first = behind


def _lacking(blocks: Numbers, length: int, words: Numbers, last: int, seen: Numbers) -> npt.NDArray[np.bool_]:
    """Which blocks, one after another, are none of the words more than `last` places further on. seen: all -1."""
    known = np.flatnonzero(words >= 0)
    # Of equal words the last one counts.
    seen[words[known]] = known
    found = np.where(blocks >= 0, seen[blocks], -1)
    seen[words[known]] = -1
    lacking: npt.NDArray[np.bool_] = found - length * np.arange(len(blocks)) <= last
    return lacking
