"""Bytes sent over a connection, to a real server or to our protocol before an app of a few lines."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from app.middleware.http_protocol import BoundedProtocol
from app.middleware.request_limits import BodyBound, Bounds
from tests.support.server import PATIENCE_S

GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
"""The last of a connection's requests."""


def talk(url: str, *pieces: bytes) -> bytes:
    """What a server answers to these bytes until it hangs up."""
    place = httpx.URL(url)
    with socket.create_connection((place.host, place.port), timeout=PATIENCE_S) as connection:
        try:
            for piece in pieces:
                connection.sendall(piece)
        except OSError:
            pass
        answer = b""
        try:
            while more := connection.recv(65536):
                answer += more
        except ConnectionResetError:
            pass
        return answer


@contextmanager
def tiny_server(
    head_s: float, body_s: float, http: type[BoundedProtocol] = BoundedProtocol, said: bytes = b""
) -> Iterator[str]:
    """Our protocol and our bounds with other times, before an app that reads a body and says always the same."""
    length = str(len(said)).encode()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        more = scope["type"] == "http"
        while more:
            more = (await receive()).get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
        await send({"type": "http.response.body", "body": said})

    with small_server(app, head_s, body_s, http) as url:
        yield url


@contextmanager
def small_server(
    app: ASGIApp, head_s: float = PATIENCE_S, body_s: float = PATIENCE_S, http: type[BoundedProtocol] = BoundedProtocol
) -> Iterator[str]:
    """The same before this app."""

    class Hasty(http):  # type: ignore[misc, valid-type]
        pass

    Hasty.head_s = head_s
    config = uvicorn.Config(
        Bounds(app, *2 * [BodyBound("max_body_bytes", 1000, body_s)], ""), http=Hasty, lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=asyncio.run, args=(server.serve([listener]),))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def statuses(answers: bytes) -> list[int]:
    """Those of answers that follow each other."""
    return [int(line[9:12]) for line in answers.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]
