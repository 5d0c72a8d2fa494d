"""The way back through a section of a long pair, all its rows of tiles side by side.

Tile after tile it would be walked by one warp. But ways that begin close to each other soon are one: so each row of
tiles is walked from where the way is likely to enter it, the best column of the row above, and then again from where
the row of tiles below has left it, until nothing changes. What is walked from the right cell is right, whatever was
tried before: the way is that of one warp.

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.layout import FOUND_WORDS, KEPT_ROWS, THREADS
from gpu.pairs.filling import Filling
from gpu.pairs.found import fetched, pinned, sending
from gpu.pairs.shares import Fill
from gpu.pairs.ways import Ways
from shardwater.pairs.columns import joined_runs

Words = npt.NDArray[np.int32]
WAY = ["column", "row", "gap"]
STAGE = np.dtype([(name, np.int32) for name in (*WAY, "stop", "left", "begun", "ended")])
"""Way of kernels/pairs/walk.cuh, and Stage of kernels/pairs/walk_kept.cu."""
PASSES = 4
"""In which a way comes to be known, as a rule; what is left after them is walked by one warp."""
MOST_RUNS = 3 * KEPT_ROWS + 3
"""Of a row of tiles: each has a row of its own, but for gaps between them."""


@dataclass(slots=True)
class Walked:
    """A stretch of a way: walk_kept.cu's Found where it begins and ends, how far it has come, and its runs."""

    found: tuple[Words, Words]
    stage: npt.NDArray[Any]
    runs: Words


class TileRows:
    """The rows of tiles of a section that is filled."""

    def __init__(self, filling: Filling, section: Fill, ways: Ways, letters: int, end: Words) -> None:
        """letters: of both sequences; end: FirstEnd of kernels/pairs/ends.cuh."""
        self._filling, self._section, self._ways, self._letters = filling, section, ways, letters
        self._end = end

    def walk(self, begin: npt.NDArray[Any], row: int, column: int, stop: int) -> Walked:
        """The way from a row and column on, one STAGE as it stands there, to the first row or column of the section."""
        last_tiles = max(0, row) // KEPT_ROWS
        stops = np.arange(last_tiles, stop // KEPT_ROWS - 1, -1) * KEPT_ROWS
        entries = np.zeros(len(stops), STAGE)
        entries["stop"], entries["left"], entries["begun"] = stops, self._section.left, 1
        entries["row"][1:] = stops[:-1] - 1
        entries["column"][1:] = self._peaks(stops[:-1] - 1, column)
        entries[:1][[*WAY, "begun"]] = begin[[*WAY, "begun"]]
        exits, found = entries.copy(), np.zeros((len(stops), FOUND_WORDS), np.int32)
        runs, changed = [np.zeros(0, np.int32)] * len(stops), np.arange(len(stops))
        for _ in range(PASSES):
            exits[changed], found[changed], walked = self._walked(entries[changed], MOST_RUNS)
            for place, each in zip(changed.tolist(), walked, strict=True):
                runs[place] = each
            # Where it has ended, or gone on to the left, nothing follows above.
            last = (exits["ended"] != 0) | (exits["row"] >= stops)
            wrong = (entries[WAY][1:] != exits[WAY][:-1]) & ~last[:-1]
            known = int(np.argmax(np.append(wrong | last[:-1], True)))
            if last[known] or known == len(stops) - 1:
                break
            changed = np.flatnonzero(wrong) + 1
            for name in WAY:
                entries[name][changed] = exits[name][changed - 1]
        else:
            rest = exits[known : known + 1].copy()
            rest["stop"], rest["begun"] = stop, 1
            exits[known : known + 1], found_last, walked = self._walked(rest, self._letters)
            parts = [*walked, *runs[known::-1]]
            return Walked((found[0], found_last[0]), exits[known : known + 1], joined_runs(parts))
        return Walked((found[0], found[known]), exits[known : known + 1], joined_runs(runs[known::-1]))

    def _peaks(self, rows: npt.NDArray[np.int64], column: int) -> Words:
        """The best columns of kept rows, one row of tiles after the other, of those filled up to some column."""
        if len(rows) == 0:
            return np.zeros(0, np.int32)
        found = cupy.empty(len(rows), np.int32)
        peaks = kernel("row_peaks", THREADS=THREADS, ITEMS=self._filling.items)
        columns = min(column + 1, int(self._section.layout["columns"][0]))
        numbers = map(np.int32, (rows[0], self._section.left, columns, self._ways.potential[2]))
        peaks((len(rows),), (THREADS,), (self._filling.memory(self._section), *numbers, found))
        return fetched(found, cupy.cuda.get_current_stream())

    def _walked(self, stages: npt.NDArray[Any], most: int) -> tuple[npt.NDArray[Any], Words, list[Words]]:
        """How far ways come, what is found of each, and its runs; most: of those that one has."""
        stream, count = cupy.cuda.get_current_stream(), len(stages)
        sent, sent_ends = pinned(stages), pinned(np.tile(self._end, (count, 1)))
        matrices = self._filling.matrices_of(self._section, np.zeros(count, np.int64), most)
        ends, there = sending(sent_ends), sending(sent)
        runs, taken = cupy.empty(count * most, np.int32), cupy.zeros(1, np.int32)
        found = fetched(self._ways.walk(matrices, ends, runs, taken, there), stream).reshape(-1, FOUND_WORDS)
        reached = fetched(there.view(np.int32), stream).view(STAGE)
        every = fetched(runs[: int(fetched(taken, stream)[0])], stream)
        return reached, found, [every[first:last] for first, last in found[:, 5:7].tolist()]
