"""Large replies are sent as they are taken, and counted until then."""

import asyncio
from types import SimpleNamespace

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.middleware.backpressure import BODIES, BODIES_EACH, PIECE, OneAccountsRequests, Overload
from app.middleware.reply_room import REPLIES, REPLIES_EACH, SMALL, ReplyRoom
from app.problems import OverloadError

LARGEST = 4 * PIECE
"""Of a body: replies are bounded by so many of them."""
REPLY = bytes(range(256)) * (LARGEST // 256) + b"end"


def bounded(reply: bytes = REPLY, *, told: bool = True) -> Overload:
    """What answers everything so, in one piece. told: its length, too."""

    async def app(scope: Scope, _: Receive, send: Send) -> None:
        scope["caller"] = SimpleNamespace(account=scope["account"])
        length = [(b"content-length", b"%d" % len(reply))] if told else []
        await send({"type": "http.response.start", "status": 200, "headers": length})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else reply})

    return Overload(app, max_body_bytes=LARGEST, most=100, replies=ReplyRoom(LARGEST))


class Client:
    """One that takes so many messages of its reply, and the others once it is let."""

    def __init__(self, service: Overload, account: str = "ann", takes: int = 0, method: str = "GET") -> None:
        self.messages: list[Message] = []
        self._takes, self._goes_on, self.stuck = takes, asyncio.Event(), asyncio.Event()
        self._fails = False
        app = SimpleNamespace(state=SimpleNamespace())
        head = {"type": "http", "method": method, "path": "/", "headers": [], "query_string": b"", "app": app}
        self.task = asyncio.create_task(service({**head, "account": account}, self._receive, self._send))

    async def _receive(self) -> Message:
        raise AssertionError("nothing is sent")

    async def _send(self, message: Message) -> None:
        if len(self.messages) >= self._takes:
            self.stuck.set()
            await self._goes_on.wait()
        if self._fails:
            raise ClientDisconnect
        self.messages.append(message)

    async def begun(self) -> "Client":
        """The same, once it takes no more."""
        waits = asyncio.create_task(self.stuck.wait())
        await asyncio.wait([waits, self.task], return_when=asyncio.FIRST_COMPLETED)
        waits.cancel()
        return self

    async def whole(self) -> bytes:
        """All of it."""
        self._goes_on.set()
        await self.task
        return b"".join(each.get("body", b"") for each in self.messages)

    async def leaves(self) -> None:
        """It is gone."""
        self._fails = True
        self._goes_on.set()
        await asyncio.wait([self.task])
        assert isinstance(self.task.exception(), ClientDisconnect)

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"])


def test_a_large_reply_is_sent_in_pieces() -> None:
    async def ask() -> None:
        client = await Client(bounded(), takes=3).begun()
        assert [len(each.get("body", b"")) for each in client.messages] == [0, PIECE, PIECE]
        assert await client.whole() == REPLY
        assert [each["more_body"] for each in client.messages[1:-1]] == [True] * 4
        assert not client.messages[-1].get("more_body", False)

    asyncio.run(ask())


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 7])
@pytest.mark.parametrize("told", [True, False])
def test_replies_of_any_length_come_whole(size: int, told: bool) -> None:
    async def ask() -> None:
        assert await Client(bounded(REPLY[:size], told=told)).whole() == REPLY[:size]

    asyncio.run(ask())


def test_an_account_has_so_much_under_way_and_others_have_the_rest() -> None:
    async def ask() -> None:
        service = bounded()
        room = REPLIES_EACH * LARGEST // len(REPLY)
        anns = [await Client(service, takes=2).begun() for _ in range(room)]
        refused = await Client(service, takes=9).begun()
        assert refused.status == 503
        assert b"take those first" in await refused.whole()
        bobs = [await Client(service, "bob", takes=2).begun() for _ in range(room)]
        assert {each.status for each in (*anns, *bobs)} == {200}
        # All together have a bound, too; a first one of each is past no bound of its own.
        more = [await Client(service, f"other {number}", takes=2).begun() for number in range(REPLIES)]
        assert 503 in {each.status for each in more}
        # What has been taken, or is not wanted any more, makes room.
        assert await anns[0].whole() == REPLY
        await bobs[0].leaves()
        assert (await Client(service, takes=2).begun()).status == 200
        assert (await Client(service, "bob", takes=2).begun()).status == 200

    asyncio.run(ask())


def test_one_alone_may_be_as_large_as_it_is() -> None:
    async def ask() -> None:
        huge = bytes((REPLIES + 1) * LARGEST)
        service = bounded(huge)
        first = await Client(service, takes=2).begun()
        assert (await Client(service, "bob", takes=9).begun()).status == 503
        assert await first.whole() == huge
        assert await Client(service, "bob").whole() == huge

    asyncio.run(ask())


@pytest.mark.parametrize(("reply", "method"), [(REPLY, "HEAD"), (REPLY[: PIECE // 2], "GET")])
def test_what_is_short_does_not_count(reply: bytes, method: str) -> None:
    async def ask() -> None:
        service = bounded(reply)
        clients = [await Client(service, takes=1, method=method).begun() for _ in range(3 * REPLIES)]
        assert {each.status for each in clients} == {200}
        for each in clients:
            await each.whole()

    asyncio.run(ask())


class Sender:
    """A request with a large body, which an app reads and then keeps until it is let go."""

    def __init__(self, service: Overload | OneAccountsRequests, account: str, size: int) -> None:
        self.status, self._size = asyncio.get_running_loop().create_future(), size
        caller = SimpleNamespace(account=account)
        app = SimpleNamespace(state=SimpleNamespace())
        scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b"", "app": app}
        self.task = asyncio.create_task(self._ask(service, {**scope, "caller": caller}))

    async def _ask(self, service: Overload | OneAccountsRequests, scope: Scope) -> None:
        try:
            await service(scope, self._receive, self._send)
        except OverloadError:
            self.status.set_result(503)

    async def _receive(self) -> Message:
        return {"type": "http.request", "body": bytes(self._size), "more_body": False}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status.set_result(message["status"])


def keeping(go: asyncio.Event) -> ASGIApp:
    """An app that reads bodies, answers, and keeps the requests until then."""

    async def app(_: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await go.wait()

    return app


def test_bodies_of_one_account_leave_room_for_those_of_others() -> None:
    async def ask() -> None:
        go = asyncio.Event()
        service = Overload(keeping(go), max_body_bytes=LARGEST, most=100, replies=ReplyRoom(LARGEST))
        anns = [Sender(service, "ann", LARGEST + SMALL) for _ in range(BODIES)]
        assert [await each.status for each in anns] == [200] * BODIES_EACH + [503] * (BODIES - BODIES_EACH)
        assert await Sender(service, "bob", LARGEST + SMALL).status == 200
        go.set()
        await asyncio.gather(*(each.task for each in anns))
        assert await Sender(service, "ann", LARGEST + SMALL).status == 200

    asyncio.run(ask())


def test_an_account_has_half_of_the_requests() -> None:
    async def ask() -> None:
        go = asyncio.Event()
        service = OneAccountsRequests(keeping(go), most=8)
        anns = [Sender(service, "ann", 0) for _ in range(8)]
        assert [await each.status for each in anns] == [200] * 4 + [503] * 4
        assert await Sender(service, "bob", 0).status == 200
        go.set()
        await asyncio.gather(*(each.task for each in anns))
        assert await Sender(service, "ann", 0).status == 200

    asyncio.run(ask())
