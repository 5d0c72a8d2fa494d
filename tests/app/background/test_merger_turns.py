"""Results that wait for a place where large ones are merged: in turns, and past those that have ended meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from app.background.merger import Merger
from app.problems import NotCheckedError
from shardwater.database.database import Database
from shardwater.errors import DatabaseError
from tests.support.merging import Place
from worker.jobs.redis_names import ANSWERED, SearchKeys
from worker.jobs.rounds import Round
from worker.jobs.store import JobStore
from worker.kinds import KINDS, kind
from worker.kinds.kind import Answered, FrontEnd
from worker.kinds.search import SEARCH


def test_what_finds_no_place_elsewhere_waits_without_a_thread_and_is_called_when_there_is_one(
    store: JobStore, here: FrontEnd, answered: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "LARGE", 1)
    first, second, third = answered(), answered(), answered()
    store.redis.delete(ANSWERED)

    def merge(job: str, _: Callable[[], object]) -> None:
        if job == first:
            # Others come meanwhile, one of them twice; no thread is kept by them.
            for other in (second, third, second):
                merger.merge(other)
            assert store.redis.llen(ANSWERED) == 0
        Merger(here).merge_here(job)

    merger = Merger(here, Place(merge))
    merger.merge(first)
    for search in (second, third):
        assert merger.next(store.redis, 1) == search
        merger.merge(search)
    assert [store.state(each).state for each in (first, second, third)] == ["succeeded"] * 3
    assert store.redis.llen(ANSWERED) == 0


def test_what_has_ended_while_it_waited_keeps_nobody_waiting(
    store: JobStore, here: FrontEnd, answered: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "LARGE", 1)
    first, cancelled, deleted, last = (answered() for _ in range(4))
    store.redis.delete(ANSWERED)

    def merge(job: str, _: Callable[[], object]) -> None:
        if job == first:
            for other in (cancelled, deleted, last):
                merger.merge(other)
            store.cancel(cancelled)
            store.delete(deleted)
        Merger(here).merge_here(job)

    merger = Merger(here, Place(merge))
    merger.merge(first)
    assert merger.next(store.redis, 1) == last


def test_what_waits_is_called_where_another_front_end_has_taken_the_one_before(
    store: JobStore, here: FrontEnd, answered: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "LARGE", 1)
    first, second, third = (answered() for _ in range(3))
    store.redis.delete(ANSWERED)

    def merge(job: str, _: Callable[[], object]) -> None:
        for other in (second, third):
            merger.merge(other)
        merger.rest()
        assert store.redis.llen(ANSWERED) == 0
        Merger(here).merge_here(job)

    merger = Merger(here, Place(merge))
    merger.merge(first)
    other_front_end = Merger(here)
    assert other_front_end.next(store.redis, 1) == second
    other_front_end.merge(second)
    assert merger.next(store.redis, 0.01) is None
    merger.rest()
    assert merger.next(store.redis, 1) == third


@pytest.mark.parametrize("is_large", [False, True])
def test_hits_are_written_out_of_sound_files_alone(
    store: JobStore, here: FrontEnd, answered: Callable[[], str], monkeypatch: pytest.MonkeyPatch, *, is_large: bool
) -> None:
    made_elsewhere = []

    def elsewhere(job: str, _: Callable[[], object]) -> None:
        made_elsewhere.append(job)
        Merger(here).merge_here(job)

    def being_read(_: Database) -> None:
        raise NotCheckedError

    def damaged(database: Database) -> None:
        raise DatabaseError(f"{database.path}: damaged")

    monkeypatch.setitem(KINDS, "search", replace(SEARCH, writes_hits=True, is_large=lambda _: is_large))
    first, second = answered(), answered()
    Merger(replace(here, check=being_read), Place(elsewhere)).merge(first)
    assert store.state(first).state == "running"
    assert made_elsewhere == []
    Merger(here, Place(elsewhere)).merge(first)
    assert store.state(first).state == "succeeded"
    assert made_elsewhere == [first] * is_large
    Merger(replace(here, check=damaged), Place(elsewhere)).merge(second)
    assert made_elsewhere == [first] * is_large
    error = store.state(second).error
    assert error is not None
    assert error.detail == "files of its database are damaged or missing; a front end's log names them"


def test_slow_results_are_made_here_one_at_a_time_until_a_process_is_there(
    store: JobStore, here: FrontEnd, answered: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = answered(), answered(), answered()
    made_elsewhere = []

    def elsewhere(job: str, _: Callable[[], object]) -> None:
        made_elsewhere.append(job)
        Merger(here).merge_here(job)

    def slow(found: Answered, front_end: FrontEnd) -> bytes | Round:
        if found.job == first:
            merger.merge(second)
        return SEARCH.advance(found, front_end)

    monkeypatch.setitem(KINDS, "search", replace(SEARCH, advance=slow, is_slow=True))
    merger = Merger(here, Place(elsewhere, is_up=False))
    merger.merge(first)
    assert made_elsewhere == [second]
    Merger(here, Place(elsewhere)).merge(third)
    assert made_elsewhere == [second, third]
    assert [store.state(each).state for each in (first, second, third)] == ["succeeded"] * 3


def test_owners_take_turns_where_their_results_wait(
    store: JobStore, here: FrontEnd, answered: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "LARGE", 1)
    first, second, third, others = (answered() for _ in range(4))
    store.redis.delete(ANSWERED)
    for search, owner in ((first, "one"), (second, "one"), (third, "one"), (others, "another")):
        store.redis.hset(SearchKeys(search).meta, "owner", owner)
    order = []

    def merge(job: str, _: Callable[[], object]) -> None:
        order.append(job)
        if job == first:
            for other in (second, third, others):
                merger.merge(other)
        Merger(here).merge_here(job)

    merger = Merger(here, Place(merge))
    merger.merge(first)
    while (search := merger.next(store.redis, 1)) is not None:
        merger.merge(search)
    assert order == [first, second, others, third]


def test_what_waits_for_a_process_may_be_merged_by_another_front_end(
    store: JobStore, here: FrontEnd, answered: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "LARGE", 1)
    search = answered()

    class Late(Place):
        @contextmanager
        def process(self, size: int) -> Iterator[Place]:
            Merger(here, Place(lambda job, _: Merger(here).merge_here(job))).merge(search)
            yield self

    states = []
    Merger(here, Late(lambda job, _: states.append(store.state(job).state))).merge(search)
    assert states == ["succeeded"]
    assert not store.redis.exists(SearchKeys(search).merging)


def test_what_is_called_again_while_it_is_merged_is_called_after_that(
    store: JobStore, here: FrontEnd, answered: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "LARGE", 1)
    search = answered()
    store.redis.delete(ANSWERED)
    merged = []

    def merge(job: str, _: Callable[[], object]) -> None:
        merged.append(job)
        # As for its next round, whose parts are done at once.
        merger.merge(job)
        assert store.redis.llen(ANSWERED) == 0

    place = Place(merge)
    place.places = 2
    merger = Merger(here, place)
    merger.merge(search)
    assert merged == [search]
    assert merger.next(store.redis, 1) == search
