"""Lists of searches, a page at a time; a page's token holds the place to go on from and the filters it is for."""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from shardwater.errors import AlignError
from worker.client import Client
from worker.queues import SEARCHES, text
from worker.states import SearchExpired, SearchNotFound, SearchState, State

BATCH = 200


class PageTokenError(AlignError):
    """A page token that is not ours, or that belongs to another list."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Which searches: these ids or all, in this state or any, created after a Unix time or ever."""

    ids: tuple[str, ...] | None = None
    state: State | None = None
    created_after: float | None = None

    @property
    def digest(self) -> str:
        """What a token remembers of its list."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a search stands in a list: by the time of its creation, or by its number among ids that were named.

    Not by an offset, which a new search would shift.
    """

    order: float
    search: str


@dataclass(frozen=True, slots=True)
class Page:
    """Some searches and the token for more, empty on the last page."""

    searches: list[SearchState]
    next_token: str


def list_searches(client: Client, listing: Listing, size: int, token: str = "") -> Page:
    """A page of searches, newest first; ids that are gone are left out. Raises PageTokenError."""
    found: list[SearchState] = []
    last: _Place | None = None
    for place in _places(client, listing, _read_token(listing, token) if token else None):
        try:
            state = client.state(place.search)
        except (SearchNotFound, SearchExpired):
            continue
        if listing.state not in (None, state.state):
            continue
        if len(found) == size and last is not None:
            return Page(found, _write_token(listing, last))
        found.append(state)
        last = place
    return Page(found, "")


def _places(client: Client, listing: Listing, after: _Place | None) -> Iterator[_Place]:
    """The searches of a list that come after a place in it."""
    if listing.ids is not None:
        start = int(after.order) + 1 if after else 0
        yield from (_Place(number, search) for number, search in enumerate(listing.ids[start:], start))
        return
    oldest = f"({listing.created_after!r}" if listing.created_after is not None else "-inf"
    newest, start = (after.order if after else "+inf"), 0
    while True:
        found = client.redis.zrevrangebyscore(SEARCHES, newest, oldest, start=start, num=BATCH, withscores=True)
        batch = cast(list[tuple[bytes, float]], found)
        for member, created in batch:
            place = _Place(created, text(member))
            # Among those of one moment Redis gives the later names first.
            if after is None or (place.order, place.search) < (after.order, after.search):
                yield place
        if len(batch) < BATCH:
            return
        start += BATCH


def _write_token(listing: Listing, place: _Place) -> str:
    fields = [place.order, place.search, listing.digest]
    return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")


def _read_token(listing: Listing, token: str) -> _Place:
    try:
        order, search, digest = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        place = _Place(float(order), str(search))
    except (binascii.Error, ValueError, TypeError):
        raise PageTokenError("not a page token of this service") from None
    if digest != listing.digest:
        raise PageTokenError("the page token is for a list with other filters")
    return place
