"""Uploads that come slowly keep nobody else from uploading."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any, cast

import httpx
from fastapi import Request
from starlette.types import Message

from app.requests.uploads import BLOCK, OPEN_EACH, receive
from tests.support.guarded import QUERY, Guarded
from tests.support.server import PATIENCE_S, until
from worker.uploads.incoming import Sent


def test_slow_uploads_of_two_accounts_leave_a_third_its_own(guarded: Guarded) -> None:
    place, incoming = httpx.URL(guarded.server.url), guarded.server.data / ".work" / "uploads" / "incoming"
    with ExitStack() as slow:
        for owner in ("ann", "bob"):
            for _ in range(OPEN_EACH):
                connection = slow.enter_context(socket.create_connection((place.host, place.port or 0), PATIENCE_S))
                head = f"Host: localhost\r\nContent-Length: 7\r\nAuthorization: Bearer {guarded.key(owner)}\r\n\r\n"
                connection.sendall(b"POST /v1/uploads HTTP/1.1\r\n" + head.encode())
        until(lambda: incoming.is_dir() and len(list(incoming.iterdir())) == 2 * OPEN_EACH)
        assert guarded.client("cat").post("/v1/uploads", content=QUERY).status_code == 201
        assert guarded.client("ann").post("/v1/uploads", content=QUERY).status_code == 503


class Turns:
    """Notes whether a turn is held."""

    def __init__(self) -> None:
        self.held, self.had = False, 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        assert not self.held
        self.held, self.had = True, self.had + 1
        yield
        self.held = False


class Charge:
    """One that costs nothing."""

    standings = ()

    def take(self) -> None: ...


class Uploads:
    """Uploads, and one that comes: what it does with its body needs a turn."""

    reused = False

    def __init__(self, turns: Turns) -> None:
        self.turns = turns

    def charge(self) -> Charge:
        return Charge()

    def begin(self, _: Sent) -> "Uploads":
        return self

    def take(self, _: bytes) -> None:
        assert self.turns.held

    def finish(self) -> None:
        assert self.turns.held

    def keep_new(self, _: None) -> "Uploads":
        assert self.turns.held
        return self

    def discard(self) -> None: ...


def test_slow_upload_has_no_turn_while_it_sends_nothing() -> None:
    turns, pieces = Turns(), [b"A" * BLOCK, b"A" * BLOCK, b"A"]

    async def sending() -> Message:
        assert not turns.held
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

    request = Request({"type": "http", "method": "POST", "headers": []}, sending)
    asyncio.run(receive(request, cast(Any, Uploads(turns)), Sent(), turns.turn))
    assert turns.had == 4, "one for each block, and one for the end"
