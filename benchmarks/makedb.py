"""Builds a database from a FASTA file with us and with whichever other program is installed, and compares.

    python benchmarks/makedb.py proteins.fasta --repeat 5 [--cudasw PATH_OF_MAKEDB]

Every build is a fresh process in an empty folder; a row shows the best of the repeats. Peak memory is the
process's maximum resident set, which for mmseqs counts the pages of the file it maps.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
OURS = """
import sys
from pathlib import Path
from shardwater.database.build import build_database
build_database([Path(sys.argv[1])], Path(sys.argv[2]), name="db")
"""


@dataclass(frozen=True, slots=True)
class Usage:
    """One build: wall seconds, seconds of CPU, and the most memory it held."""

    seconds: float
    cpu: float
    peak_mib: float


def main() -> None:
    """Print a table of the programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--cudasw", type=Path, help="CUDASW++'s makedb")
    parser.add_argument("--folder", type=Path, help="where to build; a temporary folder by default")
    arguments = parser.parse_args()
    print(f"{'program':<14}{'seconds':>9}{'CPU s':>9}{'peak MiB':>10}")
    for name, command in commands(arguments.fasta.resolve(), arguments.cudasw).items():
        runs = [build(command, arguments.folder) for _ in range(arguments.repeat)]
        best = min(runs, key=lambda usage: usage.seconds)
        print(f"{name:<14}{best.seconds:>9.2f}{best.cpu:>9.2f}{best.peak_mib:>10.0f}", flush=True)


def commands(fasta: Path, cudasw: Path | None) -> dict[str, list[str]]:
    """The builds that can be run here; each writes into the folder it runs in."""
    found = {"shardwater": [sys.executable, "-P", "-c", OURS, str(fasta), "data"]}
    if mmseqs := shutil.which("mmseqs"):
        found["mmseqs"] = [mmseqs, "createdb", str(fasta), "db"]
    if makeblastdb := shutil.which("makeblastdb"):
        found["makeblastdb"] = [makeblastdb, "-in", str(fasta), "-dbtype", "prot", "-out", "db"]
    if cudasw:
        found["cudasw makedb"] = [str(cudasw.resolve()), str(fasta), "db"]
    return found


def build(command: Sequence[str], parent: Path | None) -> Usage:
    """Run one build in an empty folder and measure it."""
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[0]} failed with exit code {process.returncode}")
    return Usage(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
