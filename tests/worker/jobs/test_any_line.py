"""Shards that have chosen their best for lines of another slope than the whole database's: the search is made again."""

from pathlib import Path

import numpy as np
import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.search import shortlist
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.statistics.length_regression import Slopes
from shardwater.steps import finish
from tests.support.merging import merge_answered, round_of, store_answer
from worker.jobs.redis_names import alive_key, part_id, waiting_key
from worker.jobs.requests import SearchRequest
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget, search_target
from worker.kinds.search import plan
from worker.queue.recovery import recover

AMINO_ACIDS = list("ARNDCQEGHILKMFPSTWYV")


@pytest.fixture
def crowd(tmp_path: Path) -> Database:
    """300 random proteins, enough for a fit of each of two shards."""
    rng, source = np.random.default_rng(1), tmp_path / "crowd.fasta"
    source.write_text(
        "".join(f">s{n}\n{''.join(rng.choice(AMINO_ACIDS, rng.integers(20, 200)))}\n" for n in range(300))
    )
    build_database([source], tmp_path / "data", name="crowd", shards=2)
    return Catalog(tmp_path / "data").current("crowd")


def answer(store: JobStore, database: Database, search: str, shard: int) -> tuple[bool, bool]:
    """Do what a worker does; whether it was for any line, and whether the shard has said for which lines it holds."""
    asked, target = store.request(search)
    engine, part = CpuEngine(1), database.shard(shard, target.parts)
    engine.load(part)
    wanted = ShardSearch(asked.records(), asked.parameters, round_of(store, search) > 1)
    [found] = finish(find_all_hits(engine, part, [wanted]))
    store_answer(store, search, found, target.parts)
    merge_answered(store)
    return wanted.any_line, found.slopes != (None,)


def submit(store: JobStore, target: SearchTarget, database: Database, **fields: object) -> str:
    for queue in target.queues:
        store.redis.set(alive_key(queue), "test")
    asked = SearchRequest(sequence=database.sequence(200).decode(), database="crowd", **fields)
    return store.submit(plan(asked, asked.records(), target), fresh=True).id


def test_search_is_made_again_for_any_line(store: JobStore, crowd: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    target = search_target(crowd.manifest)
    usual = submit(store, target, crowd)
    assert [answer(store, crowd, usual, shard) for shard in (0, 1)] == [(False, True)] * 2
    search = submit(store, target, crowd)
    monkeypatch.setattr(shortlist, "slopes_about", lambda fit, counts: Slopes(fit.rho + 1, fit.rho + 2))
    for shard in (0, 1):
        store.redis.delete(waiting_key(target.queues[shard]))
        answer(store, crowd, search, shard)
    assert store.state(search).shards.done == 0
    assert store.state(search).error is None
    recover(store)
    for shard in (0, 1):
        assert store.redis.zscore(waiting_key(target.queues[shard]), part_id(search, shard)) is not None
        assert answer(store, crowd, search, shard) == (True, False)
    assert store.state(search).state == "succeeded"
    assert store.result(search).results == store.result(usual).results


def test_search_is_made_again_where_a_shard_has_aligned_too_few(
    store: JobStore, crowd: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = search_target(crowd.manifest)
    usual = submit(store, target, crowd)
    for shard in (0, 1):
        answer(store, crowd, usual, shard)
    search = submit(store, target, crowd)
    monkeypatch.setattr(shortlist, "LIKELY", 0)
    for shard in (0, 1):
        store.redis.delete(waiting_key(target.queues[shard]))
        answer(store, crowd, search, shard)
    assert store.state(search).shards.done == 0
    recover(store)
    assert [answer(store, crowd, search, shard) for shard in (0, 1)] == [(True, False)] * 2
    assert store.result(search).results == store.result(usual).results
