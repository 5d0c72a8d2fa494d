"""Of which parts of long pairs end points are sought: whole pairs, pieces of them, or some strips of one at a time.

Pieces overlap by as much as an alignment can span (gpu/pairs/pieces.py). Where that is too much, a single pair may be
cut into pieces that overlap by less. Each begins with zeros, as if nothing came before it, and in sequences that are
not alike what came before is soon forgotten. Whether it was is looked at when all is filled: where a piece hands on in
its overlap the same as the one before has there, all that follows in it is right, since nothing else enters it.

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
from gpu.pairs.classes import Shape
from gpu.pairs.long_layout import strips_of
from gpu.pairs.pieces import pieces_of
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, lengths_of
from shardwater.pairs.coded import CodedPair

OVERLAP = 2
"""Strips by which pieces overlap that are looked at afterwards."""
MOST_CHECKED, STRIPS_CHECKED = 32, 16 * OVERLAP
"""Such pieces of a pair, at most, and strips of each, at least."""
CHECKED_RATIO = 4
"""Columns for each row from which on such pieces pay: strips wait for each other, and rows are few."""
PART_NUMBERS = ("pair", "row", "column", "first_row", "first_column")
PART = np.dtype([(name, np.int32) for name in PART_NUMBERS])
"""EndPart of kernels/pairs/end_cells.cuh."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Parts of pairs that are filled together, each as a pair of its own, and PART of each.

    lengths: columns and rows (2, parts). strips: those of a single part that are filled, where that is not all.
    checked: whether they are pieces of a pair of which it has to be looked at whether they are right.
    """

    pairs: Sequence[CodedPair]
    own: npt.NDArray[np.void]
    lengths: Numbers
    strips: range | None = None
    checked: bool = False

    @classmethod
    def of(
        cls,
        pairs: Sequence[CodedPair],
        own: Sequence[tuple[int, ...]],
        *,
        strips: range | None = None,
        checked: bool = False,
    ) -> Self:
        """own: the numbers of PART, of each."""
        return cls(pairs, np.array(own, PART), lengths_of(pairs)[::-1], strips, checked)

    @classmethod
    def whole(cls, pairs: Sequence[CodedPair]) -> Self:
        """Pairs that are not cut."""
        return cls.of(pairs, [(number, 0, 0, 0, 0) for number in range(len(pairs))])

    @property
    def meetings(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Of checked pieces, a part and a strip of it, and those of the next part that end there, too."""
        width = int(self.own["first_column"][1]) // OVERLAP
        strips = (-(-self.lengths[0] // width)).tolist()
        # The last strip of a part hands nothing on.
        return [((part, count - 2), (part + 1, OVERLAP - 2)) for part, count in enumerate(strips[:-1])]


@dataclass(frozen=True, slots=True, eq=False)
class Resident:
    """The same on the device: PART of each, and of each of their strips its part's number and its own in that."""

    parts: Any
    strips: Any

    @classmethod
    def of(cls, parts: Parts, shape: Shape) -> Self:
        """In strips of a shape."""
        strips = strips_of(parts.lengths[0], shape)
        numbers = np.repeat(np.arange(len(strips)), strips)
        own = np.arange(len(numbers)) - np.repeat(np.cumsum(strips) - strips, strips)
        words = parts.own.view(np.int32).reshape(-1, len(PART_NUMBERS))
        return cls(cupy.asarray(words), cupy.asarray(np.stack((numbers, own), axis=1).astype(np.int32)))


def parts_of(pairs: Sequence[CodedPair], scheme: Scheme, shape: Shape) -> Parts:
    """Pairs, in pieces where they are soonest done so; shape: the narrowest of their strips."""
    width, cut, own = 2 * shape.width, list[CodedPair](), list[tuple[int, ...]]()
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
    strips = -(-len(pairs[0].subject) // width)
    # All are to be at work at once.
    more = shape.blocks * shape.warps * device().multiprocessors - strips
    count = min(MOST_CHECKED, strips // STRIPS_CHECKED, 1 + more // OVERLAP)
    if len(cut) > 1 or count < 2 or len(pairs[0].subject) < CHECKED_RATIO * len(pairs[0].query):
        return Parts.of(cut, own)
    return _checked_pieces(pairs[0], width, [strips * number // count for number in range(count + 1)])


def _checked_pieces(pair: CodedPair, width: int, ends: Sequence[int]) -> Parts:
    """Pieces of a pair that end with these strips."""
    cut, own = list[CodedPair](), list[tuple[int, ...]]()
    for first, last in pairwise(ends):
        overlap = OVERLAP if first else 0
        start = (first - overlap) * width
        cut.append(CodedPair(pair.query, pair.subject[start : last * width]))
        own.append((0, 0, start, 0, overlap * width))
    return Parts.of(cut, own, checked=True)


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
        bands.append(
            Parts.of([letters], [(0, 0, start, 0, before * width)], strips=range(before, before + last - first))
        )
    return bands
