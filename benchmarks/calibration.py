"""False hits, by each method: `python benchmarks/calibration.py DATABASE [--queries N] [--how shuffled|reversed]`.

DATABASE is a version's folder. Queries are its own sequences of 30 to 1,500 residues, drawn by a seeded generator and
shuffled, or reversed, which keeps repeats and stretches of few letters: nothing in the database is related to them.
Whatever is found at E <= 1 is false, and an honest E-value finds one of them in a search. Without the 5 % of searches
that find most it finds fewer: that mean is printed too, for counts that are spread as chance has it. BLOSUM62, 11/1.
"""

import argparse
import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import gather
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_scores
from shardwater.sequences.fasta import Record
from shardwater.statistics.evalue import SearchSpace, Statistics
from shardwater.statistics.length_regression import fit_scores

SCORING = Scoring("BLOSUM62", 11, 1)
LIMITS = (0.001, 0.01, 0.1, 1.0, 10.0)
TOP = 20_000
"""More subjects than any method has below the highest limit."""


def main() -> None:
    """Search and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--how", choices=("shuffled", "reversed"), default="shuffled")
    parser.add_argument("--shortest", type=int, default=30)
    parser.add_argument("--longest", type=int, default=1500)
    options = parser.parse_args()
    database = Database.open(options.database)
    queries = made_up(database, options.queries, (options.shortest, options.longest), options.how)
    engine = CpuEngine()
    engine.load(database.shard(0, 1))
    found = np.array([false_hits(engine, database, query) for query in queries])
    print(f"{len(queries)} {options.how} queries, {database.manifest.subjects:,} subjects; E <= {LIMITS}")
    print(f"expected: mean {shown(LIMITS)}; without the highest 5 % {shown(map(trimmed, LIMITS))}")
    for number, method in enumerate(("fitted", "table", "karlin-altschul")):
        hits = found[:, number]
        usual = np.sort(hits, axis=0)[: -max(1, len(hits) // 20)]
        print(f"{method}: mean {shown(hits.mean(0))}; without the highest 5 % {shown(usual.mean(0))}; "
              f"median {shown(np.median(hits, axis=0))}; searches with any {shown((hits > 0).mean(0))}")  # fmt: skip


def shown(figures: Iterable[float]) -> str:
    """Figures with three decimals."""
    return " ".join(f"{figure:.3f}" for figure in figures)


def trimmed(mean: float) -> float:
    """The mean of the lower 95 % of counts that follow Poisson's law."""
    left, total, share = 0.95, 0.0, math.exp(-mean)
    for count in range(1, 100):
        left -= min(left, share)
        share *= mean / count
        total += count * min(left, share)
    return total / 0.95


def made_up(database: Database, count: int, lengths: tuple[int, int], how: str) -> list[Record]:
    """Shuffled or reversed sequences of the database with so many residues."""
    rng = np.random.default_rng(1)
    shortest, longest = lengths
    fitting = np.flatnonzero((database.lengths >= shortest) & (database.lengths <= longest))
    drawn = [database.sequence(int(subject)) for subject in rng.choice(fitting, count, replace=False)]
    if how == "reversed":
        return [Record(f"q{number}", each[::-1]) for number, each in enumerate(drawn)]
    return [Record(f"q{n}", rng.permutation(np.frombuffer(each, np.uint8)).tobytes()) for n, each in enumerate(drawn)]


def false_hits(engine: CpuEngine, database: Database, query: Record) -> list[list[int]]:
    """How many subjects each method puts below each limit: (method, limit)."""
    [survey] = gather(engine.survey([query], SCORING, [best_scores(TOP)]))
    space = SearchSpace(len(query.residues), database.manifest.residues, len(database))
    methods = (
        Statistics.of("fitted", SCORING, space, fit_scores(survey.counts)),
        Statistics.of("table", SCORING, space),
        Statistics.of("karlin-altschul", SCORING, space),
    )
    hits = [(score.score, int(database.lengths[score.subject])) for score in survey.best()[:TOP]]
    evalues = [np.array([method.evalue(*hit) for hit in hits]) for method in methods]
    return [[int((values <= limit).sum()) for limit in LIMITS] for values in evalues]


if __name__ == "__main__":
    main()
