"""Two genomes in, all their HSPs out."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.checked import check_letters
from shardwater.genomes.comparison import Comparison, Part
from shardwater.genomes.counts import Counts
from shardwater.genomes.cpu import CpuGenomes
from shardwater.genomes.engine import FoundPart, GenomeEngine
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.merging import merge_hsps
from shardwater.steps import finish

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
    *engines: GenomeEngine,
    computed: Callable[[float], None] = _unwatched,
) -> Compared:
    """All HSPs of two genomes, by one engine or several side by side, which share the parts.

    engines: the CPU engine by default; gpu.open_genome_engine() opens the best one of the machine. computed: told how
    much is done, 0 to 1, by any thread. Raises EngineError where an HSP's letters are not what an engine says.
    """
    parts = comparison.parts(query, subject)
    engines = engines or (CpuGenomes(),)
    waiting, shares = deque(enumerate(parts)), [0.0] * len(parts)
    found: dict[Part, FoundPart] = {}

    def work(engine: GenomeEngine) -> None:
        while waiting:
            try:
                number, part = waiting.popleft()
            except IndexError:
                # Another one was faster.
                return
            tell = partial(_tell, shares, number, computed)
            found[part] = finish(engine.find(query, subject, comparison, part), tell)
            tell(1.0)

    if len(engines) == 1:
        work(engines[0])
    else:
        with ThreadPoolExecutor(len(engines), thread_name_prefix="genomes") as threads:
            list(threads.map(work, engines))
    counts = tuple(
        Counts.sum([found[part].counts for part in parts if part.reverse == reverse]) for reverse in comparison.both
    )
    hsps = merge_hsps(query, subject, comparison, [found[part].hsps for part in parts])
    check_letters(query, subject, Alignments.of_hsps(hsps))
    return Compared(query, subject, comparison, hsps, counts)


def _tell(shares: list[float], number: int, computed: Callable[[float], None], share: float) -> None:
    shares[number] = share
    computed(sum(shares) / len(shares))
