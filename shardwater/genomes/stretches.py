"""The stretches without gaps that alignments are made of: pairs of as many letters, as chains take them."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from shardwater.genomes.alignments import MATCHING, Alignments
from shardwater.genomes.hsps import Numbers
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS

_INSERTED, _DELETED = RUN_KINDS.index("I"), RUN_KINDS.index("D")


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
        along = [_before(lengths * (kinds != out), firsts)[matching] for out in (_DELETED, _INSERTED)]
        owners, lengths = owners[matching], lengths[matching]
        reverse = alignments.reverse[owners]
        backward = alignments.column("query_end")[owners] - along[0] - lengths
        query = np.where(reverse, backward, alignments.column("query")[owners] + along[0])
        return cls(owners, query, alignments.column("subject")[owners] + along[1], lengths, reverse)

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def along(self) -> Numbers:
        """Where each begins in the query, counted the way in which it is aligned: in reverse backward, below 0."""
        return np.where(self.reverse, -self.query - self.length, self.query)

    def numbered(self, numbers: Numbers) -> "Stretches":
        """The same of owners that are counted otherwise, by the numbers that they have there."""
        return replace(self, owners=numbers[self.owners])

    def cut(self, letters: Numbers) -> "Stretches":
        """Each without so many of its first letters along the subject; without those that have no more."""
        kept = letters < self.length
        query = np.where(self.reverse, self.query, self.query + letters)
        subject, length = (self.subject + letters)[kept], (self.length - letters)[kept]
        return Stretches(self.owners[kept], query[kept], subject, length, self.reverse[kept])

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


def _before(taken: Numbers, firsts: Numbers) -> Numbers:
    """The sum of what the runs of its alignment before each run take; firsts: where each alignment's runs begin."""
    sums = np.cumsum(taken) - taken
    counts = np.diff(np.append(firsts, len(taken)))
    before: Numbers = sums - np.repeat(sums[firsts], counts)
    return before
