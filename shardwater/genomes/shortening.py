"""Alignments shortened to some of their columns, with what is left counted from the letters of both genomes."""

import numpy as np

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.equal_letters import equal_letters
from shardwater.genomes.gapped import GappedScoring
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Numbers
from shardwater.genomes.stretches import DELETED, INSERTED, Stretches, columns_before
from shardwater.pairs.columns import KIND_BITS


def shortened(
    query: Genome, subject: Genome, alignments: Alignments, begins: Numbers, ends: Numbers, scoring: GappedScoring
) -> Alignments:
    """Each alignment from one of its columns to before another one, in the same order.

    The first and the last column of each are pairs of letters.
    """
    cut = (begins > 0) | (ends < alignments.column("columns"))
    whole, some = np.flatnonzero(~cut), np.flatnonzero(cut)
    if len(some) == 0:
        return alignments
    short = _shortened(query, subject, alignments.select(some), begins[some], ends[some], scoring)
    order = np.argsort(np.concatenate((whole, some)))
    return Alignments.joined([alignments.select(whole), short]).select(order)


def _shortened(
    query: Genome, subject: Genome, alignments: Alignments, begins: Numbers, ends: Numbers, scoring: GappedScoring
) -> Alignments:
    runs, counts, firsts = alignments.runs.astype(np.int64), alignments.column("runs"), alignments.firsts[:-1]
    kinds, lengths = runs & (1 << KIND_BITS) - 1, runs >> KIND_BITS
    before, first, last = columns_before(alignments), np.repeat(begins, counts), np.repeat(ends, counts)
    after = before + lengths
    cut, left = (np.clip(after, *of) - np.clip(before, *of) for of in ((0, first), (first, last)))
    rows, kept, paired = alignments.rows.copy(), left > 0, alignments.paired
    for side, out in (("query", DELETED), ("subject", INSERTED)):
        less, length = (np.add.reduceat(each * (kinds != out), firsts) for each in (cut, left))
        begin, end = alignments.column(side) + less, alignments.column(f"{side}_end") - less
        turned = alignments.reverse & (side == "query")
        rows[side], rows[f"{side}_end"] = np.where(turned, end - length, begin), np.where(turned, end, begin + length)
    pairs, gaps = (np.add.reduceat(each, firsts) for each in (left * paired, kept & ~paired))
    matches = alignments.column("matches") - _lost(query, subject, alignments, before[paired], begins, ends)
    rows["score"] = scoring.paired(matches, pairs) - scoring.cost(gaps, ends - begins - pairs)
    rows["matches"], rows["columns"], rows["runs"] = matches, ends - begins, np.add.reduceat(kept, firsts)
    return Alignments(rows, (left << KIND_BITS | kinds)[kept].astype(np.int32))


def _lost(
    query: Genome, subject: Genome, alignments: Alignments, before: Numbers, begins: Numbers, ends: Numbers
) -> Numbers:
    """Pairs of equal letters that each has in other columns than these; before: columns before each stretch."""
    every = Stretches.of(alignments)
    cut = (
        every.part(every.length * 0, begins[every.owners] - before),
        every.part(ends[every.owners] - before, every.length),
    )
    dropped = Stretches.together(cut)
    equal = equal_letters(query, subject, dropped)
    return np.bincount(dropped.owners, equal, len(alignments)).astype(np.int64)
