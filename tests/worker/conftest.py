"""An empty queue with a small database, and a worker of it in this process."""

from dataclasses import replace
from pathlib import Path

import pytest

from shardwater.database.database import Database, Shard
from shardwater.genomes.cpu import CpuGenomes
from shardwater.pairs.cpu import CpuPairs
from tests.support.queue_fixtures import database, redis, store, target, valkey
from tests.support.scripted import ScriptedEngine
from tests.support.simulators import simulator
from tests.support.turns import by_residues
from worker.jobs.costs import Experience
from worker.jobs.files import JobFiles
from worker.jobs.redis_names import alive_key
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE, SearchTarget
from worker.jobs.worker_registry import worker_prefix
from worker.queue.part_queue import PartQueue
from worker.runner.context import WorkerContext, keep
from worker.runner.integrity import IntegrityCheck
from worker.runner.pace import Pace
from worker.runner.timed_engine import TimedEngine, TimedPairs

__all__ = ["database", "redis", "store", "target", "valkey"]


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def shard(database: Database) -> Shard:
    return database.shard(0, 1)


@pytest.fixture
def whole(store: JobStore, database: Database, target: SearchTarget) -> SearchTarget:
    """The database in one shard, whose worker counts as alive."""
    [database_target] = target.databases
    whole = SearchTarget((replace(database_target, shards=1),))
    store.redis.set(alive_key(whole.queues[0]), "test")
    return whole


@pytest.fixture
def context(
    store: JobStore, engine: ScriptedEngine, shard: Shard, whole: SearchTarget, tmp_path: Path
) -> WorkerContext:
    """A worker of that shard, which does not wait for more when nothing is left."""
    engine.load(shard)
    [name] = whole.queues
    queue = PartQueue(store, (name, DEVICE), f"{worker_prefix(name, 1)}x")
    # No work of these tests is long for it.
    pace = Pace(Experience(by_residues(1e-6)), shard.residues)
    timed = TimedEngine(engine, store.tally, "small")
    pairs, files = TimedPairs(CpuPairs(1), store.tally), JobFiles(tmp_path / "jobs", 1 << 30)
    genomes, check = CpuGenomes(), IntegrityCheck(shard.database)
    made = WorkerContext(store, timed, pairs, genomes, simulator(), shard, files, queue, pace, check, linger_s=0)
    keep(made)
    return made
