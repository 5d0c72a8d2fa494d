"""What a front end's watchdog looks after: jobs of dead workers, room, and jobs that nobody can run."""

import math
import time

from shardwater.database.catalog import Catalog
from worker.jobs.files import JobFiles
from worker.jobs.redis_names import ANSWERED, SearchKeys, live_searches
from worker.jobs.retention import make_room
from worker.jobs.states import DamagedJob, Failure, SearchExpired, SearchNotFound
from worker.jobs.store import JobStore
from worker.jobs.targets import DatabaseTarget, SearchTarget
from worker.jobs.worker_registry import workers
from worker.queue.recovery import forget_workers, recover
from worker.settings import Settings
from worker.uploads.store import Uploads

MISSING_S = 60
"""How long a version must be missing, in seconds, before it counts as removed: a folder may be mounted again."""
SWEEP_S = 60
"""How often the folders of uploads and of jobs are looked through, in seconds."""
FORGET_S = 30
"""How often dead workers' names are removed, in seconds: it takes some questions for each queue."""


class Cleanup:
    """Looks again and again; two front ends may look at a time."""

    def __init__(self, store: JobStore, settings: Settings, patience_s: float = MISSING_S) -> None:
        self._store, self._settings, self._patience_s = store, settings, patience_s
        self._answered: set[str] = set()
        self._missing: dict[DatabaseTarget, float] = {}
        self._uploads, self._files = Uploads(settings, store.redis), JobFiles.of(settings)
        self._forgot = self._swept = -math.inf

    def look(self) -> None:
        """Give on what dead workers and front ends left, make room, fail what waits for a version that nobody holds."""
        answered, before = recover(self._store), self._answered
        # What no front end has merged since the look before: who took it has died.
        left = [search for search in sorted(answered & before) if not self._is_being_merged(search)]
        if left and not self._store.redis.llen(ANSWERED):
            self._store.redis.rpush(ANSWERED, *left)
        self._answered = answered
        make_room(self._store, self._settings.max_stored_bytes)
        gone = self._gone()
        if gone:
            self._end_searches(gone)
        if time.monotonic() - self._forgot >= FORGET_S:
            forget_workers(self._store)
            self._forgot = time.monotonic()
        if time.monotonic() - self._swept >= SWEEP_S:
            self._swept = time.monotonic()
            self._uploads.sweep()
            self._files.sweep(self._store.redis, self._store.retention.search_s)

    def _is_being_merged(self, search: str) -> bool:
        return bool(self._store.redis.exists(SearchKeys(search).merging))

    def _gone(self) -> set[DatabaseTarget]:
        """The versions waited for that have long been missing, here and in every worker."""
        catalog, now = Catalog(self._settings.data), time.monotonic()
        waited_for = self._store.live_targets()
        missing = {target for target in waited_for if target.used.version not in catalog.versions(target.used.name)}
        self._missing = {target: self._missing.get(target, now) for target in missing}
        long = {target for target, since in self._missing.items() if now - since >= self._patience_s}
        # One that drains finishes the job that it is at.
        held = {worker.place.queue for worker in workers(self._store.redis)} if long else set()
        return {target for target in long if held.isdisjoint(target.queues)}

    def _end_searches(self, gone: set[DatabaseTarget]) -> None:
        for search in live_searches(self._store.redis):
            try:
                target = self._store.target(search)
                for each in target.databases if isinstance(target, SearchTarget) else ():
                    if each in gone:
                        detail = f"version {each.used.version} of {each.used.name} has been removed"
                        self._store.fail(search, Failure("shard-failed", detail))
            except (SearchNotFound, SearchExpired, DamagedJob):
                continue
