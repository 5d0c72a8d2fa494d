"""Pairs by the Python client, against a real server; every test holds for `Client` and for `AsyncClient`."""

import gzip
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from shardwater_client import (
    AlreadyFinishedError,
    DatabaseSequences,
    InvalidRequestError,
    InvalidSequenceError,
    NotFoundError,
    SearchFailedError,
    UploadedSequences,
)
from tests.support.guarded import standing
from tests.support.relay import Relay, relaying
from tests.support.server import Server
from tests.support.twins import Make

QUERIES, SUBJECTS = ">q1\nACGTACGTTTG\n>q2\nACGTNN\n", ">s1\nACGTCGTTTG\n>s2\nACGT\n"
GLOBAL = {"mode": "global", "report": "alignment"}


@pytest.fixture(scope="module")
def client(server: Server, make: Make) -> Iterator[Any]:
    with closing(make(server.url)) as made:
        yield made


@pytest.fixture
def relay(server: Server) -> Iterator[Relay]:
    with relaying(server.url) as started:
        yield started


def told(pairs: Any) -> list[tuple[str, str, float, str | None]]:
    return [(pair.query, pair.subject, pair.score, pair.cigar) for pair in pairs]


EXPECTED = [("q1", "s1", 18.0, "4=1I6="), ("q2", "s2", 5.0, "4=2I")]


def test_pairs_come_in_their_order(client: Any) -> None:
    assert told(client.align(QUERIES, SUBJECTS, **GLOBAL)) == EXPECTED
    every = [(pair.query, pair.subject) for pair in client.align(QUERIES, SUBJECTS, pairing="all", report="score")]
    assert every == [("q1", "s1"), ("q1", "s2"), ("q2", "s1"), ("q2", "s2")]
    several = client.align(QUERIES, SUBJECTS, best=2, query_apart=1)
    assert [(pair.query, pair.rank, pair.score) for pair in several] == [("q1", 1, 18), ("q1", 2, 8), ("q2", 1, 8)]


def test_lists_come_from_anywhere(client: Any, server: Server, tmp_path: Path) -> None:
    def uploads() -> set[str]:
        with server.http as http:
            return {each["id"] for each in http.get("/v1/uploads").json()["items"]}

    before = uploads()
    plain, packed = tmp_path / "q.fasta", tmp_path / "s.fasta.gz"
    plain.write_text(QUERIES)
    packed.write_bytes(gzip.compress(SUBJECTS.encode()))
    assert told(client.align(plain, packed, **GLOBAL)) == EXPECTED
    assert uploads() == before
    uploaded = UploadedSequences(upload=client.upload(plain))
    assert told(client.align(uploaded, SUBJECTS, **GLOBAL)) == EXPECTED
    # What was there before stays.
    assert told(client.align(plain, SUBJECTS, **GLOBAL)) == EXPECTED
    assert uploads() == before | {uploaded.upload}
    subject = client.sequences("demo", ["sp|P10105|LAB_DROME"])[0]
    stored = DatabaseSequences(database="demo", accessions=["sp|P10105|LAB_DROME"])
    [pair] = client.align(stored, f">same\n{subject.sequence}\n", mode="global", report="alignment")
    assert (pair.identity, pair.align_len, pair.cigar) == (subject.length, subject.length, f"{subject.length}=")


def test_job_is_followed_and_removed(client: Any) -> None:
    job = client.submit_alignment(QUERIES, SUBJECTS, title="followed", **GLOBAL)
    assert told(client.aligned(job.id)) == EXPECTED
    *_, last = client.alignment_events(job.id)
    assert (last.id, last.state, last.certificate.ways.to_dict()) == (job.id, "succeeded", {"cpu": 2})
    state = client.alignment(job.id)
    assert (state.state, state.certificate.pairs, state.title) == ("succeeded", 2, "followed")
    assert client.submit_alignment(QUERIES, SUBJECTS, title="followed", **GLOBAL).id == job.id
    table = client.download_alignment(job.id, columns=["query", "score"])
    assert table == b"#query\tscore\nq1\t18\nq2\t5\n"
    assert client.estimate_alignment(QUERIES, SUBJECTS, title="followed", **GLOBAL).reused
    with pytest.raises(AlreadyFinishedError):
        client.cancel_alignment(job.id)
    client.delete_alignment(job.id)
    with pytest.raises(NotFoundError):
        client.alignment(job.id)


def test_cancelled_job_ends_its_pairs(server: Server, client: Any) -> None:
    with standing(server):
        job = client.submit_alignment(QUERIES, SUBJECTS, title="cancelled", **GLOBAL)
        assert client.cancel_alignment(job.id).state == "cancelled"
        with pytest.raises(SearchFailedError):
            list(client.aligned(job.id))


def test_what_is_wrong_is_raised(client: Any) -> None:
    with pytest.raises(InvalidSequenceError) as error:
        list(client.align(">a\nAC\nG!\n", SUBJECTS, match=2))
    [detail] = error.value.errors
    assert (detail.field, detail.record, detail.line, detail.column) == ("queries", 1, 3, 2)
    with pytest.raises(InvalidRequestError, match="2 queries and 1 subject"):
        list(client.align(QUERIES, ">s\nACGT\n"))
    with pytest.raises(TypeError, match="no parameter evalue"):
        client.submit_alignment(QUERIES, SUBJECTS, evalue=1)


def test_broken_connections_lose_and_repeat_no_pair(relay: Relay, make: Make) -> None:
    queries = "".join(f">q{number}\nACGTACGTTTG\n" for number in range(2000))
    subjects = "".join(f">s{number}\nACGTCGTTTG\n" for number in range(2000))
    with closing(make(relay.url)) as client:
        relay.faults = ["lose", "none", "cut", "drop", "busy"]
        names = [pair.query for pair in client.align(queries, subjects, report="score", title="broken")]
    assert names == [f"q{number}" for number in range(2000)]
    assert relay.faults == []
