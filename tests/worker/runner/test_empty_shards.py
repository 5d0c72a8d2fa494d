"""A database in more shards than it has sequences: some have none, and nobody who searches it can tell."""

import os
from dataclasses import replace

import pytest

from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.genomes.cpu import CpuGenomes
from shardwater.pairs.cpu import CpuPairs
from tests.support.scripted import submit, work
from tests.support.simulators import simulator
from worker.jobs.costs import Costs, Experience
from worker.jobs.files import JobFiles
from worker.jobs.redis_names import alive_key, costs_key
from worker.jobs.requests import SearchRequest
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.jobs.worker_registry import worker_prefix
from worker.kinds.search import plan
from worker.queue.part_queue import PartQueue
from worker.runner.calibration import measure_costs
from worker.runner.context import WorkerContext, keep
from worker.runner.integrity import IntegrityCheck
from worker.runner.pace import Pace
from worker.runner.timed_engine import TimedEngine, TimedPairs

SHARDS = 7


@pytest.fixture
def cut(store: JobStore, target: SearchTarget) -> SearchTarget:
    """Four sequences in seven shards, each of which has a worker that answers."""
    cut = SearchTarget(tuple(replace(each, shards=SHARDS) for each in target.databases))
    for queue in cut.queues:
        store.redis.set(alive_key(queue), "test")
    return cut


def run_worker(store: JobStore, database: Database, queue: str, shard: int) -> None:
    """Load a shard, measure what work costs, and do all that waits, as a worker does."""
    part, engine = database.shard(shard, SHARDS), CpuEngine(1)
    engine.load(part)
    costs = measure_costs(engine, part, Costs.usual("cpu", part.residues, len(part)))
    store.redis.hset(costs_key(queue), "test", costs.to_json())
    own = PartQueue(store, (queue,), f"{worker_prefix(queue, os.getpid())}x")
    timed, pace = TimedEngine(engine, store.tally, "small"), Pace(Experience(costs), part.residues)
    pairs, files = TimedPairs(CpuPairs(1), store.tally), JobFiles(database.path / "jobs", 1 << 30)
    check = IntegrityCheck(database)
    context = WorkerContext(store, timed, pairs, CpuGenomes(), simulator(), part, files, own, pace, check, linger_s=0)
    keep(context)
    work(context)


def test_search_is_answered_by_all_of_them(store: JobStore, database: Database, cut: SearchTarget) -> None:
    search = submit(store, cut, "q")
    for shard, queue in enumerate(cut.queues):
        assert store.state(search).state in ("queued", "running")
        run_worker(store, database, queue, shard)
    assert store.state(search).state == "succeeded"
    result = store.result(search)
    assert [(shard.index, shard.subjects) for shard in result.certificate.shards] == [
        (0, 1), (1, 1), (2, 1), (3, 1), (4, 0), (5, 0), (6, 0),
    ]  # fmt: skip
    assert (result.certificate.subjects, result.certificate.residues) == (4, 59)
    # Both have the whole query in them.
    assert {hit.accession for hit in result.results[0].hits[:2]} == {"one", "two"}


def test_next_one_is_estimated_and_accepted(store: JobStore, database: Database, cut: SearchTarget) -> None:
    for shard, queue in enumerate(cut.queues):
        run_worker(store, database, queue, shard)
        store.redis.set(alive_key(queue), "another")
    asked = SearchRequest(sequence=">next\nMKVLAAGWDEHH", database="small")
    outlook = store.estimate(plan(asked, asked.records(), cut)).outlook
    assert outlook.position == 0
    assert 0 < (outlook.seconds or 0) < 60
    searches = [submit(store, cut, f"next {number}") for number in range(3)]
    assert {store.state(search).state for search in searches} == {"queued"}
