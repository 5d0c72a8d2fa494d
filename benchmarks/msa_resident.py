"""One chain's MSA against a shard as large as half of TrEMBL: `python benchmarks/msa_resident.py`.

Random subjects with lengths as in UniProt are made in memory; changed copies of the chain lie in some of them: of every
third residue half as many are drawn anew as of the others, so that only a profile finds the last ones. The clock covers
what a service does for a chain but for HTTP, the queue and files: all rounds with their profiles, alignments, E-values,
names, the filter, and the A3M's bytes. Kernels are compiled before.
"""

import argparse
import gc
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from families import changed
from random_database import random_database, random_query
from residency import lengths_of, load, used
from results import RESULTS, publish

from gpu.engine import GpuEngine
from shardwater.database.database import Database, Shard
from shardwater.formats.msas.a3m import write_a3m
from shardwater.msa.built import built
from shardwater.profiles.iterated import in_rounds
from shardwater.search.databases import SearchedDatabase
from shardwater.search.hits import ShardResult
from shardwater.search.merge import Searched
from shardwater.search.parameters import Parameters
from shardwater.search.repeats import KnownRepeats
from shardwater.search.search import ShardSearch, trace_all_hits
from shardwater.sequences.fasta import Record
from shardwater.steps import finish

LEAST_CHANGED, MOST_CHANGED = 0.1, 1.0
"""Shares of the residues that are drawn anew, but for every third one."""
KEPT = 3
NAME = 10
"""Digits of a name. Rounds are compared by names."""
ASKED = Parameters(
    iterations=3, evalue=0.1, inclusion_evalue=0.1, max_target_seqs=10_000, alignments=10_000, composition="adjusted"
)
"""As ColabFold's clients have it."""


def plant(database: Database, chain: Record, copies: int, seed: int = 3) -> Database:
    """Write changed copies of a chain into so many subjects, about, that have room for it; these alone get names."""
    rng = np.random.default_rng(seed)
    letters = np.frombuffer(chain.residues, np.uint8)
    first = int(np.searchsorted(database.lengths, len(letters)))
    subjects = np.unique(rng.integers(first, len(database), copies))
    for subject in subjects.tolist():
        begin, shares = int(database.offsets[subject]), np.full(len(letters), rng.uniform(LEAST_CHANGED, MOST_CHANGED))
        shares[::KEPT] /= 2
        database.residues[begin : begin + len(letters)] = changed(letters, shares, rng)
    named = np.zeros(len(database) + 1, np.int64)
    named[subjects + 1] = NAME
    names = b"".join(b"%0*d" % (NAME, subject) for subject in subjects.tolist())
    return replace(database, names=np.frombuffer(names, np.uint8), name_offsets=np.cumsum(named))


def made(engine: GpuEngine, shard: Shard, chain: Record) -> tuple[int, int, int]:
    """Rounds, rows and bytes of a chain's MSA."""
    database = shard.database
    searched = Searched("", (SearchedDatabase.of(database.manifest),), ASKED, [chain])

    repeats = KnownRepeats()

    def find(asked: ShardSearch) -> list[ShardResult]:
        traced = finish(trace_all_hits(engine, shard, [asked]))
        return [each.written(database, 0, asked.queries, ASKED, repeats) for each in traced]

    _, result = in_rounds(searched, ASKED, find)
    one = built(chain, result, diverse=True)
    return len(one.rounds), one.found, sum(map(len, write_a3m(one.msa)))


def main() -> None:
    """Measure, print and append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--residues", type=float, default=40, help="G residues of the shard")
    parser.add_argument("--copies", type=int, default=2000)
    parser.add_argument("--length", type=int, default=300, help="of the chain")
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    database = random_database(lengths_of(int(options.residues * 1e9), 64))
    chain, engine = random_query(options.length), GpuEngine()

    database = plant(database, chain, options.copies)
    lines = [load(engine, database), f"{len(database):,} subjects; device memory in use {used() / 1e9:.1f} GB."]
    # Opened once, as by a worker: that looks through all offsets.
    shard = database.shard(0, 1)
    # As in a process that merges.
    gc.disable()
    gc.freeze()
    for _ in range(3):
        began = time.perf_counter()
        rounds, rows, size = made(engine, shard, chain)
        took = time.perf_counter() - began
        rate = rounds * options.length * database.manifest.residues / took / 1e12
        lines.append(f"{rounds} rounds, {rows:,} rows, {size / 1e6:.1f} MB: **{took:.2f} s**, {rate:.2f} TCUPS")
        print(lines[-1], flush=True)
        gc.collect()
    publish("One chain against 40 G residues", [f"- {line}" for line in lines], options.results)


if __name__ == "__main__":
    main()
