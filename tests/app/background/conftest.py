"""A front end, and searches that it may merge."""

from collections.abc import Callable

import pytest

from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.search.search import find_hits
from tests.support.merging import store_answer
from worker.jobs.files import JobFiles
from worker.jobs.requests import SearchRequest
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds.kind import FrontEnd
from worker.kinds.search import plan


@pytest.fixture
def here(store: JobStore, database: Database) -> FrontEnd:
    return FrontEnd(store, JobFiles(database.path / "jobs", 1 << 30), Catalog(database.path.parents[1]), None)


@pytest.fixture
def answered(store: JobStore, target: SearchTarget, database: Database) -> Callable[[], str]:
    """answered(): a search that both shards have answered."""

    def make() -> str:
        request = SearchRequest(sequence=">q\nMKVLAAGW", database="small")
        search = store.submit(plan(request, request.records(), target), fresh=True).id
        for shard in (0, 1):
            engine, part = CpuEngine(1), database.shard(shard, 2)
            engine.load(part)
            store_answer(store, search, find_hits(engine, part, request.records(), request.parameters), 2)
        return search

    return make
