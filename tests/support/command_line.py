"""The command `shardwater`: run as people run it, or in this process, where a test asks what it says and no more."""

import os
import subprocess
from contextlib import chdir, nullcontext
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tests.support.server import COMMAND, PATIENCE_S
from worker.cli.main import cli

Done = subprocess.CompletedProcess[str]


def shardwater(*arguments: object, **options: object) -> Done:
    """Run the command and capture what it says."""
    environment = {**os.environ, **options.pop("environment", {})}
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE_S, env=environment, **options
    )


def here(*arguments: object, cwd: Path | None = None, **options: Any) -> Done:
    """The same in this process, without the time that Python takes to start; what is no answer of ours is raised."""
    environment = options.pop("environment", None)
    with chdir(cwd) if cwd else nullcontext():
        done = CliRunner(env=environment).invoke(
            cli, [*map(str, arguments)], prog_name="shardwater", catch_exceptions=False, **options
        )
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def refused(done: Done, status: int = 1) -> str:
    """The one line that a command says before it ends with this exit code."""
    assert (done.returncode, done.stdout) == (status, ""), done
    [line] = done.stderr.splitlines()
    assert line.startswith("shardwater: ")
    return line.removeprefix("shardwater: ")


def search(small: Path, query: object, *arguments: object, **options: object) -> Done:
    return shardwater("search", "-query", query, "-db", "small", "--data", small, *arguments, **options)


def search_here(small: Path, query: object, *arguments: object, **options: object) -> Done:
    return here("search", "-query", query, "-db", "small", "--data", small, *arguments, **options)
