"""The best cells in which local alignments of two sequences may end, each so far away from the better ones.

Of all cells of H the best comes first: the higher score, then the smaller row, then the smaller column. A cell that is
too close to one that was chosen before, in rows or in columns, is passed over.

How few cells are enough to choose `count` of them from (source: own proof):

1. Of a row its (2 * subject_apart - 1) * (count - 1) + 1 best cells suffice: a chosen cell blocks 2 * subject_apart - 1
   of its columns, or all of it. Of a column likewise.
2. Where 4 * (count - 1) + 1 cells can be chosen from some of all, none after the last of them is needed: a chosen cell
   is too close to four of these at most, two by rows and two by columns, so that one of them is always left. With one
   condition it is 2 in place of 4, with none 1.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shardwater.alignment.scheme import Scheme
from shardwater.alignment.sweep import Sweep
from shardwater.alignment.watch import Watch
from shardwater.errors import ScoringError
from shardwater.sequences.alphabet import Codes

Numbers = npt.NDArray[np.int64]

LEAST_HELD = 1 << 18
"""Cells that are held before they are looked through."""
LOOKED_AT = 1 << 12
"""Cells that are looked at before it is asked whether more are needed."""


class EndPoint(NamedTuple):
    """A cell of H: its score, and how many letters of the query and of the subject lie before its end."""

    score: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cells are chosen: `count` at most, that score `least` and are so many rows and columns apart.

    0 apart is no condition: there may be several of a row (of one letter of the query), or of a column. Raises
    ScoringError.
    """

    count: int
    least: int = 1
    query_apart: int = 0
    subject_apart: int = 0

    def __post_init__(self) -> None:
        if self.count < 1 or self.least < 1 or min(self.apart) < 0:
            raise ScoringError("count and least are 1 or more, query_apart and subject_apart 0 or more")

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
    return chosen(best_first(candidate_ends(query, subject, scheme, selection)), selection)


def candidate_ends(
    query: Codes,
    subject: Codes,
    scheme: Scheme,
    selection: Selection,
    after: tuple[int, int] = (0, 0),
    watch: Watch | None = None,
) -> Numbers:
    """Scores, rows and columns (3, cells) of all that may be chosen of the cells after this row and column.

    watch: is told of each row. Raises Stopped. Holds about 24 bytes a cell, of LEAST_HELD cells or of four times as
    many as 1. and 2. leave, and some rows of the longer sequence's length.
    """
    assert scheme.mode.local
    turned = len(query) > len(subject)
    if turned:
        # Few long rows take less than many short ones.
        query, subject, scheme, after = subject, query, scheme.turned, after[::-1]
    candidates, first = Candidates(selection, turned=turned), after[1] + 1
    sweep = Sweep(query, [subject], scheme, watch)
    for row in sweep.rows(sweep.first_row()):
        if row.index > after[0]:
            h = row.h[first:, 0]
            places = np.flatnonzero(h >= candidates.least)
            if len(places):
                candidates.add(row.index, first + places, h[places])
    return needed(candidates.cells(), selection)[0]


def needed(cells: Numbers, selection: Selection) -> tuple[Numbers, bool]:
    """Those of these cells that are needed, best first, and whether they are enough (2. above)."""
    cells = best_first(cells)
    enough = apart(cells, selection.enough, selection.apart)
    if len(enough) < selection.enough:
        return cells, False
    return cells[:, : enough[-1] + 1], True


class Candidates:
    """The cells of the rows so far that may be chosen; with `turned`, of the columns so far."""

    def __init__(self, selection: Selection, *, turned: bool = False) -> None:
        self._selection, self._turned, others = selection, turned, selection.count - 1
        of_column, of_row = (max(1, 2 * apart - 1) * others + 1 for apart in selection.apart)
        self._of_line, self._of_other = (of_column, of_row) if turned else (of_row, of_column)
        self._least, self._room = selection.least, LEAST_HELD
        self._held, self._parts = 0, list[Numbers]()

    @property
    def least(self) -> int:
        """What a cell of the next row, or column, has to score."""
        return self._least

    def add(self, line: int, places: npt.NDArray[np.integer], scores: npt.NDArray[np.integer]) -> None:
        """Add those cells of the next row, or column, that score `least`, by their places in it; as H counts them."""
        best = _best(scores, self._of_line)
        lines = np.full(len(best), line), places[best]
        self._parts.append(np.stack((scores[best].astype(np.int64), *(lines[::-1] if self._turned else lines))))
        self._held += len(best)
        if self._held > self._room:
            self._look_through()

    def cells(self) -> Numbers:
        """All of them, (3, cells)."""
        return np.concatenate([np.zeros((3, 0), np.int64), *self._parts], axis=1)

    def best(self) -> list[EndPoint]:
        """The chosen ones."""
        return chosen(best_first(self.cells()), self._selection)

    def _look_through(self) -> None:
        """Leave out what cannot be chosen any more."""
        cells, are_enough = needed(self.cells(), self._selection)
        if are_enough:
            # Of rows, which come in order, what comes with the score of the last one comes after it.
            self._least = int(cells[0, -1]) + (0 if self._turned else 1)
        cells = cells[:, _first_of_each(cells[1 if self._turned else 2], self._of_other)]
        self._parts, self._held = [cells], cells.shape[1]
        self._room = max(LEAST_HELD, 4 * self._held)


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
        lines = cells[1:, start : start + LOOKED_AT].tolist()
        for place, (row, column) in enumerate(zip(*lines, strict=True), start):
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


def _best(scores: npt.NDArray[np.integer], most: int) -> npt.NDArray[np.integer]:
    """The places of so many of the highest scores, of equal ones the first, in order."""
    if len(scores) <= most:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - most)[len(scores) - most]
    above, equal = scores > least, np.flatnonzero(scores == least)
    above[equal[: most - int(np.count_nonzero(above))]] = True
    return np.flatnonzero(above)


def _first_of_each(lines: Numbers, most: int) -> npt.NDArray[np.integer]:
    """The places of so many of each line, in order."""
    order = np.argsort(lines, kind="stable")
    begins = np.flatnonzero(np.diff(lines[order], prepend=-1))
    ranks = np.arange(len(lines)) - np.repeat(begins, np.diff(begins, append=len(lines)))
    return np.sort(order[ranks < most])
