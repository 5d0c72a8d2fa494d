"""Where an engine is chosen, once: nobody asks after that whether a GPU computes."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from shardwater.engines.schedules import SCHEDULES, ScheduleName
from shardwater.engines.threads import Threads

if TYPE_CHECKING:
    # A comparison of genomes starts without loading the modules of searches.
    from shardwater.engines.engine import Engine
    from shardwater.genomes.engine import GenomeEngine
    from shardwater.pairs.end_points import EndPointEngine, Method
    from shardwater.pairs.engine import PairEngine
    from shardwater.statistics.importance import Reach
    from shardwater.statistics.simulation import Simulator


def device_count() -> int:
    """CUDA devices that this process may see; asking takes none of them into use."""
    if find_spec("cupy") is None:
        return 0
    import cupy  # noqa: PLC0415  a second of loading, and absent where no GPU is

    try:
        return int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError:
        return 0


def open_engine(threads: int | None = None, schedule: ScheduleName = SCHEDULES[0]) -> "Engine":
    """The engine of this machine: the first CUDA device, or so many threads of the CPU (all cores when None).

    schedule: one of SCHEDULES, for a CUDA device.
    """
    if device_count():
        from gpu.engine import GpuEngine  # noqa: PLC0415

        return GpuEngine(schedule=schedule)
    from shardwater.engines.cpu import CpuEngine  # noqa: PLC0415  pyopal is loaded by workers alone

    return CpuEngine(threads)


def open_end_point_engine(method: "Method" = "tiles", threads: int | None = None) -> "EndPointEngine":
    """What finds end points on this machine: the first CUDA device by a method, or so many threads of the CPU by rows.

    threads: all cores when None.
    """
    if device_count():
        from gpu.pairs.end_engine import GpuEndPoints, RowScans  # noqa: PLC0415

        return GpuEndPoints() if method == "tiles" else RowScans()
    from shardwater.pairs.cpu_end_points import CpuEndPoints  # noqa: PLC0415  parasail is loaded by those who align

    return CpuEndPoints(Threads(threads, "end-points"))


def open_pair_engine(threads: int | None = None, devices: int = 1) -> "PairEngine":
    """What aligns pairs on this machine: the first CUDA device, or so many threads of the CPU (all cores when None).

    devices: how many CUDA devices a long pair may go over, where there are any; no more than device_count().
    """
    if device_count():
        from gpu.pairs.engine import GpuPairs  # noqa: PLC0415

        return GpuPairs(devices=range(devices))
    from shardwater.pairs.cpu import CpuPairs  # noqa: PLC0415  parasail is loaded by those who align

    return CpuPairs(threads)


def open_genome_engine(number: int = 0) -> "GenomeEngine":
    """What compares genomes on this machine: a CUDA device, by its number, or the CPU where there is none."""
    if device_count():
        from gpu.genomes.engine import GpuGenomes  # noqa: PLC0415

        return GpuGenomes(number=number)
    from shardwater.genomes.cpu import CpuGenomes  # noqa: PLC0415

    return CpuGenomes()


def open_simulator(pairs: "PairEngine", threads: int | None = None) -> "Simulator":
    """What simulates statistics on this machine: the first CUDA device, or so many threads of the CPU (all cores when
    None). pairs: what scores random pairs.
    """
    from shardwater.statistics.simulation import Simulator  # noqa: PLC0415  most commands simulate nothing

    return Simulator(pairs, _open_reach(), Threads(threads, "simulation"))


def _open_reach() -> "Reach":
    if device_count():
        from gpu.statistics.reach import GpuReach  # noqa: PLC0415

        return GpuReach()
    from shardwater.statistics.prefixes import reach  # noqa: PLC0415

    return reach
