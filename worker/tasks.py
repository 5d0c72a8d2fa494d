"""The functions that RQ calls in a worker."""

import logging
import time

from redis.exceptions import RedisError
from rq.timeouts import JobTimeoutException

from shardwater.errors import AlignError, DatabaseError, SearchCancelled
from shardwater.search import find_hits
from worker.devices import end_if_device_failed
from worker.queues import rate_key
from worker.requests import SearchRequest
from worker.resident import Resident, resident
from worker.states import Failure, SearchExpired, SearchNotFound, SearchTarget

REPORT_S = 0.1
"""How often progress is written and a cancel is looked for, in seconds."""

RATE_S = 0.2
"""A shorter search says little of the engine's rate."""

log = logging.getLogger(__name__)


class Watch:
    """An engine's progress callback: writes progress, and stops the search once it has ended elsewhere."""

    def __init__(self, held: Resident, search: str) -> None:
        self.held, self.search = held, search
        # A search shorter than that is not worth a report: the task has just looked whether it is wanted.
        self.cells, self.started = 0, time.monotonic()
        self.next_report = self.started + REPORT_S

    def __call__(self, cells: int) -> None:
        """Count cells; now and then report them. Raises SearchCancelled."""
        self.cells += cells
        now = time.monotonic()
        if now < self.next_report:
            return
        self.next_report = now + REPORT_S
        if self.held.client.outcome(self.search) is not None:
            raise SearchCancelled
        self.held.client.report(self.search, self.held.shard.index, self.cells)
        _note_rate(self.held, self.cells, now - self.started)


def search_shard(search: str, shard: int) -> None:
    """Search this worker's shard and store what it finds.

    A failure that another try would repeat ends the search with its reason; Redis out of reach is left to RQ's
    retry, as the death of the process is.
    """
    held = resident()
    try:
        wanted = held.client.wanted(search, shard)
        if wanted is not None:
            _search(held, search, shard, *wanted)
    except (SearchCancelled, SearchNotFound, SearchExpired):
        log.info("search %s: stopped on shard %d", search, shard)
    except JobTimeoutException:
        limit = held.client.retention.job_timeout_s
        held.client.fail(search, Failure("search-timeout", f"shard {shard} took longer than {limit} s", shard))
    except AlignError as error:
        held.client.fail(search, Failure("shard-failed", f"shard {shard}: {error}", shard))
    except RedisError:
        raise
    except Exception as error:
        end_if_device_failed(error, held.queue)
        held.client.fail(search, Failure("shard-failed", f"shard {shard}: the engine failed; see its log", shard))
        raise


def _search(held: Resident, search: str, shard: int, request: SearchRequest, target: SearchTarget) -> None:
    _check_target(held, target, shard)
    started = time.monotonic()
    records = request.records()
    result = find_hits(held.engine, held.shard, records, request.parameters, Watch(held, search))
    held.seal.end_if_broken(held.queue)
    held.client.store(search, result, request, target)
    seconds = time.monotonic() - started
    _note_rate(held, result.cells, seconds)
    log.info("search %s: shard %d, %d queries, %d cells in %.3f s", search, shard, len(records), result.cells, seconds)


def _note_rate(held: Resident, cells: int, seconds: float) -> None:
    """Keep the estimates true, those of a long search while it runs too."""
    if seconds > RATE_S:
        held.client.redis.set(rate_key(held.queue), cells / seconds)


def _check_target(held: Resident, target: SearchTarget, shard: int) -> None:
    """A queue's name says what it is for; a checksum proves that this worker holds just that."""
    held_now = (held.shard.database.manifest.checksum, held.shard.index, held.shard.count)
    if held_now != (target.used.checksum, shard, target.shards):
        raise DatabaseError(f"this worker holds another database than {target.used.name}@{target.used.version}")
