"""Rows of the matrix of a local pair, one after the other, all columns side by side: the reference path of long pairs.

It takes four numbers of 32 bits a column, of two rows, and moves 32 bytes a cell, where fill_long moves next to none.
Source: Khajeh-Saeed, Poole and Perot, J. Comput. Phys. 229 (2010).
"""

from collections.abc import Iterator
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.layout import SCAN_ITEMS, SCAN_THREADS
from gpu.pairs.found import fetched
from gpu.pairs.ways import pointers
from shardwater.alignment.ends import Candidates, Choice, EndPoint, Found, Selection
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.coded import CodedPair

COLUMNS = SCAN_THREADS * SCAN_ITEMS
"""Of a block."""
MOST = 1 << 29
"""What no number of a row comes near to, with a gap of all columns."""
NONE = -(1 << 30)
"""Of kernels/pairs/row_scan.cu."""


def scans(pair: CodedPair, scheme: Scheme) -> bool:
    """Whether 32 bits hold all numbers of a pair with letters on both sides."""
    query, subject = len(pair.query), len(pair.subject)
    best = max(1, scheme.table.best) * min(query, subject)
    most = best + scheme.gap_open + (subject + 1) * scheme.gap_extend - min(0, scheme.table.worst)
    return scheme.mode.local and min(query, subject) > 0 and most < MOST


class RowScan:
    """The matrix of a pair that `scans`: rows are of the query, columns of the subject."""

    def __init__(self, pair: CodedPair, scheme: Scheme) -> None:
        """Send the letters."""
        self._query, self._columns = pair.query.tolist(), len(pair.subject)
        self._subject, self._scores = cupy.asarray(pair.subject), cupy.asarray(scheme.table.scores)
        self._gaps = np.int32(scheme.gap_open), np.int32(scheme.gap_extend)
        self._blocks = -(-self._columns // COLUMNS)

    def rows(self) -> Iterator[Any]:
        """H of each row (columns), int32 on the device, on the current stream; the next row takes its place."""
        above, row = self._row(), self._row()
        h = cupy.empty(self._columns, np.int32)
        # The row above the first letter is 0, and has no gaps.
        above[0][...] = 0
        for each in (*above[1:], *row[1:]):
            each[...] = NONE
        for number, letter in enumerate((*self._query, self._query[-1])):
            self._scan(letter, above, row, h)
            # Each launch finishes H of the row above its own.
            if number:
                yield h
            above, row = row, above

    def _row(self) -> list[Any]:
        """ScanRow of kernels/pairs/row_scan.cu."""
        return [cupy.empty(size, np.int32) for size in (*[self._columns] * 3, self._blocks)]

    def _scan(self, letter: int, above: list[Any], row: list[Any], h: Any) -> None:
        scan = kernel("row_scan", THREADS=SCAN_THREADS, ITEMS=SCAN_ITEMS)
        numbers = np.int32(self._columns), self._subject, self._scores[letter], *self._gaps
        scan((self._blocks,), (SCAN_THREADS,), (*numbers, pointers(*above), pointers(*row), h))


def best_ends(pair: CodedPair, scheme: Scheme, selection: Selection) -> list[EndPoint]:
    """The chosen end points of a pair that `scans`, best first (shardwater/alignment/ends.py)."""
    choice = Choice(selection)
    while not choice.is_whole:
        choice.add(_candidates(pair, scheme, choice))
    return choice.points


def _candidates(pair: CodedPair, scheme: Scheme, choice: Choice) -> Found:
    free, stream = choice.free((len(pair.query), len(pair.subject))), cupy.cuda.get_current_stream()
    candidates = Candidates(choice.left, free)
    for number, h in enumerate(RowScan(pair, scheme).rows(), 1):
        columns = cupy.flatnonzero(h >= candidates.least)
        if len(columns):
            scores: npt.NDArray[np.int32] = fetched(h[columns], stream)
            candidates.add(number, columns.get() + 1, scores)
    return candidates.found()
