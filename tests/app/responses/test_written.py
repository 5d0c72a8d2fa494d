"""Threads that write results: nobody has all of them, and work that nobody waits for any more keeps its place."""

import asyncio
from collections.abc import Iterator
from threading import Event, Semaphore

import pytest

from app.middleware.reply_room import ReplyRoom
from app.responses.written import WRITERS, WRITERS_EACH, Begun, Writers, sent

PATIENCE_S = 60


class Work:
    """Takes as long as a test lets it."""

    def __init__(self) -> None:
        self.begun, self.goes_on = Semaphore(0), Event()

    def __call__(self) -> str:
        self.begun.release()
        assert self.goes_on.wait(PATIENCE_S)
        return "done"


def test_downloads_that_were_left_keep_no_other_account_waiting() -> None:
    async def leaving() -> None:
        writers, work = Writers(ReplyRoom(1)), Work()
        left = [asyncio.create_task(writers.run("ann", work)) for _ in range(2 * WRITERS)]
        for _ in range(WRITERS_EACH):
            assert await asyncio.to_thread(work.begun.acquire, timeout=PATIENCE_S)
        for each in left:
            each.cancel()
        again = [asyncio.create_task(writers.run("ann", work)) for _ in range(2 * WRITERS)]
        assert await asyncio.wait_for(writers.run("bob", lambda: "bob's"), PATIENCE_S) == "bob's"
        # What ann has left goes on in her places.
        assert not work.begun.acquire(blocking=False)
        work.goes_on.set()
        assert await asyncio.wait_for(asyncio.gather(*again), PATIENCE_S) == ["done"] * 2 * WRITERS
        writers.close()

    asyncio.run(leaving())


def test_chunks_are_made_as_they_are_sent_and_the_end_is_told() -> None:
    async def sending() -> None:
        writers, made = Writers(ReplyRoom(1)), list[int]()

        def numbers() -> Iterator[bytes]:
            for number in range(1, 4):
                made.append(number)
                yield bytes([number])

        begun = Begun({}, numbers())
        pieces = sent(begun, writers, "ann")
        assert (await anext(pieces), made, begun.gone.is_set()) == (b"\1", [1], False)
        await pieces.aclose()
        assert (made, begun.gone.is_set()) == ([1], True)
        assert [each async for each in sent(Begun({}, numbers()), writers, "ann")] == [b"\1", b"\2", b"\3"]
        writers.close()

    asyncio.run(sending())


def test_others_have_their_turn_in_a_long_piece_of_work_that_writes_nothing() -> None:
    async def sending() -> None:
        writers, done = Writers(ReplyRoom(1), threads=1, of_one=1), list[str]()

        def silent() -> Iterator[bytes]:
            for number in range(3):
                done.append(f"ann's {number}")
                if number == 0:
                    # Bob comes while it is at work.
                    loop.call_soon_threadsafe(come)
                    assert came.wait(PATIENCE_S)
                yield b"end" if number == 2 else b""

        def come() -> None:
            others.append(asyncio.ensure_future(writers.run("bob", lambda: done.append("bob's"))))
            loop.call_soon(came.set)

        loop, came, others = asyncio.get_running_loop(), Event(), list[asyncio.Future[None]]()
        assert [each async for each in sent(Begun({}, silent()), writers, "ann")] == [b"end"]
        assert done == ["ann's 0", "bob's", "ann's 1", "ann's 2"]
        writers.close()

    asyncio.run(sending())


def test_what_goes_wrong_is_told_and_the_place_is_free_again() -> None:
    async def failing() -> None:
        writers = Writers(ReplyRoom(1))
        for _ in range(2 * WRITERS):
            with pytest.raises(ZeroDivisionError):
                await asyncio.wait_for(writers.run("ann", lambda: 1 // 0), PATIENCE_S)
        writers.close()

    asyncio.run(failing())
