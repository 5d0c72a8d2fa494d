"""Which of many cells are end points, for several pairs side by side on the device (kernels/pairs/choose_ends.cu).

Cells are rows of four int32 on the device, EndCell of kernels/pairs/end_cells.cuh: score, row, column and pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.layout import CHOICE_THREADS
from gpu.pairs.found import fetched
from gpu.pairs.scores import by_value

SCORE, ROW, COLUMN, PAIR = range(4)
CELL_WORDS = 4
MOST_SCORE = (1 << 31) - 1
CELLS = np.dtype([(name, np.int64) for name in ("all", "count", "capacity", "taken_rows", "taken_columns")])
"""EndCells of kernels/pairs/end_cells.cuh."""


@dataclass(frozen=True, slots=True, eq=False)
class EndCells:
    """Cells (capacity, 4) and their count, which goes on where there is no room for more, on the device.

    lines: rows and columns of a single pair, a byte each, of which none is wanted; empty where there are no such.
    """

    all: Any
    count: Any
    lines: Sequence[Any]

    @classmethod
    def room(cls, capacity: int, lines: Sequence[Any]) -> Self:
        """Room for so many."""
        return cls(cupy.empty((capacity, CELL_WORDS), np.int32), cupy.zeros(1, np.uint64), lines)

    def argument(self) -> npt.NDArray[Any]:
        """As kernels have it."""
        cells = np.zeros(1, CELLS)
        cells["all"], cells["count"], cells["capacity"] = self.all.data.ptr, self.count.data.ptr, len(self.all)
        if self.lines:
            cells["taken_rows"], cells["taken_columns"] = (line.data.ptr for line in self.lines)
        return by_value(cells)

    def counted(self) -> int:
        """How many there are by now."""
        low, high = fetched(self.count.view(np.int32), cupy.cuda.get_current_stream()).view(np.uint32).tolist()
        return int(low + (high << 32))


def best_first(cells: Any) -> Any:
    """Cells (cells, 4) pair by pair, those of each in the order in which they are chosen.

    That is the higher score, then the smaller row, then the smaller column.
    """
    places = cells[:, ROW].astype(np.int64) << 32 | cells[:, COLUMN]
    return highest_first(cells[cupy.argsort(places)])


def highest_first(cells: Any) -> Any:
    """The same by scores alone: cells of one score stay as they are."""
    keys = cells[:, PAIR].astype(np.int64) << 32 | (MOST_SCORE - cells[:, SCORE])
    return cells[cupy.argsort(keys)]


def chosen(cells: Any, pairs: int, most: int, apart: tuple[int, int]) -> tuple[Any, Any]:
    """The cells chosen of each pair, so many at most, in their order: (pairs, most, 4); and how many (pairs).

    Each is so many rows and columns from all that come before it in `cells`, which are in the order of pairs.
    """
    found, counts = cupy.empty((pairs, most, CELL_WORDS), np.int32), cupy.zeros(pairs, np.int32)
    if len(cells) == 0:
        return found, counts
    begins = cupy.searchsorted(cupy.ascontiguousarray(cells[:, PAIR]), cupy.arange(pairs + 1, dtype=np.int32))
    numbers = (np.int32(number) for number in (most, *apart))
    choose = kernel("choose_ends", THREADS=CHOICE_THREADS)
    choose(
        (pairs,), (CHOICE_THREADS,), (cupy.ascontiguousarray(cells), begins.astype(np.int64), *numbers, found, counts)
    )
    return found, counts
