"""The service on a CPU against pyopal, which scores for it: `python benchmarks/cpu_service.py FASTA [--queries 500]`.

Queries are taken evenly from the database's own sequences, and sent in one request. pyopal alone scores the same
queries in this process, on as many threads. Both are measured in turn, by the clock and by the processors' time (user
and system, of all processes of the service): the latter holds where a machine has other work, too.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyopal
from latency import start
from results import RESULTS, publish
from scoring_matrices import ScoringMatrix
from serving import Connection, ask, build

from shardwater.database.catalog import Catalog
from shardwater.sequences.fasta import Record

TICKS = os.sysconf("SC_CLK_TCK")
PARENT, USER, SYSTEM = 1, 11, 12
"""Fields of /proc/PID/stat, after the name."""


@dataclass(frozen=True)
class Spent:
    """Seconds by the clock, and of the processors."""

    clock: float
    processors: float


def spent_by(process: int) -> float:
    """Seconds of the processors that a process and its children have had."""
    seconds = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if process in (int(fields[PARENT]), int(stat.parent.name)):
            seconds += (int(fields[USER]) + int(fields[SYSTEM])) / TICKS
    return seconds


def spent(run: Callable[[], object], processors: Callable[[], float]) -> Spent:
    """What a run takes."""
    clock, before = time.perf_counter(), processors()
    run()
    return Spent(time.perf_counter() - clock, processors() - before)


def by_pyopal(aligner: pyopal.Aligner, sequences: pyopal.Database, queries: Sequence[Record]) -> None:
    """Score all queries, a query to a thread, and forget the scores."""

    def score(query: Record) -> None:
        aligner.align(query.residues.upper(), sequences, mode="score", overflow="simple")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(score, queries):
            pass


def measure(data: Path, queries: Sequence[Record], rounds: int) -> list[str]:
    """Rows of a table: each way of asking, and what it takes compared with pyopal."""
    shard = Catalog(data).current("bench").shard(0, 1)
    sequences = pyopal.Database(bytes(sequence).upper() for sequence in shard.sequences())
    aligner = pyopal.Aligner(ScoringMatrix.from_name("BLOSUM62"), gap_open=12, gap_extend=1)
    ways = [(method, alignments) for method in ("table", "fitted") for alignments in (0, 100)]
    alone: list[Spent] = []
    served: dict[tuple[str, int], list[Spent]] = {way: [] for way in ways}
    process, url = start(data)
    service = Connection(url)
    try:
        for _ in range(rounds):
            alone.append(spent(lambda: by_pyopal(aligner, sequences, queries), time.process_time))
            for way in ways:
                served[way].append(spent(lambda way=way: _ask(service, queries, *way), lambda: spent_by(process.pid)))
    finally:
        service.close()
        process.terminate()
        process.wait()
    cells = shard.residues * sum(len(query.residues) for query in queries)
    clock, processors = (min(getattr(each, name) for each in alone) for name in ("clock", "processors"))
    rows = [f"| pyopal alone | {clock:.2f} | 1.00 | {processors:.2f} | 1.00 |"]
    for (method, alignments), times in served.items():
        best, least = min(each.clock for each in times), min(each.processors for each in times)
        name = f"`{method}`, {alignments} alignments a query" if alignments else f"`{method}`, no alignments"
        rows.append(f"| {name} | {best:.2f} | {clock / best:.2f} | {least:.2f} | {processors / least:.2f} |")
    return [
        f"{len(queries)} queries, {len(shard):,} sequences, {shard.residues:,} residues, {cells:.3g} cells; "
        f"{os.cpu_count()} cores; best of {rounds} rounds.",
        "",
        "| | seconds | share of pyopal's rate | seconds of processors | share |",
        "|---|---|---|---|---|",
        *rows,
    ]


def _ask(service: Connection, queries: Sequence[Record], method: str, alignments: int) -> None:
    ask(service, "bench", queries, statistics=method, alignments=alignments)


def main() -> None:
    """Build, measure, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path, help="FASTA")
    parser.add_argument("--queries", type=int, default=500, help="how many of its sequences are queries")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        build(options.database, Path(folder), shards=1)
        shard = Catalog(Path(folder)).current("bench").shard(0, 1)
        taken = range(0, len(shard), max(1, len(shard) // options.queries))
        queries = [Record(f"q{number}", bytes(shard.sequence(number))) for number in taken][: options.queries]
        lines = measure(Path(folder), queries, options.rounds)
        publish("The service on a CPU against pyopal", lines, options.results)


if __name__ == "__main__":
    main()
