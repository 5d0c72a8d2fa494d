"""The way back through stored rows of H, run by run (gotoh.py says by which rules)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment, Run, merge_runs
from shardwater.alignment.scheme import Scheme
from shardwater.alignment.sweep import Cells, Sweep
from shardwater.alignment.taken import TakenPairs
from shardwater.sequences.alphabet import Codes

LOOKED_AT = 32
"""Cells of a run that are looked at together, at first; then so many times as many."""
_KINDS = "MID"


@dataclass(slots=True)
class Path:
    """A way back: whose subject's, where it began (column -1: not known yet) and with which score, the cell reached,
    the value that the rest must explain, and the runs so far (last first)."""

    subject: int
    end: tuple[int, int]
    score: int
    row: int
    column: int
    value: int
    in_gap: bool = False
    done: bool = False
    runs: list[Run] = field(default_factory=list)

    @classmethod
    def back_from(cls, subject: int, row: int, column: int, score: int) -> Self:
        """One that is still to be followed."""
        return cls(subject, (row, column), score, row, column, score)

    @classmethod
    def kept(cls, numbers: npt.NDArray[np.int64], runs: npt.NDArray[np.int64]) -> Self:
        """One of the only subject, that `numbers` were."""
        end_row, end_column, score, row, column, value, in_gap, done = numbers.tolist()
        made = [Run(_KINDS[kind], length) for kind, length in runs.tolist()]
        return cls(0, (end_row, end_column), score, row, column, value, bool(in_gap), bool(done), made)

    @property
    def numbers(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """It as numbers, and its runs (runs, 2) by kind and length."""
        numbers = [*self.end, self.score, self.row, self.column, self.value, self.in_gap, self.done]
        runs = [(_KINDS.index(run.kind), run.length) for run in self.runs]
        return np.array(numbers, np.int64), np.array(runs, np.int64).reshape(-1, 2)

    def end_in(self, column: int) -> None:
        """The column of its end is known."""
        self.column, self.end = column, (self.row, column)

    def alignment(self) -> Alignment:
        """What it says, once it is done."""
        row, column = self.end
        return Alignment(self.score, self.row, row, self.column, column, merge_runs(self.runs[::-1]))

    def gap(self, kind: str, length: int, value: int) -> None:
        """Go along a gap, I or D, to a cell of this value."""
        self.runs.append(Run(kind, length))
        self.row -= length if kind == "I" else 0
        self.column -= length if kind == "D" else 0
        self.value = value


class Traceback:
    """Goes back through one pair's stored rows, `top.index` and those after it."""

    def __init__(self, sweep: Sweep, subject: Codes, scheme: Scheme, taken: TakenPairs | None = None) -> None:
        """taken: pairs of letters that no path may have."""
        self._taken = taken
        self.query, self.subject, self.scores = sweep.query, subject, scheme.scores
        self._watch = sweep.watch
        self.gap_open, self.gap_extend, self._mode = sweep.gap_open, sweep.gap_extend, scheme.mode

    def follow(self, path: Path, top: int, top_e: Cells, h: Cells) -> None:
        """Extend the path until it ends or reaches row `top`; h[0] is that row, top_e its E."""
        while not self._begins(path) and path.row > top:
            self._watch.passed(0)
            if not path.in_gap:
                self._diagonal(path, top, h)
            if self._begins(path) or path.row == top:
                break
            self._gap(path, top, top_e, h)
        if path.row == 0 and not self._begins(path):
            # Along a border that is not free.
            path.gap("D", path.column, 0)
        path.done = self._begins(path)

    def _begins(self, path: Path) -> bool:
        """Whether the alignment begins in the cell reached."""
        if self._mode.local:
            return path.value == 0
        return self._mode.begins_at(path.row, path.column)

    def _diagonal(self, path: Path, top: int, h: Cells) -> None:
        most = min(path.row - top, path.column)
        for first, last in _looks(most):
            back = np.arange(first, last + 1)
            values = h[path.row - top - back, path.column - back].astype(np.int64)
            scores = self.scores[self.query[path.row - 1 - back[:-1]], self.subject[path.column - 1 - back[:-1]]]
            stays = values[:-1] == values[1:] + scores
            if self._mode.local:
                stays &= values[:-1] > 0
            if self._taken is not None:
                stays &= ~self._taken.among(path.row - 1 - back[:-1], path.column - 1 - back[:-1])
            run = last if stays.all() else first + int(np.argmin(stays))
            if run < last or last == most:
                break
        else:
            return
        path.value = int(values[run - first])
        if run:
            path.runs.append(Run("M", run))
            path.row, path.column = path.row - run, path.column - run

    def _gap(self, path: Path, top: int, top_e: Cells, h: Cells) -> None:
        """The shortest gap that explains path.value: I first, then D. One that leaves by row `top` stays open."""
        rows = path.row - top
        up = h[rows - 1 :: -1, path.column] if rows else h[:0, path.column]
        length = self._opened(up, path.value)
        if length:
            path.gap("I", length, int(up[length - 1]))
            path.in_gap = False
        elif int(top_e[path.column]) == path.value + rows * self.gap_extend:
            path.gap("I", rows, int(top_e[path.column]))
            path.in_gap = True
        else:
            left = h[rows, path.column - 1 :: -1]
            length = self._opened(left, path.value)
            assert length
            path.gap("D", length, int(left[length - 1]))

    def _opened(self, cells: Cells, value: int) -> int:
        """How long the shortest gap is that begins in one of these cells, the nearest first, and is worth `value` here.

        0 where none does.
        """
        for first, last in _looks(len(cells)):
            opening = value + self.gap_open + self.gap_extend * np.arange(first + 1, last + 1, dtype=np.int64)
            places = np.flatnonzero(cells[first:last] == opening)
            if places.size:
                return first + int(places[0]) + 1
        return 0


def _looks(count: int) -> Iterator[tuple[int, int]]:
    """The first and the last of so many cells that are looked at together: few at first, as most runs are short."""
    last, more = 0, LOOKED_AT
    while last < count:
        first, last = last, min(count, last + more)
        yield first, last
        more *= LOOKED_AT
