"""Chains: alignments that follow each other in both genomes, on one strand of one pair of records.

A chain scores the sum of its alignments' scores less a gap cost: GAP_LETTERS letters between two alignments, of either
genome, cost as much as a pair of equal letters scores. The best chain is taken, then the best one of what is left.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import MATCH, Numbers
from shardwater.genomes.linking import Anchors, Links, link
from shardwater.genomes.stretches import Stretches

GAP_LETTERS = 20
"""Letters between two alignments that cost as much as a pair of equal letters scores."""
MOST_OVERLAP = 512
"""Letters that alignments of a chain may share, and half of the later one at most: an HSP reaches beyond a gap by
chance, and boxes of neighbours share 200 letters. The gap cost is counted from where the shared letters must end."""
REACH = 10_000
"""Letters between two alignments, in each genome, up to which they may be in one chain. What is twice as far apart in
one genome is not: a chain leaps over no more than that."""
ROUNDS = 4
"""So often what is left is chained again: an alignment may have been linked to one that a better chain took."""

MOST_LINKED = 1 << 20
"""Alignments that are chained, those of the best scores: as many take some seconds. Others stay alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Chains of `alignments`, best first, of equal ones that of the first alignment. Each alignment is in one chain.

    members: the rows of the first chain's alignments along the subject, then those of the second; firsts (chains + 1):
    where those of each chain begin, and the last one's end.
    """

    alignments: Alignments
    members: Numbers
    firsts: Numbers
    scores: Numbers

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def reverse(self) -> npt.NDArray[np.bool_]:
        """Which are of the reverse strand."""
        return self.alignments.reverse[self.members[self.firsts[:-1]]]

    def begin(self, side: str) -> Numbers:
        """Where each begins in the `query` or in the `subject`, forward."""
        return self._over(np.minimum, side)

    def end(self, side: str) -> Numbers:
        """Where each ends there."""
        return self._over(np.maximum, f"{side}_end")

    def total(self, name: str) -> Numbers:
        """The sum of a column of alignments.ROW."""
        return self._over(np.add, name)

    def select(self, chosen: Numbers) -> "Chains":
        """Some chains by their numbers, in this order."""
        counts = np.diff(self.firsts)[chosen]
        firsts = np.append(0, np.cumsum(counts))
        places = np.repeat(self.firsts[:-1][chosen] - firsts[:-1], counts) + np.arange(firsts[-1])
        return Chains(self.alignments, self.members[places], firsts, self.scores[chosen])

    @property
    def chains(self) -> Numbers:
        """The number of the chain of each member."""
        return np.repeat(np.arange(len(self)), np.diff(self.firsts))

    def stretches(self) -> Stretches:
        """The stretches without gaps of each chain, of which no two share a letter; owners: the chains' numbers.

        Stretches that touch in both genomes are one.
        """
        return self.cut().numbered(self.chains).joined()

    def cut(self) -> Stretches:
        """The stretches of each member, of which no two of a chain share a letter: of two members the later one is cut.

        owners: places in `members`.
        """
        aligned, chains = self.alignments.select(self.members), self.chains
        every = Stretches.of(aligned)
        # Ends grow along a chain, so the alignment before tells how far both genomes are taken.
        before = np.maximum(every.owners - 1, 0)
        taken = np.maximum(
            _along(aligned).end[before] - every.along, aligned.column("subject_end")[before] - every.subject
        )
        follows = (before < every.owners) & (chains[before] == chains[every.owners])
        return every.cut(np.where(follows, np.maximum(taken, 0), 0))

    def _over(self, function: np.ufunc, name: str) -> Numbers:
        values = self.alignments.column(name)[self.members]
        over: Numbers = function.reduceat(values, self.firsts[:-1]) if len(self) else values
        return over


def chains_of(query: Genome, subject: Genome, alignments: Alignments, match: int = MATCH) -> Chains:
    """All chains of alignments; match: what two equal letters score in these."""
    anchors = _anchors(query, subject, alignments)
    # Along a chain x grows.
    rows = np.lexsort((anchors.y, anchors.x, anchors.group))
    chain, scores = _chained(anchors.select(rows), match)
    places, heads = np.arange(len(rows)), np.full(len(scores), len(rows))
    np.minimum.at(heads, chain, places)
    order = np.lexsort((rows[heads], -scores))
    rank = np.argsort(order)[chain]
    firsts = np.append(0, np.cumsum(np.bincount(rank, minlength=len(order))))
    return Chains(alignments, rows[np.lexsort((places, rank))], firsts, scores[order])


def most_overlap(x: Numbers, y: Numbers) -> Numbers:
    """What anything so long in both genomes may share with what is before it."""
    overlap: Numbers = np.minimum(np.minimum(x, y) // 2, MOST_OVERLAP)
    return overlap


@dataclass(frozen=True, slots=True, eq=False)
class _Along:
    """Ranges in the query, counted the way in which it is aligned: on the reverse strand backward, from 0 downward."""

    begin: Numbers
    end: Numbers


def _along(alignments: Alignments) -> _Along:
    begin, end = alignments.column("query"), alignments.column("query_end")
    return _Along(np.where(alignments.reverse, -end, begin), np.where(alignments.reverse, -begin, end))


def _groups(query: Genome, subject: Genome, alignments: Alignments) -> Numbers:
    """A number for the strand and the two records of each alignment."""
    of_query, of_subject = (
        genome.records(alignments.column(side)) for genome, side in ((query, "query"), (subject, "subject"))
    )
    pairs = (alignments.reverse * len(query.names) + of_query) * len(subject.names) + of_subject
    numbers: Numbers = np.unique(pairs, return_inverse=True)[1]
    return numbers


def _anchors(query: Genome, subject: Genome, alignments: Alignments) -> Anchors:
    """Each from where it may follow another one, in places of its records, the way in which it is aligned."""
    along, records = _along(alignments), query.records(alignments.column("query"))
    before = np.where(alignments.reverse, -query.offsets[records + 1], query.offsets[records])
    x, x_end = along.begin - before, along.end - before
    y, y_end = alignments.column("subject"), alignments.column("subject_end")
    above = subject.offsets[subject.records(y)]
    overlap = most_overlap(x_end - x, y_end - y)
    weight = GAP_LETTERS * alignments.column("score")
    group = _groups(query, subject, alignments)
    return Anchors(group, x + overlap, y + overlap - above, x_end, y_end - above, weight)


def _chained(anchors: Anchors, match: int) -> tuple[Numbers, Numbers]:
    """The chain that each anchor is in, and the score of each chain."""
    chain, scores, chains = np.full(len(anchors), -1), list[Numbers](), 0
    left = np.sort(np.argsort(-anchors.weight, kind="stable")[:MOST_LINKED])
    for _ in range(ROUNDS):
        links = link(anchors.select(left), match, REACH)
        # Anchors with one first anchor are a tree: its best chain is not cut short by another one.
        lasts = _best(links)
        own = _paths(links, lasts)
        chain[left[own >= 0]] = own[own >= 0] + chains
        scores.append(links.score[lasts])
        chains, left = chains + len(lasts), left[own < 0]
    alone = np.flatnonzero(chain < 0)
    chain[alone] = chains + np.arange(len(alone))
    return chain, np.concatenate((*scores, anchors.weight[alone])) // GAP_LETTERS


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
