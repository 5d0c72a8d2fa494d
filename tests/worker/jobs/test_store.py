"""Searches in a real Redis: accepted whole, ended once, found again."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.search.search import find_hits
from tests.support.merging import merge_answered, store_answer
from worker.jobs import listing
from worker.jobs.listing import Listing, list_searches
from worker.jobs.page_tokens import PageTokenError
from worker.jobs.progress import ShardProgress
from worker.jobs.redis_names import LIVE, SEARCHES, SearchKeys, alive_key, waiting_key
from worker.jobs.requests import SearchRequest
from worker.jobs.results.packing import pack, unpack
from worker.jobs.states import (
    Failure,
    SearchExpired,
    SearchFinished,
    SearchNotFound,
    SearchNotReady,
    SearchUnsuccessful,
    ShardUnavailable,
)
from worker.jobs.store import JobStore
from worker.jobs.submission import Retention
from worker.jobs.targets import SearchTarget, queue_name, search_target
from worker.kinds.search import plan
from worker.queue.recovery import recover


def request(sequence: str = ">q\nMKVLAAGW", **fields: Any) -> SearchRequest:
    return SearchRequest(sequence=sequence, database="small", **fields)


def submit(store: JobStore, target: SearchTarget, sequence: str = ">q\nMKVLAAGW", **fields: Any) -> str:
    asked = request(sequence, **fields)
    return store.submit(plan(asked, asked.records(), target)).id


def answer(store: JobStore, database: Database, search: str, shard: int) -> None:
    """Do what a worker does, and the front end after the last one."""
    asked, target = store.request(search)
    engine, part = CpuEngine(1), database.shard(shard, target.parts)
    engine.load(part)
    store_answer(store, search, find_hits(engine, part, asked.records(), asked.parameters), target.parts)
    merge_answered(store)


def cut(store: JobStore, target: SearchTarget, shards: int) -> SearchTarget:
    """The same database in so many shards, each with a worker that answers."""
    for shard in range(shards):
        queue = queue_name(target.used.name, target.used.version, shard, shards)
        store.redis.set(alive_key(queue), "worker")
    return replace(target, databases=tuple(replace(each, shards=shards) for each in target.databases))


def test_result_of_one_shard_is_that_of_two(store: JobStore, target: SearchTarget, database: Database) -> None:
    whole, halves = (submit(store, cut(store, target, shards)) for shards in (1, 2))
    answer(store, database, whole, 0)
    state = store.state(whole)
    assert (state.state, state.shards.done) == ("succeeded", 1)
    for shard in range(2):
        answer(store, database, halves, shard)
    # Of the parts nothing is kept beside the whole.
    assert store.redis.hgetall(SearchKeys(halves).shards) == {b"0": b"", b"1": b""}
    made, merged = store.result(whole), store.result(halves)
    assert made == replace(merged, search=whole, certificate=made.certificate, digest=made.digest)
    assert made.digest is not None


def test_member_that_is_no_id_is_removed_from_the_searches_that_have_not_ended(
    store: JobStore, target: SearchTarget
) -> None:
    one = cut(store, target, 1)
    search = submit(store, one)
    store.redis.sadd(LIVE, b"\xff", b"a b", b"", b"x" * 100)
    assert store.live_targets() == set(one.databases)
    assert store.redis.smembers(LIVE) == {search.encode()}
    store.redis.sadd(LIVE, b"\xff")
    recover(store)
    assert store.redis.smembers(LIVE) == {search.encode()}


def test_result_of_one_shard_that_comes_after_a_delete_is_dropped(
    store: JobStore, target: SearchTarget, database: Database
) -> None:
    one = cut(store, target, 1)
    search = submit(store, one)
    asked = request(">q\nMKVLAAGW")
    store.delete(search)
    engine, part = CpuEngine(1), database.shard(0, 1)
    engine.load(part)
    store_answer(store, search, find_hits(engine, part, asked.records(), asked.parameters), 1)
    merge_answered(store)
    assert not store.redis.exists(*SearchKeys(search).data)


def test_result_of_one_shard_that_comes_after_a_cancel_does_not_undo_it(
    store: JobStore, target: SearchTarget, database: Database
) -> None:
    search = submit(store, cut(store, target, 1))
    store.cancel(search)
    answer(store, database, search, 0)
    assert store.state(search).state == "cancelled"
    with pytest.raises(SearchUnsuccessful):
        store.result_json(search)


def test_states_from_queued_to_succeeded(store: JobStore, target: SearchTarget, database: Database) -> None:
    search = submit(store, target)
    assert store.state(search).state == "queued"
    with pytest.raises(SearchNotReady):
        store.result_json(search)
    store.report(search, 0, ShardProgress(0.5, "aligning", 3.0))
    state = store.state(search)
    assert (state.state, state.progress) == ("running", 0.25)
    answer(store, database, search, 1)
    assert store.state(search).shards.done == 1
    answer(store, database, search, 0)
    state = store.state(search)
    assert (state.state, state.progress, state.position) == ("succeeded", 1.0, None)
    assert [hit.accession for hit in store.result(search).results[0].hits][:2] == ["one", "two"]
    assert store.redis.scard(LIVE) == 0


def test_shards_that_did_not_score_everything_fail_the_search(
    store: JobStore, target: SearchTarget, database: Database
) -> None:
    search = submit(store, target)
    asked, _ = store.request(search)
    answer(store, database, search, 0)
    engine, part = CpuEngine(1), database.shard(1, 2)
    engine.load(part)
    found = find_hits(engine, part, asked.records(), asked.parameters)
    store_answer(store, search, replace(found, extents=(replace(found.extents[0], cells=34),)), 2)
    merge_answered(store)
    state = store.state(search)
    assert state.error is not None
    assert (state.state, state.error.type) == ("failed", "shard-failed")
    assert state.error.detail == (
        "query 1 was scored against 2 of 2 subjects, 32 of 32 residues, in 34 of 256 cells, by shard 1 of small"
    )


def test_shard_result_of_another_version_is_made_again(
    store: JobStore, target: SearchTarget, database: Database
) -> None:
    search = submit(store, target)
    answer(store, database, search, 0)
    # As it was kept before extents were.
    key, adapter = SearchKeys(search).shards, TypeAdapter(dict[str, Any])
    part = adapter.validate_json(unpack(store.redis.hget(key, "0") or b""))
    del part["extents"]
    store.redis.hset(key, "0", pack(adapter.dump_json(part)))
    queue = target.queues[0]
    store.redis.delete(waiting_key(queue))
    answer(store, database, search, 1)
    assert store.redis.hkeys(key) == [b"1"]
    recover(store)
    assert store.redis.zcard(waiting_key(queue)) == 1
    answer(store, database, search, 0)
    assert store.state(search).state == "succeeded"


def test_shard_result_stored_twice_changes_nothing(store: JobStore, target: SearchTarget, database: Database) -> None:
    search = submit(store, target)
    for shard in (0, 0, 1):
        answer(store, database, search, shard)
    before = store.redis.hgetall(SearchKeys(search).shards), store.result_json(search)
    answer(store, database, search, 1)
    assert (store.redis.hgetall(SearchKeys(search).shards), store.result_json(search)) == before


def test_equal_requests_are_one_search(store: JobStore, database: Database, target: SearchTarget) -> None:
    search = submit(store, target)
    assert submit(store, target, ">q\r\nMKVL\r\nAAGW\r\n", gap_open=11, matrix="blosum62") == search
    others = [
        submit(store, target, ">r\nMKVLAAGW"),
        submit(store, target, title="named"),
        submit(store, target, max_target_seqs=5),
        submit(store, search_target(replace(database.manifest, checksum="another"))),
    ]
    assert len({search, *others}) == 5
    asked = request()
    assert store.submit(plan(asked, asked.records(), target), fresh=True).id not in {search, *others}


@pytest.mark.parametrize("ending", ["failed", "cancelled", "deleted"])
def test_search_without_a_result_gives_its_claim_up(store: JobStore, target: SearchTarget, ending: str) -> None:
    search = submit(store, target)
    match ending:
        case "failed":
            store.fail(search, Failure("shard-failed", "its reason", 1))
        case "cancelled":
            assert store.cancel(search)
        case _:
            store.delete(search)
    assert submit(store, target) != search


@pytest.mark.parametrize("ending", ["failed", "cancelled"])
def test_what_parts_have_found_goes_when_a_search_ends_without_a_result(
    store: JobStore, target: SearchTarget, database: Database, ending: str
) -> None:
    search = submit(store, target)
    answer(store, database, search, 0)
    assert store.answered_part(search, 0) is not None
    if ending == "failed":
        store.fail(search, Failure("shard-failed", "its reason", 1))
    else:
        store.cancel(search)
    assert store.redis.hgetall(SearchKeys(search).shards) == {b"0": b""}
    state = store.state(search)
    assert (state.state, state.shards.done) == (ending, 1)


def test_search_that_is_cancelled_while_it_is_merged_stays_so(
    store: JobStore, target: SearchTarget, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, keep = submit(store, target), store.answer

    def cancelled_before(job: str, whole: bytes, shards: int) -> None:
        store.cancel(job)
        keep(job, whole, shards)

    monkeypatch.setattr(store, "answer", cancelled_before)
    for shard in (0, 1):
        answer(store, database, search, shard)
    assert store.state(search).state == "cancelled"
    assert store.redis.hgetall(SearchKeys(search).shards) == {b"0": b"", b"1": b""}
    assert not store.redis.exists(SearchKeys(search).whole)


def test_an_end_is_written_once(store: JobStore, target: SearchTarget, database: Database) -> None:
    search = submit(store, target)
    assert store.cancel(search) is True
    assert store.cancel(search) is False
    store.fail(search, Failure("shard-failed", "too late"))
    for shard in (0, 1):
        answer(store, database, search, shard)
    assert store.state(search).state == "cancelled"
    with pytest.raises(SearchUnsuccessful):
        store.result_json(search)
    done = submit(store, target, ">r\nMKVLAAGW")
    for shard in (0, 1):
        answer(store, database, done, shard)
    with pytest.raises(SearchFinished):
        store.cancel(done)


def test_parts_that_do_not_make_up_the_database_fail_the_search(
    store: JobStore, target: SearchTarget, database: Database
) -> None:
    search = submit(store, target)
    answer(store, database, search, 0)
    asked, _ = store.request(search)
    engine, part = CpuEngine(1), database.shard(1, 2)
    engine.load(part)
    found = find_hits(engine, part, asked.records(), asked.parameters)
    store_answer(store, search, replace(found, residues=found.residues - 1), 2)
    merge_answered(store)
    error = store.state(search).error
    assert error is not None
    assert error.detail == "the shards' results do not make up database small"


def test_parts_that_an_earlier_version_left_unmerged_have_expired(
    store: JobStore, target: SearchTarget, database: Database
) -> None:
    search = submit(store, target)
    for shard in (0, 1):
        answer(store, database, search, shard)
    store.redis.delete(SearchKeys(search).whole)
    with pytest.raises(SearchExpired, match="never merged"):
        store.stored(search)


def test_failure_says_why(store: JobStore, target: SearchTarget) -> None:
    search = submit(store, target)
    store.fail(search, Failure("shard-failed", "shard 1: its reason", 1))
    assert store.state(search).error == Failure("shard-failed", "shard 1: its reason", 1)
    with pytest.raises(SearchUnsuccessful, match="shard 1: its reason"):
        store.result_json(search)


def test_unknown_expired_and_deleted(store: JobStore, target: SearchTarget) -> None:
    with pytest.raises(SearchNotFound):
        store.state("nobody")
    expired, deleted = submit(store, target), submit(store, target, title="other")
    store.redis.delete(*SearchKeys(expired).data)
    store.delete(deleted)
    for call in (store.state, store.cancel, store.delete, store.result_json):
        with pytest.raises(SearchExpired):
            call(expired)
        with pytest.raises(SearchNotFound):
            call(deleted)


def test_everything_a_search_leaves_has_an_end(store: JobStore, target: SearchTarget, database: Database) -> None:
    short = JobStore(store.redis, Retention(search_s=50))
    search = submit(short, target)
    for shard in (0, 1):
        short.report(search, shard, ShardProgress())
        answer(short, database, search, shard)
    short.result_json(search)
    for key in store.redis.scan_iter(f"*{search}*"):
        assert 0 < store.redis.ttl(key) <= 100, key
    keys = SearchKeys(search)
    assert all(0 < store.redis.ttl(key) <= 50 for key in (keys.meta, keys.shards, keys.progress, keys.whole))


@pytest.mark.parametrize("shards", [1, 2])
def test_late_worker_of_a_deleted_search_writes_nothing(
    store: JobStore, target: SearchTarget, database: Database, shards: int
) -> None:
    search = submit(store, cut(store, target, shards))
    asked, wanted = store.request(search)
    engine, part = CpuEngine(1), database.shard(0, shards)
    engine.load(part)
    late = find_hits(engine, part, asked.records(), asked.parameters)
    store.delete(search)
    store.report(search, 0, ShardProgress())
    store_answer(store, search, late, wanted.parts)
    assert store.redis.exists(*SearchKeys(search).data) == 0
    assert store.outcome(search) == "cancelled"


def test_nothing_is_accepted_for_a_shard_without_a_worker(store: JobStore, target: SearchTarget) -> None:
    kept = submit(store, target)
    store.redis.delete(alive_key(queue_name(target.used.name, target.used.version, 1, 2)))
    assert submit(store, target) == kept
    with pytest.raises(ShardUnavailable, match="shard 1 of database small"):
        submit(store, target, title="new")
    assert store.redis.zcard(SEARCHES) == 1


def test_position_counts_the_searches_before(store: JobStore, target: SearchTarget) -> None:
    ids = [submit(store, target, title=str(number)) for number in range(3)]
    assert [store.state(search).position for search in ids] == [0, 1, 2]


def test_a_page_looks_at_so_many_jobs_and_the_next_goes_on(
    store: JobStore, target: SearchTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [submit(store, target, title=str(number)) for number in range(7)]
    store.cancel(ids[0])
    looked_at = list[str]()
    monkeypatch.setattr(listing, "MAX_LOOKED_AT", 3)
    monkeypatch.setattr(
        JobStore, "state", lambda _, search, look=JobStore.state: looked_at.append(search) or look(_, search)
    )
    pages, token = list[list[str]](), ""
    while token or not pages:
        page = list_searches(store, Listing(state="cancelled"), 10, token)
        pages.append([state.id for state in page.searches])
        token = page.next_token
    assert pages == [[], [], [ids[0]]]
    assert looked_at == [ids[0]], "one round trip tells which of the others are in another state"
    assert len(list_searches(store, Listing(state="queued"), 10).searches) == 3
    assert looked_at[1:] == ids[:3:-1]


def test_pages_show_every_search_once(store: JobStore, target: SearchTarget) -> None:
    ids = [submit(store, target, title=str(number)) for number in range(7)]
    store.cancel(ids[3])
    found, token = [], ""
    while True:
        page = list_searches(store, Listing(), 3, token)
        found += [state.id for state in page.searches]
        token = page.next_token
        if not token:
            break
    assert found == ids[::-1]
    assert [state.id for state in list_searches(store, Listing(state="cancelled"), 10).searches] == [ids[3]]
    assert [state.id for state in list_searches(store, Listing((ids[1], "gone", ids[5])), 10).searches] == [
        ids[1],
        ids[5],
    ]
    after = store.state(ids[4]).created_at.timestamp()
    assert [state.id for state in list_searches(store, Listing(created_after=after), 10).searches] == ids[:4:-1]
    token = list_searches(store, Listing(), 3).next_token
    for wrong in (Listing(state="queued"), Listing(created_after=1.0)):
        with pytest.raises(PageTokenError):
            list_searches(store, wrong, 3, token)
    with pytest.raises(PageTokenError):
        list_searches(store, Listing(), 3, "nonsense")
