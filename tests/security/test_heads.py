"""Headers that more than one part of a service reads: each is read in one way, or the request is refused."""

import re
import socket

import httpx
import pytest

from tests.support.connections import talk
from tests.support.guarded import QUERY, Guarded, search
from tests.support.server import PATIENCE_S, until


@pytest.mark.parametrize(
    "header",
    [
        *("Host: localhost", "Authorization: Bearer x", "Content-Type: text/plain", "Content-Encoding: identity"),
        *('Idempotency-Key: "a"', "Origin: http://localhost", "Sec-Fetch-Site: same-origin"),
        *("Referer: http://localhost/", "X-API-Key: x"),
    ],
)
def test_header_that_decides_stands_there_once(limited: Guarded, header: str) -> None:
    """Of two, a proxy might heed this one and the service that one."""
    for second in (header, f"{header}x"):
        answer = talk(
            limited.server.url,
            f"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{header}\r\n{second}\r\n\r\n".encode(),
        )
        assert answer.startswith(b"HTTP/1.1 400 "), answer
        assert b"urn:shardwater:problem:malformed-request" in answer


@pytest.mark.parametrize(
    "headers",
    [
        *("Content-Length: 3\r\nContent-Length: 5", "Content-Length: 3\r\nContent-Length: 3", "Content-Length: +3"),
        *("Content-Length: 3, 3", "Content-Length: 0x3", "Content-Length: 3\r\nTransfer-Encoding: chunked"),
        *("Transfer-Encoding: chunked, gzip", "Transfer-Encoding : chunked", "X-A: a\r\n Content-Length: 3"),
    ],
)
def test_length_of_a_body_is_said_in_one_way(limited: Guarded, headers: str) -> None:
    """Else a proxy might see another end of the request than the service does."""
    head = f"POST /v1/searches HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n\r\n"
    assert talk(limited.server.url, head.encode(), b"0\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_part_of_a_reply_cannot_be_asked_for(limited: Guarded) -> None:
    http = limited.client("ranges")
    whole = http.get("/openapi.json")
    part = http.get("/openapi.json", headers={"Range": "bytes=0-9"})
    assert (part.status_code, part.content) == (200, whole.content)


def test_lines_of_a_list_are_read_as_one(limited: Guarded) -> None:
    http = limited.client("lines")
    found = search(http).json()["search"]
    etag = http.get(f"/v1/searches/{found}/results").headers["ETag"]
    known = [("If-None-Match", 'W/"other"'), ("If-None-Match", etag)]
    assert http.get(f"/v1/searches/{found}/results", headers=known).status_code == 304
    prefer = [("Prefer", "respond-async"), ("Prefer", "wait=20")]
    again = http.post("/v1/searches", json={"sequence": QUERY, "database": "demo"}, headers=prefer)
    assert again.headers["Preference-Applied"] == "wait=20"
    accept = [("Accept", "text/html;q=0.1"), ("Accept", "text/csv")]
    assert http.get(f"/v1/searches/{found}/results", headers=accept).headers["Content-Type"].startswith("text/csv")


@pytest.mark.parametrize("path", ["/no/such", "/v1/databases", "/v1/searches/x:cancel"])
def test_body_that_nobody_reads_ends_its_connection(limited: Guarded, path: str) -> None:
    """Else it could come for ever, a byte at a time."""
    key = f"Authorization: Bearer {limited.key('lab')}"
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{key}\r\nContent-Length: 1000\r\n\r\nabc"
    answer = talk(limited.server.url, head.encode())
    assert b"connection: close" in answer.lower()
    assert answer.split(b" ")[1] in (b"404", b"405")


def test_client_that_leaves_in_the_middle_is_no_fault_of_the_server(limited: Guarded) -> None:
    boss, lines = limited.client("boss", "admin"), len(limited.server.lines)

    def malformed() -> int:
        found = re.findall(r'shardwater_rejected_total\{reason="malformed-request"\} (\d+)', boss.get("/metrics").text)
        return int(found[0]) if found else 0

    before, address = malformed(), httpx.URL(limited.server.url)
    key = limited.key("lab")
    head = f"HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Length: 9\r\nContent-Type:"
    for path, kind in (("/v1/searches", "text/plain"), ("/Blast.cgi", "application/x-www-form-urlencoded")):
        with socket.create_connection((address.host, address.port), timeout=PATIENCE_S) as connection:
            connection.sendall(f"POST {path} {head} {kind}\r\n\r\nabc".encode())
    until(lambda: malformed() == before + 2)
    assert not [line for line in limited.server.lines[lines:] if "ERROR" in line]
