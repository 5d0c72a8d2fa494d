"""The engine's speed on this GPU: `python benchmarks/gcups.py DATABASE QUERIES`; prints and appends to RESULTS.md.

DATABASE is a folder of shardwater makedb, QUERIES a FASTA file. Cells are query residues x subject residues, without
padding; the best of three runs counts. Clocks:

- all-in: time.perf_counter around GpuEngine.search, database resident: residues in, the ten best subjects out;
- batch: the same around one call with all queries;
- kernels: CUDA's events, from the first launch of sw_score to the end of the last.
"""

import argparse
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from kernel_clock import KernelClock
from random_database import random_database, random_query
from results import RESULTS, publish

from gpu.engine import GpuEngine
from shardwater.database.database import Database
from shardwater.engines.engine import gather
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record, read_fasta

SCORING = Scoring("BLOSUM62", 10, 1)
TOP = 10
REPEATS = 3
PEER = {
    144: 8.63, 375: 20.2, 464: 24.6, 567: 29.9, 1000: 51.6, 3005: 152, 5478: 287,
}  # fmt: skip
"""CUDASW++4.0 on an H200 with the simulated Swiss-Prot-like database, milliseconds all-in."""
PEER_TOTAL_MS = 2133
EQUAL_LENGTHS = (128, 256, 512, 1024)
LENGTH_CLASSES = (32, 64, 100, 200, 400, 800, 1600, 3200, 8000, 16000, 35213)
SHORT_QUERIES = (30, 40, 50, 60, 70, 80, 90, 100)


@dataclass
class Monitor:
    """What nvidia-smi reads while something runs: MHz and watts."""

    clocks: list[float] = field(default_factory=list)
    watts: list[float] = field(default_factory=list)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Sample ten times a second."""
        command = ["nvidia-smi", "--query-gpu=clocks.sm,power.draw", "--format=csv,noheader,nounits", "--loop-ms=100"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            reader = threading.Thread(target=self._read, args=(process,))
            reader.start()
            try:
                yield
            finally:
                process.terminate()
                reader.join()

    def _read(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            clock, watts = line.split(",")
            self.clocks.append(float(clock))
            self.watts.append(float(watts))


def seconds(work: Callable[[], object]) -> float:
    """The best of some runs, after one that does not count."""
    work()
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def on_database(engine: GpuEngine, database: Database, queries: list[Record]) -> list[str]:
    """The table of single queries, and the batch."""
    residues = database.manifest.residues
    lines = ["| query | ms all-in | TCUPS | CUDASW++4.0, ms | ratio |", "| --- | --- | --- | --- | --- |"]
    total = 0.0
    for query in queries:
        length = len(query.residues)
        took = seconds(lambda query=query: gather(engine.search([query], SCORING, TOP)))
        total += took
        peer = PEER.get(length)
        beside = f"{peer:g} | {peer / took / 1e3:.2f}" if peer else " | "
        lines.append(f"| {length} | {1e3 * took:.2f} | {length * residues / took / 1e12:.2f} | {beside} |")
    cells = residues * sum(len(query.residues) for query in queries)
    lines.append(
        f"| all, one after another | {1e3 * total:.1f} | **{cells / total / 1e12:.2f}** | {PEER_TOTAL_MS} "
        f"| **{PEER_TOTAL_MS / total / 1e3:.2f}** |"
    )
    took = seconds(lambda: gather(engine.search(queries, SCORING, TOP)))
    lines.append(
        f"| all, one batch | {1e3 * took:.1f} | **{cells / took / 1e12:.2f}** | {PEER_TOTAL_MS} "
        f"| **{PEER_TOTAL_MS / took / 1e3:.2f}** |"
    )
    return lines


def sustained(engine: GpuEngine, database: Database, queries: list[Record], runs: int = 8) -> str:
    """Rate, clock and power over some seconds of batches."""
    monitor = Monitor()
    with monitor.watching():
        started = time.perf_counter()
        for _ in range(runs):
            gather(engine.search(queries, SCORING, TOP))
        took = time.perf_counter() - started
    gcups = runs * database.manifest.residues * sum(len(query.residues) for query in queries) / took / 1e9
    # The first and last readings may lie outside the work.
    clock, watts = (statistics.mean(values[3:-2]) for values in (monitor.clocks, monitor.watts))
    return (
        f"Sustained over {took:.1f} s of batches: {gcups / 1e3:.2f} TCUPS at {clock:.0f} MHz and {watts:.0f} W, "
        f"{gcups / watts:.2f} GCUPS/W."
    )


def on_equal_lengths() -> list[str]:
    """Kernels on random sets of 256 M residues, by subject length."""
    lines = ["| subject length | query 128 | 136 | 144 | 464 | 1000 | 3005 |", "| --- |" + " --- |" * 6]
    for length in EQUAL_LENGTHS:
        clock = KernelClock(random_database(np.full((256 << 20) // length, length, np.uint32)))
        rates = [f"{clock.tcups(random_query(query), SCORING):.2f}" for query in (128, 136, 144, 464, 1000, 3005)]
        lines.append(f"| {length} | " + " | ".join(rates) + " |")
    return lines


def on_length_classes() -> list[str]:
    """Kernels on random sets of 200 M residues of one length, for a short and a long query."""
    lines = ["| subject length | query 144 | query 1000 |", "| --- | --- | --- |"]
    for length in LENGTH_CLASSES:
        clock = KernelClock(random_database(np.full(200_000_000 // length, length, np.uint32)))
        rates = [f"{clock.tcups(random_query(query), SCORING):.2f}" for query in (144, 1000)]
        lines.append(f"| {length} | " + " | ".join(rates) + " |")
    return lines


def on_short_queries(engine: GpuEngine, database: Database) -> list[str]:
    """All-in rates of short queries on the database."""
    lines = ["| query | ms all-in | TCUPS |", "| --- | --- | --- |"]
    for length in SHORT_QUERIES:
        query = random_query(length)
        took = seconds(lambda query=query: gather(engine.search([query], SCORING, TOP)))
        rate = length * database.manifest.residues / took / 1e12
        lines.append(f"| {length} | {1e3 * took:.2f} | {rate:.2f} |")
    return lines


def main() -> None:
    """Measure, print and append."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    database = Database.open(arguments.database)
    queries = list(read_fasta(arguments.queries.read_bytes()))
    engine = GpuEngine()
    engine.load(database.shard(0, 1))
    gather(engine.search(queries, SCORING, TOP))
    lines = [
        f"{len(database):,} subjects, {database.manifest.residues:,} residues; {SCORING.matrix}, gap_open "
        f"{SCORING.gap_open}, gap_extend {SCORING.gap_extend}; the clocks are those at the head of the program.\n",
        *on_database(engine, database, queries),
        "",
        sustained(engine, database, queries),
        "\nShort queries on the same database, all-in:\n",
        *on_short_queries(engine, database),
    ]
    del engine
    lines += ["\nKernels, random subjects of equal length, TCUPS:\n", *on_equal_lengths()]
    lines += ["\nThe same by length class:\n", *on_length_classes()]
    publish("GPU engine", lines, arguments.results)


if __name__ == "__main__":
    main()
