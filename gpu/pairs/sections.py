"""The way back of a long pair of which not all can be kept at a time.

Its rows are cut into sections. While it is scored, all strips are stored at the beginning of each (fill_long.cu). Then
the sections that the way crosses, the last first, are filled again from there, as far to the right as the way is in
them, and what is kept of one serves to walk through it. So cells are computed twice at most.
"""

from collections.abc import Generator
from typing import TypeVar

import cupy
import numpy as np
import numpy.typing as npt

from gpu.layout import FOUND_WORDS, KEPT_COLUMNS, KEPT_ROWS, WARP
from gpu.pairs.classes import LONG_BASES
from gpu.pairs.filling import END_WORDS, ROUNDS_BEFORE, ROUNDS_BEHIND, STORED_WORDS, Filling, strips_of
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
SCORE, QUERY_START, QUERY_END, SUBJECT_START, SUBJECT_END, FIRST_RUN, LAST_RUN = range(7)
"""Words of Found of kernels/pairs/walk.cuh."""

Told = TypeVar("Told")


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
    stored = sections * width // (2 * narrow.width) * (2 * narrow.items + STORED_WORDS) * WARP * 4
    of_rows = (rounds * WARP // KEPT_ROWS + 3) * width * (4 * narrow.items + 4) // narrow.items
    of_columns = (int(columns) // KEPT_COLUMNS + 1) * (rounds + ROUNDS_BEFORE + ROUNDS_BEHIND) * (4 * WARP + 4)
    return stored + of_rows + of_columns


def walk_sections(
    filling: Filling, ways: Ways, letters: int, told: Told
) -> Generator[Told, None, tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
    """The row of Found and the runs of the pair, once it is scored; `told` between launches.

    letters: of both sequences.
    """
    stream = cupy.cuda.get_current_stream()
    end = fetched(filling.ends, stream)[0]
    # Where an alignment ends before the first letters, any section tells so.
    section, column = filling.section_of(max(0, int(end[1]))), max(0, int(end[END_WORDS - 1]))
    stage, parts = np.zeros(1, STAGE), list[npt.NDArray[np.int32]]()
    whole: npt.NDArray[np.int32] | None = None
    while True:
        for _ in filling.refill(section, column + KEPT_COLUMNS if whole is None else column):
            yield told
        stage["stop"] = filling.first_row(section)
        pinned = in_pinned_memory(stage)
        stages, runs, taken = sending(pinned), cupy.empty(letters, np.int32), cupy.zeros(1, np.int32)
        found = fetched(ways.walk(filling.matrices(), filling.ends, runs, taken, stages), stream)
        row, stage = found[:FOUND_WORDS], fetched(stages.view(np.int32), stream).view(STAGE)
        parts.append(fetched(runs[: int(fetched(taken, stream)[0])], stream))
        if whole is None:
            whole = row.copy()
        whole[[QUERY_START, SUBJECT_START]] = row[[QUERY_START, SUBJECT_START]]
        column, reached = int(stage["column"][0]), int(stage["row"][0])
        if column < 0 or reached < 0 or reached >= stage["stop"][0]:
            break
        section = filling.section_of(reached)
    runs_of_all = _joined(parts[::-1])
    whole[[FIRST_RUN, LAST_RUN]] = 0, len(runs_of_all)
    return whole[None], runs_of_all


def _joined(parts: list[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    """The runs of all, where one section's last and the next one's first are one if they are of one kind."""
    runs = np.concatenate(parts)
    kinds, lengths = runs & (1 << KIND_BITS) - 1, runs >> KIND_BITS
    first = np.flatnonzero(np.diff(kinds, prepend=-1))
    joined: npt.NDArray[np.int32] = kinds[first] | np.add.reduceat(lengths, first) << KIND_BITS
    return joined if len(runs) else runs
