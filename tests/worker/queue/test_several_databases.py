"""Searches of two databases: their parts wait in the queues of both, by a rank in each."""

from pathlib import Path

import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from tests.support.turns import by_residues, next_of, set_costs, worker_of
from worker.access.callers import Caller
from worker.jobs.redis_names import SearchKeys, alive_key, order_key, part_id, waiting_key
from worker.jobs.requests import SearchRequest
from worker.jobs.rounds import Round, do_again
from worker.jobs.states import ShardUnavailable
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget, order_of, read_target, search_target, target_json
from worker.kinds.search import plan
from worker.queue.recovery import recover, recover_queue


@pytest.fixture
def other(store: JobStore, tmp_path: Path) -> SearchTarget:
    """A database of two proteins in one shard, whose worker counts as alive."""
    source = tmp_path / "other.fasta"
    source.write_text(">o1\nMKVLAAGW\n>o2\nWWWW\n")
    build_database([source], tmp_path / "others", name="other", shards=1)
    target = search_target(Catalog(tmp_path / "others").current("other").manifest)
    store.redis.set(alive_key(target.queues[0]), "test")
    return target


@pytest.fixture
def both(target: SearchTarget, other: SearchTarget) -> SearchTarget:
    """The database of two shards, then the other one."""
    return SearchTarget((*target.databases, *other.databases))


def submit(store: JobStore, target: SearchTarget, residues: int, owner: str = "") -> str:
    """Accept a search; each is another, by its title."""
    title, names = (
        f"{owner} {residues} {store.redis.incr('test:number')}",
        [each.used.name for each in target.databases],
    )
    request = SearchRequest(sequence=">q\n" + "M" * residues, databases=names, title=title)
    return store.of(Caller(owner)).submit(plan(request, request.records(), target)).id


def test_parts_are_numbered_through_both(store: JobStore, both: SearchTarget) -> None:
    search = submit(store, both, 20)
    workers = [worker_of(store, both, queue) for queue in range(3)]
    parts = [next_of(worker) for worker in workers]
    assert [(part.search, part.number, part.target) for part in parts] == [(search, n, both) for n in range(3)]
    assert [both.whole(part.number).database for part in parts] == [0, 0, 1]
    assert (both.whole(2).first, both.whole(2).shards, both.whole(2).size) == (4, 3, both.size)


def test_ranks_are_by_the_clock_of_each_database(store: JobStore, both: SearchTarget, other: SearchTarget) -> None:
    # Much has been done in one of them, and nothing in the other.
    set_costs(store, both, *[by_residues(1)] * 3)
    worker = worker_of(store, other)
    for _ in range(5):
        store.cancel(submit(store, other, 1000))
    begun = submit(store, other, 1000, "one")
    assert next_of(worker).search == begun
    long, short, longer = submit(store, other, 900, "two"), submit(store, both, 20, "three"), submit(store, other, 950)
    there = worker_of(store, both, 0)
    first = submit(store, SearchTarget(both.databases[:1]), 10, "four")
    assert [next_of(there).search for _ in range(2)] == [first, short]
    assert [next_of(worker).search for _ in range(2)] == [short, long]
    assert next_of(worker).search == longer


def test_part_of_a_dead_worker_keeps_its_rank(store: JobStore, both: SearchTarget, other: SearchTarget) -> None:
    set_costs(store, both, *[by_residues(1)] * 3)
    store.cancel(submit(store, other, 1000))
    kept = submit(store, other, 40, "one")
    queue, search = other.queues[0], submit(store, both, 20)
    rank = store.redis.zscore(waiting_key(queue), part_id(search, 2))
    worker = worker_of(store, other)
    assert next_of(worker).search == search
    worker.lapse()
    recover_queue(store, queue)
    assert store.redis.zscore(waiting_key(queue), part_id(search, 2)) == pytest.approx(rank)
    store.redis.zrem(waiting_key(queue), part_id(search, 2))
    recover(store)
    assert store.redis.zscore(waiting_key(queue), part_id(search, 2)) == pytest.approx(rank)
    assert [next_of(worker).search for _ in range(2)] == [search, kept]


def test_ended_search_leaves_the_clocks_of_both(store: JobStore, both: SearchTarget) -> None:
    search = submit(store, both, 20)
    clocks = {order_key(queue) for queue in both.queues}
    assert [store.redis.hget(clock, "searches") for clock in clocks] == [b"1", b"1"]
    store.cancel(search)
    assert store.redis.exists(*clocks) == 0


@pytest.mark.parametrize("odd", [0, 1, 3])
def test_part_of_another_shard_leaves_the_queue(store: JobStore, both: SearchTarget, odd: int) -> None:
    search, queue = submit(store, both, 20), both.queues[2]
    store.redis.zadd(waiting_key(queue), {part_id(search, odd): 0})
    assert next_of(worker_of(store, both, 2)).number == 2
    assert store.redis.zcard(waiting_key(queue)) == 0


def test_second_round_is_ranked_in_both(store: JobStore, both: SearchTarget) -> None:
    search = submit(store, both, 20)
    for queue in range(3):
        worker_of(store, both, queue).finish([next_of(worker_of(store, both, queue))])
    do_again(store, search, 1, Round.repeated(store, search))
    assert [next_of(worker_of(store, both, queue)).number for queue in range(3)] == [0, 1, 2]


def test_search_waits_for_the_longest_queue_of_both(store: JobStore, both: SearchTarget, other: SearchTarget) -> None:
    set_costs(store, both, by_residues(1), by_residues(1), by_residues(2))
    submit(store, SearchTarget(both.databases[:1]), 30)
    submit(store, other, 10)
    state = store.state(submit(store, both, 50))
    assert (state.position, state.estimate_s) == (1, pytest.approx(2 * (10 + 50)))
    assert [each.name for each in state.databases] == ["small", "other"]
    assert state.shards.total == 3


def test_database_without_a_worker_is_told(store: JobStore, both: SearchTarget) -> None:
    store.redis.delete(alive_key(both.queues[2]))
    with pytest.raises(ShardUnavailable, match="no worker answers for shard 0 of database other") as caught:
        submit(store, both, 20)
    assert caught.value.queue == both.queues[2]


def test_equal_requests_are_one_search_whatever_field_names_one_database(store: JobStore, other: SearchTarget) -> None:
    one, many = (SearchRequest(sequence="MKVL", **named) for named in ({"database": "other"}, {"databases": ["other"]}))
    found = {store.submit(plan(each, each.records(), other)).id for each in (one, many)}
    assert len(found) == 1


def test_cells_of_both_are_charged(both: SearchTarget, target: SearchTarget, other: SearchTarget) -> None:
    asked = SearchRequest(sequence="MKVL", databases=["small", "other"], statistics="none")
    cells = [plan(asked, asked.records(), each).cells for each in (both, target, other)]
    assert cells[0] == cells[1] + cells[2] == 4 * (59 + 12)


def test_target_of_one_database_is_written_as_earlier_versions_wrote_it(
    target: SearchTarget, both: SearchTarget
) -> None:
    assert read_target(target_json(target)) == target
    assert read_target(target_json(both)) == both
    assert target_json(target).startswith(b'{"used":{"name":"small",')


def test_queues_of_a_database_have_one_clock(both: SearchTarget) -> None:
    clocks = [order_of(queue) for queue in both.queues]
    assert clocks[0] == clocks[1] != clocks[2]
    version = both.databases[0].used.version
    assert clocks[0] == f"small@{version}/2"


def test_what_a_damaged_search_says_of_its_rank_harms_no_other(store: JobStore, both: SearchTarget) -> None:
    damaged, sound = submit(store, both, 20), submit(store, both, 20)
    store.redis.hset(SearchKeys(damaged).meta, f"first {order_key(both.queues[2])}", "x")
    assert next_of(worker_of(store, both, 2)).search == sound
