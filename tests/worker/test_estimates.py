"""What stands before a search, and how long it and they will take."""

import time
from dataclasses import replace

import pytest
from rq import Queue
from rq.executions import Execution
from rq.serializers import JSONSerializer

from shardwater.cpu import CpuEngine
from shardwater.database import Database
from tests.worker.turns import take_up
from worker.client import Client
from worker.line import BroughtJob, Line
from worker.queues import job_id, order_key, queue_name, rate_key
from worker.rates import LENGTHS, measure_rate
from worker.requests import SearchRequest
from worker.states import SearchTarget, ShardUnavailable


def request(residues: int, title: str = "") -> SearchRequest:
    return SearchRequest(sequence=">q\n" + "M" * residues, database="small", title=title)


def submit(client: Client, target: SearchTarget, residues: int, title: str = "") -> str:
    asked = request(residues, title)
    return client.submit(asked, asked.records(), target).id


def queues(target: SearchTarget) -> list[str]:
    return [queue_name(target.used.name, target.used.version, shard, target.shards) for shard in range(target.shards)]


def set_rates(client: Client, target: SearchTarget, *rates: float) -> None:
    for queue, rate in zip(queues(target), rates, strict=True):
        client.redis.set(rate_key(queue), rate)


def begin(client: Client, target: SearchTarget, search: str) -> None:
    """Take a search's jobs up as RQ's workers do."""
    for shard, name in enumerate(queues(target)):
        queue = Queue(name, connection=client.redis, serializer=JSONSerializer)
        job = BroughtJob.fetch(job_id(search, shard), connection=client.redis, serializer=JSONSerializer)
        client.redis.lrem(queue.key, 1, job.id)
        client.redis.zrem(order_key(name), job.id)
        with client.redis.pipeline() as pipe:
            Execution.create(job, 60, pipe, worker_name="test")
            job.prepare_for_execution("test", pipeline=pipe)
            pipe.execute()
        take_up(Line(client, name, shard, "test"), job)


def seconds(target: SearchTarget, residues: int, rate: float) -> float:
    """Of one search alone: each shard has its share of the database."""
    return residues * target.size.residues / target.shards / rate


def test_nothing_is_known_without_a_rate(client: Client, target: SearchTarget) -> None:
    search = submit(client, target, 10)
    assert client.state(search).estimate_s is None
    asked = request(20)
    outlook = client.estimate(asked, asked.records(), target).outlook
    assert (outlook.position, outlook.seconds, outlook.queue_seconds, outlook.total_seconds) == (2, None, None, None)


def test_those_before_count_and_the_slowest_shard_decides(client: Client, target: SearchTarget) -> None:
    set_rates(client, target, 50.0, 20.0)
    first, second, third = (submit(client, target, residues) for residues in (20, 30, 25))
    assert [client.state(search).position for search in (first, second, third)] == [1, 2, 3]
    estimates = [client.state(search).estimate_s for search in (first, second, third)]
    assert estimates == pytest.approx([seconds(target, sum(those), 20) for those in ([20], [20, 30], [20, 30, 25])])
    client.cancel(second)
    assert client.state(third).position == 2
    assert client.state(third).estimate_s == pytest.approx(seconds(target, 45, 20))
    assert client.state(second).estimate_s is None


def test_a_short_search_is_told_of_those_that_it_goes_before(client: Client, target: SearchTarget) -> None:
    set_rates(client, target, 40.0, 40.0)
    long, short = submit(client, target, 300), submit(client, target, 10)
    assert [client.state(search).position for search in (long, short)] == [2, 1]
    assert client.state(short).estimate_s == pytest.approx(seconds(target, 10, 40))
    assert client.state(long).estimate_s == pytest.approx(seconds(target, 310, 40))
    begin(client, target, long)
    assert client.state(short).estimate_s == pytest.approx(seconds(target, 10, 40))
    asked = request(12)
    assert client.estimate(asked, asked.records(), target).outlook.queue_seconds == pytest.approx(
        seconds(target, 10, 40)
    )


def test_search_at_work_counts_with_what_it_has_left(client: Client, target: SearchTarget) -> None:
    set_rates(client, target, 40.0, 40.0)
    running, waiting = submit(client, target, 20), submit(client, target, 30)
    begin(client, target, running)
    scored = 20 * target.size.residues // 4
    client.report(running, 0, scored)
    client.report(running, 1, scored)
    left = seconds(target, 20, 40) - scored / 40
    assert client.state(running).position == 0
    assert client.state(running).estimate_s == pytest.approx(left)
    assert client.state(waiting).position == 1
    assert client.state(waiting).estimate_s == pytest.approx(left + seconds(target, 30, 40))
    asked = request(40)
    estimate = client.estimate(asked, asked.records(), target)
    assert (estimate.queries, estimate.residues, estimate.cells) == (1, 40, 40 * target.size.residues)
    assert (estimate.reused, estimate.outlook.position) == (False, 2)
    assert estimate.outlook.seconds == pytest.approx(seconds(target, 40, 40))
    assert estimate.outlook.queue_seconds == pytest.approx(left + seconds(target, 30, 40))


def test_earlier_search_answers_with_what_it_has_left(client: Client, target: SearchTarget) -> None:
    set_rates(client, target, 40.0, 40.0)
    submit(client, target, 10)
    submit(client, target, 30)
    asked = request(30)
    estimate = client.estimate(asked, asked.records(), target)
    assert (estimate.reused, estimate.outlook.position) == (True, 2)
    assert estimate.outlook.queue_seconds == pytest.approx(seconds(target, 10, 40))
    assert client.redis.zcard("shardwater:searches") == 2


def test_long_queue_is_counted_by_a_hundred_of_it(client: Client, target: SearchTarget) -> None:
    set_rates(client, target, 4e6, 4e6)
    for number in range(250):
        submit(client, target, (8, 12)[number % 2], title=str(number))
    last = submit(client, target, 5)
    assert client.state(last).position == 251
    assert client.state(last).estimate_s == pytest.approx(seconds(target, 250 * 10 + 5, 4e6), rel=0.1)


def test_estimate_is_refused_where_the_search_would_be(client: Client, target: SearchTarget) -> None:
    asked = request(10)
    with pytest.raises(ShardUnavailable, match="shard 0 of database small"):
        client.estimate(asked, asked.records(), replace(target, shards=3))


def test_measured_rate_is_that_of_a_search(database: Database) -> None:
    engine, shard = CpuEngine(1), database.shard(0, 1)
    engine.load(shard)
    started = time.perf_counter()
    rate = measure_rate(engine, shard)
    took = time.perf_counter() - started
    # Of a shard so small every length is tried; the best is no slower than all of them together.
    assert rate >= sum(LENGTHS) * shard.residues / took
