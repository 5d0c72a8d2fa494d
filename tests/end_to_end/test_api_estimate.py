"""What a search would take, asked before it is sent."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from tests.support.problems import problem
from tests.support.searches import LONG, QUERY
from tests.support.server import Server

PLACE = "/v1/searches:estimate"
RESIDUES = 1_230_410
"""Of the demo database."""


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


def listed(http: httpx.Client) -> int:
    return int(http.get("/v1/searches", params={"page_size": 1}).headers["X-Total-Results"])


@pytest.mark.usefixtures("idle")
def test_estimate_is_known_from_the_first_search_and_queues_nothing(http: httpx.Client) -> None:
    before = listed(http)
    reply = http.post(PLACE, json={"sequence": ">a\nMKVLAAGW\n>b\nMKVL", "database": "demo", "title": "estimated"})
    assert (reply.status_code, reply.headers["Cache-Control"]) == (200, "no-store")
    found = reply.json()
    assert (found["queries"], found["residues"], found["cells"]) == (2, 12, 12 * RESIDUES)
    assert (found["position"], found["reused"]) == (0, False)
    # The workers have measured their costs: two queries are never free, and slow on no machine of the tests.
    assert 1e-4 < found["seconds"] < 5
    assert found["queue_seconds"] == 0
    named = http.get("/v1/databases/demo").json()
    assert found["database"] == {name: named[name] for name in ("name", "version", "checksum")}
    assert listed(http) == before
    schema = http.get("/openapi.json").json()
    documented = schema["paths"][PLACE]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    judge = Draft202012Validator({**documented, "components": schema["components"]})
    judge.validate(found)
    assert not judge.is_valid({**found, "cells": "many"})


@pytest.mark.parametrize(
    "body",
    [
        {"content": QUERY, "params": {"database": "demo"}, "headers": {"Content-Type": "text/x-fasta"}},
        {"data": {"sequence": QUERY, "database": "demo"}},
        {"files": {"sequence": ("q.fasta", QUERY)}, "data": {"database": "demo"}},
    ],
)
def test_bodies_are_those_of_a_search(http: httpx.Client, body: dict[str, Any]) -> None:
    assert http.post(PLACE, **body).json()["residues"] == 56


@pytest.mark.parametrize(
    ("fields", "status", "kind"),
    [
        ({"sequence": ">q\nMK@L"}, 422, "invalid-sequence"),
        ({"sequence": ">q\nMKVL", "database": "nothing"}, 422, "invalid-parameter"),
        ({"sequence": ">q\nMKVL", "gap_open": 99, "statistics": "table"}, 422, "invalid-parameter"),
        ({"sequence": ">q\nMKVL", "nothing": 1}, 422, "invalid-parameter"),
        ({"sequence": ">q\n" + "M" * 50_001}, 413, "limit-exceeded"),
    ],
)
def test_what_a_search_would_be_refused_for(http: httpx.Client, fields: dict[str, Any], status: int, kind: str) -> None:
    body = {"database": "demo", **fields}
    refused, created = (problem(http.post(place, json=body), status, kind) for place in (PLACE, "/v1/searches"))
    for each in (refused, created):
        del each["instance"], each["request_id"]
    assert refused == created
    if kind == "invalid-sequence":
        assert [refused["errors"][0][name] for name in ("record", "line", "column")] == [1, 2, 3]


def test_earlier_answer_costs_nothing(server: Server, http: httpx.Client) -> None:
    server.search(QUERY, title="answered")
    found = http.post(PLACE, json={"sequence": QUERY, "database": "demo", "title": "answered"}).json()
    assert (found["reused"], found["seconds"], found["queue_seconds"], found["position"]) == (True, 0, 0, 0)


def test_searches_before_count(idle: Server, http: httpx.Client) -> None:
    long_search = idle.post(LONG).json()["id"]
    try:
        idle.until_running(long_search)
        behind = {"sequence": LONG, "database": "demo", "title": "behind"}
        found = http.post(PLACE, json=behind).json()
        assert found["position"] == 1
        assert found["queue_seconds"] > 0
        assert found["seconds"] > 0
        short = http.post(PLACE, json={**behind, "sequence": QUERY}).json()
        assert (short["position"], short["queue_seconds"]) == (0, 0)
        waiting = http.post("/v1/searches", json=behind).json()
        # Both move as the long search corrects the rate: tests/worker/jobs/test_costs.py holds by how much.
        assert waiting["estimate_s"] > 0
        http.delete(f"/v1/searches/{waiting['id']}")
    finally:
        http.delete(f"/v1/searches/{long_search}")


def test_dna_is_searched_with_a_warning_in_every_reply(server: Server, http: httpx.Client) -> None:
    body = {
        "sequence": f"{QUERY}>dna\n{'ACGT' * 225}\n",
        "database": "demo",
        "max_target_seqs": 1,
        "composition": "none",
    }
    estimate, search = (http.post(place, json=body).json() for place in (PLACE, "/v1/searches"))
    [warning] = estimate["warnings"]
    assert (warning["query"], warning["code"]) == (2, "looks-like-dna")
    assert warning["detail"].startswith("100 % of its letters are A, C, G, T, U or N: nucleotide FASTA where")
    assert search["warnings"] == [warning]
    result = server.search(**body)
    told = {name: warning[name] for name in ("code", "detail")}
    assert [one["warnings"] for one in result["results"]] == [[], [told]]
    assert server.state(search["id"])["warnings"] == [warning]
    [listed] = http.get("/v1/searches", params={"id": search["id"]}).json()["items"]
    assert listed["warnings"] == [warning]
    assert http.post("/v1/searches", json={**body, "sequence": QUERY}).json()["warnings"] == []
