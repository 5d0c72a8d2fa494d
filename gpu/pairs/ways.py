"""The ways back through matrices of which some rows and columns were kept (kernels/pairs/walk_kept.cu).

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.device import device
from gpu.family import kept_ways
from gpu.layout import FOUND_WORDS, KEPT_ROWS, MATRIX_LETTERS, SLOT_THREADS, WALK_BLOCKS, WARP
from gpu.pairs.potential import Form, bytes_of
from gpu.pairs.scores import by_value, resident, run_blocks
from gpu.pairs.traceback import PROFILE_BYTES, free_bits
from shardwater.alignment.scheme import Scheme
from shardwater.sequences.alphabets import BASES

WARPS = SLOT_THREADS // WARP


def plain_scores(scheme: Scheme, letters: int) -> npt.NDArray[np.int64] | None:
    """Scores for the way back, (letters, letters) of queries and subjects; None where a byte does not hold them.

    A mismatch dearer than two gaps is no part of an alignment, and as dear as it need be for that.
    """
    scores = scheme.table.scores[:letters, :letters].astype(np.int64)
    if not scheme.mode.local:
        scores = np.maximum(scores, -2 * scheme.gap_first - 1)
    return scores if bytes_of(scores) else None


def _plain_table(scores: npt.NDArray[np.int64]) -> Any:
    """As walk_kept.cu has it: of bases a word for each letter of a query, else a byte a score for each of a subject."""
    if len(scores) == len(BASES):
        return resident(scores.astype(np.int8))
    padded = np.zeros((MATRIX_LETTERS, MATRIX_LETTERS), np.int8)
    padded[: len(scores), : len(scores)] = scores.T
    return resident(padded)


def pointers(*arrays: Any) -> npt.NDArray[Any]:
    """Where these begin on the device, as a kernel's argument that is a struct of pointers."""
    return by_value(np.array([each.data.ptr for each in arrays], np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """Matrices that were filled, so many of them; all but `most`, the letters of both sequences at most, on the device.

    kept, memory: the struct that reads what was kept, and its Memory; starts: where subjects and queries begin in
    `codes`; columns and rows: their letters, 0 where there is no pair.
    """

    kept: str
    memory: npt.NDArray[Any]
    count: int
    most: int
    codes: Any
    starts: Sequence[Any]
    columns: Any
    rows: Any


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """How ways back are walked under a scheme, in plain numbers; table: their scores, on the device."""

    scheme: Scheme
    how: Form
    table: Any

    @classmethod
    def of(cls, scheme: Scheme, how: Form, scores: npt.NDArray[np.int64]) -> Self:
        """Those with plain_scores."""
        return cls(scheme, how, _plain_table(scores))

    def walk(self, matrices: Matrices, ends: Any, runs: Any, runs_taken: Any, stages: Any = None) -> Any:
        """What is found of the pairs, in their order, on the current stream; runs are appended to those of all.

        stages: how far ways that several launches go are to go in this one, and have come (walk_kept.cu's Stage).
        """
        scheme, count, most = self.scheme, matrices.count, matrices.most + 1
        grid = min(WALK_BLOCKS * device().multiprocessors, -(-count // WARPS))
        moves = cupy.empty(grid * WARPS * (KEPT_ROWS + WARP) * WARP, np.uint32)
        scratch, taken = cupy.empty(grid * WARPS * most, np.int32), cupy.zeros(1, np.int32)
        found = cupy.empty(FOUND_WORDS * count, np.int32)
        costs = np.int32(-scheme.gap_first), np.int32(-scheme.gap_extend), free_bits(scheme)
        staged = np.uintp(0) if stages is None else stages
        potential = by_value(np.array(self.potential, np.int32))
        arguments = (
            np.int32(count), matrices.codes, *matrices.starts, matrices.columns, matrices.rows,
            self.table, potential, *costs, matrices.memory, ends, staged, moves, scratch,
            np.int32(most), taken, runs_taken, runs, found,
        )  # fmt: skip
        family = kept_ways(self.how, matrices.kept)
        run_blocks(family, grid, arguments, 0 if self.how.of_bases else WARPS * PROFILE_BYTES)
        return found

    @property
    def potential(self) -> tuple[int, int, int]:
        """What kept numbers are more than plain ones: at all, by a row, and by a column."""
        if not self.scheme.mode.local:
            return self.how.free[0], self.how.free[5], self.how.free[6]
        # Local linear ones are less the cost of a letter.
        return 0 if self.how.affine else -self.scheme.gap_extend, 0, 0
