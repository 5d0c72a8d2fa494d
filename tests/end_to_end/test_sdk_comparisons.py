"""Comparisons by the Python client, against a real server; every test holds for `Client` and for `AsyncClient`."""

import gzip
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from shardwater_client import (
    AlreadyFinishedError,
    ComparisonFailedError,
    ComparisonTimeoutError,
    InvalidRequestError,
    InvalidSequenceError,
    NotFoundError,
    RegionAsked,
    Stretch,
)
from tests.support.genomes import fasta, generated, reverse_complement
from tests.support.guarded import standing
from tests.support.relay import relaying
from tests.support.server import Server
from tests.support.twins import Make

GENOME = generated(1, 400)
QUERY = fasta({"a": GENOME})
SUBJECT = fasta({"s1": generated(2, 100) + GENOME, "s2": reverse_complement(GENOME) + generated(3, 100)})
EXPECTED = [("a", "s1", 1, 400, 101, 500, "+"), ("a", "s2", 1, 400, 1, 400, "-")]


@pytest.fixture(scope="module")
def client(server: Server, make: Make) -> Iterator[Any]:
    with closing(make(server.url)) as made:
        yield made


def told(hsps: Any) -> list[tuple[object, ...]]:
    return [
        (each.query, each.subject, each.query_from, each.query_to, each.subject_from, each.subject_to, each.strand)
        for each in hsps
    ]


def test_genomes_are_compared_followed_and_removed(client: Any, tmp_path: Path) -> None:
    plain, packed = tmp_path / "x.fa", tmp_path / "y.fa.gz"
    plain.write_text(QUERY)
    packed.write_bytes(gzip.compress(SUBJECT.encode()))
    asked = []
    done = client.compare(plain, packed, title="followed", progress=asked.append)
    assert (done.state, asked[-1]) == ("succeeded", done)
    assert (done.summary.query.letters, done.summary.subject.records, done.summary.matches) == (400, 2, 800)
    assert told(client.hsps(done.id)) == EXPECTED
    *_, last = client.comparison_events(done.id)
    assert (last.id, last.state, last.summary) == (done.id, "succeeded", done.summary)
    assert client.comparison(done.id).summary == done.summary
    client.save_hsps(done.id, tmp_path / "list.tsv", columns=["subject", "strand", "score"])
    assert (tmp_path / "list.tsv").read_text() == "#subject\tstrand\tscore\ns1\t+\t1600\ns2\t-\t1600\n"
    assert client.dot_plot(done.id, width=400).startswith(b"<svg")
    assert client.dot_plot(done.id, format="png").startswith(b"\x89PNG")
    estimate = client.estimate_comparison(QUERY, SUBJECT, title="followed")
    assert (estimate.letters, estimate.reused) == (2 * (400 + 1000), True)
    with pytest.raises(AlreadyFinishedError):
        client.cancel_comparison(done.id)
    client.delete_comparison(done.id)
    with pytest.raises(NotFoundError):
        list(client.hsps(done.id))


def test_parameters_are_those_of_the_service(client: Any) -> None:
    fields = {"side": "query", "record": "a", "from": 101, "to": 400}
    region = RegionAsked(side="query", record="a", from_=101, to=400)
    done = client.compare(QUERY, SUBJECT, regions=[region], strands="forward", gapped="exact", match=3)
    again = client.compare(QUERY, SUBJECT, regions=[fields], strands="forward", gapped="exact", match=3)
    assert (again.id, done.summary.gapped.aligned) == (done.id, 1)
    assert [(each.query_from, each.score, each.cigar) for each in client.hsps(done.id)] == [(101, 900, "300=")]


def test_stretches_of_both_are_aligned(client: Any) -> None:
    done = client.compare(QUERY, SUBJECT)
    place = {"record": "a", "from": 1, "to": 50}
    [pair] = client.align_stretches(done.id, Stretch(record="#1", from_=1, to=50), {**place, "record": "s1", "to": 200})
    assert (pair.query, pair.subject_from, pair.score, pair.cigar) == ("a:1-50", 101, 100, "50=")
    [pair] = client.align_stretches(done.id, place, {"record": "s2", "from": 301, "to": 400}, strand="-", match=5)
    assert (pair.query, pair.subject_from, pair.score) == ("a:1-50(-)", 51, 250)
    with pytest.raises(InvalidRequestError, match="no record is called b"):
        list(client.align_stretches(done.id, {**place, "record": "b"}, place))
    with pytest.raises(TypeError, match="is no Stretch"):
        list(client.align_stretches(done.id, {"record": "a"}, place))


def test_what_is_wrong_is_raised(server: Server, client: Any) -> None:
    with pytest.raises(InvalidSequenceError) as error:
        client.compare(">a\nAC\nGL\n", SUBJECT)
    [detail] = error.value.errors
    assert (detail.field, detail.record, detail.line, detail.column) == ("query", 1, 3, 2)
    with pytest.raises(InvalidRequestError, match="blocks of 32 letters"):
        client.estimate_comparison(QUERY, SUBJECT, extension="blocks", word=16)
    with pytest.raises(TypeError, match="is no RegionAsked"):
        client.compare(QUERY, SUBJECT, regions=[{"side": "query"}])
    with pytest.raises(TypeError, match="no parameter evalue"):
        client.submit_comparison(QUERY, SUBJECT, evalue=1)
    with standing(server):
        with pytest.raises(ComparisonTimeoutError) as late:
            client.compare(QUERY, SUBJECT, title="cancelled", timeout=0)
        assert client.cancel_comparison(late.value.comparison_id).state == "cancelled"
        with pytest.raises(ComparisonFailedError) as failed:
            client.compared(late.value.comparison_id)
        assert failed.value.comparison.id == failed.value.comparison_id == late.value.comparison_id


def test_broken_connections_lose_and_repeat_no_hsp(server: Server, make: Make) -> None:
    repeated = fasta({str(number): GENOME for number in range(40)})
    with relaying(server.url) as relay, closing(make(relay.url)) as client:
        relay.faults = ["lose"]
        done = client.compare(QUERY, repeated, title="broken")
        relay.faults = ["cut"]
        names = [each.subject for each in client.hsps(done.id)]
        assert relay.faults == []
    assert names == [str(number) for number in range(40)]
