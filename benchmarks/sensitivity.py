"""Sensitivity on classified domains: `python benchmarks/sensitivity.py scop40.fasta.gz`.

All domains against all, local alignment scores (BLOSUM62, 11/1). Headers are `id class`, class as in SCOPe
(a.1.1.1: class, fold, superfamily, family). For each domain with another of its superfamily: the fraction of its
superfamily that scores above the first domain of a different fold (the domain itself left out); printed is the mean.
Second, over all pairs ranked by E-value: the share of same-superfamily pairs found at 0.01, 0.1 and 1 errors a query.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from shardwater.build import build_database
from shardwater.catalog import Catalog
from shardwater.cpu import CpuEngine
from shardwater.database import Database
from shardwater.evalue import SearchSpace, Statistics
from shardwater.fasta import Record
from shardwater.scoring import Scoring

SCORING = Scoring("BLOSUM62", 11, 1)
ERRORS = (0.01, 0.1, 1.0)


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
    cells = database.manifest.residues**2
    print(f"{len(database)} domains, {cells / seconds / 1e9:.1f} GCUPS, {seconds:.0f} s")
    print(f"mean sensitivity up to the first false fold, {len(found)} queries: {np.mean(found):.4f}")
    print_errors(ranked, len(database), names)


def rank_all(database: Database, names: np.ndarray, folds: np.ndarray) -> tuple[list[float], list[np.ndarray]]:
    """Each query's sensitivity, and its other subjects' E-values with whether they are right (1), wrong (0)."""
    engine, shard = CpuEngine(), database.shard(0, 1)
    engine.load(shard)
    lengths = database.lengths.tolist()
    sensitivities, ranked = [], []
    for query in range(len(database)):
        record = Record(database.header(query), database.sequence(query))
        scores = engine.search([record], SCORING, len(database))[0].best
        others = [score for score in scores if score.subject != query]
        subjects = np.array([score.subject for score in others])
        right, wrong = names[subjects] == names[query], folds[subjects] != folds[query]
        values = np.array([score.score for score in others])
        partners = int((names == names[query]).sum()) - 1
        if partners:
            best_wrong = values[wrong].max(initial=0)
            sensitivities.append(int((right & (values > best_wrong)).sum()) / partners)
        space = SearchSpace(lengths[query], database.manifest.residues, len(database))
        statistics = Statistics.of("table", SCORING, space)
        evalues = [statistics.evalue(score.score, lengths[score.subject]) for score in others]
        kept = right | wrong
        ranked.append(np.stack((np.array(evalues, dtype=float)[kept], right[kept])))
    return sensitivities, ranked


def print_errors(ranked: list[np.ndarray], queries: int, names: np.ndarray) -> None:
    """Coverage against errors per query, over all pairs."""
    evalues, right = np.concatenate(ranked, axis=1)
    order = np.argsort(evalues, kind="stable")
    right = right[order]
    errors, hits = np.cumsum(1 - right), np.cumsum(right)
    sizes = np.bincount(names)
    pairs = int((sizes * (sizes - 1)).sum())
    for share in ERRORS:
        allowed = np.searchsorted(errors, share * queries, side="right")
        print(f"at {share:g} errors a query: {hits[allowed - 1] / pairs:.4f} of {pairs} pairs")


if __name__ == "__main__":
    main()
