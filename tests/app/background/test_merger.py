"""Merging: any front end may, also when another died over it; a result that cannot be stored ends its search."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import pytest
from redis import Redis
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeout

from app.background import merger as merging
from app.background.merger import MOST_TRIES, MergeFailed, Merger
from shardwater.database.database import Database
from shardwater.search.merge import NarrowShortlist, SearchResult
from tests.support.merging import Place, round_of
from worker.jobs.cleanup import Cleanup
from worker.jobs.progress import MOST_SHARE
from worker.jobs.redis_names import ANSWERED, LIVE, SearchKeys
from worker.jobs.rounds import Round
from worker.jobs.store import JobStore
from worker.kinds import KINDS, kind
from worker.kinds.kind import Answered, FrontEnd
from worker.kinds.search import SEARCH
from worker.settings import Settings


@pytest.fixture
def merger(here: FrontEnd) -> Merger:
    return Merger(here)


class Advancing(Protocol):
    """Has searches advanced otherwise."""

    def __call__(self, advance: Callable[[Answered, FrontEnd], bytes | Round]) -> None: ...


@pytest.fixture
def advancing(monkeypatch: pytest.MonkeyPatch) -> Advancing:
    return lambda advance: monkeypatch.setitem(KINDS, "search", replace(SEARCH, advance=advance))


def test_search_is_running_until_a_front_end_has_merged_it(
    store: JobStore, merger: Merger, answered: Callable[[], str]
) -> None:
    search = answered()
    state = store.state(search)
    assert (state.state, state.phase, state.shards.done) == ("running", "merging", 2)
    assert merger.next(store.redis, 1) == search
    merger.merge(search)
    assert store.state(search).state == "succeeded"
    assert store.redis.scard(LIVE) == 0
    assert store.redis.llen(ANSWERED) == 0


def test_two_that_merge_at_a_time_write_the_same_once(
    store: JobStore, merger: Merger, advancing: Advancing, answered: Callable[[], str]
) -> None:
    search, made = answered(), []

    def both(found: Answered, front_end: FrontEnd) -> bytes | Round:
        advancing(SEARCH.advance)
        merger.merge(search)
        made.append(store.redis.get(SearchKeys(search).whole))
        whole = SEARCH.advance(found, front_end)
        made.append(whole)
        return whole

    advancing(both)
    merger.merge(search)
    assert made[0] == made[1] == store.redis.get(SearchKeys(search).whole)
    assert store.state(search).state == "succeeded"


def test_search_whose_front_end_died_over_it_is_called_again(
    store: JobStore, merger: Merger, answered: Callable[[], str], database: Database
) -> None:
    search = answered()
    assert merger.next(store.redis, 1) == search
    cleanup = Cleanup(store, Settings(data=database.path.parents[1]))
    cleanup.look()
    # It may be under way.
    assert store.redis.llen(ANSWERED) == 0
    cleanup.look()
    assert merger.next(store.redis, 1) == search
    merger.merge(search)
    cleanup.look()
    assert store.state(search).state == "succeeded"
    assert store.redis.llen(ANSWERED) == 0


def test_large_result_is_made_by_one_front_end_at_a_time(
    store: JobStore, here: FrontEnd, answered: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "LARGE", 1)
    search, asked = answered(), []

    def merge(job: str, going_on: Callable[[], object]) -> None:
        asked.append(job)
        another.merge(job)
        assert store.state(search).state == "running"
        going_on()
        assert 0 < store.redis.ttl(SearchKeys(search).merging) <= merging.LEASE_S
        Merger(here).merge_here(job)

    another = Merger(here, Place(merge))
    Merger(here, Place(merge)).merge(search)
    assert asked == [search]
    assert store.state(search).state == "succeeded"
    assert not store.redis.exists(SearchKeys(search).merging)


@pytest.mark.parametrize("fault", [EOFError(), OSError(), TimeoutError(), RuntimeError("can't start new thread")])
def test_large_result_that_ends_its_process_again_and_again_fails(
    store: JobStore,
    here: FrontEnd,
    answered: Callable[[], str],
    fault: Exception,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kind, "LARGE", 1)
    search = answered()

    def die(job: str, going_on: Callable[[], object]) -> None:
        raise fault

    for _ in range(MOST_TRIES):
        assert store.state(search).state == "running"
        with pytest.raises(type(fault)):
            Merger(here, Place(die)).merge(search)
    assert store.state(search).state == "failed"


@pytest.mark.parametrize("fault", [RedisTimeout(), MergeFailed("noted there")])
def test_what_is_not_the_processs_fault_is_no_try(
    store: JobStore,
    here: FrontEnd,
    answered: Callable[[], str],
    fault: Exception,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kind, "LARGE", 1)
    search = answered()

    def fail(job: str, going_on: Callable[[], object]) -> None:
        raise fault

    for _ in range(MOST_TRIES):
        with pytest.raises(type(fault)):
            Merger(here, Place(fail)).merge(search)
    assert store.state(search).state == "running"


def test_what_ended_meanwhile_is_not_merged(store: JobStore, merger: Merger, answered: Callable[[], str]) -> None:
    cancelled, deleted = answered(), answered()
    store.cancel(cancelled)
    store.delete(deleted)
    for search in (cancelled, deleted):
        assert merger.next(store.redis, 1) == search
        merger.merge(search)
    assert store.state(cancelled).state == "cancelled"
    assert not store.redis.exists(SearchKeys(cancelled).whole, *SearchKeys(deleted).data)


@pytest.mark.parametrize("fault", [ResponseError("OOM command not allowed"), EOFError(), ZeroDivisionError()])
def test_search_that_cannot_be_merged_again_and_again_fails(
    store: JobStore, here: FrontEnd, advancing: Advancing, answered: Callable[[], str], fault: Exception
) -> None:
    search = answered()

    def fail(*_: object) -> bytes:
        raise fault

    advancing(fail)
    for _ in range(MOST_TRIES):
        assert store.state(search).state == "running"
        # By whichever front end.
        with pytest.raises(type(fault)):
            Merger(here).merge(search)
    error = store.state(search).error
    assert error is not None
    assert error.detail == "the shards' results could not be merged; a front end's log says why"


def test_part_that_nobody_can_read_is_not_made_for_ever(
    store: JobStore, merger: Merger, answered: Callable[[], str]
) -> None:
    search = answered()
    key = SearchKeys(search).shards
    sound = store.redis.hget(key, "0")
    for _ in range(MOST_TRIES):
        store.redis.hset(key, "0", b"of another version")
        merger.merge(search)
        assert store.redis.hkeys(key) == [b"1"]
    assert sound is not None
    assert store.state(search).state == "failed"


def test_search_that_is_deleted_while_its_merge_fails_leaves_nothing(
    store: JobStore, merger: Merger, advancing: Advancing, answered: Callable[[], str]
) -> None:
    search = answered()

    def fail(*_: object) -> bytes:
        store.delete(search)
        raise ZeroDivisionError

    advancing(fail)
    with pytest.raises(ZeroDivisionError):
        merger.merge(search)
    assert not store.redis.exists(*SearchKeys(search).data)


def test_parts_that_are_not_enough_are_done_again(
    store: JobStore, merger: Merger, advancing: Advancing, answered: Callable[[], str]
) -> None:
    search, seen = answered(), []
    key = SearchKeys(search).shards
    parts = store.redis.hgetall(key)

    def narrow(found: Answered, front_end: FrontEnd) -> Round:
        seen.append(found.round)
        return Round.repeated(front_end.store, found.job)

    advancing(narrow)
    merger.merge(search)
    assert round_of(store, search) == 2
    assert not store.redis.exists(key)
    store.redis.hset(key, mapping=parts)  # type: ignore[arg-type]
    merger.merge(search)
    assert seen == [1, 2]


def test_search_is_made_for_any_line_once(
    store: JobStore, merger: Merger, answered: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def narrow(*_: object) -> SearchResult:
        raise NarrowShortlist

    monkeypatch.setattr("worker.kinds.search.assemble", narrow)
    search = answered()
    parts = store.redis.hgetall(SearchKeys(search).shards)
    merger.merge(search)
    state = store.state(search)
    assert (state.state, state.phase, state.progress) == ("running", "scoring", MOST_SHARE)
    store.redis.hset(SearchKeys(search).shards, mapping=parts)  # type: ignore[arg-type]
    merger.merge(search)
    assert store.state(search).state == "failed"


def test_nothing_answered_is_waited_for_and_no_longer(redis: Redis, merger: Merger) -> None:
    assert merger.next(redis, 0.01) is None
