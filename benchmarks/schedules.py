"""The three schedules of packs on this GPU: `python benchmarks/schedules.py DATABASE QUERIES`; prints, and appends.

Strips, and the two designs of CUDASW++2.0 (docs/kernels.md, Two older schedules): on the same card, database and
queries, under the gap costs of that publication, with the kernels' clock (kernel_clock.py). Long subjects, which each
schedule leaves to sw_wide beyond a length of its own, run meanwhile and are not counted; their share is told. Then
random subjects of one length, and few of them: where an older schedule is faster, it is worth its place.

DATABASE is a folder of shardwater makedb, QUERIES a FASTA file.
"""

import argparse
from pathlib import Path

import numpy as np
from kernel_clock import KernelClock
from random_database import random_database, random_query
from results import RESULTS, publish

from shardwater.database.database import Database
from shardwater.engines.schedules import SCHEDULES
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record, read_fasta

SCORINGS = [Scoring("BLOSUM62", *gaps) for gaps in ((10, 2), (20, 2), (40, 3))]
RESIDUES = 200_000_000
LENGTHS = (8, 16, 32, 64, 128, 400, 1200)
QUERIES = (8, 30, 144, 1000)
FEW = (100, 1000, 10_000)
FEW_LENGTH = 400


def on_database(database: Database, queries: list[Record]) -> list[str]:
    """Rates of single queries by schedule and gap costs, and of all together."""
    costs = [f"{scoring.gap_open}-{scoring.gap_extend}k" for scoring in SCORINGS]
    lines = [
        "| query | " + " | ".join(f"{name} {cost}" for name in SCHEDULES for cost in costs) + " |",
        "| --- |" + " --- |" * len(SCHEDULES) * len(costs),
    ]
    rates: dict[str, list[str]] = {query.header: [] for query in queries}
    means, long_shares = [], []
    for name in SCHEDULES:
        clock = KernelClock(database, name)
        long_shares.append(f"{name} {100 * (1 - clock.residues / database.manifest.residues):.1f} %")
        for scoring in SCORINGS:
            cells, total = 0, 0.0
            for query in queries:
                took = clock.milliseconds(query, scoring)
                own = len(query.residues) * clock.residues
                cells, total = cells + own, total + took
                rates[query.header].append(f"{own / took / 1e9:.2f}")
            means.append(f"**{cells / total / 1e9:.2f}**")
    lines += [f"| {len(query.residues)} | " + " | ".join(rates[query.header]) + " |" for query in queries]
    lines.append("| all | " + " | ".join(means) + " |")
    return [*lines, "", f"Residues in subjects that sw_wide scores meanwhile: {', '.join(long_shares)}."]


def on_random_subjects(lengths: dict[str, np.ndarray]) -> list[str]:
    """Rates on sets of random subjects, for short and long queries."""
    heads = [f"{name} {query}" for query in QUERIES for name in SCHEDULES]
    lines = ["| subjects | " + " | ".join(heads) + " |", "| --- |" + " --- |" * len(heads)]
    for title, of_all in lengths.items():
        clocks = [KernelClock(random_database(of_all), name) for name in SCHEDULES]
        rates = [f"{clock.tcups(random_query(query), SCORINGS[0]):.3f}" for query in QUERIES for clock in clocks]
        lines.append(f"| {title} | " + " | ".join(rates) + " |")
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
    many = {f"{length} residues": np.full(RESIDUES // length, length, np.uint32) for length in LENGTHS}
    few = {f"{count:,} of {FEW_LENGTH}": np.full(count, FEW_LENGTH, np.uint32) for count in FEW}
    lines = [
        f"{len(database):,} subjects, {database.manifest.residues:,} residues; BLOSUM62, a gap of k residues costs as "
        "the head of a column says; TCUPS of the kernels that score packs.\n",
        *on_database(database, queries),
        f"\nRandom subjects of one length, {RESIDUES:,} residues, by the query's length, gaps "
        f"{SCORINGS[0].gap_open}-{SCORINGS[0].gap_extend}k, TCUPS:\n",
        *on_random_subjects(many),
        "\nThe same for few subjects:\n",
        *on_random_subjects(few),
    ]
    publish("Schedules", lines, arguments.results)


if __name__ == "__main__":
    main()
