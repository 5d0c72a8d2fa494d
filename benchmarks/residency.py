"""Shards larger than usual: `python benchmarks/residency.py`: loading, memory, 40 G residues resident, and streaming.

Random subjects with lengths as in UniProt, made in memory here, are loaded and searched; nothing is read from disk. The
clock of a search is time.perf_counter around GpuEngine.search, the best of three runs; that of loading is around
GpuEngine.load, with kernels compiled before. Streaming is the same shard under a memory cap, and its results are
compared with the resident ones.
"""

import argparse
import time
from pathlib import Path

import cupy
import numpy as np
import numpy.typing as npt
from gcups import SCORING, TOP, seconds
from random_database import random_database, random_query
from results import RESULTS, publish

from gpu.database.resident import STREAMED_BYTES
from gpu.device import device
from gpu.engine import GpuEngine
from gpu.memory import RESERVED_BYTES, Memory
from shardwater.database.database import Database
from shardwater.engines.engine import gather
from shardwater.sequences.fasta import Record

TREMBL = (86_972_040_633, 248_272_897)
STREAMED_PARTS = 8
QUERIES = (144, 375, 1000, 3005)


def lengths_of(residues: int, repeats: int) -> npt.NDArray[np.uint32]:
    """Lengths drawn from two log-normals, as in UniProt, each `repeats` times, ascending, for so many residues."""
    rng = np.random.default_rng(5)
    count = residues // repeats // 360
    wide = rng.random(count) < 0.62
    drawn = np.where(wide, 255 * np.exp(0.87 * rng.normal(size=count)), 326 * np.exp(0.366 * rng.normal(size=count)))
    once = np.sort(np.clip(drawn, 10, 35_213).astype(np.uint32))
    return np.repeat(once, repeats)


def used() -> int:
    """Bytes of the device in use."""
    free, total = cupy.cuda.runtime.memGetInfo()
    return int(total - free)


def load(engine: GpuEngine, database: Database) -> str:
    """Load a shard and say how fast."""
    started = time.perf_counter()
    engine.load(database.shard(0, 1))
    took = time.perf_counter() - started
    residues = database.manifest.residues
    return f"loaded {residues / 1e9:.2f} G residues in {took:.2f} s, {residues / took / 1e9:.1f} GB/s"


def rates(engine: GpuEngine, database: Database) -> dict[int, float]:
    """TCUPS all-in by query length."""
    found = {}
    for length in QUERIES:
        query = random_query(length)
        took = seconds(lambda query=query: gather(engine.search([query], SCORING, TOP)))
        found[length] = length * database.manifest.residues / took / 1e12
    return found


def cancel_ms(engine: GpuEngine) -> float:
    """Time from the first slice of a search, which is given up then, to its end."""
    slices = engine.search([random_query(5000)], SCORING, TOP)
    while next(slices).cells == 0:
        pass
    started = time.perf_counter()
    slices.close()
    return 1e3 * (time.perf_counter() - started)


def resident(residues: int) -> list[str]:
    """A large shard on the device."""
    database = random_database(lengths_of(residues, 64))
    engine = GpuEngine()
    # The second time, the driver has the device's memory mapped, and the host's pinned.
    lines = [load(engine, database), "again: " + load(engine, database)]
    gather(engine.search([Record("warm", b"W" * 20)], SCORING, TOP))
    told = ", ".join(f"{length}: {rate:.2f}" for length, rate in rates(engine, database).items())
    lines.append(f"{len(database):,} subjects; device memory in use {used() / 1e9:.1f} GB; TCUPS by query: {told}")
    lines.append(f"a cancel takes effect within {cancel_ms(engine):.1f} ms")
    return lines


def streamed(residues: int) -> list[str]:
    """The same shard resident and streamed."""
    database = random_database(lengths_of(residues, 8))
    engine = GpuEngine()
    lines = [load(engine, database)]
    queries = [random_query(length) for length in QUERIES]
    expected, fast = gather(engine.search(queries, SCORING, 1000)), rates(engine, database)
    del engine
    cupy.get_default_memory_pool().free_all_blocks()
    engine = GpuEngine(memory=RESERVED_BYTES + STREAMED_BYTES * (residues // STREAMED_PARTS))
    lines.append("under a memory cap: " + load(engine, database))
    equal = gather(engine.search(queries, SCORING, 1000)) == expected
    slow = rates(engine, database)
    told = ", ".join(f"{length}: {slow[length]:.2f} of {fast[length]:.2f}" for length in QUERIES)
    lines.append(f"streamed in {engine.parts} parts; results equal: {equal}; TCUPS by query, of those resident: {told}")
    return lines


def main() -> None:
    """Measure, print and append."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--resident", type=float, default=40, help="G residues of the resident shard")
    parser.add_argument("--streamed", type=float, default=4, help="G residues of the streamed shard")
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    memory = Memory.of_shard(*TREMBL)
    lines = [
        f"- TrEMBL by the budget's arithmetic: {TREMBL[0]:,} residues and {TREMBL[1]:,} subjects take "
        f"{memory.packed / 1e9:.1f} GB packed and {memory.scratch / 1e9:.1f} GB of scratch; the device has "
        f"{device().memory / 1e9:.1f} GB",
        *(f"- streaming: {line}" for line in streamed(int(arguments.streamed * 1e9))),
    ]
    cupy.get_default_memory_pool().free_all_blocks()
    lines += [f"- resident: {line}" for line in resident(int(arguments.resident * 1e9))]
    publish("Large shards and streaming", lines, arguments.results)


if __name__ == "__main__":
    main()
