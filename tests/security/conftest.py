"""A real service that asks for keys, over a few proteins, and clients of several owners."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.guarded import LIMITS, PORTAL, Guarded, guarding, small_data


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder that services of these tests share one after the other."""
    return small_data(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A service that asks for keys. Each test has owners of its own, or minds that it has not."""
    yield from guarding(small_data(tmp_path_factory.mktemp("guarded")))


@pytest.fixture(scope="session")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A service with quotas that a test can use up, whose answers a portal's scripts may read."""
    settings = {f"{name}_per_hour": str(limit) for name, limit in LIMITS.items()}
    streams = {"max_streams": "2", "max_streams_per_owner": "1"}
    data = small_data(tmp_path_factory.mktemp("limited"))
    yield from guarding(data, **settings, **streams, cors_origins=f"{PORTAL}, http://localhost:3000")
