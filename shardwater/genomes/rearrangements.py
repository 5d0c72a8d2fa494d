"""What the blocks of two genomes are beside each other: in order, turned round, elsewhere, or there once more."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from shardwater.genomes.chaining import most_overlap
from shardwater.genomes.chains import Chains
from shardwater.genomes.genome import MOST_LETTERS, Genome
from shardwater.genomes.hsps import Numbers
from shardwater.genomes.linking import Anchors, link
from shardwater.genomes.owning import owned
from shardwater.genomes.places import in_place

Kind = Literal["collinear", "inversion", "translocation", "duplication", "repeat"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_COLLINEAR, _INVERSION, _TRANSLOCATION, _DUPLICATION, _REPEAT = range(len(KINDS))
_QUERY, _SUBJECT, _BOTH = 1, 2, 3
Bools = npt.NDArray[np.bool_]


LEAST_COLUMNS = 500
"""Columns that the alignments of a block have at least."""


@dataclass(frozen=True, slots=True, eq=False)
class SyntenyChains:
    """Blocks as chains that score the sum of their alignments, best first; kinds: what each is, its number in KINDS."""

    chains: Chains
    kinds: Numbers


def blocks_of(query: Genome, subject: Genome, chains: Chains) -> SyntenyChains:
    """The blocks of two genomes, and what each is.

    An alignment is *covered* in a genome where better chains have more than half of its letters there. A **block** is
    what follows each other in a chain and is covered alike, LEAST_COLUMNS or more; what is shorter between such blocks
    goes with the one before. Covered in both genomes, it is a `repeat`; in one, a `duplication`: the other genome has
    it once more. All others are primary.

    Two records are a *pair* where no other record of the query, or none of the subject, has primary blocks with the
    other one that score more together. A pair's *backbone* are its primary forward blocks that follow each other in
    both records and score most together. They are `collinear`. A primary block of a pair is *in place* where its range
    in the subject reaches what lies there between the neighbours, in the backbone, of its middle in the query. Then it
    is an `inversion` if it is a reverse one, and else `collinear` as well; of a reverse block only what scores more is
    a neighbour. What is left, in no pair or out of place, is a `translocation`, on either strand.
    """
    chains = chains.select(np.flatnonzero(chains.total("columns") >= LEAST_COLUMNS))
    if len(chains) == 0:
        return SyntenyChains(chains, chains.scores)
    blocks, states = _blocks(chains)
    primary = states == 0
    pairs = _pairs(query, subject, blocks, primary)
    backbone = _backbone(blocks, pairs, primary & ~blocks.reverse)
    kinds = np.where(
        in_place(blocks, pairs, backbone), np.where(blocks.reverse, _INVERSION, _COLLINEAR), _TRANSLOCATION
    )
    kinds = np.where(primary, kinds, np.where(states == _BOTH, _REPEAT, _DUPLICATION))
    kinds[backbone] = _COLLINEAR
    order = np.argsort(-blocks.scores, kind="stable")
    return SyntenyChains(blocks.select(order), kinds[order])


def _blocks(chains: Chains) -> tuple[Chains, Numbers]:
    """The blocks of chains, and where each is covered: 0 in neither genome, 1 in the query, 2 in the subject."""
    stretches, owners, firsts = chains.apart(), chains.chains, chains.firsts[:-1]
    letters = np.bincount(stretches.owners, stretches.length).astype(np.int64)
    states, whole = np.zeros(len(owners), np.int64), np.zeros(len(chains), np.int64)
    for state, begins in ((_QUERY, stretches.query), (_SUBJECT, stretches.subject)):
        own = owned(begins, begins + stretches.length, owners[stretches.owners])
        free = np.bincount(stretches.owners, own).astype(np.int64)
        states += state * (2 * free < letters)
        whole += state * (2 * np.add.reduceat(free, firsts) < np.add.reduceat(letters, firsts))
    columns = chains.alignments.column("columns")[chains.members]
    states = _without_short(states, owners, columns, whole)
    first = _begins(owners, states)
    score = np.add.reduceat(chains.alignments.column("score")[chains.members], first)
    return Chains(chains.alignments, chains.members, np.append(first, len(owners)), score), states[first]


def _without_short(states: Numbers, owners: Numbers, columns: Numbers, whole: Numbers) -> Numbers:
    """The states of members, where those of LEAST_COLUMNS or more in a row give theirs to what follows in the chain.

    What is before the first of these has its state as well; where a chain has none of them, that of the whole chain.
    """
    first = _begins(owners, states)
    counts = np.diff(np.append(first, len(states)))
    long = np.flatnonzero(np.repeat(np.add.reduceat(columns, first), counts) >= LEAST_COLUMNS)
    places, kept = np.arange(len(states)), np.append(long, -1)
    at = np.searchsorted(long, places, side="right")
    before, after = kept[at - 1], kept[at]
    chosen = np.where((before >= 0) & (owners[before] == owners), before, after)
    return np.where((chosen >= 0) & (owners[chosen] == owners), states[chosen], whole[owners])


def _begins(owners: Numbers, states: Numbers) -> Numbers:
    """Where the owner or the state is another one than before."""
    return np.flatnonzero(np.append(True, (np.diff(owners) != 0) | (np.diff(states) != 0)))


def _pairs(query: Genome, subject: Genome, blocks: Chains, primary: Bools) -> Numbers:
    """A number for the two records of each block, -1 where they are no pair."""
    keys = query.records(blocks.begin("query")) * len(subject.names) + subject.records(blocks.begin("subject"))
    pairs, numbers = np.unique(keys, return_inverse=True)
    scores = np.bincount(numbers, np.where(primary, blocks.scores, 0), len(pairs))
    best = np.zeros(len(pairs), np.bool_)
    for records in np.divmod(pairs, len(subject.names)):
        most = np.zeros(int(records.max()) + 1)
        np.maximum.at(most, records, scores)
        best |= scores == most[records]
    return np.where(best[numbers], numbers, -1)


def _backbone(blocks: Chains, pairs: Numbers, chosen: Bools) -> Bools:
    """Which of the chosen blocks are in the backbone of their pair; they may overlap as alignments of a chain may."""
    rows = np.flatnonzero(chosen & (pairs >= 0))
    rows = rows[np.lexsort((blocks.begin("query")[rows], pairs[rows]))]
    x, y = blocks.begin("query")[rows], blocks.begin("subject")[rows]
    x_end, y_end = blocks.end("query")[rows], blocks.end("subject")[rows]
    overlap = most_overlap(x_end - x, y_end - y)
    anchors = Anchors(pairs[rows], x + overlap, y + overlap, x_end, y_end, blocks.scores[rows])
    links = link(anchors, 0, MOST_LETTERS)
    best = np.lexsort((-links.score, anchors.group))
    backbone = np.zeros(len(blocks), np.bool_)
    for last in best[np.diff(anchors.group[best], prepend=-1) != 0].tolist():
        backbone[rows[links.chain(last)]] = True
    return backbone
