"""Z-values of hits, and all scores handed on: `python benchmarks/zvalues.py DATABASE QUERIES`; prints, and appends to
RESULTS.md.

DATABASE is a folder of shardwater makedb, QUERIES a FASTA file, of which the first query is searched. The best of three
runs counts, by time.perf_counter, with the database resident:

- a search for 100 aligned hits without shuffles, and with 100 and 1,000 of the query and of each subject;
- the same search handing on all its scores, into memory.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from results import RESULTS, publish

from gpu import open_engine
from shardwater.database.database import Database
from shardwater.search.parameters import Parameters
from shardwater.search.scores import Scores
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.sequences.fasta import read_fasta
from shardwater.steps import finish

RUNS = 3
USUAL = Parameters(evalue=1e9)


def main() -> None:
    """Measure, print and append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--threads", type=int, help="of the CPU engine")
    chosen = parser.parse_args()
    [query, *_] = read_fasta(chosen.queries.read_bytes())
    engine, shard = open_engine(chosen.threads), Database.open(chosen.database).shard(0, 1)
    engine.load(shard)

    def search(parameters: Parameters, *, hands_on: bool = False) -> None:
        kept: list[Scores] = []
        keep = (lambda query, first, scores: kept.append(scores)) if hands_on else None
        finish(find_all_hits(engine, shard, [ShardSearch([query], parameters, keep=keep)]))

    usual = _best(lambda: search(USUAL))
    lines = [
        f"{engine.name}: {query.id}, {query.length} residues; {len(shard):,} subjects, {shard.residues:,} residues.",
        "",
        "| what | ms | more than the search alone |",
        "|---|---|---|",
        _row("search, 100 hits aligned", usual, usual),
        _row("with all scores handed on", _best(lambda: search(USUAL, hands_on=True)), usual),
    ]
    for count in (100, 1000):
        shuffled = _best(lambda count=count: search(replace(USUAL, shuffles=count)))  # type: ignore[misc]
        lines.append(_row(f"with {count:,} shuffles of each", shuffled, usual))
    publish("Z-values and all scores", lines, RESULTS)


def _best(run: Callable[[], None]) -> float:
    """Seconds."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)


def _row(what: str, seconds: float, usual: float) -> str:
    return f"| {what} | {1000 * seconds:.0f} | {1000 * (seconds - usual):.0f} |"


if __name__ == "__main__":
    main()
