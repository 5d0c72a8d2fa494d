"""Problem documents: their shape, the place of what is wrong, and nothing in them that should stay inside."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.problems import problem
from tests.support.searches import NOBODY, SECRET
from tests.support.server import Server


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


def post(http: httpx.Client, sequence: str = ">q\nMKVLAAGW", **fields: Any) -> httpx.Response:
    return http.post("/v1/searches", json={"sequence": sequence, "database": "demo", **fields})


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("GET", "/results"), ("POST", ":cancel"), ("DELETE", "")],
)
@pytest.mark.parametrize("search", [NOBODY, "x", "..%2f..", "%00"])
def test_unknown_search_is_404_on_every_route(http: httpx.Client, method: str, path: str, search: str) -> None:
    problem(http.request(method, f"/v1/searches/{search}{path}"), 404, "not-found")


def test_request_id_is_given_back_or_made(http: httpx.Client) -> None:
    for path in ("/v1/searches/x", "/healthz"):
        assert http.get(path, headers={"X-Request-ID": "my.own-id_7"}).headers["X-Request-ID"] == "my.own-id_7"
    made = {http.get("/v1/searches/x", headers={"X-Request-ID": "not one"}).json()["request_id"] for _ in range(2)}
    assert len(made) == 2
    assert all(re.fullmatch("[0-9a-f]{16}", name) for name in made)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (">q one\nMKVLAAGW\n".encode("utf-16"), "UTF-16 text: save it as UTF-8 (or ASCII)"),
        (">q one\nMKVLAAGW\n".encode("utf-16-le"), "UTF-16 text: save it as UTF-8 (or ASCII)"),
        (gzip.compress(b">q\nMKVLAAGW\n", mtime=0), "a gzip file: unpack it first"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF file: save its sequences as plain text"),
        (b"LOCUS       NP_000509     147 aa\nORIGIN\n  1 mvhltpeeks\n", "a GenBank file: get the entry as FASTA"),
    ],
)
def test_body_or_file_that_is_no_fasta_is_named(http: httpx.Client, text: bytes, name: str) -> None:
    raw = http.post("/v1/searches?database=demo", content=text, headers={"Content-Type": "text/x-fasta"})
    file = http.post("/v1/searches", files={"sequence": ("q", text)}, data={"database": "demo"})
    if text.startswith(b"\x1f\x8b"):
        # A body's coding is for its head; a file in a form has none.
        detail = "the body is gzip: send it with Content-Encoding: gzip, or unpack it first"
        assert problem(raw, 400, "malformed-request")["detail"] == detail
    for response in (raw, file)[text.startswith(b"\x1f\x8b") :]:
        [error] = problem(response, 422, "invalid-sequence")["errors"]
        assert (error["pointer"], error["line"], error["detail"]) == ("/sequence", 1, f"this looks like {name}")


@pytest.mark.parametrize(
    ("sequence", "place"),
    [
        (">a\nMKVL\nMK@V\n", {"record": 1, "line": 3, "column": 3}),
        (">a\r\nMKVL\r\nMK@V\r\n", {"record": 1, "line": 3, "column": 3}),
        ("MKVL\nMK@V", {"record": 1, "line": 2, "column": 3}),
        ("MKVL\r\n\r\nMK@V", {"record": 1, "line": 3, "column": 3}),
        (">a\nMK\n>b\nM@", {"record": 2, "line": 4, "column": 2}),
        ("MK@\n>a\nMK", {"record": 0, "line": 1, "column": 1}),
        (">a\nMK\n>b\n>c\nMK", {"record": 2, "line": 3}),
        (" \n", {}),
    ],
)
def test_fault_of_a_sequence_has_its_place(http: httpx.Client, sequence: str, place: dict[str, int]) -> None:
    raw = {"Content-Type": "text/x-fasta"}
    for response in (
        post(http, sequence),
        http.post("/v1/searches", params={"database": "demo"}, content=sequence.encode(), headers=raw),
    ):
        body = problem(response, 422, "invalid-sequence")
        [error] = body["errors"]
        assert error == {"pointer": "/sequence", "detail": error["detail"], **place}
        # Before the first header there is no record to name.
        assert all((f"{name} {number}" in body["detail"]) == (number > 0) for name, number in place.items())


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"colour": "red"}, "/colour"),
        ({"matrix": "BLOSUM61"}, "/matrix"),
        ({"database": "nowhere"}, "/database"),
        ({"evalue": 0}, "/evalue"),
        ({"evalue": "much"}, "/evalue"),
        ({"max_target_seqs": 10_001}, "/max_target_seqs"),
        ({"min_identity": 101}, "/min_identity"),
        ({"gap_open": -1}, "/gap_open"),
        ({"title": "two\nlines"}, "/title"),
        ({"statistics": "guessed"}, "/statistics"),
        ({"sequence": ""}, "/sequence"),
        ({"sequence": None}, "/sequence"),
    ],
)
def test_wrong_field_is_pointed_at(http: httpx.Client, fields: dict[str, Any], pointer: str) -> None:
    body = {"sequence": "MKVLAAGW", "database": "demo", **fields}
    [error] = problem(http.post("/v1/searches", json=body), 422, "invalid-parameter")["errors"]
    assert error["pointer"] == pointer


def test_missing_fields_are_all_named(http: httpx.Client) -> None:
    body = problem(http.post("/v1/searches", json={}), 422, "invalid-parameter")
    assert {error["pointer"] for error in body["errors"]} == {"/sequence", "/database"}
    assert body["detail"] == "sequence: it is missing; database: name one database here, or several in `databases`"


def test_unpublished_gap_costs_are_refused_with_the_pairs_that_will_do(http: httpx.Client) -> None:
    detail = problem(post(http, statistics="table", gap_open=5, gap_extend=1), 422, "invalid-parameter")["detail"]
    assert all(
        pair in detail for pair in ("BLOSUM62", "5/1", "11/1", "9/2", "13/1", "statistics=simulated, fitted or none")
    )


@pytest.mark.parametrize("field", [{"evalue": 1.0}, {"min_bits": 20}])
def test_figures_are_refused_where_there_are_none(http: httpx.Client, field: dict[str, float]) -> None:
    detail = problem(post(http, statistics="none", **field), 422, "invalid-parameter")["detail"]
    assert "evalue" in detail


@pytest.mark.parametrize("path", ["/nowhere", "/v1", "/v1/search", "/docs/", "/redoc", "/v1/databases/demo/x"])
def test_unknown_path_is_404(http: httpx.Client, path: str) -> None:
    problem(http.get(path), 404, "not-found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/searches", {"GET", "POST"}),
        ("PUT", f"/v1/searches/{NOBODY}:cancel", {"POST"}),
        ("POST", "/healthz", {"GET", "HEAD"}),
        ("PATCH", f"/v1/searches/{NOBODY}", {"GET", "HEAD", "DELETE"}),
        ("DELETE", "/v1/databases/demo", {"GET"}),
        ("POST", f"/v1/searches/{NOBODY}/results", {"GET", "HEAD"}),
        ("POST", "/openapi.json", {"GET", "HEAD"}),
        ("PUT", "/rest/ncbiblast/run", {"POST"}),
    ],
)
def test_wrong_method_is_405_and_names_all_that_will_do(
    http: httpx.Client, method: str, path: str, allowed: set[str]
) -> None:
    refused = http.request(method, path)
    problem(refused, 405, "method-not-allowed")
    assert set(refused.headers["Allow"].split(", ")) == allowed


def misuses(http: httpx.Client, accepted: str) -> Iterator[httpx.Response]:
    """Errors of every kind around one secret query."""
    whole = {"sequence": f">q\n{SECRET}", "database": "demo"}
    raw = {"Content-Type": "text/plain"}
    for fields in (
        {"sequence": f">q\n{SECRET}@{SECRET}"},
        {"sequence": f"{SECRET}\n>q\n{SECRET}"},
        {"sequence": [SECRET]},
        {"sequence": {"fasta": SECRET}},
        {"database": f">q\n{SECRET}"},
        {"database": SECRET},
        {"matrix": SECRET},
        {"evalue": SECRET},
        {"title": f"{SECRET}\n"},
        {"title": SECRET * 10},
        {"gap_open": SECRET},
        {"statistics": SECRET},
        {"min_bits": 1, "statistics": "none"},
        {"gap_open": 1, "gap_extend": 0, "statistics": "table"},
        {f">q\n{SECRET}": ""},
        {"unknown": SECRET},
    ):
        yield http.post("/v1/searches", json={**whole, **fields})
    yield http.post("/v1/searches", json=[f">q\n{SECRET}"])
    yield http.post("/v1/searches", json=f">q\n{SECRET}")
    for kind in ("application/json", "application/xml", "multipart/form-data", "multipart/form-data; boundary=b",
                 "application/x-www-form-urlencoded"):  # fmt: skip
        yield http.post("/v1/searches", content=f">q OS=x\n{SECRET}", headers={"Content-Type": kind})
        yield http.post("/v1/searches", content=f">q\n{SECRET}\n>r OS=x\n{SECRET}", headers={"Content-Type": kind})
    yield http.post("/v1/searches", content=f">q\n{SECRET}1", params={"database": "demo"}, headers=raw)
    yield http.post("/v1/searches", content=f">q\n{SECRET}", params={"database": "../../etc"}, headers=raw)
    yield http.post("/v1/searches", content=f">q\n{SECRET}", params={"database": "demo\0"}, headers=raw)
    yield http.post("/v1/searches", content=f">q\n{SECRET}".encode("utf-16"), params={"database": "demo"}, headers=raw)
    for query in (
        "format=yaml",
        "hits=9999",
        "hits=x",
        "columns=secret",
        "format=tab&columns=secret",
        "query=0",
        "query=2",
        "query=x",
    ):
        answer = http.get(f"/v1/searches/{accepted}/results?{query}")
        if query != "columns=secret":  # JSON has no columns
            yield answer
    yield http.get(f"/v1/searches/{accepted}/results", headers={"Accept": "image/png"})
    yield http.post(f"/v1/searches/{accepted}:cancel")
    for path in ("/v1/databases/..", "/v1/databases/%2e%2e", "/v1/databases/demo/sequences/nobody",
                 "/v1/databases/demo%00", "/v1/databases/.valkey", "/v1/databases/demo/sequences/%00",
                 "/..%2f..%2fetc",
                 "/v1/searches?page_token=%00", "/v1/searches?page_token=W10",
                 "/v1/searches?page_size=-1"):  # fmt: skip
        yield http.get(path)


def test_errors_tell_nothing_of_the_inside_and_nothing_of_a_query(
    server: Server, http: httpx.Client, data: Path
) -> None:
    accepted = server.search(f">q\n{SECRET}")["search"]
    pieces = {SECRET[at : at + 6] for at in range(len(SECRET) - 5)}
    inside = ("Traceback", "site-packages", ".py", str(data), data.name, str(Path.cwd()), "/tmp/", "/home/", "redis")
    answers = list(misuses(http, accepted))
    assert len(answers) > 45
    for response in answers:
        assert 400 <= response.status_code < 500, response.text
        assert response.headers["Content-Type"] == "application/problem+json"
        said = f"{response.headers}\n{response.text}"
        assert [word for word in (*pieces, *inside) if word in said] == []
    logged = "".join(server.lines)
    assert [word for word in (*pieces, "Traceback") if word in logged] == []
