"""The boxes around HSPs that are aligned with gaps: where each lies, its cells, and its letters, many at a time."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps, Numbers
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.sequences.alphabets import DNA, UNKNOWN
from shardwater.sequences.named import reverse_complement

WIDER = 100
"""Letters that a box has on each side of its HSP, in both genomes, where its records have them."""
MOST_BOX_CELLS = 1 << 36
"""A box of more cells is not aligned: a CPU takes minutes for as many."""
BATCH_LETTERS, PAIR_LETTERS = 1 << 24, 1 << 8
"""Letters of a batch of boxes, about; each box counts as so many at least, so that a batch has 2^16 boxes at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """A box for each HSP, by columns: its range in both genomes, forward, half-open, and its strand."""

    query: Numbers
    query_end: Numbers
    subject: Numbers
    subject_end: Numbers
    reverse: npt.NDArray[np.bool_]

    @classmethod
    def around(cls, query: Genome, subject: Genome, hsps: Hsps) -> "Boxes":
        """The boxes of HSPs, cut where their records end."""
        sides = (_widened(query, hsps.query, hsps.length), _widened(subject, hsps.subject, hsps.length))
        return cls(*sides[0], *sides[1], hsps.reverse)

    def __len__(self) -> int:
        return len(self.query)

    @property
    def letters(self) -> Numbers:
        """Of both sides of each."""
        return self.query_end - self.query + self.subject_end - self.subject

    @property
    def cells(self) -> Numbers:
        """Letters of one side times letters of the other."""
        return (self.query_end - self.query) * (self.subject_end - self.subject)

    @property
    def aligned(self) -> npt.NDArray[np.bool_]:
        """Which are not too large."""
        return self.cells <= MOST_BOX_CELLS

    def batches(self) -> Iterator[Numbers]:
        """Numbers of boxes that are aligned together, the smaller ones first.

        A device goes back through all alignments of a batch side by side, and waits for the longest.
        """
        rows = np.flatnonzero(self.aligned)
        rows = rows[np.argsort(self.letters[rows], kind="stable")]
        sizes = np.maximum(self.letters[rows], PAIR_LETTERS)
        batch = (np.cumsum(sizes) - sizes) // BATCH_LETTERS
        yield from np.split(rows, np.flatnonzero(np.diff(batch)) + 1) if len(rows) else ()

    def pairs(self, rows: Numbers, query: Genome, subject: Genome) -> PairBatch:
        """The codes of some boxes; the query's are complemented and turned round on the reverse strand."""
        queries = _gathered(query, self.query[rows], self.query_end[rows], self.reverse[rows])
        return PairBatch(
            queries, _gathered(subject, self.subject[rows], self.subject_end[rows], np.zeros(len(rows), bool))
        )


def dealt(cells: Numbers, number: int, parts: int) -> Numbers:
    """Of boxes of so many cells the numbers of those of a part, in order: parts have about as many cells."""
    return np.sort(np.argsort(-cells, kind="stable")[number::parts])


def cells_of(query: Genome, subject: Genome, hsps: Hsps) -> int:
    """The cells of all boxes that are aligned."""
    boxes = Boxes.around(query, subject, hsps)
    return int(boxes.cells[boxes.aligned].sum())


def _widened(genome: Genome, begins: Numbers, lengths: Numbers) -> tuple[Numbers, Numbers]:
    records = genome.records(begins)
    first, last = genome.offsets[records], genome.offsets[records + 1]
    return np.maximum(begins - WIDER, first), np.minimum(begins + lengths + WIDER, last)


def _gathered(genome: Genome, begins: Numbers, ends: Numbers, backward: npt.NDArray[np.bool_]) -> Joined:
    """The codes of these ranges; backward: of the reverse complements of these."""
    letters = genome.letters.data
    texts = [letters[begin:end].tobytes() for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
    for number in np.flatnonzero(backward).tolist():
        texts[number] = reverse_complement(texts[number])
    codes = b"".join(texts).translate(_CODES)
    return Joined(np.frombuffer(codes, np.uint8), np.append(0, np.cumsum(ends - begins)))


def _codes() -> bytes:
    codes = np.frombuffer(DNA.codes, np.uint8)
    return np.where(codes == UNKNOWN, DNA.letters.index("N"), codes).astype(np.uint8).tobytes()


_CODES = _codes()
"""By byte, its code in the alphabet DNA; what is no letter of it counts as N."""
