"""Profiles beside plain queries on this GPU: `python benchmarks/profile_speed.py DATABASE`; prints, and appends.

Random queries of some lengths, and the same with scores by position, those of the matrix and up to 2 more or less:
all-in by time.perf_counter around GpuEngine.search, the ten best subjects out, one after the other in turns; and the
kernels that score packs, by CUDA's events (kernel_clock.py). The best of some runs counts. Then a batch of queries of
300 residues, and the alignments of one with many subjects.

DATABASE is a folder of shardwater makedb.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from kernel_clock import KernelClock
from random_database import random_query
from results import RESULTS, publish

from gpu.engine import GpuEngine
from shardwater.database.database import Database
from shardwater.engines.engine import Pair, gather
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record

SCORING = Scoring("BLOSUM62", 11, 1)
LENGTHS = (100, 300, 1000, 5000)
TOP, REPEATS = 10, 10
BATCH, BATCH_LENGTH = 32, 300
ALIGNED = 2000

Input = TypeVar("Input")


def profile_of(query: Record) -> Record:
    """The query with scores by position."""
    scores = SCORING.scores[encode(query.residues)]
    noise = np.random.default_rng(len(scores)).integers(-2, 3, scores.shape)
    return replace(query, pssm=Pssm((scores + noise).astype(np.int32)))


def seconds(work: Callable[[Input], object], inputs: Sequence[Input]) -> list[float]:
    """The best time of each input, in turns, after a round that does not count."""
    best = [float("inf")] * len(inputs)
    for number in range(REPEATS + 1):
        for place, one in enumerate(inputs):
            started = time.perf_counter()
            work(one)
            if number:
                best[place] = min(best[place], time.perf_counter() - started)
    return best


def row(title: str, took: list[float], cells: int, kernels: list[float] | None = None) -> str:
    """Milliseconds and rates, plain and of profiles."""
    plain, profile = (cells / each / 1e12 for each in took)
    of_kernels = "| |" if kernels is None else f"{kernels[0]:.2f} | {kernels[1]:.2f} |"
    return (
        f"| {title} | {1e3 * took[0]:.2f} | {1e3 * took[1]:.2f} | {plain:.2f} | {profile:.2f} "
        f"| **{100 * profile / plain:.1f} %** | {of_kernels}"
    )


def main() -> None:
    """Measure, print and append."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database", type=Path)
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    database = Database.open(arguments.database)
    residues, clock, engine = database.manifest.residues, KernelClock(database), GpuEngine()
    engine.load(database.shard(0, 1))

    def both(queries: list[Record]) -> list[float]:
        profiles = [profile_of(query) for query in queries]
        return seconds(lambda asked: gather(engine.search(asked, SCORING, TOP)), (queries, profiles))

    lines = [
        f"{len(database):,} subjects, {residues:,} residues; BLOSUM62, 11 and 1.\n",
        "| residues of the query | ms, plain | ms, profile | TCUPS, plain | TCUPS, profile | rate | kernels, plain "
        "| kernels, profile |",
        "| --- |" + " --- |" * 7,
    ]
    for length in LENGTHS:
        query = random_query(length)
        kernels = [clock.tcups(each, SCORING) for each in (query, profile_of(query))]
        lines.append(row(f"{length:,}", both([query]), length * residues, kernels))
    batch = [random_query(BATCH_LENGTH, seed) for seed in range(BATCH)]
    lines.append(row(f"{BATCH} x {BATCH_LENGTH}, one batch", both(batch), BATCH * BATCH_LENGTH * residues))
    subjects = database.sequences(range(len(database) // 2, len(database) // 2 + ALIGNED))
    record = profile_of(batch[0])
    pairs = [Pair(record.residues, subject, record.pssm) for subject in subjects]
    plain = [replace(pair, pssm=None) for pair in pairs]
    took = seconds(lambda asked: alignments_of(engine.align(asked, SCORING)), (plain, pairs))
    cells = sum(len(pair.query) * len(pair.subject) for pair in pairs)
    lines.append(row(f"{ALIGNED:,} alignments, {BATCH_LENGTH}", took, cells))
    publish("Profiles", lines, arguments.results)


if __name__ == "__main__":
    main()
