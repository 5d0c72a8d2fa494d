"""The command `shardwater`, run as people run it."""

import os
import subprocess
from pathlib import Path

from tests.support.server import COMMAND, PATIENCE_S


def shardwater(*arguments: object, **options: object) -> "subprocess.CompletedProcess[str]":
    """Run the command and capture what it says."""
    environment = {**os.environ, **options.pop("environment", {})}
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE_S, env=environment, **options
    )


def refused(done: "subprocess.CompletedProcess[str]", status: int = 1) -> str:
    """The one line that a command says before it ends with this exit code."""
    assert (done.returncode, done.stdout) == (status, ""), done
    [line] = done.stderr.splitlines()
    assert line.startswith("shardwater: ")
    return line.removeprefix("shardwater: ")


def search(small: Path, query: object, *arguments: object, **options: object) -> "subprocess.CompletedProcess[str]":
    return shardwater("search", "-query", query, "-db", "small", "--data", small, *arguments, **options)
