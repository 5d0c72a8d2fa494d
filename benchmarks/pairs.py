"""Batches of pairs on this machine's engine: `python benchmarks/pairs.py`; `--scale 0.001` for a processor.

Reads of one length with 4 % errors against what they were read from, as GASAL2 and WFA-GPU are measured: match +2,
mismatch -1; affine: the first letter of a gap 2, each further one 1; linear: 1. The clock covers engine.align: from
arrays of codes in memory to all answers in memory, in columns where a GPU answers. Cells are letters of one times
letters of the other. With `--beside`, parasail, WFA2 and edlib do the first pairs of each set on one core, as many as
take a second or two, those of them that are installed; their scores must be ours.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from pair_programs import letters as spelled
from pair_programs import programs
from results import RESULTS, publish

from gpu import open_pair_engine
from shardwater.alignment.scheme import MODES, Scheme
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.engine import PairEngine
from shardwater.scoring.table import match_table

ERRORS, SUBSTITUTED, INSERTED = 0.04, 0.6, 0.2
"""The share of letters that are wrong; of these the shares that are exchanged, and inserted; the rest are left out."""
SETS = ("150:1000000", "512:200000", "4096:20000", "50000:500")
BESIDE_CELLS = 5e8
"""Of the pairs that other programs do."""
GAP_OPEN = {"affine": 1, "linear": 0}
REPORTS: tuple[Report, ...] = ("score", "ends", "alignment")


@dataclass(frozen=True)
class Measured:
    """One row: seconds of the best run."""

    letters: int
    pairs: int
    mode: str
    gaps: str
    report: str
    program: str
    cells: int
    seconds: float


def reads(letters: int, count: int, seed: int = 1, errors: float = ERRORS) -> PairBatch:
    """Pairs of a read with such a share of wrong letters, and what it was read from."""
    rng = np.random.default_rng(seed)
    subjects = rng.integers(0, 4, letters * count, dtype=np.uint8)
    draw = rng.random(len(subjects), dtype=np.float32) / errors
    exchanged = draw < SUBSTITUTED
    copies = np.where(draw < 1, np.where(draw < SUBSTITUTED + INSERTED, np.where(exchanged, 1, 2), 0), 1)
    queries = np.where(exchanged, (subjects + rng.integers(1, 4, len(subjects), dtype=np.uint8)) & 3, subjects)
    queries = np.repeat(queries.astype(np.uint8), copies)
    ends = np.cumsum(copies.reshape(count, letters).sum(axis=1))
    offsets = np.concatenate((np.zeros(1, np.int64), ends))
    return PairBatch(Joined(queries, offsets), Joined(subjects, letters * np.arange(count + 1)))


def seconds(engine: PairEngine, pairs: PairBatch, scheme: Scheme, report: Report, repeats: int) -> float:
    """The best of some runs, after one that does not count."""
    taken = []
    for _ in range(repeats + 1):
        started, answered = time.perf_counter(), 0
        with closing(engine.align_batch(pairs, scheme, report)) as parts:
            for each in parts:
                answered += each.pairs
        taken.append(time.perf_counter() - started)
        assert answered == len(pairs)
    return min(taken[1:])


def beside(engine: PairEngine, pairs: PairBatch, scheme: Scheme, report: Report) -> Iterator[tuple[str, int, float]]:
    """Other programs on a core: the name, the cells of the pairs that were done, and the seconds."""
    few = pairs[: max(1, int(BESIDE_CELLS / max(1, int(np.multiply(*pairs[:1].lengths)[0]))))]
    texts, cells = spelled(few, len(few)), int(np.multiply(*few.lengths).sum())
    scored = Columns.joined(scheme.mode.local, list(engine.align_batch(few, scheme, "score")))
    expected = scored.scores[np.argsort(scored.numbers)].tolist()
    for program in programs(scheme, report):
        started = time.perf_counter()
        scores = [program.align(*each) for each in texts]
        taken = time.perf_counter() - started
        if scores[0] is not None and scores != expected:
            raise SystemExit(f"{program.name} scores otherwise")
        yield program.name, cells, taken


def measure(engine: PairEngine, options: argparse.Namespace) -> Iterator[Measured]:
    """All rows."""
    for each in options.sets:
        letters, count = (int(number) for number in each.split(":"))
        pairs = reads(letters, max(1, int(count * options.scale)))
        cells = int(np.multiply(*pairs.lengths).sum())
        for mode in options.modes:
            for gaps in options.gaps:
                scheme = Scheme(match_table(2, -1), GAP_OPEN[gaps], 1, MODES[mode])
                for report in options.reports:
                    taken = seconds(engine, pairs, scheme, report, options.repeats)
                    row = Measured(letters, len(pairs), mode, gaps, report, "Shardwater", cells, taken)
                    yield row
                    if options.beside and report != "ends":
                        for program, done, took in beside(engine, pairs, scheme, report):
                            yield replace(
                                row, pairs=done * len(pairs) // cells, program=program, cells=done, seconds=took
                            )


def table(rows: Sequence[Measured]) -> list[str]:
    """The rows as Markdown."""
    lines = [
        "| letters | pairs | mode | gaps | report | program | seconds | GCUPS |",
        "|---|---|---|---|---|---|---|---|",
    ]
    return lines + [
        f"| {row.letters} | {row.pairs:,} | {row.mode} | {row.gaps} | {row.report} | {row.program} "
        f"| {row.seconds:.4f} | {row.cells / row.seconds / 1e9:,.1f} |"
        for row in rows
    ]


def main() -> None:
    """Measure, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS), help="letters:pairs")
    parser.add_argument("--modes", nargs="+", choices=list(MODES), default=list(MODES))
    parser.add_argument("--gaps", nargs="+", choices=list(GAP_OPEN), default=list(GAP_OPEN))
    parser.add_argument("--reports", nargs="+", choices=REPORTS, default=list(REPORTS))
    parser.add_argument("--scale", type=float, default=1.0, help="share of the pairs")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--beside", action="store_true", help="other programs, too")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    engine = open_pair_engine()
    rows = list(measure(engine, options))
    publish("Pairs", [f"Engine: {engine.name}.", "", *table(rows)], options.results)


if __name__ == "__main__":
    main()
