"""Which blocks of two genomes stand where the backbone has a place for them."""

from bisect import bisect_right

import numpy as np
import numpy.typing as npt

from shardwater.genomes.chains import Chains
from shardwater.genomes.genome import MOST_LETTERS
from shardwater.genomes.hsps import Numbers

Bools = npt.NDArray[np.bool_]


def in_place(blocks: Chains, pairs: Numbers, backbone: Bools) -> Bools:
    """Which blocks reach, in the subject, what lies between the backbone's neighbours of their middle in the query.

    pairs: a number for the two records of each, -1 where they are no pair. A reverse block has those neighbours alone
    that score more than it: what is turned back within a large inversion does not put that out of place.
    """
    added, found = _Backbone(blocks), np.zeros(len(blocks), np.bool_)
    begins, ends = blocks.begin("subject").tolist(), blocks.end("subject").tolist()
    middles = ((blocks.begin("query") + blocks.end("query")) // 2).tolist()
    last = ~blocks.reverse & ~backbone
    for block in np.lexsort((-blocks.scores, last)).tolist():
        pair = int(pairs[block])
        if backbone[block]:
            added.add(pair, block)
            found[block] = True
        elif pair >= 0:
            low, high = added.gap(pair, middles[block])
            found[block] = begins[block] <= high and ends[block] >= low
    return found


class _Backbone:
    """Blocks of backbones, in the order of pairs and the query."""

    def __init__(self, blocks: Chains) -> None:
        self._places, self._blocks = list[int](), list[int]()
        self._begins, self._ends = blocks.begin("query").tolist(), blocks.end("query").tolist()
        self._subject, self._subject_end = blocks.begin("subject").tolist(), blocks.end("subject").tolist()
        self._stretches = blocks.stretches()
        self._firsts = np.searchsorted(self._stretches.owners, np.arange(len(blocks) + 1))

    def add(self, pair: int, block: int) -> None:
        """One more block of a pair's backbone."""
        place = _place(pair, self._begins[block])
        at = bisect_right(self._places, place)
        self._places.insert(at, place)
        self._blocks.insert(at, block)

    def gap(self, pair: int, middle: int) -> tuple[int, int]:
        """What lies in the subject between the neighbours of a place in the query: its first and last place."""
        at = bisect_right(self._places, _place(pair, middle))
        before = at > 0 and self._places[at - 1] >= _place(pair, 0)
        after = at < len(self._places) and self._places[at] < _place(pair + 1, 0)
        if before and middle < self._ends[block := self._blocks[at - 1]]:
            return self._inside(block, middle)
        low = self._subject_end[self._blocks[at - 1]] if before else 0
        return low, self._subject[self._blocks[at]] if after else MOST_LETTERS

    def _inside(self, block: int, middle: int) -> tuple[int, int]:
        """The same of a place within a block: between two of its stretches, or the place that one pairs it with."""
        first, last = self._firsts[block : block + 2].tolist()
        at = first + int(np.searchsorted(self._stretches.query[first:last], middle, side="right")) - 1
        subject, length = int(self._stretches.subject[at]), int(self._stretches.length[at])
        along = middle - int(self._stretches.query[at])
        if along < length:
            return subject + along, subject + along
        return subject + length, int(self._stretches.subject[at + 1])


def _place(pair: int, letter: int) -> int:
    """Places of a pair are beyond those of the pair before."""
    return pair * (MOST_LETTERS + 1) + letter
