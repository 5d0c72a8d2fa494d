"""Answers of pairs as bytes: numbers behind a header, little-endian.

The header has the name and version of the format, the number of rows, and the number of runs. Then comes a row of
five int64 for each alignment: its score, where the query's part begins and ends, and where the subject's does. Then
three columns: flags (uint8: 1 where the query was turned round, 2 where the row is of the same pair as the one before),
how many runs each row has (int32), and all runs (int32 words, as in columns.py). Cells are not kept.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS, Columns

_HEADER = struct.Struct("<8sQQ")
_MAGIC = b"SWPAIRS2"
_NUMBERS = 5
_ROW_BYTES, _RUN_BYTES = 8 * _NUMBERS + 1 + 4, 4
"""Of a row without its runs, and of a run."""
_TURNED, _SAME_PAIR = 1, 2


class UnreadableAnswers(AlignError):
    """Bytes that Answers.pack did not write."""


LETTERS_A_RUN = 4
"""Average letters of the shorter sequence for each run. Unrelated DNA with cheap gaps has this few."""


def likely_bytes(parts: int, rows: int, letters: int | None) -> int:
    """The bytes that so many Answers with so many rows take, once they are packed.

    letters: of the shorter sequence of each row's pair, summed over all rows; None where rows have no runs. The most is
    two runs a letter, but jobs would then wait for eight times the space that they need.
    """
    runs = 0 if letters is None else rows + letters // LETTERS_A_RUN
    return parts * _HEADER.size + rows * _ROW_BYTES + runs * _RUN_BYTES


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The answers of pairs 0, 1, 2, ..., a row for each alignment; reverse (rows,): whose queries were turned round."""

    columns: Columns
    reverse: npt.NDArray[np.bool_]

    @classmethod
    def gathered(cls, local: bool, parts: Sequence[tuple[Columns, npt.NDArray[np.bool_]]]) -> Self:
        """The answers of parts that together have each pair once, in any order."""
        columns = Columns.joined(local, [part for part, _ in parts])
        reverse = np.concatenate([np.zeros(0, np.bool_), *(turned for _, turned in parts)])
        # Rows of a pair stay in their order.
        order = np.argsort(columns.numbers, kind="stable")
        columns = columns.select(order)
        assert np.array_equal(columns.numbers, np.cumsum(columns.begins) - 1)
        return cls(columns, reverse[order])

    @property
    def pairs(self) -> int:
        """How many they are."""
        return self.columns.pairs

    def pack(self) -> bytes:
        """As bytes."""
        columns = self.columns
        numbers = np.column_stack((columns.scores, columns.places)).astype("<i8")
        counts, runs = (columns.lasts - columns.firsts).astype("<i4"), columns.row_runs.astype("<i4")
        flags = np.where(self.reverse, _TURNED, 0) | np.where(columns.begins, 0, _SAME_PAIR)
        header = _HEADER.pack(_MAGIC, len(columns), len(runs))
        return b"".join((header, *(each.tobytes() for each in (numbers, flags.astype(np.uint8), counts, runs))))

    @classmethod
    def read(cls, packed: bytes, local: bool) -> Self:
        """What `pack` wrote; raises UnreadableAnswers."""
        if len(packed) < _HEADER.size:
            raise UnreadableAnswers("it is too short")
        magic, rows, runs = _HEADER.unpack_from(packed)
        if magic != _MAGIC:
            raise UnreadableAnswers("it has another format or version")
        if len(packed) != _HEADER.size + rows * _ROW_BYTES + _RUN_BYTES * runs:
            raise UnreadableAnswers("its size is not what it says")
        at = _HEADER.size
        numbers = np.frombuffer(packed, "<i8", _NUMBERS * rows, at).reshape(rows, _NUMBERS)
        flags = np.frombuffer(packed, np.uint8, rows, at := at + numbers.nbytes)
        counts = np.frombuffer(packed, "<i4", rows, at := at + rows)
        words = np.frombuffer(packed, "<i4", runs, at + counts.nbytes)
        lasts = np.cumsum(counts, dtype=np.int64)
        kinds = words & (1 << KIND_BITS) - 1
        if (counts < 0).any() or counts.sum(dtype=np.int64) != runs or (words < 1 << KIND_BITS).any():
            raise UnreadableAnswers("its runs are not those of its rows")
        if ((kinds < 1) | (kinds >= len(RUN_KINDS))).any() or (flags > _TURNED | _SAME_PAIR).any():
            raise UnreadableAnswers("it has kinds that there are not")
        begins = flags & _SAME_PAIR == 0
        if not begins[:1].all():
            raise UnreadableAnswers("its first row is of no pair")
        cells, pairs = np.broadcast_to(np.int64(0), rows), np.cumsum(begins) - 1
        columns = Columns(local, pairs, cells, numbers[:, 0], numbers[:, 1:], lasts - counts, lasts, words)
        return cls(columns, flags & _TURNED != 0)
