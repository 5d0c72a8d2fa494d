"""SSCA#1 on this machine's engine: `python benchmarks/ssca1.py`; small ones for a processor:

    python benchmarks/ssca1.py --sizes 1024x20000 --scales 20

First kernel 1 of random amino acids by the paper's scoring (+5, -3; a gap of n letters 8 + n), queries x subjects: the
200 best cells of all, and those that are 5 rows and columns apart; and kernel 3 of 100 queries with the last subject.
Then whole runs, each verified. The clock covers a kernel: from letters in memory to the answer in memory.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from results import RESULTS, publish

from gpu import open_end_point_engine
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import Selection
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.end_points import EndPointEngine
from shardwater.ssca1.forms import ACIDS
from shardwater.ssca1.kernels import BEST, MATCHES, Match, match_all
from shardwater.ssca1.problem import Problem
from shardwater.ssca1.suite import run
from shardwater.steps import finish

SIZES = ("1024x1000000", "100000x1000000", "1000000x1000000")
SCALES = (34, 36, 38, 40)
QUERIES, QUERY = 100, 17
"""Of kernel 3: as many codons as its queries have of a run of scale 34, about."""


def seconds(work: Callable[[], object], repeats: int) -> float:
    """The best of some runs, behind one that nobody counts."""
    times = []
    for _ in range(repeats + 1):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times[1:])


def row(name: str, cells: int, taken: float, rest: str = "") -> str:
    """A line of a table."""
    return f"| {name} | {cells:,} | {taken:.4f} | {cells / taken / 1e9:,.1f} | {rest} |"


def of_kernels(engine: EndPointEngine, sizes: Sequence[str], repeats: int) -> Iterator[str]:
    """Kernels 1 and 3 of random sequences."""
    rng, pair = np.random.default_rng(1), None
    for size in sizes:
        query, subject = (rng.integers(0, len(ACIDS.acids), int(side), np.uint8) for side in size.split("x"))
        pair = CodedPair(query, subject)
        for which, selection in (("all", Selection(BEST.count)), ("apart", BEST)):
            taken = seconds(
                lambda one=pair, wanted=selection: finish(engine.find([one], ACIDS.scheme, wanted)), repeats
            )
            yield row(f"1: {size.replace('x', ' x ')}, {which}", pair.cells, taken)
    if pair is not None:
        starts = np.linspace(0, len(pair.query) - QUERY, QUERIES).astype(int)
        queries = [CodedPair(pair.query[start : start + QUERY], pair.subject) for start in starts]
        name, cells = f"3: {QUERIES} x {QUERY} x {len(pair.subject)}", sum(each.cells for each in queries)
        taken = seconds(lambda: finish(engine.find(queries, ACIDS.scheme, MATCHES)), repeats)
        yield row(f"{name}, end points", cells, taken)
        of_kernel_2 = [Match(Alignment(0, 0, QUERY, 0, 0, ()), each.query, each.query) for each in queries]
        taken = seconds(lambda: match_all(of_kernel_2, queries[0].subject, ACIDS, engine), repeats)
        yield row(f"{name}, with alignments", cells, taken)


def of_runs(engine: EndPointEngine, scales: Sequence[int]) -> Iterator[str]:
    """Whole runs."""
    for scale in scales:
        for report in run(Problem.of(scale, 0, ACIDS), engine):
            verdict = "verified" if report.verified else "WRONG"
            yield row(f"scale {scale}: {report.kernel}", report.cells, report.seconds, f"{report.found:,}, {verdict}")


def main() -> None:
    """Measure, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="*", default=list(SIZES), help="letters, as 1024x1000000")
    parser.add_argument("--scales", nargs="*", type=int, default=list(SCALES))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    engine = open_end_point_engine()
    head = ["| kernel | cells | seconds | GCUPS | found |", "|---|---|---|---|---|"]
    rows = [*of_kernels(engine, options.sizes, options.repeats), *of_runs(engine, options.scales)]
    publish("SSCA#1", [f"Engines: {', '.join(sorted(engine.engines))}.", "", *head, *rows], options.results)


if __name__ == "__main__":
    main()
