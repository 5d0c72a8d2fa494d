"""The best cells in which local alignments of two sequences may end, each so far away from the better ones.

Of all cells of H the best comes first: the higher score, then the smaller row, then the smaller column. A cell that is
too close to one that was chosen before, in rows or in columns, is passed over.

How few cells are enough to choose `count` of them from (source: own proof):

1. Of a row its (2 * subject_apart - 1) * (count - 1) + 1 best cells suffice: a chosen cell blocks 2 * subject_apart - 1
   of its columns, or all of the row. Where columns are no condition it blocks all of the row or nothing: the best cell
   suffices. Where nothing is a condition it takes `count` cells. Of a column likewise.
2. Where 4 * (count - 1) + 1 cells can be chosen from some of all, none after the last of them is needed: a chosen cell
   is too close to four of these at most, two by rows and two by columns, so that one of them is always left. With one
   condition it is 2 in place of 4, with none 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from shardwater.alignment.scheme import Scheme
from shardwater.alignment.sweep import Sweep
from shardwater.alignment.watch import Watch
from shardwater.errors import ScoringError
from shardwater.sequences.alphabet import Codes

Numbers = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

LEAST_HELD = 1 << 18
"""Cells that are held before they are looked through."""
MOST_HELD = 1 << 20
"""Cells that are held after that. Where more may be chosen, the second half of these waits for another pass."""
LOOKED_AT = 1 << 9
"""Cells that are looked at before it is asked whether more are needed."""
MOST_APART = 10**8
"""As many letters as a sequence has at most."""
_BEYOND = 1 << 40
"""A line that is far from all."""


class EndPoint(NamedTuple):
    """A cell of H: its score, and how many letters of the query and of the subject lie before its end."""

    score: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cells are chosen: `count` at most, that score `least` and are so many rows and columns apart.

    0 apart is no condition: there may be several of a row (of one letter of the query), or of a column. MOST_APART at
    most. Raises ScoringError.
    """

    count: int
    least: int = 1
    query_apart: int = 0
    subject_apart: int = 0

    def __post_init__(self) -> None:
        if self.count < 1 or self.least < 1 or min(self.apart) < 0:
            raise ScoringError("count and least are 1 or more, query_apart and subject_apart 0 or more")
        if max(self.apart) > MOST_APART:
            raise ScoringError(f"query_apart and subject_apart are {MOST_APART:,} or less")

    @property
    def apart(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.query_apart, self.subject_apart

    @property
    def enough(self) -> int:
        """How many cells that are so far apart leave no need for any after the last of them (2. above)."""
        return max(1, sum(2 for apart in self.apart if apart)) * (self.count - 1) + 1


def best_ends(query: Codes, subject: Codes, scheme: Scheme, selection: Selection) -> list[EndPoint]:
    """The chosen end points of a local scheme, best first. Takes what candidate_ends takes."""
    choice = Choice(selection)
    while not choice.is_whole:
        free = choice.free((len(query), len(subject)))
        choice.add(candidate_ends(query, subject, scheme, choice.left, free))
    return choice.points


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Cells (3, cells) that may be chosen, best first; where there is a `last`, those after it are missing."""

    cells: Numbers
    last: tuple[int, int, int] | None = None

    def least(self, selection: Selection) -> int:
        """What no cell that may be chosen scores less than, as far as these tell."""
        cells, are_enough = needed(self.cells, selection)
        return int(cells[0, -1]) if are_enough else selection.least

    def shifted(self, rows: int, columns: int) -> "Found":
        """The same where so many rows and columns come before."""
        cells = self.cells + np.array([[0], [rows], [columns]])
        if self.last is None:
            return Found(cells)
        score, row, column = self.last
        return Found(cells, (score, row + rows, column + columns))

    @classmethod
    def joined(cls, parts: Sequence[Self], selection: Selection) -> Self:
        """What is known of all from what is known of each."""
        lasts = [part.last for part in parts if part.last is not None]
        cells, _ = needed(np.concatenate([part.cells for part in parts], axis=1), selection)
        last = min(lasts, key=lambda cell: (-cell[0], *cell[1:])) if lasts else None
        return cls(cells, last).cut(selection)

    def cut(self, selection: Selection) -> Self:
        """As many of these as there is room for, of those that none is missing before."""
        cells, last = self.cells, self.last
        if last is not None:
            cells = _up_to(cells, last)
        # Without a condition as many are left as are to be chosen.
        if cells.shape[1] > MOST_HELD and any(selection.apart):
            cells = cells[:, : max(1, MOST_HELD // 2)]
            score, row, column = cells[:, -1].tolist()
            last = score, row, column
        return replace(self, cells=cells, last=last)


class Choice:
    """End points that are chosen pass by pass: more candidates than memory has room for are left to another pass."""

    def __init__(self, selection: Selection) -> None:
        self._selection, self.points, self.is_whole = selection, list[EndPoint](), False

    @property
    def left(self) -> Selection:
        """What has still to be chosen."""
        return replace(self._selection, count=self._selection.count - len(self.points))

    def add(self, found: Found) -> None:
        """Choose from a pass, whose cells were all far enough from the points that were chosen before."""
        self.points += chosen(found.cells, self.left)
        self.is_whole = found.last is None or len(self.points) == self._selection.count

    def free(
        self, lengths: tuple[int, int], start: tuple[int, int] = (0, 0), after: tuple[int, int] = (0, 0)
    ) -> tuple[Bools, Bools]:
        """Which rows and columns of a piece have cells that may be chosen: those that no point is too close to.

        lengths: of the piece; start: where it begins; after: its row and column that come before its own ones.
        """
        free = tuple(np.ones(length + 1, np.bool_) for length in lengths)
        taken = ([point.row for point in self.points], [point.column for point in self.points])
        for which, lines, begin, before, distance in zip(free, taken, start, after, self._selection.apart, strict=True):
            which[: before + 1] = False
            for line in lines if distance else ():
                which[max(0, line - begin - distance + 1) : max(0, line - begin + distance)] = False
        return free[0], free[1]


def candidate_ends(
    query: Codes,
    subject: Codes,
    scheme: Scheme,
    selection: Selection,
    free: tuple[Bools, Bools],
    watch: Watch | None = None,
) -> Found:
    """The cells that may be chosen of those in free rows and columns (Choice.free).

    watch: is told of each row. Raises Stopped. Holds some 100 bytes for each of 2 x MOST_HELD cells, and some rows of
    the longer sequence's length.
    """
    assert scheme.mode.local
    turned = len(query) > len(subject)
    if turned:
        # Few long rows take less than many short ones.
        query, subject, scheme = subject, query, scheme.turned
    candidates = Candidates(selection, free, turned=turned)
    sweep = Sweep(query, [subject], scheme, watch)
    for row in sweep.rows(sweep.first_row()):
        h = row.h[:, 0]
        places = np.flatnonzero(h >= candidates.least)
        if len(places):
            candidates.add(row.index, places, h[places])
    return candidates.found()


def needed(cells: Numbers, selection: Selection) -> tuple[Numbers, bool]:
    """Those of these cells that are needed, best first, and whether they are enough (2. above)."""
    cells = best_first(cells)
    enough = apart(cells, selection.enough, selection.apart)
    if len(enough) < selection.enough:
        return cells, False
    return cells[:, : enough[-1] + 1], True


class Candidates:
    """The cells of the rows so far that may be chosen; with `turned`, of the columns so far."""

    def __init__(self, selection: Selection, free: tuple[Bools, Bools], *, turned: bool = False) -> None:
        """free: of rows and columns, as Choice has them."""
        self._selection, self._turned = selection, turned
        of_column, of_row = (_of_line(apart, selection) for apart in selection.apart)
        self._of_line, self._of_other = (of_column, of_row) if turned else (of_row, of_column)
        self._lines, self._places = free[::-1] if turned else free
        # Where one cell of a place suffices, the best score of each so far: of equal ones the first line counts.
        self._seen = np.zeros(len(self._places), np.int64) if self._of_other == 1 else None
        self._least, self._room = selection.least, LEAST_HELD
        self._found, self._more = Found(np.zeros((3, 0), np.int64)), list[Numbers]()
        self._held = 0

    @property
    def least(self) -> int:
        """What a cell of the next row, or column, has to score."""
        return self._least

    def add(self, line: int, places: npt.NDArray[np.integer], scores: npt.NDArray[np.integer]) -> None:
        """Add those cells of the next row, or column, that score `least`, by their places in it; as H counts them."""
        if not self._lines[line]:
            return
        free = self._places[places]
        if self._seen is not None:
            free &= scores > self._seen[places]
        places, scores = places[free], scores[free]
        if self._seen is not None:
            self._seen[places] = scores
        best = _best(scores, self._of_line)
        lines = np.full(len(best), line), places[best]
        self._more.append(np.stack((scores[best].astype(np.int64), *(lines[::-1] if self._turned else lines))))
        self._held += len(best)
        if self._held > self._room:
            self._look_through()

    def found(self) -> Found:
        """All of them."""
        self._look_through()
        return self._found

    def _look_through(self) -> None:
        """Leave out what cannot be chosen any more, and what there is no room for."""
        cells, are_enough = needed(np.concatenate([self._found.cells, *self._more], axis=1), self._selection)
        scores = [int(cells[0, -1])] if are_enough else []
        cells = cells[:, _first_of_each(cells[1 if self._turned else 2], self._of_other)]
        self._found = Found(cells, self._found.last).cut(self._selection)
        if self._found.last is not None:
            scores.append(self._found.last[0])
        # Of rows, which come in order, what comes with the score of the last one comes after it.
        self._least = max(self._least, *(score + (0 if self._turned else 1) for score in scores), 0)
        self._more, self._held = [], self._found.cells.shape[1]
        self._room = max(LEAST_HELD, 2 * self._held)


def _of_line(apart: int, selection: Selection) -> int:
    """How many of its best cells suffice of a row, or a column, whose cells are to be so far apart (1. above)."""
    if apart:
        return (2 * apart - 1) * (selection.count - 1) + 1
    return 1 if any(selection.apart) else selection.count


def _up_to(cells: Numbers, last: tuple[int, int, int]) -> Numbers:
    """Those that do not come after this one."""
    (scores, rows, columns), (score, row, column) = cells, last
    before = (rows < row) | ((rows == row) & (columns <= column))
    return cells[:, (scores > score) | ((scores == score) & before)]


def best_first(cells: Numbers) -> Numbers:
    """Cells (3, cells) of scores, rows and columns, in the order in which they are chosen."""
    return cells[:, np.lexsort((cells[2], cells[1], -cells[0]))]


def chosen(cells: Numbers, selection: Selection) -> list[EndPoint]:
    """Those of these cells that are chosen; the best come first."""
    return [EndPoint(*cells[:, place].tolist()) for place in apart(cells, selection.count, selection.apart)]


def apart(cells: Numbers, count: int, distances: tuple[int, int]) -> list[int]:
    """The places of the first cells that are so many rows and columns from all before them: so many at most."""
    if not any(distances):
        return list(range(min(count, cells.shape[1])))
    found, (rows, columns) = list[int](), map(_Lines, distances)
    for start in range(0, cells.shape[1], LOOKED_AT):
        lines = cells[1:, start : start + LOOKED_AT]
        # Most are next to those before them, and are told sooner all at once.
        left = np.flatnonzero(_far(lines, cells[1:, found], distances))
        for place, (row, column) in zip((start + left).tolist(), lines[:, left].T.tolist(), strict=True):
            if not (rows.near(row) or columns.near(column)):
                rows.take(row)
                columns.take(column)
                found.append(place)
                if len(found) == count:
                    return found
    return found


class _Lines:
    """Rows, or columns, of the chosen cells: at most one in each stretch of as many as they are apart."""

    def __init__(self, distance: int) -> None:
        self._distance, self._taken = distance, dict[int, int]()

    def near(self, line: int) -> bool:
        """Whether this one is too close to one that is taken."""
        if self._distance == 0:
            return False
        stretch = line // self._distance
        if stretch in self._taken:
            return True
        before, after = self._taken.get(stretch - 1), self._taken.get(stretch + 1)
        return (before is not None and line - before < self._distance) or (
            after is not None and after - line < self._distance
        )

    def take(self, line: int) -> None:
        """A cell of this one is chosen."""
        if self._distance:
            self._taken[line // self._distance] = line


def _far(lines: Numbers, taken: Numbers, distances: tuple[int, int]) -> Bools:
    """Which of these rows and columns (2, cells) are far enough from all of those."""
    far = np.ones(lines.shape[1], np.bool_)
    for some, others, distance in zip(lines, np.sort(taken), distances, strict=True):
        if distance:
            around = np.concatenate(([-_BEYOND], others, [_BEYOND]))
            after = np.searchsorted(around, some)
            far &= np.minimum(some - around[after - 1], around[after] - some) >= distance
    return far


def _best(scores: npt.NDArray[np.integer], most: int) -> npt.NDArray[np.integer]:
    """The places of so many of the highest scores, of equal ones the first, in order."""
    if len(scores) <= most:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - most)[len(scores) - most]
    above, equal = scores > least, np.flatnonzero(scores == least)
    above[equal[: most - int(np.count_nonzero(above))]] = True
    return np.flatnonzero(above)


def _first_of_each(lines: Numbers, most: int) -> Bools:
    """Which are among the first ones of their line, so many of each."""
    order = np.argsort(lines, kind="stable")
    begins = np.flatnonzero(np.diff(lines[order], prepend=-1))
    ranks = np.arange(len(lines)) - np.repeat(begins, np.diff(begins, append=len(lines)))
    are_first = np.empty(len(lines), np.bool_)
    are_first[order] = ranks < most
    return are_first
