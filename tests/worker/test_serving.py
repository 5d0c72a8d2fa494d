"""What a service runs, and what it gives up: searches for a version that is there no more."""

import shutil

import pytest

from shardwater.database import Database
from tests.worker.test_recovery import submit
from worker import serving
from worker.client import Client
from worker.queues import alive_key, shard_queues
from worker.serving import ServicePlan, Site, listen
from worker.settings import Settings
from worker.states import SearchTarget


def test_searches_for_a_version_that_is_gone_fail_after_a_while(
    client: Client, database: Database, target: SearchTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = submit(client, target)
    with listen("127.0.0.1", 0) as listener:
        plan = ServicePlan(Site(Settings(data=database.path.parents[1]), listener), client)
        assert len(plan()) == 1 + target.shards
        other = database.path.with_name("other")
        shutil.copytree(database.path, other)
        (database.path.parent / "current").write_text("other\n")
        shutil.rmtree(database.path)
        plan()
        assert client.state(search).state == "queued"
        monkeypatch.setattr(serving, "MISSING_S", 0)
        plan()
        assert client.state(search).state == "queued", "its workers hold it"
        client.redis.delete(*map(alive_key, shard_queues(target)))
        plan()
    error = client.state(search).error
    assert error is not None
    assert error.detail == f"version {target.used.version} of small has been removed"
