"""Starts the processes of a service by forking one that has loaded their modules.

Loading the modules takes a second of CPU time in each process; a fork takes milliseconds and shares the memory. The
supervisor has threads, so it does not fork itself. It forks the fork server before its first thread. If that one ends,
a new interpreter takes its place: by then the supervisor has threads, open files and perhaps CUDA, none of which a fork
may inherit.

The supervisor becomes the parent of each forked process (prctl(2), PR_SET_CHILD_SUBREAPER). It gets their exit status.
If the fork server ends, they go on.
"""

import ctypes
import errno
import fcntl
import gc
import importlib
import json
import logging
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from typing import NoReturn, Self

from setproctitle import setproctitle

from worker.telemetry.safe_traceback import outline

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
ANSWER_S, LOADING_S = 10, 40
"""Seconds to wait for an answer; the first includes loading the modules. Together less than a service manager waits."""
FIRST_FREE_FILE = 64
"""Received files wait at numbers from here on, away from those that they are to have."""

log = logging.getLogger(__name__)


class ForkedProcess:
    """A child of this process that another process forked. Offers the part of subprocess.Popen that we need."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._asking = threading.Lock()

    def poll(self) -> int | None:
        """Its exit status once it has ended, negative where a signal ended it."""
        return self._ended(os.WNOHANG)

    def wait(self) -> int | None:
        """Wait for its end; its exit status."""
        return self._ended(0)

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _ended(self, options: int) -> int | None:
        # A thread that kills it asks first, too.
        with self._asking:
            if self.returncode is None:
                pid, status = os.waitpid(self.pid, options)
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


class ForkServer:
    """Forks processes that run a package as a program; for one thread. modules: what the fork server loads.

    To be made before there are threads and open files.
    """

    def __init__(self, modules: Sequence[str]) -> None:
        self._modules = modules
        self._children: list[ForkedProcess] = []
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self._connection, there = Pipe()
        pid = os.fork()
        if not pid:
            self._connection.close()
            # Nothing of the folder that the supervisor was started in, as with -P.
            if not sys.flags.safe_path:
                del sys.path[0]
            _serve(there, modules).run()
        there.close()
        self._process: ForkedProcess | subprocess.Popen[bytes] = ForkedProcess(pid)
        self._patience_s = LOADING_S

    def start(self, argv: Sequence[str], environment: Mapping[str, str], files: Collection[int] = ()) -> ForkedProcess:
        """Start `python -P *argv`, where argv begins with -m and a package, and hand it files under their numbers.

        Raises OSError.
        """
        try:
            pid = self._answer(argv, environment, files)
        except (EOFError, OSError) as error:
            cause = error if isinstance(error, TimeoutError) else "has ended"
            log.warning("the fork server %s; starting another", cause)
            self._replace()
            try:
                pid = self._answer(argv, environment, files)
            except EOFError:
                raise OSError(errno.EAGAIN, "the fork server has ended") from None
        if pid < 0:
            raise OSError(-pid, os.strerror(-pid))
        self._children.append(ForkedProcess(pid))
        return self._children[-1]

    def reap(self) -> None:
        """Reap orphans that we adopted, such as children of a killed worker."""
        self._children = [process for process in self._children if process.returncode is None]
        waited_for = {self._process.pid, *(process.pid for process in self._children)}
        with suppress(ChildProcessError):
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if ended.si_pid in waited_for:
                    return
                os.waitpid(ended.si_pid, 0)

    def end(self) -> None:
        """End the fork server; what it has forked goes on."""
        self._connection.close()
        self._process.kill()
        self._process.wait()

    def _replace(self) -> None:
        self.end()
        self._connection, there = Pipe()
        with there:
            self._process = subprocess.Popen(  # noqa: S603  our own module
                # Not from the current folder, and its own session: a Ctrl-C of the terminal does not reach it.
                [sys.executable, "-P", "-m", __name__, str(there.fileno()), *self._modules],
                stdin=subprocess.DEVNULL,
                pass_fds=(there.fileno(),),
                start_new_session=True,
            )
        self._patience_s = LOADING_S

    def _answer(self, argv: Sequence[str], environment: Mapping[str, str], files: Collection[int]) -> int:
        """The number of a new process, or a negative error number. Raises EOFError and OSError."""
        self._connection.send_bytes(json.dumps((argv, dict(environment), list(files))).encode())
        for number in files:
            send_handle(self._connection, number, self._process.pid)
        if not self._connection.poll(self._patience_s):
            raise TimeoutError(f"has not answered for {self._patience_s} s")
        pid = int(self._connection.recv_bytes())
        self._patience_s = ANSWER_S
        return pid


@dataclass(frozen=True, slots=True)
class Program:
    """What a forked process is to run: `python -P *argv`. files: by the numbers that they are to have."""

    argv: Sequence[str]
    environment: Mapping[str, str]
    files: Mapping[int, int]

    @classmethod
    def received(cls, supervisor: Connection) -> Self:
        """The next one that the supervisor asks for."""
        argv, environment, numbers = json.loads(supervisor.recv_bytes())
        return cls(argv, environment, {number: _moved(recv_handle(supervisor)) for number in numbers})

    def close(self) -> None:
        """Close its files here."""
        for file in self.files.values():
            os.close(file)

    def run(self) -> NoReturn:
        """Run it in this process, which ends with it."""
        for number, file in self.files.items():
            if number != file:
                os.dup2(file, number)
                os.close(file)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # setproctitle finds the title's memory through the original environment: call it before that changes.
        setproctitle(_title(self.argv))
        os.environ.clear()
        os.environ.update(self.environment)
        time.tzset()
        _, package, *flags = self.argv
        program = importlib.import_module(f"{package}.__main__")
        sys.argv = [str(program.__file__), *flags]
        try:
            program.main()
        except Exception:
            sys.excepthook(*sys.exc_info())
            sys.exit(1)
        sys.exit(0)


def main() -> None:
    """Be the fork server that replaces another: `python -P -m worker.supervision.fork_server FD MODULES`."""
    _, file, *modules = sys.argv
    _serve(Connection(int(file)), modules).run()


def _serve(supervisor: Connection, modules: Sequence[str]) -> Program:
    """Fork until the supervisor is gone. Returns in each forked process, with what that is to run."""
    try:
        with suppress(PermissionError):
            # Signals of the terminal are for the supervisor. One that was started anew has a session already.
            os.setsid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        setproctitle(_title(["-m", "worker.supervision.fork_server"]))
        for name in modules:
            importlib.import_module(name)
        # The garbage collector skips these objects, so their memory stays shared.
        gc.freeze()
        while True:
            program = Program.received(supervisor)
            if _is_forked(program, supervisor):
                return program
            program.close()
    except EOFError:
        os._exit(0)
    except BaseException as error:
        log.error("the fork server ends: %s", outline(error))
        # Nothing of the supervisor's own end is done here.
        os._exit(1)


def _moved(file: int) -> int:
    moved = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE_FILE)
    os.close(file)
    return moved


def _is_forked(program: Program, supervisor: Connection) -> bool:
    """Fork, and tell the supervisor the new process's number, or a negative error number; True in the new process.

    It begins once the supervisor knows it and is its parent: a process ends when its parent changes.
    """
    pid_read, pid_write = os.pipe()
    start_read, start_write = os.pipe()
    intermediate = _fork(pid_write)
    if not intermediate:
        child = _fork(pid_write)
        if child:
            os._exit(0)
        setproctitle(_title(program.argv))
        os.write(pid_write, str(os.getpid()).encode())
        supervisor.close()
        for file in (pid_read, pid_write, start_write):
            os.close(file)
        begins = os.read(start_read, 1)
        os.close(start_read)
        if not begins:
            os._exit(0)
        os.setsid()
        return True
    os.close(pid_write)
    os.close(start_read)
    if intermediate > 0:
        os.waitpid(intermediate, 0)
    supervisor.send_bytes(os.read(pid_read, 20) or str(-errno.EAGAIN).encode())
    with suppress(BrokenPipeError):
        os.write(start_write, b"!")
    os.close(pid_read)
    os.close(start_write)
    return False


def _fork(pid_write: int) -> int:
    """os.fork; where it fails, -1, and the negative error number in place of a process's."""
    try:
        return os.fork()
    except OSError as error:
        os.write(pid_write, str(-(error.errno or errno.EAGAIN)).encode())
        return -1


def _title(argv: Sequence[str]) -> str:
    """What `ps` shows: the command that would start the same."""
    return shlex.join([sys.executable, "-P", *argv])


if __name__ == "__main__":
    main()
