"""A request that is sent again, at once or from many sides at a time, is one search."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from worker.access.callers import Caller
from worker.jobs.redis_names import SEARCHES, alive_key, waiting_key
from worker.jobs.requests import SearchRequest
from worker.jobs.states import Failure, ShardUnavailable, Submission
from worker.jobs.store import JobStore
from worker.jobs.submission import ONCE_S, KeyReused, Retention
from worker.jobs.targets import SearchTarget, queue_name
from worker.kinds.search import plan

MANY = 16


def request(sequence: str = ">q\nMKVLAAGW", **fields: Any) -> SearchRequest:
    return SearchRequest(sequence=sequence, database="small", **fields)


def submit(
    store: JobStore, target: SearchTarget, key: str, asked: SearchRequest | None = None, *, fresh: bool = False
) -> Submission:
    asked = asked or request()
    records = asked.records()
    return store.submit(plan(asked, records, target), fresh=fresh, once=key)


def test_same_key_is_the_same_search_whatever_became_of_it(store: JobStore, target: SearchTarget) -> None:
    first = submit(store, target, "key", fresh=True)
    assert first.reused is False
    again = Submission(first.id, reused=True)
    # A retry of what was to run anew does not run anew.
    assert submit(store, target, "key", fresh=True) == again
    store.fail(first.id, Failure("shard-failed", "its reason"))
    assert submit(store, target, "key") == again
    assert submit(store, target, "another key").id != first.id
    assert submit(store, target, "key") == again


def test_search_that_is_gone_is_run_anew(store: JobStore, target: SearchTarget) -> None:
    first = submit(store, target, "key")
    store.delete(first.id)
    second = submit(store, target, "key")
    assert (second.id != first.id, second.reused) == (True, False)
    assert submit(store, target, "key") == Submission(second.id, reused=True)


def test_key_is_for_one_request(store: JobStore, target: SearchTarget) -> None:
    search = submit(store, target, "key").id
    for other in (request(">q\nMKVL"), request(title="other"), request(max_target_seqs=3)):
        with pytest.raises(KeyReused):
            submit(store, target, "key", other)
    same = request(">q\r\nMKVL\r\nAAGW\r\n", gap_open=11)
    assert submit(store, target, "key", same).id == search
    assert store.redis.zcard(SEARCHES) == 1


def test_key_is_kept_where_an_earlier_search_answers(store: JobStore, target: SearchTarget) -> None:
    asked = request()
    earlier = store.submit(plan(asked, asked.records(), target)).id
    assert submit(store, target, "key") == Submission(earlier, reused=True)
    with pytest.raises(KeyReused):
        submit(store, target, "key", request(title="other"))


def test_refused_search_leaves_its_key_free(store: JobStore, target: SearchTarget) -> None:
    alive = alive_key(queue_name(target.used.name, target.used.version, 1, 2))
    store.redis.delete(alive)
    with pytest.raises(ShardUnavailable):
        submit(store, target, "key")
    store.redis.set(alive, "test")
    assert submit(store, target, "key", request(title="other")).reused is False


@pytest.mark.parametrize(("retention_s", "kept_s"), [(7 * 24 * 3600, ONCE_S), (50, 50)])
def test_key_is_kept_for_a_day_but_not_longer_than_its_search(
    store: JobStore, target: SearchTarget, retention_s: int, kept_s: int
) -> None:
    short = JobStore(store.redis, Retention(search_s=retention_s))
    submit(short, target, "a key of the client's")
    [key] = store.redis.scan_iter("shardwater:once:*")
    assert b"client" not in key
    assert kept_s - 5 < store.redis.ttl(key) <= kept_s


def test_of_an_accounts_keys_the_latest_are_remembered(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.jobs.submission.MOST_ONCES", 3)
    ann, bob = (store.of(Caller(owner=name, account=name)) for name in ("ann", "bob"))
    submit(bob, target, "bob's key")
    # All but the first are repeats: they cost nothing but the keys.
    found = {submit(ann, target, f"key {number}").id for number in (0, 1, 2, 2, 1, 0, 3, 4)}
    assert len(found) == 1
    assert len(list(store.redis.scan_iter("shardwater:once:*"))) == 3 + 1
    other = request(title="other")
    for owner, key in ((ann, "key 2"), (ann, "key 4"), (bob, "bob's key")):
        with pytest.raises(KeyReused):
            submit(owner, target, key, other)
    assert not submit(ann, target, "key 1", request("MKVLAAGWMKVLAAGW")).reused


def test_a_key_that_is_used_again_after_its_time_is_not_the_oldest(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.jobs.submission.MOST_ONCES", 2)
    submit(store, target, "again")
    [again] = store.redis.scan_iter("shardwater:once:*")
    # Its time is over.
    store.redis.delete(again)
    submit(store, target, "other")
    submit(store, target, "again")
    submit(store, target, "third")
    assert store.redis.exists(again)
    assert len(list(store.redis.scan_iter("shardwater:once:*"))) == 2


@pytest.mark.parametrize("fresh", [False, True])
def test_many_at_a_time_make_one_search(store: JobStore, target: SearchTarget, fresh: bool) -> None:
    begin = Barrier(MANY)

    def send(_: int) -> Submission:
        begin.wait()
        return submit(store, target, "key", fresh=fresh)

    with ThreadPoolExecutor(MANY) as threads:
        found = list(threads.map(send, range(MANY)))
    assert len({submission.id for submission in found}) == 1
    assert [submission.reused for submission in found].count(False) == 1
    assert store.redis.zcard(SEARCHES) == 1
    assert store.redis.zcard(waiting_key(target.queues[0])) == 1


def test_of_many_requests_with_one_key_one_is_accepted(store: JobStore, target: SearchTarget) -> None:
    begin = Barrier(MANY)

    def send(number: int) -> str | None:
        begin.wait()
        try:
            return submit(store, target, "key", request(title=str(number))).id
        except KeyReused:
            return None

    with ThreadPoolExecutor(MANY) as threads:
        found = list(threads.map(send, range(MANY)))
    assert len([search for search in found if search]) == 1
    assert store.redis.zcard(SEARCHES) == 1
