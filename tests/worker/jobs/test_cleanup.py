"""Searches of a version that was deleted end with that as their reason, unless a worker still holds it."""

import os
import time
from pathlib import Path

import pytest

from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from tests.support.server import until
from tests.support.turns import by_residues
from worker.jobs.cleanup import Cleanup
from worker.jobs.clock import server_time
from worker.jobs.files import NEW_S, JobFiles
from worker.jobs.folders import StorageFull
from worker.jobs.ids import new_id
from worker.jobs.redis_names import MARK, SearchKeys, text
from worker.jobs.requests import SearchRequest
from worker.jobs.states import SearchLost
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.jobs.worker_registry import Assignment, Memory, Registration
from worker.kinds.search import plan
from worker.queue.wake_up import call_worker
from worker.settings import Settings
from worker.uploads.incoming import Sent
from worker.uploads.store import Uploads

DAY_S = 86_400


def written(folder: Path, ago_s: float) -> None:
    """Have a folder look as if nothing had been written there for so long."""
    then = time.time() - ago_s
    os.utime(folder, (then, then))


@pytest.fixture
def search(store: JobStore, target: SearchTarget) -> str:
    request = SearchRequest(sequence="MKVLAAGW", database="small")
    return store.submit(plan(request, request.records(), target)).id


def state(store: JobStore, search: str) -> str:
    return store.state(search).state


def test_search_of_a_version_that_is_there_waits(store: JobStore, database: Database, search: str) -> None:
    Cleanup(store, Settings(data=database.path.parents[1]), patience_s=0).look()
    assert state(store, search) == "queued"


def test_version_that_is_missing_for_a_moment_is_waited_for(store: JobStore, database: Database, search: str) -> None:
    data = database.path.parents[1]
    cleanup = Cleanup(store, Settings(data=data))
    away = data.rename(data.with_name("away"))
    cleanup.look()
    assert state(store, search) == "queued"
    away.rename(data)
    cleanup.look()
    assert state(store, search) == "queued"


def test_search_of_a_removed_version_fails_with_its_name(
    store: JobStore, database: Database, target: SearchTarget, search: str
) -> None:
    settings = Settings(data=database.path.parents[1])
    Catalog(settings.data).remove("small")
    queue = target.queues[1]
    draining = Registration(store.redis, f"{queue}.host.1.abc", [queue], Assignment(queue, "small", "v", 1, 2, "cpu"))
    with store.redis.pipeline() as pipe:
        draining.tell(pipe, "draining", Memory(), by_residues(1), rate=1)
        pipe.execute()
    cleanup = Cleanup(store, settings, patience_s=0)
    cleanup.look()
    assert state(store, search) == "queued"
    draining.leave()
    cleanup.look()
    error = store.state(search).error
    assert error is not None
    assert error.detail == f"version {target.used.version} of small has been removed"


def test_dead_workers_leave_rqs_lists(store: JobStore, database: Database) -> None:
    redis = store.redis
    for worker in ("here@1-0of1.host.1.a", "here@1-0of1.host.2.b", "gone@1-0of1.host.3.c"):
        calls = f"wake:{worker.partition('.')[0]}"
        redis.sadd("rq:workers", f"rq:worker:{worker}")
        redis.sadd(f"rq:workers:{calls}", f"rq:worker:{worker}")
        redis.sadd("rq:queues", f"rq:queue:{calls}")
    call_worker(redis, "waited@1-0of1")
    redis.hset("rq:worker:here@1-0of1.host.1.a", "state", "idle")
    redis.sadd("rq:queues", "rq:queue:another programs")
    Cleanup(store, Settings(data=database.path.parents[1])).look()
    assert redis.smembers("rq:workers") == {b"rq:worker:here@1-0of1.host.1.a"}
    assert redis.smembers("rq:queues") == {
        b"rq:queue:wake:here@1-0of1", b"rq:queue:wake:waited@1-0of1", b"rq:queue:another programs",
    }  # fmt: skip
    assert sorted(redis.scan_iter("rq:workers*")) == [b"rq:workers", b"rq:workers:wake:here@1-0of1"]


def test_uploads_whose_time_is_over_are_removed(store: JobStore, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, work=str(tmp_path / "work"), retention_s=1)
    uploads = Uploads(settings, store.redis)
    incoming = uploads.begin(Sent())
    incoming.take(b">a\nMKV\n")
    kept = uploads.keep_new(incoming.finish()).upload
    incoming.discard()
    files = [uploads.text(kept.id), uploads.text(kept.id).with_suffix(".json")]
    until(lambda: server_time(store.redis) >= kept.expires)
    assert all(path.is_file() for path in files)
    Cleanup(store, settings).look()
    assert not any(path.exists() for path in files)


def test_folders_of_jobs_stay_while_redis_is_without_its_data(store: JobStore, search: str, tmp_path: Path) -> None:
    settings, redis = Settings(data=tmp_path), store.redis
    files, unknown = JobFiles.of(settings), new_id(text(store.redis.get(MARK) or b""))
    data = {key: redis.dump(key) for key in (SearchKeys(search).meta, MARK)}
    for job in (search, unknown):
        files.keep_round(job, 2, b"a profile")
        written(files.folder(job), DAY_S)
    redis.flushall()
    Cleanup(store, settings).look()
    # Other jobs come, which draw another mark.
    with pytest.raises(SearchLost):
        store.state(search)
    Cleanup(store, settings).look()
    assert files.round(search, 2) == b"a profile"
    redis.flushall()
    for key, value in data.items():
        redis.restore(key, 0, value)
    Cleanup(store, settings).look()
    assert (files.folder(search).exists(), files.folder(unknown).exists()) == (True, False)


def test_folders_of_lost_jobs_go_when_their_time_is_over(store: JobStore, search: str, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    files = JobFiles.of(settings)
    files.keep_round(search, 2, b"a profile")
    store.redis.flushall()
    written(files.folder(search), store.retention.search_s - DAY_S)
    Cleanup(store, settings).look()
    assert files.folder(search).exists()
    written(files.folder(search), store.retention.search_s + DAY_S)
    Cleanup(store, settings).look()
    assert not files.folder(search).exists()


def test_folders_that_workers_have_made_are_charged_to_the_accounts_of_their_jobs(
    store: JobStore, search: str, tmp_path: Path
) -> None:
    settings = Settings(data=tmp_path, max_kept_job_bytes=100)
    JobFiles.of(settings).keep_round(search, 2, bytes(40))
    store.redis.hset(SearchKeys(search).meta, "account", "ann")
    Cleanup(store, settings).look()
    files = JobFiles.of(settings)
    files.check_room(30, "bob")
    files.check_room(10, "ann")
    with pytest.raises(StorageFull):
        files.check_room(11, "ann")


def test_folders_of_jobs_being_made_stay_whatever_redis_clock_says(
    store: JobStore, search: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data=tmp_path)
    files, coming = JobFiles.of(settings), new_id(text(store.redis.get(MARK) or b""))
    ahead = int(server_time(store.redis) + DAY_S)
    monkeypatch.setattr(store.redis, "time", lambda: (ahead, 0))
    with files.new() as folder:
        folder.give_to(coming)
        Cleanup(store, settings).look()
        assert folder.path.exists()
        written(folder.path, NEW_S - 60)
        Cleanup(store, settings).look()
        assert folder.path.exists()
        written(folder.path, NEW_S + 60)
        Cleanup(store, settings).look()
        assert not folder.path.exists()
