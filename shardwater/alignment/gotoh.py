"""Best local alignments by Gotoh's recurrence, a row of the matrix at a time over a batch of subjects.

The alignment reported is the same whatever computes it: it ends in the first cell that holds the best score
(smallest query end, then smallest subject end) and goes back by the diagonal where it may, else by a gap in
the subject (I), else by a gap in the query (D), each gap as short as it can be, until H is 0.

Source of the recurrence: Gotoh, J. Mol. Biol. 162 (1982). Only H is stored: where a gap began is read from H,
since the shortest gap of k residues that explains a cell starts k cells away with H higher by its cost. Where
H does not fit the memory allowed, rows are kept at intervals and the part between two of them is computed
again, for those subjects alone whose way back leads through it: the same paths, in memory of one part.
"""

from collections.abc import Generator, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment, Run, merge_runs
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import Codes

MEMORY = 64 << 20
"""Bytes for the stored part of H, and as much again for kept rows."""

FEW_ROWS = 16

Cells = npt.NDArray[Any]


@dataclass(slots=True)
class _Row:
    """One row of the matrix for every subject of the batch: H and E, (longest + 1, subjects)."""

    index: int
    h: Cells
    e: Cells


class _Sweep:
    """The recurrence for one query and a batch of subjects, in the narrowest integers that cannot overflow.

    The subjects lie side by side: a step along them is one contiguous block away, so that numpy runs through whole
    rows of the batch at the speed of memory.
    """

    def __init__(self, query: Codes, subjects: Sequence[Codes], scoring: Scoring) -> None:
        self.query = query
        self.longest = max(len(subject) for subject in subjects)
        best = max(1, int(scoring.scores.max())) * min(len(query), self.longest)
        # A gap dearer than any score is never taken, however dear.
        self.gap_open, self.gap_extend = min(scoring.gap_open, best + 1), min(scoring.gap_extend, best + 1)
        self.dtype = _narrowest(best + self.gap_open + (self.longest + 2) * self.gap_extend + 128)
        self._profile = self._scores(subjects, scoring, padding=-best - 1)
        self._make_buffers(len(subjects))

    def _scores(self, subjects: Sequence[Codes], scoring: Scoring, padding: int) -> dict[int, Cells]:
        """For each letter of the query its scores against every subject; what follows a subject's end scores padding.

        No path through padding is worth more than the cell where it left the subject, which comes before it.
        """
        codes = np.full((self.longest, len(subjects)), len(scoring.scores), dtype=np.uint8)
        for number, subject in enumerate(subjects):
            codes[: len(subject), number] = subject
        scores = np.pad(scoring.scores, ((0, 0), (0, 1)), constant_values=padding).astype(self.dtype)
        return {letter: scores[letter][codes] for letter in np.unique(self.query).tolist()}

    def _make_buffers(self, subjects: int) -> None:
        shape = (self.longest + 1, subjects)
        ramp = (np.arange(shape[0]) * self.gap_extend).astype(self.dtype)
        # Whole arrays, not numbers and columns to broadcast: numpy has fast loops for those alone.
        self._ramp = np.repeat(ramp[:, None], subjects, axis=1)
        self._zero = np.zeros(shape, self.dtype)
        self._buffers = [np.empty(shape, self.dtype) for _ in range(3)]

    def select(self, chosen: list[int]) -> "_Sweep":
        """The same sweep over some of the subjects."""
        if len(chosen) == self._zero.shape[1]:
            return self
        part = copy(self)
        part._profile = {letter: scores[:, chosen] for letter, scores in self._profile.items()}
        part._make_buffers(len(chosen))
        return part

    def part_rows(self, memory: int) -> int:
        """How many rows of H fit the memory."""
        return max(1, memory // self._zero.nbytes)

    def first_row(self) -> _Row:
        """The upper border of the matrix."""
        border = np.full_like(self._zero, -(self.gap_open + self.gap_extend))
        return _Row(0, self._zero, border)

    def rows(self, row: _Row, out: Cells | None = None) -> Iterator[_Row]:
        """The rows after `row`, one by one; each overwrites the last, unless H goes to out[0], out[1], ..."""
        h, e = row.h, row.e.copy()
        spare = (np.empty_like(h), np.empty_like(h))
        for index in range(row.index + 1, len(self.query) + 1):
            below = out[index - row.index - 1] if out is not None else spare[index % 2]
            self._next(self._profile[int(self.query[index - 1])], h, e, below)
            h = below
            yield _Row(index, h, e)

    def _next(self, scores: Cells, above: Cells, e: Cells, below: Cells) -> None:
        """Row `below` from row `above`; e is brought forward in place."""
        work = self._buffers[0]
        first = self.gap_open + self.gap_extend
        np.subtract(e, self.gap_extend, out=e)
        np.subtract(above, first, out=work)
        np.maximum(e, work, out=e)
        np.add(above[:-1], scores, out=work[1:])
        work[0] = 0
        np.maximum(work, e, out=work)
        np.maximum(work, self._zero, out=work)
        reach = self._reach(int(work.max()))
        if reach == 0:
            below[...] = work
        else:
            self._close_gaps(work, below, reach)

    def _reach(self, best: int) -> int:
        """The most subject residues that a gap from a cell worth `best` can span and still be worth more than 0."""
        left = best - self.gap_open
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
        below[0] = 0
        np.maximum(below, work, out=below)


def _narrowest(bound: int) -> type[np.signedinteger[Any]]:
    for dtype in (np.int16, np.int32):
        if bound < np.iinfo(dtype).max:
            return dtype
    return np.int64


@dataclass(slots=True)
class _Path:
    """The way back: the cell reached, the value that the rest must explain, and the runs so far (last first)."""

    row: int
    column: int
    value: int
    in_gap: bool = False
    done: bool = False
    runs: list[Run] = field(default_factory=list)

    def gap(self, kind: str, length: int, value: int) -> None:
        self.runs.append(Run(kind, length))
        self.row -= length if kind == "I" else 0
        self.column -= length if kind == "D" else 0
        self.value = value


class _Traceback:
    """Goes back through one pair's stored rows, `top.index` and those after it."""

    def __init__(self, sweep: _Sweep, subject: Codes, scoring: Scoring) -> None:
        self.query, self.subject, self.scores = sweep.query, subject, scoring.scores
        self.gap_open, self.gap_extend = sweep.gap_open, sweep.gap_extend

    def follow(self, path: _Path, top: int, top_e: Cells, h: Cells) -> None:
        """Extend the path until it ends or reaches row `top`; h[0] is that row, top_e its E."""
        while not path.done and path.row > top:
            if not path.in_gap:
                self._diagonal(path, top, h)
            if path.done or path.row == top:
                return
            self._gap(path, top, top_e, h)

    def _diagonal(self, path: _Path, top: int, h: Cells) -> None:
        steps = min(path.row - top, path.column)
        back = np.arange(steps + 1)
        values = h[path.row - top - back, path.column - back].astype(np.int64)
        scores = self.scores[self.query[path.row - 1 - back[:-1]], self.subject[path.column - 1 - back[:-1]]]
        stays = (values[:-1] > 0) & (values[:-1] == values[1:] + scores)
        run = steps if stays.all() else int(np.argmin(stays))
        if run:
            path.runs.append(Run("M", run))
            path.row, path.column = path.row - run, path.column - run
        path.value = int(values[run])
        path.done = path.value == 0

    def _gap(self, path: _Path, top: int, top_e: Cells, h: Cells) -> None:
        """The shortest gap that explains path.value: I first, then D. One that leaves by row `top` stays open."""
        rows, value = path.row - top, path.value
        up = h[rows - 1 :: -1, path.column] if rows else h[:0, path.column]
        opened = np.flatnonzero(up == self._opening(value, len(up)))
        if opened.size:
            length = int(opened[0]) + 1
            path.gap("I", length, int(up[opened[0]]))
            path.in_gap = False
        elif int(top_e[path.column]) == value + rows * self.gap_extend:
            path.gap("I", rows, int(top_e[path.column]))
            path.in_gap = True
        else:
            left = h[rows, path.column - 1 :: -1]
            length = int(np.flatnonzero(left == self._opening(value, len(left)))[0]) + 1
            path.gap("D", length, int(left[length - 1]))

    def _opening(self, value: int, count: int) -> npt.NDArray[np.int64]:
        """What H must be 1, 2, ... count cells away for a gap from there to be worth `value` here."""
        return value + self.gap_open + self.gap_extend * np.arange(1, count + 1, dtype=np.int64)


def _highest(cells: Cells) -> Cells:
    """The maximum over the first axis, by halves: numpy's own goes row by row, slowly where rows are short."""
    while len(cells) > FEW_ROWS:
        half = len(cells) // 2
        folded = np.maximum(cells[:half], cells[half : 2 * half])
        if len(cells) % 2:
            np.maximum(folded[0], cells[-1], out=folded[0])
        cells = folded
    highest: Cells = cells.max(axis=0)
    return highest


@dataclass(slots=True)
class _Best:
    """The best score of each subject so far, and the first row that holds it."""

    scores: Cells
    rows: npt.NDArray[np.int64]

    @classmethod
    def none(cls, subjects: int, dtype: type[np.signedinteger[Any]]) -> "_Best":
        return cls(np.zeros(subjects, dtype), np.zeros(subjects, np.int64))

    def see(self, row: _Row) -> None:
        """Take a row into account; rows come in order."""
        scores = _highest(row.h)
        better = scores > self.scores
        self.scores[better] = scores[better]
        self.rows[better] = row.index


def align_local(
    query: Codes, subjects: Sequence[Codes], scoring: Scoring, memory: int = MEMORY
) -> list[Alignment | None]:
    """The best local alignment of a query with each subject; None where no letters score above 0.

    Subjects of like length waste least. Takes about 2 x memory (bytes), besides some rows of (subjects) x
    (longest + 1) cells of 2 to 8 bytes.
    """
    if len(query) == 0 or max(map(len, subjects)) == 0:
        return [None] * len(subjects)
    sweep = _Sweep(query, subjects, scoring)
    back = _WayBack(sweep, [_Traceback(sweep, subject, scoring) for subject in subjects], memory)
    top = sweep.first_row()
    best = _Best.none(len(subjects), sweep.dtype)
    if len(query) <= sweep.part_rows(memory):
        h = back.stored(top, len(query), best)
        back.begin(best)
        back.follow_stored(list(range(len(subjects))), top, h)
    else:
        tops = back.kept(top, len(query), best)
        back.begin(best)
        back.follow(list(range(len(subjects))), tops)
    return back.alignments(best)


def score_local(query: Codes, subjects: Sequence[Codes], scoring: Scoring) -> Generator[int, None, list[int]]:
    """The best local score of a query with each subject: those of align_local, without a way back.

    They are returned at the end; each row of the batch gives the number of its cells when it is done.
    """
    if len(query) == 0 or max(map(len, subjects)) == 0:
        return [0] * len(subjects)
    sweep, cells = _Sweep(query, subjects, scoring), sum(map(len, subjects))
    best = _Best.none(len(subjects), sweep.dtype)
    for row in sweep.rows(sweep.first_row()):
        best.see(row)
        yield cells
    found: list[int] = best.scores.tolist()
    return found


class _WayBack:
    """The ways back of a whole batch, together through one part of the matrix after the other."""

    def __init__(self, sweep: _Sweep, tracebacks: list[_Traceback], memory: int) -> None:
        self._sweep, self._tracebacks, self._memory = sweep, tracebacks, memory
        self._paths: list[_Path] = []
        self._ends: list[int] = []

    def begin(self, best: _Best) -> None:
        """Every path starts in the row of its end; its column is known once that row is stored."""
        self._paths = [_Path(row, -1, int(score)) for row, score in zip(best.rows.tolist(), best.scores, strict=True)]
        self._ends = [-1] * len(self._paths)
        for path in self._paths:
            path.done = path.value == 0

    def stored(self, top: _Row, last: int, best: _Best | None = None) -> Cells:
        """H from row `top` to row `last`, for all subjects of the row."""
        h = np.empty((last - top.index + 1, *top.h.shape), self._sweep.dtype)
        h[0] = top.h
        for row in self._sweep.rows(top, out=h[1:]):
            if best is not None:
                best.see(row)
            if row.index == last:
                break
        return h

    def kept(self, top: _Row, last: int, best: _Best | None = None) -> list[_Row]:
        """`top` and rows after it at intervals, up to row `last`: one a part, or as many as fit the memory."""
        part = self._sweep.part_rows(self._memory)
        step = max(part, -(-(last - top.index) // max(2, part // 2)))
        rows = [top]
        for row in self._sweep.rows(top):
            if best is not None:
                best.see(row)
            if row.index == last:
                break
            if (row.index - top.index) % step == 0:
                rows.append(_Row(row.index, row.h.copy(), row.e.copy()))
        return rows

    def follow(self, subjects: list[int], tops: list[_Row]) -> None:
        """Follow the paths of these subjects, which are the rows' own, up through the parts, last first."""
        while tops:
            top = tops.pop()
            places = [n for n, s in enumerate(subjects) if not self._paths[s].done and self._paths[s].row > top.index]
            if places:
                through = [subjects[place] for place in places]
                self._follow_part(through, _Row(top.index, top.h[:, places], top.e[:, places]))

    def _follow_part(self, subjects: list[int], top: _Row) -> None:
        last = max(self._paths[subject].row for subject in subjects)
        part = _WayBack(self._sweep.select(subjects), self._tracebacks, self._memory)
        part._paths, part._ends = self._paths, self._ends
        if last - top.index <= part._sweep.part_rows(self._memory):
            part.follow_stored(subjects, top, part.stored(top, last))
        else:
            part.follow(subjects, part.kept(top, last))

    def follow_stored(self, subjects: list[int], top: _Row, h: Cells) -> None:
        """Follow the paths of these subjects through stored rows."""
        for place, subject in enumerate(subjects):
            path = self._paths[subject]
            if path.column < 0 and not path.done:
                path.column = self._ends[subject] = int(h[path.row - top.index, :, place].argmax())
            self._tracebacks[subject].follow(path, top.index, top.e[:, place], h[:, :, place])

    def alignments(self, best: _Best) -> list[Alignment | None]:
        """What the finished paths say."""
        ends = zip(best.scores.tolist(), best.rows.tolist(), self._ends, self._paths, strict=True)
        return [
            Alignment(score, path.row, row, path.column, column, merge_runs(path.runs[::-1])) if score else None
            for score, row, column, path in ends
        ]
