"""What workers and front ends do with a search's parts, in the test's own process."""

from collections.abc import Callable
from pathlib import Path

from pydantic import TypeAdapter

from app.background.merger import Merger
from shardwater.database.catalog import Catalog
from shardwater.search.hits import ShardResult
from worker.jobs.redis_names import ANSWERED
from worker.jobs.results.parts import pack_part
from worker.jobs.store import JobStore
from worker.kinds import kind_of
from worker.kinds.kind import Again, Answered, FrontEnd

_SHARD_RESULT = TypeAdapter(ShardResult)


def store_answer(store: JobStore, search: str, result: ShardResult, shards: int) -> None:
    """Keep what one of so many shards has found."""
    store.store_part(search, result.index, pack_part(_SHARD_RESULT, result), shards)


def advance_here(store: JobStore, data: Path) -> Callable[[Answered, Callable[[], object]], bytes | Again]:
    """What a Merger advances jobs by."""
    here = FrontEnd(store, Catalog(data), None)
    return lambda answered, going_on: kind_of(answered.job).advance(answered, here)


def merge_answered(store: JobStore, data: Path = Path()) -> None:
    """Merge all that is answered."""
    merger = Merger(store, advance_here(store, data))
    while store.redis.llen(ANSWERED):
        search = merger.next(store.redis, 1)
        assert search is not None
        merger.merge(search)
