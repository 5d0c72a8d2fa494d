"""An empty Valkey for each test, and a small database that a search can name: fixtures of two conftests."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from worker.jobs.redis_names import alive_key
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget, search_target
from worker.supervision.valkey import EmbeddedValkey

FASTA = ">one first protein\nMKVLAAGWDEHHKLMNPQRSTVWY\n>two\nMKVLAAGW\n>three\nHHKLMNPQRSTVWYACDEF\n>four\nWWWWCCCC\n"


REDIS_SERVER = shutil.which("redis-server")
"""Debian's, where it is installed: then each test of a queue runs on it, too."""
SETTINGS = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "maxmemory": 0}
"""What tests change."""


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    """One for all tests, each of which finds it empty: to start one takes longer than most of them."""
    embedded = EmbeddedValkey(tmp_path_factory.mktemp("valkey"))
    embedded.start()
    # It would be stopped where nobody is connected for some minutes.
    with embedded.connect() as held:
        held.ping()
        yield embedded
    embedded.stop()


@pytest.fixture(params=["valkey", *(["redis"] if REDIS_SERVER else [])])
def redis(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Redis]:
    """An empty server: the embedded Valkey, and Debian's redis-server where it is installed."""
    if request.param == "valkey":
        with request.getfixturevalue("valkey").connect() as connection:
            yield connection
            connection.flushall()
            connection.script_flush()
            for name, value in SETTINGS.items():
                connection.config_set(name, value)
        return
    assert REDIS_SERVER is not None
    socket = tmp_path / "redis.sock"
    command = [REDIS_SERVER, "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "ready to accept connections" in line.lower():
                break
        with Redis.from_url(f"unix://{socket}") as connection:
            yield connection
        process.terminate()


@pytest.fixture
def store(redis: Redis) -> JobStore:
    """The searches of an empty server."""
    return JobStore(redis)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """Four proteins, in two shards."""
    source = tmp_path / "small.fasta"
    source.write_text(FASTA)
    build_database([source], tmp_path / "data", name="small", shards=2)
    return Catalog(tmp_path / "data").current("small")


@pytest.fixture
def target(store: JobStore, database: Database) -> SearchTarget:
    """The database as a search names it; its workers count as alive."""
    target = search_target(database.manifest)
    for queue in target.queues:
        store.redis.set(alive_key(queue), "test")
    return target
