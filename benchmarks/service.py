"""The whole service, and where a search's time goes: `python benchmarks/service.py DATABASE --queries queries20.fasta`.

DATABASE is a data folder, whose first database is searched, or a FASTA file. A real service with a queue of its own is
measured over one connection that stays open: the first query alone, run anew each time, then copies of all queries in
one request. The phases of a single search come from the clocks of one machine: when it was sent and received here, when
the API says that it was accepted and ended, and what the engine takes in this process once the service has stopped.
The first query is searched as is usual, with fitted statistics in order of E-value, and with published ones in order of
score.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from latency import Timings
from results import RESULTS, publish
from serving import Answer, ask, build, running

from gpu import open_engine
from shardwater.database.catalog import Catalog
from shardwater.database.database import Shard
from shardwater.engines.engine import Crowd, Engine, Found, Pair, Slices, Survey, gather
from shardwater.pairs.columns import Columns
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import Cut
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import Record, read_fasta

WARMING = 5


class Stopwatch:
    """An engine that adds up how long another one aligns."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self.aligning = engine, 0.0

    @property
    def name(self) -> str:
        """The other one's."""
        return self._engine.name

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, among: Shard | None = None
    ) -> Slices[Found]:
        """As the engine does."""
        return self._engine.search(queries, scoring, top, among)

    def survey(
        self,
        queries: Sequence[Record],
        scoring: Scoring,
        cuts: Sequence[Cut],
        scores: bool = False,
        among: Shard | None = None,
    ) -> Slices[Survey]:
        """As the engine does."""
        return self._engine.survey(queries, scoring, cuts, scores, among)

    def score(self, crowds: Sequence[Crowd], scoring: Scoring) -> Slices[npt.NDArray[np.int32]]:
        """As the engine does."""
        return self._engine.score(crowds, scoring)

    def align(self, pairs: Sequence[Pair], scoring: Scoring) -> Generator[Columns, None, None]:
        """As the engine does."""
        started = time.perf_counter()
        yield from self._engine.align(pairs, scoring)
        self.aligning += time.perf_counter() - started


@dataclass(frozen=True)
class Alone:
    """Seconds of the engine without a service: its search, its alignments, and all of find_hits."""

    engine: str
    search: float
    align: float
    total: float

    @property
    def rest(self) -> float:
        """What find_hits does besides, where nothing runs at the same time."""
        return self.total - self.search - self.align


def seconds(run: Callable[[], object], times: int) -> float:
    """The median of some runs, after one that does not count."""
    found = []
    for _ in range(times + 1):
        started = time.perf_counter()
        run()
        found.append(time.perf_counter() - started)
    return statistics.median(found[1:])


def alone(engine: Engine, shard: Shard, records: Sequence[Record], times: int) -> Alone:
    """What the engine takes in this process."""
    watch, parameters = Stopwatch(engine), Parameters()
    search = seconds(lambda: gather(engine.search(records, parameters.scoring, parameters.max_target_seqs)), times)
    total = seconds(lambda: find_hits(watch, shard, records, parameters), times)
    return Alone(engine.name, search, watch.aligning / (times + 1), total)


def quantiles(answers: Sequence[Answer]) -> str:
    """How long whole searches took."""
    whole = Timings([answer.received - answer.sent for answer in answers])
    return ", ".join(f"p{share:.0f} {whole.quantile(share / 100):.2f}" for share in (50, 90, 99))


def report(
    single: list[Answer],
    published: list[Answer],
    healthz: Timings,
    many: Answer,
    engines: list[Alone],
    engine_cells: int,
) -> list[str]:
    """The table of one run."""
    one, all_queries = engines
    before, within, after = (
        statistics.median(times)
        for times in zip(
            *((each.accepted - each.sent, each.ended - each.accepted, each.received - each.ended) for each in single),
            strict=True,
        )
    )
    cells, together = many.result["certificate"]["cells"], many.received - many.sent
    phases = {
        "HTTP, validation, acceptance": before,
        "queue, task, store: all that is not the engine": within - one.total,
        "engine: search": one.search,
        "engine: align": one.align,
        "rows and titles of hits": one.rest,
        "notice, merge, response": after,
    }
    return [
        f"One query, {len(single)} times: {quantiles(single)} ms; with published statistics in order of score "
        f"{quantiles(published)} ms; `/healthz` p50 {healthz.quantile(0.5):.2f} ms.",
        "",
        "| phase (medians) | ms |",
        "|---|---|",
        *(f"| {name} | {1000 * value:.2f} |" for name, value in phases.items()),
        "",
        "| all queries in one request | seconds | 10^9 cells/s |",
        "|---|---|---|",
        f"| the service, from sending to the result | {together:.3f} | {cells / together / 1e9:.1f} |",
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
    with running(data) as service:
        for _ in range(WARMING):
            ask(service, database, queries[:1])
        single = [ask(service, database, queries[:1]) for _ in range(repeats)]
        by_score = {"statistics": "table", "order": "score"}
        published = [ask(service, database, queries[:1], **by_score) for _ in range(repeats)]
        healthz = Timings([seconds(lambda: service.send("GET", "/healthz"), 1) for _ in range(repeats)])
        together = ask(service, database, many)
    # The engine's rate is the same for fewer copies.
    some = many[: max(len(queries), len(many) // 10)]
    shard, engine = Catalog(data).current(database).shard(0, 1), open_engine()
    engine.load(shard)
    engines = [alone(engine, shard, queries[:1], max(3, repeats // 10)), alone(engine, shard, some, 1)]
    cells = manifest.residues * sum(len(each.residues) for each in some)
    return [
        f"Database: {manifest.subjects:,} sequences, {manifest.residues:,} residues, {manifest.shards} shard(s). "
        f"Engine: {engines[0].engine}. First query: {len(queries[0].residues)} residues; "
        f"all: {len(many)} queries, {sum(len(each.residues) for each in many):,} residues.",
        "",
        *report(single, published, healthz, together, engines, cells),
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
