"""A real service over a few short proteins."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.fuzz.service import make_small
from tests.support.server import Server, running


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose database `demo` has few short proteins, in two shards."""
    return make_small(tmp_path_factory.mktemp("small"))


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
