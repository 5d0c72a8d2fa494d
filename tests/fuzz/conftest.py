"""A real service over a few short proteins, so that a search takes no time and a case is cheap."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from shardwater.fasta import read_fasta, write_fasta
from tests.end_to_end.server import Server, make_database, running

DEMO = Path(__file__).parents[2] / "demo"
SUBJECTS, LONGEST = 300, 300


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose database `demo` has few short proteins, in two shards."""
    folder = tmp_path_factory.mktemp("small")
    with gzip.open(DEMO / "proteins.fasta.gz") as file:
        proteins = [record for record in read_fasta(file.read()) if len(record.residues) <= LONGEST]
    (folder / "small.fasta").write_text("".join(map(write_fasta, proteins[:SUBJECTS])))
    make_database(folder / "small.fasta", folder / "data")
    return folder / "data"


@pytest.fixture(scope="session")
def server(small: Path) -> Iterator[Server]:
    """A service that may be asked anything."""
    with running(Server(small)) as started:
        yield started


@pytest.fixture(scope="session")
def http(server: Server) -> Iterator[httpx.Client]:
    """A client of it."""
    with server.http as client:
        yield client
