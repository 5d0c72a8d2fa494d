"""lambda and K by plain samples: scores of random queries against random subjects, all of LENGTH residues, on a GPU.

`python -m benchmarks.plain_statistics [--pairs MATRIX-OPEN/EXTEND ...]` prints a row for each pair of gap costs.
Nothing is weighed, and no path is favoured: it is a second opinion on what simulation.py finds, and on what is
published. Scores from the median on have the lambda and K that make them likeliest, by the law of `table`; the lengths
of alignments that it asks for are the published ones, or the simulated ones. Standard errors: the jackknife over groups
of queries.
"""

import argparse
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from benchmarks.random_database import LETTERS, random_database
from benchmarks.simulated_statistics import named, simulated
from gpu import open_engine
from shardwater.engines.engine import Engine, gather
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_scores
from shardwater.sequences.fasta import Record
from shardwater.statistics.background import background
from shardwater.statistics.distribution import SCORES
from shardwater.statistics.evalue import SearchSpace, area
from shardwater.statistics.karlin_altschul import KarlinAltschul, published

LENGTH, SUBJECTS, QUERIES, GROUPS = 2000, 2000, 1024, 16
USUAL = ("PAM250-14/2", "PAM250-11/3", "PAM250-17/1", "PAM250-17/2", "BLOSUM62-11/1", "BLOSUM62-9/1", "BLOSUM50-18/1")
STEPS = 30
Numbers = npt.NDArray[np.float64]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", nargs="+", default=USUAL, metavar="MATRIX-OPEN/EXTEND")
    engine = open_engine()
    lengths = np.full(SUBJECTS, LENGTH, np.uint32)
    engine.load(random_database(lengths, often=background()).shard(0, 1))
    print("| matrix, gaps | published | simulated | plain, published lengths | plain, simulated lengths |")
    print("|---|---|---|---|---|")
    for scoring in named(parser.parse_args().pairs):
        groups = scores_of(engine, scoring)
        row = published(scoring.matrix).row(scoring.gap_open, scoring.gap_extend)
        assert row is not None
        found = simulated(scoring)
        fits = [" ± ".join(f"{value:.4f}" for value in jackknifed(groups, each)) for each in (row, found.row)]
        own = f"{found.row.lambda_:.4f} ± {found.lambda_error:.4f}"
        costs = f"{scoring.matrix} {scoring.gap_open}/{scoring.gap_extend}"
        print(f"| {costs} | {row.lambda_} | {own} | {fits[0]} | {fits[1]} |", flush=True)


def scores_of(engine: Engine, scoring: Scoring) -> Numbers:
    """How many pairs have each score, (GROUPS, SCORES), by groups of queries."""
    rng = np.random.default_rng(11)
    letters = LETTERS[rng.choice(20, (QUERIES, LENGTH), p=background())]
    queries = [Record("random", each.tobytes()) for each in letters]
    groups = np.zeros((GROUPS, SCORES))
    for number, survey in enumerate(gather(engine.survey(queries, scoring, [best_scores(1)] * QUERIES))):
        np.add.at(groups[number % GROUPS], survey.counts.scores, survey.counts.subjects)
    return groups


def jackknifed(groups: Numbers, row: KarlinAltschul) -> tuple[float, float]:
    """lambda and its standard error, with the lengths of this row."""
    without = [likeliest(groups.sum(axis=0) - group, row) for group in groups]
    error = math.sqrt(np.var(without) * (GROUPS - 1))
    return likeliest(groups.sum(axis=0), row), error


def likeliest(counts: Numbers, row: KarlinAltschul) -> float:
    """The lambda under which so many pairs of each score are likeliest, K being the best for it.

    Of scores below the median it counts how many there are.
    """
    least, most = int(np.searchsorted(np.cumsum(counts), counts.sum() / 2)), int(np.flatnonzero(counts).max())
    scores = np.arange(least, most + 2, dtype=np.float64)
    places = area(row, SearchSpace(LENGTH, LENGTH, 1), scores, np.full(len(scores), LENGTH))
    seen = counts[least : most + 1] > 0
    often, below = counts[least : most + 1][seen], counts[:least].sum()

    def likelihood(lambda_: float, log_kappa: float) -> float:
        expected = places * np.exp(log_kappa - lambda_ * scores)
        of_score = np.exp(-expected[1:]) * -np.expm1(expected[1:] - expected[:-1])
        return float(often @ np.log(of_score[seen]) - below * expected[0])

    def worth(lambda_: float) -> float:
        return _highest(lambda log_kappa: likelihood(lambda_, log_kappa), -8, 2)[1]

    return _highest(worth, 0.9 * row.lambda_, 1.1 * row.lambda_)[0]


def _highest(value: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """Where a function with one maximum has it, and what it is there."""
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(STEPS):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (left, high) if value(left) < value(right) else (low, right)
    return (low + high) / 2, value((low + high) / 2)


if __name__ == "__main__":
    main()
