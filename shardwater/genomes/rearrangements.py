"""What the blocks of two genomes are beside each other: in order, turned round, elsewhere, or there once more."""

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from shardwater.genomes.chains import Chains, most_overlap
from shardwater.genomes.genome import MOST_LETTERS, Genome
from shardwater.genomes.hsps import Numbers
from shardwater.genomes.linking import Anchors, link
from shardwater.genomes.owning import owned
from shardwater.genomes.stretches import Stretches

Kind = Literal["collinear", "inversion", "translocation", "duplication", "repeat"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_COLLINEAR, _INVERSION, _TRANSLOCATION, _DUPLICATION, _REPEAT = range(len(KINDS))
Bools = npt.NDArray[np.bool_]


def kinds_of(query: Genome, subject: Genome, blocks: Chains) -> Numbers:
    """What each block is, as its number in KINDS; blocks: best first.

    A block is *covered* in a genome where better blocks have more than half of its letters there. Covered in both, it
    is a `repeat`; in one, a `duplication`: the other genome has it once more. All others are primary.

    Two records are a *pair* where no other record of the query, or none of the subject, has primary blocks with the
    other one that score more together. A pair's *backbone* are its primary forward blocks that follow each other in
    both records and score most together. They are `collinear`. A primary block of a pair is *in place* where its range
    in the subject reaches what lies there between the neighbours, in the backbone, of its middle in the query; then it
    is an `inversion` if it is a reverse one, and else `collinear` as well. What is left, in no pair or out of place, is
    a `translocation`, on either strand.
    """
    if len(blocks) == 0:
        return np.zeros(0, np.int64)
    stretches = blocks.stretches()
    covered = [_covered(stretches, places) for places in (stretches.query, stretches.subject)]
    primary = ~(covered[0] | covered[1])
    pairs = _pairs(query, subject, blocks, primary)
    backbone = _backbone(blocks, pairs, primary & ~blocks.reverse)
    in_place = primary & (pairs >= 0) & _in_place(blocks, pairs, stretches, backbone)
    kinds = np.where(in_place, np.where(blocks.reverse, _INVERSION, _COLLINEAR), _TRANSLOCATION)
    kinds[covered[0] | covered[1]] = _DUPLICATION
    kinds[covered[0] & covered[1]] = _REPEAT
    kinds[backbone] = _COLLINEAR
    return kinds


def _covered(stretches: Stretches, begins: Numbers) -> Bools:
    letters = np.bincount(stretches.owners, stretches.length)
    return 2 * owned(begins, begins + stretches.length, stretches.owners) < letters


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


def _in_place(blocks: Chains, pairs: Numbers, stretches: Stretches, backbone: Bools) -> Bools:
    """Which blocks reach, in the subject, what lies between the neighbours of their middle in the query."""
    own = np.flatnonzero(backbone[stretches.owners])
    step = int(blocks.end("query").max()) + 1
    # The places of each pair lie beyond those of the pair before. At both ends is a neighbour of no pair.
    places = pairs[stretches.owners[own]] * step + stretches.query[own]
    own = own[np.argsort(places)]
    middles = (blocks.begin("query") + blocks.end("query")) // 2
    at = np.searchsorted(np.sort(places), pairs * step + middles, side="right")
    neighbours = np.concatenate(([-1], own, [-1]))
    before, after = neighbours[at], neighbours[at + 1]
    owner_pairs = np.append(pairs[stretches.owners], -1)
    query, subject, length = (np.append(each, 0) for each in (stretches.query, stretches.subject, stretches.length))
    along = middles - query[before]
    low, high = subject[before] + np.minimum(along, length[before]), subject[after]
    high = np.where(along < length[before], low, high)
    low = np.where(owner_pairs[before] == pairs, low, np.iinfo(np.int64).min)
    high = np.where(owner_pairs[after] == pairs, high, np.iinfo(np.int64).max)
    in_place: Bools = (blocks.begin("subject") <= high) & (blocks.end("subject") >= low)
    return in_place
