"""Pairs of like lengths that share a warp, as kernels that keep low bits of H read them (lows.cuh, band.cuh)."""

from dataclasses import dataclass
from typing import Any, Self

import cupyx
import numpy as np
import numpy.typing as npt

from shardwater.pairs.batch import Numbers

LOW_UNIT = 16
"""Bytes of low bits that a lane stores together."""


@dataclass(frozen=True, slots=True, eq=False)
class Packs:
    """Pairs in an order, a row of numbers each, and a row for each warp.

    order: of the pairs as they were given, without what fills the last warp. low_bytes: what is stored of all; letters:
    of both sequences of all, which is as many runs as there can be. Pairs and warps stand in pinned memory, which must
    not be used again before they were sent.
    """

    order: Numbers
    pairs: npt.NDArray[Any]
    warps: npt.NDArray[Any]
    low_bytes: int
    letters: int

    @classmethod
    def of(cls, order: Numbers, pairs: npt.NDArray[Any], warps: npt.NDArray[Any], units: Numbers) -> Self:
        """With where low bits and runs begin; units: of low bits, by warps."""
        letters = pairs["rows"].astype(np.int64) + pairs["columns"]
        pairs["runs"], warps["lows"] = np.cumsum(letters) - letters, np.cumsum(units) - units
        return cls(order, pairs, warps, LOW_UNIT * int(units.sum()), int(letters.sum()))


def in_order(keys: Numbers, lengths: Numbers, row: np.dtype[Any], together: int) -> tuple[Numbers, npt.NDArray[Any]]:
    """The order of pairs of so many letters (2, pairs) by keys of 16 bits, and their rows, with `rows` and `columns`.

    together: rows are filled up with zeros to a multiple of it.
    """
    # Numbers of 16 bits are sorted by their digits, in a tenth of the time.
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    # Pinned memory is kept for the next time; to have pages made anew would take as long as to fill them.
    pairs = cupyx.empty_pinned(-(-len(order) // together) * together, row)
    own, pairs[len(order) :] = pairs[: len(order)], 0
    own["rows"], own["columns"] = lengths[0][order], lengths[1][order]
    return order, pairs
