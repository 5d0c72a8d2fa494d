"""HSPs cut where they lead through letters that have nothing in common.

An extension letter by letter goes on while its score lasts: a long good stretch carries it through as many bad letters
to the next one on its diagonal. What is cut there is what Zhang, Berman, Wiehe and Miller call X-drops (Post-processing
long pairwise alignments, Bioinformatics 15, 1999).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import MATCH, Hsps, Numbers
from shardwater.genomes.strands import CODES, COMPLEMENTS, UNKNOWN

LETTERS_AT_ONCE = 1 << 22
_ENDLESS = np.iinfo(np.int64).max

Equal = npt.NDArray[np.bool_]


def without_drops(query: Genome, subject: Genome, hsps: Hsps, x_drop: int, least: int) -> Hsps:
    """The same, but in place of an HSP whose score falls by more than x_drop on the way those of its stretches in which
    it does not.

    A stretch is as long as can be with a score that is nowhere below 0, from its begin on and from its end back; least:
    what it scores at least. Stretches of an HSP share no letters; there is one way to cut it, the same from both sides.
    """
    # To fall by so much takes as many unequal letters.
    doubtful = MATCH * (hsps.length - hsps.matches) > x_drop
    cut = [_cut(query, subject, some, x_drop // MATCH, -(-least // MATCH)) for some in _batches(hsps[doubtful])]
    return Hsps.joined([hsps[~doubtful], *cut]) if cut else hsps


def _batches(hsps: Hsps) -> Iterator[Hsps]:
    number = (np.cumsum(hsps.length) - hsps.length) // LETTERS_AT_ONCE
    for rows in np.split(np.arange(len(hsps)), np.flatnonzero(np.diff(number)) + 1) if len(hsps) else ():
        yield hsps[rows]


def _cut(query: Genome, subject: Genome, hsps: Hsps, x_drop: int, least: int) -> Hsps:
    """x_drop, least: in letters, each worth 1."""
    heads = np.cumsum(hsps.length) - hsps.length
    rises = _maximal(_Rises.of(_equal(query, subject, hsps), heads), x_drop, least)
    own = np.searchsorted(heads, rises.begin, side="right") - 1
    first, length = rises.begin - heads[own], rises.end - rises.begin
    rows = hsps.rows[own]
    rows["query"] += first.astype(np.int32)
    rows["subject"] += np.where(rows["reverse"], hsps.length[own] - first - length, first).astype(np.int32)
    rows["length"], rows["matches"] = length, (length + rises.height) // 2
    return Hsps(rows)


def _equal(query: Genome, subject: Genome, hsps: Hsps) -> Equal:
    """Of all letters of all HSPs, along the query, whether they are equal."""
    found = []
    for begin, place, length, _, reverse in hsps.rows.tolist():
        ours, theirs = CODES[query.letters[begin : begin + length]], CODES[subject.letters[place : place + length]]
        if reverse:
            theirs = COMPLEMENTS[theirs[::-1]]
        found.append((ours == theirs) & (ours != UNKNOWN))
    return np.concatenate(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Rises:
    """The ups of scores that go up and down: where each begins and ends, the scores there, and its group.

    Between two of a group the score falls; what is in two groups is never joined.
    """

    begin: Numbers
    end: Numbers
    low: Numbers
    high: Numbers
    group: Numbers

    @classmethod
    def of(cls, equal: Equal, heads: Numbers) -> "_Rises":
        """The runs of equal letters, those of each HSP a group; heads: where each HSP begins.

        An HSP begins and ends with equal letters.
        """
        first, last = equal.copy(), equal.copy()
        first[1:] &= ~equal[:-1]
        last[:-1] &= ~equal[1:]
        first[heads], last[heads[1:] - 1] = True, True
        begin, end = np.flatnonzero(first), np.flatnonzero(last) + 1
        length = end - begin
        low = 2 * (np.cumsum(length) - length) - begin
        return cls(begin, end, low, low + length, np.searchsorted(heads, begin, side="right"))

    @property
    def height(self) -> Numbers:
        """What each scores."""
        return self.high - self.low

    def falls(self, x_drop: int) -> Numbers:
        """What the score falls by between each and the next one, no end where they cannot be joined."""
        falls = self.high[:-1] - self.low[1:]
        return np.where((falls > x_drop) | (np.diff(self.group) != 0), _ENDLESS, falls)

    def simpler(self, gone: Equal, joined: Equal, group: Numbers) -> "_Rises":
        """The same without some, and with some joined with the next one."""
        begins, ends = ~(gone | np.append(False, joined)), ~(gone | np.append(joined, False))
        return _Rises(self.begin[begins], self.end[ends], self.low[begins], self.high[ends], group[begins])

    def select(self, chosen: Equal | Numbers) -> "_Rises":
        """Some of them."""
        columns = (self.begin, self.end, self.low, self.high, self.group)
        return _Rises(*(column[chosen] for column in columns))


def _maximal(rises: _Rises, x_drop: int, least: int) -> _Rises:
    """The longest stretches that lie in none other, by place.

    A fall that is no greater than the rises beside it belongs to what both are part of. A rise that is less than the
    falls beside it is a stretch of its own, and whatever reaches beyond it has all three: they become one fall. The
    least of all is one of these, so this ends.
    """
    found = []
    while len(rises.begin):
        falls = rises.falls(x_drop)
        left, right = np.append(_ENDLESS, falls), np.append(falls, _ENDLESS)
        gone = (rises.height < left) & (rises.height < right)
        joined = (falls <= rises.height[:-1]) & (falls <= rises.height[1:])
        found.append(rises.select(gone & (rises.height >= least)))
        # A fall that is too great divides for good, also once it is part of another one.
        group = np.cumsum(left == _ENDLESS)
        rises = rises.simpler(gone, joined, group)
    columns = ("begin", "end", "low", "high", "group")
    every = _Rises(*(np.concatenate([getattr(each, name) for each in found]) for name in columns))
    every = every.select(np.lexsort((-every.end, every.begin)))
    reached = np.append(0, np.maximum.accumulate(every.end))[:-1]
    return every.select(every.end > reached)
