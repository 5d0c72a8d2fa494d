"""Which alignments follow each other best: the best chain is sought, then the best one of what is left.

GAP_LETTERS letters between two alignments, of either genome, cost as much as a pair of equal letters scores.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Numbers
from shardwater.genomes.linking import Anchors, Links, link

GAP_LETTERS = 20
"""Letters between two alignments that cost as much as a pair of equal letters scores."""
MOST_OVERLAP = 512
"""Letters that alignments of a chain may share, and half of the later one at most: an HSP reaches beyond a gap by
chance. Chains are sought as if each shared so many, and then the later alignment is cut by what it does share."""
REACH = 10_000
"""Letters between two alignments, in each genome, up to which they may be in one chain. What is twice as far apart in
one genome is not: a chain leaps over no more than that."""
ROUNDS = 4
"""So often what is left is chained again: an alignment may have been linked to one that a better chain took."""

MOST_LINKED = 1 << 20
"""Alignments that are chained, those of the best scores: as many take some seconds. Others stay alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Sequences:
    """Rows of alignments that follow each other, and where those of each chain begin and the last one's end."""

    members: Numbers
    firsts: Numbers

    @property
    def later(self) -> npt.NDArray[np.bool_]:
        """Which members follow another one."""
        later = np.ones(len(self.members), np.bool_)
        later[self.firsts[:-1]] = False
        return later

    def __len__(self) -> int:
        """How many chains there are."""
        return len(self.firsts) - 1

    def sums(self, values: Numbers) -> Numbers:
        """Of each chain the sum of its members' values."""
        sums: Numbers = np.add.reduceat(values, self.firsts[:-1]) if len(self) else values
        return sums

    def without(self, rows: npt.NDArray[np.bool_]) -> "Sequences":
        """The same without some rows, none of which is the first of a chain."""
        kept = ~rows[self.members]
        return Sequences(self.members[kept], np.append(0, np.cumsum(kept))[self.firsts])


@dataclass(frozen=True, slots=True, eq=False)
class Along:
    """Ranges of alignments in the query (x) and the subject (y), counted the way in which these are aligned: of the
    query on the reverse strand backward, from 0 downward.
    """

    x: Numbers
    x_end: Numbers
    y: Numbers
    y_end: Numbers

    @classmethod
    def of(cls, alignments: Alignments) -> "Along":
        """Those of all alignments."""
        begin, end, reverse = alignments.column("query"), alignments.column("query_end"), alignments.reverse
        x, x_end = np.where(reverse, -end, begin), np.where(reverse, -begin, end)
        return cls(x, x_end, alignments.column("subject"), alignments.column("subject_end"))


def sequences_of(query: Genome, subject: Genome, alignments: Alignments, rows: Numbers, match: int) -> Sequences:
    """The chains of these rows; match: what two equal letters score."""
    anchors = _anchors(query, subject, alignments.select(rows))
    # Along a chain x grows.
    order = np.lexsort((anchors.y, anchors.x, anchors.group))
    chain = _chained(anchors.select(order), match)
    return Sequences(rows[order[np.argsort(chain, kind="stable")]], np.append(0, np.cumsum(np.bincount(chain))))


def most_overlap(x: Numbers, y: Numbers) -> Numbers:
    """What anything so long in both genomes may share with what is before it."""
    overlap: Numbers = np.minimum(np.minimum(x, y) // 2, MOST_OVERLAP)
    return overlap


def _anchors(query: Genome, subject: Genome, alignments: Alignments) -> Anchors:
    """Each from where it may follow another one, in places of its records, the way in which it is aligned."""
    along, reverse = Along.of(alignments), alignments.reverse
    of_query, of_subject = query.records(alignments.column("query")), subject.records(along.y)
    before = np.where(reverse, -query.offsets[of_query + 1], query.offsets[of_query])
    above = subject.offsets[of_subject]
    overlap = most_overlap(along.x_end - along.x, along.y_end - along.y)
    pairs = (reverse * len(query.names) + of_query) * len(subject.names) + of_subject
    group: Numbers = np.unique(pairs, return_inverse=True)[1]
    return Anchors(
        group,
        along.x + overlap - before,
        along.y + overlap - above,
        along.x_end - before,
        along.y_end - above,
        GAP_LETTERS * alignments.column("score"),
    )


def _chained(anchors: Anchors, match: int) -> Numbers:
    """The chain that each anchor is in."""
    chain, chains = np.full(len(anchors), -1), 0
    left = np.sort(np.argsort(-anchors.weight, kind="stable")[:MOST_LINKED])
    for _ in range(ROUNDS):
        links = link(anchors.select(left), match, REACH)
        # Anchors with one first anchor are a tree: its best chain is not cut short by another one.
        lasts = _best(links)
        own = _paths(links, lasts)
        chain[left[own >= 0]] = own[own >= 0] + chains
        chains, left = chains + len(lasts), left[own < 0]
    alone = np.flatnonzero(chain < 0)
    chain[alone] = chains + np.arange(len(alone))
    return chain


def _best(links: Links) -> Numbers:
    """Of the anchors of each tree the one that the best chain ends with, of equal ones the first."""
    order = np.lexsort((-links.score, links.first))
    best: Numbers = order[np.diff(links.first[order], prepend=-1) != 0]
    return best


def _paths(links: Links, lasts: Numbers) -> Numbers:
    """Which of the chains that end so each anchor is in, -1 where in none."""
    paths, before = [-1] * len(links.before), links.before.tolist()
    for number, last in enumerate(lasts.tolist()):
        anchor = last
        while anchor >= 0:
            paths[anchor] = number
            anchor = before[anchor]
    return np.array(paths, np.int64)
