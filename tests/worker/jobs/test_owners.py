"""Owners in the queue: what a caller sees of searches, without a service around it."""

import pytest

from worker.access.callers import ANYBODY, NOBODY, Caller
from worker.jobs.listing import Listing, list_searches
from worker.jobs.redis_names import SEARCHES, SearchKeys, searches_key
from worker.jobs.requests import SearchRequest
from worker.jobs.states import SearchNotFound, SearchTarget
from worker.jobs.store import Client

LAB, OTHER = Caller("lab", frozenset({"search"})), Caller("other", frozenset({"search"}))
BOSS = Caller("boss", frozenset({"admin"}))


def submit(client: Client, target: SearchTarget, title: str = "") -> str:
    request = SearchRequest(sequence=">q\nMKVLAAGW", database="small", title=title)
    return client.submit(request, request.records(), target).id


def listed(client: Client) -> tuple[set[str], int | None]:
    page = list_searches(client, Listing(), 100)
    return {search.id for search in page.searches}, page.total


def test_each_caller_sees_his_own_and_an_admin_all(client: Client, target: SearchTarget) -> None:
    mine, theirs = submit(client.of(LAB), target), submit(client.of(OTHER), target)
    anyones = submit(client, target)
    assert len({mine, theirs, anyones}) == 3
    assert listed(client.of(LAB)) == ({mine}, 1)
    assert listed(client.of(OTHER)) == ({theirs}, 1)
    assert listed(client.of(NOBODY)) == (set(), 0)
    assert listed(client.of(BOSS)) == listed(client.of(ANYBODY)) == ({mine, theirs, anyones}, 3)


@pytest.mark.parametrize("caller", [OTHER, NOBODY, Caller("", frozenset({"search"}))])
def test_nothing_can_be_done_to_anothers_search(client: Client, target: SearchTarget, caller: Caller) -> None:
    mine, view = submit(client.of(LAB), target), client.of(caller)
    for act in (view.state, view.request, view.cancel, view.delete, view.stored, view.result_json, view.time_left):
        with pytest.raises(SearchNotFound) as caught:
            act(mine)
        assert str(caught.value) == f"no search {mine}"
    assert client.of(LAB).state(mine).state == "queued"


def test_deleted_search_leaves_nothing_of_its_owner(client: Client, target: SearchTarget) -> None:
    before = set(client.redis.scan_iter("shardwater:search*"))
    mine = submit(client.of(LAB), target)
    assert client.redis.zscore(searches_key("lab"), mine) == client.redis.zscore(SEARCHES, mine)
    client.of(BOSS).delete(mine)
    assert set(client.redis.scan_iter("shardwater:search*")) == before
    assert not client.redis.exists(SearchKeys(mine).known)


def test_equal_searches_are_shared_by_an_owner_alone(client: Client, target: SearchTarget) -> None:
    assert submit(client.of(LAB), target) == submit(client.of(LAB), target)
    assert submit(client.of(LAB), target) != submit(client.of(OTHER), target)
