"""Uploads to a real service: sent in every form, found, listed, bounded, removed; large ones in little memory."""

import gzip
import hashlib
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from os import kill
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.requests.uploads import OPEN_EACH
from shardwater.scoring.scoring import FOLDER
from tests.support.guarded import Guarded, guarding, small_data
from tests.support.problems import problem
from tests.support.server import Server, running, until

FASTA = b">a one\nMKVLAAG\n>b\nWWWW\n"
READS = b"@r1\nACGTN\n+\nIIIII\n@r2\nAC\n+\n@@\n"
LIMITS = {
    "max_upload_bytes": 1_000_000,
    "max_upload_records": 10,
    "max_upload_letters": 900_000,
    "max_owner_uploads": 3,
    "max_owner_upload_bytes": 1_500_000,
    "max_kept_upload_bytes": 100_000_000,
}
MIB = 1 << 20
PARTS = ((0, "app"), (1, "valkey"))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A service with small limits of uploads, and smaller ones of other bodies."""
    limits = {**LIMITS, "max_body_bytes": 10_000, "uploads_per_hour": 6}
    data = small_data(tmp_path_factory.mktemp("uploads"))
    yield from guarding(data, **{name: str(value) for name, value in limits.items()})


def post(http: httpx.Client, body: Any, kind: str = "application/octet-stream", **headers: str) -> httpx.Response:
    return http.post("/v1/uploads", content=body, headers={"Content-Type": kind, **headers})


def files(service: Guarded) -> list[Path]:
    """The files of uploads."""
    found = (service.server.data / ".work").rglob("*")
    return [path for path in found if path.is_file() and path.name != "lock"]


def test_upload_is_told_as_it_is_kept(service: Guarded) -> None:
    http = service.client("told")
    reply = post(http, FASTA)
    assert reply.status_code == 201, reply.text
    body = reply.json()
    assert re.fullmatch(r"upload-[A-Za-z0-9_-]{34}", body["id"])
    assert reply.headers["Location"] == f"/v1/uploads/{body['id']}"
    assert reply.headers["Cache-Control"] == "no-store"
    told = {name: body[name] for name in ("kind", "records", "letters", "bytes", "sha256")}
    digest = hashlib.sha256(FASTA).hexdigest()
    assert told == {"kind": "protein", "records": 2, "letters": 11, "bytes": len(FASTA), "sha256": digest}
    assert body["created_at"] < body["expires_at"]
    assert http.get(reply.headers["Location"]).json() == body
    head = http.head(reply.headers["Location"])
    assert (head.status_code, head.content) == (200, b"")
    assert http.delete(reply.headers["Location"]).status_code == 204
    problem(http.get(reply.headers["Location"]), 404, "not-found")
    problem(http.delete(reply.headers["Location"]), 404, "not-found")


def test_equal_upload_in_any_form_is_the_same(service: Guarded) -> None:
    http = service.client("same")
    first = post(http, READS, "text/x-fastq")
    assert (first.status_code, first.json()["kind"], first.json()["records"]) == (201, "dna", 2)
    packed = gzip.compress(READS)
    # Of a body that comes in pieces nobody knows the length before.
    for again in (
        post(http, READS, "text/plain"),
        post(http, packed, "application/gzip"),
        post(http, packed, **{"Content-Encoding": "gzip"}),
        post(http, iter([READS[:7], READS[7:]])),
    ):
        assert (again.status_code, again.json()["id"]) == (200, first.json()["id"])
        assert again.headers["Location"] == first.headers["Location"]
        # Only what is new is charged.
        assert re.match(r'"uploads";r=5', again.headers["RateLimit"])
    other = http.post("/v1/uploads?alphabet=protein", content=READS)
    assert (other.status_code, other.json()["kind"]) == (201, "protein")


def test_faults_have_their_places_and_leave_nothing(service: Guarded) -> None:
    http, before = service.client("faulty"), files(service)
    body = problem(post(http, b">a\nMKV\n>b\nMK1\n"), 422, "invalid-sequence")
    assert body["errors"] == [{"record": 2, "line": 4, "column": 3, "detail": "'1' is no letter of protein"}]
    refused = problem(http.post("/v1/uploads?alphabet=dna", content=FASTA), 422, "invalid-sequence")
    assert "this looks like a protein" in refused["detail"]
    problem(post(http, b""), 422, "invalid-sequence")
    problem(post(http, gzip.compress(FASTA)[:-4]), 422, "invalid-sequence")
    problem(post(http, FASTA, **{"Content-Encoding": "gzip"}), 422, "invalid-sequence")
    problem(post(http, FASTA, **{"Content-Encoding": "br"}), 415, "unsupported-media-type")
    problem(post(http, FASTA, "application/json"), 415, "unsupported-media-type")
    problem(post(http, FASTA, "application/x-www-form-urlencoded"), 415, "unsupported-media-type")
    problem(http.post("/v1/uploads?alphabet=rna", content=FASTA), 422, "invalid-parameter")
    problem(http.post("/v1/uploads?database=demo", content=FASTA), 422, "invalid-parameter")
    assert files(service) == before


def test_limits_hold_whatever_the_form(service: Guarded) -> None:
    http, before = service.client("large"), files(service)
    long = b">a\n" + b"A" * 999_999
    for name, limit, body in (
        ("max_upload_records", 10, 11 * b">a\nMK\n"),
        ("max_upload_letters", 900_000, b">a\n" + b"MKVLA" * 180_001),
        ("max_upload_bytes", 1_000_000, long),
        ("max_upload_bytes", 1_000_000, iter([long[:600_000], long[600_000:]])),
        ("max_upload_bytes", 1_000_000, gzip.compress(long)),
    ):
        refused = problem(post(http, body), 413, "limit-exceeded")
        assert (refused["limit"], refused["detail"].split()[0]) == (limit, name)
    assert files(service) == before


def test_other_bodies_keep_their_bound(service: Guarded) -> None:
    http = service.client("other")
    for place in ("/v1/searches", "/v1/uploads/", "/v1//uploads", "/v1/uploads/x"):
        refused = http.post(place, content=b"A" * 10_001)
        assert (refused.status_code, refused.json()["limit"]) == (413, 10_000)


def test_owner_has_bounds_of_uploads_bytes_and_an_hour(service: Guarded) -> None:
    http = service.client("much")
    half = b">a\n" + b"A" * 800_000
    assert post(http, half).status_code == 201
    refused = problem(post(http, half.replace(b">a", b">b")), 413, "limit-exceeded")
    assert (refused["limit"], refused["actual"]) == (1_500_000, 1_600_006)
    ids = [post(http, b">%d\nMK\n" % number).json()["id"] for number in range(2)]
    assert problem(post(http, b">x\nMK\n"), 413, "limit-exceeded")["limit"] == 3
    for each in ids:
        assert http.delete(f"/v1/uploads/{each}").status_code == 204
    # Three of six are used, and deleting gives none back.
    for number in range(3):
        reply = post(http, b">more%d\nMK\n" % number)
        assert reply.status_code == (201 if number < 2 else 413), reply.text
    assert http.delete(f"/v1/uploads/{post(http, half).json()['id']}").status_code == 204
    assert post(http, b">last\nMK\n").status_code == 201
    late = post(http, b">too late\nMK\n")
    assert (late.status_code, late.json()["type"]) == (429, "urn:shardwater:problem:quota-exceeded")
    assert "uploads" in late.json()["detail"]
    assert int(late.headers["Retry-After"]) > 0


def test_new_matrices_are_charged_as_uploads(service: Guarded) -> None:
    http, text = service.client("matrices"), (FOLDER / "PAM30.txt").read_text().rstrip()

    def sent(stop: str) -> httpx.Response:
        """The same matrix with another last score, of `*` against itself."""
        return http.post("/v1/matrices", content=text[:-1] + stop, headers={"Content-Type": "text/plain"})

    assert [sent(str(number)).status_code for number in (1, 2, 3, 4, 5, 5, 1)] == [201] * 5 + [200] * 2
    assert sent("x").status_code == 422
    assert sent("6").status_code == 201
    assert (late := sent("7")).status_code == 429
    assert "uploads" in late.json()["detail"]


def test_lists_have_pages_and_ones_own(service: Guarded) -> None:
    http = service.client("lister")
    ids = [post(http, b">%d\nMK\n" % number).json()["id"] for number in range(3)]
    page = http.get("/v1/uploads")
    assert ([each["id"] for each in page.json()["items"]], page.headers["X-Total-Results"]) == (ids[::-1], "3")
    first = http.get("/v1/uploads?page_size=2")
    token = first.json()["next_page_token"]
    assert f"page_token={token}" in first.headers["Link"]
    rest = http.get("/v1/uploads", params={"page_size": 2, "page_token": token}).json()
    assert [each["id"] for each in first.json()["items"] + rest["items"]] == ids[::-1]
    assert rest["next_page_token"] == ""
    problem(http.get("/v1/uploads?page_token=x"), 422, "invalid-parameter")
    everything = service.client("boss", "admin").get("/v1/uploads?page_size=1000").json()["items"]
    assert set(ids) < {each["id"] for each in everything}


def test_limits_are_published(service: Guarded) -> None:
    assert service.client("reader").get("/v1/service-info").json()["limits"]["uploads"] == LIMITS


def test_client_that_leaves_leaves_nothing(service: Guarded) -> None:
    http, before = service.client("gone"), files(service)

    def leaving() -> Iterator[bytes]:
        yield b">a\n" + b"A" * 100_000
        raise ConnectionError

    with pytest.raises(ConnectionError):
        post(http, leaving())
    until(lambda: files(service) == before)


def test_folder_that_cannot_be_written_to_is_507_and_logged(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    environment = {"SHARDWATER_WORK": str(tmp_path / "file"), "SHARDWATER_LOG_LEVEL": "info"}
    with running(Server(small_data(tmp_path), environment=environment)) as server, server.http as http:
        refused = problem(post(http, FASTA), 507, "storage-full")
        assert str(tmp_path) not in refused["detail"]
        until(lambda: any("the upload cannot be kept in" in line for line in server.lines))
        assert http.get("/v1/uploads").json() == {"items": [], "next_page_token": ""}
        problem(http.get("/v1/uploads/x"), 404, "not-found")


def test_third_upload_of_one_account_at_a_time_is_refused_before_its_body(tmp_path: Path) -> None:
    with running(Server(small_data(tmp_path))) as server, ExitStack() as waiting:
        place, incoming = httpx.URL(server.url), server.data / ".work" / "uploads" / "incoming"
        for _ in range(OPEN_EACH):
            connection = waiting.enter_context(socket.create_connection((place.host, place.port)))
            connection.sendall(b"POST /v1/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n\r\n")
        until(lambda: incoming.is_dir() and len(list(incoming.iterdir())) == OPEN_EACH)
        with server.http as http:
            problem(post(http, FASTA), 503, "service-unavailable")
            connection.sendall(b">a\nMKV\n")
            assert connection.recv(1 << 16).startswith(b"HTTP/1.1 201 ")
            assert post(http, FASTA).status_code == 201


def test_front_end_and_queue_that_die_lose_no_upload(tmp_path: Path) -> None:
    with running(Server(small_data(tmp_path))) as server, server.http as http:
        kept = post(http, FASTA).json()
        pids = [*server.pids("app"), *server.pids("valkey")]
        for pid in pids:
            kill(pid, signal.SIGKILL)
        until(lambda: all(server.pids(what) and pids[at] not in server.pids(what) for at, what in PARTS))
        until(lambda: is_served(http))
        assert http.get(f"/v1/uploads/{kept['id']}").json() == kept
        assert post(http, FASTA).json()["id"] == kept["id"]


def is_served(http: httpx.Client) -> bool:
    try:
        return http.get("/v1/uploads").status_code == 200
    except httpx.TransportError:
        return False


def memory(pid: int, name: str) -> int:
    [kilobytes] = re.findall(rf"^{name}:\s+(\d+) kB$", Path(f"/proc/{pid}/status").read_text(), re.M)
    return int(kilobytes) << 10


def test_large_upload_takes_no_memory_and_holds_nobody_up(tmp_path: Path) -> None:
    line = b"ACGTTGCAAC" * 10 + b"\n"
    block = line * (MIB // len(line))
    with running(Server(small_data(tmp_path))) as server, server.http as http:
        [pid] = server.pids("app")
        assert post(http, b">small\n" + block).status_code == 201
        before, slowest = memory(pid, "VmHWM"), 0.0

        def blocks() -> Iterator[bytes]:
            nonlocal slowest
            with server.http as other:
                yield b">large\n"
                for number in range(96):
                    yield block
                    if number % 16 == 15:
                        slowest = max(slowest, other.get("/v1/databases").elapsed.total_seconds())

        body = post(http, blocks()).json()
        assert (body["records"], body["letters"]) == (1, 96 * (len(block) - len(block) // len(line)))
        assert memory(pid, "VmHWM") - before < 16 * MIB
        assert slowest < 2
