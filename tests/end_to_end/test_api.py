"""Searches over HTTP: every form of body, waiting, states, lists, cancel and delete."""

import gzip
import json
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from tests.support.problems import problem
from tests.support.searches import LONG, QUERY
from tests.support.server import Server

FORMS = [
    "application/json",
    "text/x-fasta",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
]
AT_ONCE_S = 30


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture
def long_search(idle: Server, http: httpx.Client) -> Iterator[str]:
    """The id of a search that does not end by itself during its test."""
    search = idle.post(LONG).json()["id"]
    yield search
    http.delete(f"/v1/searches/{search}")


@pytest.fixture(scope="module")
def posted(http: httpx.Client) -> dict[str, Any]:
    """The search that all forms of a body ask for."""
    options = {"database": "demo", "evalue": 0.5, "max_target_seqs": 3, "title": "forms"}
    response = http.post("/v1/searches", json={"sequence": QUERY, **options})
    assert response.status_code == 202
    return response.json()


OPTIONS = {"database": "demo", "evalue": "0.5", "max_target_seqs": "3", "title": "forms"}
EMPTY = {"gap_open": "", "min_bits": "", "statistics": ""}


@pytest.mark.parametrize(
    "body",
    [
        {"content": QUERY, "params": OPTIONS, "headers": {"Content-Type": "text/x-fasta"}},
        {"content": QUERY, "params": OPTIONS, "headers": {"Content-Type": "text/plain; charset=utf-8"}},
        {"content": QUERY.replace("\n", "\r\n"), "params": OPTIONS, "headers": {"Content-Type": "TEXT/PLAIN"}},
        {"data": {**OPTIONS, "sequence": QUERY}},
        {"data": {**OPTIONS, **EMPTY, "sequence": QUERY}},
        {"files": {"sequence": (None, QUERY)}, "data": OPTIONS},
        {"files": {"sequence": ("queries.fasta", QUERY)}, "data": {**OPTIONS, **EMPTY}},
        {"json": {"sequence": QUERY, "database": "demo", "evalue": 0.5, "max_target_seqs": 3, "title": "forms",
                  "gap_open": 11, "gap_extend": 1, "matrix": "blosum62"}},
    ],
)  # fmt: skip
def test_every_form_of_body_asks_for_the_same_search(
    http: httpx.Client, posted: dict[str, Any], body: dict[str, Any]
) -> None:
    response = http.post("/v1/searches", **body)
    assert response.status_code == 202, response.text
    assert (response.json()["id"], response.json()["reused"]) == (posted["id"], True)


@pytest.mark.parametrize("kind", [None, "application/xml", "application/octet-stream", "text/html"])
def test_other_content_types_are_415_and_the_answer_lists_those_that_will_do(
    http: httpx.Client, kind: str | None
) -> None:
    headers = {"Content-Type": kind} if kind else {}
    refused = http.post("/v1/searches", params={"database": "demo"}, content=QUERY, headers=headers)
    detail = problem(refused, 415, "unsupported-media-type")["detail"]
    assert all(form in detail for form in FORMS)


@pytest.mark.parametrize(("kind", "body"), [
    ("text/x-fasta", QUERY.encode()),
    ("text/x-fasta", QUERY.encode() + b"\n" + b" " * 100_000),
    ("application/json", json.dumps({"sequence": QUERY, "database": "demo"}).encode()),
    ("application/x-www-form-urlencoded", urlencode({"sequence": QUERY, "database": "demo"}).encode()),
])  # fmt: skip
@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "GZIP"])
def test_a_body_may_come_as_gzip(http: httpx.Client, coding: str, kind: str, body: bytes) -> None:
    place = "/v1/searches?database=demo" if kind == "text/x-fasta" else "/v1/searches"
    half = len(body) // 2
    # Of two members, as bgzip and concatenated files have them.
    packed = gzip.compress(body[:half]) + gzip.compress(body[half:])
    plain = http.post(place, content=body, headers={"Content-Type": kind})
    reply = http.post(place, content=packed, headers={"Content-Type": kind, "Content-Encoding": coding})
    assert (reply.status_code, reply.json()["id"]) == (202, plain.json()["id"])


@pytest.mark.parametrize(
    "body", [b"MKVLAAGW", gzip.compress(b"MKVLAAGW", mtime=0)[:-4], gzip.compress(b"MK", mtime=0) + b"more"]
)
def test_what_is_no_gzip_is_told(http: httpx.Client, body: bytes) -> None:
    headers = {"Content-Type": "text/plain", "Content-Encoding": "gzip"}
    refused = http.post("/v1/searches", params={"database": "demo"}, content=body, headers=headers)
    assert "gzip" in problem(refused, 400, "malformed-request")["detail"]


@pytest.mark.parametrize("coding", ["deflate", "br", "gzip, br"])
def test_bodies_compressed_otherwise_are_415(http: httpx.Client, coding: str) -> None:
    headers = {"Content-Type": "text/plain", "Content-Encoding": coding}
    refused = http.post("/v1/searches", params={"database": "demo"}, content=QUERY, headers=headers)
    assert "compressed" in problem(refused, 415, "unsupported-media-type")["detail"]


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("application/json", b'{"sequence": "MKVL", '),
        ("application/json", b""),
        ("multipart/form-data", b"no boundary is named"),
        ("multipart/form-data; boundary=x", b"no part begins here"),
    ],
)
def test_body_that_is_not_what_it_says_is_400(http: httpx.Client, kind: str, content: bytes) -> None:
    refused = http.post("/v1/searches", content=content, headers={"Content-Type": kind})
    problem(refused, 400, "malformed-request")


def test_sequence_has_no_place_in_the_query_string(http: httpx.Client) -> None:
    headers = {"Content-Type": "text/plain"}
    refused = http.post("/v1/searches", params={"database": "demo", "sequence": "MKVL"}, content=QUERY, headers=headers)
    [error] = problem(refused, 422, "invalid-parameter")["errors"]
    assert error["parameter"] == "sequence"


@pytest.mark.parametrize(
    "body",
    [
        {"content": QUERY, "params": [("database", "demo"), ("evalue", "1"), ("evalue", "2")],
         "headers": {"Content-Type": "text/plain"}},
        {"content": "sequence=MKVL&database=demo&evalue=1&evalue=2",
         "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        {"files": [("sequence", (None, QUERY)), ("evalue", (None, "1")), ("evalue", (None, "2"))]},
    ],
)  # fmt: skip
def test_option_given_twice_is_refused(http: httpx.Client, body: dict[str, Any]) -> None:
    [error] = problem(http.post("/v1/searches", **body), 422, "invalid-parameter")["errors"]
    assert (error["parameter"], error["detail"]) == ("evalue", "this field was sent twice: send it once")


def test_waiting_gives_the_result_with_the_searchs_address(http: httpx.Client) -> None:
    body = {"sequence": QUERY, "database": "demo", "max_target_seqs": 3}
    done = http.post("/v1/searches", json=body, headers={"Prefer": "respond-async, wait=30"})
    assert (done.status_code, done.headers["Preference-Applied"]) == (200, "wait=30")
    assert done.headers["Location"] == f"/v1/searches/{done.json()['search']}"
    assert done.json() == http.get(f"{done.headers['Location']}/results").json()


def test_not_waiting_gives_a_ticket(http: httpx.Client) -> None:
    body = {"sequence": QUERY, "database": "demo", "title": "ticket"}
    ticket = http.post("/v1/searches", json=body, headers={"Prefer": "respond-async"})
    assert (ticket.status_code, ticket.headers["Retry-After"]) == (202, "1")
    assert ticket.headers["Preference-Applied"] == "respond-async"
    search = ticket.json()
    place = f"/v1/searches/{search['id']}"
    assert ticket.headers["Location"] == place
    links = {"self": place, "results": f"{place}/results", "events": f"{place}/events", "cancel": f"{place}:cancel"}
    assert search["links"] == links
    assert (search["title"], search["reused"], search["error"]) == ("ticket", False, None)


def test_state_while_it_runs_and_after(server: Server, http: httpx.Client, long_search: str) -> None:
    running = server.until_running(long_search)
    assert (running["state"], running["finished_at"]) == ("running", None)
    assert 0 < running["progress"] < 1
    assert running["shards"] == {"done": 0, "total": 2}
    reply = http.get(f"/v1/searches/{long_search}")
    assert (reply.status_code, reply.headers["Cache-Control"], reply.headers["Retry-After"]) == (200, "no-store", "1")
    early = http.get(f"/v1/searches/{long_search}/results")
    assert long_search in problem(early, 409, "not-ready")["detail"]
    http.post(f"/v1/searches/{long_search}:cancel")
    done = server.search(QUERY, title="state")["search"]
    reply = http.get(f"/v1/searches/{done}")
    assert (reply.headers["Cache-Control"], "Retry-After" in reply.headers) == ("no-store", False)
    ended = reply.json()
    assert (ended["state"], ended["progress"], ended["position"]) == ("succeeded", 1.0, None)
    created, finished, expires = (
        datetime.fromisoformat(ended[name]) for name in ("created_at", "finished_at", "expires_at")
    )
    assert created < finished < expires
    assert (expires - created).days == 7


def test_cancel_is_told_and_frees_the_workers_at_once(server: Server, http: httpx.Client, long_search: str) -> None:
    server.until_running(long_search)
    first, second = (http.post(f"/v1/searches/{long_search}:cancel") for _ in range(2))
    assert (first.status_code, second.status_code) == (202, 200)
    assert first.json()["state"] == second.json()["state"] == "cancelled"
    started = time.monotonic()
    assert server.search(QUERY, title="after a cancel")["results"][0]["hits"]
    assert time.monotonic() - started < AT_ONCE_S
    problem(http.get(f"/v1/searches/{long_search}/results"), 409, "search-failed")


def test_finished_search_cannot_be_cancelled(server: Server, http: httpx.Client) -> None:
    done = server.search(QUERY, title="finished")["search"]
    problem(http.post(f"/v1/searches/{done}:cancel"), 409, "already-finished")
    assert server.state(done)["state"] == "succeeded"


def test_deleted_search_is_gone(server: Server, http: httpx.Client) -> None:
    done = server.search(QUERY, title="deleted")["search"]
    deleted = http.delete(f"/v1/searches/{done}")
    assert (deleted.status_code, deleted.content) == (204, b"")
    for method, path in (("GET", ""), ("GET", "/results"), ("POST", ":cancel"), ("DELETE", "")):
        problem(http.request(method, f"/v1/searches/{done}{path}"), 404, "not-found")


@pytest.fixture(scope="module")
def five(server: Server) -> list[dict[str, Any]]:
    """Five searches as they were accepted, oldest first."""
    return [server.post("MKVLAAGWDEHH", title=f"five {number}").json() for number in range(5)]


def test_pages_are_turned_by_token_and_by_link(http: httpx.Client, five: list[dict[str, Any]]) -> None:
    params: dict[str, Any] = {"created_after": five[0]["created_at"], "page_size": 2}
    page = http.get("/v1/searches", params=params)
    found = [item["id"] for item in page.json()["items"]]
    token = page.json()["next_page_token"]
    assert int(page.headers["X-Total-Results"]) >= 4
    by_token = http.get("/v1/searches", params={**params, "page_token": token}).json()
    assert [item["id"] for item in by_token["items"]] == [
        item["id"] for item in http.get(page.links["next"]["url"]).json()["items"]
    ]
    while "next" in page.links:
        address = page.links["next"]["url"]
        assert page.json()["next_page_token"] in address
        page = http.get(address)
        assert len(page.json()["items"]) <= 2
        found += [item["id"] for item in page.json()["items"]]
    assert page.json()["next_page_token"] == ""
    # Newest first, each once; the first is not after itself.
    own = {search["id"] for search in five}
    assert [search for search in found if search in own] == [search["id"] for search in five[:0:-1]]


def test_list_by_ids_keeps_their_order_and_leaves_out_what_is_gone(
    http: httpx.Client, five: list[dict[str, Any]]
) -> None:
    wanted = [five[3]["id"], "A" * 24, five[0]["id"], five[4]["id"]]
    page = http.get("/v1/searches", params={"id": wanted})
    assert page.headers["Cache-Control"] == "no-store"
    assert [item["id"] for item in page.json()["items"]] == [five[3]["id"], five[0]["id"], five[4]["id"]]
    first = http.get("/v1/searches", params={"id": wanted, "page_size": 1})
    assert first.headers["X-Total-Results"] == "3"
    second = http.get(first.links["next"]["url"])
    assert [item["id"] for item in second.json()["items"]] == [five[0]["id"]]


def test_list_by_state(server: Server, http: httpx.Client, five: list[dict[str, Any]], long_search: str) -> None:
    server.until_running(long_search)
    ids = [search["id"] for search in five] + [long_search]
    running = http.get("/v1/searches", params={"id": ids, "state": "running"}).json()["items"]
    assert long_search in [item["id"] for item in running]
    assert {item["state"] for item in running} == {"running"}
    assert "X-Total-Results" not in http.get("/v1/searches", params={"state": "running"}).headers
    http.post(f"/v1/searches/{long_search}:cancel")
    cancelled = http.get("/v1/searches", params={"id": ids, "state": "cancelled"}).json()["items"]
    assert [item["id"] for item in cancelled] == [long_search]


@pytest.mark.parametrize("zone", ["Z", "+00:00", "%2B02:00"])
def test_created_after_takes_any_zone(http: httpx.Client, five: list[dict[str, Any]], zone: str) -> None:
    moment = five[2]["created_at"].removesuffix("Z")
    if zone == "%2B02:00":
        hour = int(moment[11:13])
        if hour >= 22:
            pytest.skip("two hours on is another day")
        moment = f"{moment[:11]}{hour + 2:02}{moment[13:]}"
    address = f"/v1/searches?created_after={moment}{zone.replace('+', '%2B')}&page_size=1000"
    found = [item["id"] for item in http.get(address).json()["items"]]
    assert {five[3]["id"], five[4]["id"]} <= set(found)
    assert not {five[0]["id"], five[1]["id"], five[2]["id"]} & set(found)


@pytest.mark.parametrize(
    ("name", "value"),
    [("page_token", "nonsense"), ("page_token", "WzEsICJ4IiwgInkiXQ"), ("page_size", "0"), ("page_size", "1001"),
     ("created_after", "yesterday"), ("state", "done")],
)  # fmt: skip
def test_wrong_parameter_of_a_list_is_named(http: httpx.Client, name: str, value: str) -> None:
    refused = http.get("/v1/searches", params={name: value})
    [error] = problem(refused, 422, "invalid-parameter")["errors"]
    assert error["parameter"] == name


def test_token_of_another_list_is_refused(http: httpx.Client, five: list[dict[str, Any]]) -> None:
    token = http.get("/v1/searches", params={"page_size": 1}).json()["next_page_token"]
    refused = http.get("/v1/searches", params={"page_size": 1, "page_token": token, "state": "failed"})
    [error] = problem(refused, 422, "invalid-parameter")["errors"]
    assert error["parameter"] == "page_token"
