"""HSPs letter by letter: all diagonals side by side, along each from one run to the next that no HSP has reached.

Of 32 letters that are all equal nobody looks at one alone.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.genomes.comparison import Comparison
from shardwater.genomes.genome import Places
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.strands import LETTERS, Bits, Strand, reversed_bits, room, unequal
from shardwater.genomes.walk import Walk

Numbers = npt.NDArray[np.int64]
FIRST_WORDS, MOST_WORDS = 1, 64
"""Of 32 letters, that an extension takes in its first step, and later ones."""
AT_ONCE = 1 << 17
"""Such words of all extensions together, about."""

NOTHING = Hsps.joined([])
"""What comes between two steps: whoever waits for HSPs may stop there."""

LEAPT_AT_ONCE = 1 << 26
"""Letters that are passed in leaps (walk.py) between two steps, about."""

Others = Callable[[Numbers, Numbers], Bits]
"""Of these extensions by number, from these letters on: a bit for each of 32 that is not equal."""
Leap = Callable[[int, int, int], int]
"""Of an extension by number, from this letter on: how many of so many are equal, about, and never more."""


@dataclass(frozen=True, slots=True, eq=False)
class Starts:
    """First seeds by diagonal, then by place in the query; heads: where each diagonal begins, and all end."""

    x: Places
    y: Places
    keys: Numbers
    heads: Numbers

    @classmethod
    def of(cls, x: Places, y: Places, letters: int) -> "Starts":
        """Those of a query of so many letters, put in order."""
        keys = (y - x + letters) << LETTERS | x
        order = np.argsort(keys)
        keys = keys[order]
        heads = np.flatnonzero(np.diff(keys >> LETTERS, prepend=-1))
        return cls(x[order], y[order], keys, np.append(heads, len(keys)))

    def behind(self, starts: Numbers, ends: Places) -> Numbers:
        """The first start of the same diagonal at or behind a place."""
        found: Numbers = np.searchsorted(self.keys, self.keys[starts] >> LETTERS << LETTERS | ends)
        return found


def extended(
    starts: Starts, query: Strand, subject: Strand, comparison: Comparison, *, reverse: bool
) -> Iterator[Hsps]:
    """The HSPs of these first seeds, min_length letters long at least, some at a time; often none."""
    # A copy: each goes on to the next start of its diagonal.
    word, current, lasts = comparison.word, starts.heads[:-1].copy(), starts.heads[1:]
    walk = Walk.of(query, subject)
    while len(current):
        for first in range(0, len(current), AT_ONCE // FIRST_WORDS):
            own = slice(first, first + AT_ONCE // FIRST_WORDS)
            found, current[own] = yield from _extended(starts, current[own], query, subject, word, walk)
            yield _hsps(found, comparison.min_length, len(subject), reverse)
        there = current < lasts
        current, lasts = current[there], lasts[there]


@dataclass(frozen=True, slots=True, eq=False)
class _Stretches:
    """What was extended: where it begins in both strands, its letters and the equal ones."""

    x: Places
    y: Places
    length: Numbers
    matches: Numbers


def _extended(
    starts: Starts, current: Numbers, query: Strand, subject: Strand, word: int, walk: Walk
) -> Generator[Hsps, None, tuple[_Stretches, Numbers]]:
    """The stretches of some starts, and the next start of the diagonal of each."""
    x, y = starts.x[current], starts.y[current]
    left_room, right_room = room(query, x, subject, y)

    def rightwards(which: Numbers, letters: Numbers) -> Bits:
        return unequal(query, x[which] + word + letters, subject, y[which] + word + letters)

    def leftwards(which: Numbers, letters: Numbers) -> Bits:
        back = letters + LETTERS
        bits: Bits = reversed_bits(unequal(query, x[which] - back, subject, y[which] - back))
        return bits

    def leap_right(number: int, letters: int, letters_left: int) -> int:
        return walk.leap(int(x[number]) + word + letters, int(y[number]) + word + letters, letters_left, 1)

    def leap_left(number: int, letters: int, letters_left: int) -> int:
        return walk.leap(int(x[number]) - letters, int(y[number]) - letters, letters_left, -1)

    right = yield from _Ways(right_room - word, rightwards, leap_right, walk, np.full(len(x), word)).taken()
    left = yield from _Ways(left_room, leftwards, leap_left, walk, right.best).taken()
    length = left.letters + word + right.letters
    # Its score is its equal letters less its others.
    stretches = _Stretches(x - left.letters, y - left.letters, length, (left.best + length) // 2)
    return stretches, starts.behind(current, x + word + right.letters)


class _Ways:
    """Extensions to one side: letters there are, the best score so far and after how many letters it was.

    before: the score where the next step begins; done: the letters before it, all of the room once it has ended.
    """

    def __init__(self, rooms: Numbers, others: Others, leap: Leap, walk: Walk, start: Numbers) -> None:
        """start: the score that each begins with."""
        self.rooms, self.others, self.leap, self.walk = rooms, others, leap, walk
        self.best, self.letters = start.copy(), np.zeros_like(start)
        self.before, self.done = start.copy(), np.zeros_like(start)

    def taken(self) -> Generator[Hsps, None, "_Ways"]:
        """They, on through all letters, while the score is not below 0; between steps, which are short, nothing."""
        which, words = np.flatnonzero(self.rooms > 0), FIRST_WORDS
        while len(which):
            for first in range(0, len(which), AT_ONCE // words):
                own = which[first : first + AT_ONCE // words]
                before = self.before[own]
                self._step(own, words)
                yield NOTHING
                if words == MOST_WORDS:
                    yield from self._leap(own[self.before[own] - before == words * LETTERS])
            which = which[self.done[which] < self.rooms[which]]
            words = min(2 * words, MOST_WORDS)
        return self

    def _leap(self, own: Numbers) -> Generator[Hsps, None, None]:
        """Take some on along equal letters, which raise the score one by one."""
        passed = 0
        for number in own.tolist():
            done = int(self.done[number])
            letters = self.leap(number, done, int(self.rooms[number]) - done)
            self.done[number] += letters
            self.before[number] += letters
            if self.before[number] > self.best[number]:
                self.best[number], self.letters[number] = self.before[number], self.done[number]
            passed += letters
            if passed > LEAPT_AT_ONCE:
                passed = 0
                yield NOTHING

    def _step(self, own: Numbers, words: int) -> None:
        """Take some of them so many words on."""
        at = self.done[own][:, None] + np.arange(words) * LETTERS
        counts = np.clip(self.rooms[own][:, None] - at, 0, LETTERS)
        inside = counts > 0
        self.walk.look(int(counts.sum()))
        bits = np.zeros(at.shape, np.uint32)
        bits[inside] = self.others(np.broadcast_to(own[:, None], at.shape)[inside], at[inside])
        seen = _Seen.of(bits, counts)
        sums = counts - 2 * seen.others
        starts = self.before[own][:, None] + np.cumsum(sums, axis=1) - sums
        falls = starts + seen.lowest < 0
        fall = falls.argmax(axis=1)
        fallen: npt.NDArray[np.bool_] = falls[np.arange(len(own)), fall]
        counting = ~fallen[:, None] | (np.arange(words) < fall[:, None])
        tops, places = np.where(counting, starts + seen.highest, -1), at + seen.highest_at
        rows = np.flatnonzero(fallen)
        last = rows, fall[rows]
        tops[last], within = _before_fall(bits[last], counts[last], starts[last])
        places[last] = at[last] + within
        highest = np.arange(len(own)), tops.argmax(axis=1)
        better = tops[highest] > self.best[own]
        self.best[own[better]], self.letters[own[better]] = tops[highest][better], places[highest][better]
        self.before[own] += sums.sum(axis=1)
        self.done[own] = np.where(
            fallen, self.rooms[own], np.minimum(self.rooms[own], self.done[own] + words * LETTERS)
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Of words of letters: how many are not equal, the highest and the lowest of the sums on the way, from 0 on.

    highest_at: after how many letters; of equal ones the first.
    """

    others: Numbers
    highest: Numbers
    highest_at: Numbers
    lowest: Numbers

    @classmethod
    def of(cls, bits: Bits, counts: Numbers) -> "_Seen":
        """What is seen of so many letters of each word."""
        bits = bits & _below(counts)
        highest, highest_at, lowest = counts.copy(), counts.copy(), np.zeros_like(counts)
        some = bits != 0
        sums = _sums(bits[some], counts[some])
        highest[some], highest_at[some], lowest[some] = sums.max(axis=1), sums.argmax(axis=1), sums.min(axis=1)
        return cls(np.bitwise_count(bits).astype(np.int64), highest, highest_at, lowest)


def _below(counts: Numbers) -> Bits:
    below: Bits = ((np.uint64(1) << counts.astype(np.uint64)) - np.uint64(1)).astype(np.uint32)
    return below


def _sums(bits: Bits, counts: Numbers) -> Numbers:
    """The sums after 0, 1, 2, ... letters of each word; behind its letters they stay."""
    unequal_ = np.unpackbits(bits.astype("<u4").view(np.uint8).reshape(-1, 4), axis=1, bitorder="little")
    steps = 1 - 2 * unequal_.astype(np.int64)
    steps[np.arange(LETTERS) >= counts[:, None]] = 0
    sums = np.zeros((len(steps), LETTERS + 1), np.int64)
    np.cumsum(steps, axis=1, out=sums[:, 1:])
    return sums


def _before_fall(bits: Bits, counts: Numbers, starts: Numbers) -> tuple[Numbers, Numbers]:
    """The highest score of words in which it falls below 0, before it does, and after how many letters."""
    scores = starts[:, None] + _sums(bits & _below(counts), counts)
    fall = (scores < 0).argmax(axis=1)
    scores[np.arange(LETTERS + 1) >= fall[:, None]] = -1
    return scores.max(axis=1), scores.argmax(axis=1)


def _hsps(found: _Stretches, least: int, letters: int, reverse: bool) -> Hsps:
    long = found.length >= least
    y = letters - found.y - found.length if reverse else found.y
    return Hsps.of(found.x[long], y[long], found.length[long], found.matches[long], reverse)
