"""Batches of a worker in this process: what fails in a pass, what takes too long, and a heart that stops."""

import os
import threading
from types import SimpleNamespace

import pytest

from shardwater.search.step import Step, Steps
from tests.support.scripted import DAMAGED, ScriptedEngine, submit, work
from tests.support.turns import by_residues
from worker.jobs.redis_names import SearchKeys
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.queue.part_queue import PartQueue, Room
from worker.runner import observer, pace, process
from worker.runner.context import WorkerContext


def test_what_waits_is_done_in_one_pass(
    store: JobStore, whole: SearchTarget, context: WorkerContext, engine: ScriptedEngine
) -> None:
    searches = [submit(store, whole, name) for name in ("a", "b", "c")]
    work(context)
    assert engine.passes == [["a", "b", "c"]]
    assert [store.state(search).state for search in searches] == ["succeeded"] * 3
    assert [one.query.id for search in searches for one in store.result(search).results] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        (
            "refused",
            "shard-failed",
            "shard 0 of database small: files of its database are damaged or missing; the worker's log names them",
        ),
        ("cheap", "invalid-parameter", "gaps cost too little"),
        ("broken", "shard-failed", "shard 0 of database small: the engine failed; see its log"),
        (
            "unkept",
            "storage-full",
            "the job could not be stored: send the request again later; the server's log has the reason",
        ),
        (
            "scant",
            "shard-failed",
            "shard 0 of database small: query 1 was scored against 3 of 4 subjects, 59 of 59 residues, in 472 of 472 "
            "cells",
        ),
    ],
)
def test_what_fails_in_a_pass_fails_alone(
    store: JobStore,
    whole: SearchTarget,
    context: WorkerContext,
    engine: ScriptedEngine,
    name: str,
    kind: str,
    reason: str,
) -> None:
    first, faulty, last = (submit(store, whole, each) for each in ("first", name, "last"))
    work(context)
    assert engine.passes == [["first", name, "last"], ["first"], [name], ["last"]]
    assert [store.state(search).state for search in (first, faulty, last)] == ["succeeded", "failed", "succeeded"]
    error = store.state(faulty).error
    assert error is not None
    assert (error.type, error.detail, error.shard) == (kind, reason, 0)


def test_the_log_alone_says_which_file_is_damaged(
    store: JobStore, whole: SearchTarget, context: WorkerContext, caplog: pytest.LogCaptureFixture
) -> None:
    search = submit(store, whole, "refused")
    work(context)
    assert "/inside" not in str(store.state(search).error)
    assert [record.levelname for record in caplog.records if record.getMessage().endswith(DAMAGED)] == ["ERROR"]


def test_telling_how_far_it_is_counts_as_the_work_s_time_and_better_parts_do_not(
    store: JobStore, whole: SearchTarget, context: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(store, whole, "a")
    parts, now = context.queue.lease(Room(1000, by_residues(1))), 0.0

    def pass_time(seconds: float) -> float:
        nonlocal now
        now += seconds
        return seconds

    def steps() -> Steps[None]:
        for _ in range(3):
            pass_time(2)
            yield Step(1)

    def told(_: object, searches: list[str]) -> list[None]:
        pass_time(0.5)
        return [None] * len(searches)

    monkeypatch.setattr(observer, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(JobStore, "outcomes", told)
    watched = observer.BatchObserver(context, parts, 8, lambda *_: pass_time(10))
    watched.run(steps())
    assert (now, watched.seconds) == (3 * (2 + 0.5 + 10), 3 * (2 + 0.5))


class Ended(BaseException):
    """In place of the end of the process."""


def test_no_search_is_to_blame_for_files_that_were_written_to(
    store: JobStore, whole: SearchTarget, context: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(number: int) -> None:
        raise Ended(number)

    monkeypatch.setattr("os._exit", end)
    search = submit(store, whole, "broken")
    os.utime(context.shard.database.path / "residues.bin")
    # As the process would, the next worker finds the part leased.
    work(context)
    assert store.state(search).state == "running"


def test_a_search_that_was_cancelled_in_the_queue_costs_no_pass(
    store: JobStore, whole: SearchTarget, context: WorkerContext, engine: ScriptedEngine
) -> None:
    searches = [submit(store, whole, name) for name in ("a", "b", "c")]
    store.cancel(searches[0])
    store.cancel(searches[2])
    work(context)
    assert engine.passes == [["b"]]


def test_a_search_that_takes_too_long_is_told_so(
    store: JobStore, whole: SearchTarget, context: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "retention", store.retention.__class__(job_timeout_s=1))
    search = submit(store, whole, "lingering")
    work(context)
    error = store.state(search).error
    assert error is not None
    assert (error.type, error.detail) == ("search-timeout", "shard 0 of database small took longer than 1 s")


def test_short_searches_are_done_between_two_slices_of_a_long_one(
    store: JobStore, whole: SearchTarget, context: WorkerContext, engine: ScriptedEngine
) -> None:
    engine.lingers = 3
    comes = {1: {"longer": 9000, "a": 8}, 2: {"b": 8, "c": 8}}
    engine.begun = lambda passes: [submit(store, whole, *each) for each in comes.get(passes, {}).items()]
    long = submit(store, whole, "lingering", 4000)
    work(context)
    assert engine.passes == [["lingering"], ["a"], ["b", "c"], ["longer"]]
    assert store.state(long).state == "succeeded"


def test_the_time_of_short_searches_is_none_of_the_long_one_between_whose_slices_they_are_done(
    store: JobStore, whole: SearchTarget, context: WorkerContext, engine: ScriptedEngine
) -> None:
    engine.lingers, noted = 2, list[float]()
    long = submit(store, whole, "lingering", 4000)

    def note() -> None:
        noted.append(float(store.redis.hget(SearchKeys(long).meta, "began:1:0") or 0))

    def begun(passes: int) -> None:
        note()
        if passes == 1:
            submit(store, whole, "a")

    engine.begun = begun
    work(context)
    note()
    assert engine.passes == [["lingering"], ["a"]]
    at_first, meanwhile, at_last = noted
    assert meanwhile < 0 < at_first < at_last


def test_a_part_of_any_length_goes_first_while_it_is_shorter_than_the_rest(
    store: JobStore, whole: SearchTarget, context: WorkerContext, engine: ScriptedEngine
) -> None:
    # A slow engine: 9,000 residues take 900 s, 1,000 take 100 s.
    context.pace.experience.costs = by_residues(0.1)
    engine.lingers = 4
    comes = {1: {"lingering": 1000}, 2: {"a": 8}, 3: {"longer": 2000, "b": 8}}
    engine.begun = lambda passes: [submit(store, whole, *each) for each in comes.get(passes, {}).items()]
    submit(store, whole, "lingering", 9000)
    work(context)
    assert engine.passes == [["lingering"], ["lingering"], ["a"], ["b"], ["longer"]]


def test_a_heart_stops_when_nothing_gets_on(
    store: JobStore,
    whole: SearchTarget,
    context: WorkerContext,
    engine: ScriptedEngine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "HEARTBEAT_S", 0.01)
    monkeypatch.setattr(pace, "STALLED_S", 0.05)
    stopped = threading.Event()

    def hang(*_: object) -> None:
        for thread in threading.enumerate():
            if thread.name == "heartbeat":
                thread.join()
                stopped.set()

    monkeypatch.setattr("worker.kinds.search.find_all_hits", hang)
    submit(store, whole, "hanging")
    work(context)
    assert stopped.is_set()


def test_time_without_work_is_none_without_progress(
    store: JobStore, whole: SearchTarget, context: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, stalled, lease = submit(store, whole, "a"), list[bool](), PartQueue.lease

    def leased(queue: PartQueue, room: Room) -> object:
        stalled.append(context.pace.stalled)
        return lease(queue, room)

    monkeypatch.setattr(PartQueue, "lease", leased)
    monkeypatch.setattr(context.pace, "_moved", -1e9)
    work(context)
    assert stalled[0] is False
    assert store.state(search).state == "succeeded"
