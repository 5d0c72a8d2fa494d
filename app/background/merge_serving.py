"""What a process does that merges for a front end (merge_process.py): one job after another, until that is gone.

It is told a job's id, and reads the parts and stores the result itself: no result can be taken for another job's.
"""

import gc
import os
from contextlib import suppress
from multiprocessing.connection import Connection

from redis.exceptions import RedisError

from app.background.heartbeat import beating
from app.background.merger import Merger
from shardwater.database.catalog import Catalog
from worker.jobs.files import JobFiles
from worker.jobs.store import JobStore
from worker.kinds.kind import FrontEnd
from worker.settings import Settings
from worker.telemetry.safe_traceback import outline

NICENESS = 5
"""By how much these processes give way: who answers, and who feeds a GPU, has the cores first."""


def serve(front_end: Connection, settings: Settings) -> None:
    """Merge the jobs that the front end tells until it is gone, however that ends; answer what went wrong, or ""."""
    os.nice(NICENESS)
    store = JobStore(settings.connect(), settings.retention, intake=settings.intake)
    files, catalog = JobFiles.of(settings), Catalog(settings.data)
    merger = Merger(FrontEnd(store, files, catalog, settings.signer(), settings.pair_bounds))
    # A result is a million objects without a cycle: to look through them again and again takes a third of the time.
    gc.disable()
    with suppress(EOFError, OSError):
        while True:
            job: str = front_end.recv()
            with beating(front_end):
                error = _merged(merger, job)
                with suppress(RedisError):
                    store.tally.flush(store.redis)
            front_end.send(error)
            gc.collect()


def _merged(merger: Merger, job: str) -> str:
    try:
        merger.merge_here(job)
    except Exception as failure:
        # Without its message, which may quote what was sent.
        return outline(failure)
    return ""
