"""Places that accounts share: an account holds a few of them at a time, and those that wait are served in turn."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from app.problems import OverloadError


class FairTurns:
    """The places of one front end, for use by its event loop only.

    A free place goes to the next account round robin, however many requests each of them has waiting. So a request that
    is its account's first waits for one turn of each other account at most.
    """

    def __init__(self, places: int, of_one: int, seats: int | None = None) -> None:
        """of_one: places that one account holds at a time. seats: its requests that hold a place or wait for one."""
        self._free, self._of_one, self._seats = places, of_one, seats
        self._held = Counter[str]()
        # The first account that may have one more place is next.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def place(self, account: str) -> AsyncIterator[None]:
        """A place that is free now, as long as the context lasts. Raises OverloadError."""
        if not self._has_place(account):
            raise OverloadError("too many requests of this kind are open: send this one again later")
        self._hold(account)
        try:
            yield
        finally:
            self.leave(account)

    @asynccontextmanager
    async def turn(self, account: str) -> AsyncIterator[None]:
        """A place, waited for, as long as the context lasts. Raises OverloadError where too many wait already."""
        await self.enter(account)
        try:
            yield
        finally:
            self.leave(account)

    async def enter(self, account: str) -> None:
        """Wait for a place, to be given back by `leave`. Raises OverloadError where too many wait already."""
        if self._has_place(account):
            self._hold(account)
            return
        waiting = self._waiting.get(account, deque())
        if self._seats is not None and self._held[account] + len(waiting) >= self._seats:
            raise OverloadError("you have too many requests waiting: send this one again later")
        mine = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(account, waiting).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            self._give_up(account, mine)
            raise

    def leave(self, account: str) -> None:
        """Give a place back."""
        self._free += 1
        self._held[account] -= 1
        if not self._held[account]:
            del self._held[account]
        self._serve()

    def _has_place(self, account: str) -> bool:
        # Whoever waits has been served where there was a place: nobody is overtaken.
        return self._free > 0 and self._held[account] < self._of_one

    def _hold(self, account: str) -> None:
        self._free -= 1
        self._held[account] += 1

    def _give_up(self, account: str, mine: asyncio.Future[None]) -> None:
        if not mine.cancelled():
            # It was served just before.
            self.leave(account)
            return
        with suppress(KeyError, ValueError):
            self._waiting[account].remove(mine)
            if not self._waiting[account]:
                del self._waiting[account]

    def _serve(self) -> None:
        """Give free places to those who wait; an account that was served goes behind the others."""
        while (account := next(filter(self._has_place, self._waiting), None)) is not None:
            waiting = self._waiting.pop(account)
            first = waiting.popleft()
            if waiting:
                self._waiting[account] = waiting
            # One that was given up is not gone yet.
            if not first.done():
                self._hold(account)
                first.set_result(None)
