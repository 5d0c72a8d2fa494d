"""What `shardwater msa` takes of memory and time, by the number of its queries.

    python benchmarks/msa_memory.py --queries 200 20000 [--server http://127.0.0.1:8000 --database demo]

Queries are 80 residues of random proteins, each with ten letters changed; without --server the database has 50 of these
proteins, so that hardly more is measured than what each query costs besides its cells. Peak memory is the command's
maximum resident set.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from shardwater.database.build import build_database

REPOSITORY = Path(__file__).resolve().parents[1]
LETTERS = "ACDEFGHIKLMNPQRSTVWY"
PROTEINS, LENGTH, PART, CHANGED = 50, 300, 80, 10


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, nargs="+", default=[200, 2000])
    parser.add_argument("--server")
    parser.add_argument("--database", default="random")
    arguments = parser.parse_args()
    rng = random.Random(1)
    proteins = ["".join(rng.choices(LETTERS, k=LENGTH)) for _ in range(PROTEINS)]
    with tempfile.TemporaryDirectory() as folder:
        place = ["--server", arguments.server] if arguments.server else ["--data", made(Path(folder), proteins)]
        print("| queries | peak MiB | seconds |\n|---|---|---|")
        for count in arguments.queries:
            queries, out = Path(folder) / f"{count}.fasta", Path(folder) / str(count)
            queries.write_text("".join(f">q{number}\n{query(proteins, rng)}\n" for number in range(count)))
            measure(count, ["-query", str(queries), "-db", arguments.database, "-out", str(out), *place])


def made(folder: Path, proteins: list[str]) -> str:
    """A data folder with a database of these."""
    fasta = folder / "random.fasta"
    fasta.write_text("".join(f">p{number}\n{letters}\n" for number, letters in enumerate(proteins)))
    build_database([fasta], folder / "data", name="random")
    return str(folder / "data")


def query(proteins: list[str], rng: random.Random) -> str:
    """A part of one of them, with letters changed."""
    letters = list(rng.choice(proteins)[:PART])
    for place in rng.sample(range(PART), CHANGED):
        letters[place] = rng.choice(LETTERS)
    return "".join(letters)


def measure(count: int, flags: list[str]) -> None:
    """Print a row."""
    command = [sys.executable, "-P", "-m", "worker.cli", "msa", "-num_iterations", "2", *flags]
    start = time.perf_counter()
    process = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(REPOSITORY)})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the command failed with exit code {process.returncode}")
    print(f"| {count:,} | {usage.ru_maxrss / 1024:.0f} | {time.perf_counter() - start:.0f} |", flush=True)


if __name__ == "__main__":
    main()
