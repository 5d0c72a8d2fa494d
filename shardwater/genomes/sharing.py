"""Pairs of letters that several alignments have: each pair is the best one's, and others are cut where they begin to
share, so that nothing counts twice.

Boxes of neighbours overlap, and so do their alignments, mostly along the same path.
"""

from dataclasses import dataclass

import numpy as np

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.genome import PLACE_BITS
from shardwater.genomes.hsps import Numbers
from shardwater.genomes.owning import owned_pieces
from shardwater.genomes.stretches import Stretches, columns_before

LEAST_OWN = 32
"""Pairs of letters that are left of an alignment that shares others: fewer are gaps that stand elsewhere."""


@dataclass(frozen=True, slots=True, eq=False)
class Own:
    """Which alignments are some of their own, by their numbers, and from which column to before which one each is so.

    What is not its own has all its columns.
    """

    rows: Numbers
    begins: Numbers
    ends: Numbers


def own_columns(alignments: Alignments) -> Own:
    """What is left of each alignment without the pairs at its ends that one of a better score has, of equal ones the
    first. It is nothing of its own where better ones have more than half of that as well, or all but LEAST_OWN pairs.
    """
    columns, score = alignments.column("columns"), alignments.column("score")
    stretches = Stretches.of(alignments)
    lines = _lines(stretches)
    if not _overlap(lines, lines + stretches.length):
        return Own(np.arange(len(columns)), columns * 0, columns)
    ranks = np.empty(len(columns), np.int64)
    ranks[np.argsort(-score, kind="stable")] = np.arange(len(columns))
    pieces = owned_pieces(lines, lines + stretches.length, ranks[stretches.owners])
    owners = stretches.owners[pieces.ranges]
    before = (columns_before(alignments)[alignments.paired] - lines)[pieces.ranges]
    begins, ends = columns.copy(), columns * 0
    np.minimum.at(begins, owners, before + pieces.begins)
    np.maximum.at(ends, owners, before + pieces.ends)
    own = np.bincount(owners, pieces.ends - pieces.begins, len(columns))
    least = np.minimum(LEAST_OWN, np.bincount(stretches.owners, stretches.length, len(columns)))
    lost = (own < least) | (2 * own < ends - begins)
    return Own(np.flatnonzero(~lost), np.where(lost, 0, begins), np.where(lost, columns, ends))


def _overlap(begins: Numbers, ends: Numbers) -> bool:
    """Whether any ranges do: HSPs of a diagonal do not, so that most lists without gaps need no more."""
    order = np.argsort(begins)
    return bool((begins[order][1:] < ends[order][:-1]).any())


def _lines(stretches: Stretches) -> Numbers:
    """Places of stretches on a line, where those of each diagonal of a strand stand beyond those of the one before."""
    diagonals = stretches.subject - stretches.along + (1 << PLACE_BITS)
    lines: Numbers = (
        stretches.reverse.astype(np.int64) << PLACE_BITS + 2 | diagonals
    ) << PLACE_BITS | stretches.subject
    return lines
