"""The command `shardwater`, forked off a process that has loaded its modules: it starts in a tenth of the time.

Python's own fork server (multiprocessing) forks them, one server for each process of the tests. What a command does
from then on, it does for everybody; tests of how a new interpreter starts it start one.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any, TextIO

from worker.supervision.fork_server import Program
from worker.supervision.service_plan import PRELOADED_MODULES

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload([__name__, *PRELOADED_MODULES])
READ_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "TZ", "SHARDWATER_COMMIT", "OPENBLAS_", "OMP_", "OTEL_")
"""What begins so is read as an interpreter starts or loads modules."""


def can_be_forked(environment: Mapping[str, str]) -> bool:
    """Whether a forked process heeds all of an environment's changes."""
    return not any(name.startswith(READ_AT_START) for name in environment)


class Forked:
    """`python -P *argv` in a process of its own, with what tests use of subprocess.Popen.

    files: by number, what the process has for its standard input, output and errors.
    """

    def __init__(
        self, argv: Sequence[str], environment: Mapping[str, str], files: Mapping[int, int], folder: Path | None = None
    ) -> None:
        # They are sent while the process starts.
        given = {number: _Sent(file) for number, file in files.items()}
        self._process = FORKS.Process(target=_become, args=(argv, dict(environment), given, folder or Path.cwd()))
        self._process.start()
        self.argv = argv
        self.stderr: TextIO | None = None

    @classmethod
    def heard(cls, argv: Sequence[str], environment: Mapping[str, str]) -> "Forked":
        """One whose messages are read as they come."""
        here, there = os.pipe()
        try:
            forked = cls(argv, environment, {2: there})
        finally:
            os.close(there)
        forked.stderr = os.fdopen(here, encoding="utf-8")
        return forked

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self.argv, timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


def completed(
    argv: Sequence[str], environment: Mapping[str, str], timeout: float, text: str = "", folder: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """What subprocess.run returns of such a process that reads a text: its output and its errors are captured."""
    pipes = [os.pipe() for _ in range(3)]
    [(read, write), (output, there), (errors, too)] = pipes
    process = Forked(argv, environment, {0: read, 1: there, 2: too}, folder)
    for file in (read, there, too):
        os.close(file)
    with ThreadPoolExecutor(3) as threads:
        threads.submit(_write, write, text.encode())
        told = [threads.submit(_read, file) for file in (output, errors)]
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(argv, status, *(each.result() for each in told))


def _read(file: int) -> str:
    with os.fdopen(file, encoding="utf-8", newline="") as pipe:
        return pipe.read()


def _write(file: int, text: bytes) -> None:
    with suppress(BrokenPipeError), os.fdopen(file, "wb") as pipe:
        pipe.write(text)


class _Sent:
    """An open file on its way to a process that starts."""

    def __init__(self, file: int) -> None:
        self._file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return _taken, (DupFd(self._file),)


def _taken(sent: Any) -> int:
    return int(sent.detach())


def _become(argv: Sequence[str], environment: dict[str, str], files: dict[int, int], folder: Path) -> None:
    os.chdir(folder)
    if 0 in files:
        # multiprocessing has closed it.
        os.dup2(files[0], 0)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    Program(argv, environment, files).run()
