"""Which shape of score_pairs.cu scores which pairs: short ones a thread, long ones more lanes, a whole warp at most.

Queries are columns there; keep_pairs.cu has subjects in the columns, and calls them queries here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gpu.layout import MATRIX_LETTERS, SLOT_BURST, SLOT_THREADS, WARP
from gpu.pairs.potential import Form

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shape:
    """Lanes to a slot, columns to a lane, and blocks on a multiprocessor."""

    lanes: int
    items: int
    blocks: int

    @property
    def width(self) -> int:
        """Columns that a slot's lanes have at a time."""
        return self.lanes * self.items

    @property
    def slots(self) -> int:
        """Slots of a warp."""
        return WARP // self.lanes

    def profile_bytes(self, form: Form) -> int:
        """Shared memory of a block, where its lanes have profiles (letters.cuh)."""
        return 0 if form.of_bases else self.warps * (MATRIX_LETTERS + 1) * 2 * self.items * WARP

    @property
    def warps(self) -> int:
        """Warps of a block."""
        return SLOT_THREADS // WARP


AFFINE = (Shape(1, 16, 5), Shape(1, 25, 4), Shape(1, 30, 4), Shape(4, 26, 4), Shape(32, 16, 5), Shape(32, 32, 4))
LINEAR = (Shape(1, 16, 6), Shape(1, 38, 4), Shape(1, 50, 3), Shape(4, 43, 4), Shape(32, 16, 6), Shape(32, 32, 5))
"""Of those measured on an H200, each with the blocks that its registers leave room for."""
PROFILED = (Shape(8, 16, 2), Shape(16, 16, 2), Shape(32, 8, 4), Shape(32, 16, 2))
"""Where letters are no bases, each with the blocks that its profiles leave room for."""

LONG_BASES = (Shape(32, 16, 4), Shape(32, 32, 3))
LONG_PROFILED = (Shape(32, 16, 2),)

BORDER_BYTES = 1 << 29
"""What leaves the strips of all blocks at a time, at most."""
MULTIPROCESSORS = 132
SCHEDULERS = 4 * MULTIPROCESSORS
"""Of an H200: what follows is an estimate, and ranks shapes alone."""
ROW_COST = 3
"""What a row costs beside its columns, in columns."""
TAIL = 1.5
"""What waiting for the last set costs, in times of the longest."""
SAMPLE = 1 << 12
"""Pairs that a time is estimated from."""
FIRST_CLASS = 64
LENGTH_STEP = 4
"""Queries of lengths within such a factor share a launch, and the shortest one."""


def shapes(form: Form) -> tuple[Shape, ...]:
    """The shapes that score pairs under a scheme."""
    if not form.of_bases:
        return PROFILED
    return AFFINE if form.affine else LINEAR


def wide_shapes(form: Form) -> tuple[Shape, ...]:
    """Those of whole warps, which keep what a way back needs: of bases they have more registers for that."""
    wide = [shape for shape in shapes(form) if shape.lanes == WARP]
    return tuple(replace(shape, blocks=shape.blocks - 1) if form.of_bases else shape for shape in wide)


def long_shapes(form: Form) -> tuple[Shape, ...]:
    """Those of strips of long pairs, which have two such slots side by side; the narrowest first."""
    return LONG_BASES if form.of_bases else LONG_PROFILED


def narrowest(of: Sequence[Shape]) -> int:
    """The width of the narrowest shape: what its strips are exact for can be scored."""
    return min(shape.width for shape in of)


@dataclass(frozen=True, slots=True)
class Class:
    """Pairs with letters on both sides whose queries have more than `above` and at most `most`: a launch."""

    above: int
    most: int
    border_rows: int
    shape: Shape


def classes(lengths: Numbers, form: Form, of: Sequence[Shape]) -> Iterator[Class]:
    """Those of pairs of so many letters, in columns and rows, each with that of these shapes which is soonest done."""
    queries, subjects = lengths
    above, longest = 0, int(queries.max(initial=0))
    while above < longest:
        most = max(FIRST_CLASS, LENGTH_STEP * above)
        chosen = (queries > above) & (queries <= most) & (subjects > 0)
        if chosen.all():
            yield _class(above, most, lengths, form, of)
        elif chosen.any():
            yield _class(above, most, lengths[:, chosen], form, of)
        above = most


def _class(above: int, most: int, lengths: Numbers, form: Form, of: Sequence[Shape]) -> Class:
    needed, longest = int(form.needed(lengths).max()), lengths.max(axis=1)
    exact = [shape for shape in of if needed <= form.letters(shape.width)]
    step = max(1, lengths.shape[1] // SAMPLE)
    sample = lengths[:, ::step]
    shape = min(exact, key=lambda shape: _time(sample, step, longest, shape, form))
    return Class(above, most, _border_rows(longest, shape), shape)


def _time(sample: Numbers, step: int, longest: Numbers, shape: Shape, form: Form) -> float:
    """What pairs, of which each step-th is in the sample, cost in this shape: in columns of a row a scheduler."""
    queries, subjects = sample
    bursts = -(-subjects // SLOT_BURST) + shape.lanes - 1
    work = -(-queries // shape.width) * bursts * (shape.items + ROW_COST)
    sets = step * work.sum() / (2 * shape.slots)
    # The border of long subjects leaves room for fewer blocks.
    whole = blocks(shape, form, 1 << 30, 0, MULTIPROCESSORS)
    few = whole / blocks(shape, form, 1 << 30, _border_rows(longest, shape), MULTIPROCESSORS)
    return float(few * sets / SCHEDULERS + TAIL * work.max())


def _border_rows(longest: Numbers, shape: Shape) -> int:
    """Rows of the border that a set needs at most, by the longest query and subject; none where one strip is all."""
    query, subject = longest.tolist()
    return subject if query > shape.width else 0


def blocks(shape: Shape, form: Form, sets: int, rows: int, multiprocessors: int) -> int:
    """Blocks for so many sets whose longest subject has so many rows: as many as run at a time, or have a border."""
    border = -(-rows // SLOT_BURST) * form.words * 16 * shape.slots * shape.warps
    return max(1, min(shape.blocks * multiprocessors, -(-sets // shape.warps), BORDER_BYTES // max(1, border)))
