"""False hits, by each method: `python benchmarks/calibration.py FASTA [--subjects N] [--queries N] [--seed N]
[--scoring MATRIX OPEN EXTEND]`, BLOSUM62 11 1 unless said; MATRIX may be a file.

FASTA has proteins, as shared/data/sprot_part.fasta.gz. So many of them, drawn by a seeded generator, are the database;
others of 30 to 1,500 residues are shuffled, and reversed, which keeps repeats and stretches of few letters: nothing in
the database is related to them. Whatever is found at E <= 1 is false, and an honest E-value finds one of them in a
search. Printed are the means over expected, which for `adjusted` have marks to meet, the same without the 5 % of
searches that find most (those of counts that are spread as chance has it are lower, too), and the share of searches
with any.
"""

import argparse
import math
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
import numpy.typing as npt

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Pair, gather
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.matrix_text import read_matrix
from shardwater.scoring.scoring import MATRICES, Scoring
from shardwater.search.adjusting import adjusted_figures, scales_of
from shardwater.search.cuts import best_scores
from shardwater.search.parameters import Parameters
from shardwater.search.remains import AlignedQuery, remains_of
from shardwater.sequences.fasta import Record
from shardwater.sequences.masking.masks import Mask
from shardwater.statistics.evalue import PUBLISHED, Method, SearchSpace, Statistics
from shardwater.statistics.karlin_altschul import published
from shardwater.statistics.length_regression import fit_scores

LIMITS = (0.001, 0.01, 0.1, 1.0, 10.0)
MARKS = {0.01: (0.5, 2.0), 0.1: (0.6, 1.5), 1.0: (0.7, 1.3)}
"""By limit, between what false hits over expected should be."""
TOP = 20_000
"""More subjects than any method has below the highest limit."""
SHORTEST, LONGEST = 30, 1500

Counted = npt.NDArray[np.float64]
"""False hits: (query, method, limit)."""


def main() -> None:
    """Search and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path)
    parser.add_argument("--subjects", type=int, default=5000)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scoring", nargs=3, default=("BLOSUM62", "11", "1"), metavar=("MATRIX", "OPEN", "EXTEND"))
    parser.add_argument("--mask", choices=get_args(Mask), default="none", help="of what is adjusted")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    parameters = Parameters(composition="adjusted", mask=options.mask)
    with tempfile.TemporaryDirectory() as folder:
        database, others = divided(options.fasta, Path(folder), options.subjects, rng)
        searches = Searches(CpuEngine(), database, scoring_of(*options.scoring), parameters)
        searches.engine.load(database.shard(0, 1))
        drawn = [others[number] for number in rng.permutation(len(others))[: options.queries]]
        print(f"{len(drawn)} queries, {len(database):,} subjects; false hits / expected at E <= {LIMITS}")
        print(f"without the highest 5 %, by chance: {shown(trimmed(limit) / limit for limit in LIMITS)}")
        for how in ("shuffled", "reversed"):
            started = time.perf_counter()
            counted = np.array([searches.false_hits(made_up(each, how, rng)) for each in drawn], np.float64)
            print(f"{how}, {time.perf_counter() - started:.0f} s")
            print_figures(counted, ["adjusted", *searches.methods])


def scoring_of(matrix: str, gap_open: str, gap_extend: str) -> Scoring:
    """A published matrix by name, or one in a file."""
    own = None if matrix.upper() in MATRICES else read_matrix(Path(matrix).read_text(encoding="utf-8"))
    return Scoring(matrix, int(gap_open), int(gap_extend), own)


def divided(fasta: Path, folder: Path, subjects: int, rng: np.random.Generator) -> tuple[Database, list[bytes]]:
    """A database of so many records, and the sequences of the others that may be queries, or of all if none is left."""
    build_database([fasta], folder, name="all")
    everyone = Catalog(folder).current("all")
    order = rng.permutation(len(everyone))
    chosen, rest = order[:subjects], order[subjects:]
    queries = [number for number in (rest if len(rest) else order) if SHORTEST <= everyone.lengths[number] <= LONGEST]
    if not len(rest):
        return everyone, everyone.sequences(queries)
    lines = [b">%d\n%s\n" % (number, everyone.sequence(int(number))) for number in chosen]
    part = folder / "part.fasta"
    part.write_bytes(b"".join(lines))
    build_database([part], folder, name="part")
    return Catalog(folder).current("part"), everyone.sequences(queries)


def made_up(residues: bytes, how: str, rng: np.random.Generator) -> Record:
    """A protein shuffled or reversed."""
    if how == "reversed":
        return Record("q", residues[::-1])
    return Record("q", rng.permutation(np.frombuffer(residues, np.uint8)).tobytes())


@dataclass(frozen=True)
class Searches:
    """Searches of one database by one scoring; parameters: by which E-values are adjusted."""

    engine: CpuEngine
    database: Database
    scoring: Scoring
    parameters: Parameters

    @property
    def methods(self) -> list[Method]:
        """Those that there are for the scoring, without adjustment."""
        own, costs = self.scoring.own is not None, (self.scoring.gap_open, self.scoring.gap_extend)
        return ["fitted"] if own or published(self.scoring.matrix).row(*costs) is None else ["fitted", *PUBLISHED]

    def false_hits(self, query: Record) -> list[list[int]]:
        """How many subjects are below each limit when adjusted, and by each method: (methods, limits)."""
        [survey] = gather(self.engine.survey([query], self.scoring, [best_scores(TOP)]))
        space = SearchSpace(len(query.residues), self.database.manifest.residues, len(self.database))
        subjects = survey.subjects[:TOP].tolist()
        scores, lengths = survey.scores[:TOP].tolist(), self.database.lengths[subjects].tolist()
        fitted = Statistics.of("fitted", self.scoring, space, fit_scores(survey.counts))
        judges = [fitted, *(Statistics.of(each, self.scoring, space) for each in self.methods[1:])]
        plain = [evalues(each, scores, lengths) for each in judges]
        within = np.flatnonzero(plain[0] <= LIMITS[-1]).tolist()
        letters = self.database.sequences([subjects[each] for each in within])
        adjusted = self._adjusted(fitted, query, letters, [scores[each] for each in within])
        return [[int((each <= limit).sum()) for limit in LIMITS] for each in (adjusted, *plain)]

    def _adjusted(self, fitted: Statistics, query: Record, subjects: Sequence[bytes], scores: Sequence[int]) -> Counted:
        """The E-values of hits when they are adjusted."""
        pairs, lengths = [Pair(query.residues, each) for each in subjects], list(map(len, subjects))
        paths = [each for each in (alignments_of(self.engine.align(pairs, self.scoring)) if pairs else []) if each]
        remains = remains_of([AlignedQuery(query.residues, self.parameters, subjects, paths)], self.scoring)
        figures = adjusted_figures(fitted, scores, remains, scales_of(fitted, scores, remains, lengths), lengths)
        return np.array([each.evalue for each in figures], np.float64)


def evalues(statistics: Statistics, scores: Sequence[int], lengths: Sequence[int]) -> Counted:
    """Those of hits."""
    return np.array([figures.evalue for figures in statistics.figures(scores, lengths)], np.float64)


def print_figures(counted: Counted, methods: Sequence[str]) -> None:
    """Of each method; and whether the default one meets the marks."""
    usual = np.sort(counted, axis=0)[: -max(1, len(counted) // 20)].mean(0) / LIMITS
    means, shares = counted.mean(0) / LIMITS, (counted > 0).mean(0)
    for number, method in enumerate(methods):
        print(f"  {method}: {shown(means[number])}; without the highest 5 % {shown(usual[number])}; "
              f"searches with any {shown(shares[number])}")  # fmt: skip
    for limit, (least, most) in MARKS.items():
        found = means[methods.index("adjusted"), LIMITS.index(limit)]
        verdict = "met" if least <= found <= most else "missed"
        print(f"  mark of {least} to {most} at E <= {limit:g}: {found:.2f}, {verdict}")


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


if __name__ == "__main__":
    main()
