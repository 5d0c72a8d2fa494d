"""Lists of jobs, a page at a time; a page's token holds the place to go on from and the filters it is for."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, islice
from typing import cast

from worker.jobs.clock import server_time
from worker.jobs.page_tokens import read_token, write_token
from worker.jobs.redis_names import SearchKeys, text
from worker.jobs.states import ENDED, DamagedJob, SearchExpired, SearchNotFound, SearchState, State
from worker.jobs.store import JobStore
from worker.telemetry.safe_traceback import outline

BATCH = 200
MAX_LOOKED_AT = 1000
"""Jobs that one page looks at. Without a limit, a list by state would look at every job of an account."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listing:
    """Which jobs: these ids or all, in this state or any, created after a Unix time or ever."""

    ids: tuple[str, ...] | None = None
    state: State | None = None
    created_after: float | None = None


@dataclass(frozen=True, slots=True)
class _Position:
    """Where a job stands in a list: by the time of its creation, or by its number among ids that were named.

    Not by an offset, which a new job would shift.
    """

    order: float
    search: str


@dataclass(frozen=True, slots=True)
class Page:
    """Some jobs and the token for more, empty on the last page.

    total counts those of all pages; None in a list by state, where it would take a look at every job.
    """

    searches: list[SearchState]
    next_token: str
    total: int | None


def list_searches(store: JobStore, listing: Listing, size: int, token: str = "") -> Page:
    """A page of jobs, newest first; what is gone, or cannot be read, is left out. Raises PageTokenError.

    A list by state may have fewer jobs on a page than wanted, and yet a next page: see MAX_LOOKED_AT.
    """
    found: list[SearchState] = []
    after = _Position(*read_token(listing, token)) if token else None
    last: _Position | None = None
    total = _total(store, listing)
    for looked_at, (place, may_match) in enumerate(_candidates(store, listing, after)):
        is_looked_at = may_match and looked_at < MAX_LOOKED_AT
        state = _state(store, listing, place.search) if is_looked_at else None
        is_full = looked_at == MAX_LOOKED_AT or (state is not None and len(found) == size)
        if is_full and last is not None:
            return Page(found, write_token(listing, last.order, last.search), total)
        if state is not None:
            found.append(state)
        last = place
    return Page(found, "", total)


def _state(store: JobStore, listing: Listing, search: str) -> SearchState | None:
    """A job; None where it is gone, cannot be read, or is in another state than the list's."""
    try:
        state = store.state(search)
    except (SearchNotFound, SearchExpired):
        return None
    except DamagedJob as error:
        # The others are to be seen; who asks for this one is told.
        log.warning("%s: it is left out of a list: %s", error, outline(error))
        return None
    return state if listing.state in (None, state.state) else None


def _candidates(store: JobStore, listing: Listing, after: _Position | None) -> Iterator[tuple[_Position, bool]]:
    """The jobs after a place, each with whether it may be in the list's state: one round trip asks for many ends."""
    places = _positions(store, listing, after)
    while batch := list(islice(places, BATCH)):
        if listing.state is None:
            yield from ((place, True) for place in batch)
            continue
        wanted = listing.state if listing.state in ENDED else None
        outcomes = store.outcomes([place.search for place in batch])
        yield from ((place, outcome == wanted) for place, outcome in zip(batch, outcomes, strict=True))


def _total(store: JobStore, listing: Listing) -> int | None:
    if listing.state is not None:
        return None
    if listing.ids is None:
        # What has expired leaves the set only when the next job comes.
        kept = server_time(store.redis) - store.retention.search_s
        return int(store.redis.zcount(store.listed, f"({max(kept, listing.created_after or 0)!r}", "+inf"))
    return sum(_there(store, listing.ids))


def _there(store: JobStore, ids: Sequence[str]) -> list[bool]:
    """Which jobs there are that the caller sees, in two round trips: a look at each would take several."""
    seen = store.sees(ids)
    with store.redis.pipeline(transaction=False) as pipe:
        for search in compress(ids, seen):
            pipe.exists(SearchKeys(search).meta)
        kept = iter(pipe.execute())
    return [is_seen and bool(next(kept)) for is_seen in seen]


def _positions(store: JobStore, listing: Listing, after: _Position | None) -> Iterator[_Position]:
    """The jobs of a list that come after a place in it."""
    if listing.ids is not None:
        start = max(0, int(after.order) + 1) if after else 0
        there = _there(store, listing.ids[start:])
        yield from (_Position(start + place, listing.ids[start + place]) for place, known in enumerate(there) if known)
        return
    oldest = f"({listing.created_after!r}" if listing.created_after is not None else "-inf"
    newest, start = (after.order if after else "+inf"), 0
    while True:
        found = store.redis.zrevrangebyscore(store.listed, newest, oldest, start=start, num=BATCH, withscores=True)
        batch = cast(list[tuple[bytes, float]], found)
        for member, created in batch:
            place = _Position(created, text(member))
            # Among those of one moment Redis gives the later names first.
            if after is None or (place.order, place.search) < (after.order, after.search):
                yield place
        if len(batch) < BATCH:
            return
        start += BATCH
