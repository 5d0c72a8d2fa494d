"""Lines of one slope as pixels: on each diagonal of a picture the union of intervals, however many lines there are."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.int64]


def mark_lines(mask: npt.NDArray[np.bool_], begins: Floats, ends: Floats, across: Floats, slope: float) -> None:
    """Mark lines in a mask (along, across), from begin to end along its first axis, begin <= end.

    across: where each line begins on the second axis; slope: how far it goes there for each pixel along, at most 1 in
    either direction. Lines of less than a pixel mark one.
    """
    if len(begins) == 0:
        return
    along, most = mask.shape[0], mask.shape[1] - 1
    firsts, lasts = (np.clip(np.floor(each).astype(np.int64), 0, along - 1) for each in (begins, ends))
    # Lines on the same pixels have the same diagonal: where they would begin at the first place along.
    diagonals = np.rint(across - slope * begins).astype(np.int64)
    least = int(diagonals.min())
    lane = along + 1
    keys, reached = (diagonals - least) * lane + firsts, (diagonals - least) * lane + lasts + 1
    places = _union(keys, reached)
    lanes, at = places // lane, places % lane
    beside = np.floor(lanes + least + slope * (at + 0.5)).astype(np.int64)
    mask[at, np.clip(beside, 0, most)] = True


def _union(begins: Pixels, ends: Pixels) -> Pixels:
    """The whole numbers in any of these half-open intervals."""
    order = np.argsort(begins)
    begins, ends = begins[order], np.maximum.accumulate(ends[order])
    first = np.flatnonzero(np.append(True, begins[1:] > ends[:-1]))
    begins, ends = begins[first], ends[np.append(first[1:] - 1, len(ends) - 1)]
    lengths = ends - begins
    before = np.cumsum(lengths) - lengths
    places: Pixels = np.repeat(begins - before, lengths) + np.arange(int(lengths.sum()))
    return places
