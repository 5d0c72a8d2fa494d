"""Which rows of an MSA are worth keeping: those like the query, none like another, and the most diverse of them.

The rule is HHsuite's (Remmert, Biegert, Hauser and Soeding 2012, Nature Methods 9:173), by bins of identity with the
query as in ColabFold's MSAs (Mirdita, Schuetze, Moriwaki, Heo, Ovchinnikov and Steinegger 2022, Nature Methods 19:679).
The program here is our own, and differs where docs/msas.md says so.

1. Where there are `enough_for_score` rows or more, one goes whose letters score less than `least_score` a column,
   against the query's letters.
2. Where there are fewer than `enough` rows left, the rest of the rule is left out.
3. A row belongs to the bin that its identity with the query is in: the share of its letters that are the query's.
   Bins are gone through from the one most like the query on.
4. In each bin rows are taken, those with the most letters first. None is taken that is more than a limit identical to
   one taken before in its bin: of the letters of the row that has fewer, the share that is equal. The limit begins at
   LEAST_LIMIT, and all that are left are looked through again at each next one, up to `most_identical`; more than that
   none is identical to any row that is taken, whatever its bin, or to the query. A row is left alone as soon as each
   block of 50 columns in which it has letters has `diverse` rows of its bin.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from shardwater.msa.msa import GAP, Msa
from shardwater.scoring.scoring import load_matrix
from shardwater.sequences.alphabet import CODE_TABLE

LEAST_LIMIT = 0.15
LIMITS = 16
"""How many limits there are, one as far from the next as the next one from that after it."""
BLOCK = 50
"""Columns in which rows are counted together."""
MATRIX = "BLOSUM62"
_CODES = np.frombuffer(CODE_TABLE, np.uint8)
_NOTHING = 0
"""In a row that is compared; what it is compared with has another number there."""
_TOGETHER = 1 << 14
"""Rows that are compared at a time: with all their letters they lie in the processor's cache."""
_BETWEEN = 512
"""Rows that are taken before those are left out that no longer can be."""
_BYTE = 255
"""Columns whose equal letters a byte can count."""

Numbers = npt.NDArray[np.int64]
Letters = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rule:
    """How much is left out; the numbers are ColabFold's.

    least_score: in units of BLOSUM62, half a bit. bins: borders of identity with the query, in order; a bin has its
    upper border, and the first one both.
    """

    least_score: float = 0.8
    enough_for_score: int = 100
    enough: int = 1000
    most_identical: float = 0.95
    bins: tuple[float, ...] = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    diverse: int = 3000


RULE = Rule()


def filtered(msa: Msa, rule: Rule = RULE) -> Msa:
    """The rows that the rule keeps, in their order. The same rows whatever machine; doing it again changes nothing."""
    kept = np.arange(len(msa))
    if len(msa) >= rule.enough_for_score:
        kept = kept[_scores(msa) >= rule.least_score]
    if len(kept) >= rule.enough:
        kept = kept[_diverse(msa.take(kept), rule)]
    return msa if len(kept) == len(msa) else msa.take(kept)


def _scores(msa: Msa) -> npt.NDArray[np.float64]:
    """What each row's letters score against the query's, by letter: gaps are left out."""
    # A gap scores nothing: it has the row behind those of the matrix's letters.
    matrix = np.pad(load_matrix(MATRIX).scores, ((0, 1), (0, 0)))
    codes, query = _CODES.copy(), np.frombuffer(msa.query.residues, np.uint8)
    codes[GAP] = len(matrix) - 1
    scores = [np.zeros(0)]
    for first, last in msa.batches():
        letters = msa.aligned(first, last)
        sums = matrix[codes[letters], _CODES[query]].sum(axis=1)
        scores.append(sums / np.maximum(1, (letters != GAP).sum(axis=1)))
    return np.concatenate(scores)


def _diverse(msa: Msa, rule: Rule) -> Mask:
    query = np.frombuffer(msa.query.residues, np.uint8)
    letters = np.zeros((msa.columns, len(msa)), np.uint8)
    for first, last in msa.batches():
        part = msa.aligned(first, last)
        part[part == GAP] = _NOTHING
        letters[:, first:last] = part.T
    sizes = np.count_nonzero(letters, axis=0)
    identity = _equal(letters, query) / np.maximum(1, sizes)
    kept = np.zeros(len(msa), np.bool_)
    for members in _bins(identity, rule):
        # Rows with the most letters first, of equal ones the better.
        ordered = members[np.argsort(-sizes[members], kind="stable")]
        ordered = ordered[identity[ordered] <= rule.most_identical]
        before = _Rows(letters.compress(kept, axis=1), sizes[kept])
        taken = _Bin(_Rows(letters.take(ordered, axis=1), sizes[ordered]), before, rule).taken()
        kept[ordered[taken]] = True
    return kept


def _bins(identity: npt.NDArray[np.float64], rule: Rule) -> Iterator[Numbers]:
    """The rows of each bin, the last bin first."""
    for low, high in reversed(list(pairwise(rule.bins))):
        above = identity >= low if low == rule.bins[0] else identity > low
        yield np.flatnonzero(above & (identity <= high))


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """letters: (columns, rows); sizes: how many each row has."""

    letters: Letters
    sizes: Numbers

    def alike(self, row: Letters, size: int) -> npt.NDArray[np.float64]:
        """How identical each row is to one."""
        alike: npt.NDArray[np.float64] = _equal(self.letters, row) / np.maximum(1, np.minimum(self.sizes, size))
        return alike

    def only(self, some: Mask) -> "_Rows":
        return _Rows(self.letters.compress(some, axis=1), self.sizes[some])


class _Bin:
    """Rows of a bin in the order in which they are looked at; before: those that are taken of other bins."""

    def __init__(self, rows: _Rows, before: _Rows, rule: Rule) -> None:
        self._rows, self._before, self._rule = rows, before, rule
        letters = rows.letters
        starts = np.arange(0, len(letters), BLOCK)
        self._blocks: Mask = np.add.reduceat(letters != _NOTHING, starts, axis=0) > 0
        self._filled = np.zeros(len(starts), np.int64)
        """Taken in each block."""
        self._needed = np.ones(letters.shape[1], np.bool_)
        """Rows with letters in a block that has too few."""
        self._most_alike = np.zeros(letters.shape[1])
        """To one that is taken of the bin; infinite for these, and for those too much like one of another bin."""
        self._numbers = np.arange(letters.shape[1])
        """Which ones those are that may still be taken, and some that may not."""

    def taken(self) -> Numbers:
        """The numbers of the rows that are taken."""
        taken: list[int] = []
        most = self._rule.most_identical
        for limit in np.linspace(min(LEAST_LIMIT, most), most, LIMITS).tolist():
            place = self._next(0, limit)
            while place is not None:
                if self._take(place):
                    taken.append(int(self._numbers[place]))
                    if len(taken) % _BETWEEN == 0:
                        place = self._tidy(place)
                place = self._next(place, limit)
        return np.array(taken, np.int64)

    def _next(self, place: int, limit: float) -> int | None:
        """The first row from a place on that may be taken."""
        able = self._needed[place:] & (self._most_alike[place:] <= limit)
        return place + int(able.argmax()) if able.any() else None

    def _take(self, place: int) -> bool:
        """Take a row, unless it is too much like one of another bin."""
        row, size = self._rows.letters[:, place].copy(), int(self._rows.sizes[place])
        self._most_alike[place] = np.inf
        if self._before.alike(row, size).max(initial=0) > self._rule.most_identical:
            return False
        full = self._filled >= self._rule.diverse
        self._filled += self._blocks[:, place]
        if not np.array_equal(full, self._filled >= self._rule.diverse):
            self._needed = np.logical_or.reduce(self._blocks[self._filled < self._rule.diverse])
        np.maximum(self._most_alike, self._rows.alike(row, size), out=self._most_alike)
        return True

    def _tidy(self, place: int) -> int:
        """Leave out rows that are never to be taken; the place where the one behind a place is then."""
        left = self._needed & (self._most_alike <= self._rule.most_identical)
        self._rows, self._blocks = self._rows.only(left), self._blocks.compress(left, axis=1)
        self._most_alike, self._needed = self._most_alike[left], self._needed[left]
        self._numbers = self._numbers[left]
        return int(left[:place].sum())


def _equal(letters: Letters, row: Letters) -> Numbers:
    """How many letters of each row, (columns, rows), are those of one row."""
    # Only where that row has letters, and so no two gaps are alike.
    some = np.flatnonzero(row != _NOTHING)
    columns = slice(int(some[0]), int(some[-1]) + 1) if len(some) else slice(0, 0)
    part, same = letters[columns], np.where(row == _NOTHING, np.uint8(255), row)[columns, None]
    found = np.zeros(letters.shape[1], np.int64)
    for first in range(0, letters.shape[1], _TOGETHER):
        alike = (part[:, first : first + _TOGETHER] == same).view(np.uint8)
        for begin in range(0, len(alike), _BYTE):
            found[first : first + _TOGETHER] += np.add.reduce(alike[begin : begin + _BYTE], axis=0, dtype=np.uint8)
    return found
