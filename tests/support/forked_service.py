"""A service forked off a process that has loaded its modules: it starts in a tenth of the time of a new interpreter.

Python's own fork server (multiprocessing) forks the supervisor, one for each process of the tests; the rest is what
`shardwater serve` does for everybody.
"""

import os
import subprocess
from collections.abc import Sequence
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from typing import TextIO

from worker.supervision.fork_server import run
from worker.supervision.service_plan import LOADED

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload([__name__, *LOADED])


class ForkedService:
    """`python -P *argv` in a process of its own, with what tests use of subprocess.Popen."""

    def __init__(self, argv: Sequence[str], environment: dict[str, str]) -> None:
        here, there = Pipe(duplex=False)
        with there:
            self._process = FORKS.Process(target=_serve, args=(argv, environment, there))
            self._process.start()
        self.stderr: TextIO = os.fdopen(os.dup(here.fileno()), encoding="utf-8")
        here.close()

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
        status = self._process.exitcode
        if status is None:
            raise subprocess.TimeoutExpired("shardwater serve", timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


def _serve(argv: Sequence[str], environment: dict[str, str], messages: Connection) -> None:
    os.dup2(messages.fileno(), 2)
    messages.close()
    run(argv, environment)
