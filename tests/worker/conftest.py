"""A real Valkey for each test, a small database that a client can name, and a worker of it in this process."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database, Shard
from tests.support.scripted import ScriptedEngine
from tests.support.turns import by_residues
from worker.jobs.costs import Experience
from worker.jobs.redis_names import alive_key, queue_name, shard_queues
from worker.jobs.states import SearchTarget, search_target
from worker.jobs.store import Client
from worker.queue.part_queue import PartQueue
from worker.runner.context import WorkerContext, keep
from worker.runner.integrity import Seal
from worker.runner.pace import Pace
from worker.runner.process import worker_prefix
from worker.runner.timed_engine import TimedEngine
from worker.supervision.valkey import EmbeddedValkey

FASTA = ">one first protein\nMKVLAAGWDEHHKLMNPQRSTVWY\n>two\nMKVLAAGW\n>three\nHHKLMNPQRSTVWYACDEF\n>four\nWWWWCCCC\n"


@pytest.fixture(params=["valkey", "redis"])
def redis(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Redis]:
    """An empty server: the embedded Valkey, and Debian's redis-server where it is installed."""
    if request.param == "valkey":
        embedded = EmbeddedValkey(tmp_path)
        with Redis.from_url(embedded.start()) as connection:
            yield connection
        embedded.stop()
        return
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("no redis-server is installed")
    socket = tmp_path / "redis.sock"
    command = [program, "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "ready to accept connections" in line.lower():
                break
        with Redis.from_url(f"unix://{socket}") as connection:
            yield connection
        process.terminate()


@pytest.fixture
def client(redis: Redis) -> Client:
    """A client of an empty queue."""
    return Client(redis)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """Four proteins, in two shards."""
    source = tmp_path / "small.fasta"
    source.write_text(FASTA)
    build_database([source], tmp_path / "data", name="small", shards=2)
    return Catalog(tmp_path / "data").current("small")


@pytest.fixture
def target(client: Client, database: Database) -> SearchTarget:
    """The database as a search names it; its workers count as alive."""
    target = search_target(database.manifest)
    for shard in range(target.shards):
        client.redis.set(alive_key(queue_name(target.used.name, target.used.version, shard, target.shards)), "test")
    return target


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def shard(database: Database) -> Shard:
    return database.shard(0, 1)


@pytest.fixture
def whole(client: Client, database: Database, target: SearchTarget) -> SearchTarget:
    """The database in one shard, whose worker counts as alive."""
    whole = SearchTarget(target.used, target.size, 1)
    client.redis.set(alive_key(shard_queues(whole)[0]), "test")
    return whole


@pytest.fixture
def context(client: Client, engine: ScriptedEngine, shard: Shard, whole: SearchTarget) -> WorkerContext:
    """A worker of that shard, which does not wait for more when nothing is left."""
    engine.load(shard)
    [name] = shard_queues(whole)
    queue = PartQueue(client, name, f"{worker_prefix(name, 1)}x")
    # No work of these tests is long for it.
    pace = Pace(Experience(by_residues(1e-6)), shard.residues)
    timed = TimedEngine(engine, client.tally, "small")
    made = WorkerContext(client, timed, shard, queue, pace, Seal(shard.database), linger_s=0)
    keep(made)
    return made
