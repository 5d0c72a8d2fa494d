"""Which replies are compressed, and for whom."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from isal import isal_zlib
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from app.middleware.compression import BESIDE, WORTH_IT, Compressed, takes_gzip

TEXT = "MKVLAAGWDEHHKLMNPQRSTVWY\n" * (BESIDE // 10)
CODED = gzip.compress(TEXT.encode())


@pytest.mark.parametrize(
    ("header", "taken"),
    [
        ("", False),
        ("gzip", True),
        ("GZip", True),
        ("x-gzip", True),
        ("gzip, deflate, br, zstd", True),
        ("deflate, br", False),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
        ("*;q=0.001", True),
        ("*;q=0", False),
        ("identity", False),
        ("notgzip", False),
    ],
)
def test_accept_encoding(header: str, taken: bool) -> None:
    assert takes_gzip(header) is taken


async def _pieces() -> AsyncIterator[str]:
    """Lines, and one piece that is long enough for a thread."""
    lines = TEXT.splitlines(keepends=True)
    for line in lines[: len(lines) // 9]:
        yield line
    yield "".join(lines[len(lines) // 9 :])


TABLE = "".join(f"sp|Q{number:05}|X_HUMAN\t{number * 7919 % 1000 / 7}\n" for number in range(BESIDE // 16))
VARY = {"Vary": "Accept, Accept-Encoding"}


async def _chunks() -> AsyncIterator[str]:
    """A table as the routes send one: in pieces of 64 kB."""
    for start in range(0, len(TABLE), 1 << 16):
        yield TABLE[start : start + (1 << 16)]


REPLIES: dict[str, Callable[[], Response]] = {
    "whole": lambda: Response(TEXT, media_type="application/problem+json", headers={"Vary": "Accept"}),
    "streamed": lambda: StreamingResponse(_pieces(), media_type="text/csv; header=present"),
    "table": lambda: StreamingResponse(_chunks(), media_type="text/plain", headers=VARY),
    "short": lambda: Response("x" * (WORTH_IT - 1), media_type="text/plain"),
    "events": lambda: StreamingResponse(_pieces(), media_type="text/event-stream"),
    "binary": lambda: Response(TEXT, media_type="application/vnd.apache.parquet"),
    "coded": lambda: Response(CODED, media_type="text/plain", headers={"Content-Encoding": "gzip"}),
    "none": lambda: Response(status_code=204),
}


def _reply(request: Request) -> Response:
    return REPLIES[request.path_params["kind"]]()


def get(kind: str, accepted: str) -> tuple[httpx.Response, bytes]:
    """The reply, decoded by the client, and its bytes as they came."""

    async def ask() -> tuple[httpx.Response, bytes]:
        app = Compressed(Starlette(routes=[Route("/{kind}", _reply)]))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as http:
            raw = b""
            async with http.stream("GET", f"/{kind}", headers={"Accept-Encoding": accepted}) as response:
                async for piece in response.aiter_raw():
                    raw += piece
            return response, raw

    return asyncio.run(ask())


@pytest.mark.parametrize(("kind", "vary"), [("whole", "Accept, Accept-Encoding"), ("streamed", "Accept-Encoding")])
def test_long_text_is_compressed(kind: str, vary: str) -> None:
    response, raw = get(kind, "gzip")
    assert (response.headers["Content-Encoding"], response.headers["Vary"]) == ("gzip", vary)
    assert gzip.decompress(raw).decode() == TEXT
    assert len(raw) < len(TEXT) / 10
    assert response.headers.get("Content-Length") == (str(len(raw)) if kind == "whole" else None)


def test_header_that_a_route_has_named_is_not_named_again_in_vary() -> None:
    response, raw = get("table", "gzip")
    assert response.headers["Vary"] == "Accept, Accept-Encoding"
    assert gzip.decompress(raw).decode() == TABLE


def test_pieces_of_a_table_cost_next_to_nothing_more_than_the_whole() -> None:
    _, raw = get("table", "gzip")
    assert len(raw) < 1.02 * len(isal_zlib.compress(TABLE.encode(), 1, 31))


def test_first_piece_is_sent_before_there_is_a_second() -> None:
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": TABLE.encode(), "more_body": True})
        assert zlib.decompressobj(31).decompress(sent[1]["body"]).decode() == TABLE
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def keep(message: Message) -> None:
        sent.append(message)

    async def nothing() -> Message:
        raise AssertionError

    asyncio.run(Compressed(app)({"type": "http", "headers": [(b"accept-encoding", b"gzip")]}, nothing, keep))
    assert gzip.decompress(b"".join(message["body"] for message in sent[1:])).decode() == TABLE


@pytest.mark.parametrize("kind", ["short", "events", "binary", "coded", "none"])
def test_the_rest_passes_as_it_is(kind: str) -> None:
    plain: Any
    (response, raw), (_, plain) = get(kind, "gzip"), get(kind, "identity")
    assert raw == plain
    assert response.headers.get("Content-Encoding") == ("gzip" if kind == "coded" else None)


@pytest.mark.parametrize("kind", ["whole", "streamed"])
def test_who_does_not_take_gzip_gets_none(kind: str) -> None:
    response, raw = get(kind, "br, gzip;q=0")
    assert "Content-Encoding" not in response.headers
    assert raw.decode() == TEXT
