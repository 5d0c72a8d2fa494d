"""A service to do harm to: real processes, started again as a machine's service manager does."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from redis import Redis

from shardwater.software import software
from tests.faults.network import Network
from tests.support.server import until
from worker.supervision.valkey import EmbeddedValkey
from worker.telemetry.supervisor_rounds import supervisor_key

Kind = Literal["supervisor", "fork server", "front end", "merging", "worker", "valkey", "keeper"]
_COMMANDS: dict[Kind, str] = {
    "supervisor": "worker.cli serve",
    "fork server": "-m worker.supervision.fork_server",
    "front end": "-m app ",
    "merging": "-m app.background.launching ",
    "worker": "worker.cli work",
    "valkey": "valkey-server",
    "keeper": "worker.supervision.valkey_idle_stop",
}
SERVERS: tuple[Kind, ...] = ("fork server", "front end", "merging", "worker", "valkey")
EVERYTHING: tuple[Kind, ...] = ("supervisor", *SERVERS, "keeper")
ENDING_S = 60
"""Within this all processes of a service have ended that were told to, or whose supervisor was killed."""


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Apart:
    """A command of ours that is kept running, and what its environment has besides."""

    arguments: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


@dataclass
class Service:
    """`shardwater serve` over a data folder, kept running whatever becomes of it, until it is closed."""

    data: Path
    environment: dict[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    valkey: EmbeddedValkey | None = None
    """A queue that is not the service's own, and is stopped with it."""
    network: Network | None = None
    """What lies between the service and its queue."""
    most_files: int = 0
    """The limit of open files of each process, if there is one."""
    watchdog_s: float = 0
    """The supervisor is killed when it has given no sign of life for so long, as by systemd; 0: never."""
    apart: tuple[Apart, ...] = ()
    """Commands that are kept running beside the supervisor."""
    _closing: threading.Event = field(default_factory=threading.Event)
    _managers: list[threading.Thread] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """What its processes have said."""
        return self.data / "service.log"

    @property
    def redis(self) -> Redis:
        """Its queue."""
        return Redis.from_url(EmbeddedValkey(self.data).url)

    def open(self) -> None:
        """Have it started, and started again whenever its supervisor ends."""
        serve = Apart(("serve", "--data", str(self.data), *self.arguments, "--port", str(self.port)))
        self._managers = [threading.Thread(target=self._keep_running, args=(each,)) for each in (serve, *self.apart)]
        for manager in self._managers:
            manager.start()

    def close(self) -> None:
        """Stop it in order, when whoever was killed has been replaced: a Valkey without a supervisor would stay."""
        if self.valkey is None and not self._closing.is_set():
            until(self._supervised)
        self._closing.set()
        self.send(signal.SIGTERM, "supervisor")
        if self.apart:
            self.send(signal.SIGTERM, "worker")
        for manager in self._managers:
            manager.join()
        if self.valkey is not None:
            self.valkey.stop()

    def _supervised(self) -> bool:
        """Whether a supervisor makes its rounds: it has made one, and is not stopped."""
        with self.redis as redis:
            rounds = [pid for pid in self.pids("supervisor") if redis.exists(supervisor_key(pid))]
        states = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in rounds]
        return any(state not in "TtZX" for state in states)

    def _keep_running(self, what: Apart) -> None:
        command = [sys.executable, "-P", "-m", "worker.cli", *what.arguments]
        if self.most_files:
            command = ["sh", "-c", f'ulimit -n {self.most_files}; exec "$@"', "sh", *command]
        environment = self.environment_of(what)
        with self.log.open("ab") as log, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            if self.watchdog_s:
                notified.bind(str(self.data / "notify"))
                notified.settimeout(self.watchdog_s)
                environment["NOTIFY_SOCKET"] = str(self.data / "notify")
            while not self._closing.is_set():
                with subprocess.Popen(command, env=environment, stderr=log) as process:
                    if self.watchdog_s:
                        _watch(process, notified)
                    process.wait()
                self._closing.wait(0.2)

    def environment_of(self, what: Apart) -> dict[str, str]:
        """The environment of a command.

        All processes name the commit that this one has read: results name it, and a process that is started again
        would name another one if somebody had committed to the checkout since.
        """
        commit = {"SHARDWATER_COMMIT": software().commit}
        return {**os.environ, **self.environment, **what.environment, **commit}

    def pids(self, *kinds: Kind) -> list[int]:
        """Its living processes of these kinds, or all of them."""
        wanted = [_COMMANDS[kind] for kind in kinds or EVERYTHING]
        return sorted(pid for pid, command in self._processes() if any(each in command for each in wanted))

    def send(self, number: signal.Signals, *kinds: Kind) -> list[int]:
        """Send a signal to all its processes of these kinds; which they were."""
        found = self.pids(*kinds)
        for pid in found:
            send(pid, number)
        return found

    def left_behind(self) -> list[str]:
        """The commands of its processes that have not ended within ENDING_S; they are killed."""
        deadline, pause = time.monotonic() + ENDING_S, threading.Event()
        while (left := list(self._processes())) and time.monotonic() < deadline:
            pause.wait(0.05)
        for pid, _ in left:
            send(pid, signal.SIGKILL)
        return [command for _, command in left]

    def _processes(self) -> Iterator[tuple[int, str]]:
        """Number and command of all that live: they write to its log, or name the socket of its Valkey."""
        queue = EmbeddedValkey(self.data).url.removeprefix("unix://")
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                # A process whose end nobody has asked for has no command left.
                if command and (queue in command or (folder / "fd" / "2").readlink() == self.log.resolve()):
                    yield int(folder.name), command
            except OSError:
                continue


def _watch(process: "subprocess.Popen[bytes]", notified: socket.socket) -> None:
    """Kill a process that tells of no life any more, as systemd does: from the moment at which it says READY."""
    ready = False
    while process.poll() is None:
        try:
            ready = notified.recv(100) == b"READY=1" or ready
        except TimeoutError:
            if ready:
                process.kill()


def send(pid: int, number: signal.Signals) -> None:
    """A signal to a process that may have ended."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


@contextmanager
def served(service: Service) -> Iterator[Service]:
    """A service that is closed at the end, and whose last processes are killed if that does not help."""
    service.open()
    try:
        yield service
    finally:
        service.close()
        service.left_behind()
