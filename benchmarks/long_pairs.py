"""Single long pairs of DNA on this machine's engine: `python benchmarks/long_pairs.py`; small ones for a processor:

    python benchmarks/long_pairs.py --pairs 1000x20000 3000x3000:0.05

As CUDAlign is measured: local, match +1, mismatch -3, the first letter of a gap 5, each further one 2. A pair is random
letters, queries x subjects; with a share behind a colon the query is the subject with so many letters wrong, as reads
are in benchmarks/pairs.py. `--fasta` takes the first records of two files. With `--best` several alignments of each
pair are found, and the best is shown. The clock covers engine.align: from letters in memory to the answer in memory.
Every report of a pair must have the same score, and alignments are replayed.
"""

import argparse
import gzip
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pairs import REPORTS, reads, seconds
from results import RESULTS, publish

from gpu import open_pair_engine
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import Selection
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.checked import align_checked
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.engine import PairEngine
from shardwater.scoring.table import match_table
from shardwater.sequences.alphabets import DNA
from shardwater.sequences.fasta import read_fasta

SCHEME = Scheme(match_table(1, -3), 3, 2)
PAIRS = ("1024x1000000", "1000000x1000000", "1000000x1000000:0.05", "4000000x4000000", "4000000x4000000:0.05")


@dataclass(frozen=True)
class Measured:
    """One row: seconds of the best run."""

    name: str
    report: Report
    cells: int
    seconds: float
    found: Alignment | None


def random_pair(text: str) -> CodedPair:
    """What `--pairs` says: letters of the query, of the subject, and behind a colon the share that is wrong."""
    sizes, _, share = text.partition(":")
    query, subject = (int(size) for size in sizes.split("x"))
    if share:
        [pair] = reads(subject, 1, errors=float(share))
        return CodedPair(pair.query[:query], pair.subject)
    rng = np.random.default_rng(1)
    return CodedPair(rng.integers(0, 4, query, np.uint8), rng.integers(0, 4, subject, np.uint8))


def record(path: Path) -> np.ndarray:
    """The codes of a file's first record."""
    content = path.read_bytes()
    return DNA.encode(read_fasta(gzip.decompress(content) if path.suffix == ".gz" else content)[0].residues)


def pairs_of(options: argparse.Namespace) -> Iterator[tuple[str, CodedPair]]:
    """Names and pairs."""
    for text in options.pairs:
        yield text.replace("x", " x "), random_pair(text)
    if options.fasta:
        query, subject = options.fasta
        yield f"{query.name} x {subject.name}", CodedPair(record(query), record(subject))


def measure(engine: PairEngine, options: argparse.Namespace) -> Iterator[Measured]:
    """All rows."""
    for name, pair in pairs_of(options):
        batch, score = PairBatch.of([pair]), None
        for report in options.reports:
            taken = seconds(engine, batch, SCHEME, report, options.repeats)
            # It replays the first alignment of what comes together.
            found, *_ = [answer for part in align_checked(engine, batch, SCHEME, report) for _, answer in part]
            score = found and found.score if score is None else score
            if (found and found.score) != score:
                raise SystemExit(f"{name}: reports have different scores")
            yield Measured(name, report, pair.cells, taken, found)


def table(rows: Sequence[Measured]) -> list[str]:
    """The rows as Markdown."""
    lines = ["| pair | report | seconds | GCUPS | score | query | subject |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        found = row.found
        told = row.report != "score" and found is not None
        places = (found.query_start, found.query_end, found.subject_start, found.subject_end) if told and found else ()
        shown = [f"{first + 1:,}-{last:,}" for first, last in (places[:2], places[2:])] if places else ["", ""]
        score = f"{found.score:,}" if found else "none"
        speed = f"{row.cells / row.seconds / 1e9:,.1f}"
        lines.append(f"| {row.name} | {row.report} | {row.seconds:.4f} | {speed} | {score} | {shown[0]} | {shown[1]} |")
    return lines


def _engine(devices: int, *, prunes: bool) -> PairEngine:
    if prunes:
        return open_pair_engine(devices=devices)
    from gpu.pairs.engine import GpuPairs  # noqa: PLC0415  needs a device

    return GpuPairs(prunes=False, devices=range(devices))


def main() -> None:
    """Measure, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", nargs="*", default=list(PAIRS), help="letters, as 1024x1000000 or 5000x5000:0.05")
    parser.add_argument("--fasta", nargs=2, type=Path, metavar=("QUERY", "SUBJECT"), help="two files, plain or gzip")
    parser.add_argument("--reports", nargs="+", choices=REPORTS, default=list(REPORTS))
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--best", type=int, default=1, help="alignments of a pair")
    parser.add_argument("--apart", type=int, default=5, help="letters between their ends")
    parser.add_argument("--devices", type=int, default=1, help="that a pair may go over")
    parser.add_argument("--no-pruning", action="store_true", help="of a GPU: fill all of a matrix")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    engine, started = _engine(options.devices, prunes=not options.no_pruning), time.perf_counter()
    if options.best > 1:
        engine = engine.several(Selection(options.best, 1, options.apart, options.apart))
    rows = list(measure(engine, options))
    taken = time.perf_counter() - started
    title = "Long pairs, all of a matrix" if options.no_pruning else "Long pairs"
    publish(
        title, [f"Engine: {options.devices} x {engine.name}; {taken:.0f} s in all.", "", *table(rows)], options.results
    )


if __name__ == "__main__":
    main()
