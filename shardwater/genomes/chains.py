"""Chains: alignments that follow each other in both genomes, on one strand of one pair of records.

A chain scores the sum of its alignments' scores less a gap cost (chaining.py). Alignments do not share pairs of letters
at their ends (sharing.py), and each letter of a genome is in one alignment of a chain: what is cut away counts nowhere.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.chaining import GAP_LETTERS, Along, Sequences, sequences_of
from shardwater.genomes.gapped import GappedScoring
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import MATCH, Numbers
from shardwater.genomes.sharing import own_columns
from shardwater.genomes.shortening import shortened
from shardwater.genomes.splitting import split, worths
from shardwater.genomes.stretches import Stretches, columns_before

WITHOUT_GAPS = GappedScoring(MATCH, -MATCH)
"""What HSPs are scored by."""


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Chains of `alignments`, best first, of equal ones that of the first alignment.

    alignments: what is left of them where no two of a chain share a letter. members: the rows of the first chain's
    alignments along the subject, then those of the second; firsts (chains + 1): where those of each chain begin, and
    the last one's end. No row is in two chains.
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
        return self.apart().numbered(self.chains).joined()

    def apart(self) -> Stretches:
        """The stretches of each member; owners: places in `members`."""
        return Stretches.of(self.alignments.select(self.members))

    def _over(self, function: np.ufunc, name: str) -> Numbers:
        values = self.alignments.column(name)[self.members]
        over: Numbers = function.reduceat(values, self.firsts[:-1]) if len(self) else values
        return over


def chains_of(query: Genome, subject: Genome, alignments: Alignments, scoring: GappedScoring = WITHOUT_GAPS) -> Chains:
    """All chains of alignments that are scored so."""
    own = own_columns(alignments)
    whole = shortened(query, subject, alignments, own.begins, own.ends, scoring)
    # What is left without the pairs of better ones may score nothing.
    rows = own.rows[whole.column("score")[own.rows] > 0]
    found, ends = sequences_of(query, subject, whole, rows, scoring.match), whole.column("columns")
    begins = _first_columns(whole, found)
    cut = shortened(query, subject, whole, begins, ends, scoring)
    # What is left of a later one may be its worse part.
    found = found.without((begins > 0) & (cut.column("score") <= 0))
    parts = split(found, worths(cut, found, scoring.match), GAP_LETTERS * whole.column("score")[found.members])
    if len(parts) > len(found):
        begins[parts.members[parts.firsts[:-1]]] = 0
        cut = shortened(query, subject, whole, begins, ends, scoring)
    scores = parts.sums(worths(cut, parts, scoring.match)) // GAP_LETTERS
    return Chains(cut, parts.members, parts.firsts, scores).select(
        np.lexsort((parts.members[parts.firsts[:-1]], -scores))
    )


def _first_columns(alignments: Alignments, found: Sequences) -> Numbers:
    """From which column on each alignment shares no letter with the one before it in its chain."""
    aligned = Along.of(alignments.select(found.members))
    x, y = (np.append(0, ends)[:-1] for ends in (aligned.x_end, aligned.y_end))
    later = found.later
    cut = np.flatnonzero(later & ((x > aligned.x) | (y > aligned.y)))
    some = alignments.select(found.members[cut])
    stretches, before = Stretches.of(some), columns_before(some)[some.paired]
    own = cut[stretches.owners]
    letters = np.maximum(0, np.maximum(x[own] - stretches.along, y[own] - stretches.subject))
    left = np.flatnonzero(letters < stretches.length)
    first = left[np.diff(stretches.owners[left], prepend=-1) != 0]
    begins = np.zeros(len(alignments), np.int64)
    begins[found.members[own[first]]] = before[first] + letters[first]
    return begins
