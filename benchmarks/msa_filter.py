"""What the filter of deep MSAs takes: `python benchmarks/msa_filter.py --rows 20000 100000 1000000`.

Rows are of 200 random subfamilies of a chain of 300 residues, up to half of each row drawn anew, and up to 60 positions
cut off at both ends. Peak memory is the process's, with the MSA.
"""

import argparse
import resource
import time

import numpy as np
from random_database import LETTERS, random_query

from shardwater.msa.filtering import filtered
from shardwater.msa.msa import FIGURES, Msa
from shardwater.msa.texts import Texts
from shardwater.sequences.fasta import Record

LENGTH, SUBFAMILIES, MOST_CUT, MOST_CHANGED = 300, 200, 60, 0.5
TOGETHER = 50_000
"""Rows that are made at a time."""


def made(rows: int, query: Record, rng: np.random.Generator) -> Msa:
    """An MSA of so many rows."""
    letters = np.frombuffer(query.residues, np.uint8)
    conserved = rng.random(LENGTH)
    shares = rng.uniform(0.1, 0.8, (SUBFAMILIES, 1)) * (0.4 + 1.2 * conserved)
    centres = np.where(rng.random((SUBFAMILIES, LENGTH)) < shares, _drawn(SUBFAMILIES, rng), letters)
    figures = np.zeros(rows, FIGURES)
    figures["query_start"] = rng.integers(0, MOST_CUT, rows)
    figures["query_end"] = LENGTH - rng.integers(0, MOST_CUT, rows)
    texts = []
    for first in range(0, rows, TOGETHER):
        some = figures[first : first + TOGETHER]
        changed = rng.random((len(some), LENGTH)) < rng.uniform(0, MOST_CHANGED, (len(some), 1))
        drawn = np.where(changed, _drawn(len(some), rng), centres[rng.integers(0, SUBFAMILIES, len(some))])
        columns = np.arange(LENGTH)
        inside = (columns >= some["query_start"][:, None]) & (columns < some["query_end"][:, None])
        texts.append(drawn[inside].tobytes())
    lengths = (figures["query_end"] - figures["query_start"]).astype(np.int64)
    return Msa(query, figures, Texts.cut(b"", np.zeros(rows, np.int64)), Texts.cut(b"".join(texts), lengths), {})


def _drawn(rows: int, rng: np.random.Generator) -> np.ndarray:
    return LETTERS[rng.integers(0, len(LETTERS), (rows, LENGTH))]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[20_000, 100_000])
    print("| rows | kept | seconds | peak GB |\n|---|---|---|---|")
    for rows in parser.parse_args().rows:
        msa = made(rows, random_query(LENGTH), np.random.default_rng(1))
        began = time.perf_counter()
        kept = len(filtered(msa))
        took, peak = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"| {rows:,} | {kept:,} | {took:.1f} | {peak * 1024 / 1e9:.2f} |", flush=True)


if __name__ == "__main__":
    main()
