"""Anchors linked into the best chains: a sweep over one genome, and trees of maxima over the other.

The method is that of Abouelhoda and Ohlebusch (Chaining algorithms for multiple genome comparison, Journal of Discrete
Algorithms 3, 2005): a gap costs so much a letter in each genome, so the best anchor before another one is that of the
greatest score plus what its end's places cost, among those that end before in both; O(n log n). So that a link is no
leap, each cell of a grid has its own tree, and an anchor is linked to those of its cell and the three cells before.
"""

from dataclasses import dataclass

import numpy as np

from shardwater.genomes.cells import Cells
from shardwater.genomes.hsps import Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Anchors:
    """What is chained, by columns, places from 0; only those of one group are.

    An anchor may follow another one that ends at or before its begin, in both genomes (x and y). It ends after it
    begins. Of equally good ones the first counts.
    """

    group: Numbers
    x: Numbers
    y: Numbers
    x_end: Numbers
    y_end: Numbers
    weight: Numbers

    def __len__(self) -> int:
        return len(self.group)

    def select(self, chosen: Numbers) -> "Anchors":
        """Some of them, by their numbers."""
        columns = (self.group, self.x, self.y, self.x_end, self.y_end, self.weight)
        return Anchors(*(column[chosen] for column in columns))


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """The best chain that ends with each anchor: its score, the anchor before (-1: none), and its first one."""

    score: Numbers
    before: Numbers
    first: Numbers

    def chain(self, last: int) -> list[int]:
        """The anchors of the best chain that ends with this one, the last one first."""
        chain, anchor = list[int](), last
        while anchor >= 0:
            chain.append(anchor)
            anchor = int(self.before[anchor])
        return chain


@dataclass(frozen=True, slots=True, eq=False)
class _Ends:
    """Ends in the order of the sweep: of which anchor, where, what its places cost; its place in its cell's tree."""

    anchors: list[int]
    places: list[int]
    costs: list[int]
    heights: list[int]
    sizes: list[int]
    before: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class _Begins:
    """Begins in the order of the sweep: of which anchor, where, what its places cost; which searches it makes.

    firsts (begins + 1): the first search of each. A search is that of a tree up to a height.
    """

    anchors: list[int]
    places: list[int]
    costs: list[int]
    firsts: list[int]
    heights: list[int]
    before: list[int]


def link(anchors: Anchors, letter_cost: int, reach: int) -> Links:
    """Link each anchor to the best one before, if a chain gains by it.

    A chain scores the sum of weights less letter_cost for each letter between an anchor's end and the next one's begin,
    in both genomes. reach: the side of a cell: anchors that are no further apart in either genome may be linked, and
    none that are twice as far apart in one.
    """
    if len(anchors) == 0:
        return Links(anchors.weight, anchors.weight, anchors.weight)
    cells = Cells.of(anchors.group, anchors.x_end, anchors.y_end, reach)
    return _swept(_begins(anchors, cells, letter_cost), _ends(anchors, cells, letter_cost), anchors.weight.tolist())


def _ends(anchors: Anchors, cells: Cells, letter_cost: int) -> _Ends:
    order = np.argsort(anchors.x_end, kind="stable")
    own = cells.find(anchors.group, anchors.x_end, anchors.y_end)
    costs = letter_cost * (anchors.x_end + anchors.y_end)
    columns = (anchors.x_end, costs, own.height, own.size, own.before)
    return _Ends(order.tolist(), *(column[order].tolist() for column in columns))


def _begins(anchors: Anchors, cells: Cells, letter_cost: int) -> _Begins:
    order = np.argsort(anchors.x, kind="stable")
    group, x, y = (column[order] for column in (anchors.group, anchors.x, anchors.y))
    found = [cells.find(group, x, y, left, below) for left in (0, 1) for below in (0, 1)]
    heights, before = (np.stack(each, axis=1) for each in ([f.height for f in found], [f.before for f in found]))
    some = heights > 0
    firsts = np.append(0, np.cumsum(some.sum(axis=1)))
    columns = (x, letter_cost * (x + y), firsts, heights[some], before[some])
    return _Begins(order.tolist(), *(column.tolist() for column in columns))


def _swept(begins: _Begins, ends: _Ends, score: list[int]) -> Links:
    """score: the anchors' weights, which become those of chains."""
    count, ended = len(score), 0
    links, first = [-1] * count, list(range(count))
    # Of a cell's tree, place n has the best of its last n & -n ends up to height n. An entry says what a chain scores
    # and which it is: of equal ones that of the first anchor is greater.
    tree, places = [0] * (count + 1), [*ends.places, ends.places[-1] + 1]
    for number, (anchor, place) in enumerate(zip(begins.anchors, begins.places, strict=True)):
        while places[ended] <= place:
            other, before = ends.anchors[ended], ends.before[ended]
            entry = (score[other] + ends.costs[ended]) * count + count - 1 - other
            at, size = ends.heights[ended], ends.sizes[ended]
            # Where an entry is no greater, none above it is.
            while at <= size and tree[before + at] < entry:
                tree[before + at] = entry
                at += at & -at
            ended += 1
        best = 0
        for search in range(begins.firsts[number], begins.firsts[number + 1]):
            at, before = begins.heights[search], begins.before[search]
            while at:
                best = max(best, tree[before + at])
                at &= at - 1
        if best and (gain := best // count - begins.costs[number]) > 0:
            other = count - 1 - best % count
            score[anchor] += gain
            links[anchor], first[anchor] = other, first[other]
    return Links(*(np.array(column, np.int64) for column in (score, links, first)))
