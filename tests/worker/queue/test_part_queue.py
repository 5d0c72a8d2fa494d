"""A queue of parts: whose turn it is, what is done in one pass with it, and what a worker that dies leaves."""

import threading
from dataclasses import fields
from typing import Any

import pytest

from tests.support.turns import FREE, by_residues, next_of, set_costs, worker_of
from worker.access.callers import Caller
from worker.jobs.costs import Costs, Room, Work
from worker.jobs.quotas import Intake
from worker.jobs.redis_names import LIVE, SearchKeys, asleep_key, leased_key, order_key, part_id, waiting_key
from worker.jobs.requests import SearchRequest
from worker.jobs.states import QueueFull
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds.search import plan
from worker.queue.part_queue import LeasedPart, PartQueue
from worker.queue.recovery import recover_queue, release
from worker.queue.wake_up import calls_for

COSTS = by_residues(1)
PLENTY = Room(1e9, COSTS)


@pytest.fixture
def queue(store: JobStore, target: SearchTarget) -> PartQueue:
    return worker_of(store, target)


def submit(store: JobStore, target: SearchTarget, residues: int, owner: str = "", **fields: Any) -> str:
    """Accept a search; each is another, by its title."""
    title = f"{owner} {residues} {store.redis.incr('test:number')}"
    request = SearchRequest(sequence=">q\n" + "M" * residues, database="small", title=title, **fields)
    return store.of(Caller(owner)).submit(plan(request, request.records(), target)).id


def searches(parts: list[LeasedPart]) -> list[str]:
    return [part.search for part in parts]


def order(queue: PartQueue, count: int) -> list[str]:
    """The next searches, one after another."""
    return [next_of(queue).search for _ in range(count)]


def waiting(queue: PartQueue) -> int:
    return int(queue.store.redis.zcard(waiting_key(queue.name)))


def test_equal_searches_go_in_the_order_they_came(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    accepted = [submit(store, target, 20) for _ in range(5)]
    assert order(queue, 5) == accepted
    assert queue.lease(PLENTY) == []


def test_a_part_says_what_its_search_asks_for(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    search = submit(store, target, 20, gap_open=12)
    part = next_of(queue)
    assert (part.search, part.residues, part.request, part.target) == (search, 20, *store.request(search))
    assert store.state(search).state == "running"


def test_a_short_search_goes_before_a_long_one_of_the_same_owner(
    store: JobStore, target: SearchTarget, queue: PartQueue
) -> None:
    long = submit(store, target, 1000)
    short = submit(store, target, 20)
    assert order(queue, 2) == [short, long]


def test_size_is_the_time_on_the_slowest_shard(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    # On one shard each query takes ten seconds, on the other each residue one.
    set_costs(store, target, Costs(FREE, 10, FREE, FREE, FREE, FREE), by_residues(1))
    request = SearchRequest(sequence=">a\nMKVL\n>b\nMKVL\n>c\nMKVL", database="small")
    many = store.of(Caller("many")).submit(plan(request, request.records(), target)).id
    long, short = submit(store, target, 31, "long"), submit(store, target, 29, "short")
    assert order(queue, 3) == [short, many, long]


def test_one_owner_with_many_searches_keeps_nobody_waiting(
    store: JobStore, target: SearchTarget, queue: PartQueue
) -> None:
    greedy = [submit(store, target, 20, "greedy") for _ in range(50)]
    modest = [submit(store, target, 20, "modest") for _ in range(3)]
    done = order(queue, 53)
    # In turn, from the first one on.
    assert [done.index(search) for search in modest] == [1, 3, 5]
    assert [search for search in done if search in greedy] == greedy


def test_late_comers_share_with_who_is_there(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    greedy = [submit(store, target, 20, "greedy") for _ in range(40)]
    for search in order(queue, 20):
        store.cancel(search)
    modest = [submit(store, target, 20, "modest") for _ in range(3)]
    done = order(queue, 23)
    assert [done.index(search) for search in modest] == [0, 2, 4]
    assert done[1] == greedy[20]


def test_a_long_search_waits_for_no_more_than_its_own_size(
    store: JobStore, target: SearchTarget, queue: PartQueue
) -> None:
    long = submit(store, target, 4000, "one")
    served = 0
    while True:
        submit(store, target, 100, "another")
        part = next_of(queue)
        store.cancel(part.search)
        if part.search == long:
            break
        served += part.residues
    assert 3900 <= served <= 4100


def test_an_empty_queue_keeps_no_clock(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    for residues in (30, 500):
        submit(store, target, residues)
    assert int(store.redis.hget(order_key(target.queues[0]), "searches") or 0) == 2
    for search in order(queue, 2):
        store.cancel(search)
    assert not store.redis.exists(order_key(target.queues[0]))


def test_searches_of_a_kind_are_leased_together(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    alike = [submit(store, target, residues) for residues in (20, 21, 22)]
    submit(store, target, 23, gap_open=12)
    submit(store, target, 24, statistics="table", order="score")
    too_large = submit(store, target, 200)
    evalue = submit(store, target, 25, evalue=1e-3, max_target_seqs=7)
    batch = searches(queue.lease(Room(20 + 100, COSTS)))
    assert batch == [*alike, evalue]
    assert too_large not in batch
    assert {store.state(search).state for search in batch} == {"running"}
    assert waiting(queue) == 3


def test_what_is_done_leaves_nothing(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    for _ in range(3):
        submit(store, target, 20)
    queue.finish(queue.lease(PLENTY))
    assert queue.leases == {}
    assert not store.redis.exists(leased_key(queue.name), waiting_key(queue.name))


def test_what_has_ended_or_was_answered_leaves_the_queue(
    store: JobStore, target: SearchTarget, queue: PartQueue
) -> None:
    cancelled, answered, deleted, last = (submit(store, target, 20) for _ in range(4))
    store.cancel(cancelled)
    store.delete(deleted)
    store.redis.hset(SearchKeys(answered).shards, "0", b"")
    assert searches(queue.lease(PLENTY)) == [last]
    assert waiting(queue) == 0


@pytest.mark.parametrize("odd", ["", "-", "x", "a-0 b", "../a-0", "abc-1", "abc-0"])
def test_what_is_no_part_of_this_queue_leaves_it(
    store: JobStore, target: SearchTarget, queue: PartQueue, odd: str
) -> None:
    store.redis.zadd(waiting_key(queue.name), {odd: 0})
    search = submit(store, target, 20)
    assert searches(queue.lease(PLENTY)) == [search]
    assert waiting(queue) == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("request", "{}"),
        ("request", "no JSON"),
        ("target", '{"used": 1}'),
        ("rank", "nan!"),
        ("work", "{"),
        ("work", "["),
        pytest.param("work", str([1] * (1 + len(fields(Work)))), id="work-of-more"),
        ("created", "never"),
        ("residues", "few"),
        ("target", None),
        ("created", None),
        ("residues", None),
    ],
)
def test_a_search_that_cannot_be_read_fails(
    store: JobStore, target: SearchTarget, queue: PartQueue, field: str, value: str | None
) -> None:
    faulty, sound = submit(store, target, 20), submit(store, target, 20)
    store.redis.hset(SearchKeys(faulty).meta, field, value or "")
    if value is None:
        store.redis.hdel(SearchKeys(faulty).meta, field)
    found = [*queue.lease(PLENTY), *queue.lease(PLENTY)]
    assert searches(found) == [sound]
    assert store.redis.hget(SearchKeys(faulty).meta, "outcome") == b"failed"
    assert len(queue.leases) == 1


@pytest.mark.parametrize("kind", ["progress", "shards", "meta"])
def test_a_search_whose_keys_are_something_else_leaves_the_queue(
    store: JobStore, target: SearchTarget, queue: PartQueue, kind: str
) -> None:
    faulty, sound = submit(store, target, 20), submit(store, target, 20)
    key = getattr(SearchKeys(faulty), kind)
    store.redis.delete(key)
    store.redis.set(key, "no hash")
    # Who looks ahead stumbles over it no more than who leases.
    assert store.state(sound).position == (0 if kind == "meta" else 1)
    assert searches(queue.lease(PLENTY)) == [sound]
    submit(store, target, 20)
    assert waiting(queue) == 1


def test_a_search_does_not_say_which_clock_its_queue_has(
    store: JobStore, target: SearchTarget, queue: PartQueue
) -> None:
    search = submit(store, target, 20)
    store.redis.hset(SearchKeys(search).meta, "line", LIVE)
    assert searches(queue.lease(PLENTY)) == [search]


def test_short_searches_go_first_while_they_are_shorter_than_the_rest(
    store: JobStore, target: SearchTarget, queue: PartQueue
) -> None:
    submit(store, target, 1000)
    first = next_of(queue)
    short = submit(store, target, 50, gap_open=12)
    assert searches(queue.lease_better(first, 0.9, PLENTY, 0)) == [short]
    late = submit(store, target, 60)
    assert queue.lease_better(first, 0.055, PLENTY, 0) == []
    assert order(queue, 1) == [late]


def test_short_searches_go_first_where_one_takes_longer_than_was_expected(
    store: JobStore, target: SearchTarget, queue: PartQueue
) -> None:
    submit(store, target, 1000)
    first = next_of(queue)
    short = submit(store, target, 50)
    # All but done, it seems.
    assert queue.lease_better(first, 0.001, PLENTY, 0, 40) == []
    assert searches(queue.lease_better(first, 0.001, PLENTY, 0, 60)) == [short]
    # So many seconds later others have had as many, and it is their turn for as many more.
    served = 0
    while True:
        submit(store, target, 50, "another")
        better = queue.lease_better(first, 0.001, PLENTY, 0, 5000)
        if not better:
            break
        served += sum(part.residues for part in better)
    assert 4900 <= served <= 10_000


def test_preemption_ends_when_it_has_cost_as_much_as_the_search(
    store: JobStore, target: SearchTarget, queue: PartQueue
) -> None:
    submit(store, target, 1000, "one")
    first = next_of(queue)
    served = 0
    while True:
        submit(store, target, 50, "another")
        better = queue.lease_better(first, 1, PLENTY, 0)
        if not better:
            break
        served += sum(part.residues for part in better)
    assert 900 <= served <= 1000


@pytest.mark.parametrize("how", ["heartbeat", "supervisor"])
def test_a_worker_that_dies_leaves_all_it_had_to_run_alone(
    store: JobStore, target: SearchTarget, queue: PartQueue, how: str
) -> None:
    for _ in range(3):
        submit(store, target, 20)
    batch = searches(queue.lease(PLENTY))
    recover_queue(store, queue.name)
    assert waiting(queue) == 0
    if how == "heartbeat":
        queue.lapse()
        recover_queue(store, queue.name)
    else:
        release(store, queue.name, f"{queue.name}.host.2.")
        assert waiting(queue) == 0
        release(store, queue.name, f"{queue.name}.host.1.")
    other = submit(store, target, 20)
    for search in batch:
        [again] = queue.lease(PLENTY)
        assert (again.search, again.interrupted) == (search, 1)
    assert order(queue, 1) == [other]


def test_what_a_worker_died_of_once_may_be_preempted_and_of_what_it_died_twice_not(
    store: JobStore, target: SearchTarget, queue: PartQueue
) -> None:
    long = submit(store, target, 2000)
    for deaths in (0, 1, 2):
        part = next_of(queue)
        assert (part.search, part.interrupted) == (long, deaths)
        short = submit(store, target, 20)
        better = queue.lease_better(part, 1, PLENTY, 0)
        assert searches(better) == ([short] if deaths < 2 else [])
        if better:
            queue.finish(better)
        queue.lapse()
        recover_queue(store, queue.name)


def test_a_worker_that_lives_keeps_what_it_has(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    for _ in range(3):
        submit(store, target, 20)
    queue.lease(PLENTY)
    store.redis.zadd(leased_key(queue.name), dict.fromkeys(queue.leases, 1))
    with store.redis.pipeline() as pipe:
        queue.renew(pipe)
        pipe.execute()
    recover_queue(store, queue.name)
    assert waiting(queue) == 0


def test_a_lease_that_was_lost_is_not_renewed(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    search = submit(store, target, 20)
    queue.lease(PLENTY)
    release(store, queue.name, queue.worker)
    with store.redis.pipeline() as pipe:
        queue.renew(pipe)
        pipe.execute()
    assert store.redis.zrange(leased_key(queue.name), 0, -1) == []
    assert store.redis.zrange(waiting_key(queue.name), 0, -1) == [part_id(search, 0).encode()]


def test_a_worker_that_waits_hears_of_a_part(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    assert queue.lease(PLENTY) == []
    # Also where it comes before the worker listens.
    submit(store, target, 20)
    assert queue.await_part(60)
    next_of(queue)
    assert queue.lease(PLENTY) == []
    heard: list[bool] = []
    listening = threading.Thread(target=lambda: heard.append(queue.await_part(60)))
    listening.start()
    submit(store, target, 20)
    listening.join()
    assert heard == [True]
    next_of(queue)
    assert queue.lease(PLENTY) == []
    assert queue.await_part(0) is False


def test_only_a_worker_that_sleeps_is_called(store: JobStore, target: SearchTarget, queue: PartQueue) -> None:
    calls = calls_for(store.redis, queue.name)
    submit(store, target, 20)
    assert calls.is_empty()
    assert not queue.may_sleep()
    next_of(queue)
    assert queue.may_sleep()
    submit(store, target, 20)
    submit(store, target, 20)
    assert len(calls) == 1
    assert store.redis.smembers(asleep_key(queue.name)) == set()
    # Where a call was lost, the watchdog calls.
    calls.empty()
    recover_queue(store, queue.name)
    recover_queue(store, queue.name)
    assert len(calls) == 1


def test_a_full_queue_says_when_to_come_back(store: JobStore, target: SearchTarget) -> None:
    bounded = JobStore(store.redis, intake=Intake(max_queued_cells=100 * target.size.residues))
    set_costs(store, target, by_residues(0.5), by_residues(0.5))
    # Where nothing stands before it, any search may go.
    first = submit(bounded, target, 150)
    with pytest.raises(QueueFull, match="the queue of database small is full") as refused:
        submit(bounded, target, 160)
    assert 105 <= refused.value.retry_s <= 106
    others = [submit(bounded, target, 15, "somebody else") for _ in range(5)]
    for search in (first, *others):
        bounded.cancel(search)
    submit(bounded, target, 160)


def test_one_owners_full_queue_leaves_room_for_others(store: JobStore, target: SearchTarget) -> None:
    bounded = JobStore(store.redis, intake=Intake(max_queued_cells=100 * target.size.residues))
    set_costs(store, target, by_residues(1), by_residues(1))
    for _ in range(5):
        submit(bounded, target, 20, "greedy")
    with pytest.raises(QueueFull):
        submit(bounded, target, 20, "greedy")
    submit(bounded, target, 20, "modest")


def test_without_a_bound_an_hours_work_may_wait(store: JobStore, target: SearchTarget) -> None:
    set_costs(store, target, by_residues(100), by_residues(100))
    submit(store, target, 40)
    # Estimates are right within a factor of two: what is surely more than an hour is refused.
    submit(store, target, 31)
    with pytest.raises(QueueFull) as refused:
        submit(store, target, 32)
    assert 3100 <= refused.value.retry_s <= 3101
    # It goes before them.
    submit(store, target, 1)
