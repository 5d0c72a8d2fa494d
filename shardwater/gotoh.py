"""Best local alignments by Gotoh's recurrence, a row of the matrix at a time over a batch of subjects.

The alignment reported is the same whatever computes it: it ends in the first cell that holds the best score
(smallest query end, then smallest subject end) and goes back by the diagonal where it may, else by a gap in
the subject (I), else by a gap in the query (D), each gap as short as it can be, until H is 0.

Source of the recurrence: Gotoh, J. Mol. Biol. 162 (1982). Only H is stored: where a gap began is read from H,
since the shortest gap of k residues that explains a cell starts k cells away with H higher by its cost. Where
H does not fit the memory allowed, rows are kept at intervals and the part between two of them is computed
again when the way back enters it: the same path, in memory of one part.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment import Alignment, Run, merge_runs
from shardwater.alphabet import Codes
from shardwater.scoring import Scoring

MEMORY = 64 << 20
"""Bytes for the stored part of H of a long pair, and as much again for kept rows."""

Cells = npt.NDArray[Any]


@dataclass(slots=True)
class _Row:
    """One row of the matrix for every subject of the batch: H and E, (subjects, longest + 1)."""

    index: int
    h: Cells
    e: Cells


class _Sweep:
    """The recurrence for one query and a batch of subjects, in the narrowest integers that cannot overflow."""

    def __init__(self, query: Codes, subjects: Sequence[Codes], scoring: Scoring, memory: int) -> None:
        self.query, self.memory = query, memory
        self.longest = max(len(subject) for subject in subjects)
        best = max(1, int(scoring.scores.max())) * min(len(query), self.longest)
        # A gap dearer than any score is never taken, however dear.
        self.gap_open, self.gap_extend = min(scoring.gap_open, best + 1), min(scoring.gap_extend, best + 1)
        self.dtype = _narrowest(best + self.gap_open + (self.longest + 2) * self.gap_extend + 128)
        self.profile = self._profile(subjects, scoring, padding=-best - 1)
        shape = (len(subjects), self.longest + 1)
        self.ramp = (np.arange(shape[1]) * self.gap_extend).astype(self.dtype)
        self._work = np.empty(shape, self.dtype)
        self._scan = np.empty(shape, self.dtype)

    def _profile(self, subjects: Sequence[Codes], scoring: Scoring, padding: int) -> dict[int, Cells]:
        """For each letter of the query its scores against every subject; what follows a subject's end scores padding.

        No path through padding is worth more than the cell where it left the subject, which comes before it.
        """
        codes = np.full((len(subjects), self.longest), len(scoring.scores), dtype=np.uint8)
        for row, subject in zip(codes, subjects, strict=True):
            row[: len(subject)] = subject
        scores = np.pad(scoring.scores, ((0, 0), (0, 1)), constant_values=padding).astype(self.dtype)
        return {letter: scores[letter][codes] for letter in np.unique(self.query).tolist()}

    def first_row(self) -> _Row:
        shape = (len(self._work), self.longest + 1)
        border = np.full(shape, -(self.gap_open + self.gap_extend), self.dtype)
        return _Row(0, np.zeros(shape, self.dtype), border)

    def rows(self, row: _Row, out: Cells | None = None) -> Iterator[_Row]:
        """The rows after `row`, one by one; each overwrites the last, unless H goes to out[0], out[1], ..."""
        h, e = row.h, row.e.copy()
        spare = (np.empty_like(h), np.empty_like(h))
        for index in range(row.index + 1, len(self.query) + 1):
            below = out[index - row.index - 1] if out is not None else spare[index % 2]
            self._next(self.profile[int(self.query[index - 1])], h, e, below)
            h = below
            yield _Row(index, h, e)

    def _next(self, scores: Cells, above: Cells, e: Cells, below: Cells) -> None:
        """Row `below` from row `above`; e is brought forward in place."""
        work = self._work
        first = self.gap_open + self.gap_extend
        np.subtract(e, self.gap_extend, out=e)
        np.subtract(above, first, out=work)
        np.maximum(e, work, out=e)
        np.add(above[:, :-1], scores, out=work[:, 1:])
        work[:, 0] = 0
        np.maximum(work, e, out=work)
        np.maximum(work, 0, out=work)
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
        scan = self._scan
        np.add(work, self.ramp, out=scan)
        span = 1
        while span < reach:
            np.maximum(scan[:, span:], scan[:, :-span], out=scan[:, span:])
            span *= 2
        below[:, 0] = 0
        np.subtract(scan[:, :-1], self.ramp[1:], out=below[:, 1:])
        below[:, 1:] -= self.gap_open
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


def align_local(
    query: Codes, subjects: Sequence[Codes], scoring: Scoring, memory: int = MEMORY
) -> list[Alignment | None]:
    """The best local alignment of a query with each subject; None where no letters score above 0.

    The caller keeps batches small and of like length: all of H is stored, (query + 1) x subjects x
    (longest + 1) cells of 2 to 8 bytes; but a single pair takes about 2 x memory (bytes) at most.
    """
    if len(query) == 0 or max(map(len, subjects)) == 0:
        return [None] * len(subjects)
    sweep = _Sweep(query, subjects, scoring, memory)
    cells = (len(query) + 1) * len(subjects) * (sweep.longest + 1)
    if cells * np.dtype(sweep.dtype).itemsize <= memory or len(subjects) > 1:
        return _align_stored(sweep, subjects, scoring)
    return [_align_long(sweep, subjects[0], scoring)]


def _align_stored(sweep: _Sweep, subjects: Sequence[Codes], scoring: Scoring) -> list[Alignment | None]:
    top = sweep.first_row()
    h = np.zeros((len(sweep.query) + 1, *top.h.shape), sweep.dtype)
    best = np.zeros((len(sweep.query) + 1, len(subjects)), sweep.dtype)
    for row in sweep.rows(top, out=h[1:]):
        row.h.max(axis=1, out=best[row.index])
    found: list[Alignment | None] = []
    for number, (subject, end) in enumerate(zip(subjects, best.argmax(axis=0).tolist(), strict=True)):
        column = int(h[end, number].argmax())
        path = _Path(end, column, int(h[end, number, column]))
        if path.value > 0:
            _Traceback(sweep, subject, scoring).follow(path, 0, top.e[number], h[:, number])
        found.append(_alignment(path, end, column, int(best[end, number])))
    return found


def _align_long(sweep: _Sweep, subject: Codes, scoring: Scoring) -> Alignment | None:
    top = sweep.first_row()
    score, end, column = 0, 0, 0
    kept = _kept_rows(sweep, top, len(sweep.query))
    tops = [top]
    for row in sweep.rows(top):
        value = int(row.h.max())
        if value > score:
            score, end, column = value, row.index, int(row.h[0].argmax())
        if row.index in kept:
            tops.append(_Row(row.index, row.h.copy(), row.e.copy()))
    path = _Path(end, column, score)
    if score > 0:
        _follow_back(sweep, _Traceback(sweep, subject, scoring), tops, path)
    return _alignment(path, end, column, score)


def _part_rows(sweep: _Sweep) -> int:
    """How many rows of H fit the memory."""
    return max(1, sweep.memory // ((sweep.longest + 1) * np.dtype(sweep.dtype).itemsize))


def _kept_rows(sweep: _Sweep, top: _Row, last: int) -> range:
    """The rows to keep between `top` and `last`: one a part, or as many as fit the memory for kept rows."""
    part = _part_rows(sweep)
    most = max(2, part // 2)
    step = max(part, -(-(last - top.index) // most))
    return range(top.index + step, last, step)


def _follow_back(sweep: _Sweep, traceback: _Traceback, tops: list[_Row], path: _Path) -> None:
    """Follow the path up through the parts below each kept row, last first."""
    while tops and not path.done:
        top = tops.pop()
        if path.row <= top.index:
            continue
        if path.row - top.index > _part_rows(sweep):
            _follow_back(sweep, traceback, _subdivide(sweep, top, path.row), path)
            continue
        h = np.empty((path.row - top.index + 1, *top.h.shape), sweep.dtype)
        h[0] = top.h
        for row in sweep.rows(top, out=h[1:]):
            if row.index == path.row:
                break
        traceback.follow(path, top.index, top.e[0], h[:, 0])


def _subdivide(sweep: _Sweep, top: _Row, last: int) -> list[_Row]:
    kept = _kept_rows(sweep, top, last)
    tops = [top]
    for row in sweep.rows(top):
        if row.index in kept:
            tops.append(_Row(row.index, row.h.copy(), row.e.copy()))
        if row.index == last:
            break
    return tops


def _alignment(path: _Path, query_end: int, subject_end: int, score: int) -> Alignment | None:
    if score == 0:
        return None
    return Alignment(score, path.row, query_end, path.column, subject_end, merge_runs(path.runs[::-1]))
