"""Latency and rate of a search over HTTP, and where the time goes: `python benchmarks/latency.py FASTA [--shards N]`.

A real service is started over the FASTA file (database build and start are not timed). Each search is one POST with
`Prefer: wait` that is run anew (`Cache-Control: no-cache`), one after another, then from several clients at a time.
The engine's own time for the same query is measured in one process of this machine with as many threads as the
service's workers have together.
"""

import argparse
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx

from shardwater.database.catalog import Catalog
from shardwater.engines.cpu import CpuEngine
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import Record, read_fasta
from shardwater.software import software

COMMAND = [sys.executable, "-P", "-m", "worker.cli"]


@dataclass(frozen=True)
class Timings:
    """Seconds of single searches."""

    seconds: list[float]

    def quantile(self, share: float) -> float:
        """The smallest time that this share of the searches does not pass, in milliseconds."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def start(data: Path) -> "tuple[subprocess.Popen[str], str]":
    """A service on a free port, ready."""
    process = subprocess.Popen(
        [*COMMAND, "serve", "--data", str(data), "--port", "0"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("Ready: "):
            return process, line.split()[1]
    raise SystemExit("the service did not start")


def post(url: str, query: Record) -> float:
    """Seconds of one search, from sending it to having its result."""
    body = {"sequence": f">{query.header}\n{query.residues.decode()}", "database": "bench"}
    headers = {"Prefer": "wait=60", "Cache-Control": "no-cache"}
    started = time.perf_counter()
    response = httpx.post(f"{url}/v1/searches", json=body, headers=headers, timeout=120)
    seconds = time.perf_counter() - started
    if response.status_code != httpx.codes.OK:
        raise SystemExit(response.text)
    return seconds


def engine_seconds(data: Path, query: Record, threads: int, repeats: int) -> list[float]:
    """Seconds of scoring and aligning without a service."""
    shard = Catalog(data).current("bench").shard(0, 1)
    engine = CpuEngine(threads)
    engine.load(shard)
    seconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        find_hits(engine, shard, [query], Parameters())
        seconds.append(time.perf_counter() - started)
    return seconds


def measure(data: Path, query: Record, repeats: int, clients: int) -> None:
    """Print one row each: alone, and with several clients."""
    manifest = Catalog(data).current("bench").manifest
    cells = len(query.residues) * manifest.residues
    threads = max(manifest.shards, 2 if manifest.shards == 1 else manifest.shards)
    engine = statistics.median(engine_seconds(data, query, threads, max(5, repeats // 4)))
    process, url = start(data)
    try:
        post(url, query)
        alone = Timings([post(url, query) for _ in range(repeats)])
        with ThreadPoolExecutor(clients) as pool:
            started = time.perf_counter()
            together = Timings(list(pool.map(lambda _: post(url, query), range(repeats))))
            wall = time.perf_counter() - started
    finally:
        process.terminate()
        process.wait()
    half = alone.quantile(0.5)
    print(f"shards {manifest.shards}, engine alone {1000 * engine:.1f} ms ({cells / engine / 1e9:.2f} GCUPS)")
    print(
        f"  1 client: p50 {half:.1f} ms, p99 {alone.quantile(0.99):.1f} ms, "
        f"{1 / statistics.mean(alone.seconds):.2f} /s,"
        f" not the engine {100 * (1 - 1000 * engine / half):.1f} %"
    )
    print(
        f"  {clients} clients: p50 {together.quantile(0.5):.1f} ms, p99 {together.quantile(0.99):.1f} ms,"
        f" {repeats / wall:.2f} /s, {repeats * cells / wall / 1e9:.2f} GCUPS"
    )


def main() -> None:
    """Build, serve, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path, help="the database")
    parser.add_argument("--query", type=Path, required=True, help="FASTA; its first record is the query")
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--clients", type=int, default=4)
    options = parser.parse_args()
    query = read_fasta(options.query.read_bytes())[0]
    print(
        f"commit {software().commit[:12]}, {platform.processor() or platform.machine()}, query of {len(query.residues)}"
    )
    for shards in options.shards:
        with tempfile.TemporaryDirectory() as folder:
            build = [str(options.fasta), "--name", "bench", "--out", folder, "--shards", str(shards)]
            subprocess.run([*COMMAND, "makedb", *build], check=True)
            measure(Path(folder), query, options.repeats, options.clients)


if __name__ == "__main__":
    main()
