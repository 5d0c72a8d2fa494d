"""The stretches without gaps that alignments are made of: pairs of as many letters, as chains take them."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from shardwater.genomes.alignments import MATCHING, Alignments
from shardwater.genomes.hsps import Numbers
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS

INSERTED, DELETED = RUN_KINDS.index("I"), RUN_KINDS.index("D")


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """Runs of pairs of letters, by columns; places are forward ones of Genome.

    A reverse stretch pairs query letter query + length - 1 - t, complemented, with subject letter subject + t. owners:
    the number of the alignment that each is of; those of an alignment follow each other along the subject.
    """

    owners: Numbers
    query: Numbers
    subject: Numbers
    length: Numbers
    reverse: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, alignments: Alignments) -> "Stretches":
        """All stretches of these alignments, in their order."""
        runs = alignments.runs.astype(np.int64)
        kinds, lengths = runs & (1 << KIND_BITS) - 1, runs >> KIND_BITS
        owners = np.repeat(np.arange(len(alignments)), alignments.column("runs"))
        firsts, matching = alignments.firsts[:-1], kinds == MATCHING
        along = [_before(lengths * (kinds != out), firsts)[matching] for out in (DELETED, INSERTED)]
        owners, lengths = owners[matching], lengths[matching]
        reverse = alignments.reverse[owners]
        backward = alignments.column("query_end")[owners] - along[0] - lengths
        query = np.where(reverse, backward, alignments.column("query")[owners] + along[0])
        return cls(owners, query, alignments.column("subject")[owners] + along[1], lengths, reverse)

    @classmethod
    def together(cls, several: Sequence["Stretches"]) -> "Stretches":
        """All stretches of several."""
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(each, name) for each in several]) for name in names))

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def along(self) -> Numbers:
        """Where each begins in the query, counted the way in which it is aligned: in reverse backward, below 0."""
        return np.where(self.reverse, -self.query - self.length, self.query)

    def numbered(self, numbers: Numbers) -> "Stretches":
        """The same of owners that are counted otherwise, by the numbers that they have there."""
        return replace(self, owners=numbers[self.owners])

    def part(self, first: Numbers, last: Numbers) -> "Stretches":
        """Of each the letters from one to before another one along the subject, so far as it has them."""
        first, last = np.maximum(first, 0), np.minimum(last, self.length)
        some = np.flatnonzero(first < last)
        query = self.query + np.where(self.reverse, self.length - last, first)
        subject, length = self.subject + first, last - first
        return Stretches(self.owners[some], query[some], subject[some], length[some], self.reverse[some])

    def joined(self) -> "Stretches":
        """The same where neighbours of one owner that touch in both genomes are one."""
        if len(self) == 0:
            return self
        along, subject = self.along, self.subject
        other = np.diff(self.owners) != 0
        for places in (along, subject):
            other |= places[1:] != (places + self.length)[:-1]
        first = np.flatnonzero(np.append(True, other))
        query, length = np.minimum.reduceat(self.query, first), np.add.reduceat(self.length, first)
        return Stretches(self.owners[first], query, subject[first], length, self.reverse[first])


def columns_before(alignments: Alignments) -> Numbers:
    """Of each run of alignments, how many of its alignment's columns stand before it."""
    return _before(alignments.runs.astype(np.int64) >> KIND_BITS, alignments.firsts[:-1])


def _before(taken: Numbers, firsts: Numbers) -> Numbers:
    """The sum of what the runs of its alignment before each run take; firsts: where each alignment's runs begin."""
    sums = np.cumsum(taken) - taken
    counts = np.diff(np.append(firsts, len(taken)))
    before: Numbers = sums - np.repeat(sums[firsts], counts)
    return before
