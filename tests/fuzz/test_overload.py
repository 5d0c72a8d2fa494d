"""Too much at a time is refused at once, and harms nobody once it has gone."""

import asyncio
import random
import resource
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from app.middleware.backpressure import BODIES_EACH, SMALL, Overload
from app.middleware.reply_room import ReplyRoom
from shardwater.sequences.fasta import read_fasta
from tests.fuzz.service import make_small
from tests.support.problems import problem
from tests.support.server import PATIENCE_S, Server, running

CLIENTS = 200
FILES = 400
LARGEST = 200_000


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service with room for few bytes, on a folder of its own."""
    small = make_small(tmp_path_factory.mktemp("narrow"))
    with running(Server(small, environment={"SHARDWATER_MAX_BODY_BYTES": str(LARGEST)})) as started:
        yield started


def unfinished(server: Server) -> socket.socket:
    """A connection with a body of the largest size on its way, of which the last byte does not come."""
    address = httpx.URL(server.url)
    connection = socket.create_connection((address.host, address.port), timeout=PATIENCE_S)
    head = f"POST /v1/searches HTTP/1.1\r\nHost: [::1]\r\nContent-Type: text/plain\r\nContent-Length: {LARGEST}\r\n\r\n"
    connection.sendall(head.encode() + b"M" * (LARGEST - 1))
    return connection


def until(server: Server, status: int) -> httpx.Response:
    """The answer to a search with a large body, most of it blanks, once it has this status."""
    while True:
        answer = server.post("MKVLAAGW".ljust(LARGEST - 1_000))
        if answer.status_code == status:
            return answer
        assert answer.status_code in (202, 503), answer.text


def test_bodies_that_do_not_end_take_a_bounded_room_and_give_it_back(narrow: Server) -> None:
    room = BODIES_EACH * LARGEST // (LARGEST - SMALL)
    stuck = [unfinished(narrow) for _ in range(room)]
    refused = until(narrow, 503)
    problem(refused, 503, "service-unavailable")
    assert refused.headers["Retry-After"]
    assert refused.headers["Connection"] == "close"
    # Usual requests find room all the same.
    assert narrow.post("MKVLAAGW").status_code == 202
    for connection in stuck:
        connection.close()
    until(narrow, 202)


def test_idle_connections_beyond_the_files_end_and_the_front_end_lives_on(narrow: Server) -> None:
    [front_end] = narrow.pids("app")
    usual = resource.prlimit(front_end, resource.RLIMIT_NOFILE)
    place = httpx.URL(narrow.url)
    opened: list[socket.socket] = []
    at_work = unfinished(narrow)
    try:
        resource.prlimit(front_end, resource.RLIMIT_NOFILE, (FILES, usual[1]))
        while len(opened) < 3 * FILES:
            opened.append(socket.create_connection((place.host, place.port or 0), timeout=PATIENCE_S))
            if len(opened) % FILES == 0:
                # What watches over the front end asks over a new connection each time.
                assert httpx.get(f"{narrow.url}/healthz", timeout=PATIENCE_S).status_code == 200
        assert narrow.post("MKVLAAGW").status_code == 202
        assert opened[0].recv(1) == b""
        at_work.sendall(b"M")
        assert at_work.recv(100).startswith(b"HTTP/1.1 4")
    finally:
        for connection in (*opened, at_work):
            connection.close()
        resource.prlimit(front_end, resource.RLIMIT_NOFILE, usual)
    assert narrow.pids("app") == [front_end]


NO_TARGET = b"GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n"
ALIVE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
ASSET = b"GET /assets/page.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST_ASSET = b"GET /assets/page.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize("sent", [NO_TARGET, ASSET + NO_TARGET, ALIVE * 1_000, LAST_ASSET])
def test_connections_whose_answers_nobody_takes_end_for_others(narrow: Server, sent: bytes) -> None:
    [front_end] = narrow.pids("app")
    usual = resource.prlimit(front_end, resource.RLIMIT_NOFILE)
    place = httpx.URL(narrow.url)
    opened: list[socket.socket] = []
    try:
        resource.prlimit(front_end, resource.RLIMIT_NOFILE, (FILES, usual[1]))
        for _ in range(FILES):
            connection = socket.socket()
            opened.append(connection)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect((place.host, place.port or 0))
            with suppress(ConnectionError):
                connection.sendall(sent)
        assert httpx.get(f"{narrow.url}/healthz", timeout=PATIENCE_S).status_code == 200
    finally:
        for connection in opened:
            connection.close()
        resource.prlimit(front_end, resource.RLIMIT_NOFILE, usual)
    assert narrow.pids("app") == [front_end]


def test_more_requests_than_there_is_room_for_are_refused_at_once() -> None:
    async def ask() -> tuple[list[int], list[int]]:
        held, begun = asyncio.Event(), asyncio.Event()

        async def app(_: Scope, receive: Receive, send: Send) -> None:
            begun.set()
            await held.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        bounded = Overload(app, max_body_bytes=10, most=1, replies=ReplyRoom(10))
        first = asyncio.create_task(statuses(bounded, "/v1/searches"))
        await begun.wait()
        refused = await statuses(bounded, "/v1/searches")
        held.set()
        return refused, await first + await statuses(bounded, "/v1/searches")

    assert asyncio.run(ask()) == ([503], [200, 200])


@pytest.mark.parametrize(("path", "root_path"), [("/healthz", ""), ("/healthz", "/lab"), ("/lab/healthz", "/lab")])
def test_liveness_is_always_told(path: str, root_path: str) -> None:
    async def app(_: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    full = Overload(app, max_body_bytes=10, most=0, replies=ReplyRoom(10))
    assert asyncio.run(statuses(full, path, root_path)) == [200]
    assert asyncio.run(statuses(full, "/readyz", root_path)) == [503]


async def statuses(app: Overload, path: str, root_path: str = "") -> list[int]:
    """The status of each reply to a request."""
    found: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            found.append(message["status"])

    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b""}
    await app({**scope, "root_path": root_path, "scheme": "http", "server": ("x", 80)}, receive, send)
    return found


def test_two_hundred_clients_at_a_time_get_their_own_answers(server: Server, small: Path) -> None:
    records = read_fasta((small.parent / "small.fasta").read_bytes())
    letters = {record.id: record.residues for record in records}
    chosen = random.Random(4).sample(records, CLIENTS)
    # A connection kept open may be closed by the server, as idle, at the moment when it is used again.
    limits = httpx.Limits(max_connections=CLIENTS, max_keepalive_connections=0)
    patience = httpx.Timeout(4 * PATIENCE_S)

    async def ask(http: httpx.AsyncClient, number: int) -> None:
        record, waits = chosen[number], number % 2 == 0
        fields = {"sequence": f">{record.header}\n{record.residues.decode()}", "database": "demo", "max_target_seqs": 3}
        answer = await http.post("/v1/searches", json=fields, headers={"Prefer": "wait=60"} if waits else {})
        if answer.status_code == 202:
            path = answer.headers["Location"]
            assert "event: done" in (await http.get(f"{path}/events")).text
            answer = await http.get(f"{path}/results")
        assert answer.status_code == 200, answer.text
        [result] = answer.json()["results"]
        # The best hit of each is its own protein, or one with the same letters.
        best = result["hits"][0]
        assert (result["query"]["id"], best["identity"]) == (record.id, 100)
        assert letters[best["accession"]] == record.residues

    async def ask_all() -> None:
        async with httpx.AsyncClient(base_url=server.url, limits=limits, timeout=patience) as http:
            await asyncio.gather(*(ask(http, number) for number in range(CLIENTS)))

    asyncio.run(ask_all())
