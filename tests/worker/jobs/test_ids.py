"""Ids name the data that they belong to, and what was lost with it is told from what never was."""

import re
from dataclasses import replace

import pytest

from tests.support.turns import submit_letters
from worker.access.callers import ANYBODY
from worker.jobs import ids, retention
from worker.jobs.ids import KIND_NAMES, SEARCH, VERIFICATION, called, kind_named, mark_of, new_id, new_mark
from worker.jobs.redis_names import SearchKeys, lists_of
from worker.jobs.requests import SearchRequest
from worker.jobs.retention import make_room
from worker.jobs.states import Failure, SearchExpired, SearchFinished, SearchLost, SearchNotFound, SearchNotReady
from worker.jobs.store import JobStore
from worker.jobs.submission import NewJob
from worker.jobs.targets import SearchTarget
from worker.kinds import KINDS
from worker.kinds.search import plan


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


def test_the_names_are_those_of_the_kinds_that_there_are() -> None:
    assert tuple(KINDS) == KIND_NAMES


def test_id_of_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no kind of work is called survey"):
        new_id("AAAAAA", "survey")


def test_new_kind_is_one_more_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "KIND_NAMES", (*KIND_NAMES, "survey"))
    found = {kind: new_id("AAAAAA", kind) for kind in (SEARCH, VERIFICATION, "survey")}
    assert re.fullmatch("survey-[A-Za-z0-9_-]{34}", found["survey"])
    assert re.fullmatch("[A-Za-z0-9_-]{34}", found[SEARCH])
    assert {kind: kind_named(job) for kind, job in found.items()} == {kind: kind for kind in found}
    assert {mark_of(job) for job in found.values()} == {"AAAAAA"}
    for odd in ("survey-x", "survey-" + "A" * 35, "search-" + "A" * 34, "surveys" + "A" * 34, "-" + "A" * 34):
        assert kind_named(odd) == SEARCH
    assert lists_of("survey", "somebody") == {"shardwater:surveys", "shardwater:surveys:somebody"}
    assert lists_of(VERIFICATION, "somebody") == {"shardwater:verifications", "shardwater:verifications:somebody"}
    assert lists_of(SEARCH, "somebody") == {"shardwater:searches", "shardwater:searches:somebody"}


def planned(target: SearchTarget, kind: str) -> NewJob:
    asked = SearchRequest(sequence=">q\nMKVLAAGW", database="small")
    return replace(plan(asked, asked.records(), target), kind=kind)


def test_ended_job_of_a_new_kind_makes_room(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (ids, retention):
        monkeypatch.setattr(module, "KIND_NAMES", (*KIND_NAMES, "survey"))
    job = store.submit(planned(target, "survey")).id
    store.cancel(job)
    assert make_room(store, 1) == 1
    with pytest.raises(SearchExpired, match=f"^{job} has been removed at the end of its time"):
        store.state(job)


def test_job_is_called_by_its_kind(store: JobStore, target: SearchTarget) -> None:
    assert called("x") == "search x"
    assert called("x", VERIFICATION) == "verification x"
    job = store.submit(planned(target, VERIFICATION)).id
    verifications, searches = store.of(ANYBODY, VERIFICATION), store.of(ANYBODY)
    for missing, wanted in ((verifications, "no verification x"), (searches, "no search x")):
        with pytest.raises(SearchNotFound, match=f"^{wanted}$"):
            missing.state("x")
    with pytest.raises(SearchNotFound, match=f"^no search {job}$"):
        searches.state(job)
    with pytest.raises(SearchNotReady, match=f"^{job} is queued$"):
        verifications.packed_result(job)
    store.fail(job, Failure("shard-failed", "on purpose"))
    with pytest.raises(SearchFinished, match=f"^{job} has ended$"):
        verifications.cancel(job)
    store.remove_early(job)
    with pytest.raises(SearchExpired, match=f"^{job} has been removed at the end of its time"):
        verifications.state(job)
    verifications.redis.delete(SearchKeys(job).known)
    with pytest.raises(SearchNotFound, match=f"^no {job}$"):
        verifications.state(job)
    store.redis.flushall()
    with pytest.raises(SearchLost, match=f"^{job} was accepted, and the queue has lost its data since"):
        verifications.state(job)


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
