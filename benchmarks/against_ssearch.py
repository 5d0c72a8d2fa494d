"""Fitted E-values beside those of SSEARCH: `python benchmarks/against_ssearch.py DATABASE QUERIES [--every N]`.

DATABASE is a version's folder, QUERIES a FASTA file; ssearch36 (Debian: fasta3) must be installed. Every N-th subject
is searched by both, BLOSUM62 and 11/1, `-z 1`. SSEARCH fits to 60,000 subjects at most: leave it no more to compare the
method itself. Printed for each query: hits up to E = 20, scores that differ, and the ratio of the E-values (ours by
theirs) where theirs is above 1e-10.
"""

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from shardwater.database.database import Database, Shard
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import gather
from shardwater.formats.fasta import fasta_text
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_scores
from shardwater.sequences.fasta import Record, read_fasta
from shardwater.statistics.length_regression import fit_scores

SCORING = Scoring("BLOSUM62", 11, 1)
COMMAND = ["ssearch36", "-q", "-z", "1", "-s", "BL62", "-f", "-11", "-g", "-1", "-E", "20", "-d", "0", "-b", "10000"]
HIT = re.compile(r"^(\S+) .*\( *(\d+)\) +(\d+) +[\d.]+ +(\S+)$", re.MULTILINE)
TOP = 10_000


def main() -> None:
    """Search with both and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    shard = Database.open(options.database).shard(0, options.every)
    engine = CpuEngine()
    engine.load(shard)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "library.fasta")
        names = [str(subject) for subject in shard.subjects]
        library.write_text("".join(fasta_text(name, shard.sequence(n)) for n, name in enumerate(names)))
        for query in read_fasta(options.queries.read_bytes()):
            print(f"{query.id} ({len(query.residues)}): {compared(engine, shard, query, library)}", flush=True)


def compared(engine: CpuEngine, shard: Shard, query: Record, library: Path) -> str:
    """One query's figures."""
    file = library.with_name("query.fasta")
    file.write_text(fasta_text("query", query.residues))
    done = subprocess.run([*COMMAND, file, library], capture_output=True, text=True, check=True)
    [survey] = gather(engine.survey([query], SCORING, [best_scores(TOP)]))
    fit, scores = fit_scores(survey.counts), {score.subject: score.score for score in survey.ranked[:TOP]}
    hits = [(int(name), int(length), int(score), float(e)) for name, length, score, e in HIT.findall(done.stdout)]
    differing = sum(scores.get(subject) != score for subject, _, score, _ in hits)
    ratios = [fit.evalue(score, length) / evalue for _, length, score, evalue in hits if evalue > 1e-10]
    spread = "  ".join(f"{name} {value:.2f}" for name, value in zip(
        ("lowest", "median", "highest"), np.quantile(ratios, (0, 0.5, 1)), strict=True))  # fmt: skip
    return f"{len(hits)} hits, {differing} scores differ; E-values by SSEARCH's: {spread}"


if __name__ == "__main__":
    main()
