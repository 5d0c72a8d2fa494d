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
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.checkpoint import Checkpoint, Progress, copied
from shardwater.alignment.ends import EndPoint
from shardwater.alignment.scheme import Mode, Places, Scheme
from shardwater.alignment.sweep import Cells, Row, Sweep
from shardwater.alignment.taken import Taken
from shardwater.alignment.traceback import Path, Traceback
from shardwater.alignment.watch import Watch
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import Codes

MEMORY = 64 << 20
"""Bytes for the stored part of H, and as much again for kept rows."""

FEW_ROWS = 16


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

    def paths(self) -> list[Path]:
        """Those back from the end of each; the column of that is known once its row is stored."""
        ends = enumerate(zip(self.rows.tolist(), self.scores.tolist(), strict=True))
        paths = [Path.back_from(subject, row, -1, score) for subject, (row, score) in ends]
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


def align_next(
    query: Places,
    subjects: Sequence[Codes],
    scheme: Scheme,
    earlier: Sequence[Sequence[Alignment]],
    memory: int = MEMORY,
    watch: Watch | None = None,
) -> list[Alignment | None]:
    """The best local alignment of a query with each subject of those that share no pair of letters with earlier ones.

    The rules of the best one stay: of what is left, it ends in the first cell with the best score, and goes back by
    the diagonal where that is free. None where nothing scores above 0. memory, watch: as align_batch has them.
    """
    if len(query) == 0 or max(map(len, subjects)) == 0:
        return [None] * len(subjects)
    taken = Taken.of(earlier, len(query), max(map(len, subjects)))
    sweep = Sweep(query, subjects, scheme, watch, taken)
    best = _Best.none(sweep, subjects)
    tracebacks = [
        Traceback(sweep, subject, scheme, taken.of_subject(number) if earlier[number] else None)
        for number, subject in enumerate(subjects)
    ]
    return _found(_WayBack(sweep, tracebacks, memory, best).follow_all(best.paths), local=True)


def _found(paths: Sequence[Path], *, local: bool) -> list[Alignment | None]:
    return [None if local and path.score == 0 else path.alignment() for path in paths]


def align_batch(
    query: Places,
    subjects: Sequence[Codes],
    scheme: Scheme,
    memory: int = MEMORY,
    watch: Watch | None = None,
    checkpoint: Checkpoint | None = None,
) -> list[Alignment | None]:
    """The best alignment of a query with each subject; None where no letters score above 0 in a local one.

    watch: is told of each row; each is computed twice where H does not fit the memory, some more often. Raises Stopped.
    checkpoint: of a single subject, where H does not fit the memory. Subjects of like length waste least. Takes about
    2 x memory (bytes), besides some rows of (subjects) x (longest + 1) cells of 2 to 8 bytes.
    """
    if scheme.mode.local and (len(query) == 0 or max(map(len, subjects)) == 0):
        return [None] * len(subjects)
    sweep = Sweep(query, subjects, scheme, watch)
    best = _Best.none(sweep, subjects)
    tracebacks = [Traceback(sweep, subject, scheme) for subject in subjects]
    back = _WayBack(sweep, tracebacks, memory, best, checkpoint)
    paths = back.follow_all(best.paths)
    return _found(paths, local=scheme.mode.local)


def align_ends(
    query: Places,
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
    back = _WayBack(sweep, [Traceback(sweep, subject, scheme)], memory)
    paths = [Path.back_from(0, end.row, end.column, end.score) for end in ends]
    return [path.alignment() for path in back.follow_all(lambda: paths)]


def score_batch(
    query: Places, subjects: Sequence[Codes], scheme: Scheme, watch: Watch | None = None
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
        tracebacks: list[Traceback],
        memory: int,
        best: _Best | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        """best: what sees all rows, and knows in which column of a row a path begins, where that is not known yet.

        checkpoint: of the only subject, which has a `best`.
        """
        self._sweep, self._tracebacks, self._memory, self._best = sweep, tracebacks, memory, best
        self._checkpoint = checkpoint

    def follow_all(self, begin: Callable[[], list[Path]]) -> list[Path]:
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
            paths = [Path.kept(*so_far.path)] if so_far and so_far.path else begin()
            self._follow(paths, subjects, tops)
        return paths

    def _so_far(self) -> Progress | None:
        """How far somebody else has come."""
        so_far = None if self._checkpoint is None else Progress.read(self._checkpoint.arrays, self._sweep)
        if so_far is not None:
            assert self._best is not None
            self._best.scores[0], self._best.rows[0] = so_far.best
        return so_far

    def _keep(self, kept: list[Row], last: Row | None, path: Path | None) -> None:
        if self._checkpoint is not None and self._checkpoint.due:
            assert self._best is not None
            best = int(self._best.scores[0]), int(self._best.rows[0])
            self._checkpoint.save(Progress(kept, last, best, None if path is None else path.numbers).arrays)

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

    def _follow(self, paths: list[Path], subjects: list[int], tops: list[Row]) -> None:
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

    def _follow_part(self, paths: list[Path], subjects: list[int], top: Row) -> None:
        last = max(path.row for path in paths)
        if last - top.index <= self._sweep.part_rows(self._memory):
            self._follow_stored(paths, subjects, top, self._stored(top, last, _ignore))
        else:
            self._follow(paths, subjects, self._kept(top, last, _ignore))

    def _follow_stored(self, paths: list[Path], subjects: list[int], top: Row, h: Cells) -> None:
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
