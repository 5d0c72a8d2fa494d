"""The way back of gotoh.py, by the trace bits that parasail's SIMD records.

Of each cell of H parasail records which of the diagonal, a gap in the subject (I) and a gap in the query (D) explains
it; where several do, the first of these, which is our choice too. Of each gap it records whether it opens here or goes
on. Where both explain the gap, it goes on: parasail's gaps are as long as they can be, and ours as short. So parasail's
path is ours up to its gaps of two letters and more.

In such a gap H tells whether a shorter one explains the score. It is computed for those cells alone: each is the score
of the way back from there to a cell whose H is known, and all cells of parasail's path are. Where a shorter gap will
do, our way leaves parasail's path, and goes on cell by cell until it meets that path again.
"""

import ctypes
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from operator import neg
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Run
from shardwater.alignment.scheme import Places
from shardwater.scoring.scoring import Scores
from shardwater.sequences.alphabet import Codes

try:
    import parasail
except ModuleNotFoundError:  # it has wheels for x86-64 alone
    parasail = None

Numbers = npt.NDArray[np.int64]
CELLS_A_STEP, LEAST_STEPS = 256, 1 << 10
"""In the time of a step on a way to H, parasail writes H of about so many cells; and a call takes so many steps."""
LETTERS_A_STEP = 8
"""Letters of a gap that are passed in the time of a step."""

_D, _I, _DIAGONAL, _D_OPENS, _I_OPENS = 1, 2, 4, 8, 32
"""Bits of a cell: what explains its H (nothing: it is 0 in a local alignment), and which gaps open here."""
_LANES = 24
"""The first of the bits in a result's flag that are the number of its lanes."""
SHORT = 16
"""Bits of a short number; longer ones have 32."""
_PAIRED, _INSERTED, _DELETED = b"MID"
_KINDS = np.frombuffer(b"MIDMMMMMM", np.uint8)
"""Of the kinds of runs in parasail's CIGAR, which are numbered as in BAM."""


class TooManySteps(Exception):
    """H is asked for so often that all of it is found sooner."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sequences, both with letters; what their letters score and gaps cost; and H left of a row and above a column.

    left and top are those of a mode that is not local.
    """

    query: Places
    subject: Codes
    scores: Scores
    gap_open: int
    gap_extend: int
    left: Callable[[int], int]
    top: Callable[[int], int]
    local: bool


@dataclass(frozen=True, slots=True)
class Way:
    """Runs from the end on, last first, and how many letters of both are left before them."""

    runs: list[Run]
    row: int
    column: int


def way_back(result: Any, pair: Pair, score: int, bits: int, h: npt.NDArray[np.int32] | None = None) -> Way:
    """The way from the end of both, which is worth `score`: to H of 0 in a local alignment, else to a border.

    result: of a trace kernel of so many bits, for these sequences or longer ones that begin so. h (rows, columns):
    where it is known. Else raises TooManySteps.
    """
    # Its own end need not be this.
    result.pointer[0].end_query, result.pointer[0].end_ref = len(pair.query) - 1, len(pair.subject) - 1
    # Letters that are all the same make runs of pairs, rather than of identical ones and others.
    result.query, result.ref, result.len_ref = b"A" * result.len_query, b"A" * len(pair.subject), len(pair.subject)
    cigar = result.cigar
    # A copy: the result keeps its own for another call.
    words = np.ctypeslib.as_array(cigar.pointer[0].seq, (cigar.len,)).copy()
    if not pair.local:
        # In its semi-global alignments letters that are left behind the end belong to the last run.
        words[-1] -= (result.len_query - len(pair.query)) << 4
        words = words[: len(words) - int(words[-1] < 1 << 4)]
    path = _Path.of(words, pair)
    if not path.ambiguous:
        return Way(list(map(_run, path.kinds, path.lengths.tolist())), *path.begin)
    path.score(score)
    return _Walk(_Bits(result, pair, bits), path, h).way()


class _Bits:
    """The trace bits of a result, by row and column of H."""

    def __init__(self, result: Any, pair: Pair, bits: int) -> None:
        rows, columns = result.len_query, len(pair.subject)
        self._result = result  # As long as it lives, so do the bits.
        # Rows are in stretches, one a lane; a column has the first row of each, then the second of each.
        lanes = result.pointer[0].flag >> _LANES
        assert lanes > 1
        stretch = -(-rows // lanes)
        places = np.arange(-1, rows)
        self.width, self.places = lanes * stretch, _view(places % stretch * lanes + places // stretch)
        address = ctypes.cast(_trace_table()(result.pointer), ctypes.c_void_p).value
        assert address is not None
        letters = (ctypes.c_char * (self.width * columns * bits // 8)).from_address(address)
        self.cells: memoryview[int] = memoryview(letters).cast("B").cast("h" if bits == SHORT else "i")

    def __call__(self, row: int, column: int) -> int:
        return int(self.cells[(column - 1) * self.width + self.places[row]])

    def gap(self, row: int, column: int, kind: int) -> int:
        """How long the longest gap is that explains this cell."""
        # At the border a gap that costs the same may be said to go on.
        if kind == _INSERTED:
            first = (column - 1) * self.width
            for length in range(1, row):
                if self.cells[first + self.places[row - length + 1]] & _I_OPENS:
                    return length
            return row
        last = (column - 1) * self.width + self.places[row]
        for length in range(1, column):
            if self.cells[last] & _D_OPENS:
                return length
            last -= self.width
        return column


@dataclass(slots=True)
class _Path:
    """parasail's path from the end to a border, or to H of 0: runs, last first, and the cells in which they end."""

    pair: Pair
    kinds: bytes
    lengths: Numbers
    rows: Numbers
    columns: Numbers
    begin: tuple[int, int]
    ambiguous: list[int]
    """The runs that are gaps of two letters and more."""
    values: list[int] = field(init=False)
    """H where each run ends."""
    column_of: "memoryview[int]" = field(init=False)
    value_of: "memoryview[int]" = field(init=False)
    """Of the cell of each row in which a pair of letters ends: its column, 0 where there is none, and its H."""

    @classmethod
    def of(cls, cigar: npt.NDArray[np.uint32], pair: Pair) -> "_Path":
        words = cigar[::-1]
        kinds, lengths = _KINDS[words & 15], (words >> 4).astype(np.int64)
        rows = _ends(len(pair.query), np.where(kinds == _DELETED, 0, lengths))
        columns = _ends(len(pair.subject), np.where(kinds == _INSERTED, 0, lengths))
        # What lies along a border is the mode's.
        count = int(np.count_nonzero((rows[:-1] > 0) & (columns[:-1] > 0)))
        kinds, lengths = kinds[:count], lengths[:count]
        ambiguous = np.flatnonzero((kinds != _PAIRED) & (lengths > 1)).tolist()
        begin = int(rows[count]), int(columns[count])
        return cls(pair, kinds.tobytes(), lengths, rows[:count], columns[:count], begin, ambiguous)

    def score(self, score: int) -> None:
        """Find H of its cells, the last of which has this score."""
        pair, kinds, lengths = self.pair, np.frombuffer(self.kinds, np.uint8), self.lengths
        paired = kinds == _PAIRED
        counts = lengths[paired]
        firsts = _before(counts)
        back = np.arange(int(counts.sum())) - np.repeat(firsts, counts)
        rows, columns = (np.repeat(ends[paired], counts) - back for ends in (self.rows, self.columns))
        scores = pair.scores[pair.query[rows - 1], pair.subject[columns - 1]].astype(np.int64)
        worth = -(pair.gap_open + pair.gap_extend * lengths)
        worth[paired] = np.add.reduceat(scores, firsts) if len(firsts) else 0
        values, before = score - _before(worth), _before(scores)
        column_of, value_of = np.zeros((2, len(pair.query) + 1), np.int64)
        column_of[rows] = columns
        value_of[rows] = np.repeat(values[paired] + before[firsts], counts) - before
        self.values, self.column_of, self.value_of = values.tolist(), _view(column_of), _view(value_of)

    def has(self, row: int, column: int) -> bool:
        """Whether a pair of its letters ends in a cell."""
        return column > 0 and self.column_of[row] == column


def _before(numbers: npt.NDArray[Any]) -> Numbers:
    """The sum of those before each."""
    before: Numbers = np.cumsum(numbers, dtype=np.int64) - numbers
    return before


def _ends(last: int, lengths: Numbers) -> Numbers:
    """Where stretches of these lengths end that lead back from `last`, and where the last of them begins."""
    ends = np.empty(len(lengths) + 1, np.int64)
    ends[0] = last
    np.subtract(last, np.cumsum(lengths), out=ends[1:])
    return ends


def _view(numbers: Numbers) -> "memoryview[int]":
    """The same as Python's numbers: numpy's own take three times as long one by one."""
    return numbers.data.cast("B").cast("q")


class _Walk:
    """Our way back: along parasail's path, and cell by cell where it leads elsewhere."""

    def __init__(self, bits: _Bits, path: _Path, h: npt.NDArray[np.int32] | None) -> None:
        self._bits, self._path, self._pair, self._h = bits, path, path.pair, h
        self._path_lengths, self._path_rows = path.lengths.tolist(), path.rows.tolist()
        pair = path.pair
        self._known, self._columns = dict[int, int](), len(pair.subject) + 1
        self._steps = LEAST_STEPS + len(pair.query) * len(pair.subject) // CELLS_A_STEP
        self._query, self._subject, self._scores = pair.query.tolist(), pair.subject.tobytes(), pair.scores.tolist()
        self._kinds, self._lengths = bytearray(), list[int]()

    def way(self) -> Way:
        """It, to where it begins."""
        path, lengths, columns, first = self._path, self._path_lengths, self._path.columns.tolist(), 0
        for place in path.ambiguous:
            if place < first:
                continue
            row, column = self._path_rows[place], columns[place]
            kind, length, value = path.kinds[place], lengths[place], path.values[place]
            shortest = self._shortest(row, column, kind, length, value)
            if shortest < length:
                self._take(path.kinds[first:place], lengths[first:place])
                row, column = self._beside(*self._gap(row, column, kind, shortest))
                if not path.has(row, column):
                    return self._way(row, column)
                first = self._rest(row) + 1
        self._take(path.kinds[first:], lengths[first:])
        return self._way(*path.begin)

    def _way(self, row: int, column: int) -> Way:
        return Way(list(map(_run, self._kinds, self._lengths)), row, column)

    def _take(self, kinds: bytes, lengths: Sequence[int]) -> None:
        """Add some runs, of which neighbours are of two kinds."""
        if kinds:
            self._add(kinds[0], lengths[0])
            self._kinds += kinds[1:]
            self._lengths += lengths[1:]

    def _add(self, kind: int, length: int) -> None:
        if self._kinds and self._kinds[-1] == kind:
            self._lengths[-1] += length
        else:
            self._kinds.append(kind)
            self._lengths.append(length)

    def _gap(self, row: int, column: int, kind: int, length: int) -> tuple[int, int]:
        """Add a gap; where it begins."""
        self._add(kind, length)
        return (row - length, column) if kind == _INSERTED else (row, column - length)

    def _rest(self, row: int) -> int:
        """Add the rest of a run of the path, from a pair of letters of it on; which run that is."""
        # Of the runs that end in its row the last: before it there is a gap in the query.
        place = bisect_right(self._path_rows, -row, key=neg) - 1
        self._add(_PAIRED, self._path_lengths[place] - (self._path_rows[place] - row))
        return place

    def _beside(self, row: int, column: int) -> tuple[int, int]:
        """Go from a cell to one of the path, or to where the way begins."""
        while row and column and not self._path.has(row, column):
            bits = self._bits(row, column)
            if bits & _DIAGONAL:
                self._add(_PAIRED, 1)
                row, column = row - 1, column - 1
            elif bits & (_I | _D):
                kind = _INSERTED if bits & _I else _DELETED
                longest = self._bits.gap(row, column, kind) if self._pair.gap_open else 1
                value = self._value(row, column) if longest > 1 else 0
                length = self._shortest(row, column, kind, longest, value)
                row, column = self._gap(row, column, kind, length)
            else:
                break
        return row, column

    def _shortest(self, row: int, column: int, kind: int, longest: int, value: int) -> int:
        """The length of the shortest gap that explains a cell of this value; of the longest one that is known."""
        if self._pair.gap_open == 0:
            return 1
        down, right, same = (1, 0, _I) if kind == _INSERTED else (0, 1, _D)
        for length in range(1, longest):
            row, column = row - down, column - right
            opened = value + self._pair.gap_open + self._pair.gap_extend * length
            # No gap opens where H is that of another one of its kind.
            if not self._bits(row, column) & same and self._value(row, column) == opened:
                return length
        return longest

    def _value(self, row: int, column: int) -> int:
        """H of a cell."""
        if self._h is not None and row and column:
            return int(self._h[row - 1, column - 1])
        # Read once: this loop takes most of the time.
        pair, known, bits, columns, column_of = self._pair, self._known, self._bits, self._columns, self._path.column_of
        cells, places, width = bits.cells, bits.places, bits.width
        passed, total = list[tuple[int, int]](), 0
        while row and column and column_of[row] != column:
            cell = row * columns + column
            if cell in known:
                value = known[cell]
                break
            passed.append((cell, total))
            found = cells[(column - 1) * width + places[row]]
            if found & _DIAGONAL:
                row, column = row - 1, column - 1
                total += self._scores[self._query[row]][self._subject[column]]
            elif found & (_I | _D):
                kind = _INSERTED if found & _I else _DELETED
                length = bits.gap(row, column, kind)
                total -= pair.gap_open + pair.gap_extend * length
                self._steps -= length // LETTERS_A_STEP
                row, column = (row - length, column) if kind == _INSERTED else (row, column - length)
            else:
                value = 0
                break
        else:
            value = self._known_value(row, column)
        self._note(passed, value + total)
        return value + total

    def _known_value(self, row: int, column: int) -> int:
        """H of a cell of the path, or of a border."""
        if row and column:
            return self._path.value_of[row]
        return self._pair.left(row) if row else self._pair.top(column)

    def _note(self, passed: Sequence[tuple[int, int]], value: int) -> None:
        """Keep H of cells on the way from one with this value: it is so much less."""
        self._steps -= len(passed)
        if self._steps < 0:
            raise TooManySteps
        for cell, less in passed:
            self._known[cell] = value - less


@lru_cache(maxsize=1 << 12)
def _run(kind: int, length: int) -> Run:
    return Run(chr(kind), length)


@cache
def _trace_table() -> Any:
    get = ctypes.CDLL(parasail.get_library()).parasail_result_get_trace_table
    get.argtypes, get.restype = [parasail.c_result_p], ctypes.c_void_p
    return get
