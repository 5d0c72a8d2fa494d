"""What stands before a search, and how long it and they will take."""

from dataclasses import replace

import pytest

from tests.support.turns import begin, by_residues, next_of, ran_for, set_costs, worker_of
from worker.access.callers import Caller
from worker.jobs.costs import Costs
from worker.jobs.estimates import ENOUGH, SOON, rest_s
from worker.jobs.progress import ShardProgress
from worker.jobs.redis_names import SearchKeys, costs_key
from worker.jobs.requests import SearchRequest
from worker.jobs.states import ShardUnavailable
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.jobs.worker_registry import worker_key
from worker.kinds.search import plan


def request(residues: int, title: str = "") -> SearchRequest:
    return SearchRequest(sequence=">q\n" + "M" * residues, database="small", title=title)


def submit(store: JobStore, target: SearchTarget, residues: int, title: str = "") -> str:
    asked = request(residues, title)
    return store.submit(plan(asked, asked.records(), target)).id


def test_an_estimate_is_there_before_any_worker_is(store: JobStore, target: SearchTarget) -> None:
    search = submit(store, target, 10)
    estimate = store.state(search).estimate_s
    assert estimate is not None
    assert 0 < estimate < 1


def test_those_before_count_and_the_slowest_shard_decides(store: JobStore, target: SearchTarget) -> None:
    set_costs(store, target, by_residues(1), by_residues(3))
    first, second, third = (submit(store, target, residues) for residues in (20, 30, 25))
    assert [store.state(search).position for search in (first, second, third)] == [0, 1, 2]
    estimates = [store.state(search).estimate_s for search in (first, second, third)]
    assert estimates == pytest.approx([3 * 20, 3 * (20 + 30), 3 * (20 + 30 + 25)])
    store.cancel(second)
    assert store.state(third).position == 1
    assert store.state(third).estimate_s == pytest.approx(3 * (20 + 25))
    assert store.state(second).estimate_s is None


def test_all_that_a_search_costs_counts(store: JobStore, target: SearchTarget) -> None:
    set_costs(store, target, *[Costs(1000, 100, 10, 1, 0.1, 0.01)] * 2)
    # Two queries, 8 residues; a shard of two subjects has two rows for each query, and aligns one of them, or both
    # where the adjustment looks at them.
    for composition, aligned in (("none", 1), ("adjusted", 2)):
        asked = SearchRequest(
            sequence=">a\nMKV\n>b\nMKVLA", database="small", max_target_seqs=2, alignments=1, composition=composition
        )
        outlook = store.estimate(plan(asked, asked.records(), target)).outlook
        expected = 1000 + 2 * 100 + 8 * 10 + aligned * (2 * 1 + 8 * 0.1) + 4 * 0.01
        assert outlook.seconds == pytest.approx(expected), composition


def test_a_short_search_is_told_of_those_that_it_goes_before(store: JobStore, target: SearchTarget) -> None:
    set_costs(store, target, by_residues(0.01), by_residues(0.01))
    long, short = submit(store, target, 300), submit(store, target, 10)
    assert [store.state(search).position for search in (long, short)] == [1, 0]
    assert store.state(short).estimate_s == pytest.approx(0.1)
    assert store.state(long).estimate_s == pytest.approx(3.1)
    begin(store, target, long)
    # It is done in the middle of the long one, as is whatever is shorter than that.
    assert (store.state(short).position, store.state(short).estimate_s) == (0, pytest.approx(0.1))
    longer = submit(store, target, 30)
    assert (store.state(longer).position, store.state(longer).estimate_s) == (1, pytest.approx(0.4))
    longest = submit(store, target, 350, "another")
    assert (store.state(longest).position, store.state(longest).estimate_s) == (3, pytest.approx(6.9))


def test_what_workers_have_died_of_again_is_waited_for(store: JobStore, target: SearchTarget) -> None:
    set_costs(store, target, by_residues(1), by_residues(1))
    long = submit(store, target, 300, "one")
    begin(store, target, long)
    short = submit(store, target, 20, "another")
    for deaths, left in ((1, 20), (2, 320)):
        store.redis.hset(SearchKeys(long).meta, "interrupted", deaths)
        assert store.state(short).estimate_s == pytest.approx(left)


def test_search_at_work_counts_with_what_it_has_left(store: JobStore, target: SearchTarget) -> None:
    set_costs(store, target, by_residues(1), by_residues(1))
    running, waiting = submit(store, target, 20), submit(store, target, 30)
    begin(store, target, running)
    assert store.state(running).estimate_s == pytest.approx(20)
    store.report(running, 0, ShardProgress(0.9, "aligning", 2.0))
    store.report(running, 1, ShardProgress(0.5, "scoring", 11.0))
    assert (store.state(running).position, store.state(running).estimate_s) == (0, 11.0)
    assert (store.state(waiting).position, store.state(waiting).estimate_s) == (1, pytest.approx(11 + 30))
    asked = request(40)
    estimate = store.estimate(plan(asked, asked.records(), target))
    assert (estimate.reused, estimate.outlook.position) == (False, 2)
    assert estimate.outlook.seconds == pytest.approx(40)
    assert estimate.outlook.queue_seconds == pytest.approx(11 + 30)


@pytest.mark.parametrize(
    ("expected", "share", "ran", "rest"),
    [
        # Thirty seconds, of which the model expected one.
        (1, 0.0, 0.001, 1),
        (0.99, 0.015, 0.45, 0.99 + 0.015 / SOON * (29.55 - 0.99)),
        (0.95, SOON, 1.5, 28.5),
        (0.5, 0.5, 15, 15),
        (0.023, 0.977, 29.31, 0.69),
        # Half a minute, and next to nothing is done.
        (1, 0.002, 30, 30),
        # One that stood still for a while at its begin.
        (337, 0.01, 33.4, 337 + 0.01 / SOON * (3306.6 - 337)),
        # One second, of which the model expected a hundred.
        (98.5, 0.015, 0.015, 98.5 - 0.015 / ENOUGH * (98.5 - 0.985)),
        (90, 0.1, 0.1, 90 - 0.1 / ENOUGH * (90 - 0.9)),
        (80, ENOUGH, 0.2, 0.8),
        (2.3, 0.977, 0.977, 0.023),
        # Nobody has said when it began.
        (7, 0.5, None, 7),
        (0, 1.0, 10, 0),
    ],
)
def test_what_was_seen_of_a_job_tells_its_rest(expected: float, share: float, ran: float | None, rest: float) -> None:
    assert rest_s(expected, share, ran) == pytest.approx(rest)


def test_time_that_a_job_has_run_for_tells_its_rest_and_how_long_others_wait(
    store: JobStore, target: SearchTarget
) -> None:
    set_costs(store, target, by_residues(1), by_residues(1))
    slow, waiting = submit(store, target, 20), submit(store, target, 30)
    workers = [worker_of(store, target, shard) for shard in (0, 1)]
    for shard, worker in enumerate(workers):
        next_of(worker)
        ran_for(store, slow, 3000, shard)
    # Each shard by its own share: the second one has done a quarter.
    store.report(slow, 0, ShardProgress(0.75, "scoring", 5.0))
    store.report(slow, 1, ShardProgress(0.25, "scoring", 15.0))
    assert store.state(slow).estimate_s == pytest.approx(9000, rel=0.01)
    assert store.state(waiting).estimate_s == pytest.approx(9000 + 30, rel=0.01)
    # Some of the time a lost worker has had.
    store.redis.hset(SearchKeys(slow).meta, "interrupted", 1)
    assert store.state(slow).estimate_s == pytest.approx(15)
    assert store.state(waiting).estimate_s == pytest.approx(15 + 30)


def test_what_a_search_has_run_for_stands_still_while_better_ones_go_before_it(
    store: JobStore, target: SearchTarget
) -> None:
    set_costs(store, target, by_residues(1), by_residues(1))
    long, worker = submit(store, target, 20), worker_of(store, target)
    part, began = next_of(worker), "began:1:0"
    ran_for(store, long, 30)
    store.report(long, 0, ShardProgress(0.5, "scoring", 10.0))
    before = float(store.redis.hget(SearchKeys(long).meta, began) or 0)
    with worker.aside(part):
        first, second = (store.state(long).estimate_s for _ in range(2))
        assert first == second == pytest.approx(30, rel=0.05)
    # It goes on as if it had been begun so much later.
    assert float(store.redis.hget(SearchKeys(long).meta, began) or 0) > before


def test_searches_of_one_pass_end_together(store: JobStore, target: SearchTarget) -> None:
    set_costs(store, target, by_residues(1), by_residues(1))
    batch, waiting = [submit(store, target, 20, str(number)) for number in range(3)], submit(store, target, 30)
    for search in batch:
        begin(store, target, search)
        for shard in (0, 1):
            store.report(search, shard, ShardProgress(0.5, "scoring", 30.0))
    assert (store.state(waiting).position, store.state(waiting).estimate_s) == (3, pytest.approx(30 + 30))


def test_two_workers_of_a_shard_halve_the_wait(store: JobStore, target: SearchTarget) -> None:
    set_costs(store, target, by_residues(1), by_residues(1))
    _, second = submit(store, target, 20), submit(store, target, 30)
    assert store.state(second).estimate_s == pytest.approx(20 + 30)
    for queue in target.queues:
        for worker, costs in (("a", by_residues(1)), ("b", by_residues(4)), ("dead", by_residues(999))):
            store.redis.hset(costs_key(queue), worker, costs.to_json())
        store.redis.hset(worker_key("a"), "queue", queue)
        store.redis.hset(worker_key("b"), "queue", queue)
    # Either may take it: they are counted as two of their geometric mean.
    assert store.state(second).estimate_s == pytest.approx(2 * (20 / 2 + 30))


def test_progress_and_phase_are_those_of_all_shards(store: JobStore, target: SearchTarget) -> None:
    search = submit(store, target, 20)
    told = [store.state(search)]
    store.report(search, 0, ShardProgress(0.25, "scoring", 9.0))
    told.append(store.state(search))
    store.report(search, 0, ShardProgress(0.75, "aligning", 3.0))
    told.append(store.state(search))
    store.report(search, 1, ShardProgress(0.95, "merging", 0.2))
    told.append(store.state(search))
    store.report(search, 0, ShardProgress(1.0, "merging", 0.0))
    told.append(store.state(search))
    assert [state.phase for state in told] == ["queued", "scoring", "scoring", "aligning", "merging"]
    assert [state.progress for state in told] == pytest.approx([0, 0.125, 0.375, 0.85, 0.975])
    store.cancel(search)
    assert store.state(search).phase is None


def test_progress_of_an_earlier_version_counts_as_a_beginning(store: JobStore, target: SearchTarget) -> None:
    search = submit(store, target, 20)
    begin(store, target, search)
    assert (store.state(search).progress, store.state(search).phase) == (0.0, "scoring")
    assert ShardProgress.from_text("1230410") == ShardProgress()


def test_earlier_search_answers_with_what_it_has_left(store: JobStore, target: SearchTarget) -> None:
    set_costs(store, target, by_residues(1), by_residues(1))
    submit(store, target, 10)
    search = submit(store, target, 30)
    asked = request(30)
    estimate = store.estimate(plan(asked, asked.records(), target))
    assert (estimate.reused, estimate.outlook.position) == (True, 1)
    assert (estimate.outlook.queue_seconds, estimate.outlook.seconds) == pytest.approx((10, 30))
    assert store.redis.zcard("shardwater:searches") == 2
    begin(store, target, search)
    for shard in (0, 1):
        store.report(search, shard, ShardProgress(0.5, "scoring", 15.0))
    outlook = store.estimate(plan(asked, asked.records(), target)).outlook
    assert (outlook.position, outlook.queue_seconds, outlook.seconds) == (0, 0, 15)


def test_estimate_says_whether_the_request_was_answered_with_its_distribution(
    store: JobStore, target: SearchTarget
) -> None:
    counted = SearchRequest(sequence=">q\nMKV", database="small", score_distribution=True)
    store.submit(plan(counted, counted.records(), target))
    plain = counted.model_copy(update={"score_distribution": False})
    found = [store.estimate(plan(asked, asked.records(), target)).reused for asked in (counted, plain)]
    assert found == [True, False]


@pytest.mark.parametrize(("owner", "before"), [("greedy", 20), ("modest", 1)])
def test_an_estimate_counts_what_will_really_go_before(
    store: JobStore, target: SearchTarget, owner: str, before: int
) -> None:
    set_costs(store, target, by_residues(1), by_residues(1))
    for number in range(20):
        asked = request(20, title=str(number))
        store.of(Caller("greedy")).submit(plan(asked, asked.records(), target))
    asked, theirs = request(20), store.of(Caller(owner))
    outlook = theirs.estimate(plan(asked, asked.records(), target)).outlook
    assert (outlook.position, outlook.queue_seconds) == (before, pytest.approx(20 * before))
    state = theirs.state(theirs.submit(plan(asked, asked.records(), target)).id)
    assert (state.position, state.estimate_s) == (before, pytest.approx(20 * before + 20))


def test_long_queue_is_counted_by_a_hundred_of_it(store: JobStore, target: SearchTarget) -> None:
    set_costs(store, target, by_residues(1e-3), by_residues(1e-3))
    for number in range(250):
        submit(store, target, (8, 12)[number % 2], title=str(number))
    last = submit(store, target, 5)
    assert store.state(last).position == 250
    assert store.state(last).estimate_s == pytest.approx(1e-3 * (250 * 10 + 5), rel=0.1)


def test_estimate_is_refused_where_the_search_would_be(store: JobStore, target: SearchTarget) -> None:
    asked = request(10)
    with pytest.raises(ShardUnavailable, match="shard 0 of database small"):
        [one] = target.databases
        store.estimate(plan(asked, asked.records(), SearchTarget((replace(one, shards=3),))))
