"""HSPs in blocks of 32 letters, GPUGECKO's form, diagonal by diagonal (decision 042)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from shardwater.genomes.comparison import Comparison
from shardwater.genomes.extension import Starts
from shardwater.genomes.genome import Places
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.strands import LETTERS, Bits, Strand, room, unequal
from shardwater.genomes.walk import Walk

Numbers = npt.NDArray[np.int64]
APART = 2 * LETTERS
"""Letters from a seed that is kept to the next one, at least."""
AT_ONCE = 64
"""Blocks that are looked at together."""
LEAPS = 128
"""Words of 32 letters of a run that are looked at before what is left is passed in leaps (walk.py)."""
TOLD = 1 << 10
"""Diagonals whose HSPs are given together."""
WALKED = 1 << 24
"""Letters that are looked at before HSPs are given: long diagonals may be few."""


@dataclass(slots=True)
class Blocks:
    """Both strands, and how many seeds the filter has kept so far."""

    query: Strand
    subject: Strand
    comparison: Comparison
    reverse: bool
    kept: int = 0
    _walk: Walk = field(init=False)
    _found: list[tuple[int, int, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._walk = Walk.of(self.query, self.subject)

    def extended(self, starts: Starts) -> Iterator[Hsps]:
        """The HSPs of all runs, which begin with these seeds, min_length letters long at least, some at a time."""
        seeds, left = self._seeds(starts), self._walk.left
        for number, (first, last) in enumerate(zip(starts.heads[:-1].tolist(), starts.heads[1:].tolist(), strict=True)):
            self._diagonal(starts.x[first:last].tolist(), int(starts.y[first] - starts.x[first]), seeds[first:last])
            if number % TOLD == TOLD - 1 or left - self._walk.left > WALKED:
                left = self._walk.left
                yield self._told()
        yield self._told()

    def _told(self) -> Hsps:
        x, y, length, matches = np.array(self._found, np.int64).reshape(-1, 4).T
        self._found.clear()
        return Hsps.of(x, len(self.subject) - y - length if self.reverse else y, length, matches, self.reverse)

    def _seeds(self, starts: Starts) -> list[int]:
        """How many seeds each run has: its equal letters, less those of a word but one."""
        _, rooms = room(self.query, starts.x, self.subject, starts.y)
        equal = np.zeros(len(starts.x), np.int64)
        which, words = np.flatnonzero(rooms > 0), 0
        while len(which):
            words += 1
            if words % LEAPS == 0:
                for run in which.tolist():
                    x, y = (int(each[run] + equal[run]) for each in (starts.x, starts.y))
                    equal[run] += self._walk.leap(x, y, int(rooms[run] - equal[run]), 1)
            self._walk.look(LETTERS * len(which))
            bits = unequal(self.query, starts.x[which] + equal[which], self.subject, starts.y[which] + equal[which])
            # The lowest bit's number, from the bits below it.
            more = np.bitwise_count(~bits & (bits - np.uint32(1))).astype(np.int64)
            equal[which] = np.minimum(rooms[which], equal[which] + more)
            which = which[(more == LETTERS) & (equal[which] < rooms[which])]
        seeds: list[int] = (equal - (LETTERS - 1)).tolist()
        return seeds

    def _diagonal(self, runs: list[int], shift: int, seeds: list[int]) -> None:
        end = following = 0
        for first, count in zip(runs, seeds, strict=True):
            x, behind = max(first, following), first + count
            if x >= behind:
                continue
            kept = (behind - 1 - x) // APART + 1
            self.kept, following = self.kept + kept, x + APART * kept
            if x < end:
                x += -(-(end - x) // APART) * APART
            if x < behind:
                end = self._hsp(x, x + shift)

    def _hsp(self, x: int, y: int) -> int:
        """Extend a seed to both sides; where its HSP ends in the query."""
        left_room, right_room = (int(each[0]) for each in room(self.query, np.array([x]), self.subject, np.array([y])))
        left, left_equal = _extend(left_room, self._others(x, y, -1), self._leap(x, y, -1))
        right, right_equal = _extend(right_room - LETTERS, self._others(x, y, 1), self._leap(x, y, 1))
        length = (left + 1 + right) * LETTERS
        if length >= self.comparison.min_length:
            begin = left * LETTERS
            self._found.append((x - begin, y - begin, length, left_equal + LETTERS + right_equal))
        return x + (1 + right) * LETTERS

    def _others(self, x: int, y: int, way: int) -> Callable[[Numbers], Bits]:
        def others(blocks: Numbers) -> Bits:
            self._walk.look(LETTERS * len(blocks))
            return unequal(self.query, x + way * blocks * LETTERS, self.subject, y + way * blocks * LETTERS)

        return others

    def _leap(self, x: int, y: int, way: int) -> Callable[[int, int], int]:
        # The seed's own letters are the block before the first on the right.
        begin = LETTERS if way > 0 else 0
        return lambda done, letters: self._walk.leap(x + begin + way * done, y + begin + way * done, letters, way)


def _extend(letters: int, others: Callable[[Places], Bits], leap: Callable[[int, int], int]) -> tuple[int, int]:
    """Blocks that are taken on one side with so many letters, and their equal letters.

    others: of the letters of these blocks, counted from 1, a bit for each that is not equal. leap: behind so many
    letters, of so many, how many are equal, about; the score rises all the way, and so does the share of equal ones, so
    that the best end is the last one.
    """
    best, taken, before, first, most = LETTERS, (0, 0), 0, 1, letters // LETTERS
    while first <= most:
        blocks = np.arange(first, min(first + AT_ONCE, most + 1))
        first += len(blocks)
        equal = before + np.cumsum(LETTERS - np.bitwise_count(others(blocks)).astype(np.int64))
        if int(equal[-1]) - before == LETTERS * AT_ONCE:
            passed = leap(LETTERS * (first - 1), LETTERS * (most + 1 - first)) // LETTERS
            first += passed
            blocks, equal = np.array([first - 1]), np.array([equal[-1] + LETTERS * passed])
        scores = LETTERS + 2 * equal - blocks * LETTERS
        stopped = np.flatnonzero(scores <= 0)
        alike = 5 * (LETTERS // 2 + equal) >= 4 * (LETTERS // 2 + blocks * LETTERS)
        scores = np.where(alike, scores, 0)[: stopped[0] if len(stopped) else None]
        if len(scores) and scores.max() > best:
            at = int(scores.argmax())
            best, taken = int(scores[at]), (int(blocks[at]), int(equal[at]))
        if len(stopped):
            break
        before = int(equal[-1])
    return taken
