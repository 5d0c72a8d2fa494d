"""CPU seconds of pairs on one thread, beside parasail's own: `python benchmarks/pairs_cpu.py`.

Three programs do the same pairs in one run: parasail's Python functions, of those that suit the fastest of each set
(alignments with their CIGAR as text); `shardwater.align`; and the command `shardwater align`, the whole process with
its start, its reading and its writing. Seconds are those of user and system. The last two columns are ours divided by
parasail's.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import parasail

import shardwater
from shardwater.alignment.scheme import MODES, Scheme
from shardwater.pairs.coded import Report
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import match_table, matrix_table

BASES, RESIDUES = b"ACGT", b"ARNDCQEGHILKMFPSTWYV"
EXCHANGED, INSERTED = 0.8, 0.1
"""Of the letters that differ the shares that are exchanged, and inserted; the rest are left out."""
SETS = ("150:100000", "1000:3000", "20000:20")
KERNELS = {"local": "sw", "global": "nw", "semi-global": "sg"}
TRIED = 50
"""Pairs by which the fastest of parasail's functions is chosen."""
Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Kind:
    """What is aligned: letters, a scheme's table and gaps, and the same for parasail."""

    letters: bytes
    scheme: Callable[[str], Scheme]
    matrix: parasail.Matrix
    gaps: tuple[int, int]


KINDS = {
    "dna": Kind(
        BASES,
        lambda mode: Scheme(match_table(2, -1), 1, 1, MODES[mode]),
        parasail.matrix_create(BASES.decode(), 2, -1),
        (2, 1),
    ),
    "protein": Kind(
        RESIDUES,
        lambda mode: Scheme(matrix_table("BLOSUM62"), 11, 1, MODES[mode]),
        parasail.blosum62,
        (12, 1),
    ),
}


def made(kind: Kind, letters: int, count: int, differing: float, seed: int = 1) -> Pairs:
    """Pairs that differ in such a share of their letters; unrelated ones where that is 1."""
    rng, alphabet = np.random.default_rng(seed), np.frombuffer(kind.letters, np.uint8)
    pairs = []
    for _ in range(count):
        query, others = rng.choice(alphabet, (2, letters))
        draw = rng.random(letters) / differing if differing < 1 else np.zeros(letters)
        subject = np.where(draw < EXCHANGED, others, query)
        copies = np.where((draw >= EXCHANGED) & (draw < 1), np.where(draw < EXCHANGED + INSERTED, 2, 0), 1)
        pairs.append((query.tobytes().decode(), np.repeat(subject, copies).tobytes().decode()))
    return pairs


def cpu_seconds(call: Callable[[], object]) -> float:
    """What a call takes in this process."""
    start = time.process_time()
    call()
    return time.process_time() - start


def beside(pairs: Pairs, kind: Kind, mode: str, report: Report) -> tuple[str, float]:
    """parasail's fastest function for these, and its seconds."""
    trace = "_trace" if report == "alignment" else ""
    names = [f"{KERNELS[mode]}{trace}_{way}_{bits}" for way in ("striped", "scan") for bits in ("16", "32", "sat")]

    def run(name: str, some: Pairs) -> None:
        align = getattr(parasail, name)
        for query, subject in some:
            found = align(query, subject, *kind.gaps, kind.matrix)
            if found.saturated:
                raise OverflowError(name)
            if trace:
                _ = found.cigar.decode, found.cigar.beg_query

    tried = {}
    for name in names:
        try:
            tried[name] = cpu_seconds(partial(run, name, pairs[:TRIED]))
        except OverflowError:
            continue
    best = min(tried, key=lambda name: tried[name])
    return best, cpu_seconds(lambda: run(best, pairs))


def aligned(pairs: Pairs, scheme: Scheme, report: Report) -> float:
    """Seconds of the Python call."""
    engine = CpuPairs(1)
    return cpu_seconds(lambda: list(shardwater.align(pairs, scheme, report, engine=engine)))


def command(pairs: Pairs, name: str, mode: str, report: Report, folder: Path) -> float:
    """Seconds of the whole command."""
    paths = [folder / "queries.fa", folder / "subjects.fa"]
    for side, path in enumerate(paths):
        path.write_text("".join(f">{number}\n{pair[side]}\n" for number, pair in enumerate(pairs)), "ascii")
    flags = [
        "-query",
        paths[0],
        "-subject",
        paths[1],
        "--mode",
        mode,
        "--report",
        report,
        "--alphabet",
        name,
        "--threads",
        "1",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = "import sys; from worker.cli.main import main; sys.exit(main())"
    subprocess.run(
        [sys.executable, "-P", "-c", program, "align", *map(str, flags), "-out", str(folder / "out")], check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows(arguments: argparse.Namespace) -> Iterator[str]:
    """The table, row by row."""
    names = ["pairs", "letters", "kind", "differ", "mode", "report", "parasail's", "s", "align s", "command s"]
    yield " | ".join(["", *names, "align", "command", ""]).strip()
    yield "|---" * (len(names) + 2) + "|"
    for size, name, differing in product(arguments.sets, arguments.kinds, arguments.differing):
        letters, count = map(int, size.split(":"))
        count, kind = max(1, round(count * arguments.scale)), KINDS[name]
        pairs = made(kind, letters, count, differing)
        for mode, report in product(arguments.modes, arguments.reports):
            best, theirs = beside(pairs, kind, mode, report)
            ours = aligned(pairs, kind.scheme(mode), report)
            with tempfile.TemporaryDirectory() as folder:
                whole = command(pairs, name, mode, report, Path(folder))
            yield (
                f"| {count} | {letters} | {name} | {differing:.0%} | {mode} | {report} | {best} | {theirs:.2f} |"
                f" {ours:.2f} | {whole:.2f} | {ours / theirs:.2f} | {whole / theirs:.2f} |"
            )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sets", nargs="+", default=SETS, help="letters:pairs")
    parser.add_argument("--scale", type=float, default=1, help="of the numbers of pairs")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--differing", nargs="+", type=float, default=[0.1, 0.4, 1.0])
    parser.add_argument("--modes", nargs="+", default=list(MODES), choices=list(MODES))
    parser.add_argument("--reports", nargs="+", default=["score", "alignment"], choices=["score", "alignment"])
    for row in rows(parser.parse_args()):
        print(row, flush=True)


if __name__ == "__main__":
    main()
