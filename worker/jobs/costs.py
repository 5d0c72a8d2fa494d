"""How long work takes on one shard: the one model of time that estimates, bounds, passes and progress go by.

Seconds are a sum of fixed costs and costs per size: of a search, a query, a query residue (scored against the whole
shard), an alignment that is asked for, a residue of its query, a row of the result, a cell that is checked, a pair of a
batch, a cell of it, a cell of a long pair whose alignment is found, a letter of genomes that are compared, a cell of a
simulation, the way back of a pair of which more than the score is found, and a letter of genomes whose HSPs are to be
aligned and are not known yet. A worker starts from what is usual for its
engine, measures as it loads its shard, and learns from every job: each measurement moves the costs that made up most of
it, by its ratio to what was expected. So a search of eight residues, which is all fixed costs, says nothing of a long
one, and one slow moment moves no estimate far.
"""

import json
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Self

from shardwater.search.parameters import Parameters
from shardwater.sequences.fasta import Record
from shardwater.statistics.simulation import SAMPLES, TOGETHER

RATE = 0.3
"""Share of a surprise, in logarithms, that one measurement is believed."""
MOST_SURPRISE = 2.0
"""A measurement counts as this many times what was expected at most, and as its inverse at least."""
LEAST_S = 1e-13
"""Whatever is done costs so much."""
PASS_S = 0.2
"""Searches are done in one pass up to so much work, in seconds: those in it wait for each other."""
LEAST_SHARE = 0.2
"""A cost that made up less of what was measured learns nothing of it."""
LETTER_CELLS = 1000
"""Cells that a letter of a genome counts for on each strand, where work of several kinds is bounded by one number."""
_EARLIER = (6, 7, 9, 10, 11, 12, 13)
"""How many costs earlier versions knew."""
_OF_SEARCHES = 7
"""Numbers of Work that every job has."""


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done for one part, at most but for alignments after the second of a hit: each number has its cost.

    aligned: alignments that are asked for, aligned_residues their queries' residues; rows: hits of all queries;
    checked: cells that are scored without the engine (shardwater/search/sampling.py); pairs: those of a batch of
    pairs; pair_cells, way_cells: their cells, and those of long pairs of which more than the score is found; letters:
    of genomes that are compared, on each strand; simulated: what a simulation of statistics counts as; ways: pairs of
    which more than the score is found; boxed: letters of both genomes around whose HSPs boxes are aligned. Their time
    counts until the pairs, which are these boxes, are known.
    """

    searches: float = 0.0
    queries: float = 0.0
    residues: float = 0.0
    aligned: float = 0.0
    aligned_residues: float = 0.0
    rows: float = 0.0
    checked: float = 0.0
    pairs: float = 0.0
    pair_cells: float = 0.0
    way_cells: float = 0.0
    letters: float = 0.0
    simulated: float = 0.0
    ways: float = 0.0
    boxed: float = 0.0

    @classmethod
    def of(cls, records: Sequence[Record], parameters: Parameters, subjects: int, share: float = 1.0) -> Self:
        """A whole search of so many subjects of a shard, which have this share of its residues."""
        queries, residues = len(records), sum(len(record.residues) for record in records)
        aligned, rows = min(parameters.aligned, subjects), min(parameters.max_target_seqs, subjects)
        # Where hits may have more alignments than one, a second is looked for, which most of them have not.
        tried = aligned * min(2, 1 + parameters.further)
        # To score a shuffle of each of both takes about as long as to align them.
        traced = (tried + parameters.shuffles * aligned) * residues
        return cls(1, share * queries, share * residues, tried * queries, traced, rows * queries)

    @property
    def scoring(self) -> "Work":
        """Its part that is scored."""
        return replace(self, searches=0, aligned=0, aligned_residues=0, rows=0, simulated=0)

    @property
    def aligning(self) -> "Work":
        """Its part that is aligned and written out."""
        return Work(aligned=self.aligned, aligned_residues=self.aligned_residues)

    @property
    def merging(self) -> "Work":
        """Its part that is left when all hits are there: the result is made and stored."""
        return Work(searches=self.searches, rows=self.rows)

    def to_json(self) -> str:
        """As it is kept in Redis, where scripts read it too."""
        # Without zeros at the end: workers of earlier versions know fewer numbers.
        last = max((place for place, number in enumerate(self.numbers) if number), default=0)
        return json.dumps(self.numbers[: max(_OF_SEARCHES, last + 1)])

    @classmethod
    def from_json(cls, text: str | bytes | None, residues: int) -> Self:
        """What to_json wrote; of a search that an earlier version accepted, only its residues are known.

        Raises ValueError or TypeError for what no version has written.
        """
        numbers = json.loads(text) if text else (1, 1, residues)
        if not all(isinstance(number, int | float) and 0 <= number <= sys.float_info.max for number in numbers):
            raise ValueError("no work is that much")
        return cls(*numbers)

    @classmethod
    def together(cls, works: Sequence["Work"]) -> "Work":
        """That of all, of which there is one at least."""
        return cls(*map(sum, zip(*(work.numbers for work in works), strict=True)))

    def times(self, share: float) -> "Work":
        """A share of it."""
        return Work(*(share * number for number in self.numbers))

    @property
    def numbers(self) -> tuple[float, ...]:
        """In the order of Costs.numbers."""
        return tuple(getattr(self, name) for name in self.__slots__)

    @property
    def cells_of_pairs(self) -> float:
        """All of them."""
        return self.pair_cells + self.way_cells

    @property
    def device_cells(self) -> float:
        """What all counts for that any worker can do."""
        return self.cells_of_pairs + LETTER_CELLS * self.letters

    @classmethod
    def sum(cls, parts: "Iterable[Work]") -> "Work":
        """All together."""
        return cls(*map(math.fsum, zip(*(part.numbers for part in parts), strict=True)))


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of one worker for one of each of Work's numbers; all above 0."""

    search: float
    query: float
    residue: float
    alignment: float
    aligned_residue: float
    row: float
    checked: float = 6e-9
    """On an AMD EPYC core (numpy)."""
    pair: float = 4e-5
    pair_cell: float = 1e-9
    way_cell: float = 1.3e-8
    letter: float = 5e-7
    simulated: float = 4e-9
    way: float = 5e-4
    """Of two sequences of 150 letters, 4 % apart, on a core (Python and numpy)."""
    boxed: float = 1.2e-6
    """Two strains of Helicobacter pylori take 6e-7 s a letter, two of Vibrio cholerae, with more repeats, 4e-6 s."""

    @classmethod
    def usual(cls, engine: str, residues: int, subjects: int, threads: int = 1) -> Self:
        """What is usual for an engine (`cpu`, or a device's name) and a shard of so many residues and subjects.

        Measured on an AMD EPYC core with AVX2 (a query costs as much as 110 residues more) and on an H200
        (benchmarks/RESULTS.md); a mean subject stands for those that are aligned.
        """
        mean = residues / max(1, subjects)
        if engine == "cpu":
            usual = cls(
                search=5e-3,
                query=1.1e-8 * residues / threads,
                residue=1e-10 * residues / threads,
                alignment=1.5e-4,
                aligned_residue=1e-9 * mean / threads,
                row=2e-5,
                pair=6e-5,
                pair_cell=1e-9 / threads,
                simulated=4e-9 / min(threads, SAMPLES // TOGETHER),
            )
        else:
            usual = cls(
                search=4e-3,
                query=6e-4,
                residue=1.4e-13 * residues,
                alignment=2e-5,
                aligned_residue=3e-13 * mean,
                row=2e-5,
                pair=2e-5,
                pair_cell=1e-12,
                way_cell=2e-12,
                letter=1e-9,
                simulated=1.3e-10,
                way=2e-5,
                boxed=1.5e-9,
            )
        # Also those of an empty shard: what costs nothing would never be learned.
        return cls(*(max(LEAST_S, cost) for cost in usual.numbers))

    @property
    def numbers(self) -> tuple[float, ...]:
        """In the order of Work.numbers."""
        return tuple(getattr(self, name) for name in self.__slots__)

    def seconds(self, work: Work) -> float:
        """Of so much work."""
        return math.fsum(self._parts(work))

    def _parts(self, work: Work) -> list[float]:
        work = replace(work, boxed=0.0) if work.boxed and work.pairs else work
        return [cost * number for cost, number in zip(self.numbers, work.numbers, strict=True)]

    def learned(self, work: Work, seconds: float) -> "Costs":
        """The same after so much work took so many seconds."""
        parts = self._parts(work)
        expected = math.fsum(parts)
        if expected <= 0 or seconds <= 0:
            return self
        surprise = max(1 / MOST_SURPRISE, min(MOST_SURPRISE, seconds / expected))
        shares = [part / expected if part >= LEAST_SHARE * expected else 0.0 for part in parts]
        # So that what is expected moves by RATE, whether one cost makes it up or several do.
        rate = RATE / math.fsum(share * share for share in shares)
        return Costs(*(cost * surprise ** (rate * share) for cost, share in zip(self.numbers, shares, strict=True)))

    def times(self, factor: float) -> "Costs":
        """Those of a machine that is so much slower."""
        return Costs(*(factor * cost for cost in self.numbers))

    def to_json(self) -> str:
        """As it is kept in Redis."""
        return json.dumps(self.numbers)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self | None:
        """What to_json wrote; None for anything else."""
        try:
            numbers = [float(number) for number in json.loads(text)]
        except (ValueError, TypeError):
            return None
        # Earlier versions had not measured the last ones.
        whole = len(numbers) in (*_EARLIER, len(fields(cls)))
        return cls(*numbers) if whole and all(0 < number < math.inf for number in numbers) else None

    @classmethod
    def mean(cls, several: "Sequence[Costs]") -> "Costs":
        """The geometric mean of some workers' costs."""
        logs = zip(*(map(math.log, costs.numbers) for costs in several), strict=True)
        return cls(*(math.exp(math.fsum(each) / len(several)) for each in logs))


@dataclass(slots=True)
class Experience:
    """The costs as they were last learned."""

    costs: Costs

    def learn(self, work: Work, seconds: float) -> None:
        """Take a measurement into account."""
        self.costs = self.costs.learned(work, seconds)

    def learn_often(self, work: Work, seconds: float, times: int) -> None:
        """The same of a measurement that stands for several."""
        for _ in range(times):
            self.learn(work, seconds)


@dataclass(frozen=True, slots=True)
class Room:
    """What may be leased: so many seconds of work at these costs, in parts of at most so many seconds each."""

    seconds: float
    costs: Costs
    longest: float = sys.float_info.max
