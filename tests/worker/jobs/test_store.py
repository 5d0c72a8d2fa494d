"""Searches in a real Redis: accepted whole, ended once, found again."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.search.search import find_hits
from worker.jobs.listing import Listing, list_searches
from worker.jobs.page_tokens import PageTokenError
from worker.jobs.progress import ShardProgress
from worker.jobs.redis_names import LIVE, SEARCHES, SearchKeys, alive_key, queue_name, shard_queues, waiting_key
from worker.jobs.requests import SearchRequest
from worker.jobs.results.packing import pack, unpack
from worker.jobs.states import (
    Failure,
    SearchExpired,
    SearchFinished,
    SearchNotFound,
    SearchNotReady,
    SearchTarget,
    SearchUnsuccessful,
    ShardUnavailable,
)
from worker.jobs.store import Client
from worker.jobs.submission import Retention
from worker.queue.recovery import recover


def request(sequence: str = ">q\nMKVLAAGW", **fields: Any) -> SearchRequest:
    return SearchRequest(sequence=sequence, database="small", **fields)


def submit(client: Client, target: SearchTarget, sequence: str = ">q\nMKVLAAGW", **fields: Any) -> str:
    asked = request(sequence, **fields)
    return client.submit(asked, asked.records(), target).id


def answer(client: Client, database: Database, search: str, shard: int) -> None:
    """Do what a worker does."""
    asked, target = client.request(search)
    engine, part = CpuEngine(1), database.shard(shard, target.shards)
    engine.load(part)
    client.store(search, find_hits(engine, part, asked.records(), asked.parameters), asked, target)


def cut(client: Client, target: SearchTarget, shards: int) -> SearchTarget:
    """The same database in so many shards, each with a worker that answers."""
    for shard in range(shards):
        queue = queue_name(target.used.name, target.used.version, shard, shards)
        client.redis.set(alive_key(queue), "worker")
    return replace(target, shards=shards)


def test_result_of_one_shard_is_made_by_its_worker_as_the_merge_would(
    client: Client, target: SearchTarget, database: Database
) -> None:
    whole, halves = (submit(client, cut(client, target, shards)) for shards in (1, 2))
    answer(client, database, whole, 0)
    state = client.state(whole)
    assert (state.state, state.shards.done) == ("succeeded", 1)
    for shard in range(2):
        answer(client, database, halves, shard)
    # Of the parts nothing is kept beside the whole.
    assert client.redis.hgetall(SearchKeys(halves).shards) == {b"0": b"", b"1": b""}
    made, merged = client.result(whole), client.result(halves)
    assert made == replace(merged, search=whole, certificate=made.certificate)
    assert made.digest is not None


def test_member_that_is_no_id_is_removed_from_the_searches_that_have_not_ended(
    client: Client, target: SearchTarget
) -> None:
    one = cut(client, target, 1)
    search = submit(client, one)
    client.redis.sadd(LIVE, b"\xff", b"a b", b"", b"x" * 100)
    assert client.live_targets() == {one}
    assert client.redis.smembers(LIVE) == {search.encode()}
    client.redis.sadd(LIVE, b"\xff")
    recover(client)
    assert client.redis.smembers(LIVE) == {search.encode()}


def test_result_of_one_shard_that_comes_after_a_delete_is_dropped(
    client: Client, target: SearchTarget, database: Database
) -> None:
    one = cut(client, target, 1)
    search = submit(client, one)
    asked = request(">q\nMKVLAAGW")
    client.delete(search)
    engine, part = CpuEngine(1), database.shard(0, 1)
    engine.load(part)
    client.store(search, find_hits(engine, part, asked.records(), asked.parameters), asked, one)
    assert not client.redis.exists(*SearchKeys(search).data)


def test_result_of_one_shard_that_comes_after_a_cancel_does_not_undo_it(
    client: Client, target: SearchTarget, database: Database
) -> None:
    search = submit(client, cut(client, target, 1))
    client.cancel(search)
    answer(client, database, search, 0)
    assert client.state(search).state == "cancelled"
    with pytest.raises(SearchUnsuccessful):
        client.result_json(search)


def test_states_from_queued_to_succeeded(client: Client, target: SearchTarget, database: Database) -> None:
    search = submit(client, target)
    assert client.state(search).state == "queued"
    with pytest.raises(SearchNotReady):
        client.result_json(search)
    client.report(search, 0, ShardProgress(0.5, "aligning", 3.0))
    state = client.state(search)
    assert (state.state, state.progress) == ("running", 0.25)
    answer(client, database, search, 1)
    assert client.state(search).shards.done == 1
    answer(client, database, search, 0)
    state = client.state(search)
    assert (state.state, state.progress, state.position) == ("succeeded", 1.0, None)
    assert [hit.accession for hit in client.result(search).results[0].hits][:2] == ["one", "two"]
    assert client.redis.scard(LIVE) == 0


def test_shards_that_did_not_score_everything_fail_the_search(
    client: Client, target: SearchTarget, database: Database
) -> None:
    search = submit(client, target)
    asked, _ = client.request(search)
    answer(client, database, search, 0)
    engine, part = CpuEngine(1), database.shard(1, 2)
    engine.load(part)
    found = find_hits(engine, part, asked.records(), asked.parameters)
    client.store(search, replace(found, extents=(replace(found.extents[0], cells=34),)), asked, target)
    state = client.state(search)
    assert state.error is not None
    assert (state.state, state.error.type) == ("failed", "shard-failed")
    assert state.error.detail == (
        "query 1 was scored against 2 of 2 subjects, 32 of 32 residues, in 34 of 256 cells, by shard 1"
    )


def test_shard_result_of_another_version_is_made_again(
    client: Client, target: SearchTarget, database: Database
) -> None:
    search = submit(client, target)
    answer(client, database, search, 0)
    # As it was kept before extents were.
    key, adapter = SearchKeys(search).shards, TypeAdapter(dict[str, Any])
    part = adapter.validate_json(unpack(client.redis.hget(key, "0") or b""))
    del part["extents"]
    client.redis.hset(key, "0", pack(adapter.dump_json(part)))
    queue = shard_queues(target)[0]
    client.redis.delete(waiting_key(queue))
    answer(client, database, search, 1)
    assert client.redis.hkeys(key) == [b"1"]
    recover(client)
    assert client.redis.zcard(waiting_key(queue)) == 1
    answer(client, database, search, 0)
    assert client.state(search).state == "succeeded"


def test_shard_result_stored_twice_changes_nothing(client: Client, target: SearchTarget, database: Database) -> None:
    search = submit(client, target)
    for shard in (0, 0, 1):
        answer(client, database, search, shard)
    before = client.redis.hgetall(SearchKeys(search).shards), client.result_json(search)
    answer(client, database, search, 1)
    assert (client.redis.hgetall(SearchKeys(search).shards), client.result_json(search)) == before


def test_equal_requests_are_one_search(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    assert submit(client, target, ">q\r\nMKVL\r\nAAGW\r\n", gap_open=11, matrix="blosum62") == search
    others = [
        submit(client, target, ">r\nMKVLAAGW"),
        submit(client, target, title="named"),
        submit(client, target, max_target_seqs=5),
        submit(client, replace(target, used=replace(target.used, checksum="another"))),
    ]
    assert len({search, *others}) == 5
    asked = request()
    assert client.submit(asked, asked.records(), target, fresh=True).id not in {search, *others}


@pytest.mark.parametrize("ending", ["failed", "cancelled", "deleted"])
def test_search_without_a_result_gives_its_claim_up(client: Client, target: SearchTarget, ending: str) -> None:
    search = submit(client, target)
    match ending:
        case "failed":
            client.fail(search, Failure("shard-failed", "its reason", 1))
        case "cancelled":
            assert client.cancel(search)
        case _:
            client.delete(search)
    assert submit(client, target) != search


def test_an_end_is_written_once(client: Client, target: SearchTarget, database: Database) -> None:
    search = submit(client, target)
    assert client.cancel(search) is True
    assert client.cancel(search) is False
    client.fail(search, Failure("shard-failed", "too late"))
    for shard in (0, 1):
        answer(client, database, search, shard)
    assert client.state(search).state == "cancelled"
    with pytest.raises(SearchUnsuccessful):
        client.result_json(search)
    done = submit(client, target, ">r\nMKVLAAGW")
    for shard in (0, 1):
        answer(client, database, done, shard)
    with pytest.raises(SearchFinished):
        client.cancel(done)


def test_last_worker_that_dies_after_its_answer_leaves_a_search_that_ends(
    client: Client, target: SearchTarget, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = submit(client, target)
    with monkeypatch.context() as dying:
        dying.setattr(Client, "end_if_answered", lambda *_: None)
        for shard in (0, 1):
            answer(client, database, search, shard)
    assert client.state(search).state == "running"
    recover(client)
    assert client.state(search).state == "succeeded"
    assert client.redis.scard(LIVE) == 0


def test_parts_that_do_not_make_up_the_database_fail_the_search(
    client: Client, target: SearchTarget, database: Database
) -> None:
    search = submit(client, target)
    answer(client, database, search, 0)
    asked, _ = client.request(search)
    engine, part = CpuEngine(1), database.shard(1, 2)
    engine.load(part)
    found = find_hits(engine, part, asked.records(), asked.parameters)
    client.store(search, replace(found, residues=found.residues - 1), asked, target)
    error = client.state(search).error
    assert error is not None
    assert error.detail == "the shards' results do not make up database small"


def test_parts_that_an_earlier_version_left_unmerged_have_expired(
    client: Client, target: SearchTarget, database: Database
) -> None:
    search = submit(client, target)
    for shard in (0, 1):
        answer(client, database, search, shard)
    client.redis.delete(SearchKeys(search).whole)
    with pytest.raises(SearchExpired, match="never merged"):
        client.stored(search)


def test_failure_says_why(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    client.fail(search, Failure("shard-failed", "shard 1: its reason", 1))
    assert client.state(search).error == Failure("shard-failed", "shard 1: its reason", 1)
    with pytest.raises(SearchUnsuccessful, match="shard 1: its reason"):
        client.result_json(search)


def test_unknown_expired_and_deleted(client: Client, target: SearchTarget) -> None:
    with pytest.raises(SearchNotFound):
        client.state("nobody")
    expired, deleted = submit(client, target), submit(client, target, title="other")
    client.redis.delete(*SearchKeys(expired).data)
    client.delete(deleted)
    for call in (client.state, client.cancel, client.delete, client.result_json):
        with pytest.raises(SearchExpired):
            call(expired)
        with pytest.raises(SearchNotFound):
            call(deleted)


def test_everything_a_search_leaves_has_an_end(client: Client, target: SearchTarget, database: Database) -> None:
    short = Client(client.redis, Retention(search_s=50))
    search = submit(short, target)
    for shard in (0, 1):
        short.report(search, shard, ShardProgress())
        answer(short, database, search, shard)
    short.result_json(search)
    for key in client.redis.scan_iter(f"*{search}*"):
        assert 0 < client.redis.ttl(key) <= 100, key
    assert all(0 < client.redis.ttl(key) <= 50 for key in SearchKeys(search).data)


@pytest.mark.parametrize("shards", [1, 2])
def test_late_worker_of_a_deleted_search_writes_nothing(
    client: Client, target: SearchTarget, database: Database, shards: int
) -> None:
    search = submit(client, cut(client, target, shards))
    asked, wanted = client.request(search)
    engine, part = CpuEngine(1), database.shard(0, shards)
    engine.load(part)
    late = find_hits(engine, part, asked.records(), asked.parameters)
    client.delete(search)
    client.report(search, 0, ShardProgress())
    client.store(search, late, asked, wanted)
    assert client.redis.exists(*SearchKeys(search).data) == 0
    assert client.outcome(search) == "cancelled"


def test_nothing_is_accepted_for_a_shard_without_a_worker(client: Client, target: SearchTarget) -> None:
    kept = submit(client, target)
    client.redis.delete(alive_key(queue_name(target.used.name, target.used.version, 1, 2)))
    assert submit(client, target) == kept
    with pytest.raises(ShardUnavailable, match="shard 1 of database small"):
        submit(client, target, title="new")
    assert client.redis.zcard(SEARCHES) == 1


def test_position_counts_the_searches_before(client: Client, target: SearchTarget) -> None:
    ids = [submit(client, target, title=str(number)) for number in range(3)]
    assert [client.state(search).position for search in ids] == [0, 1, 2]


def test_pages_show_every_search_once(client: Client, target: SearchTarget) -> None:
    ids = [submit(client, target, title=str(number)) for number in range(7)]
    client.cancel(ids[3])
    found, token = [], ""
    while True:
        page = list_searches(client, Listing(), 3, token)
        found += [state.id for state in page.searches]
        token = page.next_token
        if not token:
            break
    assert found == ids[::-1]
    assert [state.id for state in list_searches(client, Listing(state="cancelled"), 10).searches] == [ids[3]]
    assert [state.id for state in list_searches(client, Listing((ids[1], "gone", ids[5])), 10).searches] == [
        ids[1],
        ids[5],
    ]
    after = client.state(ids[4]).created_at.timestamp()
    assert [state.id for state in list_searches(client, Listing(created_after=after), 10).searches] == ids[:4:-1]
    token = list_searches(client, Listing(), 3).next_token
    for wrong in (Listing(state="queued"), Listing(created_after=1.0)):
        with pytest.raises(PageTokenError):
            list_searches(client, wrong, 3, token)
    with pytest.raises(PageTokenError):
        list_searches(client, Listing(), 3, "nonsense")
