"""Sensitivity of iterated searches on classified domains:

    python benchmarks/profile_sensitivity.py scop40.fasta.gz [--proteins FASTA] [--queries N] [--rounds N]
        [--inclusion E] [--gap-open N] [--peers]

Domains are searched for among all of them, with themselves in the first round, then with the profiles of what the round
before included (BLOSUM62, 11/1 unless said). Headers are `id class` (classified.py). With --proteins the profiles are
made of other proteins, too, which are searched beside the domains; the domains alone are ranked. So many queries are
drawn by a seeded generator, else all are taken. Printed are, for each round, the mean share of a query's superfamily
that comes before the first domain of a different fold; the share of all pairs of one superfamily at 0.01, 0.1 and 1
errors a query, ranked by E-value; and the share of queries whose profile has taken in a domain of another fold.
--peers: what other programs find in as many rounds, those that are there (profile_peers.py).
"""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from classified import Domains, Tally
from profile_peers import PEERS, Searched
from sensitivity import SCORING, TOGETHER, Found, searched

from gpu import open_engine
from shardwater.alignment.alignment import Paths, aligned_rows
from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.profiles.iteration import INCLUSION_EVALUE, included, next_profile
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import hsp
from shardwater.search.judging import Evalues
from shardwater.search.merge import Hit
from shardwater.sequences.fasta import Record


def main() -> None:
    """Search in rounds, and print what each finds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path)
    parser.add_argument("--proteins", type=Path, help="more of them, of which profiles are made")
    parser.add_argument("--queries", type=int, help="drawn of the domains; all unless given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--inclusion", type=float, default=INCLUSION_EVALUE)
    parser.add_argument("--gap-open", type=int, default=SCORING.gap_open)
    parser.add_argument("--peers", action="store_true", help="search with other programs, too")
    options = parser.parse_args()
    sources = [options.fasta, *([options.proteins] if options.proteins else [])]
    with tempfile.TemporaryDirectory() as folder:
        build_database(sources, Path(folder), name="all")
        database = Catalog(Path(folder)).current("all")
        domains = Domains(database)
        drawn = np.random.default_rng(options.seed).permutation(domains.numbers)[: options.queries].tolist()
        print(f"{len(drawn)} queries, {len(database):,} subjects, {len(domains.numbers):,} of them domains", flush=True)
        scoring = replace(SCORING, gap_open=options.gap_open)
        print_rounds(database, domains, drawn, options.rounds, scoring, options.inclusion)
        if options.peers:
            print_peers(Searched.of(database, drawn, options.rounds, Path(folder)), domains)


def print_rounds(
    database: Database, domains: Domains, drawn: list[int], rounds: int, scoring: Scoring, inclusion: float
) -> None:
    """What each round finds."""
    engine = open_engine()
    engine.load(database.shard(0, 1))
    records = [Record(database.header(number), database.sequence(number)) for number in drawn]
    for number in range(1, rounds + 1):
        tally, strayed, members, started = Tally(domains), 0, 0, time.perf_counter()
        for first in range(0, len(records), TOGETHER):
            own = slice(first, first + TOGETHER)
            for place, (query, found) in enumerate(
                zip(drawn[own], searched(engine, database, records[own], scoring), strict=True), start=first
            ):
                tally.add(query, found.subjects, found.adjusted)
                hits = included(hits_of(database, records[place], found), inclusion)
                subjects = np.array([hit.rank for hit in hits], np.int64)
                strayed += bool(domains.wrong(query, subjects).any())
                members += len(hits)
                profile = next_profile(records[place], hits, scoring)
                records[place] = replace(records[place], pssm=profile.pssm)
        print(
            f"round {number}: {tally.told()}; {members / len(drawn):.1f} included, another fold in "
            f"{100 * strayed / len(drawn):.2f} %; {time.perf_counter() - started:.0f} s by {engine.name}",
            flush=True,
        )


def hits_of(database: Database, record: Record, found: Found) -> list[Hit]:
    """The subjects that are aligned, in the order of their E-values; their ranks are the subjects' numbers."""
    order = sorted(found.alignments, key=lambda place: (found.adjusted[place], -found.scores[place]))
    if not order:
        return []
    paths = Paths.of([found.alignments[place] for place in order])
    subjects = found.subjects[order].tolist()
    count, sequences, table = len(order), database.sequences(subjects), found.by_table(order).tolist()
    rows = aligned_rows(paths, [record.residues] * count, sequences, SCORING.scores, [record.pssm] * count)
    return [
        Hit(
            subject,
            "",
            "",
            len(sequence),
            int(found.scores[place]),
            None,
            float(found.adjusted[place]),
            None,
            None,
            (hsp(path, row),),
            Evalues(by_table, float(found.fitted[place]), 0.0, None),
        )
        for place, subject, sequence, by_table, path, row in zip(
            order, subjects, sequences, table, paths.alignments, rows, strict=True
        )
    ]


def print_peers(asked: Searched, domains: Domains) -> None:
    """What other programs find."""
    for name, search in PEERS.items():
        tally, started = Tally(domains), time.perf_counter()
        try:
            found = search(asked)
        except FileNotFoundError as missing:
            print(f"{name}: left out, {missing} is not installed")
            continue
        for query in asked.queries:
            evalues = found.get(query, {})
            tally.add(query, np.array(list(evalues), np.int64), np.array(list(evalues.values()), np.float64))
        print(f"{name}: {tally.told()}; {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
