"""What a client may send and what a browser is told: heads, bodies, other origins, the headers of every reply."""

import asyncio
import gzip
import json
import socket
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message

from app.main import create_app
from app.middleware.http_protocol import HEAD_S, HEAD_SLICE, LARGEST_HEAD, MOST_HEADERS, MOST_PIPELINED, BoundedProtocol
from app.middleware.reply_room import ReplyRoom
from app.middleware.request_limits import BodyBound, Bounds
from app.service import Service
from tests.support.connections import GET, LAST, statuses, talk, tiny_server
from tests.support.guarded import PORTAL, QUERY, Guarded, search
from tests.support.problems import problem
from tests.support.routes import routes
from tests.support.server import PATIENCE_S
from tests.support.sessions import OURS
from worker.settings import Settings, SettingsError
from worker.telemetry.counters import Tally


def request(*headers: str, path: str = "/healthz") -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: here", "Connection: close", *headers, "", ""]).encode()


@pytest.mark.parametrize(
    ("pieces", "status"),
    [
        ([request(*[f"X-A{number}: b" for number in range(MOST_HEADERS - 2)])], b"200"),
        ([request(*[f"X-A{number}: b" for number in range(MOST_HEADERS - 1)])], b"431"),
        ([request(f"X-Long: {'a' * (LARGEST_HEAD - 200)}")], b"200"),
        ([request(f"X-Long: {'a' * LARGEST_HEAD}")], b"431"),
        ([b"GET / HTTP/1.1\r\nX-Endless: ", *[b"a" * 65536] * 50], b"431"),
        ([b"GET /", *[b"a" * 65536] * 50], b"431"),
        ([request(path=f"/v1/searches?{'&'.join(['id=' + 'a' * 24] * 1000)}")], b"401"),
        ([b"nonsense\r\n\r\n"], b"400"),
    ],
)
def test_head_has_a_bound(limited: Guarded, pieces: list[bytes], status: bytes) -> None:
    answer = talk(limited.server.url, *pieces)
    assert answer.startswith(b"HTTP/1.1 " + status), answer[:200]


@pytest.mark.parametrize("beginning", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: here\r\nX-Slow: "])
def test_head_that_does_not_come_ends_the_connection(beginning: bytes) -> None:
    with tiny_server(head_s=1, body_s=60) as url:
        began = time.monotonic()
        assert talk(url, beginning).startswith(b"HTTP/1.1 408 ")
        assert 0.8 < time.monotonic() - began < HEAD_S


def test_blank_lines_after_an_answer_are_no_reason_to_wait_for_ever() -> None:
    with tiny_server(head_s=1, body_s=60) as url:
        place = httpx.URL(url)
        with socket.create_connection((place.host, place.port), timeout=PATIENCE_S) as connection:
            connection.sendall(GET)
            assert statuses(connection.recv(1 << 16)) == [200]
            connection.sendall(b"\r\n")
            assert statuses(connection.recv(1 << 16)) == [408]


class Watched(BoundedProtocol):
    """Our protocol, which notes how many requests of a connection have waited at a time."""

    waited = 0

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        Watched.waited = max(Watched.waited, len(self.pipeline))


CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"


@pytest.mark.parametrize(
    "first",
    [
        (b"", b""),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na", b"b"),
        (CHUNKED, b"1\r\nb\r\n0\r\n\r\n"),
    ],
    ids=["nothing", "a body", "chunks"],
)
def test_requests_sent_without_waiting_are_all_answered_and_few_of_them_kept(first: tuple[bytes, bytes]) -> None:
    Watched.waited = 0
    with tiny_server(60, 60, Watched) as url:
        place = httpx.URL(url)
        with socket.create_connection((place.host, place.port), timeout=PATIENCE_S) as connection:
            connection.sendall(first[0])
            sending = threading.Thread(target=connection.sendall, args=(first[1] + GET * 10_000 + LAST,))
            sending.start()
            answers = b"".join(iter(lambda: connection.recv(1 << 20), b""))
            sending.join()
    assert statuses(answers) == [200] * (10_001 + bool(first[0]))
    assert 0 < Watched.waited <= MOST_PIPELINED + HEAD_SLICE // len(GET)


@pytest.mark.parametrize(
    ("faulty", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX-Endless: " + b"a" * 2 * LARGEST_HEAD, 431),
        (b"GET / HTTP/1.1\r\n" + b"X-A: b\r\n" * (MOST_HEADERS + 2), 431),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n" + b"a" * 2000, 413),
    ],
)
@pytest.mark.parametrize("before", [0, 1, 2, 200])
def test_what_cannot_be_read_is_told_after_all_that_came_before(faulty: bytes, status: int, before: int) -> None:
    with tiny_server(60, 60) as url:
        answers = talk(url, GET * before + faulty + GET)
    assert statuses(answers) == [200] * before + [status]


def test_body_that_does_not_come_is_408() -> None:
    with tiny_server(head_s=60, body_s=1) as url:
        head = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nabc"
        answer = talk(url, head)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"connection: close" in answer.lower()
        assert b"urn:shardwater:problem:request-timeout" in answer
        # One that is whole has all the time there is.
        assert httpx.post(url, content=b"a" * 100, timeout=PATIENCE_S).status_code == 200


def test_upload_that_does_not_come_is_408_and_leaves_nothing(tmp_path: Path) -> None:
    settings = Settings(redis_url="redis://127.0.0.1:1/0", work=str(tmp_path))
    app = create_app(settings)
    app.state.service = Service(settings, Tally(), ReplyRoom(1))
    begun = [{"type": "http.request", "body": b">a\nMKV\n" * (1 << 18), "more_body": True}]
    sent: list[Message] = []

    async def receive() -> Message:
        return begun.pop() if begun else await asyncio.get_running_loop().create_future()

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/v1/uploads", "root_path": "", "query_string": b""}
    scope |= {"headers": [], "scheme": "http", "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1)}
    bounds = Bounds(app, BodyBound("max_body_bytes", 1000), BodyBound("max_upload_bytes", 1 << 30, 0.5), "")
    asyncio.run(bounds(scope, receive, send))
    assert sent[0]["status"] == 408
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("path", ["/v1/searches", "/", "/Blast.cgi", "/rest/fasta/run", "/ticket"])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"])
def test_body_that_does_not_come_is_408_on_every_route(path: str, kind: str) -> None:
    settings = Settings(redis_url="redis://127.0.0.1:1/0")
    app = create_app(settings)
    app.state.service = Service(settings, Tally(), ReplyRoom(1))
    begun = [{"type": "http.request", "body": b"--b\r\n", "more_body": True}]
    sent: list[Message] = []

    async def receive() -> Message:
        return begun.pop() if begun else await asyncio.get_running_loop().create_future()

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "root_path": "", "query_string": b"", "scheme": "http"}
    scope |= {"headers": [(b"content-type", kind.encode())], "server": ("here", 80), "client": ("127.0.0.1", 1)}
    asyncio.run(Bounds(app, *2 * [BodyBound("max_body_bytes", 1000, 0.1)], "")(scope, receive, send))
    assert sent[0]["status"] == 408
    assert b"urn:shardwater:problem:request-timeout" in sent[1]["body"]


def test_refused_request_with_more_to_come_ends_its_connection(guarded: Guarded) -> None:
    head = b"POST /v1/searches HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = talk(guarded.server.url, head, b"5\r\nhello\r\n")
    assert answer.startswith(b"HTTP/1.1 401 ")


def test_replies_carry_the_security_headers(limited: Guarded) -> None:
    http = limited.client("headers")
    found = search(http).json()["search"]
    limited.server.redis.set(f"shardwater:merged:{found}", "broken")
    replies = [http.request(method, path.replace("{", "").replace("}", "")) for method, path in routes()]
    replies += [
        limited.anybody().get("/v1/searches"),
        http.get("/no/such"),
        http.put("/v1/searches"),
        http.post("/v1/searches", content=b"a" * 100, headers={"Content-Encoding": "gzip"}),
        http.get(f"/v1/searches/{found}/results?page_size=1"),
        http.options("/v1/searches", headers={"Origin": PORTAL, "Access-Control-Request-Method": "POST"}),
    ]
    assert {reply.status_code for reply in replies} >= {200, 401, 404, 405, 415, 500}
    for reply in replies:
        headers = reply.headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Opener-Policy"] == headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
        assert "camera=()" in headers["Permissions-Policy"]
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "'unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Request-ID"]
        assert "server" not in headers


@pytest.mark.parametrize(
    "path", ["//evil.example/", "/\\evil.example/", "/v1/searches//evil.example", "/?next=//evil.example"]
)
def test_nothing_leads_to_another_host(limited: Guarded, path: str) -> None:
    http = limited.client("lab")
    reply = http.get(path, headers={"Accept": "text/html"})
    assert reply.status_code < 300 or reply.status_code == 404
    assert "Location" not in reply.headers


def test_slash_at_the_end_is_another_path(limited: Guarded) -> None:
    http = limited.client("lab")
    for path in sorted({path for method, path in routes() if method == "GET" and path not in ("/", "/rest/")}):
        reply = http.get(f"{path.replace('{', '').replace('}', '')}/", headers={"Host": "evil.example"})
        problem(reply, 404, "not-found")
        assert "Location" not in reply.headers


@pytest.mark.parametrize("origin", [PORTAL, "http://localhost:3000"])
def test_named_origins_may_read(limited: Guarded, origin: str) -> None:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    preflight = limited.anybody().options("/v1/searches", headers=asked)
    assert (preflight.status_code, preflight.headers["Access-Control-Allow-Origin"]) == (200, origin)
    assert "authorization" in preflight.headers["Access-Control-Allow-Headers"].lower()
    reply = limited.client("lab").get("/v1/databases", headers={"Origin": origin})
    assert reply.headers["Access-Control-Allow-Origin"] == origin
    assert "Access-Control-Allow-Credentials" not in reply.headers
    told = {name.strip() for name in reply.headers["Access-Control-Expose-Headers"].split(",")}
    assert {"Location", "Retry-After", "ETag", "Link", "RateLimit", "RateLimit-Policy", "X-Request-ID"} <= told
    refused = limited.anybody().get("/v1/databases", headers={"Origin": origin})
    assert (refused.status_code, refused.headers["Access-Control-Allow-Origin"]) == (401, origin)


def test_other_origins_may_not(limited: Guarded, guarded: Guarded) -> None:
    for service, origin in ((limited, "https://evil.example"), (limited, "null"), (guarded, PORTAL)):
        reply = service.client("lab").get("/v1/databases", headers={"Origin": origin})
        assert not [name for name in reply.headers if name.startswith("access-control-allow-origin")]
        asked = {"Origin": origin, "Access-Control-Request-Method": "DELETE"}
        preflight = service.anybody().options("/v1/searches/x", headers=asked)
        assert preflight.status_code in (400, 401)
        assert "Access-Control-Allow-Origin" not in preflight.headers


@pytest.mark.parametrize("value", ["portal.example", "https://portal.example/", "https://a@b", "ftp://portal.example"])
def test_origin_that_is_none_stops_the_start(value: str) -> None:
    with pytest.raises(SettingsError, match="SHARDWATER_CORS_ORIGINS"):
        Settings.from_env({"SHARDWATER_CORS_ORIGINS": value})


@pytest.mark.parametrize("value", ["10.0.0.1/8", "proxy.lab", "10.0.0.0/33"])
def test_proxy_that_is_no_address_stops_the_start(value: str) -> None:
    with pytest.raises(SettingsError, match="SHARDWATER_TRUSTED_PROXIES"):
        Settings.from_env({"SHARDWATER_AUTH": "proxy", "SHARDWATER_TRUSTED_PROXIES": value})
    with pytest.raises(SettingsError, match="SHARDWATER_TRUSTED_PROXIES must name it"):
        Settings.from_env({"SHARDWATER_AUTH": "proxy"})


def test_a_body_unpacks_no_further_than_it_may_be_long(guarded: Guarded) -> None:
    """Two gigabytes in two megabytes, were they unpacked."""
    bomb = gzip.compress(b"M" * 10_000_000) * 200
    peak = memory(guarded)
    for place in ("/v1/searches", "/v1/searches:estimate", "/v1/databases/demo/sequences:batchGet", "/session"):
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/json", **OURS}
        problem(guarded.client("lab").post(place, content=bomb, headers=headers), 413, "limit-exceeded")
    assert memory(guarded) - peak < 200_000


def test_other_codings_of_bodies_are_refused_unread(guarded: Guarded) -> None:
    bomb = gzip.compress(b"M" * 10_000_000) * 200
    peak = memory(guarded)
    for coding in ("deflate", "br", "zstd", "identity, gzip", "gzip, gzip"):
        reply = guarded.client("lab").post(
            "/v1/searches", content=bomb, headers={"Content-Encoding": coding, "Content-Type": "application/json"}
        )
        problem(reply, 415, "unsupported-media-type")
    # Sent as what it is not, it is text that is none.
    plain = guarded.client("lab").post("/v1/searches", content=bomb, headers={"Content-Type": "application/json"})
    problem(plain, 400, "malformed-request")
    assert memory(guarded) - peak < 100_000


def memory(service: Guarded) -> int:
    """The front end's largest resident size so far, in kB."""
    [pid] = service.server.pids("app")
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def fields(number: int) -> dict[str, str]:
    return {f"field{each}": "x" for each in range(number)}


@pytest.mark.parametrize(
    ("body", "statuses"),
    [
        ({"content": b"[" * 1_000_000, "headers": {"Content-Type": "application/json"}}, {400}),
        ({"content": b'{"a":' * 200_000, "headers": {"Content-Type": "application/json"}}, {400}),
        ({"json": {"sequence": QUERY, "database": "demo", "extra": json.loads("[" * 90 + "]" * 90)}}, {422}),
        ({"data": fields(101)}, {400}),
        ({"data": fields(100_000)}, {400}),
        ({"files": {name: (None, value) for name, value in fields(101).items()}}, {400}),
        ({"files": [("sequence", (f"{number}.fasta", QUERY)) for number in range(2)]}, {422}),
        ({"files": [("sequence", (f"{number}.fasta", QUERY)) for number in range(101)]}, {400}),
        (
            {
                "content": b"--b\r\n" + b"X: y\r\n" * 100_000,
                "headers": {"Content-Type": "multipart/form-data; boundary=b"},
            },
            {400},
        ),
        ({"content": b"a", "headers": {"Content-Type": f"multipart/form-data; boundary={'b' * 10_000}"}}, {400}),
    ],
)
def test_shapes_of_bodies_have_bounds(guarded: Guarded, body: dict[str, Any], statuses: set[int]) -> None:
    reply = guarded.client("lab").post("/v1/searches", **body)
    assert reply.status_code in statuses, reply.text
    assert reply.headers["Content-Type"] == "application/problem+json"
