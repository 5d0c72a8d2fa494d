"""Published clients of ColabFold's interface, asked for MSAs as their programs ask them."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

INSTALLED = Path(__file__).parents[2] / ".venv" / "clients"
PROCESS = Path(__file__).with_name("predictor_process.py")
CLIENTS = ("colabfold", "boltz")
OTHERS = ("chai", "openfold3")
"""Made from ColabFold's function: they differ in what they do with the answer."""
LOOK_S = 0.1


class Failed(Exception):
    """What a client raised."""


def _look_again() -> None:
    threading.Event().wait(LOOK_S)


def ask(
    client: str, url: str, sequences: list[str], folder: Path, slept: Callable[[], None] = _look_again, **options: Any
) -> Any:
    """What run_mmseqs2 of a client returns; `slept` is done in place of each of its pauses. Raises Failed."""
    if not INSTALLED.is_dir():
        pytest.skip("no clients of ColabFold's interface: make .venv/.clients installs them")
    arguments = {"x": sequences, "prefix": str(folder / "out"), "host_url": url, **options}
    environment = {**os.environ, "PYTHONPATH": str(INSTALLED)}
    command = [sys.executable, "-P", str(PROCESS)]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"client": client, "arguments": arguments}) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            said = json.loads(line)
            if "slept" not in said:
                break
            slept()
            process.stdin.write("\n")
            process.stdin.flush()
        else:
            raise AssertionError(f"{client} has ended without a word")
    if "failed" in said:
        raise Failed(said["failed"])
    return said["result"]
