"""What `shardwater doctor` finds of GPUs: that they can be used, and that the databases' shards fit into them."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path

from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.errors import AlignError
from shardwater.sequences.alphabets import PROTEIN
from worker.diagnostics.machine import Finding, writable
from worker.settings import Settings

LEAST_CAPABILITY = 80
LEAST_CUDA = 13000
CACHE, USUAL_CACHE = "CUPY_CACHE_DIR", "~/.cupy/kernel_cache"


@dataclass(frozen=True, slots=True)
class Gpu:
    """A device: compute capability as 90 for 9.0, memory in bytes."""

    name: str
    capability: int
    memory: int


def gpus(settings: Settings) -> Iterator[Finding]:
    """The devices that CUDA shows, what they need, and what they will hold."""
    if find_spec("cupy") is None:
        yield Finding("GPUs", "ok", "CuPy is not installed: the CPU computes")
        return
    from gpu.device import DeviceFault, cuda_version, devices  # noqa: PLC0415  CuPy takes a second to load

    try:
        cuda, found = cuda_version(), [Gpu(each.name, each.capability, each.memory) for each in devices()]
    except DeviceFault as error:
        yield Finding("GPUs", "fault", f"none: {error}", "see nvidia-smi: install the driver (580 or later)")
        return
    yield _driver(cuda)
    if not found:
        yield Finding("GPUs", "warning", "CUDA shows none: the CPU computes", "see CUDA_VISIBLE_DEVICES and nvidia-smi")
        return
    yield from capabilities(found)
    yield from fitting(found, _searched(Catalog(settings.data)))
    folder = Path(os.environ.get(CACHE) or USUAL_CACHE).expanduser()
    yield writable("kernel cache", folder, f"name another folder in {CACHE}")


def _driver(cuda: int) -> Finding:
    found = f"for CUDA {cuda // 1000}.{cuda % 1000 // 10}"
    if cuda < LEAST_CUDA:
        return Finding("driver", "fault", found, "install a driver for CUDA 13 (580 or later)")
    return Finding("driver", "ok", found)


def capabilities(found: Sequence[Gpu]) -> Iterator[Finding]:
    """Whether the kernels can be compiled for each device."""
    for number, gpu in enumerate(found):
        text = f"{gpu.name}, compute capability {gpu.capability / 10}, {gpu.memory / 1e9:,.1f} GB"
        if gpu.capability < LEAST_CAPABILITY:
            advice = f"{LEAST_CAPABILITY / 10} is needed: leave it out of CUDA_VISIBLE_DEVICES"
            yield Finding(f"GPU {number}", "fault", text, advice)
        else:
            yield Finding(f"GPU {number}", "ok", text)


def fitting(found: Sequence[Gpu], databases: Sequence[Database]) -> Iterator[Finding]:
    """Whether each device has the memory for the shards that `serve` would give it, each with a worker of its own."""
    from gpu.memory import Memory  # noqa: PLC0415  the engine's own arithmetic

    needed = [0] * len(found)
    numbers = cycle(range(len(found)))
    for database in databases:
        for index in range(database.manifest.shards):
            shard = database.shard(index, database.manifest.shards)
            needed[next(numbers)] += Memory.of_shard(shard.residues, len(shard)).total
    for number, (gpu, most) in enumerate(zip(found, needed, strict=True)):
        text = f"{most / 1e9:,.1f} of {gpu.memory / 1e9:,.1f} GB for its shards of the current versions"
        if most > gpu.memory:
            advice = "more shards and GPUs; else shards wait in the host's memory, and are searched more slowly"
            yield Finding(f"memory of GPU {number}", "warning", text, advice)
        else:
            yield Finding(f"memory of GPU {number}", "ok", text)


def _searched(catalog: Catalog) -> list[Database]:
    """The databases of proteins that open; others are findings of their own."""
    opened = []
    for name in catalog.names():
        try:
            opened.append(catalog.current(name))
        except (AlignError, OSError):
            continue
    return [database for database in opened if database.alphabet is PROTEIN]
