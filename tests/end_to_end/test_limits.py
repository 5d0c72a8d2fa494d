"""A service with tiny limits: each is told with what was sent, the limit itself is accepted; results expire."""

import json
import secrets
import socket
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.problems import problem
from tests.support.server import PATIENCE_S, Server, make_database, running, until
from worker.jobs.redis_names import SearchKeys
from worker.settings import WORK

LIMITS = {
    **{"max_body_bytes": 400, "max_queries": 2, "max_query_length": 20, "max_query_residues": 30, "max_hits": 10},
    "max_score_bytes": 20,
    "max_profile_residues": 25,
}
RETENTION_S = 600
FASTA = ">one first protein\nMKVLAAGWDEHHKLMNPQRSTVWY\n>two\nMKVLAAGWMKVLAAGW\n>three\nHHKLMNPQRSTVWYACDEF\n"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service with tiny limits."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.fasta").write_text(FASTA)
    make_database(folder / "tiny.fasta", folder / "data", shards=1)
    settings = {**LIMITS, "max_kept_job_bytes": 280}
    environment = {f"SHARDWATER_{name.upper()}": str(value) for name, value in settings.items()}
    with running(Server(folder / "data", environment=environment)) as started:
        yield started


@pytest.fixture
def http(tiny: Server) -> Iterator[httpx.Client]:
    with tiny.http as client:
        yield client


def records(*lengths: int) -> str:
    return "".join(f">r{number}\n{'M' * length}\n" for number, length in enumerate(lengths))


def test_limits_are_published(http: httpx.Client) -> None:
    published = http.get("/v1/service-info").json()["limits"]
    assert {name: published[name] for name in LIMITS} == LIMITS


@pytest.mark.parametrize(
    ("name", "sequence", "max_target_seqs", "actual", "record"),
    [
        ("max_queries", records(5, 5, 5), 1, 3, 3),
        ("max_query_length", records(5, 21), 1, 21, 2),
        ("max_query_residues", records(16, 16), 1, 32, 2),
        ("max_hits", records(5, 5), 6, 12, None),
    ],
)
def test_search_past_a_limit_is_told_the_limit_and_the_record(
    tiny: Server, name: str, sequence: str, max_target_seqs: int, actual: int, record: int | None
) -> None:
    body = problem(tiny.post(sequence, max_target_seqs=max_target_seqs), 413, "limit-exceeded")
    assert (body["limit"], body["actual"]) == (LIMITS[name], actual)
    assert name in body["detail"]
    assert [(each["pointer"], each["record"]) for each in body.get("errors", [])] == (
        [] if record is None else [("/sequence", record)]
    )


@pytest.mark.parametrize(
    ("sequence", "max_target_seqs"), [(records(5, 5), 1), (records(20), 1), (records(15, 15), 1), (records(5, 5), 5)]
)
def test_search_at_the_limit_is_accepted(tiny: Server, sequence: str, max_target_seqs: int) -> None:
    assert tiny.post(sequence, max_target_seqs=max_target_seqs).status_code == 202


def test_search_in_rounds_has_fewer_residues(tiny: Server) -> None:
    assert tiny.post(records(15, 10), max_target_seqs=1, iterations=2).status_code == 202
    body = problem(tiny.post(records(15, 11), max_target_seqs=1, iterations=2), 413, "limit-exceeded")
    assert (body["limit"], body["actual"], body["errors"][0]["record"]) == (25, 26, 2)


def test_what_is_copied_for_pairs_counts_before_a_job_has_it(tiny: Server, http: httpx.Client) -> None:
    # An account may keep as much as it leaves to others: 140 of 280 bytes.
    asked = {"queries": ">a\nMKV\n", "subjects": records(150), "alphabet": "protein", "pairing": "all"}
    for place in ("/v1/alignments", "/v1/alignments:estimate"):
        refused = http.post(place, json=asked)
        assert problem(refused, 413, "limit-exceeded")["limit"] == 140
    assert not list((tiny.data / WORK / "jobs/incoming").iterdir())


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service with little room for files of jobs."""
    folder = tmp_path_factory.mktemp("full")
    (folder / "full.fasta").write_text(FASTA)
    make_database(folder / "full.fasta", folder / "data", shards=1)
    with running(Server(folder / "data", environment={"SHARDWATER_MAX_KEPT_JOB_BYTES": "40000"})) as started:
        yield started


def test_a_repeated_request_needs_no_room(full: Server) -> None:
    pair = {"queries": ">a\nMKVLAAGW\n", "subjects": ">b\nMKVLAGW\n", "alphabet": "protein", "report": "score"}
    genome = "".join("ACGT"[number * number % 7 % 4] for number in range(100))
    stretch = {"record": "a", "first": 1, "last": 90}
    with full.http as http:
        genomes = {"query": f">a\n{genome}\n", "subject": f">b\n{genome}\n"}
        compared = http.post("/v1/comparisons", json=genomes, headers={"Prefer": "wait=60"})
        assert compared.status_code == 200, compared.text
        asked = {
            "/v1/alignments": pair,
            "/v1/comparisons": genomes,
            f"{compared.headers['Location']}:align": {"query": stretch, "subject": stretch | {"record": "b"}},
            "/v1/searches": {"sequence": "MKVLAAGW", "database": "demo", "scores": "all"},
            "/v1/msas": {"queries": ">q\nMKVLAAGWDEHHKLMNPQRS\n", "databases": ["demo"]},
        }
        keyed = {place: {"Idempotency-Key": f'"{number}"'} for number, place in enumerate(asked)}
        first = {place: http.post(place, json=body, headers=keyed[place]) for place, body in asked.items()}
        assert {place: reply.status_code for place, reply in first.items()} == dict.fromkeys(asked, 202)
        # An MSA that finds no room fails, and is made anew.
        places = [reply.headers["Location"] for reply in first.values()]
        until(lambda: all(http.get(place).json()["state"] == "succeeded" for place in places))
        size = 1 << 14
        while size:
            filling = pair | {"subjects": f">b\n{'M' * size}\n", "title": secrets.token_hex(8)}
            if http.post("/v1/alignments", json=filling).status_code != 202:
                size //= 2
        for place, body in asked.items():
            for headers in (keyed[place], {}):
                again = http.post(place, json=body, headers=headers)
                assert (again.status_code, again.json()["id"]) == (202, first[place].json()["id"]), again.text
        problem(http.post("/v1/alignments", json=pair | {"title": "another"}), 507, "storage-full")
        assert http.post("/v1/alignments:estimate", json=pair).json()["reused"] is True
    assert not list((full.data / WORK / "jobs/incoming").iterdir())


def test_scores_are_kept_up_to_their_limit_and_to_the_room_of_all(tiny: Server, http: httpx.Client) -> None:
    # Of three subjects 12 bytes a query.
    body = problem(tiny.post(records(5, 5), max_target_seqs=1, scores="all"), 413, "limit-exceeded")
    assert (body["limit"], body["actual"]) == (20, 24)
    assert "max_score_bytes" in body["detail"]
    asked = {"sequence": records(5, 5), "database": "demo", "max_target_seqs": 1, "scores": "all"}
    problem(http.post("/v1/searches:estimate", json=asked), 413, "limit-exceeded")
    # Each has a digest besides, and a file is as large from the beginning.
    kept = [tiny.post(records(length), max_target_seqs=1, scores="all") for length in (5, 6, 7)]
    assert [reply.status_code for reply in kept] == [202] * 3
    refused = tiny.post(records(8), max_target_seqs=1, scores="all")
    assert "no space is left" in str(problem(refused, 507, "storage-full")["detail"])
    assert tiny.post(records(8), max_target_seqs=1).status_code == 202
    assert http.delete(f"/v1/searches/{kept[0].json()['id']}").status_code == 204
    assert tiny.post(records(8), max_target_seqs=1, scores="all").status_code == 202


def body_of(size: int) -> bytes:
    """A search's JSON, filled up with blanks."""
    return json.dumps({"sequence": "MKVLAAGW", "database": "demo", "max_target_seqs": 5}).encode().ljust(size)


@pytest.mark.parametrize("chunked", [False, True])
def test_body_at_the_limit_is_read_and_past_it_refused(http: httpx.Client, chunked: bool) -> None:
    def post(size: int) -> httpx.Response:
        body: Any = iter([body_of(size)[:300], body_of(size)[300:]]) if chunked else body_of(size)
        response = http.post("/v1/searches", content=body, headers={"Content-Type": "application/json"})
        assert ("Content-Length" in response.request.headers) is not chunked
        return response

    assert post(400).status_code == 202
    refused = problem(post(401), 413, "limit-exceeded")
    assert (refused["limit"], refused["actual"]) == (400, 401)
    assert "max_body_bytes" in refused["detail"]


@pytest.mark.parametrize(
    "kind", ["application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"]
)
def test_endless_body_is_refused_before_its_end(http: httpx.Client, kind: str) -> None:
    opening = b'--b\r\nContent-Disposition: form-data; name="sequence"\r\n\r\n' if "multipart" in kind else b""

    def pieces() -> Iterator[bytes]:
        yield opening + b"M" * 100
        yield from repeat(b"M" * 100)

    response = http.post("/v1/searches", content=pieces(), headers={"Content-Type": kind})
    body = problem(response, 413, "limit-exceeded")
    assert body["limit"] == 400
    assert body["actual"] > 400


def test_body_said_to_be_too_long_is_refused_unread(tiny: Server) -> None:
    """Nothing of the body is ever sent: the answer goes by its length alone."""
    url = httpx.URL(tiny.url)
    head = "POST /v1/searches HTTP/1.1\r\nHost: [::1]\r\nContent-Type: text/plain\r\nContent-Length: 1000000000\r\n\r\n"
    with socket.create_connection((url.host, url.port), timeout=PATIENCE_S) as connection:
        connection.sendall(head.encode())
        answer = connection.makefile().read()
    assert answer.startswith("HTTP/1.1 413 ")
    assert '"limit":400,"actual":1000000000' in answer


def pass_by(server: Server, search: str, seconds: int) -> None:
    """Have so much of the time be over for which anything of a search is kept."""
    keys = SearchKeys(search)
    with server.redis as redis:
        for key in (*keys.data, keys.known):
            if redis.exists(key):
                left = redis.ttl(key)
                assert left >= 0, key
                redis.expire(key, max(0, left - seconds))


def test_expired_search_is_410_and_leaves_the_list(tmp_path: Path) -> None:
    (tmp_path / "tiny.fasta").write_text(FASTA)
    make_database(tmp_path / "tiny.fasta", tmp_path / "data", shards=1)
    brief = Server(tmp_path / "data", environment={"SHARDWATER_RETENTION_S": str(RETENTION_S)})
    with running(brief), brief.http as http:
        search = brief.search("MKVLAAGW")["search"]
        place = f"/v1/searches/{search}"
        assert [item["id"] for item in http.get("/v1/searches").json()["items"]] == [search]
        assert http.get(place).json()["state"] == "succeeded"
        pass_by(brief, search, RETENTION_S)
        problem(http.get(place), 410, "expired")
        problem(http.get(f"{place}/results"), 410, "expired")
        problem(http.post(f"{place}:cancel"), 410, "expired")
        assert http.get("/v1/searches").json()["items"] == []
        assert http.get("/v1/searches", params={"id": search}).json()["items"] == []
        # Its place is known for as long again.
        pass_by(brief, search, RETENTION_S)
        problem(http.get(place), 404, "not-found")
        assert brief.search("MKVLAAGW", wait=PATIENCE_S)["search"] != search
