"""Jobs of pairs by a real service: from text, uploads and a database to every format, whatever happens meanwhile."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from operator import attrgetter
from os import kill
from pathlib import Path
from typing import Any

import httpx
import pytest

import shardwater
from shardwater import Mode, Scheme, Selection, match_table, matrix_table
from shardwater.formats.pairs.layout import Layout
from shardwater.formats.pairs.names import PAIR_FORMATS, PairFormat
from shardwater.formats.pairs.writers import columns_for
from shardwater.pairs.align import FoundPair, align_named
from shardwater.pairs.cpu import CpuPairs
from shardwater.sequences.named import Letters
from tests.support.found_pairs import text_with
from tests.support.guarded import FASTA, small_data, standing
from tests.support.problems import problem
from tests.support.server import COMMAND, Server, running, until

QUERIES = ">q1 first\nACGTACGTACGTTTGACGT\n>q2\nACGTNNACGT\n"
SUBJECTS = "@s1\nACGTACGTACGTTGACGT\n+\n" + "I" * 18 + "\n@s2\nACGTACGT\n+\nIIIIIIII\n"
BODY = {"queries": QUERIES, "subjects": SUBJECTS, "mode": "global"}
WAIT = {"Prefer": "wait=60"}
SCHEME = Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL)
LETTERS = "ACGTTGCATTGACCAGTCCATGATTACAGG"
MANY = {
    "queries": "".join(f">{number}\n{LETTERS[number % 9 :]}\n" for number in range(100)),
    "subjects": "".join(f">{number}\n{LETTERS[number % 11 :]}\n" for number in range(400)),
    "pairing": "all",
    "report": "score",
}
"""40,000 pairs in several parts, each of which takes a moment."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = small_data(tmp_path_factory.mktemp("alignments"))
    limits = {"SHARDWATER_MAX_PAIRS": "50000", "SHARDWATER_MAX_PAIR_CELLS": "2000000"}
    with running(Server(data, environment=limits)) as server:
        yield server


@pytest.fixture(scope="module")
def http(service: Server) -> Iterator[httpx.Client]:
    with service.http as client:
        yield client


def post(http: httpx.Client, body: Any, **headers: str) -> httpx.Response:
    return http.post("/v1/alignments", json=body, headers=headers)


def aligned(http: httpx.Client, body: Any) -> dict[str, Any]:
    """The result of a job, which is run anew."""
    reply = http.post("/v1/alignments", json=body, headers={**WAIT, "Cache-Control": "no-cache"})
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def expected() -> list[FoundPair]:
    queries = [Letters("q1", b"ACGTACGTACGTTTGACGT"), Letters("q2", b"ACGTNNACGT")]
    subjects = [Letters("s1", b"ACGTACGTACGTTGACGT"), Letters("s2", b"ACGTACGT")]
    return list(align_named(zip(queries, subjects, strict=True), SCHEME, "alignment", "forward", CpuPairs(1)))


def test_job_is_answered_with_its_certificate(http: httpx.Client) -> None:
    reply = post(http, {**BODY, "title": "two pairs"})
    job = reply.json()
    assert (reply.status_code, reply.headers["Location"]) == (202, job["links"]["self"])
    assert (job["title"], job["parts"]["total"], job["reused"]) == ("two pairs", 1, False)
    until(lambda: http.get(job["links"]["self"]).json()["state"] == "succeeded")
    state = http.get(job["links"]["self"]).json()
    assert state["certificate"] | {"software": ""} == {
        "exact": True, "pairs": 2, "cells": 19 * 18 + 10 * 8, "parts": 1, "engines": ["cpu"], "software": "",
        "ways": {"cpu": 2},
    }  # fmt: skip
    assert (state["progress"], state["parts"], state["position"]) == (1, {"done": 1, "total": 1}, None)
    assert state["parameters"] == {
        "pairing": "zip", "mode": "global", "free_ends": None, "alphabet": "dna", "matrix": None, "match": 2,
        "mismatch": -1, "table": None, "gap_open": 1, "gap_extend": 1, "report": "alignment", "strand": "forward",
        "best": 1, "query_apart": None, "subject_apart": None,
    }  # fmt: skip
    result = http.get(job["links"]["results"]).json()
    assert (result["id"], result["certificate"], result["parameters"]) == (
        job["id"], state["certificate"], state["parameters"],
    )  # fmt: skip
    assert [(each["query"], each["subject"], each["score"], each["cigar"]) for each in result["alignments"]] == [
        ("q1", "s1", 34, "11=1I7="), ("q2", "s2", 13, "4=2I4="),
    ]  # fmt: skip


def test_several_alignments_of_a_pair_come_together_and_are_charged(http: httpx.Client) -> None:
    body = {"queries": QUERIES, "subjects": SUBJECTS, "best": 3, "query_apart": 0, "subject_apart": 4}
    estimate = http.post("/v1/alignments:estimate", json=body).json()
    assert (estimate["pairs"], estimate["cells"], estimate["quota_cost"]) == (2, 19 * 18 + 10 * 8, 60_000)
    result = aligned(http, body)
    assert result["parameters"] == estimate["parameters"]
    certificate = result["certificate"]
    assert (certificate["pairs"], certificate["cells"], certificate["ways"]) == (2, 19 * 18 + 10 * 8, {"cpu": 2})
    letters = [(pair.query.letters, pair.subject.letters) for pair in expected()]
    here = shardwater.align(letters, replace(SCHEME, mode=Mode.LOCAL), best=Selection(3, subject_apart=4))
    places = attrgetter("rank", "score", "cigar", "subject_to")
    assert [(each["rank"], each["score"], each["cigar"], each["subject_to"]) for each in result["alignments"]] == [
        places(each) for each in here
    ]
    assert [each["rank"] for each in result["alignments"]] == [1, 2, 3, 1, 2]
    lines = http.get(f"/v1/alignments/{result['id']}/results?format=sam").text.splitlines()
    assert [line.split("\t")[1] for line in lines if line[0] == "q"] == ["0", "256", "256", "0", "256"]
    too_many = {**body, "best": 1000, "pairing": "all", "queries": MANY["queries"]}
    problem(post(http, too_many), 413, "limit-exceeded")


@pytest.mark.parametrize("name", [name for name in PAIR_FORMATS if name != "json"])
def test_formats_are_those_of_the_library(http: httpx.Client, name: PairFormat) -> None:
    job = aligned(http, BODY)["id"]
    reply = http.get(f"/v1/alignments/{job}/results", params={"format": name})
    layout = Layout("match 2, mismatch -1", columns_for(name, "alignment", None))
    assert reply.text == text_with(layout, name, expected())
    ending = {"tab": "tsv", "srspair": "txt", "fasta": "fa"}.get(name, name)
    assert reply.headers["Content-Disposition"] == f'attachment; filename="{job}.{ending}"'
    head = http.head(f"/v1/alignments/{job}/results", params={"format": name})
    assert "Content-Length" not in head.headers
    assert (head.status_code, head.headers["Content-Type"]) == (200, reply.headers["Content-Type"])


@pytest.mark.parametrize(
    ("accept", "query", "media_type"),
    [
        ("*/*", {}, "application/json"),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", {}, "application/json"),
        ("text/x-paf", {}, "text/x-paf"),
        ("text/x-sam;q=0.4, text/tab-separated-values;q=0.6", {}, "text/tab-separated-values"),
        ("application/x-ndjson", {}, "application/x-ndjson"),
        ("text/x-paf", {"format": "fasta"}, "text/x-fasta"),
    ],
)
def test_accept_names_the_format_where_nothing_else_does(
    http: httpx.Client, accept: str, query: dict[str, str], media_type: str
) -> None:
    job = aligned(http, BODY)["id"]
    reply = http.get(f"/v1/alignments/{job}/results", params=query, headers={"Accept": accept})
    assert (reply.status_code, reply.headers["Content-Type"].partition(";")[0]) == (200, media_type)
    assert "Accept" in reply.headers["Vary"].replace(" ", "").split(",") or query


def test_no_format_that_will_do_lists_those_that_there_are(http: httpx.Client) -> None:
    job = aligned(http, BODY)["id"]
    reply = http.get(f"/v1/alignments/{job}/results", headers={"Accept": "text/csv, image/*"})
    detail = problem(reply, 406, "not-acceptable")["detail"]
    assert all(media_type in detail for media_type in ("application/json", "text/x-paf", "text/x-sam"))
    another = job[:-1] + ("y" if job.endswith("x") else "x")
    problem(http.get(f"/v1/alignments/{another}/results", headers={"Accept": "text/csv"}), 404, "not-found")
    assert http.get("/v1/service-info").json()["pair_formats"] == list(PAIR_FORMATS)


@pytest.mark.parametrize("name", ["offsets", "name_offsets"])
def test_stored_sequences_that_are_damaged_are_told_before_anything_is_sent(
    service: Server, http: httpx.Client, name: str
) -> None:
    job = aligned(http, BODY)["id"]
    [stored] = service.data.glob(f".work/jobs/kept/*{job}*/queries/{name}")
    content = stored.read_bytes()
    stored.write_bytes(content[:8] + (10**6).to_bytes(8, "little") + content[16:])
    for asked in ("results?format=json", "results?format=ndjson", "results?format=tab", "figures/alignment.svg"):
        told = problem(http.get(f"/v1/alignments/{job}/{asked}"), 500, "internal-error")
        assert told["detail"] == f"part 0 of alignment {job} is not what it was"


def test_alignments_that_are_not_worth_their_scores_are_told_before_anything_is_sent(
    service: Server, http: httpx.Client
) -> None:
    job = aligned(http, BODY)["id"]
    [stored] = service.data.glob(f".work/jobs/kept/*{job}*/queries/letters")
    stored.write_bytes(stored.read_bytes().translate(bytes.maketrans(b"ACGT", b"CGTA")))
    for form in ("json", "ndjson", "tab", "sam"):
        told = problem(http.get(f"/v1/alignments/{job}/results", params={"format": form}), 500, "internal-error")
        assert told["detail"] == f"an alignment of {job} contradicts itself"


def test_columns_of_a_table_can_be_chosen(http: httpx.Client) -> None:
    job = aligned(http, BODY)["id"]
    table = http.get(f"/v1/alignments/{job}/results?format=tab&columns=score,query").text
    assert table == "#score\tquery\n34\tq1\n13\tq2\n"
    for query, parameter in [("format=paf&columns=score", "columns"), ("format=tab&columns=evalue", "columns")]:
        refused = problem(http.get(f"/v1/alignments/{job}/results?{query}"), 422, "invalid-parameter")
        assert refused["errors"][0]["parameter"] == parameter
    scores = aligned(http, {**BODY, "report": "score"})["id"]
    refused = problem(http.get(f"/v1/alignments/{scores}/results?format=sam"), 422, "invalid-parameter")
    assert "report is score" in refused["detail"]


def test_some_pairs_of_a_result(http: httpx.Client) -> None:
    many = aligned(http, MANY)
    for first, last in ((1, 6), (16_370, 16_395), (39_990, 50_000)):
        some = http.get(f"/v1/alignments/{many['id']}/results?pairs={first}-{last}").json()
        assert some == {**many, "alignments": many["alignments"][first - 1 : last]}
    several = aligned(http, {**BODY, "mode": "local", "best": 3, "query_apart": 0, "subject_apart": 4})["id"]
    text = http.get(f"/v1/alignments/{several}/results?format=tab&columns=query,rank&pairs=2").text
    assert text == "#query\trank\nq2\t1\nq2\t2\n"
    for pairs in ("0", "3", "2-1", "a", "1-", "-1", "1,2"):
        refused = problem(http.get(f"/v1/alignments/{several}/results?pairs={pairs}"), 422, "invalid-parameter")
        assert refused["errors"][0]["parameter"] == "pairs"


def test_uploads_and_databases_give_what_text_gives(http: httpx.Client) -> None:
    uploads = [http.post("/v1/uploads", content=text.encode()).json()["id"] for text in (QUERIES, SUBJECTS)]
    found = aligned(http, {**BODY, "queries": {"upload": uploads[0]}, "subjects": {"upload": uploads[1]}})
    assert found["alignments"] == aligned(http, BODY)["alignments"]
    accessions = {"database": "demo", "accessions": ["three", "one"]}
    named = aligned(http, {"queries": accessions, "subjects": FASTA, "pairing": "all"})
    text = ">three\nHHKLMNPQRSTVWYACDEF\n>one\nMKVLAAGWDEHHKLMNPQRSTVWY\n"
    assert named["alignments"] == aligned(http, {"queries": text, "subjects": FASTA, "pairing": "all"})["alignments"]
    assert [each["subject"] for each in named["alignments"]] == 2 * ["one", "two", "three", "four"]
    blosum = Scheme(matrix_table("BLOSUM62"), 11, 1)
    pair = (Letters("three", b"HHKLMNPQRSTVWYACDEF"), Letters("one", b"MKVLAAGWDEHHKLMNPQRSTVWY"))
    [expected] = align_named([pair], blosum, "alignment", "forward", CpuPairs(1))
    assert named["alignments"][0]["score"] == expected.told.score
    # What was uploaded may go: the job has its own copy.
    job = post(http, {**BODY, "queries": {"upload": uploads[0]}, "title": "its own"}).json()["id"]
    assert [http.delete(f"/v1/uploads/{upload}").status_code for upload in uploads] == [204, 204]
    until(lambda: http.get(f"/v1/alignments/{job}").json()["state"] == "succeeded")
    assert len(http.get(f"/v1/alignments/{job}/results").json()["alignments"]) == 2


@pytest.mark.parametrize(
    ("body", "kind", "pointer", "detail"),
    [
        ({**BODY, "queries": ">a\nAC\nG!"}, "invalid-sequence", "/queries", "record 1, line 3, column 2"),
        ({**BODY, "best": 2}, "invalid-parameter", "/best", "several alignments of a pair (best) need local mode"),
        ({**BODY, "subjects": ">a\nMKVQ", "match": 2}, "invalid-sequence", "/subjects", "this looks like a protein"),
        ({**BODY, "queries": QUERIES + ">x\nAC\n"}, "invalid-parameter", "/pairing", "3 queries and 2 subjects"),
        ({**BODY, "queries": {"upload": "upload-x"}}, "invalid-parameter", "/queries", "no upload-x"),
        ({**BODY, "queries": 5}, "invalid-parameter", "/queries", '{"upload": id}'),
        ({**BODY, "queries": {"database": "demo"}}, "invalid-parameter", "/queries", "accessions"),
        (
            {**BODY, "alphabet": "protein", "queries": {"database": "demo", "accessions": ["one", "none"]}},
            "invalid-parameter", "/queries/accessions/1", "no such sequence",
        ),
        ({**BODY, "queries": ">a\nMKVLWQEE\n" * 2}, "invalid-parameter", "/alphabet", "the queries look like proteins"),
        ({**BODY, "free_ends": []}, "invalid-parameter", "/free_ends", "in place of a mode"),
        ({**BODY, "matrix": "BLOSUM61"}, "invalid-parameter", "/matrix", "unknown matrix"),
        ({**BODY, "match": True}, "invalid-parameter", "/match", "whole number"),
        ({**BODY, "gap_open": 0.25}, "invalid-parameter", "/gap_open", "one digit after the point"),
        ({**BODY, "evalue": 1}, "invalid-parameter", "/evalue", "no such parameter"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(http: httpx.Client, body: Any, kind: str, pointer: str, detail: str) -> None:
    for path in ("/v1/alignments", "/v1/alignments:estimate"):
        refused = problem(http.post(path, json=body), 422, kind)
        assert detail in refused["detail"]
        assert refused["errors"][0].get("pointer", "") == pointer


def test_limits_are_kept(service: Server, http: httpx.Client) -> None:
    def kept() -> list[Path]:
        return sorted(each for each in (service.data / ".work" / "jobs").rglob("*") if each.name != "incoming")

    before = kept()
    over = {"queries": ">a\nA\n" * 250, "subjects": ">b\nC\n" * 201, "pairing": "all"}
    refused = problem(post(http, over), 413, "limit-exceeded")
    assert (refused["limit"], refused["actual"]) == (50_000, 50_250)
    long = {"queries": f">a\nA\n>b\n{'A' * 2000}", "subjects": f">a\nA\n>b\n{'C' * 1001}"}
    refused = problem(post(http, long), 413, "limit-exceeded")
    assert (refused["errors"][0]["record"], refused["actual"]) == (2, 2_002_000)
    for record in (">\n", ">\r", " >\n", "@\n\n+\n\n"):
        many = {"queries": record * 100_001, "subjects": ">s\nA\n", "alphabet": "dna"}
        refused = problem(post(http, many), 422, "invalid-parameter")
        assert refused["errors"][0]["pointer"] == "/queries"
        assert "more than 100,000 sequences: they are uploaded first" in refused["detail"]
    assert kept() == before
    told = http.get("/v1/service-info").json()["limits"]["pairs"]
    assert (told["max_pairs"], told["max_pair_cells"]) == (50_000, 2_000_000)


def test_estimate_says_what_it_would_be(http: httpx.Client) -> None:
    body = {**BODY, "strand": "both", "title": "estimated"}
    estimate = http.post("/v1/alignments:estimate", json=body).json()
    assert (estimate["pairs"], estimate["cells"], estimate["reused"]) == (2, 2 * (19 * 18 + 10 * 8), False)
    # The shortest pairs take their time, too.
    assert estimate["quota_cost"] == 2 * 10_000
    assert estimate["seconds"] > 0
    found = post(http, body, **WAIT).json()["id"]
    estimate = http.post("/v1/alignments:estimate", json=body).json()
    assert (estimate["reused"], estimate["quota_cost"]) == (True, 0)
    again = post(http, body).json()
    assert (again["id"], again["reused"], again["state"]) == (found, True, "succeeded")


def test_key_of_a_request_leads_to_its_job(http: httpx.Client) -> None:
    key = {"Idempotency-Key": '"once"'}
    body = {**BODY, "title": "once"}
    first = http.post("/v1/alignments", json=body, headers=key).json()["id"]
    assert http.post("/v1/alignments", json=body, headers=key).json()["id"] == first
    other = http.post("/v1/alignments", json={**body, "title": "twice"}, headers=key)
    problem(other, 422, "idempotency-key-reused")


def half_done(service: Server, http: httpx.Client, stopped: ExitStack) -> dict[str, Any]:
    """A job of which some parts are done and others not, whose workers do nothing more until that is left."""
    job = http.post("/v1/alignments", json=MANY, headers={"Cache-Control": "no-cache"}).json()
    until(lambda: http.get(job["links"]["self"]).json()["parts"]["done"])
    stopped.enter_context(standing(service))
    state = dict(http.get(job["links"]["self"]).json())
    if state["parts"]["done"] == state["parts"]["total"]:
        # They were faster than we looked.
        stopped.close()
        return half_done(service, http, stopped)
    return state


def test_pairs_come_while_the_job_is_at_work(service: Server, http: httpx.Client) -> None:
    expected = [(str(query), str(subject)) for query in range(100) for subject in range(400)]
    names = []
    with ExitStack() as stopped:
        job = half_done(service, http, stopped)
        with http.stream("GET", f"{job['links']['results']}?format=ndjson") as reply:
            for line in reply.iter_lines():
                told = json.loads(line)
                names.append((told["query"], told["subject"]))
                # The first one is here: on with the others.
                stopped.close()
    assert names == expected


def test_cancelled_job_breaks_its_stream_and_leaves_nothing(service: Server, http: httpx.Client) -> None:
    with standing(service):
        job = post(http, {**MANY, "title": "cancelled"}).json()
        place = job["links"]["self"]
        with (
            pytest.raises(httpx.RemoteProtocolError),
            service.http as other,
            other.stream("GET", f"{place}/results?format=ndjson") as lines,
        ):
            assert lines.status_code == 200
            assert http.post(f"{place}:cancel").status_code == 202
            list(lines.iter_lines())
    assert http.get(place).json()["state"] == "cancelled"
    problem(http.get(f"{place}/results"), 409, "search-failed")
    assert http.post(f"{place}:cancel").status_code == 200
    folder = service.data / ".work" / "jobs" / "kept" / job["id"]
    assert folder.is_dir()
    assert http.delete(place).status_code == 204
    problem(http.get(place), 404, "not-found")
    assert not folder.exists()


def test_events_tell_the_way(http: httpx.Client) -> None:
    job = post(http, {**BODY, "title": "events"}).json()
    with http.stream("GET", job["links"]["events"]) as lines:
        text = "\n".join(lines.iter_lines())
    assert text.count("event: done") == 1
    done = json.loads(text.rpartition("event: done")[2].partition("data: ")[2].splitlines()[0])
    assert (done["state"], done["certificate"]["pairs"], done["parameters"]["mode"]) == ("succeeded", 2, "global")
    again = http.get(job["links"]["events"], headers={"Last-Event-ID": "succeeded"})
    assert again.status_code == 204


def test_jobs_are_listed_newest_first(http: httpx.Client) -> None:
    made = [post(http, {**BODY, "title": f"listed {number}"}).json()["id"] for number in range(3)]
    page = http.get("/v1/alignments?page_size=2").json()
    rest = http.get(f"/v1/alignments?page_size=2&page_token={page['next_page_token']}").json()
    assert [each["id"] for each in page["items"] + rest["items"]][:3] == made[::-1]
    assert made[0] not in [each["id"] for each in http.get("/v1/searches").json()["items"]]
    problem(http.get(f"/v1/searches/{made[0]}"), 404, "not-found")


def test_killed_worker_loses_no_pair(service: Server, http: httpx.Client) -> None:
    before = aligned(http, MANY)["alignments"]
    with ExitStack() as stopped:
        job = half_done(service, http, stopped)["links"]
        for pid in service.pids("worker.cli"):
            kill(pid, signal.SIGKILL)
    until(lambda: http.get(job["self"]).json()["state"] == "succeeded")
    assert http.get(job["results"]).json()["alignments"] == before


def test_worker_without_a_database_aligns(tmp_path: Path) -> None:
    data = small_data(tmp_path)
    with running(Server(data)) as server, server.http as http:
        command = [*COMMAND, "work", "--data", str(data), "--redis", server.queue_url]
        with subprocess.Popen(command) as worker:
            try:
                until(lambda: len(http.get("/v1/workers").json()["items"]) == 2)
                alone = [each for each in http.get("/v1/workers").json()["items"] if each["database"] is None]
                assert [(each["version"], each["shard"], each["shards"]) for each in alone] == [(None, None, None)]
                assert len(aligned(http, BODY)["alignments"]) == 2
            finally:
                worker.terminate()
        assert worker.returncode == 0
