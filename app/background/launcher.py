"""Starts the processes that merge for a front end, through one that has loaded what they need (launching.py).

It is started when it is first needed, and replaced where it dies or hangs. Linux kills those that merge when it ends,
and it when the front end does: none is left behind, be it stopped.
"""

import logging
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle
from typing import cast

from app.background.heartbeat import hear
from worker.settings import Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Launched:
    """A process that merges, and the way to it."""

    pid: int
    connection: Connection

    @property
    def has_ended(self) -> bool:
        """Whether it is gone; to be asked only while it has nothing to do, and so nothing to say."""
        return self.connection.poll(0)

    def end(self) -> None:
        """Kill it: it may be stopped, or in the midst of something."""
        try:
            while self.connection.poll(0):
                self.connection.recv()
            os.kill(self.pid, signal.SIGKILL)
        except (EOFError, OSError):
            # It has ended by itself. Its number may be another's by now.
            pass
        finally:
            self.connection.close()


class Launcher:
    """Starts processes one at a time; safe for use by several threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # Linux takes the end of the thread that has started a process for the end of its parent.
        self._thread = ThreadPoolExecutor(1, "merge launcher")
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._is_closed = False

    def start(self) -> Launched:
        """A new process; waits for it, not for ever. Raises OSError or EOFError."""
        try:
            started = self._thread.submit(self._start)
        except RuntimeError as error:
            raise OSError("there is no thread that starts processes") from error
        return started.result()

    def close(self) -> None:
        """End the one that starts others, and these with it; who waits for one gets none."""
        self._is_closed = True
        if (process := self._process) is not None:
            process.kill()
        self._thread.shutdown()
        self._end()

    def _start(self) -> Launched:
        here, there = Pipe()
        try:
            with there:
                pid = self._asked(there)
            if pid < 0:
                raise OSError(-pid, os.strerror(-pid))
        except BaseException:
            here.close()
            raise
        return Launched(pid, here)

    def _asked(self, there: Connection) -> int:
        """What the launching process says to this; a new one, where the old one is gone or hangs."""
        if self._process is not None:
            try:
                return self._answer(self._process, there)
            except (OSError, EOFError) as error:
                told = error if isinstance(error, TimeoutError) else "is gone"
                log.warning("process %d, which starts those that merge, %s; another follows", self._process.pid, told)
                self._end()
        try:
            return self._answer(self._begun(), there)
        except BaseException:
            self._end()
            raise

    def _begun(self) -> "subprocess.Popen[bytes]":
        if self._is_closed:
            raise OSError("no process is started any more")
        self._connection, there = Pipe()
        with there:
            self._process = subprocess.Popen(  # noqa: S603  our own module
                # Not from the current folder, and its own session: a Ctrl-C of the terminal does not reach it.
                [sys.executable, "-P", "-m", "app.background.launching", str(there.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=(there.fileno(),),
                start_new_session=True,
            )
        self._connection.send(self._settings)
        return self._process

    def _answer(self, process: "subprocess.Popen[bytes]", there: Connection) -> int:
        assert self._connection is not None
        send_handle(self._connection, there.fileno(), process.pid)
        return cast(int, hear(self._connection, process.pid))

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._connection = None
