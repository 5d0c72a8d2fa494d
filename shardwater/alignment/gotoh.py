"""Best alignments of a query with a batch of subjects, in any mode: H by sweep.py, and the way back through it.

The alignment reported is the same whatever computes it: it ends in the first cell that holds the best score of those
where it may end (smallest query end, then smallest subject end) and goes back by the diagonal where it may, else by a
gap in the subject (I), else by a gap in the query (D), each gap as short as it can be, until H is 0 in a local
alignment, else to where the mode lets it begin.

Only H is stored: where a gap began is read from H, since the shortest gap of k letters that explains a cell starts k
cells away with H higher by its cost. Where H does not fit the memory allowed, rows are kept at intervals and the part
between two of them is computed again, for those subjects alone whose way back leads through it: the same paths, in
memory of one part.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment, Run, merge_runs
from shardwater.alignment.ends import EndPoint
from shardwater.alignment.keeper import Keeper, Progress, copied
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.sweep import Cells, Row, Sweep
from shardwater.alignment.watch import Watch
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import Codes

MEMORY = 64 << 20
"""Bytes for the stored part of H, and as much again for kept rows."""

FEW_ROWS = 16
RUN_KINDS = "MID"


@dataclass(slots=True)
class _Path:
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
    def back_from(cls, subject: int, row: int, column: int, score: int) -> "_Path":
        """One that is still to be followed."""
        return cls(subject, (row, column), score, row, column, score)

    @classmethod
    def kept(cls, numbers: npt.NDArray[np.int64], runs: npt.NDArray[np.int64]) -> "_Path":
        """One of the only subject, that `numbers` were."""
        end_row, end_column, score, row, column, value, in_gap, done = numbers.tolist()
        made = [Run(RUN_KINDS[kind], length) for kind, length in runs.tolist()]
        return cls(0, (end_row, end_column), score, row, column, value, bool(in_gap), bool(done), made)

    @property
    def numbers(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """It as numbers, and its runs (runs, 2) by kind and length."""
        numbers = [*self.end, self.score, self.row, self.column, self.value, self.in_gap, self.done]
        runs = [(RUN_KINDS.index(run.kind), run.length) for run in self.runs]
        return np.array(numbers, np.int64), np.array(runs, np.int64).reshape(-1, 2)

    def end_in(self, column: int) -> None:
        """The column of its end is known."""
        self.column, self.end = column, (self.row, column)

    def alignment(self) -> Alignment:
        """What it says, once it is done."""
        row, column = self.end
        return Alignment(self.score, self.row, row, self.column, column, merge_runs(self.runs[::-1]))

    def gap(self, kind: str, length: int, value: int) -> None:
        self.runs.append(Run(kind, length))
        self.row -= length if kind == "I" else 0
        self.column -= length if kind == "D" else 0
        self.value = value


class _Traceback:
    """Goes back through one pair's stored rows, `top.index` and those after it."""

    def __init__(self, sweep: Sweep, subject: Codes, scheme: Scheme) -> None:
        self.query, self.subject, self.scores = sweep.query, subject, scheme.table.scores
        self.gap_open, self.gap_extend, self._mode = sweep.gap_open, sweep.gap_extend, scheme.mode

    def follow(self, path: _Path, top: int, top_e: Cells, h: Cells) -> None:
        """Extend the path until it ends or reaches row `top`; h[0] is that row, top_e its E."""
        while not self._begins(path) and path.row > top:
            if not path.in_gap:
                self._diagonal(path, top, h)
            if self._begins(path) or path.row == top:
                break
            self._gap(path, top, top_e, h)
        if path.row == 0 and not self._begins(path):
            # Along a border that is not free.
            path.gap("D", path.column, 0)
        path.done = self._begins(path)

    def _begins(self, path: _Path) -> bool:
        """Whether the alignment begins in the cell reached."""
        if self._mode.local:
            return path.value == 0
        return self._mode.begins_at(path.row, path.column)

    def _diagonal(self, path: _Path, top: int, h: Cells) -> None:
        steps = min(path.row - top, path.column)
        back = np.arange(steps + 1)
        values = h[path.row - top - back, path.column - back].astype(np.int64)
        scores = self.scores[self.query[path.row - 1 - back[:-1]], self.subject[path.column - 1 - back[:-1]]]
        stays = values[:-1] == values[1:] + scores
        if self._mode.local:
            stays &= values[:-1] > 0
        run = steps if stays.all() else int(np.argmin(stays))
        if run:
            path.runs.append(Run("M", run))
            path.row, path.column = path.row - run, path.column - run
        path.value = int(values[run])

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
    """The best score of each subject so far where an alignment may end, and the first row that holds it."""

    scores: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    _mode: Mode
    _last: int
    _lengths: npt.NDArray[np.int64]

    @classmethod
    def none(cls, sweep: Sweep, subjects: Sequence[Codes]) -> "_Best":
        least = 0 if sweep.mode.local else np.iinfo(np.int64).min
        lengths = np.array([len(subject) for subject in subjects], np.int64)
        return cls(np.full(len(subjects), least), np.zeros_like(lengths), sweep.mode, len(sweep.query), lengths)

    def see(self, row: Row) -> None:
        """Take a row into account; rows come in order."""
        if self._mode.local:
            scores = _highest(row.h)
        elif row.index == self._last and self._mode.subject_end:
            beyond = np.arange(len(row.h))[:, None] > self._lengths
            scores = np.where(beyond, np.iinfo(row.h.dtype).min, row.h).max(axis=0)
        elif row.index == self._last or self._mode.query_end:
            scores = row.h[self._lengths, np.arange(len(self._lengths))]
        else:
            return
        better = scores > self.scores
        self.scores[better] = scores[better]
        self.rows[better] = row.index

    def paths(self) -> list[_Path]:
        """Those back from the end of each; the column of that is known once its row is stored."""
        ends = enumerate(zip(self.rows.tolist(), self.scores.tolist(), strict=True))
        paths = [_Path.back_from(subject, row, -1, score) for subject, (row, score) in ends]
        for path in paths:
            path.done = self._mode.local and path.score == 0
        return paths

    def column(self, subject: int, h: Cells) -> int:
        """The first column of its row that holds a subject's best score; h is its H in that row."""
        if self._mode.local:
            return int(h.argmax())
        length = int(self._lengths[subject])
        whole_row = self.rows[subject] == self._last and self._mode.subject_end
        return int(h[: length + 1].argmax()) if whole_row else length


def align_local(
    query: Codes, subjects: Sequence[Codes], scoring: Scoring, memory: int = MEMORY
) -> list[Alignment | None]:
    """The best local alignment of a query with each subject; None where no letters score above 0."""
    return align_batch(query, subjects, Scheme.local(scoring), memory)


def align_batch(
    query: Codes,
    subjects: Sequence[Codes],
    scheme: Scheme,
    memory: int = MEMORY,
    watch: Watch | None = None,
    keeper: Keeper | None = None,
) -> list[Alignment | None]:
    """The best alignment of a query with each subject; None where no letters score above 0 in a local one.

    watch: is told of each row; each is computed twice where H does not fit the memory, some more often. Raises Stopped.
    keeper: of a single subject, where H does not fit the memory. Subjects of like length waste least. Takes about
    2 x memory (bytes), besides some rows of (subjects) x (longest + 1) cells of 2 to 8 bytes.
    """
    if scheme.mode.local and (len(query) == 0 or max(map(len, subjects)) == 0):
        return [None] * len(subjects)
    sweep = Sweep(query, subjects, scheme, watch)
    best = _Best.none(sweep, subjects)
    tracebacks = [_Traceback(sweep, subject, scheme) for subject in subjects]
    back = _WayBack(sweep, tracebacks, memory, best, keeper)
    paths = back.follow_all(best.paths)
    return [None if scheme.mode.local and path.score == 0 else path.alignment() for path in paths]


def align_ends(
    query: Codes,
    subject: Codes,
    scheme: Scheme,
    ends: Sequence[EndPoint],
    memory: int = MEMORY,
    watch: Watch | None = None,
) -> list[Alignment]:
    """The best local alignments that end in some cells of H (ends.py), which score above 0.

    memory, watch: as align_batch has them.
    """
    if not ends:
        return []
    last = max(end.row for end in ends)
    sweep = Sweep(query[:last], [subject], scheme, watch)
    back = _WayBack(sweep, [_Traceback(sweep, subject, scheme)], memory)
    paths = [_Path.back_from(0, end.row, end.column, end.score) for end in ends]
    return [path.alignment() for path in back.follow_all(lambda: paths)]


def score_batch(
    query: Codes, subjects: Sequence[Codes], scheme: Scheme, watch: Watch | None = None
) -> Iterator[npt.NDArray[np.int64]]:
    """The scores of align_batch, 0 where it finds none, without a way back: row by row the best so far, in one array.

    The last are the scores; those of the row above the first letter come first. watch: as align_batch has it.
    """
    sweep = Sweep(query, subjects, scheme, watch)
    best, top = _Best.none(sweep, subjects), sweep.first_row()
    for row in chain((top,), sweep.rows(top)):
        best.see(row)
        yield best.scores


def _ignore(row: Row) -> None:
    """A row of which nothing need be known but its cells."""


class _WayBack:
    """The ways back of a whole batch, together through one part of the matrix after the other."""

    def __init__(
        self,
        sweep: Sweep,
        tracebacks: list[_Traceback],
        memory: int,
        best: _Best | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        """best: what sees all rows, and knows in which column of a row a path begins, where that is not known yet.

        keeper: of the only subject, which has a `best`.
        """
        self._sweep, self._tracebacks, self._memory, self._best = sweep, tracebacks, memory, best
        self._keeper = keeper

    def follow_all(self, begin: Callable[[], list[_Path]]) -> list[_Path]:
        """Paths to their ends; which they are is asked for when all rows have passed."""
        see = _ignore if self._best is None else self._best.see
        top, last, subjects = self._sweep.first_row(), len(self._sweep.query), list(range(len(self._tracebacks)))
        if last <= self._sweep.part_rows(self._memory):
            h = self._stored(top, last, see)
            paths = begin()
            self._follow_stored(paths, subjects, top, h)
        else:
            so_far = self._so_far()
            tops = so_far.kept if so_far and so_far.path else self._kept(top, last, see, so_far)
            paths = [_Path.kept(*so_far.path)] if so_far and so_far.path else begin()
            self._follow(paths, subjects, tops)
        return paths

    def _so_far(self) -> Progress | None:
        """How far somebody else has come."""
        so_far = None if self._keeper is None else Progress.read(self._keeper.arrays, self._sweep)
        if so_far is not None:
            assert self._best is not None
            self._best.scores[0], self._best.rows[0] = so_far.best
        return so_far

    def _keep(self, kept: list[Row], last: Row | None, path: _Path | None) -> None:
        if self._keeper is not None and self._keeper.due:
            assert self._best is not None
            best = int(self._best.scores[0]), int(self._best.rows[0])
            self._keeper.keep(Progress(kept, last, best, None if path is None else path.numbers).arrays)

    def _stored(self, top: Row, last: int, see: Callable[[Row], None]) -> Cells:
        """H from row `top` to row `last`, for all subjects of the row."""
        h = np.empty((last - top.index + 1, *top.h.shape), self._sweep.dtype)
        h[0] = top.h
        see(top)
        for row in islice(self._sweep.rows(top, out=h[1:]), last - top.index):
            see(row)
        return h

    def _kept(self, top: Row, last: int, see: Callable[[Row], None], so_far: Progress | None = None) -> list[Row]:
        """`top` and rows after it at intervals, up to row `last`: one a part, or as many as fit the memory.

        so_far: of rows that somebody else has passed.
        """
        part = self._sweep.part_rows(self._memory)
        step = max(part, -(-(last - top.index) // max(2, part // 2)))
        rows, above = [top], top
        if so_far is not None and so_far.last is not None:
            rows, above = so_far.kept, so_far.last
        else:
            see(top)
        for row in islice(self._sweep.rows(above), last - above.index):
            see(row)
            if row.index < last and (row.index - top.index) % step == 0:
                rows.append(copied(row))
            self._keep(rows, row, None)
        return rows

    def _follow(self, paths: list[_Path], subjects: list[int], tops: list[Row]) -> None:
        """Follow paths of these subjects, which are the rows' own, up through the parts, last first."""
        while tops:
            top = tops.pop()
            through = [path for path in paths if not path.done and (path.row > top.index or top.index == 0)]
            wanted = {path.subject for path in through}
            places = [number for number, subject in enumerate(subjects) if subject in wanted]
            if places:
                part = _WayBack(self._sweep.select(places), self._tracebacks, self._memory, self._best)
                part._follow_part(
                    through,
                    [subjects[place] for place in places],
                    Row(top.index, top.h[:, places], top.e[:, places]),
                )
            if tops:
                self._keep(tops, None, paths[0])

    def _follow_part(self, paths: list[_Path], subjects: list[int], top: Row) -> None:
        last = max(path.row for path in paths)
        if last - top.index <= self._sweep.part_rows(self._memory):
            self._follow_stored(paths, subjects, top, self._stored(top, last, _ignore))
        else:
            self._follow(paths, subjects, self._kept(top, last, _ignore))

    def _follow_stored(self, paths: list[_Path], subjects: list[int], top: Row, h: Cells) -> None:
        """Follow paths of these subjects through stored rows."""
        places = {subject: place for place, subject in enumerate(subjects)}
        for path in paths:
            if path.done:
                continue
            place = places[path.subject]
            if path.column < 0:
                assert self._best is not None
                path.end_in(self._best.column(path.subject, h[path.row - top.index, :, place]))
            self._tracebacks[path.subject].follow(path, top.index, top.e[:, place], h[:, :, place])
