"""A real service for a benchmark, and a client whose own time is small beside it."""

import http.client
import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from latency import COMMAND, start

from shardwater.sequences.fasta import Record

PATIENCE_S = 600


@dataclass(frozen=True)
class Reply:
    """What the service says."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Connection:
    """One connection that stays open, by the standard library: httpx would add a millisecond to each request."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        self._connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=PATIENCE_S)

    def send(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Reply:
        """One request and its whole answer."""
        self._connection.request(method, path, body, headers or {})
        response = self._connection.getresponse()
        return Reply(response.status, response.headers, response.read())

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


@dataclass(frozen=True)
class Answer:
    """A search's result, and the times when it was sent, accepted, ended and received, in seconds."""

    result: dict[str, Any]
    sent: float
    accepted: float
    ended: float
    received: float


def fasta(records: Sequence[Record]) -> str:
    """Queries as they are sent."""
    return "".join(f">{record.header}\n{record.residues.decode()}\n" for record in records)


def ask(service: Connection, database: str, records: Sequence[Record], **options: int | str) -> Answer:
    """Search anew, and wait for the result."""
    body = json.dumps({"sequence": fasta(records), "database": database, **options}).encode()
    headers = {"Content-Type": "application/json", "Prefer": "wait=60", "Cache-Control": "no-cache"}
    sent = time.time()
    reply = service.send("POST", "/v1/searches", body, headers)
    path = reply.headers.get("Location", "")
    while reply.status == HTTPStatus.ACCEPTED and time.time() - sent < PATIENCE_S:
        time.sleep(0.05)
        state = json.loads(service.send("GET", path).body)["state"]
        if state not in ("queued", "running"):
            reply = service.send("GET", f"{path}/results")
    received = time.time()
    if reply.status != HTTPStatus.OK:
        raise SystemExit(reply.body.decode())
    state = json.loads(service.send("GET", path).body)
    accepted, ended = (datetime.fromisoformat(state[name]).timestamp() for name in ("created_at", "finished_at"))
    return Answer(json.loads(reply.body), sent, accepted, ended, received)


@contextmanager
def running(data: Path) -> Iterator[Connection]:
    """A connection to a service over a data folder, ready."""
    process, url = start(data)
    try:
        service = Connection(url)
        yield service
        service.close()
    finally:
        process.terminate()
        process.wait()


def build(source: Path, data: Path, shards: int) -> None:
    """`shardwater makedb`."""
    command = [*COMMAND, "makedb", str(source), "--name", "bench", "--out", str(data), "--shards", str(shards)]
    subprocess.run(command, check=True)
