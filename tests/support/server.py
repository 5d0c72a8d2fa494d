"""A real service for tests: `shardwater serve` in processes of its own, with Valkey, workers and the API."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from redis import Redis

from shardwater.database.build import build_database
from shardwater.database.taxa_files import TaxonSources
from tests.support.forked import Forked, can_be_forked
from tests.support.searches import LONG
from worker.supervision.valkey import EmbeddedValkey

COMMAND = (sys.executable, "-P", "-m", "worker.cli")
PATIENCE_S = 60
"""Within this a search of these tests ends, whatever is killed."""
HANG_S = 180
"""What has not come by then hangs: a machine may have several servers and browsers at work besides."""
LOOK_S, LONGEST_LOOK_S = 0.02, 0.3
FASTA = ">one first protein\nMKVLAAGWDEHHKLMNPQRSTVWY\n>two\nMKVLAAGWMKVLAAGW\n>three\nHHKLMNPQRSTVWYACDEFG\n"
"""Three small proteins."""


@dataclass
class Server:
    """A service over one data folder, on a free port."""

    data: Path
    redis_url: str | None = None
    environment: dict[str, str] = field(default_factory=dict)
    app_only: bool = False
    is_forked: bool = True
    process: "subprocess.Popen[str] | Forked | None" = None
    url: str = ""
    lines: list[str] = field(default_factory=list)
    reader: threading.Thread | None = None

    def start(self) -> None:
        """Start it and read its messages until it is ready; one without workers, until it listens."""
        ready = "Loading " if self.app_only else "Ready: "
        flags = ["--app-only"] if self.app_only else []
        redis = ["--redis", self.redis_url] if self.redis_url else []
        argv = [*COMMAND, "serve", "--data", str(self.data), "--port", "0", *redis, *flags]
        environment = {**os.environ, **self.environment}
        if self.is_forked and can_be_forked(self.environment):
            self.process = Forked.heard(argv[2:], environment)
        else:
            self.process = subprocess.Popen(argv, env=environment, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line)
            # Perhaps inside a line of JSON.
            if ready in line:
                self.url = re.findall(r"http://[\w.:\[\]]+", line)[0]
                break
        assert self.url, "".join(self.lines)
        self.reader = threading.Thread(target=self.lines.extend, args=(self.process.stderr,), daemon=True)
        self.reader.start()

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal to the supervisor; its exit status."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Wait for the supervisor's end; its exit status."""
        assert self.process is not None
        status = self.process.wait(PATIENCE_S)
        if self.reader is not None and self.process.stderr is not None:
            self.reader.join(PATIENCE_S)
            self.process.stderr.close()
        return status

    @property
    def http(self) -> httpx.Client:
        """A client of its API."""
        # There is no TLS: to read the certificates of all authorities takes longer than most questions.
        return httpx.Client(base_url=self.url, timeout=PATIENCE_S + 30, verify=False)

    @property
    def redis(self) -> Redis:
        """Its Valkey."""
        return Redis.from_url(self.queue_url)

    @property
    def queue_url(self) -> str:
        """The address of its Valkey."""
        return self.redis_url or EmbeddedValkey(self.data).url

    def pids(self, what: str) -> list[int]:
        """The supervisor's children: `app`, `worker.cli` or `valkey`."""
        assert self.process is not None
        parents = {self.process.pid}
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(status.read_text().rpartition(")")[2].split()[1])
                command = (status.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if parent in parents and (f"-m {what} " in command or (what == "valkey" and "valkey-server" in command)):
                found.append(int(status.parent.name))
        return sorted(found)

    def search(self, sequence: str, wait: int = PATIENCE_S, **fields: Any) -> dict[str, Any]:
        """A search's result, waited for."""
        response = self.post(sequence, wait, **fields)
        assert response.status_code == 200, response.text
        return response.json()

    def post(self, sequence: str, wait: int | None = None, **fields: Any) -> httpx.Response:
        """Post a search as JSON."""
        headers = {} if wait is None else {"Prefer": f"wait={wait}"}
        with self.http as http:
            return http.post("/v1/searches", json={"sequence": sequence, "database": "demo", **fields}, headers=headers)

    def state(self, search: str) -> dict[str, Any]:
        """A search as it stands."""
        with self.http as http:
            return http.get(f"/v1/searches/{search}").json()

    def until_running(self, search: str) -> dict[str, Any]:
        """Ask until some of the search is done."""
        states: list[dict[str, Any]] = []
        with self.http as http:

            def has_begun() -> bool:
                states.append(http.get(f"/v1/searches/{search}").json())
                assert states[-1]["state"] in ("queued", "running"), states[-1]
                return bool(states[-1]["progress"] > 0)

            until(has_begun)
        return states[-1]


def until_idle(server: Server) -> None:
    """Wait until workers have done, or given up, whatever was sent before: no search would have to wait."""
    with server.http as http:
        # A shorter one would overtake others.
        asked = {"sequence": LONG, "database": "demo", "title": "waits for an idle service"}
        until(lambda: http.post("/v1/searches:estimate", json=asked).json()["position"] == 0)


def until(holds: Callable[[], object]) -> None:
    """Look again and again, more and more seldom, leaving the processors to those that are looked at."""
    deadline, pause, seconds = time.monotonic() + HANG_S, threading.Event(), LOOK_S
    while not holds():
        assert time.monotonic() < deadline
        pause.wait(seconds)
        seconds = min(LONGEST_LOOK_S, 1.5 * seconds)


def at_work(http: httpx.Client, path: str, body: dict[str, str]) -> str:
    """Where a job is that is being done, run anew."""
    job = str(http.post(path, json=body, headers={"Cache-Control": "no-cache"}).json()["links"]["self"])
    until(lambda: http.get(job).json()["state"] != "queued")
    # Where it has ended, workers were faster than we looked.
    return job if http.get(job).json()["state"] == "running" else at_work(http, path, body)


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """A started server, killed with all its children if the test has not stopped it."""
    server.start()
    assert server.process is not None
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
        else:
            server.wait()


def make_database(
    fasta: Path,
    data: Path,
    shards: int = 2,
    name: str = "demo",
    taxa: TaxonSources = TaxonSources(),  # noqa: B008 frozen
    clusters: Path | None = None,
) -> None:
    """What `shardwater makedb` does."""
    build_database([fasta], data, name=name, shards=shards, clusters=clusters, taxon_sources=taxa)
