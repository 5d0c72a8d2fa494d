"""How a request may be treated: sent again by its key, answered with headers alone, answered from what is known."""

import gzip
import uuid
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.support.problems import problem
from tests.support.searches import NOBODY, QUERY
from tests.support.server import Server
from worker.jobs.redis_names import SearchKeys

MANY = 12
FORMATS = ["json", "ndjson", "tab", "csv", "pairwise", "fasta", "xml", "blast-json", "sam"]
FORMATS += ["aligned-fasta", "stockholm", "a3m"]


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def place(server: Server, queries: str) -> str:
    """The address of a result."""
    return f"/v1/searches/{server.search(queries, title='cached')['search']}/results"


def post(http: httpx.Client, key: str | None = None, prefer: str | None = None, **fields: Any) -> httpx.Response:
    headers = {"Cache-Control": "no-cache"}
    if key is not None:
        headers["Idempotency-Key"] = key
    if prefer is not None:
        headers["Prefer"] = prefer
    return http.post("/v1/searches", json={"sequence": QUERY, "database": "demo", **fields}, headers=headers)


def quoted() -> str:
    return f'"{uuid.uuid4()}"'


def test_request_sent_again_is_the_same_search(http: httpx.Client) -> None:
    key = quoted()
    first, second = post(http, key), post(http, key)
    assert (first.status_code, second.status_code) == (202, 202)
    assert first.headers["Location"] == second.headers["Location"]
    assert (first.json()["reused"], second.json()["reused"]) == (False, True)
    third = post(http, key, "wait=30")
    assert (third.status_code, third.headers["Location"]) == (200, first.headers["Location"])
    assert post(http).headers["Location"] != first.headers["Location"]


def test_key_of_another_request_is_422(http: httpx.Client) -> None:
    key = quoted()
    assert post(http, key).status_code == 202
    problem(post(http, key, title="another"), 422, "idempotency-key-reused")


@pytest.mark.parametrize("key", ["bare", '""', f'"{"x" * 256}"', '"a'])
def test_wrong_key_is_named(http: httpx.Client, key: str) -> None:
    [error] = problem(post(http, key), 422, "invalid-parameter")["errors"]
    assert error["parameter"] == "Idempotency-Key"


def test_many_at_a_time_are_one_search(server: Server) -> None:
    key = quoted()

    def send(_: int) -> httpx.Response:
        with server.http as http:
            return post(http, key)

    with ThreadPoolExecutor(MANY) as threads:
        replies = list(threads.map(send, range(MANY)))
    assert {reply.status_code for reply in replies} == {202}
    assert len({reply.headers["Location"] for reply in replies}) == 1
    assert [reply.json()["reused"] for reply in replies].count(False) == 1


def test_headers_alone(http: httpx.Client) -> None:
    ticket = post(http, prefer="return=minimal, respond-async")
    assert (ticket.status_code, ticket.content) == (202, b"")
    assert ticket.headers["Preference-Applied"] == "respond-async, return=minimal"
    assert (ticket.headers["Cache-Control"], ticket.headers["Retry-After"]) == ("no-store", "1")
    assert "Content-Type" not in ticket.headers
    done = post(http, prefer="wait=30; return=minimal")
    assert (done.status_code, done.content) == (200, b"")
    assert done.headers["Preference-Applied"] == "wait=30, return=minimal"
    assert http.get(f"{done.headers['Location']}/results").status_code == 200


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("text/tab-separated-values", "tab"),
        ("text/csv", "csv"),
        ("image/png, application/xml;q=0.5", "xml"),
        ("text/x-fasta", "fasta"),
        ("application/vnd.apache.parquet", "parquet"),
        ("text/html, */*;q=0.1", "json"),
    ],
)
def test_answer_that_was_waited_for_comes_as_accept_says(http: httpx.Client, accept: str, form: str) -> None:
    sent = {"sequence": QUERY, "database": "demo", "title": "as accepted"}
    waited = http.post("/v1/searches", json=sent, headers={"Prefer": "wait=30", "Accept": accept})
    assert waited.status_code == 200
    again = http.get(f"{waited.headers['Location']}/results", headers={"Accept": accept})
    assert waited.content == again.content == http.get(f"{again.request.url}?format={form}").content
    for header in ("Content-Type", "Vary", "Content-Disposition"):
        assert waited.headers.get(header) == again.headers.get(header)


def test_state_is_json_whatever_is_accepted(http: httpx.Client) -> None:
    sent = {"sequence": QUERY, "database": "demo"}
    at_once = http.post("/v1/searches", json=sent, headers={"Accept": "text/csv", "Cache-Control": "no-cache"})
    assert (at_once.status_code, at_once.headers["Content-Type"]) == (202, "application/json")


def test_what_cannot_be_answered_is_not_searched(http: httpx.Client) -> None:
    sent = {"sequence": QUERY, "database": "demo", "title": "never to be made"}
    refused = http.post("/v1/searches", json=sent, headers={"Prefer": "wait=30", "Accept": "image/png"})
    assert "text/csv" in problem(refused, 406, "not-acceptable")["detail"]
    titles = [item["title"] for item in http.get("/v1/searches").json()["items"]]
    assert titles
    assert "never to be made" not in titles


@pytest.mark.parametrize("form", FORMATS)
def test_result_is_kept_by_its_tag(http: httpx.Client, place: str, form: str) -> None:
    first = http.get(place, params={"format": form})
    tag = first.headers["ETag"]
    seconds = int(first.headers["Cache-Control"].removeprefix("private, immutable, max-age="))
    assert 604_700 < seconds <= 604_800
    assert first.headers["Vary"] == "Accept, Accept-Encoding"
    known = http.get(place, params={"format": form}, headers={"If-None-Match": f'"other", {tag}'})
    assert (known.status_code, known.content, known.headers["ETag"]) == (304, b"", tag)
    assert known.headers["Cache-Control"].startswith("private, immutable, max-age=")
    assert http.get(place, params={"format": form}, headers={"If-None-Match": '"other"'}).content == first.content
    tags = {http.get(place, params={"format": name}).headers["ETag"] for name in ("json", "tab", "csv")}
    assert len(tags) == 3


@pytest.mark.parametrize("form", FORMATS)
def test_compressed_is_the_same(http: httpx.Client, place: str, form: str) -> None:
    bodies = {}
    for coding in ("gzip", "identity"):
        with http.stream("GET", place, params={"format": form}, headers={"Accept-Encoding": coding}) as reply:
            assert reply.headers.get("Content-Encoding") == (None if coding == "identity" else "gzip")
            bodies[coding] = b"".join(reply.iter_raw())
    assert gzip.decompress(bodies["gzip"]) == bodies["identity"]
    # Of whole sequences little more than half of the bits can be spared.
    assert len(bodies["gzip"]) < 0.6 * len(bodies["identity"])


def test_answer_that_was_waited_for_is_compressed_too(http: httpx.Client) -> None:
    sent = {"sequence": QUERY, "database": "demo", "title": "waited for"}
    replies = [
        http.post("/v1/searches", json=sent, headers={"Prefer": "wait=30", "Accept-Encoding": coding})
        for coding in ("gzip", "identity")
    ]
    assert [reply.headers.get("Content-Encoding") for reply in replies] == ["gzip", None]
    assert replies[0].content == replies[1].content


def test_result_that_an_earlier_version_packed_is_read(server: Server, http: httpx.Client) -> None:
    search = server.search(QUERY, title="packed otherwise")["search"]
    place = f"/v1/searches/{search}/results"
    before = http.get(place).content
    with server.redis as redis:
        merged = SearchKeys(search).whole
        redis.set(merged, zlib.compress(gzip.decompress(redis.get(merged)), 1), keepttl=True)
    for coding in ("gzip", "identity"):
        assert http.get(place, headers={"Accept-Encoding": coding}).content == before


def test_head_has_the_headers_of_get(http: httpx.Client, place: str) -> None:
    for path in (place, f"{place}?format=csv", place.removesuffix("/results")):
        head, got = http.head(path), http.get(path)
        assert (head.status_code, head.content) == (200, b"")
        for name in ("Content-Type", "ETag", "Vary", "Content-Disposition"):
            assert head.headers.get(name) == got.headers.get(name)
    assert http.head(place, headers={"If-None-Match": "*"}).status_code == 304
    assert http.head(f"/v1/searches/{NOBODY}").status_code == 404
    assert http.head(f"/v1/searches/{NOBODY}/results").status_code == 404
