"""A query on the device: what its places score, and the profiles of its strips."""

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Any

import cupy
import numpy as np

from gpu.compile import kernel
from gpu.layout import CHUNK, THREADS
from gpu.score.strips import Strip, Table
from gpu.score.teams import WIDE_SHAPE
from shardwater.alignment.scheme import Scheme
from shardwater.scoring.scoring import Scoring, load_matrix
from shardwater.sequences.fasta import Record


class DeviceQuery:
    """Scores, a matrix's or a PSSM's, which of their rows each place has, and the profiles that kernels make of them.

    best: the highest of these scores, or 1.
    """

    def __init__(self, query: Record, scoring: Scoring) -> None:
        scheme = Scheme.local(scoring, query.pssm)
        self.length, self.best = len(query.residues), max(1, scheme.best)
        self._places = cupy.asarray(scheme.places(query.residues).astype(np.int32))
        # Users make up matrices: what is kept for good is the published ones'.
        published = scoring.own is None and query.pssm is None
        self._scores = _device_scores(scoring.matrix) if published else cupy.asarray(scheme.scores)

    def profiles(self, ops: str, table: Table, strips: Sequence[Strip]) -> list[Any]:
        """The profile of each strip, as bytes on the device."""
        found: list[Any] = []
        for items, group in groupby(strips, key=lambda strip: strip.items):
            alike = list(group)
            shape = {"LETTERS": table.letters, **table.macros(items)}
            found += list(self._make(ops, shape, alike[0].first, len(alike)))
        return found

    def wide_profile(self, ops: str, strips: int) -> Any:
        """The profile for sw_wide, of so many strips of WIDE_COLUMNS columns; some may lie beyond the query."""
        return self._make(ops, WIDE_SHAPE, 0, strips)

    def byte_profile(self, letters: int, strip: Strip, count: int) -> Any:
        """The profiles by single letters of a strip and those of its shape behind it, uint32 (count, words).

        A byte for each score, four to a word: kernels/score/byte_profile.cu.
        """
        chunks = -(-strip.items // CHUNK)
        tables = cupy.empty((count, (letters + 1) * chunks * strip.lanes), cupy.uint32)
        arguments = (
            self._scores, self._places[strip.first :], np.int32(self.length - strip.first), np.int32(letters),
            np.int32(strip.lanes), np.int32(strip.items), tables,
        )  # fmt: skip
        kernel("byte_profile")((-(-tables.shape[1] // THREADS), count), (THREADS,), arguments)
        return tables

    def _make(self, ops: str, shape: dict[str, int], first: int, count: int) -> Any:
        tables = cupy.empty((count, shape["TABLE_BYTES"]), cupy.uint8)
        blocks = -(-shape["ROWS"] * shape["LANES"] * shape["ITEMS"] // (4 * THREADS))
        make = kernel("profile", OPS=ops, **shape)
        arguments = (self._scores, self._places[first:], np.int32(self.length - first), tables)
        make((blocks, count), (THREADS,), arguments)
        return tables


@cache
def _device_scores(matrix: str) -> Any:
    """A published matrix on the device, int32 (24, 24); there before any stream may use it."""
    scores = cupy.asarray(load_matrix(matrix).scores)
    cupy.cuda.get_current_stream().synchronize()
    return scores
