"""What workers and front ends do with a search's parts, in the test's own process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import TypeAdapter

from app.background.merger import Merger
from shardwater.database.catalog import Catalog
from shardwater.pairs.lists import PairBounds
from shardwater.search.hits import ShardResult
from worker.jobs.files import JobFiles
from worker.jobs.redis_names import ANSWERED, SearchKeys
from worker.jobs.results.parts import pack_part
from worker.jobs.store import JobStore
from worker.kinds.kind import FrontEnd

_SHARD_RESULT = TypeAdapter(ShardResult)


def round_of(store: JobStore, job: str) -> int:
    """The round that a job is in, from 1."""
    return int(store.redis.hget(SearchKeys(job).meta, "round") or 1)


def store_answer(store: JobStore, search: str, result: ShardResult, shards: int) -> None:
    """Keep what one of so many shards has found."""
    store.store_part(search, result.index, pack_part(_SHARD_RESULT, result), shards, round_of(store, search))


def merge_answered(store: JobStore, data: Path = Path(), bounds: PairBounds | None = None, room: int = 1 << 30) -> None:
    """Merge all that is answered; room: bytes that jobs may keep."""
    files = JobFiles(data / "jobs", room)
    merger = Merger(FrontEnd(store, files, Catalog(data), None, bounds or PairBounds()))
    while store.redis.llen(ANSWERED):
        search = merger.next(store.redis, 1)
        assert search is not None
        merger.merge(search)


class Place:
    """Where results are merged that take long: one at a time, by a function; is_up: whether a process is there."""

    places = 1

    def __init__(self, merge: Callable[[str, Callable[[], object]], None], *, is_up: bool = True) -> None:
        self._merge, self.is_up = merge, is_up

    @contextmanager
    def process(self, size: int) -> Iterator["Place"]:
        assert size > 0
        yield self

    def merge(self, job: str, going_on: Callable[[], object]) -> None:
        self._merge(job, going_on)
