"""Owners in the queue: what a caller sees of searches, without a service around it."""

import pytest

from worker.access.callers import ANYBODY, NOBODY, Caller
from worker.jobs.listing import Listing, list_searches
from worker.jobs.redis_names import SEARCHES, SearchKeys, owners_key
from worker.jobs.requests import SearchRequest
from worker.jobs.states import SearchNotFound
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds.search import plan

LAB, OTHER = Caller("lab", frozenset({"search"})), Caller("other", frozenset({"search"}))
BOSS = Caller("boss", frozenset({"admin"}))


def submit(store: JobStore, target: SearchTarget, title: str = "") -> str:
    request = SearchRequest(sequence=">q\nMKVLAAGW", database="small", title=title)
    return store.submit(plan(request, request.records(), target)).id


def listed(store: JobStore) -> tuple[set[str], int | None]:
    page = list_searches(store, Listing(), 100)
    return {search.id for search in page.searches}, page.total


def test_each_caller_sees_his_own_and_an_admin_all(store: JobStore, target: SearchTarget) -> None:
    mine, theirs = submit(store.of(LAB), target), submit(store.of(OTHER), target)
    anyones = submit(store, target)
    assert len({mine, theirs, anyones}) == 3
    assert listed(store.of(LAB)) == ({mine}, 1)
    assert listed(store.of(OTHER)) == ({theirs}, 1)
    assert listed(store.of(NOBODY)) == (set(), 0)
    assert listed(store.of(BOSS)) == listed(store.of(ANYBODY)) == ({mine, theirs, anyones}, 3)


@pytest.mark.parametrize("caller", [OTHER, NOBODY, Caller("", frozenset({"search"}))])
def test_nothing_can_be_done_to_anothers_search(store: JobStore, target: SearchTarget, caller: Caller) -> None:
    mine, view = submit(store.of(LAB), target), store.of(caller)
    for act in (view.state, view.request, view.cancel, view.delete, view.stored, view.result_json, view.time_left):
        with pytest.raises(SearchNotFound) as caught:
            act(mine)
        assert str(caught.value) == f"no search {mine}"
    assert store.of(LAB).state(mine).state == "queued"


def test_deleted_search_leaves_nothing_of_its_owner(store: JobStore, target: SearchTarget) -> None:
    before = set(store.redis.scan_iter("shardwater:search*"))
    mine = submit(store.of(LAB), target)
    assert store.redis.zscore(owners_key("search", "lab"), mine) == store.redis.zscore(SEARCHES, mine)
    store.of(BOSS).delete(mine)
    assert set(store.redis.scan_iter("shardwater:search*")) == before
    assert not store.redis.exists(SearchKeys(mine).known)


def test_equal_searches_are_shared_by_an_owner_alone(store: JobStore, target: SearchTarget) -> None:
    assert submit(store.of(LAB), target) == submit(store.of(LAB), target)
    assert submit(store.of(LAB), target) != submit(store.of(OTHER), target)
