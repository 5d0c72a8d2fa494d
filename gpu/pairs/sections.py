"""The way back of a long pair of which not all can be kept at a time.

Its rows are cut into sections. While it is scored, all strips are stored at the beginning of each (fill_long.cu). Then
the sections that the way crosses, the last first, are filled again from there, as far to the right as the way is in
them, and what is kept of one serves to walk through it. So few cells are computed more than twice.
"""

from collections.abc import Generator
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.layout import FOUND_WORDS, KEPT_COLUMNS, KEPT_ROWS, PLACE_WORDS, WARP
from gpu.pairs.classes import LONG_BASES
from gpu.pairs.filling import ROUNDS_BEFORE, ROUNDS_BEHIND, Filling, strips_of
from gpu.pairs.found import fetched, sending
from gpu.pairs.found import pinned as in_pinned_memory
from gpu.pairs.plan import rounds_of
from gpu.pairs.ways import Ways
from shardwater.pairs.batch import Numbers
from shardwater.pairs.columns import KIND_BITS

MOST_ROUNDS, LEAST_ROUNDS = 1 << 12, 1 << 7
"""Of WARP rows, of a section: where there are few, strips wait for each other most of the time."""
STAGE = np.dtype([(name, np.int32) for name in ("column", "row", "gap", "stop", "begun")])
"""Stage of kernels/pairs/walk_kept.cu."""
_, QUERY_START, _, SUBJECT_START, _, FIRST_RUN, LAST_RUN = range(7)
"""Words of Found of kernels/pairs/walk.cuh."""


def rounds_for(lengths: Numbers, memory: int) -> int | None:
    """The rounds of sections of a pair of so many letters, in columns and in rows; None where no number will do."""
    rounds = MOST_ROUNDS
    while rounds >= LEAST_ROUNDS:
        if _bytes_of(lengths, rounds) <= memory:
            return rounds
        rounds //= 2
    return None


def _bytes_of(lengths: Numbers, rounds: int) -> int:
    """What strips at the beginnings of sections take, and what is kept of one, by the most that any shape takes."""
    (columns, rows), (narrow, wide) = lengths, LONG_BASES
    width = int(strips_of(columns, wide)) * 2 * wide.width
    sections = -(-int(rounds_of(rows)) // rounds) + 1
    stored = sections * width // (2 * narrow.width) * (2 * narrow.items + PLACE_WORDS) * WARP * 4
    of_rows = (rounds * WARP // KEPT_ROWS + 3) * width * (4 * narrow.items + 4) // narrow.items
    of_columns = (int(columns) // KEPT_COLUMNS + 1) * (rounds + ROUNDS_BEFORE + ROUNDS_BEHIND) * (4 * WARP + 4)
    return stored + of_rows + of_columns


class SectionedWay:
    """The way back of a pair that was scored, and what is found by it: its row of Found, and its runs."""

    def __init__(self, filling: Filling, ways: Ways, letters: int) -> None:
        """letters: of both sequences."""
        self._filling, self._ways, self._letters = filling, ways, letters
        self.row, self.runs = np.zeros((1, FOUND_WORDS), np.int32), np.zeros(0, np.int32)

    def walk(self) -> Generator[float, None, None]:
        """Walk it; between launches, the share that each one was of all, at most."""
        filling, stream = self._filling, cupy.cuda.get_current_stream()
        _, row, column = fetched(filling.ends, stream)[0].tolist()
        # Where an alignment ends before the first letters, any section tells so. Its column is that of a place.
        section, column = filling.section_of(max(0, row)), max(0, column) + KEPT_COLUMNS
        sections, stage, parts = section + 1, np.zeros(1, STAGE), list[npt.NDArray[np.int32]]()
        while True:
            for share in filling.refill(section, column):
                yield share / sections
            stage["stop"] = filling.first_row(section)
            found, stage, runs = self._walked(stage)
            if not parts:
                self.row[0] = found
            self.row[0, [QUERY_START, SUBJECT_START]] = found[[QUERY_START, SUBJECT_START]]
            parts.append(runs)
            column, reached = int(stage["column"][0]), int(stage["row"][0])
            if column < 0 or reached < 0 or reached >= stage["stop"][0]:
                break
            section = filling.section_of(reached)
        self.runs = _joined(parts[::-1])
        self.row[0, [FIRST_RUN, LAST_RUN]] = 0, len(self.runs)

    def _walked(self, stage: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any], npt.NDArray[np.int32]]:
        """Found, how far the way has come, and its runs, in the section that is filled."""
        stream, pinned = cupy.cuda.get_current_stream(), in_pinned_memory(stage)
        stages, runs, taken = sending(pinned), cupy.empty(self._letters, np.int32), cupy.zeros(1, np.int32)
        found = fetched(self._ways.walk(self._filling.matrices(), self._filling.ends, runs, taken, stages), stream)
        reached = fetched(stages.view(np.int32), stream).view(STAGE)
        return found[:FOUND_WORDS], reached, fetched(runs[: int(fetched(taken, stream)[0])], stream)


def _joined(parts: list[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    """The runs of all, where one section's last and the next one's first are one if they are of one kind."""
    runs = np.concatenate(parts)
    kinds, lengths = runs & (1 << KIND_BITS) - 1, runs >> KIND_BITS
    first = np.flatnonzero(np.diff(kinds, prepend=-1))
    joined: npt.NDArray[np.int32] = kinds[first] | np.add.reduceat(lengths, first) << KIND_BITS
    return joined if len(runs) else runs
