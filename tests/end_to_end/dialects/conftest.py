"""A real server with two databases: the demo's, and one of its queries alone."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.demo import DEMO
from tests.support.server import Server, make_database, running
from tests.support.taxonomies import demo_taxa


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service that every test of a dialect may ask."""
    data = tmp_path_factory.mktemp("dialects")
    make_database(DEMO / "proteins.fasta.gz", data, taxa=demo_taxa(tmp_path_factory.mktemp("taxonomy")))
    make_database(DEMO / "queries.fasta", data, shards=1, name="tiny")
    environment = {"SHARDWATER_COLABFOLD_UNIREF": "demo", "SHARDWATER_COLABFOLD_ENV": "tiny"}
    with running(Server(data, environment=environment)) as started:
        yield started


@pytest.fixture(scope="session")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="session")
def kinase() -> str:
    """One real protein in FASTA, with dozens of hits whose alignments have gaps."""
    return ">" + (DEMO / "queries.fasta").read_text().split(">")[2]


@pytest.fixture(scope="session")
def expected(server: Server, kinase: str) -> dict[str, object]:
    """What our own interface finds for it by their statistics, at most five hits."""
    return server.search(kinase, max_target_seqs=5, alignments=5, statistics="table", order="score")


@pytest.fixture
def long_search(server: Server, http: httpx.Client) -> Iterator[str]:
    """The id of a search that does not end by itself during its test."""
    search = server.post("".join(f">long{number}\n{'MKVLAAGW' * 5000}\n" for number in range(4))).json()["id"]
    yield search
    http.delete(f"/v1/searches/{search}")
