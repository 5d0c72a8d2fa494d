"""Simulated Karlin-Altschul parameters beside the published ones: how far lambda, K and an E-value are apart.

A row of a table in Markdown for each pair, as it is done, and what it took on the error stream. With `--pairs
BLOSUM62-9/1 PAM250-17/1` it does some of them.
"""

import argparse
import sys
import time
from collections.abc import Sequence

from gpu import open_pair_engine, open_simulator
from shardwater.scoring.scoring import MATRICES, Scoring
from shardwater.statistics.evalue import SearchSpace, Statistics, published_pairs
from shardwater.statistics.karlin_altschul import KarlinAltschul, Simulated, published
from shardwater.statistics.simulated import fit
from shardwater.statistics.simulation import BLOCKS
from shardwater.steps import finish

SPACE = SearchSpace(query_length=300, database_residues=200_000_000, database_subjects=1)
SUBJECT, SCORE = 300, 100
HEAD = (
    "| matrix, gaps | lambda | published | off | K | published | alpha | published | E at S = 100: ratio |",
    "|---|---|---|---|---|---|---|---|---|",
)


def main() -> None:
    """All pairs, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", nargs="+", metavar="MATRIX-OPEN/EXTEND", help="all published ones, unless said")
    scorings = named(parser.parse_args().pairs)
    print("\n".join(HEAD), flush=True)
    for scoring in scorings:
        began, worked = time.perf_counter(), time.process_time()
        found = simulated(scoring)
        took = time.perf_counter() - began, time.process_time() - worked
        print(line(scoring, found), flush=True)
        print(f"{scoring.matrix}: {took[0]:.1f} s, {took[1]:.0f} s of a core", file=sys.stderr, flush=True)


def named(names: Sequence[str] | None) -> list[Scoring]:
    """Scorings as BLOSUM62-11/1; all of which parameters are published where None."""
    if names is None:
        pairs = [(name, pair) for name in MATRICES for pair in published_pairs(name)]
        return [Scoring(name, pair.gap_open, pair.gap_extend) for name, pair in pairs]
    split = [name.replace("/", "-").split("-") for name in names]
    return [Scoring(matrix, int(opened), int(extended)) for matrix, opened, extended in split]


def simulated(scoring: Scoring) -> Simulated:
    """The parameters, simulated on this machine."""
    simulator = open_simulator(open_pair_engine())
    return fit(scoring, [finish(simulator.block(scoring, number)) for number in range(BLOCKS)])


def line(scoring: Scoring, found: Simulated) -> str:
    """A row of the table."""
    row = published(scoring.matrix).row(scoring.gap_open, scoring.gap_extend)
    assert row is not None
    cells = (
        f"{scoring.matrix} {scoring.gap_open}/{scoring.gap_extend}",
        f"{found.row.lambda_:.4f} ± {found.lambda_error:.4f}",
        f"{row.lambda_}",
        f"{100 * (found.row.lambda_ / row.lambda_ - 1):+.1f} %",
        f"{found.row.kappa:.4f} ± {found.kappa_error:.4f}",
        f"{row.kappa}",
        f"{found.row.alpha:.3g}",
        f"{row.alpha}",
        f"{_evalue(scoring, found.row) / _evalue(scoring, row):.2f}",
    )
    return f"| {' | '.join(cells)} |"


def _evalue(scoring: Scoring, row: KarlinAltschul) -> float:
    """The finite-size-corrected E-value of a score of 100 between 300 and 300 residues."""
    evalue = Statistics.of("simulated", scoring, SPACE, simulated=Simulated(row, 0, 0)).evalue(SCORE, SUBJECT)
    assert evalue is not None
    return evalue


if __name__ == "__main__":
    main()
