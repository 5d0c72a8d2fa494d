"""Alignments shortened to some of their columns, with what is left counted from the letters of both genomes."""

import numpy as np
import numpy.typing as npt

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.gapped import GappedScoring
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Numbers
from shardwater.genomes.strands import CODES, COMPLEMENTS, UNKNOWN
from shardwater.genomes.stretches import DELETED, INSERTED, Stretches, columns_before
from shardwater.pairs.columns import KIND_BITS

WINDOW = 8
"""Letters that are fetched at once: that takes about as long as to fetch one."""
WINDOWS_AT_ONCE = 1 << 20


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


def equal_letters(query: Genome, subject: Genome, stretches: Stretches) -> Numbers:
    """How many pairs of equal, known letters each stretch has."""
    equal = np.zeros(len(stretches), np.int64)
    windows = -(-stretches.length // WINDOW)
    batches = np.flatnonzero(np.diff((np.cumsum(windows) - windows) // WINDOWS_AT_ONCE)) + 1
    for some in np.split(np.arange(len(stretches)), batches):
        own = np.repeat(some, windows[some])
        at = WINDOW * (np.arange(len(own)) - np.repeat(np.cumsum(windows[some]) - windows[some], windows[some]))
        x, reverse = stretches.query[own], stretches.reverse[own]
        ours = _windows(query, np.where(reverse, x + stretches.length[own] - at - WINDOW, x + at))
        codes = CODES[ours]
        codes[reverse] = COMPLEMENTS[codes[reverse, ::-1]]
        alike = (codes == CODES[_windows(subject, stretches.subject[own] + at)]) & (codes != UNKNOWN)
        alike &= np.arange(WINDOW) < (stretches.length[own] - at)[:, None]
        equal += np.bincount(own, np.count_nonzero(alike, axis=1), len(equal)).astype(np.int64)
    return equal


def _windows(genome: Genome, places: Numbers) -> npt.NDArray[np.uint8]:
    """The letters from each place on (places, WINDOW); whatever there may be where a genome has none."""
    last = len(genome) - WINDOW
    letters = genome.letters if last >= 0 else np.resize(genome.letters, WINDOW)
    found = np.lib.stride_tricks.sliding_window_view(letters, WINDOW)[np.clip(places, 0, max(0, last))]
    beyond = np.flatnonzero((places < 0) | (places > last))
    found[beyond] = genome.letters[np.clip(places[beyond, None] + np.arange(WINDOW), 0, len(genome) - 1)]
    return found


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
