"""Places for uploads: none for more than there are, nobody has all, and who holds nothing may wait for one."""

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack

import pytest

from app.problems import OverloadError
from app.requests.uploads import AT_ONCE, AT_ONCE_EACH, SEATS_EACH, UploadPlaces


def held(test: Coroutine[None, None, None]) -> None:
    """Run a test in which nothing may wait for ever."""
    asyncio.run(asyncio.wait_for(test, 30))


async def refused(places: UploadPlaces, account: str) -> None:
    with pytest.raises(OverloadError):
        async with places.one(account):
            pass


def test_nobody_takes_all_places() -> None:
    async def take() -> None:
        places = UploadPlaces()
        async with AsyncExitStack() as taken:
            for _ in range(AT_ONCE_EACH):
                await taken.enter_async_context(places.one("ann"))
            await refused(places, "ann")
            async with places.one("bob"):
                pass
        async with places.one("ann"):
            pass

    held(take())


def test_there_are_so_many_in_all() -> None:
    async def take() -> None:
        places = UploadPlaces()
        async with AsyncExitStack() as taken:
            for number in range(AT_ONCE):
                await taken.enter_async_context(places.one(str(number)))
            await refused(places, "another")
        async with AsyncExitStack() as taken:
            for number in range(AT_ONCE):
                await taken.enter_async_context(places.one(str(number)))

    held(take())


class Boxes:
    """Requests that wait for their turns, and which of them have had it."""

    def __init__(self) -> None:
        self.places, self.go, self.served = UploadPlaces(), asyncio.Event(), list[str]()

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
        asked = [asyncio.create_task(boxes.ask("ann")) for _ in range(SEATS_EACH)]
        await begun()
        assert boxes.served == ["ann"] * AT_ONCE_EACH
        # Uploads are refused meanwhile, and so is what would wait behind too many.
        await refused(boxes.places, "ann")
        with pytest.raises(OverloadError):
            await boxes.ask("ann")
        asked += [asyncio.create_task(boxes.ask(name)) for name in ("bob", "cid", "dan")]
        await begun()
        assert boxes.served == ["ann"] * AT_ONCE_EACH + ["bob", "cid"]
        boxes.go.set()
        await asyncio.gather(*asked)
        assert boxes.served.index("dan") < AT_ONCE + AT_ONCE_EACH
        assert len(boxes.served) == SEATS_EACH + 3
        async with boxes.places.one("ann"):
            pass

    held(take())


def test_who_gives_up_waiting_leaves_its_seat() -> None:
    async def take() -> None:
        boxes = Boxes()
        asked = [asyncio.create_task(boxes.ask("ann")) for _ in range(SEATS_EACH)]
        await begun()
        for waiting in asked[AT_ONCE_EACH:]:
            waiting.cancel()
        await asyncio.gather(*asked[AT_ONCE_EACH:], return_exceptions=True)
        last = asyncio.create_task(boxes.ask("ann"))
        boxes.go.set()
        await asyncio.gather(*asked[:AT_ONCE_EACH], last)
        assert len(boxes.served) == AT_ONCE_EACH + 1

    held(take())
