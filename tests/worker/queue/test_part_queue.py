"""A shard's queue: whose turn it is, what is done in one pass with it, and what a worker that dies leaves."""

from typing import Any

import pytest
from rq.serializers import JSONSerializer

from tests.support.turns import by_residues, set_costs, take_up
from worker.access.callers import Caller
from worker.jobs.costs import Room
from worker.jobs.quotas import Intake
from worker.jobs.redis_names import beside_key, job_id, line_key, search_of, shard_queues
from worker.jobs.requests import SearchRequest
from worker.jobs.states import QueueFull, SearchTarget
from worker.jobs.store import Client
from worker.queue.part_queue import BroughtJob, Line, OrderedQueue, Wanted
from worker.queue.recovery import recover_queue, release

COSTS = by_residues(1)
PLENTY = Room(1e9, COSTS)


@pytest.fixture
def queue(client: Client, target: SearchTarget) -> OrderedQueue:
    return OrderedQueue(shard_queues(target)[0], connection=client.redis, serializer=JSONSerializer)


@pytest.fixture
def line(client: Client, queue: OrderedQueue) -> Line:
    return Line(client, queue.name, 0, f"{queue.name}.host.1.x")


def submit(client: Client, target: SearchTarget, residues: int, owner: str = "", **fields: Any) -> str:
    """Accept a search; each is another, by its title."""
    title = f"{owner} {residues} {client.redis.incr('test:number')}"
    request = SearchRequest(sequence=">q\n" + "M" * residues, database="small", title=title, **fields)
    return client.of(Caller(owner)).submit(request, request.records(), target).id


def called(queue: OrderedQueue) -> BroughtJob:
    """The job that a worker is called for next."""
    found = OrderedQueue.dequeue_any([queue], None, connection=queue.connection, serializer=JSONSerializer)
    assert found is not None
    assert isinstance(found[0], BroughtJob)
    queue.connection.lrem(queue.intermediate_queue_key, 1, found[0].id)
    return found[0]


def call(queue: OrderedQueue) -> str:
    """Its search."""
    return search_of(called(queue).id)


def begun(queue: OrderedQueue, line: Line) -> Wanted:
    """The search of a worker's turn."""
    wanted = take_up(line, called(queue))
    assert wanted is not None
    return wanted


def ids(wanted: list[Wanted]) -> list[str]:
    return [each.id for each in wanted]


def test_equal_searches_go_in_the_order_they_came(client: Client, target: SearchTarget, queue: OrderedQueue) -> None:
    searches = [submit(client, target, 20) for _ in range(5)]
    assert [call(queue) for _ in range(5)] == searches


def test_a_short_search_goes_before_a_long_one_of_the_same_owner(
    client: Client, target: SearchTarget, queue: OrderedQueue
) -> None:
    long = submit(client, target, 1000)
    short = submit(client, target, 20)
    assert [call(queue), call(queue)] == [short, long]


def test_one_owner_with_many_searches_keeps_nobody_waiting(
    client: Client, target: SearchTarget, queue: OrderedQueue
) -> None:
    greedy = [submit(client, target, 20, "greedy") for _ in range(50)]
    modest = [submit(client, target, 20, "modest") for _ in range(3)]
    order = [call(queue) for _ in range(53)]
    # In turn, from the first one on.
    assert [order.index(search) for search in modest] == [1, 3, 5]
    assert [search for search in order if search in greedy] == greedy


def test_late_comers_share_with_who_is_there(
    client: Client, target: SearchTarget, queue: OrderedQueue, line: Line
) -> None:
    greedy = [submit(client, target, 20, "greedy") for _ in range(40)]
    for _ in range(20):
        client.cancel(begun(queue, line).id)
    modest = [submit(client, target, 20, "modest") for _ in range(3)]
    order = [call(queue) for _ in range(23)]
    assert [order.index(search) for search in modest] == [0, 2, 4]
    assert order[1] == greedy[20]


def test_a_long_search_waits_for_no_more_than_its_own_size(
    client: Client, target: SearchTarget, queue: OrderedQueue, line: Line
) -> None:
    long = submit(client, target, 4000, "one")
    served = 0
    while True:
        submit(client, target, 100, "another")
        wanted = begun(queue, line)
        client.cancel(wanted.id)
        if wanted.id == long:
            break
        served += wanted.residues
    assert 3900 <= served <= 4100


def test_an_empty_queue_keeps_no_clock(client: Client, target: SearchTarget, queue: OrderedQueue, line: Line) -> None:
    for residues in (30, 500):
        submit(client, target, residues)
    assert int(client.redis.hget(line_key(target), "waiting") or 0) == 530
    while len(queue):
        client.cancel(begun(queue, line).id)
    assert not client.redis.exists(line_key(target))


def test_searches_of_a_kind_are_taken_up_together(
    client: Client, target: SearchTarget, queue: OrderedQueue, line: Line
) -> None:
    searches = [submit(client, target, residues) for residues in (20, 21, 22)]
    submit(client, target, 23, gap_open=12)
    submit(client, target, 24, statistics="table", order="score")
    too_large = submit(client, target, 200)
    evalue = submit(client, target, 25, evalue=1e-3, max_target_seqs=7)
    first = begun(queue, line)
    beside = line.beside(first, Room(20 + 100, COSTS))
    assert [first.id, *ids(beside)] == [*searches, evalue]
    assert too_large not in ids(beside)
    assert {client.state(each.id).state for each in beside} == {"running"}
    assert len(queue) == 3


def test_what_was_done_beside_leaves_no_job(
    client: Client, target: SearchTarget, queue: OrderedQueue, line: Line
) -> None:
    for _ in range(3):
        submit(client, target, 20)
    first = begun(queue, line)
    beside = line.beside(first, PLENTY)
    line.done(beside)
    left = [key for each in beside for key in client.redis.scan_iter(f"rq:*{job_id(each.id, 0)}*")]
    assert left == []
    assert not client.redis.exists(beside_key(queue.name), queue.intermediate_queue_key, queue.key)


def test_what_could_not_be_done_goes_back(
    client: Client, target: SearchTarget, queue: OrderedQueue, line: Line
) -> None:
    for _ in range(3):
        submit(client, target, 20)
    beside = line.beside(begun(queue, line), PLENTY)
    line.leave()
    assert {call(queue) for _ in range(2)} == set(ids(beside))


def test_short_searches_overtake_while_they_are_shorter_than_the_rest(
    client: Client, target: SearchTarget, queue: OrderedQueue, line: Line
) -> None:
    submit(client, target, 1000)
    first = begun(queue, line)
    short = submit(client, target, 50, gap_open=12)
    assert ids(line.overtaking(first, 900, PLENTY)) == [short]
    late = submit(client, target, 60)
    assert ids(line.overtaking(first, 55, PLENTY)) == []
    assert call(queue) == late


def test_overtaking_ends_when_it_has_cost_as_much_as_the_search(
    client: Client, target: SearchTarget, queue: OrderedQueue, line: Line
) -> None:
    submit(client, target, 1000, "one")
    first = begun(queue, line)
    served = 0
    while True:
        submit(client, target, 50, "another")
        by = line.overtaking(first, 1000, PLENTY)
        if not by:
            break
        served += sum(each.residues for each in by)
    assert 900 <= served <= 1000


@pytest.mark.parametrize("how", ["heartbeat", "supervisor"])
def test_a_worker_that_dies_leaves_all_it_took_to_run_alone(
    client: Client, target: SearchTarget, queue: OrderedQueue, line: Line, how: str
) -> None:
    for _ in range(3):
        submit(client, target, 20)
    beside = line.beside(begun(queue, line), PLENTY)
    recover_queue(client, queue.name)
    assert len(queue) == 0
    if how == "heartbeat":
        client.redis.zadd(beside_key(queue.name), dict.fromkeys(client.redis.zrange(beside_key(queue.name), 0, -1), 1))
        recover_queue(client, queue.name)
    else:
        release(client, queue.name, f"{queue.name}.host.2.")
        assert len(queue) == 0
        release(client, queue.name, f"{queue.name}.host.1.")
    other = submit(client, target, 20)
    for _ in beside:
        again = begun(queue, line)
        assert again.id in ids(beside)
        assert again.interrupted
        assert line.beside(again, PLENTY) == []
    assert call(queue) == other


def test_a_worker_that_lives_keeps_what_it_took(
    client: Client, target: SearchTarget, queue: OrderedQueue, line: Line
) -> None:
    for _ in range(3):
        submit(client, target, 20)
    line.beside(begun(queue, line), PLENTY)
    entries = client.redis.zrange(beside_key(queue.name), 0, -1)
    client.redis.zadd(beside_key(queue.name), dict.fromkeys(entries, 1))
    with client.redis.pipeline() as pipe:
        line.beat(pipe)
        pipe.execute()
    recover_queue(client, queue.name)
    assert len(queue) == 0


def test_a_full_queue_says_when_to_come_back(client: Client, target: SearchTarget) -> None:
    bounded = Client(client.redis, intake=Intake(max_queued_cells=100 * target.size.residues))
    set_costs(client, target, by_residues(0.5), by_residues(0.5))
    # Where nothing stands before it, any search may go.
    first = submit(bounded, target, 150)
    with pytest.raises(QueueFull, match="too much is waiting for database small") as refused:
        submit(bounded, target, 160)
    assert 105 <= refused.value.retry_s <= 106
    others = [submit(bounded, target, 15, "somebody else") for _ in range(5)]
    for search in (first, *others):
        bounded.cancel(search)
    submit(bounded, target, 160)


def test_one_owners_full_queue_leaves_room_for_others(client: Client, target: SearchTarget) -> None:
    bounded = Client(client.redis, intake=Intake(max_queued_cells=100 * target.size.residues))
    set_costs(client, target, by_residues(1), by_residues(1))
    for _ in range(5):
        submit(bounded, target, 20, "greedy")
    with pytest.raises(QueueFull):
        submit(bounded, target, 20, "greedy")
    submit(bounded, target, 20, "modest")


def test_without_a_bound_an_hours_work_may_wait(client: Client, target: SearchTarget) -> None:
    set_costs(client, target, by_residues(100), by_residues(100))
    submit(client, target, 40)
    # Estimates are right within a factor of two: what is surely more than an hour is refused.
    submit(client, target, 31)
    with pytest.raises(QueueFull) as refused:
        submit(client, target, 32)
    assert 3100 <= refused.value.retry_s <= 3101
    submit(client, target, 10)
