"""MSAs by the Python client, against a real server; every test holds for `Client` and for `AsyncClient`."""

import io
import json
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from httpx import Timeout

from shardwater.formats.msas.a3m import read_a3m
from shardwater.sequences.fasta import read_fasta
from shardwater_client import (
    AlreadyFinishedError,
    Complex,
    InvalidRequestError,
    InvalidSequenceError,
    MsaFailedError,
    MsaTimeoutError,
    NotFoundError,
)
from shardwater_client.generated import Client as GeneratedClient
from shardwater_client.generated.api.msas import create_msas, get_msa_results
from shardwater_client.generated.models import MsaRequest
from tests.support.demo import DEMO
from tests.support.guarded import standing
from tests.support.relay import relaying
from tests.support.server import PATIENCE_S, Server
from tests.support.twins import Make

CHAINS = [record.residues.decode()[:60] for record in read_fasta((DEMO / "queries.fasta").read_bytes())[:2]]
QUERIES = f">a first\n{CHAINS[0]}\n>b\n{CHAINS[1]}\n"


@pytest.fixture(scope="module")
def client(server: Server, make: Make) -> Iterator[Any]:
    with closing(make(server.url)) as made:
        yield made


def test_what_is_generated_reads_what_comes_where_nothing_is_asked_for(server: Server) -> None:
    with GeneratedClient(server.url, timeout=Timeout(PATIENCE_S)) as client:
        body = MsaRequest(queries=f">a\n{CHAINS[0]}\n", databases=["demo"])
        made = create_msas.sync_detailed(client=client, body=body, prefer="wait=60")
        job = made.headers["Location"].rpartition("/")[2]
        assert made.parsed == get_msa_results.sync(job, client=client)
        assert read_a3m(io.BytesIO(made.content)).query.id == "a"
        assert json.loads(str(get_msa_results.sync(job, client=client, format_="json")))["query"]["header"] == "a"


def test_msas_are_made_followed_saved_and_removed(client: Any, tmp_path: Path) -> None:
    (tmp_path / "q.fasta").write_text(QUERIES)
    asked: list[Any] = []
    found = client.msa(
        tmp_path / "q.fasta", databases="demo", then=["demo"], filter="none", title="followed", progress=asked.append
    )
    assert (asked[-1].state, found.id, found.data) == ("succeeded", asked[-1].id, asked[-1])
    assert [(one.number, one.id, len(one.stages)) for one in found.chains] == [(1, "a", 2), (2, "b", 2)]
    for chain in found.chains:
        for of, stage in zip(("databases", "then"), chain.stages, strict=True):
            msa = read_a3m(io.BytesIO(found.a3m(chain.number, of=of).encode()))
            assert (msa.query.id, len(msa)) == (chain.id, stage.kept)
    assert found.download(chain=2, format="stockholm").startswith(b"# STOCKHOLM 1.0")
    assert found.columns(2).rows == found.chains[1].stages[0].kept + 1
    found.save(tmp_path / "all.tar.gz")
    with tarfile.open(tmp_path / "all.tar.gz") as tar:
        assert tar.getnames() == ["1.a.a3m", "2.b.a3m"]
    found.save(tmp_path / "b.a3m", chain=2)
    assert (tmp_path / "b.a3m").read_text() == found.a3m(2)
    assert client.msa_status(found.id) == found.data
    *_, last = client.msa_events(found.id)
    assert (last.id, last.state) == (found.id, "succeeded")
    assert found.id in [one.id for one in client.msas(state="succeeded", page_size=1)]
    assert found.id == client.submit_msa(QUERIES, databases=["demo"], then=["demo"], filter="none", title="followed").id
    with pytest.raises(AlreadyFinishedError):
        client.cancel_msa(found.id)
    client.delete_msa(found.id)
    with pytest.raises(NotFoundError):
        found.a3m()


def test_complexes_are_lists_of_chains(client: Any) -> None:
    first, second = CHAINS
    asked: list[Any] = [[first, f">b its own\n{second}\n"], Complex(chains=[second])]
    assert client.estimate_msa(asked, databases="demo", pairing="greedy").chains == 2
    paired = client.msa(asked, databases="demo", pairing="greedy")
    assert [(one.complex_, one.id, one.paired) for one in paired.chains] == [
        (1, "query_1", True),
        (1, "b", True),
        (2, "query_1", False),
    ]
    assert paired.a3m(1, pairs=True).count("\n>") == paired.a3m(2, pairs=True).count("\n>")


def test_what_is_wrong_is_raised(server: Server, client: Any) -> None:
    with pytest.raises(InvalidSequenceError) as error:
        client.msa(">a\nMK1\n", databases="demo")
    [detail] = error.value.errors
    assert (detail.field, detail.record, detail.line, detail.column) == ("queries", 1, 2, 3)
    with pytest.raises(InvalidRequestError, match="complexes"):
        client.msa(QUERIES, databases="demo", pairing="greedy")
    with pytest.raises(TypeError, match="no parameter matrix; there are evalue, filter, "):
        client.submit_msa(QUERIES, databases="demo", matrix="PAM30")
    with standing(server):
        with pytest.raises(MsaTimeoutError) as late:
            client.msa(QUERIES, databases="demo", title="cancelled", fresh=True, timeout=0)
        assert client.cancel_msa(late.value.msa_id).state == "cancelled"
        with pytest.raises(MsaFailedError) as failed:
            client.msa_result(late.value.msa_id)
        assert failed.value.msas.id == failed.value.msa_id == late.value.msa_id


def test_a_request_whose_reply_is_lost_is_not_made_twice(server: Server, make: Make) -> None:
    with relaying(server.url) as relay, closing(make(relay.url)) as client:
        relay.faults = ["lose", "busy"]
        found = client.msa(QUERIES, databases="demo", title="lost")
        keys = {headers["Idempotency-Key"] for headers in relay.seen[:3]}
        assert (len(keys), relay.faults) == (1, [])
        assert [one.id for one in client.msas() if one.title == "lost"] == [found.id]
        client.delete_msa(found.id)
