"""Jobs followed as they go on: Redis tells, each is looked at once, and all who follow it get the same bytes.

An event is a snapshot, not an entry of a log: who is slow or comes back gets the newest and has missed nothing. Its id
says what it shows, so that any front end knows by Last-Event-ID what a client has already.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace

from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from redis.asyncio import Redis as AsyncRedis
from redis.exceptions import RedisError

from app.alignment_schemas import Alignment
from app.comparison_schemas import Comparison
from app.msa_schemas import Msas
from app.problems import problem_of
from app.responses import alignment_json, comparison_json, msa_json, search_json
from app.schemas import Search
from worker.jobs import ids
from worker.jobs.clock import server_time
from worker.jobs.ids import kind_named
from worker.jobs.redis_names import BEGUN, SearchKeys
from worker.jobs.states import (
    ENDED,
    DamagedJob,
    Failure,
    SearchExpired,
    SearchLost,
    SearchNotFound,
    SearchState,
    State,
    utc,
)
from worker.jobs.store import JobStore
from worker.telemetry.safe_traceback import outline

PING_S = 15.0
PAUSE_S = 0.2
"""A job that runs is looked at no more often."""
QUEUED_PAUSE_S = 1.0
"""Nor is one that waits, for what others do."""
QUEUED_LOOKS = 50
"""At most so many looks a second at all that wait together: the more there are, the more each look costs."""
RETRY_S = 0.5
_PROGRESS = {"progress", "phase", "shards", "parts", "position", "estimate_s"}
"""Members that tell how far a job is."""

Shown = Search | Alignment | Comparison | Msas

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Moment:
    """A job at a moment, with the events that tell it as they are sent: all of it, and only how far it is."""

    id: str
    search: SearchState
    shown: Shown
    whole: bytes
    progress: bytes

    @classmethod
    def of(cls, search: SearchState, shown: Shown) -> "Moment":
        """A job, and all of it as it goes out."""
        ended = search.state in ENDED
        place = f"{search.shards.done}.{search.progress:.9f}.{search.phase}.{search.position}"
        name = search.state if ended else f"{search.state}.{place}"
        whole = shown.model_dump_json(by_alias=True)
        return cls(
            id=name,
            search=search,
            shown=shown,
            whole=format_sse_event(data_str=whole, event="done" if ended else "state", id=name),
            progress=format_sse_event(data_str=shown.model_dump_json(include=_PROGRESS), event="progress", id=name),
        )

    @property
    def last(self) -> bool:
        """Whether the job has ended."""
        return self.search.state in ENDED

    def after(self, seen: str) -> bytes:
        """The event for a client that has had the one with the id `seen`; nothing where it was this one."""
        if seen == self.id:
            return b""
        return self.progress if seen.partition(".")[0] == self.search.state else self.whole


class _Feed:
    """One job, looked at when there is news, or when all has long been quiet: its time may be over."""

    def __init__(self, first: Moment, look: Callable[[Moment], Moment]) -> None:
        self.followers = 0
        self.moment, self.turned = first, asyncio.Event()
        self._look = look
        self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()
        self._looked, self._due = 0.0, float("inf")
        self._timer: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._keep_looking())

    def tell(self, pause: float = 0) -> None:
        """Have the job looked at, but not within `pause` seconds of the last time."""
        due = max(self._loop.time(), self._looked + pause)
        if due < self._due:
            if self._timer is not None:
                self._timer.cancel()
            self._due, self._timer = due, self._loop.call_at(due, self._news.set)

    def end(self) -> None:
        """Look no more, and wake who waits."""
        self._task.cancel()
        if self._timer is not None:
            self._timer.cancel()
        self.turned.set()

    async def _keep_looking(self) -> None:
        while not self.moment.last:
            await self._news.wait()
            self._news.clear()
            self._looked, self._due = self._loop.time(), float("inf")
            try:
                self._show(await asyncio.to_thread(self._look, self.moment))
            except RedisError as error:
                log.warning("a search that is followed is not looked at: %s", error)
                self.tell(RETRY_S)
            self.tell(PING_S)

    def _show(self, moment: Moment) -> None:
        if moment.id != self.moment.id:
            self.moment = moment
            turned, self.turned = self.turned, asyncio.Event()
            turned.set()


def _gone(last: Moment, now: float, state: State, error: Failure | None = None) -> Moment:
    """What is told of a job that is there no more, or that cannot be read."""
    search = replace(
        last.search, state=state, finished_at=utc(now), phase=None, position=None, estimate_s=None, error=error
    )
    told = ("state", "finished_at", "phase", "position", "estimate_s")
    changed = {name: getattr(search, name) for name in told} | {"error": problem_of(error) if error else None}
    return Moment.of(search, last.shown.model_copy(update=changed))


class Events:
    """The events of all jobs that somebody follows; while nobody does, Redis is not listened to."""

    def __init__(self, redis: AsyncRedis, store: JobStore, root: str) -> None:
        self._redis, self._store, self._root = redis, store, root
        self._feeds: dict[str, _Feed] = {}
        self._listening: asyncio.Task[None] | None = None
        self._over = False

    def moment(self, search: SearchState, last: Shown | None = None) -> Moment:
        """A job as it goes out; raises SearchNotFound, SearchExpired and DamagedJob where it is gone meanwhile.

        last: how it went out before.
        """
        match kind_named(search.id):
            case ids.ALIGNMENT:
                return Moment.of(search, alignment_json.shown(self._root, self._store, search))
            case ids.COMPARISON:
                return Moment.of(search, comparison_json.shown(self._root, self._store, search))
            case ids.MSA if isinstance(last, Msas) and search.state not in ENDED:
                # To read a thousand chains takes longer than to see how they stand.
                now = msa_json.listed(self._root, search)
                return Moment.of(search, now.model_copy(update={"chains": last.chains}))
            case ids.MSA:
                return Moment.of(search, msa_json.shown(self._root, self._store, search))
        return Moment.of(search, search_json.shown(self._root, search))

    async def follow(self, first: Moment, seen: str = "") -> AsyncGenerator[bytes, None]:
        """What is sent to one client: a job's events from that after `seen` to its end, and pings between them.

        To be closed when the client leaves.
        """
        feed = self._join(first)
        try:
            while not self._over:
                moment, turned = feed.moment, feed.turned
                event = moment.after(seen)
                if event:
                    yield event
                    seen = moment.id
                if moment.last:
                    return
                try:
                    await asyncio.wait_for(turned.wait(), PING_S)
                except TimeoutError:
                    yield KEEPALIVE_COMMENT
        finally:
            self._leave(first.search.id, feed)

    def end(self) -> None:
        """Let all clients go: they come back to the next front end, and go on where they were."""
        self._over = True
        for feed in self._feeds.values():
            feed.end()

    def _join(self, first: Moment) -> _Feed:
        feed = self._feeds.get(first.search.id)
        if feed is None:
            feed = self._feeds[first.search.id] = _Feed(first, self._look)
            # It may have got on since it was read, and nobody heard.
            feed.tell()
        feed.followers += 1
        if self._listening is None:
            self._listening = asyncio.create_task(self._listen())
        return feed

    def _leave(self, search: str, feed: _Feed) -> None:
        feed.followers -= 1
        if feed.followers == 0:
            feed.end()
            del self._feeds[search]
        if not self._feeds and self._listening is not None:
            self._listening.cancel()
            self._listening = None

    def _look(self, last: Moment) -> Moment:
        """A job as it stands; `last`, with an end, where it is there no more, or cannot be read."""
        try:
            return self.moment(self._store.state(last.search.id), last.shown)
        except SearchLost as error:
            return _gone(last, server_time(self._store.redis), "failed", Failure("data-lost", str(error)))
        except (SearchNotFound, SearchExpired):
            # Somebody has deleted it.
            return _gone(last, server_time(self._store.redis), "cancelled")
        except DamagedJob as error:
            log.error("%s: its events end: %s", error, outline(error))
            return _gone(last, server_time(self._store.redis), "failed", Failure("internal-error", str(error)))

    async def _listen(self) -> None:
        everyones, this = SearchKeys("*"), asyncio.current_task()
        # A cancel can get lost: asyncio.wait_for before Python 3.12 forgets one that comes just as it is done.
        while self._listening is this:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.psubscribe(everyones.moved, everyones.done)
                    while self._listening is this:
                        self._hear(await channel.get_message(timeout=None))
                    return
            except RedisError as error:
                log.warning("the progress of searches is not heard: %s", error)
            await asyncio.sleep(RETRY_S)

    def _hear(self, message: "dict[str, object] | None") -> None:
        match message:
            case {"type": "pmessage", "channel": bytes(channel), "data": bytes(data)}:
                search = channel.decode().rpartition(":")[2]
                turning = data == BEGUN.encode() or channel == SearchKeys(search).done.encode()
                if search in self._feeds:
                    self._feeds[search].tell(0 if turning else PAUSE_S)
                if turning:
                    self._tell_queued()
            case {"type": "psubscribe"}:
                # What went before was not heard.
                for feed in self._feeds.values():
                    feed.tell()

    def _tell_queued(self) -> None:
        """Those that wait have moved on."""
        waiting = [feed for feed in self._feeds.values() if feed.moment.search.state == "queued"]
        pause = max(QUEUED_PAUSE_S, len(waiting) / QUEUED_LOOKS)
        for feed in waiting:
            feed.tell(pause)
