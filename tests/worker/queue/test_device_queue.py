"""The queue that all workers serve: parts of one job by several, beside the searches of a shard."""

from pathlib import Path

import pytest

from shardwater.pairs import parts
from tests.support.pair_jobs import do_next, files_in, submit_pairs, worker_of_all
from tests.support.turns import ALONE, ran_for, submit_letters
from worker.jobs.costs import Costs, Room
from worker.jobs.files import JobFiles
from worker.jobs.pair_requests import PairParameters
from worker.jobs.redis_names import alive_key, asleep_key, costs_key, leased_key, waiting_key
from worker.jobs.states import ShardUnavailable
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE, SearchTarget, home_of
from worker.jobs.worker_registry import Assignment, Memory, Registration, workers
from worker.queue.part_queue import PartQueue
from worker.queue.recovery import MOST_ATTEMPTS, recover, recover_queue, release
from worker.queue.wake_up import calls_for

PAIRS = [("ACGT", "ACGT")] * 6
SECOND = Costs(1e-12, 1e-12, 1, 1e-12, 1e-12, 1e-12, 1e-12, 1, 1e-12, way=1e-12)
"""A pair takes a second, and so does a query's residue."""
PLENTY = Room(1000, SECOND)


@pytest.fixture
def files(tmp_path: Path) -> JobFiles:
    return files_in(tmp_path)


@pytest.fixture(autouse=True)
def one_pair_a_part(monkeypatch: pytest.MonkeyPatch, store: JobStore) -> None:
    """Parts of a pair each, which take a second, and a worker that is said to be there."""
    monkeypatch.setattr(parts, "PART_PAIRS", 1)
    store.redis.set(alive_key(DEVICE), "test")
    store.redis.hset(costs_key(DEVICE), "test", SECOND.to_json())


@pytest.fixture
def both(store: JobStore, whole: SearchTarget) -> PartQueue:
    """A worker of a shard, and of the queue of all."""
    store.redis.hset(costs_key(whole.queues[0]), "test", SECOND.to_json())
    return worker_of_all(store, whole.queues[0], DEVICE)


def test_parts_of_a_job_are_done_by_all_workers(store: JobStore, files: JobFiles) -> None:
    job = submit_pairs(store, files, PAIRS)
    queues = [worker_of_all(store, name=name) for name in "ab"]
    leased = [(part.search, part.number) for _ in range(3) for queue in queues for part in queue.lease(PLENTY)]
    assert leased == [(job, number) for number in range(6)]
    assert [queue.lease(PLENTY) for queue in queues] == [[], []]


def test_queues_take_turns(store: JobStore, files: JobFiles, whole: SearchTarget, both: PartQueue) -> None:
    submit_pairs(store, files, PAIRS)
    for number in range(3):
        submit_letters(store, whole, "MKVLAAGW"[number:])
    kinds = [part.queue == DEVICE for _ in range(9) for part in both.lease(Room(0, SECOND))]
    assert kinds == [False, True] * 3 + [True] * 3


def test_nothing_waits_where_one_queue_is_empty(store: JobStore, files: JobFiles, both: PartQueue) -> None:
    job = submit_pairs(store, files, PAIRS[:2])
    assert [part.search for _ in range(3) for part in both.lease(PLENTY)] == [job, job]


def test_search_preempts_a_job_of_pairs_that_is_longer(
    store: JobStore, files: JobFiles, whole: SearchTarget, both: PartQueue
) -> None:
    submit_pairs(store, files, PAIRS)
    [part] = both.lease(ALONE)
    assert both.lease_better(part, 0.5, PLENTY, 5) == []
    long, short = submit_letters(store, whole, "MKVLAAGW"), submit_letters(store, whole, "MKVL")
    # Six parts of a second: as a whole longer than four residues, and shorter than eight.
    assert [each.search for each in both.lease_better(part, 0.5, PLENTY, 20)] == [short]
    assert both.lease_better(part, 0.5, PLENTY, 20) == []
    assert [each.search for each in both.lease(ALONE)] == [long]


def test_part_waits_for_other_queues_no_longer_than_its_patience(
    store: JobStore, files: JobFiles, whole: SearchTarget, both: PartQueue
) -> None:
    submit_pairs(store, files, PAIRS)
    [part] = both.lease(ALONE)
    submit_letters(store, whole, "MKV")
    assert both.lease_better(part, 0.5, PLENTY, 2.9) == []
    assert len(both.lease_better(part, 0.5, PLENTY, 3.1)) == 1


def test_few_pairs_preempt_a_long_search_and_many_do_not(
    store: JobStore, files: JobFiles, whole: SearchTarget, both: PartQueue
) -> None:
    submit_letters(store, whole, "MKVLA")
    [part] = both.lease(ALONE)
    many, few = submit_pairs(store, files, PAIRS), submit_pairs(store, files, PAIRS[:2])
    assert [each.search for each in both.lease_better(part, 1, PLENTY, 20)] == [few]
    # A part of a second alone is short enough; all six of its job are not.
    assert {each.search for each in both.lease_better(part, 1, PLENTY, 20)} <= {few}
    assert store.outcome(many) is None


def test_job_needs_a_worker_of_any_kind(store: JobStore, files: JobFiles, tmp_path: Path) -> None:
    store.redis.delete(alive_key(DEVICE))
    with pytest.raises(ShardUnavailable, match="no worker answers for pairs"):
        submit_pairs(store, files, PAIRS)
    assert [path for name in ("kept", "incoming") for path in (tmp_path / "jobs" / name).glob("*")] == []


def test_sleeping_worker_of_a_shard_is_called_for_pairs(
    store: JobStore, files: JobFiles, whole: SearchTarget, both: PartQueue
) -> None:
    assert both.may_sleep()
    assert store.redis.smembers(asleep_key(DEVICE)) == {both.worker.encode()}
    submit_pairs(store, files, PAIRS)
    assert len(calls_for(store.redis, whole.queues[0])) == 1
    assert calls_for(store.redis, DEVICE).is_empty()
    both.wake()
    assert not both.may_sleep()
    assert store.redis.smembers(asleep_key(DEVICE)) == store.redis.smembers(asleep_key(whole.queues[0])) == set()


def test_worker_hears_of_parts_in_all_its_queues(store: JobStore, files: JobFiles, both: PartQueue) -> None:
    assert not both.rung()
    submit_pairs(store, files, PAIRS)
    assert both.await_part(5)


def test_dead_workers_parts_go_to_others(
    store: JobStore, files: JobFiles, whole: SearchTarget, both: PartQueue
) -> None:
    job = submit_pairs(store, files, PAIRS[:2])
    [first] = both.lease(ALONE)
    release(store, whole.queues[0], both.worker)
    other = worker_of_all(store, name="other")
    found = [part for _ in range(2) for part in other.lease(ALONE)]
    assert sorted((part.search, part.number) for part in found) == [(job, first.number), (job, 1)]
    assert {part.interrupted for part in found} == {1}


def test_part_that_ends_its_workers_ends_its_job(store: JobStore, files: JobFiles) -> None:
    job = submit_pairs(store, files, PAIRS[:1])
    for number in range(MOST_ATTEMPTS):
        queue = worker_of_all(store, name=str(number))
        assert len(queue.lease(ALONE)) == 1
        release(store, DEVICE, queue.worker)
    error = store.state(job).error
    assert error is not None
    assert (error.detail, error.shard) == (f"a worker died {MOST_ATTEMPTS} times while it ran this alignment", None)


def test_lost_part_is_queued_again(store: JobStore, files: JobFiles) -> None:
    job = submit_pairs(store, files, PAIRS)
    store.redis.zrem(waiting_key(DEVICE), f"{job}-4")
    recover(store)
    assert store.redis.zscore(waiting_key(DEVICE), f"{job}-4") is not None
    # What is leased is not lost.
    [part] = worker_of_all(store).lease(ALONE)
    recover(store)
    assert store.redis.zcard(waiting_key(DEVICE)) == 5
    assert (part.number, store.redis.zcard(leased_key(DEVICE))) == (4, 1)


def registered(store: JobStore, queues: list[str], name: str) -> Registration:
    """A worker of these queues whose heart has beaten."""
    worker = Registration(store.redis, f"{queues[0]}.host.1.{name}", queues, Assignment(queues[0], "", "", 0, 0, "cpu"))
    with store.redis.pipeline() as pipe:
        worker.tell(pipe, "idle", Memory(), SECOND, 1)
        pipe.execute()
    return worker


def test_watchdog_calls_whoever_may_do_waiting_pairs(store: JobStore, files: JobFiles, whole: SearchTarget) -> None:
    registered(store, [whole.queues[0], DEVICE], "a")
    registered(store, [DEVICE], "b")
    submit_pairs(store, files, PAIRS)
    for _ in range(2):
        recover_queue(store, DEVICE)
    assert [len(calls_for(store.redis, queue)) for queue in (whole.queues[0], DEVICE)] == [1, 1]


def test_queue_is_served_until_the_last_worker_steps_back(store: JobStore, whole: SearchTarget) -> None:
    shards, alone = registered(store, [whole.queues[0], DEVICE], "a"), registered(store, [DEVICE], "b")
    shards.step_back()
    assert [store.redis.exists(alive_key(queue)) for queue in (whole.queues[0], DEVICE)] == [0, 1]
    alone.leave()
    shards.leave()
    assert not store.redis.exists(alive_key(DEVICE))
    assert workers(store.redis) == []


def test_estimate_counts_parts_and_workers(store: JobStore, files: JobFiles, whole: SearchTarget) -> None:
    store.redis.delete(costs_key(DEVICE))
    registered(store, [whole.queues[0], DEVICE], "a")
    registered(store, [DEVICE], "b")
    first = submit_pairs(store, files, PAIRS)
    state = store.state(first)
    assert (state.position, state.estimate_s) == (0, pytest.approx(3))
    second = submit_pairs(store, files, PAIRS, PairParameters(mode="global"))
    state = store.state(second)
    assert (state.position, state.estimate_s) == (1, pytest.approx(6))
    queue = worker_of_all(store)
    for _ in range(4):
        do_next(store, files, queue)
    assert store.state(first).shards.done == 4
    # Two of six are left, at the rate of the four.
    ran_for(store, first, 2000)
    assert store.state(first).estimate_s == pytest.approx(1000, rel=0.05)
    # Of the last one a worker has nothing.
    do_next(store, files, queue)
    assert store.state(first).estimate_s == pytest.approx(2 * 2000 / 5, rel=0.05)


def test_position_counts_jobs_and_not_their_parts(store: JobStore, files: JobFiles) -> None:
    many = [("A" * (1 + number % 9), "ACGT") for number in range(150)]
    jobs = [submit_pairs(store, files, many[first:]) for first in (0, 1, 2)]
    assert [store.state(job).position for job in jobs] == [0, 1, 2]
    worker_of_all(store).lease(PLENTY)
    assert [store.state(job).position for job in jobs[1:]] == [1, 2]


def test_homes_are_read_from_workers_names(whole: SearchTarget) -> None:
    for queue in (whole.queues[0], DEVICE, "a.b-c@1-0of12"):
        assert home_of(f"{queue}.host.lab.example.123.abcd") == queue
    with pytest.raises(ValueError, match="no worker"):
        home_of("somebody")
