"""A job whose fields cannot be read is told apart from all others, and keeps nobody from theirs."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

import pytest
from redis.exceptions import ResponseError

from tests.support.damage import DAMAGES
from tests.support.turns import begin, submit_letters
from worker.access.callers import ANYBODY, Caller
from worker.jobs.ids import VERIFICATION
from worker.jobs.listing import Listing, list_searches
from worker.jobs.redis_names import SearchKeys
from worker.jobs.requests import SearchRequest
from worker.jobs.states import DamagedJob, SearchNotFound
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds.search import plan
from worker.queue.recovery import MOST_ATTEMPTS, refuse, searches_at_work


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_jobs_are_left_out_of_lists_and_can_be_removed(
    store: JobStore, target: SearchTarget, damage: str
) -> None:
    at_work, queued, sound = (submit_letters(store, target, letters) for letters in ("MKVL", "MKVLA", "MKVLAAGWW"))
    begin(store, target, at_work)
    for damaged in (at_work, queued):
        DAMAGES[damage](store.redis, damaged)
        with pytest.raises(DamagedJob, match=f"^what is kept of search {damaged} cannot be read$"):
            store.state(damaged)
    for listing in (Listing(), Listing((at_work, sound, queued)), Listing(state="queued")):
        assert [state.id for state in list_searches(store, listing, 10).searches] == [sound]
    for damaged in (at_work, queued):
        with nullcontext() if damage != "job is no hash" else pytest.raises(DamagedJob):
            store.delete(damaged)
            assert not store.redis.exists(*SearchKeys(damaged).data)


def test_job_that_is_no_hash_is_damaged_however_it_is_asked_for(store: JobStore, target: SearchTarget) -> None:
    damaged = submit_letters(store, target)
    store.redis.set(SearchKeys(damaged).meta, "no hash")
    asks: list[Callable[[str], object]] = [
        store.state, store.request, store.target, store.result_json, store.time_left, store.cancel, store.delete,
    ]  # fmt: skip
    for ask in asks:
        with pytest.raises(DamagedJob):
            ask(damaged)
    assert store.outcome(damaged) == "cancelled"


def test_owner_of_a_job_that_is_no_hash_is_known_from_elsewhere(store: JobStore, target: SearchTarget) -> None:
    asked = SearchRequest(sequence=">q\nMKVLAAGW", database="small")
    mine, others = (store.of(Caller(name, frozenset({"search"}))) for name in ("me", "you"))
    damaged = mine.submit(plan(asked, asked.records(), target)).id
    store.redis.set(SearchKeys(damaged).meta, "no hash")
    with pytest.raises(DamagedJob):
        mine.state(damaged)
    with pytest.raises(SearchNotFound):
        others.state(damaged)
    assert list_searches(mine, Listing((damaged,)), 10).searches == []


@pytest.mark.parametrize("value", [b"\xff", b"{", b'{"sequence": 1}'])
def test_damaged_request(store: JobStore, target: SearchTarget, value: bytes) -> None:
    search = submit_letters(store, target)
    store.redis.hset(SearchKeys(search).meta, "request", value)
    with pytest.raises(DamagedJob, match=f"search {search}"):
        store.request(search)


@pytest.mark.parametrize("value", [b"\xff", b"lost", b""])
def test_end_that_cannot_be_read_is_an_end(store: JobStore, target: SearchTarget, value: bytes) -> None:
    damaged, sound = submit_letters(store, target), submit_letters(store, target, "MKVLAAGWW")
    store.redis.hset(SearchKeys(damaged).meta, "outcome", value)
    assert store.outcomes([damaged, sound]) == ["cancelled", None]


def test_damaged_whole_result(store: JobStore, target: SearchTarget) -> None:
    search = submit_letters(store, target)
    store.answer(search, b"whole", target.parts)
    store.redis.delete(SearchKeys(search).whole)
    store.redis.hset(SearchKeys(search).whole, "no", "string")
    with pytest.raises(DamagedJob):
        store.packed_result(search)


def test_damaged_job_is_named_by_its_kind(store: JobStore, target: SearchTarget) -> None:
    asked = SearchRequest(sequence=">q\nMKVLAAGW", database="small")
    job = store.submit(replace(plan(asked, asked.records(), target), kind=VERIFICATION)).id
    store.redis.hset(SearchKeys(job).meta, "created", "soon")
    with pytest.raises(DamagedJob, match=f"^what is kept of {job} cannot be read$"):
        store.of(ANYBODY, VERIFICATION).state(job)


def test_estimate_of_what_a_damaged_job_would_answer_says_so(store: JobStore, target: SearchTarget) -> None:
    search = submit_letters(store, target)
    store.redis.hset(SearchKeys(search).progress, "no shard", "0")
    asked = SearchRequest(sequence=">q\nMKVLAAGW", database="small")
    with pytest.raises(DamagedJob):
        store.estimate(plan(asked, asked.records(), target))


def test_rank_that_cannot_be_read_keeps_nobodys_state_from_being_told(store: JobStore, target: SearchTarget) -> None:
    damaged, sound = submit_letters(store, target), submit_letters(store, target, "MKVLAAGWW")
    begin(store, target, damaged)
    store.redis.hset(SearchKeys(damaged).meta, "rank", "first")
    state = store.state(sound)
    assert (state.state, state.position) == ("queued", 1)
    assert submit_letters(store, target, "MKVLAAGWWW")


def test_what_is_no_fault_of_a_job_is_not_blamed_on_it(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = submit_letters(store, target)

    def refuse_it(*_: object) -> bytes:
        raise ResponseError("MISCONF the disk is full")

    monkeypatch.setattr(store.redis, "hget", refuse_it)
    with pytest.raises(ResponseError, match="MISCONF"):
        store.target(search)


def test_damaged_job_keeps_no_other_from_being_failed_or_looked_for(store: JobStore, target: SearchTarget) -> None:
    damaged, sound = submit_letters(store, target), submit_letters(store, target, "MKVLAAGWW")
    begin(store, target, damaged)
    store.redis.hset(SearchKeys(damaged).meta, "target", "{")
    [queue, _] = target.queues
    assert searches_at_work(store, queue, "test") == {}
    for _ in range(MOST_ATTEMPTS):
        refuse(store, queue)
    assert store.state(sound).state == "failed"
