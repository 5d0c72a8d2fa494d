"""A request that is sent again, at once or from many sides at a time, is one search."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from worker.jobs.redis_names import SEARCHES, alive_key, queue_name, shard_queues, waiting_key
from worker.jobs.requests import SearchRequest
from worker.jobs.states import Failure, SearchTarget, ShardUnavailable, Submission
from worker.jobs.store import Client
from worker.jobs.submission import ONCE_S, KeyReused, Once, Retention

MANY = 16


def request(sequence: str = ">q\nMKVLAAGW", **fields: Any) -> SearchRequest:
    return SearchRequest(sequence=sequence, database="small", **fields)


def submit(
    client: Client, target: SearchTarget, key: str, asked: SearchRequest | None = None, *, fresh: bool = False
) -> Submission:
    asked = asked or request()
    records = asked.records()
    return client.submit(asked, records, target, fresh=fresh, once=Once.of(key, asked, records))


def test_same_key_is_the_same_search_whatever_became_of_it(client: Client, target: SearchTarget) -> None:
    first = submit(client, target, "key", fresh=True)
    assert first.reused is False
    again = Submission(first.id, reused=True)
    # A retry of what was to run anew does not run anew.
    assert submit(client, target, "key", fresh=True) == again
    client.fail(first.id, Failure("shard-failed", "its reason"))
    assert submit(client, target, "key") == again
    assert submit(client, target, "another key").id != first.id
    assert submit(client, target, "key") == again


def test_search_that_is_gone_is_run_anew(client: Client, target: SearchTarget) -> None:
    first = submit(client, target, "key")
    client.delete(first.id)
    second = submit(client, target, "key")
    assert (second.id != first.id, second.reused) == (True, False)
    assert submit(client, target, "key") == Submission(second.id, reused=True)


def test_key_is_for_one_request(client: Client, target: SearchTarget) -> None:
    search = submit(client, target, "key").id
    for other in (request(">q\nMKVL"), request(title="other"), request(max_target_seqs=3)):
        with pytest.raises(KeyReused):
            submit(client, target, "key", other)
    same = request(">q\r\nMKVL\r\nAAGW\r\n", gap_open=11)
    assert submit(client, target, "key", same).id == search
    assert client.redis.zcard(SEARCHES) == 1


def test_key_is_kept_where_an_earlier_search_answers(client: Client, target: SearchTarget) -> None:
    asked = request()
    earlier = client.submit(asked, asked.records(), target).id
    assert submit(client, target, "key") == Submission(earlier, reused=True)
    with pytest.raises(KeyReused):
        submit(client, target, "key", request(title="other"))


def test_refused_search_leaves_its_key_free(client: Client, target: SearchTarget) -> None:
    alive = alive_key(queue_name(target.used.name, target.used.version, 1, 2))
    client.redis.delete(alive)
    with pytest.raises(ShardUnavailable):
        submit(client, target, "key")
    client.redis.set(alive, "test")
    assert submit(client, target, "key", request(title="other")).reused is False


@pytest.mark.parametrize(("retention_s", "kept_s"), [(7 * 24 * 3600, ONCE_S), (50, 50)])
def test_key_is_kept_for_a_day_but_not_longer_than_its_search(
    client: Client, target: SearchTarget, retention_s: int, kept_s: int
) -> None:
    short = Client(client.redis, Retention(search_s=retention_s))
    submit(short, target, "a key of the client's")
    [key] = client.redis.scan_iter("shardwater:once:*")
    assert b"client" not in key
    assert kept_s - 5 < client.redis.ttl(key) <= kept_s


@pytest.mark.parametrize("fresh", [False, True])
def test_many_at_a_time_make_one_search(client: Client, target: SearchTarget, fresh: bool) -> None:
    begin = Barrier(MANY)

    def send(_: int) -> Submission:
        begin.wait()
        return submit(client, target, "key", fresh=fresh)

    with ThreadPoolExecutor(MANY) as threads:
        found = list(threads.map(send, range(MANY)))
    assert len({submission.id for submission in found}) == 1
    assert [submission.reused for submission in found].count(False) == 1
    assert client.redis.zcard(SEARCHES) == 1
    assert client.redis.zcard(waiting_key(shard_queues(target)[0])) == 1


def test_of_many_requests_with_one_key_one_is_accepted(client: Client, target: SearchTarget) -> None:
    begin = Barrier(MANY)

    def send(number: int) -> str | None:
        begin.wait()
        try:
            return submit(client, target, "key", request(title=str(number))).id
        except KeyReused:
            return None

    with ThreadPoolExecutor(MANY) as threads:
        found = list(threads.map(send, range(MANY)))
    assert len([search for search in found if search]) == 1
    assert client.redis.zcard(SEARCHES) == 1
