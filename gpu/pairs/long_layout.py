"""How long pairs lie on a device: strips, and where what belongs to each pair begins (kernels/pairs/long.cuh).

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.device import device
from gpu.layout import KEPT_COLUMNS, KEPT_ROWS, PLACES, SLOT_BURST, WARP
from gpu.pairs.classes import Shape, long_shapes
from gpu.pairs.found import pinned
from gpu.pairs.plan import rounds_of
from gpu.pairs.potential import Form
from shardwater.pairs.batch import Numbers, lengths_of
from shardwater.pairs.coded import CodedPair
from shardwater.sequences.alphabet import Codes

ENOUGH = 3
"""Strips for each warp: of a few more than one, most warps have nothing to do while the last ones are filled."""
SHARES = 4
"""Of a pair on a device, each with launches of its own: warps of one begin where those of another have ended."""
STRIPS_A_SHARE = 224
STRIPS_A_DEVICE = 256
"""Fewer wait for each other most of the time."""

PAIR = np.dtype(
    [(name, np.int64) for name in ("columns_at", "rows_at", "edges_at", "kept_rows", "kept_columns")]
    + [(name, np.int32) for name in ("columns", "rows", "kept_rounds", "unused")]
)
"""LongPair of kernels/pairs/long.cuh."""


def strips_of(columns: Numbers, shape: Shape) -> Numbers:
    """Strips of so many columns."""
    found: Numbers = -(-columns // (2 * shape.width))
    return found


def placed(columns: Numbers, how: Form, devices: Sequence[int]) -> tuple[Shape, Sequence[int]]:
    """The shape of strips of pairs of so many columns of which nothing is kept, and the device of each share of them.

    A single pair goes over all devices for which it has strips enough, and is cut into several shares on each where
    they are wide.
    """
    if len(columns) > 1:
        return shape_for(columns, how), devices[:1]
    narrowest, widest = long_shapes(how)[0], long_shapes(how)[-1]
    if strips_of(columns, widest)[0] >= len(devices) * SHARES * STRIPS_A_SHARE:
        return widest, [number for number in devices for _ in range(SHARES)]
    return shape_for(columns, how), devices[: max(1, int(strips_of(columns, narrowest)[0]) // STRIPS_A_DEVICE)]


def shape_for(columns: Numbers, how: Form) -> Shape:
    """The widest strips that are ENOUGH for all warps: the wider they are, the fewer instructions a cell takes."""
    narrowest, *wider = long_shapes(how)
    warps = device().multiprocessors * narrowest.warps
    enough = [shape for shape in wider if strips_of(columns, shape).sum() >= ENOUGH * shape.blocks * warps]
    return [narrowest, *enough][-1]


def told_apart(sequences: Sequence[Codes]) -> tuple[list[Codes], list[int]]:
    """Sequences that do not lie at the same place in memory, and which of them each one is."""
    places: dict[tuple[int, ...], int] = {}
    apart, which = list[Codes](), list[int]()
    for sequence in sequences:
        place = sequence.__array_interface__["data"][0], len(sequence), *sequence.strides
        if place not in places:
            places[place] = len(apart)
            apart.append(sequence)
        which.append(places[place])
    return apart, which


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where what belongs to pairs begins (long.cuh).

    In all words of letters, rows of edges, columns of kept rows, and rounds of kept columns.
    """

    pairs: npt.NDArray[np.void]
    words: int
    edges: int
    kept_rows: int
    kept_columns: int

    @classmethod
    def of(cls, lengths: Numbers, form: Form, shape: Shape, *, each_edge: bool = False) -> Self:
        """That of pairs of so many letters, in columns and in rows; each_edge: of every strip, not of one at a time."""
        strips, rounds = strips_of(lengths[0], shape), rounds_of(lengths[1])
        sizes = {
            "columns_at": strips * (shape.width // SLOT_BURST) * form.letter_words,
            "rows_at": (PLACES + rounds * WARP) // 4 + 4,
            "edges_at": lengths[1] * strips if each_edge else lengths[1],
            "kept_rows": (lengths[1] - 1) // KEPT_ROWS * strips * 2 * shape.width,
            "kept_columns": (lengths[0] - 1) // KEPT_COLUMNS * rounds,
        }
        pairs = np.zeros(lengths.shape[1], PAIR)
        for name, size in sizes.items():
            pairs[name] = np.cumsum(size) - size
        pairs["columns"], pairs["rows"] = lengths
        pairs["kept_rounds"] = rounds
        # Words of letters of rows stand behind those of columns; two are read at a time.
        of_columns = int(sizes["columns_at"].sum())
        pairs["rows_at"] += of_columns
        totals = [int(sizes[name].sum()) for name in ("rows_at", "edges_at", "kept_rows", "kept_columns")]
        return cls(pairs, of_columns + totals[0], *totals[1:])


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """Pairs that are to be filled, before any of it is on a device.

    lengths: (2, pairs), in columns and in rows. sent, in pinned memory: LongPair of each, the letters of all, where
    subjects and queries begin there, and how many letters they have.
    """

    how: Form
    shape: Shape
    lengths: Numbers
    layout: Layout
    sent: tuple[npt.NDArray[Any], ...]

    @classmethod
    def of(cls, pairs: Sequence[CodedPair], how: Form, shape: Shape, *, each_edge: bool) -> Self:
        """These pairs, in strips of a shape. Letters that several of them share are sent once."""
        lengths = lengths_of(pairs)[::-1]
        layout = Layout.of(lengths, how, shape, each_edge=each_edge)
        letters, which = told_apart([*(pair.subject for pair in pairs), *(pair.query for pair in pairs)])
        ends = np.cumsum([len(each) for each in letters])
        codes = cupyx.empty_pinned(int(ends[-1]), np.uint8)
        np.concatenate(letters, out=codes)
        starts = (ends - [len(each) for each in letters])[which].reshape(2, -1)
        numbers_of = [pinned(each) for each in (*starts, *lengths.astype(np.int32))]
        return cls(how, shape, lengths, layout, (pinned(layout.pairs), codes, *numbers_of))

    @property
    def strips(self) -> Numbers:
        """Of each pair."""
        return strips_of(self.lengths[0], self.shape)

    @property
    def rounds(self) -> Numbers:
        """Of the strips of each pair."""
        return rounds_of(self.lengths[1])

    @property
    def most(self) -> int:
        """Letters of a pair, at most."""
        return int(self.lengths.sum(axis=0).max())


def kept_room(rows: int, columns: int, shape: Shape) -> list[Any]:
    """Room for LongMemory of long.cuh: so many columns of rows, and rounds of columns."""
    sizes = rows, rows // shape.items, columns * WARP, columns
    return [cupy.empty(max(1, size), np.int32) for size in sizes]
