"""The whole service, and where a search's time goes: `python benchmarks/service.py DATABASE --queries queries20.fasta`.

DATABASE is a data folder, whose first database is searched, or a FASTA file. A real service with a queue of its own is
measured over one connection that stays open: the first query alone, run anew each time, then copies of all queries in
one request. The phases of a single search come from the clocks of one machine: when it was sent and received here, when
the API says that it was accepted and ended, and what the engine takes in this process once the service has stopped.
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
from latency import COMMAND, Timings, start
from results import RESULTS, publish

from gpu import open_engine
from shardwater.alignment import Alignment
from shardwater.catalog import Catalog
from shardwater.engine import Engine, Pair, Progress, no_progress
from shardwater.fasta import Record, read_fasta
from shardwater.hits import Score
from shardwater.scoring import Scoring
from shardwater.search import Parameters, find_hits

PATIENCE_S = 600
WARMING = 5


@dataclass(frozen=True)
class Answer:
    """A search's result, and the times when it was sent, accepted, ended and received, in seconds."""

    result: dict[str, Any]
    sent: float
    accepted: float
    ended: float
    received: float


def fasta(records: Sequence[Record]) -> str:
    """Queries as they are sent."""
    return "".join(f">{record.header}\n{record.residues.decode()}\n" for record in records)


def ask(http: httpx.Client, database: str, records: Sequence[Record], **options: int) -> Answer:
    """Search anew, and wait for the result."""
    body = {"sequence": fasta(records), "database": database, **options}
    sent = time.time()
    response = http.post("/v1/searches", json=body, headers={"Prefer": "wait=60", "Cache-Control": "no-cache"})
    path = response.headers.get("Location", "")
    while response.status_code == httpx.codes.ACCEPTED and time.time() - sent < PATIENCE_S:
        time.sleep(0.05)
        state = http.get(path).json()["state"]
        if state not in ("queued", "running"):
            response = http.get(f"{path}/results")
    received = time.time()
    if response.status_code != httpx.codes.OK:
        raise SystemExit(response.text)
    state = http.get(path).json()
    accepted, ended = (datetime.fromisoformat(state[name]).timestamp() for name in ("created_at", "finished_at"))
    return Answer(response.json(), sent, accepted, ended, received)


@contextmanager
def running(data: Path) -> Iterator[httpx.Client]:
    """A client of a service over a data folder, ready."""
    process, url = start(data)
    try:
        with httpx.Client(base_url=url, timeout=PATIENCE_S) as http:
            yield http
    finally:
        process.terminate()
        process.wait()


def build(source: Path, data: Path, shards: int) -> None:
    """`shardwater makedb`."""
    command = [*COMMAND, "makedb", str(source), "--name", "bench", "--out", str(data), "--shards", str(shards)]
    subprocess.run(command, check=True)


@dataclass
class Stopwatch:
    """An engine that notes how long another one takes."""

    engine: Engine
    searching: list[float] = field(default_factory=list)
    aligning: list[float] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The other one's."""
        return self.engine.name

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, progress: Progress = no_progress
    ) -> list[list[Score]]:
        """As the engine does."""
        started = time.perf_counter()
        found = self.engine.search(queries, scoring, top, progress)
        self.searching.append(time.perf_counter() - started)
        return found

    def align(
        self, pairs: Sequence[Pair], scoring: Scoring, progress: Progress = no_progress
    ) -> list[Alignment | None]:
        """As the engine does."""
        started = time.perf_counter()
        alignments = self.engine.align(pairs, scoring, progress)
        self.aligning.append(time.perf_counter() - started)
        return alignments


@dataclass(frozen=True)
class Alone:
    """Seconds of the engine without a service: scoring, aligning, and the rest of find_hits."""

    engine: str
    search: float
    align: float
    rest: float

    @property
    def total(self) -> float:
        """What a task computes."""
        return self.search + self.align + self.rest

    @classmethod
    def median(cls, watch: Stopwatch, totals: Sequence[float]) -> "Alone":
        """The median of each part, without the first run."""
        search, align = statistics.median(watch.searching[1:]), statistics.median(watch.aligning[1:])
        return cls(watch.name, search, align, statistics.median(totals[1:]) - search - align)


def alone(data: Path, database: str, works: Sequence[Sequence[Record]], repeats: Sequence[int]) -> list[Alone]:
    """What the engine takes in this process for each set of queries, over the whole database."""
    shard = Catalog(data).current(database).shard(0, 1)
    engine = open_engine()
    engine.load(shard)
    found = []
    for records, times in zip(works, repeats, strict=True):
        watch, totals = Stopwatch(engine), []
        for _ in range(times + 1):
            started = time.perf_counter()
            find_hits(watch, shard, records, Parameters())  # type: ignore[arg-type]
            totals.append(time.perf_counter() - started)
        found.append(Alone.median(watch, totals))
    return found


def report(single: list[Answer], healthz: Timings, many: Answer, engines: list[Alone], engine_cells: int) -> list[str]:
    """The table of one run."""
    whole = Timings([answer.received - answer.sent for answer in single])
    one, all_queries = engines
    before, within, after = (
        statistics.median(times)
        for times in zip(
            *((each.accepted - each.sent, each.ended - each.accepted, each.received - each.ended) for each in single),
            strict=True,
        )
    )
    cells, seconds = many.result["certificate"]["cells"], many.received - many.sent
    phases = {
        "HTTP, validation, acceptance": before,
        "queue, task, store: all that is not the engine": within - one.total,
        "engine: search": one.search,
        "engine: align": one.align,
        "rows and titles of hits": one.rest,
        "notice, merge, response": after,
    }
    quantiles = ", ".join(f"p{share:.0f} {whole.quantile(share / 100):.2f}" for share in (50, 90, 99))
    return [
        f"One query, {len(single)} times: {quantiles} ms; `/healthz` p50 {healthz.quantile(0.5):.2f} ms.",
        "",
        "| phase (medians) | ms |",
        "|---|---|",
        *(f"| {name} | {1000 * value:.2f} |" for name, value in phases.items()),
        "",
        "| all queries in one request | seconds | 10^9 cells/s |",
        "|---|---|---|",
        f"| the service, from sending to the result | {seconds:.3f} | {cells / seconds / 1e9:.1f} |",
        f"| the engine's search alone, of some | {all_queries.search:.3f} | "
        f"{engine_cells / all_queries.search / 1e9:.1f} |",
        f"| the engine's search and alignments, and their rows, of the same | {all_queries.total:.3f} | "
        f"{engine_cells / all_queries.total / 1e9:.1f} |",
    ]


def measure(data: Path, queries: Sequence[Record], repeats: int, copies: int) -> list[str]:
    """All measurements of a data folder's first database."""
    database = Catalog(data).names()[0]
    manifest = Catalog(data).current(database).manifest
    many = [replace(each, header=f"{each.header} copy {number}") for number in range(copies) for each in queries]
    with running(data) as http:
        for _ in range(WARMING):
            ask(http, database, queries[:1])
        single = [ask(http, database, queries[:1]) for _ in range(repeats)]
        healthz = Timings([http.get("/healthz").elapsed.total_seconds() for _ in range(repeats)])
        together = ask(http, database, many)
    # The engine's rate is the same for fewer copies.
    some = many[: max(len(queries), len(many) // 10)]
    engines = alone(data, database, [queries[:1], some], [max(3, repeats // 10), 1])
    cells = manifest.residues * sum(len(each.residues) for each in some)
    return [
        f"Database: {manifest.subjects:,} sequences, {manifest.residues:,} residues, {manifest.shards} shard(s). "
        f"Engine: {engines[0].engine}. First query: {len(queries[0].residues)} residues; "
        f"all: {len(many)} queries, {sum(len(each.residues) for each in many):,} residues.",
        "",
        *report(single, healthz, together, engines, cells),
    ]


def main() -> None:
    """Build if need be, measure, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path, help="a data folder, or FASTA")
    parser.add_argument("--queries", type=Path, required=True, help="FASTA")
    parser.add_argument("--repeats", type=int, default=200, help="searches with the first query")
    parser.add_argument("--copies", type=int, default=50, help="copies of all queries in the one large request")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    queries = read_fasta(options.queries.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        data = options.database
        if not data.is_dir():
            data = Path(folder)
            build(options.database, data, shards=1)
        publish("The whole service", measure(data, queries, options.repeats, options.copies), options.results)


if __name__ == "__main__":
    main()
