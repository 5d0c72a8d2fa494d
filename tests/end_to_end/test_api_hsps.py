"""Several alignments of a hit over HTTP and from the command line: alike everywhere, checked, bounded and charged."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.command_line import here
from tests.support.demo import DEMO
from tests.support.problems import problem
from tests.support.server import Server

ASKED = {"max_hsps": 5, "max_target_seqs": 20, "evalue": 1.0}


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    return server.search(queries, **ASKED)


def test_hits_have_their_alignments(result: dict[str, Any]) -> None:
    hits = [hit for one in result["results"] for hit in one["hits"]]
    assert max(len(hit["hsps"]) for hit in hits) > 1
    for hit in hits:
        assert [hit["hsps"][0][name] for name in ("score", "bits", "evalue")] == [
            *(hit["score"], hit["bits"], hit["evalue"]),
        ]
        scores = [hsp["score"] for hsp in hit["hsps"]]
        assert scores == sorted(scores, reverse=True)
        assert all(hsp["evalue"] <= 1 for hsp in hit["hsps"])
        assert len(hit["hsps"]) <= 5
    assert result["parameters"]["max_hsps"] == 5


def test_tables_have_a_row_for_each(http: httpx.Client, result: dict[str, Any]) -> None:
    asked = {"format": "tab", "columns": "sseqid,score,qstart,send"}
    rows = http.get(f"/v1/searches/{result['search']}/results", params=asked).text.splitlines()
    assert rows == [
        f"{hit['accession']}\t{hsp['score']}\t{hsp['query_from']}\t{hsp['hit_to']}"
        for one in result["results"]
        for hit in one["hits"]
        for hsp in hit["hsps"]
    ]


def test_a_verification_finds_them_again(http: httpx.Client, result: dict[str, Any]) -> None:
    for sample in ("", "?sample=5"):
        place = f"/v1/searches/{result['search']}:verify{sample}"
        report = http.post(place, headers={"Prefer": "wait=60"}).json()["report"]
        assert (report["equal"], report["total"]) == (True, 0)


def test_the_command_line_finds_the_same(server: Server, http: httpx.Client, result: dict[str, Any]) -> None:
    asked = ["search", "-query", DEMO / "queries.fasta", "-db", "demo", "--data", server.data]
    asked += ["-max_hsps", "5", "-max_target_seqs", "20", "-evalue", "1", "-outfmt", "6"]
    there = http.get(f"/v1/searches/{result['search']}/results", params={"format": "6"}).text
    assert here(*asked).stdout == there


@pytest.mark.parametrize("value", [0, 101, 1.5, True, "two"])
def test_what_is_no_count_is_named(server: Server, value: object) -> None:
    refused = problem(server.post("MKVL", max_hsps=value), 422, "invalid-parameter")
    assert refused["errors"][0]["pointer"] == "/max_hsps"


def test_they_are_charged_and_bounded(http: httpx.Client) -> None:
    body = {"sequence": "MKVLAAGWDE", "database": "demo", "title": "not searched", "alignments": 50}
    body["composition"] = "none"
    plain, several = (http.post("/v1/searches:estimate", json={**body, "max_hsps": most}).json() for most in (1, 11))
    # A mean protein of the demo has 386 residues.
    assert several["cells"] - plain["cells"] == 10 * 50 * 10 * 1_230_410 // 3183
    assert several["quota_cost"] == several["cells"]
    many = {**body, "max_target_seqs": 10_000, "alignments": 10_000, "max_hsps": 21}
    refused = problem(http.post("/v1/searches", json=many), 413, "limit-exceeded")
    assert (refused["limit"], refused["actual"]) == (200_000, 210_000)
