"""Which of many cells are end points, for several pairs side by side on the device (kernels/pairs/choose_ends.cu).

Cells are rows of four int32 on the device, EndCell of kernels/pairs/end_cells.cuh: score, row, column and pair.
"""

from typing import Any

import cupy
import numpy as np

from gpu.compile import kernel
from gpu.layout import CHOICE_THREADS

SCORE, ROW, COLUMN, PAIR = range(4)
CELL_WORDS = 4
MOST_SCORE = (1 << 31) - 1


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
