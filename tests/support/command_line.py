"""The command `shardwater`: run as people run it, or in this process, where a test asks what it says and no more."""

import os
import subprocess
from collections.abc import Mapping
from contextlib import chdir, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Any

from typer.testing import CliRunner

from tests.support.forked import can_be_forked, completed
from tests.support.server import COMMAND, PATIENCE_S
from worker.cli.main import cli

Done = subprocess.CompletedProcess[str]
NOTHING: Mapping[str, str] = MappingProxyType({})


def shardwater(
    *arguments: object,
    environment: Mapping[str, str] = NOTHING,
    input: str = "",  # noqa: A002  as subprocess.run has it
    cwd: Path | None = None,
) -> Done:
    """Run the command in a process of its own and capture what it says."""
    command, whole = [*COMMAND, *map(str, arguments)], {**os.environ, **environment}
    if can_be_forked(environment):
        return completed(command[2:], whole, PATIENCE_S, input, cwd)
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE_S, env=whole, input=input, cwd=cwd
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
