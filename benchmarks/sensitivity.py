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
from shardwater.engines.engine import Engine, Pair, gather
from shardwater.pairs.columns import alignments_of
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
    """Subjects of a query, best scores first, and their E-values; alignments of those that were adjusted, by place."""

    scoring: Scoring
    space: SearchSpace
    subjects: Subjects
    lengths: Subjects
    scores: Subjects
    fitted: Values
    adjusted: Values
    alignments: dict[int, Alignment]

    def by_table(self, places: list[int] | slice = slice(None)) -> Values:
        """E-values by published parameters, of all subjects or of some."""
        return evalues(Statistics.of("table", self.scoring, self.space), self.scores[places], self.lengths[places])


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
            orders = -found.scores.astype(np.float64), found.by_table(), found.fitted, found.adjusted
            for order, values in zip(ORDERS, orders, strict=True):
                tallies[order].add(number, found.subjects, values)
    return tallies


def searched(engine: Engine, database: Database, records: list[Record], scoring: Scoring = SCORING) -> list[Found]:
    """What queries find, and what it means; the engine has the whole database."""
    surveys = gather(engine.survey(records, scoring, [best_scores(TOP)] * len(records)))
    found, judges = [], []
    for record, survey in zip(records, surveys, strict=True):
        space = SearchSpace(len(record.residues), database.manifest.residues, len(database))
        subjects, scores = survey.subjects[:TOP], survey.scores[:TOP]
        lengths = database.lengths[subjects].astype(np.int64)
        fit = fit_scores(survey.counts, profile=record.pssm is not None)
        judges.append(Statistics.of("fitted", scoring, space, fit))
        fitted = evalues(judges[-1], scores, lengths)
        found.append(Found(scoring, space, subjects, lengths, scores, fitted, fitted.copy(), {}))
    _adjust(engine, database, records, found, judges, scoring)
    return found


def _adjust(
    engine: Engine,
    database: Database,
    records: list[Record],
    found: list[Found],
    judges: list[Statistics],
    scoring: Scoring,
) -> None:
    """Align the subjects with small E-values, and put down what composition and repeats leave of these."""
    within = [np.flatnonzero(each.fitted <= MOST_EVALUE).tolist() for each in found]
    sequences = [database.sequences(each.subjects[places].tolist()) for each, places in zip(found, within, strict=True)]
    pairs = [
        Pair(record.residues, subject, record.pssm)
        for record, subjects in zip(records, sequences, strict=True)
        for subject in subjects
    ]
    paths = iter(alignments_of(engine.align(pairs, scoring)) if pairs else [])
    asked = []
    for record, each, places, subjects in zip(records, found, within, sequences, strict=True):
        own = [path for place in places if (path := next(paths)) is not None]
        each.alignments.update(zip(places, own, strict=True))
        asked.append(AlignedQuery(record.residues, ADJUSTED, subjects, own, record.pssm))
    remains = remains_of(asked, scoring)
    for each, judge, places in zip(found, judges, within, strict=True):
        own_scores, lengths = each.scores[places].tolist(), each.lengths[places].tolist()
        left, remains = remains[: len(places)], remains[len(places) :]
        scales = scales_of(judge, own_scores, left, lengths)
        figures = adjusted_figures(judge, own_scores, left, scales, lengths)
        each.adjusted[places] = [one.evalue for one in figures]


def evalues(statistics: Statistics, scores: Subjects, lengths: Subjects) -> Values:
    """Those of hits."""
    return np.array([each.evalue for each in statistics.figures(scores.tolist(), lengths.tolist())], dtype=float)


if __name__ == "__main__":
    main()
