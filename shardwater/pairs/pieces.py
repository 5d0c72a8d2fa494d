"""A local pair of which one sequence is much longer than the other, cut into pieces that are aligned by themselves.

Pieces overlap by as many letters as an alignment can span, so that each alignment is whole in some piece. What a piece
finds may be too low where an alignment begins before it, and is found in the piece before. All that a piece finds with
the best score of all is right. Its way back is right in the first of the pieces that find that end: there no cell on
the way is worth less than in the whole matrix, and beside it none is worth more. A later piece may begin in the middle
of another way of the same score.

Source: Khajeh-Saeed, Poole and Perot, J. Comput. Phys. 229 (2010), who try an overlap and look afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.alignment.scheme import Scheme
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.columns import Columns

IN_CACHE, IN_CACHE_SPANS = 1 << 16, 8
"""Letters of a piece that stays in a processor's caches, at least: so many, and so many times those that two share."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Where pieces of the longer sequence begin and end, and which one that is: 0 the query, 1 the subject."""

    side: int
    ranges: tuple[range, ...]

    @classmethod
    def of(cls, lengths: Sequence[int], count: int, overlap: int) -> Self:
        """So many pieces of a pair of so many letters, of query and subject; overlap: its span."""
        side = int(lengths[1] >= lengths[0])
        ends = [lengths[side] * number // count for number in range(count + 1)]
        return cls(side, tuple(range(max(0, first - overlap), last) for first, last in pairwise(ends)))

    @classmethod
    def in_cache(cls, pair: CodedPair, scheme: Scheme) -> Self | None:
        """Those of a local pair of a short and a very long sequence that stay in caches; None of others."""
        lengths = len(pair.query), len(pair.subject)
        overlap = span(min(lengths), scheme) if scheme.mode.local else None
        if overlap is None:
            return None
        count = max(lengths) // max(IN_CACHE, IN_CACHE_SPANS * overlap)
        return cls.of(lengths, count, overlap) if count > 2 else None

    def along(self, letters: int) -> tuple[int, int]:
        """So many letters of the longer sequence, as letters of the query and of the subject."""
        return (0, letters) if self.side else (letters, 0)

    @property
    def shared(self) -> tuple[int, ...]:
        """How many letters each piece shares with the one before, to which what ends in them belongs."""
        return (0, *(before.stop - after.start for before, after in pairwise(self.ranges)))

    @property
    def letters(self) -> int:
        """Of the longer sequence."""
        return self.ranges[-1].stop

    @property
    def added(self) -> int:
        """Letters that pieces have more than it has."""
        return sum(map(len, self.ranges)) - self.letters

    def piece(self, pair: CodedPair, number: int) -> CodedPair:
        """One of them."""
        cut = slice(self.ranges[number].start, self.ranges[number].stop)
        return CodedPair(pair.query, pair.subject[cut]) if self.side else CodedPair(pair.query[cut], pair.subject)

    def best(
        self, found: Columns, reverse: npt.NDArray[np.bool_], number: int, cells: int, report: Report
    ) -> tuple[Columns, npt.NDArray[np.bool_]]:
        """The answer of a pair by its number, from those of its pieces by theirs, and whether its query is turned.

        reverse (pieces,): whose queries were turned round. The forward strand counts where both have the best score.
        """
        row = np.array([number]), np.array([cells])
        begins, ends = (np.array([getattr(each, name) for each in self.ranges]) for name in ("start", "stop"))
        # In a query that is turned round the last piece is the first.
        turned = reverse & (self.side == 0)
        shifts = np.where(turned, self.letters - ends[found.numbers], begins[found.numbers])
        places = found.places + np.where(np.arange(4) // 2 == self.side, shifts[:, None], 0)
        order = np.where(turned, -found.numbers, found.numbers)
        first = np.lexsort((order, places[:, 3], places[:, 1], reverse, -found.scores))[:1]
        if report == "score" or found.scores[first] == 0:
            return Columns.scored(found.local, *row, found.scores[first]), reverse[first]
        best = replace(found, places=places).select(first)
        return replace(best, numbers=row[0], cells=row[1]), reverse[first]


def span(letters: int, scheme: Scheme) -> int | None:
    """The most letters of one sequence that a local alignment has with so many of another; None where any may be.

    It has at most `letters` pairs of letters, which score best * letters at most; gaps cost less than that in all.
    """
    if scheme.gap_extend == 0:
        return None
    return letters + max(0, scheme.table.best * letters - scheme.gap_open) // scheme.gap_extend
