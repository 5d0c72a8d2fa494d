"""The columns of an MSA over HTTP are those of the MSA that is downloaded."""

import io
from collections.abc import Iterator

import httpx
import pytest

from shardwater.formats.msas.a3m import read_a3m
from shardwater.msa.conservation import conservation
from shardwater.sequences.fasta import read_fasta
from tests.support.problems import problem
from tests.support.server import Server


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def complexes(http: httpx.Client, queries: str) -> str:
    """MSAs of two chains that are paired, and of one by itself."""
    first, second, third, _ = (f">{each.header}\n{each.residues.decode()}\n" for each in read_fasta(queries.encode()))
    body = {
        "queries": [{"chains": [first, second]}, {"chains": [third]}],
        "databases": ["demo"],
        "pairing": "greedy",
        "iterations": 1,
    }
    reply = http.post("/v1/msas", json=body, headers={"Prefer": "wait=60"})
    assert reply.status_code == 200
    [made] = [each["id"] for each in http.get("/v1/msas", params={"page_size": 1}).json()["items"]]
    return str(made)


@pytest.mark.parametrize(("chain", "asked"), [(1, ""), (2, "?chain=2"), (3, "?chain=3"), (2, "?chain=2&pairs=true")])
def test_columns_are_those_of_the_download(http: httpx.Client, complexes: str, chain: int, asked: str) -> None:
    place = f"/v1/msas/{complexes}"
    told = http.get(f"{place}/columns{asked}").json()
    wanted = {"format": "a3m", "chain": chain, "pairs": "pairs" in asked}
    msa = read_a3m(io.BytesIO(http.get(f"{place}/results", params=wanted).content))
    counted = conservation(msa)
    assert told == {
        "chain": chain,
        "id": msa.query.id,
        "rows": len(msa) + 1,
        "residues": msa.query.residues.decode(),
        "depth": counted.depth.tolist(),
        "identical": counted.identical.tolist(),
        "entropy": counted.entropy.tolist(),
    }


def test_chains_say_whether_they_are_paired(http: httpx.Client, complexes: str) -> None:
    chains = http.get(f"/v1/msas/{complexes}").json()["chains"]
    assert [each["paired"] for each in chains] == [True, True, False]


@pytest.mark.parametrize(
    ("asked", "status", "kind"),
    [
        ("?chain=4", 422, "invalid-parameter"),
        ("?chain=0", 422, "invalid-parameter"),
        ("?of=then", 404, "not-found"),
        ("?of=then&pairs=true", 422, "invalid-parameter"),
    ],
)
def test_columns_that_are_not_there(http: httpx.Client, complexes: str, asked: str, status: int, kind: str) -> None:
    problem(http.get(f"/v1/msas/{complexes}/columns{asked}"), status, kind)
