"""Places that accounts share: nobody has all of them, and those that wait are served round robin."""

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from types import SimpleNamespace

import pytest
from fastapi import Request
from isal import igzip
from starlette.types import Message

from app.fair_turns import FairTurns
from app.problems import OverloadError
from app.requests.large_bodies import LARGE, LargeBodies

PLACES, EACH, SEATS = 4, 2, 16


def new_turns() -> FairTurns:
    return FairTurns(PLACES, EACH, SEATS)


def held(test: Coroutine[None, None, None]) -> None:
    """Run a test in which nothing may wait for ever."""
    asyncio.run(asyncio.wait_for(test, 30))


async def refused(places: FairTurns, account: str) -> None:
    with pytest.raises(OverloadError):
        async with places.place(account):
            pass


def test_nobody_takes_all_places() -> None:
    async def take() -> None:
        places = new_turns()
        async with AsyncExitStack() as taken:
            for _ in range(EACH):
                await taken.enter_async_context(places.place("ann"))
            await refused(places, "ann")
            async with places.place("bob"):
                pass
        async with places.place("ann"):
            pass

    held(take())


def test_there_are_so_many_in_all() -> None:
    async def take() -> None:
        places = new_turns()
        async with AsyncExitStack() as taken:
            for number in range(PLACES):
                await taken.enter_async_context(places.place(str(number)))
            await refused(places, "another")
        async with AsyncExitStack() as taken:
            for number in range(PLACES):
                await taken.enter_async_context(places.place(str(number)))

    held(take())


class Boxes:
    """Requests that wait for their turns, and which of them have had it."""

    def __init__(self) -> None:
        self.places, self.go, self.served = new_turns(), asyncio.Event(), list[str]()

    async def ask(self, account: str) -> None:
        async with self.places.turn(account):
            self.served.append(account)
            await self.go.wait()


async def begun() -> None:
    """Returns when every task before has gone as far as it could: without waiting a place is taken at once."""

    async def last() -> None:
        pass

    await asyncio.create_task(last())


def test_a_turn_is_waited_for_and_keeps_nobody_else_out() -> None:
    async def take() -> None:
        boxes = Boxes()
        asked = [asyncio.create_task(boxes.ask("ann")) for _ in range(SEATS)]
        await begun()
        assert boxes.served == ["ann"] * EACH
        # Uploads are refused meanwhile, and so is what would wait behind too many.
        await refused(boxes.places, "ann")
        with pytest.raises(OverloadError):
            await boxes.ask("ann")
        asked += [asyncio.create_task(boxes.ask(name)) for name in ("bob", "cid", "dan")]
        await begun()
        assert boxes.served == ["ann"] * EACH + ["bob", "cid"]
        boxes.go.set()
        await asyncio.gather(*asked)
        assert boxes.served.index("dan") < PLACES + EACH
        assert len(boxes.served) == SEATS + 3
        async with boxes.places.place("ann"):
            pass

    held(take())


def test_who_gives_up_waiting_leaves_its_seat() -> None:
    async def take() -> None:
        boxes = Boxes()
        asked = [asyncio.create_task(boxes.ask("ann")) for _ in range(SEATS)]
        await begun()
        for waiting in asked[EACH:]:
            waiting.cancel()
        await asyncio.gather(*asked[EACH:], return_exceptions=True)
        last = asyncio.create_task(boxes.ask("ann"))
        boxes.go.set()
        await asyncio.gather(*asked[:EACH], last)
        assert len(boxes.served) == EACH + 1

    held(take())


def test_accounts_are_served_in_turn_whatever_one_of_them_has_waiting() -> None:
    async def take() -> None:
        turns, served = FairTurns(1, 1), list[str]()

        async def ask(account: str) -> None:
            async with turns.turn(account):
                served.append(account)

        async with turns.turn("ann"):
            asked = [asyncio.create_task(ask(account)) for account in [*["ann"] * 10, "bob", "bob", "cid"]]
            await begun()
        await asyncio.gather(*asked)
        assert served == ["ann", "bob", "cid", "ann", "bob", *["ann"] * 8]

    held(take())


def test_a_turn_that_comes_as_its_request_is_given_up_goes_to_the_next() -> None:
    async def take() -> None:
        turns = FairTurns(1, 1)
        await turns.enter("ann")
        ann, bob = (asyncio.create_task(turns.enter(account)) for account in ("ann", "bob"))
        await begun()
        turns.leave("ann")
        ann.cancel()
        await bob
        assert ann.cancelled()
        turns.leave("bob")
        async with turns.place("ann"):
            pass

    held(take())


def sent(account: str, body: bytes, *, packed: bool) -> Request:
    """A request of an account with this body."""

    async def receive() -> Message:
        return {"type": "http.request", "body": igzip.compress(body) if packed else body, "more_body": False}

    headers = [(b"content-encoding", b"gzip")] if packed else []
    return Request({"type": "http", "headers": headers, "caller": SimpleNamespace(account=account)}, receive)


@pytest.mark.parametrize("packed", [True, False])
def test_large_bodies_of_one_account_keep_no_other_waiting(packed: bool) -> None:
    async def take() -> None:
        bodies, go, used = LargeBodies(1 << 20), asyncio.Event(), list[str]()

        async def use(account: str) -> None:
            async with bodies.body_of(sent(account, b"A" * LARGE, packed=packed)) as body:
                used.append(account)
                assert body == b"A" * LARGE
                await go.wait()

        async with AsyncExitStack() as anns:
            await anns.enter_async_context(bodies.body_of(sent("ann", b"A" * LARGE, packed=packed)))
            waiting = [asyncio.create_task(use("ann")) for _ in range(10)]
            go.set()
            await use("bob")
            assert used == ["bob"]
        await asyncio.gather(*waiting)
        assert used == ["bob", *["ann"] * 10]

    held(take())


def test_a_packed_body_that_is_small_takes_no_turn() -> None:
    async def take() -> None:
        bodies = LargeBodies(1 << 20)
        async with AsyncExitStack() as used:
            for _ in range(10):
                body = sent("ann", b"A" * (LARGE - 1), packed=True)
                assert len(await used.enter_async_context(bodies.body_of(body))) == LARGE - 1

    held(take())
