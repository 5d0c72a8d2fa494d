"""A grid over two genomes: which ends of anchors lie in a cell, at a height or below."""

from dataclasses import dataclass

import numpy as np

from shardwater.genomes.hsps import Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Of some cells: how many of a cell's ends are at a height or below, how many it has, and all cells before it."""

    height: Numbers
    size: Numbers
    before: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells that have ends, those of each group on a grid of its own.

    keys: the cells' numbers, sorted; firsts (cells + 1): how many ends are in all cells before each; heights: of all
    ends, those of each cell beyond those of the cell before; most: above all places.
    """

    side: int
    most: int
    keys: Numbers
    firsts: Numbers
    heights: Numbers

    @classmethod
    def of(cls, group: Numbers, x: Numbers, y: Numbers, side: int) -> "Cells":
        """The cells of these ends; side: the letters of a cell in both genomes."""
        most = int(max(x.max(initial=0), y.max(initial=0))) + 1
        keys, cells = np.unique(_key(group, x // side, y // side, most // side), return_inverse=True)
        firsts = np.append(0, np.cumsum(np.bincount(cells, minlength=len(keys))))
        return cls(side, most, keys, firsts, np.sort(cells * most + y))

    def find(self, group: Numbers, x: Numbers, y: Numbers, left: int = 0, below: int = 0) -> Found:
        """The ends at y or below, for each place, in its cell or one so many cells to the left of it and below."""
        own = _key(group, x // self.side - left, y // self.side - below, self.most // self.side)
        cells = np.searchsorted(self.keys, own)
        there = np.append(self.keys, -1)[cells] == own
        cells = np.where(there, cells, 0)
        before, size = self.firsts[cells], np.diff(self.firsts)[cells]
        height = np.searchsorted(self.heights, cells * self.most + y, side="right") - before
        return Found(np.where(there, height, 0), size, before)


def _key(group: Numbers, column: Numbers, row: Numbers, last: int) -> Numbers:
    """A number for each cell; column and row: from -1 to `last`."""
    key: Numbers = (group * (last + 2) + column + 1) * (last + 2) + row + 1
    return key
