"""What front ends do with searches that all shards have answered, in the test's own process."""

from worker.jobs.merging import Merger
from worker.jobs.redis_names import ANSWERED
from worker.jobs.results.parts import merge_parts
from worker.jobs.store import JobStore


def merge_answered(store: JobStore) -> None:
    """Merge all that is answered."""
    merger = Merger(store, lambda *answered: merge_parts(*answered[:4], None))
    while store.redis.llen(ANSWERED):
        search = merger.next(store.redis, 1)
        assert search is not None
        merger.merge(search)
