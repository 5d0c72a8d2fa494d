"""The function that RQ calls in a worker: a turn at the shard's queue."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from redis.exceptions import RedisError

from shardwater.errors import AlignError, DatabaseError, SearchCancelled
from shardwater.search.search import Inquiry, find_all_hits
from worker.jobs.results.parts import is_for_any_line
from worker.jobs.states import Failure, SearchExpired, SearchNotFound, SearchTarget
from worker.queue.part_queue import Wanted
from worker.runner.context import Resident, resident
from worker.runner.devices import end_if_device_failed
from worker.runner.timed_engine import at_work
from worker.runner.watch import TooLong, Watch

log = logging.getLogger(__name__)


def search_shard(search: str, shard: int) -> None:
    """Search this worker's shard, and store what it finds; in the same pass, for others that wait.

    A failure that another try would repeat ends the search with its reason; Redis out of reach is left to RQ's
    retry, as the death of the process is.
    """
    held = resident()
    try:
        first = held.line.begun(search)
        if first is not None:
            _Turn(held, [first, *held.line.beside(first, held.pace.room)]).answer()
    except (SearchNotFound, SearchExpired):
        log.info("search %s: gone", search)
    finally:
        if held.line.held:
            held.line.leave()


@dataclass(slots=True)
class _Turn:
    """Searches done in one pass; while they run, others may overtake them."""

    held: Resident
    searches: Sequence[Wanted]
    overtaking: bool = False
    watch: Watch = field(init=False)

    def __post_init__(self) -> None:
        self.watch = Watch(self.held, self.searches, self._let_by)

    @property
    def name(self) -> str:
        """For the log."""
        return f"search {', '.join(each.id for each in self.searches)}"

    def answer(self) -> None:
        """Search and store; what fails ends its search, and no other. Raises RedisError alone."""
        with at_work(self.held.engine, self.held.client.tally, self.searches):
            self._answer()

    def _answer(self) -> None:
        try:
            self._search()
        except SearchCancelled:
            log.info("%s: stopped on shard %d", self.name, self.held.shard.index)
        except TooLong:
            limit = self.held.client.retention.job_timeout_s
            self._fail("search-timeout", f"shard {self.held.shard.index} took longer than {limit} s")
        except RedisError:
            raise
        except Exception as error:
            end_if_device_failed(error, self.held.queue)
            # What was scored and what is aligned now may be different bytes: the search is not to blame.
            self.held.seal.end_if_broken(self.held.queue)
            self._blame(error)
        self.held.line.done(self.searches)

    def _search(self) -> None:
        held = self.held
        for each in self.searches:
            _check_target(held, each.target)
        found = find_all_hits(
            held.engine, held.shard, [self._inquiry(each) for each in self.searches], self.watch.watcher
        )
        held.seal.end_if_broken(held.queue)
        self.watch.merging()
        for each, result in zip(self.searches, found, strict=True):
            held.client.store(each.id, result, each.request, each.target)
        self.watch.ended()
        cells, seconds = sum(result.cells for result in found), self.watch.seconds
        log.info("%s: shard %d, %d cells in %.3f s", self.name, held.shard.index, cells, seconds)

    def _inquiry(self, search: Wanted) -> Inquiry:
        any_line = search.target.shards > 1 and is_for_any_line(self.held.client.redis, search.id)
        return Inquiry(search.request.records(), search.request.parameters, any_line)

    def _blame(self, error: Exception) -> None:
        """Of several searches, find the one at fault by doing each alone."""
        if len(self.searches) > 1:
            for each in self.searches:
                _Turn(self.held, [each], overtaking=self.overtaking).answer()
        elif isinstance(error, AlignError):
            self._fail("shard-failed", f"shard {self.held.shard.index}: {error}")
        else:
            log.error("%s: shard %d failed", self.name, self.held.shard.index, exc_info=error)
            self._fail("shard-failed", f"shard {self.held.shard.index}: the engine failed; see its log")

    def _fail(self, kind: str, detail: str) -> None:
        for each in self.searches:
            try:
                self.held.client.fail(each.id, Failure(kind, detail, self.held.shard.index))
            except (SearchNotFound, SearchExpired):
                log.info("search %s: gone", each.id)

    def _let_by(self, left: int) -> None:
        """Do at once, in the middle of this search, what should not wait for the rest of it."""
        if self.overtaking or len(self.searches) > 1:
            return
        searches = self.held.line.overtaking(self.searches[0], left, self.held.pace.room)
        if searches:
            _Turn(self.held, searches, overtaking=True).answer()


def _check_target(held: Resident, target: SearchTarget) -> None:
    """A queue's name says what it is for; a checksum proves that this worker holds just that."""
    held_now = (held.shard.database.manifest.checksum, held.shard.count)
    if held_now != (target.used.checksum, target.shards):
        raise DatabaseError(f"this worker holds another database than {target.used.name}@{target.used.version}")
