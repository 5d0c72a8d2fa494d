"""A real service that asks for keys, over a few proteins, and clients of several owners."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import kill
from pathlib import Path

import httpx

from tests.support.server import PATIENCE_S, Server, make_database, running
from worker.access.api_keys import ApiKeys
from worker.access.callers import Scope
from worker.jobs.redis_names import alive_key
from worker.jobs.worker_registry import ALIVE_S, worker_key

FASTA = ">one first protein\nMKVLAAGWDEHHKLMNPQRSTVWY\n>two\nMKVLAAGW\n>three\nHHKLMNPQRSTVWYACDEF\n>four\nWWWWCCCC\n"
QUERY = ">q\nMKVLAAGWDEHHKLMNPQRS\n"


def small_data(folder: Path) -> Path:
    """A data folder with a database `demo` of four proteins."""
    (folder / "small.fasta").write_text(FASTA)
    make_database(folder / "small.fasta", folder / "data", shards=1)
    return folder / "data"


@dataclass
class Guarded:
    """A service in mode `keys`."""

    server: Server
    keys: ApiKeys
    clients: list[httpx.Client] = field(default_factory=list)

    def key(self, owner: str, *scopes: Scope) -> str:
        """The text of a new key."""
        return self.keys.create(owner, scopes or ("search",), None).text

    def client(self, owner: str, *scopes: Scope) -> httpx.Client:
        """A client with a new key."""
        return self.anybody({"Authorization": f"Bearer {self.key(owner, *scopes)}"})

    def anybody(self, headers: dict[str, str] | None = None) -> httpx.Client:
        """A client with these headers."""
        # The length of compressed text hangs on the ids in it.
        plain = {"Accept-Encoding": "identity", **(headers or {})}
        made = httpx.Client(base_url=self.server.url, timeout=PATIENCE_S + 30, headers=plain, verify=False)
        self.clients.append(made)
        return made


def guarding(data: Path, **settings: str) -> Iterator[Guarded]:
    """A service in mode `keys` with more settings, as long as it is needed."""
    chosen = {"auth": "keys", **settings}
    environment = {f"SHARDWATER_{name.upper()}": value for name, value in chosen.items()}
    with running(Server(data, environment=environment)) as server, server.redis as redis:
        guarded = Guarded(server, ApiKeys(redis))
        yield guarded
        for client in guarded.clients:
            client.close()


PORTAL = "https://portal.example"
LIMITS = {"searches": 3, "cells": 3 * 10**6}


@contextmanager
def standing(server: Server) -> Iterator[None]:
    """Workers that do nothing, as long as the context lasts, and count as alive however long that is."""
    assert server.process is not None
    # The supervisor would kill workers whose hearts do not beat.
    stopped = [server.process.pid, *server.pids("worker.cli")]
    with server.redis as redis:
        for pid in stopped:
            kill(pid, signal.SIGSTOP)
        signs = [*redis.scan_iter(alive_key("*")), *redis.scan_iter(worker_key("*"))]
        for sign in signs:
            redis.persist(sign)
        try:
            yield
        finally:
            for pid in reversed(stopped):
                kill(pid, signal.SIGCONT)
            for sign in signs:
                redis.expire(sign, ALIVE_S)


def search(
    http: httpx.Client, sequence: str = QUERY, wait: int | None = PATIENCE_S, **fields: object
) -> httpx.Response:
    """Post a search, and wait for its end unless told otherwise."""
    headers = {} if wait is None else {"Prefer": f"wait={wait}"}
    return http.post("/v1/searches", json={"sequence": sequence, "database": "demo", **fields}, headers=headers)
