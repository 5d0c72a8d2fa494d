"""Six bodies of the largest size at once: the front end takes a bounded part of the memory, and gives it back."""

import socket
from pathlib import Path
from threading import Barrier, Thread

import httpx
import pytest

from app.requests.large_bodies import LARGE
from tests.support.problems import problem
from tests.support.server import PATIENCE_S, Server

SIZE, AT_ONCE = 15_900_000, 6
MOST = 24 * SIZE
"""What they may take together: themselves, and what is made of one at a time."""
BOUNDARY = b"--b\r\nContent-Disposition: form-data; name="


def peak(process: int) -> int:
    """The most memory that a process has had, in bytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def send(server: Server, path: str, media_type: str, body: bytes) -> list[int]:
    """The statuses of AT_ONCE requests whose bodies end at the same time."""
    address = httpx.URL(server.url)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media_type}\r\nConnection: close\r\n"
    whole = head.encode() + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    ready, found = Barrier(AT_ONCE), list[int]()

    def one() -> None:
        with socket.create_connection((address.host, address.port or 0), timeout=PATIENCE_S) as connection:
            connection.sendall(whole[:-1])
            ready.wait(PATIENCE_S)
            connection.sendall(whole[-1:])
            found.append(int(connection.makefile("rb").readline().split()[1]))

    threads = [Thread(target=one) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    return found


@pytest.mark.parametrize(
    ("path", "media_type", "first", "again", "last", "status"),
    [
        ("/v1/searches?database=demo", "text/x-fasta", b"", b"\xff", b"", 422),
        ("/v1/searches", "application/json", b'{"database":"demo","sequence":"', b"\\u0041", b'"}', 413),
        ("/v1/searches", "application/x-www-form-urlencoded", b"database=demo&sequence=", b"\xff", b"", 422),
        ("/rest/ncbiblast/run", "application/x-www-form-urlencoded", b"database=demo&sequence=", b"\xff", b"", 400),
        (
            "/v1/searches",
            "multipart/form-data; boundary=b",
            BOUNDARY + b'"sequence"\r\n\r\n',
            b"\xff",
            b"\r\n--b--",
            422,
        ),
    ],
)
def test_large_bodies_take_turns_to_take_several_times_their_size(
    server: Server, path: str, media_type: str, first: bytes, again: bytes, last: bytes, status: int
) -> None:
    [front_end] = server.pids("app")
    forgotten = Path(f"/proc/{front_end}/clear_refs")
    try:
        forgotten.write_text("5")
    except PermissionError:
        pytest.skip("the peak of a process's memory cannot be set back here")
    before = peak(front_end)
    body = first + again * (SIZE // len(again)) + last
    assert send(server, path, media_type, body) == [status] * AT_ONCE
    assert peak(front_end) - before < MOST


def test_what_is_wrong_with_a_large_body_is_told_from_its_bytes(server: Server) -> None:
    body = b">one caf\xe9\nMKV\n" + b" " * LARGE + b"\n>two\nMK\xffV\n"
    with server.http as http:
        reply = http.post("/v1/searches?database=demo", content=body, headers={"Content-Type": "text/x-fasta"})
    [error] = problem(reply, 422, "invalid-sequence")["errors"]
    assert (error["record"], error["line"], error["column"]) == (2, 5, 3)
    assert error["detail"] == "'\\xff' is not an amino acid letter: save the text as UTF-8 (or ASCII)"


def test_a_header_that_is_no_utf8_is_taken_in_a_large_body_as_in_a_small_one(server: Server) -> None:
    for blanks in (0, LARGE):
        body = b">caf\xe9 au lait\nMKVLAAGW\n" + b" " * blanks
        headers = {"Content-Type": "text/x-fasta", "Prefer": f"wait={PATIENCE_S}"}
        with server.http as http:
            reply = http.post("/v1/searches?database=demo", content=body, headers=headers)
        [one] = reply.json()["results"]
        assert one["query"]["id"] == "caf\u00e9"
        assert "header-not-utf8" not in [warning["code"] for warning in one["warnings"]]


def test_a_key_is_no_reason_for_a_large_body(server: Server) -> None:
    with server.http as http:
        # Whether or not there are sessions here, nothing is made of it.
        reply = http.post(
            "/session", content=b'{"key":[' + b"[]," * LARGE, headers={"Content-Type": "application/json"}
        )
    assert reply.status_code in (404, 413)
