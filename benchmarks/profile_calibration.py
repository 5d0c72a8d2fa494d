"""False hits of profiles:

    python benchmarks/profile_calibration.py DOMAINS PROTEINS [--queries N] [--subjects N] [--seed N]

Profiles are made of DOMAINS, as scop40.fasta.gz, in two rounds of searches among themselves, of so many of them drawn
by a seeded generator; those that include others search so many of PROTEINS, shuffled, and reversed, which keeps repeats
and stretches of few letters: nothing there is related to them. Whatever is found at E <= 1 is false, and an honest
E-value finds one of them in a search. Printed are the means over expected, and the share of searches with any; `larger`
is what decides who is included.
"""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from calibration import LIMITS, divided, made_up, shown
from profile_sensitivity import hits_of
from sensitivity import SCORING, TOGETHER, searched

from gpu import open_engine
from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.engine import Engine
from shardwater.profiles.iteration import included, next_profile
from shardwater.sequences.fasta import Record

METHODS = ("adjusted", "fitted", "table", "larger")
ROUNDS = 2


def main() -> None:
    """Make profiles, search and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", type=Path)
    parser.add_argument("proteins", type=Path)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--subjects", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, engine = np.random.default_rng(options.seed), open_engine()
    with tempfile.TemporaryDirectory() as folder:
        build_database([options.domains], Path(folder), name="domains")
        domains = Catalog(Path(folder)).current("domains")
        profiles = profiles_of(engine, domains, rng.permutation(len(domains))[: options.queries].tolist())
        proteins, _ = divided(options.proteins, Path(folder), options.subjects, rng)
        print(f"{len(profiles)} profiles, {len(proteins):,} subjects; false hits / expected at E <= {LIMITS}")
        for how in ("shuffled", "reversed"):
            started = time.perf_counter()
            lines = [made_up(proteins.sequence(each), how, rng).residues for each in range(len(proteins))]
            file = Path(folder) / f"{how}.fasta"
            file.write_bytes(b"".join(b">%d\n%s\n" % each for each in enumerate(lines)))
            build_database([file], Path(folder), name=how)
            counted = false_hits(engine, Catalog(Path(folder)).current(how), profiles)
            print(f"{how}, {time.perf_counter() - started:.0f} s")
            for number, method in enumerate(METHODS):
                means, shares = counted[:, number].mean(0) / LIMITS, (counted[:, number] > 0).mean(0)
                print(f"  {method}: {shown(means)}; searches with any {shown(shares)}", flush=True)


def profiles_of(engine: Engine, database: Database, numbers: list[int]) -> list[Record]:
    """The profiles of those that include others."""
    engine.load(database.shard(0, 1))
    found = []
    for number in numbers:
        record, members = Record(database.header(number), database.sequence(number)), 0
        for _ in range(ROUNDS):
            [one] = searched(engine, database, [record])
            hits = included(hits_of(database, record, one))
            members = len(hits)
            record = replace(record, pssm=next_profile(record, hits, SCORING).pssm)
        if members > 1:
            found.append(record)
    return found


def false_hits(engine: Engine, database: Database, profiles: list[Record]) -> np.ndarray:
    """How many subjects are below each limit, (profiles, methods, limits)."""
    engine.load(database.shard(0, 1))
    counted = []
    for first in range(0, len(profiles), TOGETHER):
        for found in searched(engine, database, profiles[first : first + TOGETHER]):
            table = found.by_table()
            by_method = found.adjusted, found.fitted, table, np.maximum(found.adjusted, table)
            counted.append([[int((each <= limit).sum()) for limit in LIMITS] for each in by_method])
    return np.array(counted, np.float64)


if __name__ == "__main__":
    main()
