"""Sensitivity on classified domains: `python benchmarks/sensitivity.py scop40.fasta.gz`.

All domains against all (BLOSUM62, 11/1), in the order of scores, of E-values by published parameters, of fitted ones,
and of these adjusted to composition. Headers are `id class`, class as in SCOPe (a.1.1.1: class, fold, superfamily,
family). For each domain that has others of its superfamily: the fraction of them that come before the first domain of a
different fold; printed is the mean. Second, over all pairs ranked by E-value: the share of same-superfamily pairs found
at 0.01, 0.1 and 1 errors a query.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Pair, gather
from shardwater.scoring.scoring import Scoring
from shardwater.search.adjusting import adjusted_figures, scales_of
from shardwater.search.cuts import best_scores
from shardwater.search.parameters import Parameters
from shardwater.search.remains import AlignedQuery, remains_of
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import Counts
from shardwater.statistics.evalue import SearchSpace, Statistics
from shardwater.statistics.length_regression import fit_scores

SCORING = Scoring("BLOSUM62", 11, 1)
ADJUSTED = Parameters(composition="adjusted")
ERRORS = (0.01, 0.1, 1.0)
ORDERS = ("score", "table", "fitted", "adjusted")
MOST_EVALUE = 10.0
"""Up to here fitted E-values are adjusted, as a search does by default."""


def superfamilies_and_folds(database: Database) -> tuple[list[str], list[str]]:
    """Of each subject."""
    classes = [database.title(subject).split()[0].split(".") for subject in range(len(database))]
    return [".".join(parts[:3]) for parts in classes], [".".join(parts[:2]) for parts in classes]


def main() -> None:
    """Search all against all and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        build_database([options.fasta], Path(folder), name="domains")
        database = Catalog(Path(folder)).current("domains")
        names, folds = (np.unique(labels, return_inverse=True)[1] for labels in superfamilies_and_folds(database))
        started = time.perf_counter()
        found, ranked = rank_all(database, names, folds)
        seconds = time.perf_counter() - started
        cells, pairs = database.manifest.residues**2, int((np.bincount(names)[names] - 1).sum())
    print(f"{len(database)} domains, {cells / seconds / 1e9:.1f} GCUPS, {seconds:.0f} s")
    for order in ORDERS:
        sensitivities = found[order]
        print(f"by {order}, {len(sensitivities)} queries: mean sensitivity up to the first false fold "
              f"{np.mean(sensitivities):.4f}")  # fmt: skip
        if order != "score":
            print_errors(ranked[order], len(database), pairs)


def rank_all(
    database: Database, names: np.ndarray, folds: np.ndarray
) -> tuple[dict[str, list[float]], dict[str, list[np.ndarray]]]:
    """By order: each query's sensitivity, and its other subjects' E-values with whether they are right (1) or not."""
    engine, shard = CpuEngine(), database.shard(0, 1)
    engine.load(shard)
    sensitivities: dict[str, list[float]] = {order: [] for order in ORDERS}
    ranked: dict[str, list[np.ndarray]] = {order: [] for order in ORDERS}
    for query in range(len(database)):
        record = Record(database.header(query), database.sequence(query))
        [survey] = gather(engine.survey([record], SCORING, [best_scores(len(database))]))
        others = survey.subjects != query
        subjects, scores = survey.subjects[others], survey.scores[others]
        right, wrong = names[subjects] == names[query], folds[subjects] != folds[query]
        partners = int((names == names[query]).sum()) - 1
        by_order = _by_order(engine, database, record, survey.counts, subjects, scores)
        for order, values in by_order.items():
            if partners:
                first_wrong = values[wrong].min(initial=np.inf)
                sensitivities[order].append(int((right & (values < first_wrong)).sum()) / partners)
            kept = right | wrong
            ranked[order].append(np.stack((values[kept], right[kept])))
    return sensitivities, ranked


def _by_order(
    engine: CpuEngine, database: Database, record: Record, counts: Counts, subjects: np.ndarray, scores: np.ndarray
) -> dict[str, np.ndarray]:
    """What subjects are ordered by, the best first."""
    lengths, its_scores = database.lengths[subjects].tolist(), scores.tolist()
    space = SearchSpace(len(record.residues), database.manifest.residues, len(database))
    table, fitted = (
        Statistics.of(method, SCORING, space, fit) for method, fit in (("table", None), ("fitted", fit_scores(counts)))
    )
    by_fit = _evalues(fitted, its_scores, lengths)
    adjusted, within = by_fit.copy(), np.flatnonzero(by_fit <= MOST_EVALUE)
    if len(within):
        sequences = database.sequences(subjects[within].tolist())
        alignments = gather(engine.align([Pair(record.residues, each) for each in sequences], SCORING))
        paths, own_scores, own_lengths = (
            [each for each in alignments if each],
            scores[within].tolist(),
            list(map(len, sequences)),
        )
        remains = remains_of([AlignedQuery(record.residues, ADJUSTED, sequences, paths)], SCORING)
        found = scales_of(fitted, own_scores, remains, own_lengths)
        figures = adjusted_figures(fitted, own_scores, remains, found, own_lengths)
        adjusted[within] = [each.evalue for each in figures]
    by_table = _evalues(table, its_scores, lengths)
    return {"score": -scores.astype(float), "table": by_table, "fitted": by_fit, "adjusted": adjusted}


def _evalues(statistics: Statistics, scores: list[int], lengths: list[int]) -> np.ndarray:
    return np.array([each.evalue for each in statistics.figures(scores, lengths)], dtype=float)


def print_errors(ranked: list[np.ndarray], queries: int, pairs: int) -> None:
    """Coverage against errors per query, over all pairs."""
    evalues, right = np.concatenate(ranked, axis=1)
    right = right[np.argsort(evalues, kind="stable")]
    errors, hits = np.cumsum(1 - right), np.cumsum(right)
    for share in ERRORS:
        allowed = np.searchsorted(errors, share * queries, side="right")
        print(f"  at {share:g} errors a query: {hits[allowed - 1] / pairs:.4f} of {pairs} pairs")


if __name__ == "__main__":
    main()
