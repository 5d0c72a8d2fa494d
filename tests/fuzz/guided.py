"""A target guided by atheris, in a process of its own: libFuzzer ends the process that it runs in.

`python -m tests.fuzz.guided TARGET FLAGS...` is what is started; the flags are libFuzzer's.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SEEDS = ROOT / "tests" / "fuzz" / "seeds"
INSTRUMENTED = ("shardwater", "worker", "app.responses.hit_pages", "tests.fuzz.plain_fasta")
LONGEST_S, MOST_MB, LONGEST_INPUT = 10, 2048, 4096
"""What one input may take, before that is a finding itself, and how many bytes it has at most."""

_COVERAGE = re.compile(r"\bcov: (\d+)")
_PROGRESS = re.compile(r"^(#\d|INFO: ).*\n", re.MULTILINE)
_EXECUTED = re.compile(r"^stat::number_of_executed_units: *(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Guided:
    """How many inputs a target has had, the branches they reached, the files with findings, and what else was said.

    failed says that it ended other than in time, be it with a finding or without.
    """

    executions: int
    coverage: int
    findings: tuple[Path, ...]
    failed: bool
    output: str


def run_guided(target: str, seconds: int, seed: int, folder: Path) -> Guided:
    """Run a target from its seeds on until the time is over or something is found, which stays in the folder."""
    corpus, found = folder / "corpus", folder / "found"
    found.mkdir(parents=True)
    shutil.copytree(SEEDS / target, corpus)
    flags = (
        *(f"-max_total_time={seconds}", f"-seed={seed}", f"-artifact_prefix={found}/", "-print_final_stats=1"),
        *(f"-timeout={LONGEST_S}", f"-rss_limit_mb={MOST_MB}", f"-max_len={LONGEST_INPUT}"),
    )
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.guided", target, *flags, str(corpus)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    output = done.stdout + done.stderr
    executions, coverage = _EXECUTED.findall(output), _COVERAGE.findall(output)
    return Guided(
        executions=int(executions[-1]) if executions else 0,
        coverage=max(map(int, coverage), default=0),
        findings=tuple(sorted(found.iterdir())),
        failed=done.returncode != 0,
        output=_PROGRESS.sub("", output),
    )


def main(name: str, flags: Sequence[str]) -> None:
    """Let atheris run a target; it never comes back."""
    import atheris

    with atheris.instrument_imports(include=[*INSTRUMENTED]):
        from tests.fuzz.targets import TARGETS
    target: Callable[[bytes], None] = TARGETS[name]
    atheris.Setup([name, *flags], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
