"""Bytes guided by what they reach: `python benchmarks/fuzz_bytes.py TARGET|all --minutes N [--seed S]`.

Runs the targets of tests/fuzz/targets.py under atheris, each for so many minutes or until something is found, from its
seeds in tests/fuzz/seeds/TARGET/. Prints executions, branches reached and findings of each, and ends with 1 where there
is any; a run is repeated by its seed.

A finding's input stays in the folder that is named. Whoever mends the bug puts it under tests/fuzz/seeds/TARGET/, by a
name that says what it is: tests/fuzz/test_targets.py reads it from then on.
"""

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.fuzz.guided import run_guided  # noqa: E402
from tests.fuzz.targets import TARGETS  # noqa: E402


def main() -> None:
    """One target after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--minutes", type=float, default=10, help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if importlib.util.find_spec("atheris") is None:
        parser.exit(2, "atheris is not installed: make fuzz\n")
    folder, failed = Path(tempfile.mkdtemp(prefix="shardwater-fuzz-")), 0
    for target in TARGETS if options.target == "all" else [options.target]:
        run = run_guided(target, max(1, round(60 * options.minutes)), options.seed, folder / target)
        found, failed = len(run.findings), failed + run.failed
        print(f"{target}: {run.executions:,} executions, coverage {run.coverage:,}, {found} findings", flush=True)
        if run.failed:
            print(run.output, *run.findings, sep="\n", flush=True)
    print(f"{failed} targets failed; inputs are in {folder}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
