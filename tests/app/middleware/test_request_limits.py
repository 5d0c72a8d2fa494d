"""Bodies that come too slowly are not waited for."""

import asyncio
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from app.middleware import request_limits
from app.middleware.request_limits import BodyBound, Bounds


async def whole_body(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    await PlainTextResponse(str(len(body)))(scope, receive, send)


async def answered(pieces: list[bytes], *, seconds: float) -> tuple[int, bytes]:
    """What is answered to a body of which these pieces come at once, and then no more unless the last one is empty."""
    sent, waiting = list[Message](), iter(pieces)

    async def receive() -> Message:
        piece = next(waiting, None)
        if piece is None:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": piece, "more_body": piece != b""}

    async def send(message: Message) -> None:
        sent.append(message)

    bound = BodyBound("max_body_bytes", 1 << 30, seconds)
    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "root_path": ""}
    scope["headers"] = [(b"transfer-encoding", b"chunked")]
    await Bounds(whole_body, bound, bound, "")(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


@pytest.mark.parametrize(
    ("piece_s", "seconds", "detail"),
    [(0.05, 60, b"less than 1 MiB of the body came in 0.05 s"), (60, 0.05, b"the body took longer than 0.05 s")],
)
def test_body_that_does_not_go_on_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, piece_s: float, seconds: float, detail: bytes
) -> None:
    monkeypatch.setattr(request_limits, "PIECE_S", piece_s)
    status, body = asyncio.run(answered([bytes(1 << 20), b"more"], seconds=seconds))
    assert (status, detail in body) == (408, True)


def test_body_that_comes_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(answered([bytes(1 << 20), b"more", b""], seconds=60)) == (200, b"1048580")
