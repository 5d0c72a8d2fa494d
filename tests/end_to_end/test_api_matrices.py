"""Matrices of one's own through everything: sent, searched with, verified after their time, refused with a reason."""

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from shardwater.scoring.matrix_text import read_matrix
from shardwater.scoring.scoring import FOLDER
from tests.support.problems import problem
from tests.support.server import COMMAND, Server

TEXT = (FOLDER / "BLOSUM50.txt").read_text()
COSTS = {"gap_open": 13, "gap_extend": 2}
PLAIN = {"Content-Type": "text/plain"}


@pytest.fixture(scope="module")
def matrix(server: Server) -> str:
    with server.http as http:
        sent = http.post("/v1/matrices", content=TEXT, headers=PLAIN)
    # The server is other tests' too, who may have sent it.
    assert sent.is_success, sent.text
    return str(sent.json()["id"])


def bare(result: dict[str, Any]) -> Any:
    """What was found, without what names the matrix or follows from its being a published one."""
    return [[{**hit, "evalues": None} for hit in one["hits"]] for one in result["results"]]


def test_a_matrix_is_shown_and_kept_anew(server: Server, matrix: str) -> None:
    with server.http as http:
        shown = http.get(f"/v1/matrices/{matrix}")
        again = http.post("/v1/matrices", content=TEXT.lower().encode(), headers=PLAIN)
    assert shown.json()["scores"] == [list(row) for row in read_matrix(TEXT)]
    assert shown.json()["letters"] == "ARNDCQEGHILKMFPSTWYVBZX*"
    assert (again.status_code, again.json()["id"]) == (200, matrix)
    assert again.headers["Location"] == f"/v1/matrices/{matrix}"


def test_search_finds_what_it_finds_by_the_name_and_says_the_scores(
    server: Server, queries: str, matrix: str, data: Path, tmp_path: Path
) -> None:
    asked = {**COSTS, "max_target_seqs": 20, "alignments": 2}
    named, own = server.search(queries, matrix="BLOSUM50", **asked), server.search(queries, matrix=matrix, **asked)
    assert bare(own) == bare(named)
    assert (own["parameters"]["matrix"], named["parameters"]["matrix_scores"]) == (matrix, None)
    assert own["parameters"]["matrix_scores"] == [list(row) for row in read_matrix(TEXT)]
    file, query = tmp_path / "own.txt", tmp_path / "q.fasta"
    file.write_text(TEXT)
    query.write_text(queries)
    flags = ["-gapopen", "13", "-gapextend", "2", "-max_target_seqs", "20", "-num_alignments", "2", "-outfmt", "json"]
    for place in (["--data", str(data)], ["--server", server.url]):
        command = [*COMMAND, "search", "-db", "demo", "-query", str(query), "-matrix", str(file), *flags, *place]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["digest"] == own["digest"]


def test_search_is_verified_after_the_matrix_was_removed(server: Server, queries: str) -> None:
    with server.http as http:
        own = http.post("/v1/matrices", content=(FOLDER / "PAM70.txt").read_bytes(), headers=PLAIN).json()["id"]
        result = server.search(queries, matrix=own, **COSTS, max_target_seqs=5)
        assert http.delete(f"/v1/matrices/{own}").status_code == 204
        problem(http.get(f"/v1/matrices/{own}"), 404, "not-found")
        for sample in ("", "?sample=5"):
            place = f"/v1/searches/{result['search']}:verify{sample}"
            report = http.post(place, headers={"Prefer": "wait=60"}).json()["report"]
            assert (report["equal"], report["total"]) == (True, 0)
        asked = http.get(f"/v1/searches/{result['search']}/request").json()
        assert (asked["matrix"], "matrix_scores" in asked) == (own, False)
        refused = problem(http.post("/v1/searches", json=asked), 422, "invalid-parameter")
    assert refused["detail"] == f"matrix: there is no matrix {own}: send it to /v1/matrices first"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "give gap_open and gap_extend"),
        ({**COSTS, "statistics": "table"}, "ask for statistics=fitted or statistics=simulated"),
        ({**COSTS, "matrix": "matrix-" + "0" * 32}, "send it to /v1/matrices first"),
        ({**COSTS, "matrix": "matrix-0"}, "unknown matrix"),
        ({**COSTS, "matrix_scores": [[1]]}, "there is no such parameter"),
    ],
)
def test_search_that_cannot_be_is_refused(
    server: Server, queries: str, matrix: str, fields: dict[str, Any], said: str
) -> None:
    body = {"sequence": queries, "database": "demo", "matrix": matrix, **fields}
    with server.http as http:
        for place in ("/v1/searches", "/v1/searches:estimate"):
            assert said in problem(http.post(place, json=body), 422, "invalid-parameter")["detail"]


def test_text_that_is_no_matrix_is_refused_with_its_place(server: Server) -> None:
    with server.http as http:
        refused = problem(http.post("/v1/matrices", content="A R\nA 1 x\nR 0 1\n"), 422, "invalid-parameter")
        [error] = refused["errors"]
        assert (error["line"], error["column"]) == (2, 5)
        assert error["detail"].startswith("a score is a whole number: decimals")
        for body in (b"", b"\xff\x00", TEXT.replace("-", "").encode()):
            problem(http.post("/v1/matrices", content=body, headers=PLAIN), 422, "invalid-parameter")
        problem(http.post("/v1/matrices", content=b"# " * 40_000, headers=PLAIN), 413, "limit-exceeded")
        problem(http.post("/v1/matrices", json={"matrix": TEXT}), 415, "unsupported-media-type")


def test_estimate_takes_a_matrix(server: Server, queries: str, matrix: str) -> None:
    body = {"sequence": queries, "database": "demo", "matrix": matrix, **COSTS, "title": "own"}
    with server.http as http:
        assert http.post("/v1/searches:estimate", json=body).status_code == httpx.codes.OK
