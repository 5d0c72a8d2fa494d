"""What simulates statistics on the CPU."""

from shardwater.engines.threads import Threads
from shardwater.pairs.cpu import CpuPairs
from shardwater.statistics.prefixes import reach
from shardwater.statistics.simulation import Simulator


def simulator(threads: int = 1) -> Simulator:
    """On so many threads, pairs on one."""
    return Simulator(CpuPairs(1), reach, Threads(threads, "simulation"))
