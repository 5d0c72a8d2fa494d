"""Sensitivity on classified domains: `python benchmarks/sensitivity.py scop40.fasta.gz`.

All domains against all (BLOSUM62, 11/1), in the order of scores, of E-values by published parameters, of fitted ones,
and of these adjusted to composition. Headers are `id class` (classified.py). For each domain that has others of its
superfamily: the fraction of them that come before the first domain of a different fold; printed is the mean. Second,
over all pairs ranked by E-value: the share of same-superfamily pairs found at 0.01, 0.1 and 1 errors a query.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from classified import Domains, Subjects, Tally, Values

from gpu import open_engine
from shardwater.alignment.alignment import Alignment
from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.engine import Engine, Pair, Survey, gather
from shardwater.scoring.scoring import Scoring
from shardwater.search.adjusting import adjusted_figures, scales_of
from shardwater.search.cuts import best_scores
from shardwater.search.parameters import Parameters
from shardwater.search.remains import AlignedQuery, remains_of
from shardwater.sequences.fasta import Record
from shardwater.statistics.evalue import SearchSpace, Statistics
from shardwater.statistics.length_regression import fit_scores

SCORING = Scoring("BLOSUM62", 11, 1)
ADJUSTED = Parameters(composition="adjusted")
ORDERS = ("score", "table", "fitted", "adjusted")
MOST_EVALUE = 10.0
"""Up to here fitted E-values are adjusted, as a search does by default."""
TOP = 20_000
"""Subjects of a query that are ranked, at most."""
TOGETHER = 64
"""Queries that are surveyed at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Subjects of a query, best scores first, and their E-values by each method; alignments of some, by place."""

    subjects: Subjects
    scores: Subjects
    table: Values
    fitted: Values
    adjusted: Values
    alignments: dict[int, Alignment]


def main() -> None:
    """Search all against all and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        build_database([options.fasta], Path(folder), name="domains")
        database = Catalog(Path(folder)).current("domains")
        domains, started = Domains(database), time.perf_counter()
        tallies = rank_all(database, domains)
        seconds, cells = time.perf_counter() - started, database.manifest.residues**2
    print(f"{len(database)} domains, {cells / seconds / 1e9:.1f} GCUPS, {seconds:.0f} s")
    for order, tally in tallies.items():
        print(f"by {order}: {tally.told()}")


def rank_all(database: Database, domains: Domains) -> dict[str, Tally]:
    """What all domains find, by order."""
    engine = open_engine()
    engine.load(database.shard(0, 1))
    tallies = {order: Tally(domains) for order in ORDERS}
    for first in range(0, len(domains.numbers), TOGETHER):
        numbers = domains.numbers[first : first + TOGETHER].tolist()
        records = [Record(database.header(number), database.sequence(number)) for number in numbers]
        for number, found in zip(numbers, searched(engine, database, records), strict=True):
            orders = -found.scores.astype(np.float64), found.table, found.fitted, found.adjusted
            for order, values in zip(ORDERS, orders, strict=True):
                tallies[order].add(number, found.subjects, values)
    return tallies


def searched(engine: Engine, database: Database, records: list[Record]) -> list[Found]:
    """What queries find, and what it means; the engine has the whole database."""
    surveys = gather(engine.survey(records, SCORING, [best_scores(TOP)] * len(records)))
    return [_judged(engine, database, record, survey) for record, survey in zip(records, surveys, strict=True)]


def _judged(engine: Engine, database: Database, record: Record, survey: Survey) -> Found:
    subjects, scores = survey.subjects[:TOP], survey.scores[:TOP]
    lengths = database.lengths[subjects].tolist()
    space = SearchSpace(len(record.residues), database.manifest.residues, len(database))
    fitted = Statistics.of("fitted", SCORING, space, fit_scores(survey.counts))
    by_fit = evalues(fitted, scores, lengths)
    adjusted, within = by_fit.copy(), np.flatnonzero(by_fit <= MOST_EVALUE)
    sequences = database.sequences(subjects[within].tolist())
    pairs = [Pair(record.residues, each, record.pssm) for each in sequences]
    paths = [each for each in (gather(engine.align(pairs, SCORING)) if pairs else []) if each]
    own_scores, own_lengths = scores[within].tolist(), list(map(len, sequences))
    remains = remains_of([AlignedQuery(record.residues, ADJUSTED, sequences, paths, record.pssm)], SCORING)
    found = scales_of(fitted, own_scores, remains, own_lengths)
    figures = adjusted_figures(fitted, own_scores, remains, found, own_lengths)
    adjusted[within] = [each.evalue for each in figures]
    by_table = evalues(Statistics.of("table", SCORING, space), scores, lengths)
    return Found(subjects, scores, by_table, by_fit, adjusted, dict(zip(within.tolist(), paths, strict=True)))


def evalues(statistics: Statistics, scores: Subjects, lengths: list[int]) -> Values:
    """Those of hits."""
    return np.array([each.evalue for each in statistics.figures(scores.tolist(), lengths)], dtype=float)


if __name__ == "__main__":
    main()
