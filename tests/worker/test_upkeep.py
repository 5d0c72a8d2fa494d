"""Searches of a version that was deleted end with that as their reason, unless a worker still holds it."""

import pytest

from shardwater.catalog import Catalog
from shardwater.database import Database
from worker.client import Client
from worker.presence import Memory, Place, Presence
from worker.queues import shard_queues
from worker.requests import SearchRequest
from worker.states import SearchTarget
from worker.upkeep import end_searches_of_removed_versions


@pytest.fixture
def search(client: Client, target: SearchTarget) -> str:
    request = SearchRequest(sequence="MKVLAAGW", database="small")
    return client.submit(request, request.records(), target).id


def test_search_of_a_version_that_is_there_waits(client: Client, database: Database, search: str) -> None:
    end_searches_of_removed_versions(client, Catalog(database.path.parents[1]))
    assert client.state(search).state == "queued"


def test_search_of_a_removed_version_fails_with_its_name(
    client: Client, database: Database, target: SearchTarget, search: str
) -> None:
    catalog = Catalog(database.path.parents[1])
    catalog.remove("small")
    queue = shard_queues(target)[1]
    draining = Presence(client.redis, f"{queue}.host.1.abc", Place(queue, "small", "v", 1, 2, "cpu"))
    with client.redis.pipeline() as pipe:
        draining.tell(pipe, "draining", Memory(), 0.0)
        pipe.execute()
    end_searches_of_removed_versions(client, catalog)
    assert client.state(search).state == "queued"
    draining.leave()
    end_searches_of_removed_versions(client, catalog)
    state = client.state(search)
    assert state.state == "failed"
    assert state.error is not None
    assert state.error.detail == (
        f"version {target.used.version} of database small was removed before the search was done"
    )
