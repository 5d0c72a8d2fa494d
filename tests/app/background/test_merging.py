"""A front end's threads that merge, and the process that makes large results."""

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from redis.exceptions import TimeoutError as RedisTimeout

from app.background import heartbeat, merge_process
from app.background.merge_pool import MANY_ROWS, MergePool
from app.background.merge_serving import NICENESS
from app.background.merger import MOST_TRIES, MergeFailed, Merger
from app.background.merging import merging
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.search.search import find_hits
from tests.support.merging import store_answer
from tests.support.processes import launchers, merging_processes
from tests.support.server import until
from worker.jobs.files import JobFiles
from worker.jobs.ids import called
from worker.jobs.redis_names import ANSWERED, SearchKeys
from worker.jobs.requests import SearchRequest
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds import KINDS, kind
from worker.kinds.kind import Answered, FrontEnd
from worker.kinds.search import SEARCH, plan
from worker.settings import Settings


def settings_of(store: JobStore, data: Path) -> Settings:
    """Those of a front end of this store."""
    path = store.redis.connection_pool.connection_kwargs["path"]
    return Settings(data=data, redis_url=f"unix://{path}")


@pytest.fixture
def here(store: JobStore, database: Database) -> FrontEnd:
    return FrontEnd(store, JobFiles(database.path / "jobs", 1 << 30), Catalog(database.path.parents[1]), None)


def answered(store: JobStore, target: SearchTarget, database: Database) -> str:
    """A search that both shards have answered."""
    request = SearchRequest(sequence=">q\nMKVLAAGW", database="small")
    search = store.submit(plan(request, request.records(), target), fresh=True).id
    for shard in (0, 1):
        engine, part = CpuEngine(1), database.shard(shard, 2)
        engine.load(part)
        store_answer(store, search, find_hits(engine, part, request.records(), request.parameters), 2)
    return search


def ready(place: MergePool) -> int:
    """The process that is made ready for a result of many hits."""
    place.expect(MANY_ROWS)
    until(lambda: place.is_up)
    [child] = merging_processes(os.getpid())
    return child


def gone(process: int) -> bool:
    """Whether a process that merged has ended."""
    return process not in merging_processes(os.getpid())


def succeeded(store: JobStore, search: str) -> bool:
    return store.state(search).state == "succeeded"


def test_large_results_are_made_by_another_process_and_are_the_same(
    store: JobStore,
    here: FrontEnd,
    target: SearchTarget,
    database: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = MergePool(settings_of(store, tmp_path), 1)
    with merging(here, place):
        small = answered(store, target, database)
        until(lambda: succeeded(store, small))
        assert launchers(os.getpid()) == []
        monkeypatch.setattr(kind, "LARGE", 1)
        large = answered(store, target, database)
        until(lambda: succeeded(store, large))
        [child] = merging_processes(os.getpid())
        # What comes next finds it dead, and is made all the same.
        os.kill(child, signal.SIGKILL)
        until(lambda: gone(child))
        place.expect(MANY_ROWS - 1)
        assert merging_processes(os.getpid()) == []
        place.expect(MANY_ROWS)
        until(lambda: merging_processes(os.getpid()))
        after = answered(store, target, database)
        until(lambda: succeeded(store, after))
    assert store.result(small).results == store.result(large).results == store.result(after).results
    assert launchers(os.getpid()) == []


def test_small_results_do_not_wait_for_a_large_one_that_hangs(
    store: JobStore,
    here: FrontEnd,
    target: SearchTarget,
    database: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(heartbeat, "MOST_SILENT", 4)
    place = MergePool(settings_of(store, tmp_path), 1)
    with merging(here, place):
        child = ready(place)
        os.kill(child, signal.SIGSTOP)
        with monkeypatch.context() as large:
            large.setattr(kind, "LARGE", 1)
            hanging = [answered(store, target, database) for _ in range(5)]
            until(lambda: store.redis.exists(*(SearchKeys(search).merging for search in hanging)) == 1)
            until(lambda: store.redis.llen(ANSWERED) == 0)
        small = answered(store, target, database)
        until(lambda: succeeded(store, small))
        # It is killed for that, and what it had is tried again.
        until(lambda: gone(child))
        store.redis.rpush(ANSWERED, *hanging)
        until(lambda: all(succeeded(store, search) for search in hanging))
    assert f"process {child}, which merges, lives but has done nothing for 4 s, and is killed" in caplog.messages


def test_odd_entries_end_no_thread_that_merges(
    store: JobStore, here: FrontEnd, target: SearchTarget, database: Database, tmp_path: Path
) -> None:
    with merging(here, MergePool(settings_of(store, tmp_path), 1)):
        store.redis.rpush(ANSWERED, *[b"\xff\xfe", b"", b"no search", b"x" * 1000] * 5)
        first = answered(store, target, database)
        until(lambda: succeeded(store, first))
        store.redis.delete(ANSWERED)
        store.redis.set(ANSWERED, "no list")
        second = answered(store, target, database)
        until(lambda: store.redis.type(ANSWERED) == b"none")
        store.redis.rpush(ANSWERED, second)
        until(lambda: succeeded(store, second))


def test_an_error_while_a_large_result_is_made_ends_its_process_and_no_other_job_gets_it(
    store: JobStore, here: FrontEnd, target: SearchTarget, database: Database, tmp_path: Path
) -> None:
    place = MergePool(settings_of(store, tmp_path), 1)
    first, second = answered(store, target, database), answered(store, target, database)
    child = ready(place)
    os.kill(child, signal.SIGSTOP)

    def lose_redis() -> None:
        os.kill(child, signal.SIGCONT)
        raise RedisTimeout

    with place.process(1) as process:
        with pytest.raises(RedisTimeout):
            process.merge(first, lose_redis)
        until(lambda: gone(child))
        process.merge(second, lambda: None)
        assert (store.state(first).state, store.state(second).state) == ("running", "succeeded")
        process.merge(first, lambda: None)
    assert store.result(first).search == first
    place.close()


def test_the_process_of_large_results_ends_when_nobody_needs_it(
    store: JobStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = MergePool(settings_of(store, tmp_path), 1)
    place.rest()
    child = ready(place)
    place.rest()
    until(lambda: os.getpriority(os.PRIO_PROCESS, child) == os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
    monkeypatch.setattr(merge_process, "IDLE_S", -1)
    place.rest()
    assert not gone(child)
    monkeypatch.setattr(merge_process, "EXPECTED_S", -1)
    place.rest()
    until(lambda: gone(child))
    place.close()


def test_what_fails_in_the_process_is_told_without_its_words(
    store: JobStore, target: SearchTarget, database: Database, tmp_path: Path
) -> None:
    place, search = MergePool(settings_of(store, tmp_path), 1), answered(store, target, database)
    store.redis.hset(SearchKeys(search).meta, "request", '{"secret": "MKVLAAGWSECRET"}')
    with pytest.raises(MergeFailed, match="ValidationError") as failure, place.process(1) as process:
        process.merge(search, lambda: None)
    assert "SECRET" not in str(failure.value)
    assert store.state(search).state == "running"
    place.close()


def test_the_log_alone_says_which_file_of_a_database_is_damaged(
    store: JobStore,
    target: SearchTarget,
    database: Database,
    here: FrontEnd,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def advance(_: Answered, front_end: FrontEnd) -> bytes:
        """As kinds do whose results are made of what is in the database."""
        return front_end.open(target.databases[0].used).names.tobytes()

    monkeypatch.setitem(KINDS, "search", replace(SEARCH, advance=advance))
    search = answered(store, target, database)
    file = database.path / "names.bin"
    file.write_bytes(file.read_bytes()[:-1])
    Merger(here).merge(search)
    error = store.state(search).error
    assert error is not None
    assert error.detail == "files of its database are damaged or missing; a front end's log names them"
    [logged] = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert logged.startswith(f"{called(search)}: {file}: ")


def test_a_process_that_cannot_be_started_fails_a_job_in_the_end_and_nothing_else(
    store: JobStore,
    here: FrontEnd,
    target: SearchTarget,
    database: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    with merging(here, MergePool(settings_of(store, tmp_path), 1)):
        with monkeypatch.context() as large:
            large.setattr(kind, "LARGE", 1)
            hopeless = answered(store, target, database)
            for tries in range(1, MOST_TRIES):
                until(lambda tried=tries: tries_of(store, hopeless) == tried)
                store.redis.rpush(ANSWERED, hopeless)
            until(lambda: store.state(hopeless).state == "failed")
        small = answered(store, target, database)
        until(lambda: succeeded(store, small))
    failures = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(failures) == MOST_TRIES
    assert all("FileNotFoundError" in each and "AttributeError" not in each for each in failures)


def tries_of(store: JobStore, search: str) -> int:
    """How often a search was tried to be merged in vain."""
    return int(store.redis.hget(SearchKeys(search).meta, "merges") or 0)
