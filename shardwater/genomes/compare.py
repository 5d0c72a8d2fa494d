"""Two genomes in, all their HSPs out."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from shardwater.genomes.comparison import Comparison
from shardwater.genomes.counts import Counts
from shardwater.genomes.cpu import CpuGenomes
from shardwater.genomes.engine import FoundPart, GenomeEngine
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.merging import merge_hsps

AS_USUAL = Comparison()


def _unwatched(_: float) -> None:
    """Nobody looks how far it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A comparison that is done: the HSPs in their order, and what was counted on each strand (forward, reverse)."""

    query: Genome
    subject: Genome
    comparison: Comparison
    hsps: Hsps
    counts: tuple[Counts, ...]


def compare(
    query: Genome,
    subject: Genome,
    comparison: Comparison = AS_USUAL,
    engine: GenomeEngine | None = None,
    computed: Callable[[float], None] = _unwatched,
) -> Compared:
    """All HSPs of two genomes.

    engine: the CPU engine by default; gpu.open_genome_engine() opens the best one of the machine. computed: told how
    much is done, 0 to 1.
    """
    engine = engine or CpuGenomes()
    parts = comparison.parts(query, subject)
    found = []
    for number, part in enumerate(parts):
        with closing(engine.find(query, subject, comparison, part)) as finding:
            try:
                while True:
                    computed((number + next(finding)) / len(parts))
            except StopIteration as done:
                each: FoundPart = done.value
        found.append((part, each))
    counts = tuple(
        Counts.sum([each.counts for part, each in found if part.reverse == reverse]) for reverse in comparison.both
    )
    hsps = merge_hsps([each.hsps for _, each in found], comparison, same=query.same_as(subject))
    return Compared(query, subject, comparison, hsps, counts)
