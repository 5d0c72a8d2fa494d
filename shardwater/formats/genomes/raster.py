"""Lines of one slope as pixels: on each diagonal of a picture the union of intervals, however many lines there are."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.int64]
AT_ONCE = 1 << 18
"""Pixels that are told together."""


def line_pixels(
    shape: tuple[int, int], begins: Floats, ends: Floats, across: Floats, slope: float
) -> Iterator[tuple[Pixels, Pixels]]:
    """The pixels (along, across) that lines are on, some at a time; each goes from begin to end along, begin <= end.

    shape: of all pixels. across: where each line begins there; slope: how far it goes there for each pixel along, at
    most 1 in either direction. Lines of less than a pixel are on one.
    """
    if len(begins) == 0:
        return
    along, most = shape[0], shape[1] - 1
    firsts, lasts = (np.clip(np.floor(each).astype(np.int64), 0, along - 1) for each in (begins, ends))
    # Lines on the same pixels have the same diagonal: where they would begin at the first place along.
    diagonals = np.rint(across - slope * begins).astype(np.int64)
    least = int(diagonals.min())
    lane = along + 1
    keys, reached = (diagonals - least) * lane + firsts, (diagonals - least) * lane + lasts + 1
    for places in _union(keys, reached):
        lanes, at = places // lane, places % lane
        beside = np.floor(lanes + least + slope * (at + 0.5)).astype(np.int64)
        yield at, np.clip(beside, 0, most)


def _union(begins: Pixels, ends: Pixels) -> Iterator[Pixels]:
    """The whole numbers in any of these half-open intervals, about AT_ONCE at a time."""
    order = np.argsort(begins)
    begins, ends = begins[order], np.maximum.accumulate(ends[order])
    first = np.flatnonzero(np.append(True, begins[1:] > ends[:-1]))
    begins, ends = begins[first], ends[np.append(first[1:] - 1, len(ends) - 1)]
    lengths = ends - begins
    behind = np.cumsum(lengths)
    parts = np.searchsorted(behind, np.arange(AT_ONCE, behind[-1], AT_ONCE)) + 1
    for own, some in zip(np.split(begins, parts), np.split(lengths, parts), strict=True):
        if len(own):
            yield np.repeat(own - np.cumsum(some) + some, some) + np.arange(int(some.sum()))
