"""What a dead worker leaves: its parts are queued again, a few times, and lost ones are found."""

from collections.abc import Callable

import pytest
from rq import Queue
from rq.executions import Execution
from rq.job import Job
from rq.serializers import JSONSerializer

from tests.support.turns import ALONE, next_of, submit_letters, worker_of
from worker.jobs.redis_names import LIVE, SearchKeys, asleep_key, leased_key, part_id, waiting_key
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.queue.part_queue import PartQueue
from worker.queue.recovery import MOST_ATTEMPTS, forget_workers, recover, refuse, release
from worker.queue.wake_up import call_worker, calls_for


def waiting(queue: PartQueue) -> list[str]:
    return [part.decode() for part in queue.store.redis.zrange(waiting_key(queue.name), 0, -1)]


def die_at_work(queue: PartQueue) -> None:
    """Lease a part as a worker does, and not be heard of again."""
    next_of(queue)
    queue.lapse()


def test_part_of_a_worker_without_heartbeat_is_queued_again(store: JobStore, target: SearchTarget) -> None:
    search = submit_letters(store, target)
    queue = worker_of(store, target, 1)
    die_at_work(queue)
    assert waiting(queue) == []
    recover(store)
    assert waiting(queue) == [part_id(search, 1)]
    assert store.redis.zcard(leased_key(queue.name)) == 0


def test_part_with_a_heartbeat_is_left_alone(store: JobStore, target: SearchTarget) -> None:
    submit_letters(store, target)
    queue = worker_of(store, target)
    next_of(queue)
    recover(store)
    assert waiting(queue) == []


def test_supervisor_gives_up_a_dead_workers_part_at_once(store: JobStore, target: SearchTarget) -> None:
    search = submit_letters(store, target)
    queue = worker_of(store, target)
    next_of(queue)
    release(store, queue.name, "another")
    assert waiting(queue) == []
    release(store, queue.name, queue.worker)
    assert waiting(queue) == [part_id(search, 0)]


def test_part_that_kills_every_worker_is_given_up_and_others_go_on(store: JobStore, target: SearchTarget) -> None:
    poison = submit_letters(store, target)
    queue = worker_of(store, target)
    for _ in range(MOST_ATTEMPTS):
        assert store.state(poison).state in ("queued", "running")
        die_at_work(queue)
        recover(store)
    state = store.state(poison)
    assert state.state == "failed"
    assert state.error is not None
    assert state.error.detail == "the worker of shard 0 of database small died 6 times while it ran this search"
    assert waiting(queue) == []
    other = submit_letters(store, target)
    assert other != poison
    assert next_of(queue).search == other


def test_deaths_in_company_do_not_count(store: JobStore, target: SearchTarget) -> None:
    first, second = submit_letters(store, target), submit_letters(store, target, "MKVLAAGWW")
    queue = worker_of(store, target)
    for _ in range(2 * MOST_ATTEMPTS):
        # Two in one pass, as one preempts another.
        queue.lease(ALONE)
        queue.lease(ALONE)
        queue.lapse()
        recover(store)
    assert [store.state(search).state for search in (first, second)] == ["running"] * 2
    assert sorted(waiting(queue)) == sorted([part_id(first, 0), part_id(second, 0)])


def test_what_was_stored_before_the_death_is_not_done_again(store: JobStore, target: SearchTarget) -> None:
    search = submit_letters(store, target)
    queue = worker_of(store, target)
    next_of(queue)
    store.redis.hset(SearchKeys(search).shards, "0", b"")
    queue.lapse()
    recover(store)
    assert waiting(queue) == []
    assert not store.redis.hexists(SearchKeys(search).meta, "interrupted")


def test_part_that_redis_lost_is_queued_again(store: JobStore, target: SearchTarget) -> None:
    search = submit_letters(store, target)
    queue = worker_of(store, target, 1)
    store.redis.delete(waiting_key(queue.name))
    recover(store)
    assert waiting(queue) == [part_id(search, 1)]
    assert store.state(search).state == "queued"


def test_part_of_an_old_search_shortens_nobodys_wait(store: JobStore, target: SearchTarget) -> None:
    old, young = submit_letters(store, target), submit_letters(store, target, "MKVLAAGWW")
    queue = worker_of(store, target)
    store.redis.expire(SearchKeys(old).meta, 100)
    assert next_of(queue).search == old
    queue.lapse()
    recover(store)
    assert waiting(queue) == [part_id(old, 0), part_id(young, 0)]
    assert store.redis.ttl(waiting_key(queue.name)) > 100


def test_search_that_the_version_before_has_ranked_otherwise_goes_first(store: JobStore, target: SearchTarget) -> None:
    old, young = submit_letters(store, target), submit_letters(store, target, "MKVLAAGWW")
    queue = worker_of(store, target)
    store.redis.hdel(SearchKeys(old).meta, "size")
    store.redis.hset(SearchKeys(old).meta, "rank", 40000)
    store.redis.zadd(waiting_key(queue.name), {part_id(old, 0): 40000})
    recover(store)
    assert waiting(queue) == [part_id(old, 0), part_id(young, 0)]


def test_search_that_is_deleted_while_it_is_looked_after_leaves_nothing(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = submit_letters(store, target)
    read = store.target

    def read_and_delete(search: str) -> SearchTarget:
        found = read(search)
        store.delete(search)
        return found

    monkeypatch.setattr(store, "target", read_and_delete)
    recover(store)
    assert not store.redis.exists(SearchKeys(search).meta)


def damage_target(store: JobStore, search: str) -> None:
    store.redis.hset(SearchKeys(search).meta, "target", "{")


def damage_meta(store: JobStore, search: str) -> None:
    store.redis.set(SearchKeys(search).meta, "no hash")


def damage_parts(store: JobStore, search: str) -> None:
    store.redis.hset(SearchKeys(search).shards, "no shard", "")


def damage_shards(store: JobStore, search: str) -> None:
    store.redis.set(SearchKeys(search).shards, "no hash")


@pytest.mark.parametrize("damage", [damage_target, damage_meta, damage_parts, damage_shards])
def test_search_that_cannot_be_read_keeps_no_other_from_being_looked_after(
    store: JobStore, target: SearchTarget, damage: Callable[[JobStore, str], None]
) -> None:
    damaged, sound = submit_letters(store, target), submit_letters(store, target, "MKVLAAGWW")
    queue = worker_of(store, target)
    damage(store, damaged)
    store.redis.zrem(waiting_key(queue.name), part_id(sound, 0))
    assert store.live_targets() == set(target.databases)
    recover(store)
    assert part_id(sound, 0) in waiting(queue)
    assert store.redis.smembers(LIVE) == {sound.encode()}


def test_search_of_the_version_before_is_queued(store: JobStore, target: SearchTarget) -> None:
    search = submit_letters(store, target)
    # It had other lists, and no rank where it was older still.
    store.redis.delete(*(waiting_key(worker_of(store, target, shard).name) for shard in range(2)))
    store.redis.hdel(SearchKeys(search).meta, "rank", "line", "work")
    recover(store)
    for shard in range(2):
        assert next_of(worker_of(store, target, shard)).search == search


def test_lists_of_the_version_before_are_removed(store: JobStore, target: SearchTarget) -> None:
    [name, other] = target.queues
    jobs = Queue(name, connection=store.redis, serializer=JSONSerializer)
    at_work = jobs.enqueue_call("worker.tasks.search_shard", args=("abc", 0), job_id="abc-0")
    with store.redis.pipeline() as pipe:
        Execution.create(at_work, 0, pipe, worker_name="dead")
        pipe.execute()
    jobs.remove(at_work)
    jobs.enqueue_call("worker.tasks.search_shard", args=("abd", 0), job_id="abd-0")
    store.redis.lpush(jobs.intermediate_queue_key, "abe-0")
    served = Queue(other, connection=store.redis, serializer=JSONSerializer)
    waiting = served.enqueue_call("worker.tasks.search_shard", args=("abf", 1), job_id="abf-1")
    store.redis.sadd(f"rq:workers:{other}", "rq:worker:lives")
    store.redis.hset("rq:worker:lives", "state", "busy")
    forget_workers(store)
    left = {key for key in store.redis.scan_iter("rq:*") if not key.startswith(b"rq:execution")}
    kept = (
        b"rq:queues",
        served.key.encode(),
        Job.key_for(waiting.id).encode(),
        f"rq:workers:{other}".encode(),
        b"rq:worker:lives",
    )
    assert left == set(kept)


def test_search_fails_when_its_shard_could_not_be_loaded_six_times(store: JobStore, target: SearchTarget) -> None:
    search = submit_letters(store, target)
    queue = worker_of(store, target, 1)
    for _ in range(MOST_ATTEMPTS - 1):
        refuse(store, queue.name)
        assert store.state(search).state == "queued"
    refuse(store, queue.name)
    error = store.state(search).error
    assert error is not None
    assert (error.type, error.shard) == ("shard-failed", 1)
    assert error.detail == "shard 1 of database small is damaged or missing; its worker's log says where"


@pytest.mark.parametrize("called", [False, True])
def test_queue_without_worker_and_call_is_forgotten(store: JobStore, called: bool) -> None:
    calls = calls_for(store.redis, "gone@1-0of1")
    call_worker(store.redis, "gone@1-0of1")
    store.redis.sadd(asleep_key("gone@1-0of1"), "gone@1-0of1.host.1.x")
    if not called:
        calls.empty()
    forget_workers(store)
    assert bool(store.redis.sismember("rq:queues", calls.key)) == called
    assert len(calls) == called
    assert bool(store.redis.exists(asleep_key("gone@1-0of1"))) == called
