"""A worker's turns in this process: what fails in a pass, what takes too long, and a heart that stops."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import pytest

from shardwater.cpu import CpuEngine
from shardwater.database import Database, Shard
from shardwater.engine import Found, Progress, no_progress
from shardwater.errors import DatabaseError
from shardwater.fasta import Record
from shardwater.scoring import Scoring
from tests.worker.turns import by_residues
from worker import pace, process, resident, tasks
from worker.client import Client
from worker.costs import Experience
from worker.line import Line
from worker.measures import TimedEngine
from worker.pace import Pace
from worker.process import ShardWorker, worker_prefix
from worker.queues import alive_key, shard_queues
from worker.requests import SearchRequest
from worker.resident import Resident
from worker.seal import Seal
from worker.settings import Settings
from worker.states import SearchTarget


class ScriptedEngine(CpuEngine):
    """The CPU engine, which notes what it is asked together, and fails or lingers at certain queries."""

    def __init__(self) -> None:
        super().__init__(1)
        self.passes: list[list[str]] = []

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, progress: Progress = no_progress
    ) -> list[Found]:
        names = [query.id for query in queries]
        self.passes.append(names)
        if "refused" in names:
            raise DatabaseError("no such subject")
        if "broken" in names:
            raise ZeroDivisionError
        found = super().search(queries, scoring, top, progress)
        if "scant" in names:
            return [replace(each, extent=replace(each.extent, subjects=3)) for each in found]
        if "lingering" in names:
            for _ in count():
                progress(0)
        return found


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def shard(database: Database) -> Shard:
    return database.shard(0, 1)


@pytest.fixture
def whole(client: Client, database: Database, target: SearchTarget) -> SearchTarget:
    """The database in one shard, whose worker counts as alive."""
    whole = SearchTarget(target.used, target.size, 1)
    client.redis.set(alive_key(shard_queues(whole)[0]), "test")
    return whole


@pytest.fixture
def held(client: Client, engine: ScriptedEngine, shard: Shard, whole: SearchTarget) -> Iterator[Resident]:
    engine.load(shard)
    [queue] = shard_queues(whole)
    line = Line(client, queue, 0, f"{worker_prefix(queue, 1)}x")
    held = Resident(
        client, TimedEngine(engine, client.tally, "small"), shard, line, pace_of(shard), Seal(shard.database)
    )
    resident.keep(held)
    yield held
    resident.keep(held)


def pace_of(shard: Shard) -> Pace:
    """Of a worker to whom no work of these tests is long."""
    return Pace(Experience(by_residues(1e-6)), shard.residues)


def submit(client: Client, target: SearchTarget, name: str) -> str:
    request = SearchRequest(sequence=f">{name}\nMKVLAAGW", database="small", statistics="table")
    return client.submit(request, request.records(), target).id


def work(held: Resident) -> None:
    """Do all that waits."""
    ShardWorker(held, Settings()).serve(burst=True)


def test_what_waits_is_done_in_one_pass(
    client: Client, whole: SearchTarget, held: Resident, engine: ScriptedEngine
) -> None:
    searches = [submit(client, whole, name) for name in ("a", "b", "c")]
    work(held)
    assert engine.passes == [["a", "b", "c"]]
    assert [client.state(search).state for search in searches] == ["succeeded"] * 3
    assert [one.query.id for search in searches for one in client.result(search).results] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("refused", "shard 0: no such subject"),
        ("broken", "shard 0: the engine failed; see its log"),
        (
            "scant",
            "shard 0: query 1 was scored against 3 of 4 subjects, 59 of 59 residues, in 472 of 472 cells",
        ),
    ],
)
def test_what_fails_in_a_pass_fails_alone(
    client: Client, whole: SearchTarget, held: Resident, engine: ScriptedEngine, name: str, reason: str
) -> None:
    first, faulty, last = (submit(client, whole, each) for each in ("first", name, "last"))
    work(held)
    assert engine.passes == [["first", name, "last"], ["first"], [name], ["last"]]
    assert [client.state(search).state for search in (first, faulty, last)] == ["succeeded", "failed", "succeeded"]
    error = client.state(faulty).error
    assert error is not None
    assert (error.type, error.detail, error.shard) == ("shard-failed", reason, 0)


def test_a_search_that_was_cancelled_in_the_queue_costs_no_pass(
    client: Client, whole: SearchTarget, held: Resident, engine: ScriptedEngine
) -> None:
    searches = [submit(client, whole, name) for name in ("a", "b", "c")]
    client.cancel(searches[0])
    client.cancel(searches[2])
    work(held)
    assert engine.passes == [["b"]]


def test_a_search_that_takes_too_long_is_told_so(
    client: Client, whole: SearchTarget, held: Resident, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "retention", client.retention.__class__(job_timeout_s=1))
    search = submit(client, whole, "lingering")
    work(held)
    error = client.state(search).error
    assert error is not None
    assert (error.type, error.detail) == ("search-timeout", "shard 0 took longer than 1 s")


def test_a_heart_stops_when_nothing_gets_on(
    client: Client,
    whole: SearchTarget,
    held: Resident,
    engine: ScriptedEngine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "HEARTBEAT_S", 0.01)
    monkeypatch.setattr(pace, "STALLED_S", 0.05)
    stopped = threading.Event()

    def hang(*_: object) -> None:
        # Until the heart, a thread named so, has gone.
        while any(thread.name == "heartbeat" for thread in threading.enumerate()):
            pass
        stopped.set()

    monkeypatch.setattr(tasks, "find_all_hits", hang)
    submit(client, whole, "hanging")
    work(held)
    assert stopped.is_set()
