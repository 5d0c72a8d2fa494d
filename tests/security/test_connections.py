"""What a client makes of its connection: requests that are none, bodies behind others, other protocols, leaving."""

import gc
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import ClassVar
from weakref import WeakSet

import httpx
import pytest
from fastapi import Response
from starlette.types import Receive, Scope, Send

from app.middleware.clients import GONE
from app.middleware.http_protocol import HEAD_SLICE, MOST_PIPELINED, BoundedProtocol
from app.middleware.reply_room import ReplyRoom
from app.responses.written import Writers
from tests.support.connections import GET, LAST, small_server, statuses, talk, tiny_server
from tests.support.guarded import QUERY, Guarded
from tests.support.server import PATIENCE_S, until


@pytest.mark.parametrize("target", ["GET http://localhost", "GET http://[::1", "GET http://a:99999999/", "CONNECT a:1"])
@pytest.mark.parametrize("before", [0, 1, 200])
def test_target_that_is_none_is_refused_after_all_that_came_before(target: str, before: int) -> None:
    with tiny_server(60, 60) as url:
        answers = talk(url, GET * before + f"{target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() + GET)
    assert statuses(answers) == [200] * before + [400]


class Behind(BoundedProtocol):
    """Our protocol, which notes how much of a body was read while its request waited for others."""

    read = 0

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        if self.pipeline:
            Behind.read = max(Behind.read, len(self.cycle.body))


def test_body_behind_other_requests_is_not_read_before_its_turn() -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000000\r\n\r\n"
    with tiny_server(60, 60, Behind) as url:
        answers = talk(url, GET * (MOST_PIPELINED - 1) + head + b"A" * 50_000)
    assert statuses(answers) == [200] * (MOST_PIPELINED - 1) + [413]
    assert 0 < Behind.read <= HEAD_SLICE


def test_whole_bodies_behind_other_requests_are_read() -> None:
    post = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + b"A" * 1000
    with tiny_server(60, 60) as url:
        assert statuses(talk(url, (GET + post) * 200 + LAST)) == [200] * 401


class Living(BoundedProtocol):
    """Our protocol, which knows all of its connections that are in memory."""

    all: ClassVar["WeakSet[Living]"] = WeakSet()

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        Living.all.add(self)


@contextmanager
def uncollected() -> Iterator[None]:
    """No collection of cycles, as between two that are far apart."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def test_nothing_of_a_client_stays_once_it_has_gone() -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n"
    with uncollected(), tiny_server(60, 60, Living, said=b"a" * 10_000_000) as url:
        place = httpx.URL(url)
        with socket.create_connection((place.host, place.port), timeout=PATIENCE_S) as connection:
            connection.sendall(GET * 50 + head + b"A" * 900)
            until(lambda: any(each.pipeline for each in BoundedProtocol.stalled))
        until(lambda: not Living.all)
    assert not BoundedProtocol.stalled


def test_what_waits_for_its_turn_is_given_up_once_its_client_has_left() -> None:
    writers, begun, goes_on = Writers(ReplyRoom(1), 1, 1), SimpleQueue[str](), Event()
    clients = SimpleQueue[Event]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        clients.put(scope["state"][GONE])

        def work() -> None:
            begun.put(scope["path"])
            assert goes_on.wait(PATIENCE_S)

        await writers.run("ann", work)
        await Response()(scope, receive, send)

    with small_server(app) as url, ThreadPoolExecutor() as threads:
        first = threads.submit(httpx.get, f"{url}/first", timeout=PATIENCE_S)
        assert begun.get(timeout=PATIENCE_S) == "/first"
        clients.get(timeout=PATIENCE_S)
        place = httpx.URL(url)
        with socket.create_connection((place.host, place.port), timeout=PATIENCE_S) as leaving:
            leaving.sendall(b"GET /second HTTP/1.1\r\nHost: a\r\n\r\n")
            left = clients.get(timeout=PATIENCE_S)
            assert not left.is_set()
        assert left.wait(PATIENCE_S)
        goes_on.set()
        third = threads.submit(httpx.get, f"{url}/third", timeout=PATIENCE_S)
        assert (first.result().status_code, third.result().status_code) == (200, 200)
        assert begun.get(timeout=PATIENCE_S) == "/third"
    writers.close()


def test_client_that_takes_no_answers_makes_room_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.middleware.http_protocol.most_connections", lambda: 1)
    with tiny_server(60, 60, said=b"a" * 10_000_000) as url:
        place = httpx.URL(url)
        with socket.create_connection((place.host, place.port), timeout=PATIENCE_S) as connection:
            connection.sendall(GET * 3)
            until(lambda: any(each.pipeline for each in BoundedProtocol.stalled))
            assert statuses(talk(url, LAST)) == [200]


INNER = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-User: victim\r\n\r\n"
LENGTH = f"Content-Length: {len(INNER)}\r\n\r\n".encode()
CHUNKS = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(INNER)


@pytest.mark.parametrize("protocol", [b"x", b"h2c", b"websocket"])
@pytest.mark.parametrize("before", [0, 3])
@pytest.mark.parametrize(("framing", "end"), [(LENGTH, b""), (CHUNKS, b"\r\n0\r\n\r\n")])
def test_body_of_a_request_for_another_protocol_is_no_request(
    protocol: bytes, before: int, framing: bytes, end: bytes
) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: " + protocol + b"\r\n" + framing
    with tiny_server(60, 60) as url:
        for pieces in ([GET * before + head + INNER + end + LAST], [GET * before + head, INNER, end + LAST]):
            assert statuses(talk(url, *pieces)) == [200] * (before + 2)


@pytest.mark.parametrize("framing", ["Transfer-Encoding: gzip", "Content-Length: 3\r\nTransfer-Encoding: chunked"])
def test_length_of_its_body_is_said_in_one_way_too(framing: str) -> None:
    head = f"POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n{framing}\r\n\r\n"
    with tiny_server(60, 60) as url:
        assert statuses(talk(url, head.encode(), b"0\r\n\r\n")) == [400]


def test_request_for_another_protocol_is_followed_by_others() -> None:
    upgrade = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
    upgrade += b"HTTP2-Settings: AAMA\r\n\r\n"
    with tiny_server(60, 60) as url:
        assert statuses(talk(url, upgrade * 300 + LAST)) == [200] * 301


def test_search_that_offers_another_protocol_keeps_its_query(guarded: Guarded) -> None:
    """As Java's HttpClient does with each first request over plain HTTP."""
    key = guarded.key("java")
    head = (
        f"POST /v1/searches?database=demo HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
        "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n"
        f"Content-Type: text/x-fasta\r\nContent-Length: {len(QUERY)}\r\n\r\n"
    )
    for pieces in ([head + QUERY], [head, QUERY]):
        answer = talk(guarded.server.url, *(piece.encode() for piece in pieces))
        assert statuses(answer) == [202], answer


def test_fields_after_a_body_are_no_headers(guarded: Guarded) -> None:
    """A proxy that takes names of users out of heads may pass them on there."""
    key = f"Authorization: Bearer {guarded.key('late')}"
    head = "POST /v1/searches?database=demo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    body = f"Content-Type: text/x-fasta\r\nTransfer-Encoding: chunked\r\n\r\n{len(QUERY):x}\r\n{QUERY}\r\n0\r\n"
    assert statuses(talk(guarded.server.url, f"{head}{body}{key}\r\n\r\n".encode())) == [401]
    assert statuses(talk(guarded.server.url, f"{head}{key}\r\n{body}X-Late: a\r\n\r\n".encode())) == [202]


def test_client_that_leaves_its_answers_unread_is_no_fault_of_the_server(guarded: Guarded) -> None:
    address, lines = httpx.URL(guarded.server.url), len(guarded.server.lines)
    [front_end] = guarded.server.pids("app")
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect((address.host, address.port))
        # More answers than the system keeps: the server stands in the middle of one.
        connection.sendall(b"GET /assets/page.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 90)
        assert connection.recv(12) == b"HTTP/1.1 200"
        [ours] = inodes(front_end, connection)
    until(lambda: ours not in open_sockets(front_end))
    # A line of the log that comes after what is looked for.
    talk(guarded.server.url, b"nonsense\r\n\r\n")
    until(lambda: any("Invalid HTTP request" in line for line in guarded.server.lines[lines:]))
    assert not [line for line in guarded.server.lines[lines:] if "ERROR" in line or "Traceback" in line]


def open_sockets(pid: int) -> set[str]:
    """The inodes of a process's sockets."""
    found = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.add(file.readlink().name.removeprefix("socket:"))
    return found


def inodes(pid: int, connection: socket.socket) -> set[str]:
    """The server's end of a connection, by both ports: to another server, another client may have the same one."""
    rows = [line.split() for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]]
    server, client = (f":{port:04X}" for port in (connection.getpeername()[1], connection.getsockname()[1]))
    return {f"[{row[9]}]" for row in rows if row[1].endswith(server) and row[2].endswith(client)}
