"""Of which parts of long pairs end points are sought: whole pairs, pieces of them, or some strips of one at a time.

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.device import device
from gpu.pairs.pieces import pieces_of
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers
from shardwater.pairs.coded import CodedPair

PART_NUMBERS = ("pair", "row", "column", "first_row", "first_column")
PART = np.dtype([(name, np.int32) for name in PART_NUMBERS])
"""EndPart of kernels/pairs/end_cells.cuh."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Parts of pairs that are filled together, each as a pair of its own, and PART of each.

    lengths: columns and rows (2, parts). strips: those of a single part that are filled, where that is not all.
    """

    pairs: Sequence[CodedPair]
    own: npt.NDArray[np.void]
    lengths: Numbers
    strips: range | None = None

    @classmethod
    def of(cls, pairs: Sequence[CodedPair], own: Sequence[tuple[int, ...]], strips: range | None = None) -> Self:
        """own: the numbers of PART, of each."""
        lengths = np.array([(len(pair.subject), len(pair.query)) for pair in pairs], np.int64).T
        return cls(pairs, np.array(own, PART), lengths, strips)

    def resident(self) -> dict[str, Any]:
        """PART of each on the device, number by number."""
        return {name: cupy.asarray(np.ascontiguousarray(self.own[name])) for name in PART_NUMBERS}


def parts_of(pairs: Sequence[CodedPair], scheme: Scheme, width: int) -> Parts:
    """Pairs, in pieces where they are soonest done so; width: columns of a strip."""
    cut, own = list[CodedPair](), list[tuple[int, ...]]()
    for number, pair in enumerate(pairs):
        lengths = np.array([len(pair.query), len(pair.subject)])
        pieces = pieces_of(lengths, width, scheme, device().multiprocessors, beside=len(pairs))
        if pieces is None:
            cut.append(pair)
            own.append((number, 0, 0, 0, 0))
        else:
            cut += [pieces.piece(pair, piece) for piece in range(len(pieces.ranges))]
            own += [
                (number, *pieces.along(letters.start), *pieces.along(shared))
                for letters, shared in zip(pieces.ranges, pieces.shared, strict=True)
            ]
    return Parts.of(cut, own)


def bands_of(pair: CodedPair, width: int, most: int) -> list[Parts]:
    """A pair as bands of at most so many strips, to be filled one after the other.

    A band has the letters of the strip before its own, which hands on what the band before has found there, and a
    letter of the strip behind them, so that its last one hands on as well. Neither is filled.

    width: columns of a strip.
    """
    columns = len(pair.subject)
    strips = -(-columns // width)
    count = -(-strips // most)
    ends = [strips * number // count for number in range(count + 1)]
    bands = list[Parts]()
    for first, last in pairwise(ends):
        before = int(first > 0)
        start, stop = (first - before) * width, min(columns, last * width + 1)
        letters = CodedPair(pair.query, pair.subject[start:stop])
        bands.append(Parts.of([letters], [(0, 0, start, 0, before * width)], range(before, before + last - first)))
    return bands
