"""Where each subject goes on the device: packs of eight subjects of like length, by class (kernels/database/packs.cuh).

The plan is made with numpy's verbs on whichever array module holds the lengths: cupy when a shard is loaded, numpy in
tests. Pairs of equal length come first, because one more column of a query fits the kernel's table where it needs no
rows for a subject that ends before its partner.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from gpu.layout import AMINO_ACIDS, BURST, GROUPS, MATRIX_LETTERS, PAD_ROWS

Array = Any
"""An array of numpy or of cupy."""


class PackClass(IntEnum):
    """What the subjects of a pack have in common."""

    EVEN = 0
    """The 20 amino acids alone, in pairs of equal length; one may be its own partner."""
    UNEVEN = 1
    """The 20 amino acids alone, the first of a pair not shorter than the second."""
    AMBIGUOUS = 2
    """Some letter beyond the amino acids."""
    LONG = 3
    """So long that a team of warps scores each."""

    @property
    def letters(self) -> int:
        """How many letters its pair codes know."""
        return AMINO_ACIDS if self in (PackClass.EVEN, PackClass.UNEVEN) else MATRIX_LETTERS


@dataclass(frozen=True, slots=True)
class Packs:
    """The packs of a part of a shard, class after class, in each the longest first.

    slots is int32 (packs, GROUPS, 2), a subject of the part or -1; rows int32 and starts int64 (packs,), in rows of
    ROW_BYTES; counts the packs of each class; total_rows what the part's codes take, padding included.
    """

    slots: Array
    rows: Array
    starts: Array
    counts: tuple[int, ...]
    total_rows: int

    def span(self, *classes: PackClass) -> range:
        """The packs of classes that follow each other."""
        first = sum(self.counts[: classes[0]])
        return range(first, first + sum(self.counts[number] for number in classes))


def plan(xp: Any, lengths: Array, ambiguous: Array, long_rows: int) -> Packs:
    """Packs for subjects of these lengths, ascending; those longer than long_rows are LONG."""
    is_long = lengths > long_rows
    plain = xp.flatnonzero(~ambiguous & ~is_long)
    even, uneven = _pairs(xp, plain, lengths)
    parts = [
        _packs(xp, even),
        _packs(xp, uneven),
        _packs(xp, _neighbours(xp, xp.flatnonzero(ambiguous & ~is_long))),
        _packs(xp, _neighbours(xp, xp.flatnonzero(is_long))),
    ]
    slots = xp.concatenate(parts)
    # The first subject of a pack is its longest. Whole bursts, so that the loop over rows need not look at each.
    longest = lengths[slots[:, 0, 0]].astype(xp.int64) if len(slots) else xp.zeros(0, xp.int64)
    rows = -(-longest // BURST) * BURST
    padding = xp.full(len(slots), PAD_ROWS, xp.int64)
    # Padding is shared by neighbours, but not by those whose codes differ.
    padding[len(parts[0]) + len(parts[1]) - 1 :][:1] += PAD_ROWS
    ends = xp.cumsum(rows + padding) + PAD_ROWS
    starts = ends - rows - padding
    total = int(ends[-1]) if len(slots) else PAD_ROWS
    return Packs(
        slots=slots,
        rows=rows.astype(xp.int32),
        starts=starts.astype(xp.int64),
        counts=tuple(len(part) for part in parts),
        # What a lane reads ahead of its last row stays inside.
        total_rows=total + PAD_ROWS,
    )


def _pairs(xp: Any, subjects: Array, lengths: Array) -> tuple[Array, Array]:
    """Pairs of equal length, and pairs of those left over, one at most for each length.

    Of an odd number left over the shortest stays alone, and is its own partner: it needs no row of the table either.
    """
    own = lengths[subjects]
    first = xp.searchsorted(own, own, side="left")
    count = xp.searchsorted(own, own, side="right") - first
    single = (count % 2 == 1) & (xp.arange(len(own)) - first == count - 1)
    even, left = subjects[~single].reshape(-1, 2), subjects[single]
    if len(left) % 2:
        alone = xp.concatenate([left[:1], xp.full(1, -1, left.dtype)]).reshape(1, 2)
        shorter = int(xp.searchsorted(lengths[even[:, 0]], lengths[left[:1]])[0])
        even, left = xp.concatenate([even[:shorter], alone, even[shorter:]]), left[1:]
    return even, _neighbours(xp, left)


def _neighbours(xp: Any, subjects: Array) -> Array:
    """Subjects, ascending by length, two by two with the longer first; the shortest may stay alone."""
    if len(subjects) % 2:
        subjects = xp.concatenate([xp.full(1, -1, subjects.dtype), subjects])
    return subjects.reshape(-1, 2)[:, ::-1]


def _packs(xp: Any, pairs: Array) -> Array:
    """Pairs, ascending by length, in packs from the longest down; the last may not be full."""
    missing = -len(pairs) % GROUPS
    filled = xp.concatenate([pairs[::-1], xp.full((missing, 2), -1, pairs.dtype)])
    return filled.reshape(-1, GROUPS, 2).astype(xp.int32)
