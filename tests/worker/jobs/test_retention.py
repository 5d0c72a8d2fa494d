"""Room is made for new searches by removing old ones, and what is removed is gone."""

import random
from contextlib import suppress
from pathlib import Path

import pytest
from redis import Redis

from tests.support.server import until
from worker.access.callers import Caller
from worker.jobs.folders import StorageFull
from worker.jobs.quotas import Intake
from worker.jobs.redis_names import SearchKeys
from worker.jobs.requests import SearchRequest
from worker.jobs.retention import TURN, make_room, purge, stored_bytes, stored_limit
from worker.jobs.states import Failure, SearchExpired, SearchNotFound
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds.search import plan

LETTERS = "ACDEFGHIKLMNPQRSTVWY"


def submit(store: JobStore, target: SearchTarget, number: int, ended: bool = True) -> str:
    sequence = "".join(random.Random(number).choices(LETTERS, k=500_000))
    request = SearchRequest(sequence=f">q{number}\n{sequence}", database="small")
    search = store.submit(plan(request, request.records(), target)).id
    if ended:
        store.fail(search, Failure("shard-failed", "on purpose"))
    return search


def test_oldest_ended_searches_go_first_and_count_as_expired(store: JobStore, target: SearchTarget) -> None:
    running = submit(store, target, 0, ended=False)
    ended = [submit(store, target, number) for number in range(1, 9)]
    before = stored_bytes(store)
    assert make_room(store, before + 1_000_000) == 0
    # Each takes its 500,000 letters and what the server's allocator adds.
    removed = make_room(store, before - 1_200_000)
    assert removed in (2, 3)
    # The server gives memory back in a thread of its own.
    until(lambda: stored_bytes(store) <= before - 800_000)
    for search in ended[:removed]:
        with pytest.raises(SearchExpired):
            store.state(search)
    assert [store.state(search).state for search in ended[removed:]] == ["failed"] * (8 - removed)
    assert store.state(running).state == "queued"


def test_unended_searches_are_never_removed(store: JobStore, target: SearchTarget) -> None:
    running = [submit(store, target, number, ended=False) for number in range(3)]
    ended = submit(store, target, 3)
    assert make_room(store, 1) == 1
    assert make_room(store, 1) == 0
    assert [store.state(search).state for search in running] == ["queued"] * 3
    with pytest.raises(SearchExpired):
        store.state(ended)


def test_the_usual_limit_is_half_of_what_the_server_has(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = submit(store, target, 1)
    assert make_room(store, 0) == 0
    assert store.state(search).state == "failed"
    memory = store.redis.info("memory")
    assert stored_limit(store, 0) == memory["total_system_memory"] // 2
    monkeypatch.setattr(store.redis, "info", lambda _: {**memory, "maxmemory": 1000})
    assert (stored_limit(store, 0), stored_limit(store, 300)) == (500, 300)
    assert make_room(store, 0) == 1
    with pytest.raises(SearchExpired):
        store.state(search)


def test_results_of_the_account_that_has_most_go_first(store: JobStore, target: SearchTarget) -> None:
    ann, bob = (store.of(Caller(owner=name, account=name)) for name in ("ann", "bob"))
    bobs = [submit(bob, target, number) for number in range(2)]
    anns = [submit(ann, target, number) for number in range(2, 8)]
    before = stored_bytes(store)
    removed = make_room(store, before - 1_200_000)
    assert removed in (2, 3)
    for search in anns[:removed]:
        with pytest.raises(SearchExpired):
            ann.state(search)
    # What bob had before ann came is there, and ann's latest results are.
    assert [bob.state(search).state for search in bobs] == ["failed"] * 2
    assert [ann.state(search).state for search in anns[removed:]] == ["failed"] * (6 - removed)


def test_jobs_of_others_that_wait_cost_an_account_no_result(store: JobStore, target: SearchTarget) -> None:
    ann, bob = (store.of(Caller(owner=name, account=name)) for name in ("ann", "bob"))
    bobs = submit(bob, target, 0)
    anns = [submit(ann, target, number, ended=False) for number in range(1, 7)]
    assert make_room(store, 3_000_000) == 0
    assert [bob.state(bobs).state, *(ann.state(search).state for search in anns)] == ["failed", *["queued"] * 6]
    # What is more than an equal part may go.
    assert make_room(store, 600_000) == 1


def test_requests_that_wait_take_no_more_than_they_leave_to_others(store: JobStore, target: SearchTarget) -> None:
    bounded = JobStore(store.redis, intake=Intake(max_stored_bytes=6_000_000))
    ann, bob = (bounded.of(Caller(owner=name, account=name)) for name in ("ann", "bob"))
    # Of 3 MB for those that wait half, and then half of what is left.
    anns = [submit(ann, target, number, ended=False) for number in range(2)]
    with pytest.raises(StorageFull, match="requests that wait"):
        submit(ann, target, 2, ended=False)
    submit(bob, target, 3, ended=False)
    ann.cancel(anns[0])
    ann.cancel(anns[1])
    submit(ann, target, 4, ended=False)


def test_one_front_end_at_a_time_makes_room(store: JobStore, target: SearchTarget) -> None:
    submit(store, target, 1)
    store.redis.set(TURN, 1)
    assert make_room(store, 1) == 0
    store.redis.delete(TURN)
    assert make_room(store, 1) == 1


def test_removed_search_may_be_asked_for_again(store: JobStore, target: SearchTarget) -> None:
    request = SearchRequest(sequence="MKVLAAGW", database="small")
    first = store.submit(plan(request, request.records(), target))
    store.cancel(first.id)
    assert make_room(store, 1) == 1
    again = store.submit(plan(request, request.records(), target))
    assert (again.reused, again.id != first.id) == (False, True)


def test_deleted_search_is_in_no_key(store: JobStore, target: SearchTarget) -> None:
    search = submit(store, target, 1)
    other = submit(store, target, 2)
    letters = store.request(search)[0].records()[0].residues[:60]
    assert holding(store.redis, letters) == [SearchKeys(search).meta]
    store.delete(search)
    assert holding(store.redis, letters) == []
    with pytest.raises(SearchNotFound):
        store.state(search)
    assert store.state(other).state == "failed"


def test_append_only_file_forgets_what_was_deleted_when_it_is_rewritten(
    redis: Redis, store: JobStore, target: SearchTarget
) -> None:
    redis.config_set("appendonly", "yes")
    folder = Path(redis.config_get("dir")["dir"]) / redis.config_get("appenddirname")["appenddirname"]
    search = submit(store, target, 1)
    letters = store.request(search)[0].records()[0].residues[:60]
    store.delete(search)
    # The server puts off writing while the disk is busy.
    until(lambda: letters in written(folder))
    assert purge(redis)
    # It unlinks the old file in a thread of its own.
    until(lambda: letters not in written(folder))


def test_server_without_such_a_file_has_nothing_to_purge(redis: Redis) -> None:
    redis.config_set("appendonly", "no")
    assert not purge(redis)


def written(folder: Path) -> bytes:
    found = b""
    for file in folder.iterdir():
        with suppress(FileNotFoundError):
            found += file.read_bytes()
    return found


def holding(redis: Redis, letters: bytes) -> list[str]:
    """The keys whose values hold these letters, as the server keeps them."""
    return [
        key.decode()
        for key in redis.scan_iter()
        if letters in (redis.dump(key) or b"") or letters in _plain(redis, key)
    ]


def _plain(redis: Redis, key: bytes) -> bytes:
    """A value's text: a dump may be compressed."""
    match redis.type(key):
        case b"string":
            return redis.get(key) or b""
        case b"hash":
            return b" ".join(redis.hgetall(key).values())
    return b""
