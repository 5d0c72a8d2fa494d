"""Pairs of letters that earlier alignments have, as take.cu marks them."""

from collections.abc import Sequence

import numpy as np

from gpu.pairs.shapes import Shapes
from shardwater.alignment.alignment import Alignment
from shardwater.pairs.batch import Numbers


def runs_of(taken: Sequence[Sequence[Alignment]], shapes: Shapes) -> Numbers:
    """take.cu's TakenRun for each run of pairs of letters, int64 (runs, 5); taken: earlier alignments of each pair."""
    begins = np.cumsum(shapes.moves) - shapes.moves
    rows = []
    for earlier, begin, letters in zip(taken, begins.tolist(), shapes.subjects.tolist(), strict=True):
        for alignment in earlier:
            column, row = alignment.query_start, alignment.subject_start
            for run in alignment.runs:
                if run.kind == "M":
                    rows.append((begin, letters, column, row, run.length))
                column += run.length if run.kind != "D" else 0
                row += run.length if run.kind != "I" else 0
    return np.array(rows, np.int64).reshape(-1, 5)
