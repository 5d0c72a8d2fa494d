"""Schemathesis against a running service, for a short run in the tests and for a long one (benchmarks/fuzz.py)."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONFIGURATION = ROOT / "tests" / "fuzz" / "schemathesis.toml"
# What an installed package starts; `python -m` has no name for it.
COMMAND = (sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()")


@dataclass(frozen=True)
class Campaign:
    """How many requests were sent, the kinds of failures that were found, and all that Schemathesis said."""

    cases: int
    findings: tuple[str, ...]
    output: str


def ask_as_described(url: str, seed: int, bounds: Sequence[str], folder: Path) -> Campaign:
    """Run Schemathesis over /openapi.json with all its checks and ours, within bounds such as `--max-time=60`.

    It keeps what it likes in the folder.
    """
    report = folder / "schemathesis.json"
    reports = ("--report=json", f"--report-json-path={report}", "--no-color")
    done = subprocess.run(
        [*COMMAND, f"--config-file={CONFIGURATION}", "run", f"{url}/openapi.json", f"--seed={seed}", *bounds, *reports],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if not report.is_file():
        raise AssertionError(done.stdout + done.stderr)
    told = json.loads(report.read_text())
    findings = [f"{each['title']}: {', '.join(each['operations'])}" for each in told["failures"]]
    findings += [str(error) for error in told["errors"]]
    return Campaign(told["test_cases"]["generated"], tuple(findings), done.stdout)
