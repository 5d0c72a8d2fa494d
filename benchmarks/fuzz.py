"""Bad input for as long as wanted: `python benchmarks/fuzz.py --minutes N [--seed S]`.

In rounds with a new seed each, half of a round's time Schemathesis asks a real service what openapi.json describes and
what it does not allow; then the fuzz tests that Hypothesis drives run with many cases each. Prints the cases that were
tried and what was found, and ends with 1 where that is anything. A round is repeated with its seed.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.fuzz.campaign import Campaign, ask_as_described  # noqa: E402
from tests.fuzz.service import make_small  # noqa: E402
from tests.support.server import Server, running  # noqa: E402

ROUND_S, LEAST_S = 300, 20
CASES = 500
"""Of each test in a round."""
PYTEST = (*(sys.executable, "-P", "-m", "pytest", "tests/fuzz", "-q"), "--ignore=tests/fuzz/test_openapi.py")
_PASSING = re.compile(r"(\d+) passing")
_FAILED = re.compile(r"^FAILED .*", re.MULTILINE)


def ask_service(seed: int, seconds: int) -> Campaign:
    """Schemathesis against a service of its own."""
    with tempfile.TemporaryDirectory() as folder, running(Server(make_small(Path(folder)))) as server:
        return ask_as_described(server.url, seed, (f"--max-time={max(LEAST_S, seconds)}",), Path(folder))


def run_tests(seed: int) -> Campaign:
    """The tests in tests/fuzz that Hypothesis drives, with many cases."""
    done = subprocess.run(
        [*PYTEST, f"--hypothesis-seed={seed}", "--hypothesis-show-statistics"],
        cwd=ROOT,
        env={**os.environ, "SHARDWATER_FUZZ_CASES": str(CASES)},
        capture_output=True,
        text=True,
        check=False,
    )
    cases = sum(map(int, _PASSING.findall(done.stdout)))
    return Campaign(cases, tuple(_FAILED.findall(done.stdout)), done.stdout + done.stderr)


def main() -> None:
    """Rounds until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of the first round")
    options = parser.parse_args()
    ends, seed, cases, found = time.monotonic() + 60 * options.minutes, options.seed, 0, 0
    while (left := ends - time.monotonic()) > 0:
        for campaign in (ask_service(seed, int(min(ROUND_S, left) / 2)), run_tests(seed)):
            cases, found = cases + campaign.cases, found + len(campaign.findings)
            print(f"seed {seed}: {campaign.cases:,} cases, {len(campaign.findings)} findings", flush=True)
            if campaign.findings:
                print(*campaign.findings, campaign.output, sep="\n", flush=True)
        seed += 1
    print(f"{cases:,} cases, {found} findings")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
