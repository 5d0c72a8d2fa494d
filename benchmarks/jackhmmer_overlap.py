"""Hits of `shardwater jackhmmer -N 1` beside those of HMMER's jackhmmer, by pyhmmer, which must be installed:

    python benchmarks/jackhmmer_overlap.py QUERIES PROTEINS [--queries N] [--seed N]

Both are FASTA. So many queries are drawn by a seeded generator. jackhmmer has the filters that AlphaFold 3 gives it
(F1 0.0005, F2 0.00005, F3 0.0000005). Printed are, for several E-values, how many hits each has, how many both have,
and what share that is of each one's; then the seconds that each took.
"""

import argparse
import gzip
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyhmmer

from shardwater.database.build import build_database
from shardwater.formats.fasta import fasta_text
from shardwater.sequences.fasta import Record, read_fasta
from worker.cli.run_search import Destination, search_here
from worker.cli.subjects import Subjects, open_subjects
from worker.jobs.chain_requests import ChainRequest

EVALUES = (1e-30, 1e-10, 1e-4, 1e-3)
FILTERS = {"F1": 5e-4, "F2": 5e-5, "F3": 5e-7}
MOST = 50_000

Hits = dict[tuple[int, str], float]
"""E-values by the query's number and the subject's name."""


def main() -> None:
    """Search with both and print how much is the same."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path, metavar="QUERIES")
    parser.add_argument("proteins", type=Path, metavar="PROTEINS")
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    records = read_fasta(_text(options.fasta))
    drawn = np.random.default_rng(options.seed).permutation(len(records))[: options.queries]
    queries = [records[number] for number in drawn.tolist()]
    with tempfile.TemporaryDirectory() as folder:
        built = build_database([options.proteins], Path(folder), name="proteins").manifest
        print(f"{len(queries)} queries, {built.subjects:,} subjects, {built.residues:,} residues\n")
        started = time.perf_counter()
        ours = found_here(queries, Path(folder))
        between = time.perf_counter()
        theirs = found_by_jackhmmer(queries, options.proteins)
        ended = time.perf_counter()
    print(
        "| E-value to | Shardwater | jackhmmer | both | of jackhmmer's | of Shardwater's |\n|---|---|---|---|---|---|"
    )
    for evalue in EVALUES:
        a, b = ({pair for pair, each in hits.items() if each <= evalue} for hits in (ours, theirs))
        shares = (f"{len(a & b) / max(1, len(each)):.1%}" for each in (b, a))
        print(f"| {evalue:g} | {len(a):,} | {len(b):,} | {len(a & b):,} | {' | '.join(shares)} |")
    print(f"\nseconds: {between - started:.0f} and {ended - between:.0f}")


def found_here(queries: Sequence[Record], data: Path) -> Hits:
    """What our command finds, query by query."""
    found: Hits = {}
    with open_subjects(Subjects(data, ("proteins",))) as opened:
        for number, query in enumerate(queries):
            chain = ChainRequest(
                residues=query.residues.decode(),
                database="proteins",
                iterations=1,
                evalue=max(EVALUES),
                inclusion_evalue=max(EVALUES),
                max_sequences=MOST,
                filter="none",
            )
            [one] = search_here([chain.query], chain.parameters, opened, Destination(None, 0)).result.results
            found |= {(number, hit.accession): hit.evalue for hit in one.hits if hit.evalue is not None}
    return found


def found_by_jackhmmer(queries: Sequence[Record], proteins: Path) -> Hits:
    """What HMMER's finds."""
    alphabet = pyhmmer.easel.Alphabet.amino()
    with tempfile.TemporaryDirectory() as folder:
        asked, searched = Path(folder, "queries.fasta"), Path(folder, "proteins.fasta")
        asked.write_text("".join(fasta_text(str(number), query.residues) for number, query in enumerate(queries)))
        searched.write_bytes(_text(proteins))
        both = (
            pyhmmer.easel.SequenceFile(file, digital=True, alphabet=alphabet).read_block() for file in (asked, searched)
        )
        results = list(pyhmmer.hmmer.jackhmmer(*both, max_iterations=1, cpus=2, E=max(EVALUES), **FILTERS))
    return {
        (int(_name(result.hits.query.name)), _name(hit.name)): hit.evalue for result in results for hit in result.hits
    }


def _name(name: str | bytes) -> str:
    return name if isinstance(name, str) else name.decode()


def _text(file: Path) -> bytes:
    content = file.read_bytes()
    return gzip.decompress(content) if file.suffix == ".gz" else content


if __name__ == "__main__":
    main()
