"""Anchors linked into the best chains: a sweep over one genome, and a tree of maxima over the other.

The method is that of Abouelhoda and Ohlebusch (Chaining algorithms for multiple genome comparison, Journal of Discrete
Algorithms 3, 2005): a gap costs so much a letter in each genome, so the best anchor before another one is that of the
greatest score plus what its end's places cost, among those that end before in both; O(n log n).
"""

from dataclasses import dataclass

import numpy as np

from shardwater.genomes.hsps import Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Anchors:
    """What is chained, by columns: only anchors of one group are. An anchor may follow another one whose end is at or
    before its begin, in both genomes (x and y); it ends after it begins.

    They are sorted by group and x: of equally good ones the first counts.
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
class _Events:
    """Begins or ends along the sweep: which anchor each is of, where, how many ends are not above it, what it costs."""

    anchors: list[int]
    places: list[int]
    heights: list[int]
    costs: list[int]

    @classmethod
    def of(cls, places: Numbers, heights: Numbers, costs: Numbers) -> "_Events":
        order = np.argsort(places, kind="stable")
        return cls(order.tolist(), places[order].tolist(), heights[order].tolist(), costs[order].tolist())


def link(anchors: Anchors, letter_cost: int) -> Links:
    """Link each anchor to the best one before, if a chain gains by it.

    A chain scores the sum of weights less letter_cost for each letter between an anchor's end and the next one's begin,
    in both genomes.
    """
    # Groups come one after another along x, and the other way round along y: so one sweep and one tree serve all, and
    # none sees an anchor of another one.
    step = int(max(anchors.x_end.max(initial=0), anchors.y_end.max(initial=0))) + 1
    along, across = anchors.group * step, (anchors.group.max(initial=0) - anchors.group) * step
    heights = np.sort(anchors.y_end + across)
    begins, ends = (
        _Events.of(x + along, np.searchsorted(heights, y + across, side="right"), letter_cost * (x + y))
        for x, y in ((anchors.x, anchors.y), (anchors.x_end, anchors.y_end))
    )
    return _swept(begins, ends, anchors.weight.tolist())


def _swept(begins: _Events, ends: _Events, score: list[int]) -> Links:
    """score: the anchors' weights, which become those of chains."""
    count = len(score)
    before, first = [-1] * count, list(range(count))
    # tree[n]: the best of the last n & -n ends up to height n. An entry says what a chain scores and which it is: among
    # equal ones the first anchor has the greatest.
    tree, ended, places = [0] * (count + 1), 0, [*ends.places, ends.places[-1] + 1] if count else []
    for anchor, place, height, cost in zip(begins.anchors, begins.places, begins.heights, begins.costs, strict=True):
        while places[ended] <= place:
            other, at = ends.anchors[ended], ends.heights[ended]
            entry = (score[other] + ends.costs[ended]) * count + count - 1 - other
            # Where an entry is no greater, none above it is.
            while at <= count and tree[at] < entry:
                tree[at] = entry
                at += at & -at
            ended += 1
        best, at = 0, height
        while at:
            entry = tree[at]
            if entry > best:  # noqa: PLR1730  a call would take as long as all else here
                best = entry
            at &= at - 1
        if best and (gain := best // count - cost) > 0:
            other = count - 1 - best % count
            score[anchor] += gain
            before[anchor], first[anchor] = other, first[other]
    return Links(*(np.array(column, np.int64) for column in (score, before, first)))
