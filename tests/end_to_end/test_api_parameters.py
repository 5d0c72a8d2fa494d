"""Query strings: what a route does not know is refused and named, on every route of /v1."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from app.problems import SENT_TWICE
from tests.support.problems import problem
from tests.support.routes import routes
from tests.support.searches import SECRET
from tests.support.server import Server

ROUTES = [(method, path.replace(":path", "")) for method, path in routes() if path.startswith("/v1/")]
BODY = {"sequence": ">q\nMKVLAAGW", "database": "demo"}


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


def parameter(reply: httpx.Response, name: str) -> dict[str, Any]:
    """The detail of a problem with one parameter."""
    [detail] = problem(reply, 422, "invalid-parameter")["errors"]
    assert detail["parameter"] == name
    assert f"{name}: {detail['detail']}" == reply.json()["detail"]
    return dict(detail)


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_unknown_parameter_is_refused_on_every_route(http: httpx.Client, method: str, path: str) -> None:
    assert len(ROUTES) > 12
    content = {} if method in ("GET", "DELETE") else {"json": BODY}
    parameter(http.request(method, f"{path}?page-size=3", **content), "page-size")


def test_refusal_tells_what_there_is(http: httpx.Client) -> None:
    told = parameter(http.get("/v1/searches?pagesize=3"), "pagesize")["detail"]
    assert told == "there is no such parameter here, only id, state, created_after, page_size, page_token"
    told = parameter(http.get("/v1/databases?page_size=3"), "page_size")["detail"]
    assert told == "there is no such parameter here, nor any other"


@pytest.mark.parametrize("place", ["/v1/searches", "/v1/searches:estimate"])
def test_fields_of_a_search_stand_in_one_place(http: httpx.Client, place: str) -> None:
    form = {"data": BODY}
    upload = {"files": {name: (None, value) for name, value in BODY.items()}}
    for content in ({"json": BODY}, form, upload):
        for name in ("matrix", "nosuch", "sequence"):
            told = parameter(http.post(f"{place}?{name}=BLOSUM45", **content), name)["detail"]  # type: ignore[arg-type]
            assert told == "a search's fields stand in the body: the query string has none beside it"
    raw = {"Content-Type": "text/x-fasta"}
    reply = http.post(f"{place}?database=demo&matrix=BLOSUM45", content=BODY["sequence"], headers=raw)
    assert reply.status_code in (200, 202)


def test_parameter_is_given_once(http: httpx.Client) -> None:
    assert parameter(http.get("/v1/searches?page_size=1&page_size=2"), "page_size")["detail"] == SENT_TWICE
    assert http.get("/v1/searches?id=a&id=b").status_code == 200


@pytest.mark.parametrize(
    "number", ["１０", "1e1", "0x10", "10.5", "", "²", "99999999999999999999", "+5", "1_0", "5.0", " 5"]
)
def test_number_is_of_ascii_digits(http: httpx.Client, number: str) -> None:
    parameter(http.get("/v1/searches", params={"page_size": number}), "page_size")


@pytest.mark.parametrize(
    ("name", "number"), [("evalue", "1_0"), ("evalue", "١٠"), ("max_target_seqs", "1_0"), ("max_target_seqs", "5.0")]
)
def test_number_of_a_search_in_a_form_or_a_query_string_is_of_ascii_digits(
    http: httpx.Client, name: str, number: str
) -> None:
    raw = {"Content-Type": "text/x-fasta"}
    options = {"database": "demo", name: number}
    for reply in (
        http.post("/v1/searches", data={**BODY, name: number}),
        http.post("/v1/searches", params=options, content=BODY["sequence"], headers=raw),
    ):
        assert name in problem(reply, 422, "invalid-parameter")["detail"]


@pytest.mark.parametrize("query", [SECRET, f"{SECRET}=1", f"x{SECRET}x={SECRET}", "=1", "%20=1", "%ff=1", "%0a=1"])
def test_name_that_may_be_a_sequence_is_not_repeated(http: httpx.Client, query: str) -> None:
    reply = http.get(f"/v1/searches?{query}")
    parameter(reply, "query string")
    assert SECRET not in reply.text


def test_monitors_and_pages_may_add_what_they_like(http: httpx.Client) -> None:
    for path in (
        "/healthz?t=1",
        "/readyz?t=1",
        "/metrics?name[]=x",
        "/?matrix=BLOSUM45&utm_source=x",
        "/openapi.json?v=1",
    ):
        assert http.get(path).status_code == 200


def test_search_without_a_content_type_is_told_which_there_are(http: httpx.Client) -> None:
    reply = http.post("/v1/searches?database=demo", content=b">q\nMKVLAAGW")
    assert problem(reply, 415, "unsupported-media-type")["detail"] == (
        "a search is posted as one of application/json, text/x-fasta, text/plain, application/x-www-form-urlencoded, "
        "multipart/form-data, and the request has no Content-Type"
    )
