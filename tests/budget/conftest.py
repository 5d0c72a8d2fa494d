"""A front end in this process, over a small database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from shardwater.database.database import Database
from tests.support.budgets import FrontEnd, front_end_over
from tests.support.queue_fixtures import database, valkey
from worker.jobs.targets import DEVICE, search_target
from worker.supervision.valkey import EmbeddedValkey

__all__ = ["database", "valkey"]


@pytest.fixture
def front_end(valkey: EmbeddedValkey, database: Database, tmp_path: Path) -> Iterator[FrontEnd]:
    """One with the usual limits, whose workers seem to be there."""
    with valkey.connect() as redis:
        yield front_end_over(redis, tmp_path / "data", (DEVICE, *search_target(database.manifest).queues))
        redis.flushall()
