"""Real servers over the demo's proteins: one for all tests that only ask, a fresh one for those that kill."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from shardwater_client import AsyncClient, Client
from tests.support.demo import DEMO
from tests.support.server import FASTA, Server, make_database, running, until_idle
from tests.support.taxonomies import demo_taxa
from tests.support.twins import Blocking, Make


@pytest.fixture(scope="session")
def queries() -> str:
    """Four real proteins in FASTA."""
    return (DEMO / "queries.fasta").read_text()


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo database in two shards."""
    folder = tmp_path_factory.mktemp("data")
    make_database(DEMO / "proteins.fasta.gz", folder)
    return folder


@pytest.fixture(scope="session")
def server(data: Path) -> Iterator[Server]:
    """A service that every test may ask, and none may harm."""
    with running(Server(data)) as started:
        yield started


@pytest.fixture(scope="session")
def taxa_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The same where some of the demo's proteins have taxids, and the tree of these is known."""
    folder = tmp_path_factory.mktemp("taxa")
    make_database(DEMO / "proteins.fasta.gz", folder / "data", taxa=demo_taxa(folder / "taxonomy"))
    with running(Server(folder / "data")) as started:
        yield started


@pytest.fixture
def idle(server: Server) -> Server:
    """The same, once nothing is left to do of what other tests sent."""
    until_idle(server)
    return server


@pytest.fixture
def fragile(tmp_path: Path) -> Iterator[Server]:
    """A service of one test, to be killed in part or in whole; its one worker leaves the other processor to others."""
    make_database(DEMO / "proteins.fasta.gz", tmp_path, shards=1)
    with running(Server(tmp_path, environment={"SHARDWATER_THREADS": "1"})) as started:
        yield started


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with three proteins."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.fasta").write_text(FASTA)
    make_database(folder / "small.fasta", folder / "data", shards=1, name="small")
    return folder / "data"


@pytest.fixture(scope="module")
def query(small: Path) -> Path:
    """A file with one query, which all three are like."""
    path = small.parent / "query.fasta"
    path.write_text(">q one query\nMKVLAAGWDEHHKLMCCCCC\n")
    return path


@pytest.fixture(scope="module", params=["sync", "async"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    """Makes a client of this kind."""
    if request.param == "sync":
        yield Client
        return
    loop = asyncio.new_event_loop()
    yield lambda *arguments, **options: Blocking(AsyncClient(*arguments, **options), loop)
    loop.close()
