"""Ids name the data that they belong to, and what was lost with it is told from what never was."""

import re

import pytest

from tests.support.turns import submit_letters
from worker.jobs.ids import mark_of, new_id, new_mark
from worker.jobs.states import SearchExpired, SearchLost, SearchNotFound, SearchTarget
from worker.jobs.store import JobStore


def test_id_begins_with_a_letter() -> None:
    assert {new_id("AAAAAA")[0] for _ in range(2000)} <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef")


def test_id_tells_its_mark_and_nothing_else_does() -> None:
    mark = new_mark()
    search = new_id(mark)
    assert re.fullmatch("[A-Za-z0-9_-]{22,64}", search)
    assert mark_of(search) == mark
    assert mark_of(new_id(mark)) == mark
    assert new_id(mark)[:24] != search[:24]
    for other in (
        "",
        "x",
        search[:-1],
        search + "A",
        ("B" if search[0] == "A" else "A") + search[1:],
        "é" * len(search),
    ):
        assert mark_of(other) is None


def test_search_whose_data_was_lost_says_so(store: JobStore, target: SearchTarget) -> None:
    search = submit_letters(store, target)
    store.redis.flushall()
    for ask in (store.state, store.request, store.result_json, store.cancel, store.delete):
        with pytest.raises(SearchLost, match="the queue has lost its data"):
            ask(search)
    with pytest.raises(SearchNotFound):
        store.state("A" * 24)


def test_search_that_somebody_deleted_is_not_called_lost(store: JobStore, target: SearchTarget) -> None:
    search = submit_letters(store, target)
    store.delete(search)
    with pytest.raises(SearchNotFound):
        store.state(search)


def test_search_of_the_data_before_is_lost_when_new_ones_come(store: JobStore, target: SearchTarget) -> None:
    before = submit_letters(store, target)
    alive = {key: store.redis.get(key) for key in store.redis.scan_iter("shardwater:alive:*")}
    store.redis.flushall()
    for key, value in alive.items():
        store.redis.set(key, value or b"")
    after = submit_letters(store, target)
    assert store.state(after).state == "queued"
    with pytest.raises(SearchLost):
        store.state(before)
    assert issubclass(SearchLost, SearchExpired)
