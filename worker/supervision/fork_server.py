"""Starts the processes of a service by forking one that has loaded their modules.

To load them takes a second of processor time in each process; to fork takes milliseconds, and what is loaded is in
memory once. The supervisor has threads, so it does not fork itself: the fork server, which it forks before the first of
them, has one thread and does nothing else.

The supervisor adopts what is forked (prctl(2), PR_SET_CHILD_SUBREAPER): each process is its child, whose end it hears
of, and the end of the fork server harms none.
"""

import ctypes
import fcntl
import gc
import importlib
import json
import logging
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from typing import NoReturn

from setproctitle import setproctitle

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
ANSWER_S, LOADING_S = 10, 60
"""A fork server that has not answered by then hangs; its first answer waits until modules are loaded."""
FIRST_FREE_FILE = 64
"""Received files wait at numbers from here on, away from those that they are to have."""

log = logging.getLogger(__name__)


class ForkedProcess:
    """A child of this process that it has not started itself; as far as needed what subprocess.Popen offers."""

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
    """Forks processes that run a module of `modules` as a program; for one thread."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._modules = modules
        self._forked: list[ForkedProcess] = []
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self._begin()

    def start(self, argv: Sequence[str], environment: Mapping[str, str], files: Collection[int] = ()) -> ForkedProcess:
        """Start `python -P *argv`, where argv begins with -m and a package, and hand it files under their numbers.

        Raises OSError.
        """
        try:
            return self._asked(argv, environment, files)
        except (EOFError, OSError) as error:
            log.warning("the fork server %s; another follows", error if isinstance(error, TimeoutError) else "is gone")
            self.end()
            self._begin()
            return self._asked(argv, environment, files)

    def reap(self) -> None:
        """Let go of ended children that nobody waits for: what a killed process of ours had started is ours now."""
        self._forked = [process for process in self._forked if process.returncode is None]
        waited_for = {self._process.pid, *(process.pid for process in self._forked)}
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

    def _begin(self) -> None:
        self._connection, there = Pipe()
        with there:
            pid = os.fork()
            if not pid:
                self._connection.close()
                _serve(there, self._modules)
        self._process, self._patience_s = ForkedProcess(pid), LOADING_S

    def _asked(self, argv: Sequence[str], environment: Mapping[str, str], files: Collection[int]) -> ForkedProcess:
        self._connection.send_bytes(json.dumps((argv, dict(environment), list(files))).encode())
        for number in files:
            send_handle(self._connection, number, self._process.pid)
        if not self._connection.poll(self._patience_s):
            raise TimeoutError(f"has not answered for {self._patience_s} s")
        self._patience_s = ANSWER_S
        pid = int(self._connection.recv_bytes())
        if pid < 0:
            raise OSError(-pid, os.strerror(-pid))
        self._forked.append(ForkedProcess(pid))
        return self._forked[-1]


def _serve(supervisor: Connection, modules: Sequence[str]) -> NoReturn:
    """Fork until the supervisor is gone."""
    try:
        # Signals of the terminal are for the supervisor.
        os.setsid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        setproctitle(_title(["-m", __name__]))
        for name in modules:
            importlib.import_module(name)
        # No collector need look through it, nor unshare its pages.
        gc.freeze()
        while True:
            _answer(supervisor)
    except (EOFError, OSError):
        pass
    finally:
        # Nothing of the supervisor's own end is done here.
        os._exit(0)


def _answer(supervisor: Connection) -> None:
    argv, environment, numbers = json.loads(supervisor.recv_bytes())
    files = {number: _moved(recv_handle(supervisor)) for number in numbers}
    try:
        pid = _forked(supervisor, argv, environment, files)
    except OSError as error:
        pid = -(error.errno or 1)
    finally:
        for file in files.values():
            os.close(file)
    supervisor.send_bytes(str(pid).encode())


def _moved(file: int) -> int:
    moved = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE_FILE)
    os.close(file)
    return moved


def _forked(
    supervisor: Connection, argv: Sequence[str], environment: Mapping[str, str], files: Mapping[int, int]
) -> int:
    """The number of a new process, which the supervisor has adopted by then."""
    adopted, may_begin = os.pipe()
    told, tell = os.pipe()
    between = os.fork()
    if not between:
        try:
            others = (may_begin, told, supervisor.fileno())
            get_context("fork").Process(
                target=_become, args=(argv, environment, files, (tell, adopted), others)
            ).start()
        finally:
            os._exit(0)
    try:
        os.close(tell)
        os.waitpid(between, 0)
        pid = os.read(told, 20)
        if not pid:
            raise OSError("no process could be forked")
        os.write(may_begin, b"!")
        return int(pid)
    finally:
        for file in (adopted, may_begin, told):
            os.close(file)


def _become(
    argv: Sequence[str],
    environment: Mapping[str, str],
    files: Mapping[int, int],
    tell_and_hear: tuple[int, int],
    others: Sequence[int],
) -> None:
    """Be that program, once the supervisor is our parent: it is how we know that it lives."""
    tell, adopted = tell_and_hear
    setproctitle(_title(argv))
    os.write(tell, str(os.getpid()).encode())
    for other in (*others, tell):
        os.close(other)
    if not os.read(adopted, 1):
        return
    os.close(adopted)
    for number, file in files.items():
        os.dup2(file, number)
        os.close(file)
    os.setsid()
    run(argv, environment)


def run(argv: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run `python -P *argv` in this process, which has been forked for it, with this environment."""
    # It looks for where the title stands by the environment that the process began with.
    setproctitle(_title(argv))
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    _, package, *flags = argv
    program = importlib.import_module(f"{package}.__main__")
    sys.argv = [str(program.__file__), *flags]
    try:
        program.main()
    except Exception:
        sys.excepthook(*sys.exc_info())
        sys.exit(1)


def _title(argv: Sequence[str]) -> str:
    """What `ps` shows: the command that would start the same."""
    return shlex.join([sys.executable, "-P", *argv])
