"""Gotoh's recurrence a row of the matrix at a time, for one query and a batch of subjects, in any mode.

    H = max(H(i-1, j-1) + score, E, F), and 0 where alignments are local
    E = max(E - extend, H - first) down a column, F the same along a row

Source: Gotoh, J. Mol. Biol. 162 (1982); F of a whole row at once, by a prefix maximum: Khajeh-Saeed, Poole and Perot,
J. Comput. Phys. 229 (2010). Beyond the matrix H is 0 where an alignment may begin there, else what a gap
from the corner costs.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shardwater.alignment.scheme import Places, Scheme
from shardwater.alignment.taken import Taken
from shardwater.alignment.watch import Watch
from shardwater.sequences.alphabet import Codes

MARGIN = 128

Cells = npt.NDArray[Any]


@dataclass(slots=True)
class Row:
    """One row of the matrix for every subject of the batch: H and E, (longest + 1, subjects)."""

    index: int
    h: Cells
    e: Cells


class Sweep:
    """The recurrence in the narrowest integers that cannot overflow.

    The subjects lie side by side: a step along them is one contiguous block away, so that numpy runs through whole
    rows of the batch at the speed of memory.
    """

    def __init__(
        self,
        query: Places,
        subjects: Sequence[Codes],
        scheme: Scheme,
        watch: Watch | None = None,
        taken: Taken | None = None,
    ) -> None:
        """taken: pairs of letters that no alignment, which is local, may have."""
        self.query, self.mode, self.watch, self.taken = query, scheme.mode, watch or Watch(), taken
        self.longest = max(len(subject) for subject in subjects)
        best = max(1, scheme.best) * min(len(query), self.longest)
        dearest = best + 1 if scheme.mode.local else scheme.gap_first
        # A gap dearer than any score is never part of a local alignment, however dear.
        self.gap_open, self.gap_extend = min(scheme.gap_open, dearest), min(scheme.gap_extend, dearest)
        self.dtype = _narrowest(self._bound(best, scheme.worst))
        # Padding: no path through it is worth more than the cell where it left the subject, which comes before it.
        self._profile = _Profile.of(subjects, self.longest, scheme.scores.astype(self.dtype), padding=-best - 1)
        self._make_buffers(len(subjects))

    def _bound(self, best: int, worst: int) -> int:
        """No number on the way is further from 0."""
        if self.mode.local:
            return best + self.gap_open + (self.longest + 2) * self.gap_extend + MARGIN + max(0, -worst)
        gaps = 4 * self.gap_open + 3 * (len(self.query) + self.longest + 4) * self.gap_extend
        return best + gaps + MARGIN + max(0, -worst)

    def _make_buffers(self, subjects: int) -> None:
        shape = (self.longest + 1, subjects)
        ramp = (np.arange(shape[0]) * self.gap_extend).astype(self.dtype)
        # Whole arrays, not numbers and columns to broadcast: numpy has fast loops for those alone.
        self._ramp = np.repeat(ramp[:, None], subjects, axis=1)
        self._zero = np.zeros(shape, self.dtype)
        self._buffers = [np.empty(shape, self.dtype) for _ in range(3)]

    def select(self, chosen: list[int]) -> "Sweep":
        """The same sweep over some of the subjects."""
        if len(chosen) == self._zero.shape[1]:
            return self
        part = copy(self)
        part._profile = _Profile(self._profile.rows, self._profile.codes[:, chosen])
        part.taken = self.taken and self.taken.select(chosen)
        part._make_buffers(len(chosen))
        return part

    def part_rows(self, memory: int) -> int:
        """How many rows of H fit the memory."""
        return max(1, memory // self._zero.nbytes)

    def first_row(self) -> Row:
        """The upper border of the matrix; no gap of the query's letters has begun there."""
        h = self._zero
        if not (self.mode.local or self.mode.subject_begin):
            h = -(self._ramp + self.dtype(self.gap_open))
            h[0] = 0
        return Row(0, h, h - self.dtype(self.gap_open + self.gap_extend))

    def left(self, index: int) -> int:
        """H left of the matrix, in this row."""
        free = self.mode.local or self.mode.query_begin or index == 0
        return 0 if free else -(self.gap_open + index * self.gap_extend)

    def rows(self, row: Row, out: Cells | None = None) -> Iterator[Row]:
        """The rows after `row`, one by one; each overwrites the last, unless H goes to out[0], out[1], ..."""
        h, e = row.h, row.e.copy()
        spare = (np.empty_like(h), np.empty_like(h))
        for index in range(row.index + 1, len(self.query) + 1):
            below = out[index - row.index - 1] if out is not None else spare[index % 2]
            self._next(Row(index, h, e), self._profile.of_place(int(self.query[index - 1])), below)
            h = below
            self.watch.passed(h.size)
            yield Row(index, h, e)

    def _next(self, above: Row, scores: Cells, below: Cells) -> None:
        """Row `below`, whose index `above` has, from the cells above it; E is brought forward in place."""
        work, e = self._buffers[0], above.e
        first = self.gap_open + self.gap_extend
        np.subtract(e, self.gap_extend, out=e)
        np.subtract(above.h, first, out=work)
        np.maximum(e, work, out=e)
        np.add(above.h[:-1], scores, out=work[1:])
        if self.taken is not None:
            # Nothing is worth less in a local alignment.
            work[1:][self.taken.of_row(above.index - 1)] = 0
        np.maximum(work[1:], e[1:], out=work[1:])
        work[0] = self.left(above.index)
        if self.mode.local:
            np.maximum(work, self._zero, out=work)
        reach = self._reach(work)
        if reach == 0:
            below[...] = work
        else:
            self._close_gaps(work, below, reach)

    def _reach(self, work: Cells) -> int:
        """The most subject letters that a gap in this row can span and still be worth something."""
        if not self.mode.local:
            return self.longest
        left = int(work.max()) - self.gap_open
        if left <= 0 or left <= self.gap_extend:
            return 0
        return self.longest if self.gap_extend == 0 else min(self.longest, left // self.gap_extend)

    def _close_gaps(self, work: Cells, below: Cells, reach: int) -> None:
        """below = max(work, F), F[j] the best of work[t] - open - (j - t) * extend over t < j: a prefix maximum.

        The prefix maximum doubles its span each step, and stops at the longest gap worth anything.
        """
        scan, spare = self._buffers[1:]
        np.add(work, self._ramp, out=scan)
        span = 1
        while span < reach:
            # From one buffer to the other: in place, numpy would copy, and long copies are fresh pages each time.
            np.maximum(scan[span:], scan[:-span], out=spare[span:])
            spare[:span] = scan[:span]
            scan, spare = spare, scan
            span *= 2
        np.subtract(scan[:-1], self._ramp[1:], out=below[1:])
        np.subtract(below[1:], self.gap_open, out=below[1:])
        np.maximum(below[1:], work[1:], out=below[1:])
        below[0] = work[0]


class _Profile:
    """What each place of a query scores against every subject, and against what follows a subject's end."""

    def __init__(self, rows: Cells, codes: Codes) -> None:
        self.rows, self.codes = rows, codes
        # Those of letters are asked for again and again; of a PSSM each is another one, and all of them are too many.
        self._keeps = len(rows) < rows.shape[1]
        self._made: dict[int, Cells] = {}

    @classmethod
    def of(cls, subjects: Sequence[Codes], longest: int, scores: Cells, padding: int) -> Self:
        """Of subjects side by side, (longest, subjects)."""
        codes = np.full((longest, len(subjects)), scores.shape[1], dtype=np.uint8)
        for number, subject in enumerate(subjects):
            codes[: len(subject), number] = subject
        return cls(np.pad(scores, ((0, 0), (0, 1)), constant_values=padding), codes)

    def of_place(self, place: int) -> Cells:
        """The scores of a place, (longest, subjects)."""
        made = self._made.get(place)
        if made is None:
            made = self.rows[place].take(self.codes)
            if self._keeps:
                self._made[place] = made
        return made


def _narrowest(bound: int) -> type[np.signedinteger[Any]]:
    for dtype in (np.int16, np.int32):
        if bound < np.iinfo(dtype).max:
            return dtype
    return np.int64
