"""Two genomes compared on this machine: `python benchmarks/chromosomes.py A.fasta B.fasta [C.fasta D.fasta ...]`.

The clock covers all from the files on disk to the list on disk: reading, comparing, merging, and writing GECKO's CSV;
of `gapped` aligning what is around each HSP, and PAF. Engines are open, and one comparison went before. `--also` runs
other programs on the same files: a command with {a} and {b} in it, whole processes with their start.

    python benchmarks/chromosomes.py a.fasta b.fasta --modes sensitive gapped --also 'minimap2 -x asm10 -t 16 {a} {b}'
"""

import argparse
import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from results import RESULTS, publish

from gpu import open_genome_engine, open_pair_engine
from shardwater.formats.chunks import in_chunks
from shardwater.formats.genomes.layout import Layout, Listed
from shardwater.formats.genomes.names import GenomeFormat
from shardwater.formats.genomes.writers import WRITERS
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.compare import Compared, compare
from shardwater.genomes.comparison import Comparison
from shardwater.genomes.engine import GenomeEngine
from shardwater.genomes.gapped import GappedScoring, align_boxes, distinct
from shardwater.genomes.genome import Genome
from shardwater.genomes.reading import read_genome
from shardwater.pairs.engine import PairEngine
from shardwater.steps import finish

MODES = {
    "sensitive": Comparison(),
    "fast": Comparison(sensitivity="fast"),
    "hyperfast": Comparison(sensitivity="hyperfast"),
    "blocks": Comparison(extension="blocks", min_length=64),
    "gapped": Comparison(),
}


@dataclass(frozen=True)
class Measured:
    """One row: seconds of the best run, and how many lines were written."""

    name: str
    mode: str
    seconds: float
    lines: int


def pairs_of(files: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """The first with the second, the third with the fourth."""
    return zip(files[::2], files[1::2], strict=True)


def read(path: Path) -> Genome:
    """A file's genome."""
    with path.open("rb") as file:
        return read_genome(file, path.name, "record")


def run(files: Sequence[Path], mode: str, engines: Sequence[GenomeEngine], pairs: PairEngine, out: Path) -> int:
    """Compare two files and write the list; its lines."""
    with ThreadPoolExecutor(2) as threads:
        query, subject = threads.map(read, files)
    compared = compare(query, subject, MODES[mode], *engines)
    listed, form = _listed(compared, mode, pairs)
    with out.open("wb") as file:
        file.writelines(in_chunks(WRITERS[form].write(listed, Layout(compared.comparison))))
    return len(listed.alignments)


def _listed(compared: Compared, mode: str, pairs: PairEngine) -> tuple[Listed, GenomeFormat]:
    query, subject, hsps = compared.query, compared.subject, compared.hsps
    if mode != "gapped":
        return Listed(query, subject, Alignments.of_hsps(hsps)), "csv"
    aligned = distinct(finish(align_boxes(query, subject, hsps, GappedScoring(), pairs)))
    return Listed(query, subject, aligned, gapped=True), "paf"


def measure(engines: Sequence[GenomeEngine], pairs: PairEngine, options: argparse.Namespace) -> Iterator[Measured]:
    """All rows of all pairs of files."""
    for files in pairs_of(options.files):
        for mode in options.modes:
            taken = []
            with tempfile.TemporaryDirectory(dir=options.folder) as folder:
                for _ in range(1 + options.repeats):
                    began = time.perf_counter()
                    lines = run(files, mode, engines, pairs, Path(folder) / "list")
                    taken.append(time.perf_counter() - began)
            yield Measured(" x ".join(path.name for path in files), mode, min(taken[1:]), lines)


def others(commands: Sequence[str], files: Sequence[Path]) -> Iterator[Measured]:
    """Other programs on the same files."""
    for query, subject in pairs_of(files):
        for command in commands:
            words = [word.format(a=query, b=subject) for word in shlex.split(command)]
            began = time.perf_counter()
            done = subprocess.run(words, check=True, capture_output=True)
            taken = time.perf_counter() - began
            yield Measured(f"{query.name} x {subject.name}", command, taken, done.stdout.count(b"\n"))


def table(rows: Sequence[Measured]) -> list[str]:
    """The rows as Markdown."""
    lines = ["| genomes | mode | seconds | HSPs, alignments or lines |", "|---|---|---|---|"]
    return lines + [f"| {row.name} | {row.mode} | {row.seconds:.3f} | {row.lines:,} |" for row in rows]


def main() -> None:
    """Measure, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="pairs of files")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(MODES))
    parser.add_argument("--devices", type=int, default=1, help="that share a comparison")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--also", nargs="*", default=[], help="commands of other programs, with {a} and {b}")
    parser.add_argument("--folder", type=Path, help="where outputs go; default: that of temporary files")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    engines = [open_genome_engine(number) for number in range(options.devices)]
    rows = list(measure(engines, open_pair_engine(), options))
    rows += others(options.also, options.files)
    title = f"Chromosomes: {options.devices} x {engines[0].name}, {os.cpu_count()} cores"
    publish(title, table(rows), options.results)


if __name__ == "__main__":
    main()
