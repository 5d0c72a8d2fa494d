"""Verifications, by workers and a front end in the test's own process."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from shardwater.database.catalog import Catalog
from shardwater.database.database import Database, Shard
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Found, Slice, Slices
from shardwater.genomes.cpu import CpuGenomes
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.scoring import Scoring
from shardwater.search.digests import query_digest, result_digest
from shardwater.search.merge import NarrowShortlist, SearchResult
from shardwater.sequences.fasta import Record
from shardwater.steps import finish
from tests.support.merging import merge_answered, round_of
from tests.support.simulators import simulator
from tests.support.turns import ALONE, worker_of
from worker.jobs.files import JobFiles
from worker.jobs.ids import VERIFICATION
from worker.jobs.redis_names import SearchKeys, jobs_key
from worker.jobs.requests import SearchRequest
from worker.jobs.results.digested import parse_result
from worker.jobs.results.packing import pack, unpack
from worker.jobs.results.signing import Signer
from worker.jobs.retention import make_room
from worker.jobs.states import SearchState
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds import kind_of, search, verification
from worker.kinds.kind import Workplace
from worker.kinds.verification import SampleTooLarge, Verification, VerificationRequest, read_verification
from worker.queue.recovery import recover

TWO_QUERIES = ">q\nMKVLAAGWDEHHKLMNPQRSTVWY\n>r\nHHKLMNPQRSTVWYACDEF\n"
MODES = [None, 0, 3]


class Forgetful(CpuEngine):
    """Forgets the best subject of every query."""

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, among: Shard | None = None
    ) -> Slices[Found]:
        for each in super().search(queries, scoring, top, among):
            yield Slice(each.cells, [(number, replace(found, best=found.best[1:])) for number, found in each.answers])


class Work(Protocol):
    """Does all that waits for both shards, and merges it."""

    def __call__(self, engine: type[CpuEngine] = CpuEngine) -> None: ...


@pytest.fixture
def work(store: JobStore, target: SearchTarget, database: Database) -> Work:
    def done(engine: type[CpuEngine] = CpuEngine) -> None:
        for index in (0, 1):
            loaded, shard = engine(1), database.shard(index, 2)
            loaded.load(shard)
            queue = worker_of(store, target, index)
            while parts := queue.lease(ALONE):
                kind = kind_of(parts[0].search)
                files = JobFiles(database.path / "jobs", 1 << 30)
                [answer] = finish(
                    kind.run(Workplace(loaded, CpuPairs(1), CpuGenomes(), simulator(), shard, store, files), parts)
                )
                store.store_part(parts[0].search, index, answer.packed, 2, parts[0].round)
                queue.finish(parts)
        merge_answered(store, database.path.parents[1])

    return done


def search_now(store: JobStore, target: SearchTarget, work: Work, engine: type[CpuEngine] = CpuEngine) -> str:
    """A search that has succeeded."""
    request = SearchRequest(sequence=TWO_QUERIES, database="small", statistics="table", order="score", evalue=1000)
    found = store.submit(search.plan(request, request.records(), target), fresh=True).id
    work(engine)
    return found


@pytest.fixture
def searched(store: JobStore, target: SearchTarget, work: Work) -> str:
    return search_now(store, target, work)


def submit(store: JobStore, searched: str, sample: int | None) -> str:
    asked = VerificationRequest(search=searched, sample=sample)
    planned = verification.plan(asked, *store.request(searched), store.stored(searched))
    return store.submit(planned, fresh=True).id


@pytest.fixture
def verified(store: JobStore, searched: str, work: Work) -> Callable[[int | None], Verification]:
    """verified(sample): what a verification of that search finds."""

    def make(sample: int | None) -> Verification:
        job = submit(store, searched, sample)
        work()
        assert store.state(job).error is None
        return read_verification(store.packed_result(job))

    return make


def change(store: JobStore, searched: str, edit: Callable[[Any], object], *, seal: bool) -> None:
    """Change the stored result; sealed, its digests are those of what it says now."""
    key = SearchKeys(searched).whole
    result = json.loads(unpack(store.redis.get(key)))
    edit(result)
    if seal:
        for part in result["results"]:
            part["digest"] = query_digest(part)
        result["digest"] = result_digest(result, [part["digest"] for part in result["results"]])
    store.redis.set(key, pack(json.dumps(result, separators=(",", ":")).encode()))


@pytest.mark.parametrize("sample", MODES)
def test_a_sound_result_is_equal(verified: Callable[[int | None], Verification], sample: int | None) -> None:
    found = verified(sample)
    assert (found.equal, found.total, found.differences, found.changed) == (True, 0, (), "")
    assert found.sample == sample
    assert found.subjects == (4 if sample is None else sample)
    assert found.cells > 0


def test_all_of_a_search_counts_the_cells_of_all(
    store: JobStore, searched: str, verified: Callable[[int | None], Verification]
) -> None:
    assert verified(None).cells == store.result(searched).certificate.cells


@pytest.mark.parametrize("sample", MODES)
def test_a_changed_score_is_found_whatever_its_digest_says(
    store: JobStore, searched: str, verified: Callable[[int | None], Verification], sample: int | None
) -> None:
    change(store, searched, lambda result: result["results"][1]["hits"][0].update(score=500), seal=True)
    found = verified(sample)
    assert not found.equal
    assert found.changed == ""
    [told] = [each for each in found.differences if each.member == "score"]
    assert (told.query, told.query_id, told.rank, told.stored) == (2, "r", 1, "500")


@pytest.mark.parametrize("sample", MODES)
def test_a_query_that_is_missing_is_found(
    store: JobStore, searched: str, verified: Callable[[int | None], Verification], sample: int | None
) -> None:
    change(store, searched, lambda result: result["results"].pop(), seal=True)
    found = verified(sample)
    [told] = [each for each in found.differences if each.member == "queries"]
    assert (told.stored, told.computed) == ("1", "2")


@pytest.mark.parametrize("sample", MODES)
def test_other_parameters_are_found(
    store: JobStore, searched: str, verified: Callable[[int | None], Verification], sample: int | None
) -> None:
    change(store, searched, lambda result: result["parameters"].update(gap_open=12), seal=True)
    assert [each.member for each in verified(sample).differences][:1] == ["parameters.gap_open"]


@pytest.mark.parametrize("sample", MODES)
@pytest.mark.parametrize("kept", [pack(b"[]"), pack(b'{"search": 1'), pack(b"{}")[:-9], b"no gzip", b"\x1f\x8b"])
def test_what_is_kept_and_is_no_result_is_told(
    store: JobStore, searched: str, work: Work, sample: int | None, kept: bytes
) -> None:
    job = submit(store, searched, sample)
    store.redis.set(SearchKeys(searched).whole, kept)
    work()
    found = read_verification(store.packed_result(job))
    assert (found.changed, found.total, found.equal) == ("what is kept of it is no result", 0, False)
    assert found.stored_digest is None


@pytest.mark.parametrize("sample", MODES)
def test_a_result_with_lists_in_lists_is_none(
    store: JobStore, searched: str, verified: Callable[[int | None], Verification], sample: int | None
) -> None:
    change(store, searched, lambda result: result.update(more=json.loads("[" * 300 + "]" * 300)), seal=False)
    assert not verified(sample).equal


def test_a_damaged_result_is_planned_as_one_without_hits(store: JobStore, searched: str) -> None:
    request, target = store.request(searched)
    sound = verification.plan(VerificationRequest(search=searched, sample=3), request, target, store.stored(searched))
    store.redis.set(SearchKeys(searched).whole, b"\x1f\x8bno gzip")
    for sample in MODES:
        asked = VerificationRequest(search=searched, sample=sample)
        planned = verification.plan(asked, request, target, store.stored(searched))
        assert 0 < planned.work.checked < sound.work.checked or sample is None


def test_a_result_of_another_database_is_found_by_a_sample(
    store: JobStore, searched: str, verified: Callable[[int | None], Verification]
) -> None:
    change(store, searched, lambda result: result["database"].update(name="nobody", version="7"), seal=True)
    assert [each.member for each in verified(2).differences] == ["database.name", "database.version"]


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    """A service's key."""
    file = tmp_path / "signing.pem"
    key = Ed25519PrivateKey.generate()
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return Signer.read(file)


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda signature: None, ""),
        (lambda signature: signature.update(value="AAAA"), "its signature is not one of its digest"),
        (lambda signature: signature.update(key="0" * 16), "it is signed with another key, '0000000000000000'; "),
    ],
)
def test_a_signature_that_is_not_the_services_is_told(
    store: JobStore, searched: str, signer: Signer, edit: Callable[[Any], object], told: str
) -> None:
    def sign(result: Any) -> None:
        signature = signer.sign(result["digest"])
        result["signature"] = {
            "algorithm": signature.algorithm, "key": signature.key, "value": signature.value
        }  # fmt: skip
        edit(result["signature"])

    change(store, searched, sign, seal=False)
    plain, result = parse_result(store.result_json(searched))
    found = verification.changed_since(plain, result, signer)
    assert found.startswith(told)
    assert bool(found) is bool(told)
    assert verification.changed_since(plain, result, None) == ""


def test_a_result_that_has_lost_its_digest_is_told(
    store: JobStore, searched: str, verified: Callable[[int | None], Verification]
) -> None:
    change(store, searched, lambda result: result["results"][0]["hits"][0].update(title="another"), seal=False)
    found = verified(None)
    assert "the digest of query 1 does not match" in found.changed
    assert [each.member for each in found.differences] == ["title"]


@pytest.mark.parametrize("sample", [None, 4])
def test_an_engine_that_has_missed_a_hit_is_found(
    store: JobStore, target: SearchTarget, work: Work, sample: int | None
) -> None:
    job = submit(store, search_now(store, target, work, Forgetful), sample)
    work()
    found = read_verification(store.packed_result(job))
    assert {(each.query, each.stored) for each in found.differences if not each.member} == {(1, None), (2, None)}


def test_a_verification_is_no_search(store: JobStore, searched: str, work: Work) -> None:
    job = submit(store, searched, None)
    assert job.startswith(f"{VERIFICATION}-")
    assert store.redis.zrange(jobs_key(VERIFICATION), 0, -1) == [job.encode()]
    assert store.redis.zrange(store.listed, 0, -1) == [searched.encode()]
    work()
    store.delete(job)
    assert store.redis.zcard(jobs_key(VERIFICATION)) == 0
    assert not store.redis.exists(*SearchKeys(job).data)


def failed(store: JobStore, job: str, work: Work) -> SearchState:
    work()
    state = store.state(job)
    assert state.state == "failed"
    return state


def test_a_verification_whose_search_goes_before_the_end_fails(
    store: JobStore, searched: str, database: Database, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = submit(store, searched, 0)
    store_part = store.store_part

    def store_and_delete(*part: Any) -> None:
        store_part(*part)
        if part[1] == 1:
            store.delete(searched)

    monkeypatch.setattr(store, "store_part", store_and_delete)
    state = failed(store, job, work)
    assert state.error is not None
    assert "no search" in state.error.detail


def test_a_verification_of_a_removed_version_fails_only_where_its_files_are_needed(
    store: JobStore, searched: str, database: Database, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, sample = submit(store, searched, None), submit(store, searched, 2)
    monkeypatch.setattr(Catalog, "open", Catalog(Path("/nowhere")).open)
    work()
    assert store.state(whole).state == "succeeded"
    assert store.state(sample).state == "failed"


def test_a_search_of_shards_that_chose_by_another_line_is_verified_all_the_same(
    store: JobStore, searched: str, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, assemble = submit(store, searched, None), verification.assemble

    def narrow_once(*given: Any) -> SearchResult:
        monkeypatch.setattr(verification, "assemble", assemble)
        raise NarrowShortlist

    monkeypatch.setattr(verification, "assemble", narrow_once)
    work()
    assert round_of(store, job) == 2
    recover(store)
    work()
    assert read_verification(store.packed_result(job)).equal


def test_a_sample_that_is_too_much_for_a_processor_is_refused(store: JobStore, searched: str) -> None:
    request, target = store.request(searched)
    [one] = target.databases
    large = replace(target, databases=(replace(one, size=replace(one.size, residues=10**12)),))
    asked = VerificationRequest(search=searched, sample=1)
    told = r"^with its hits a sample of 1 takes [0-9,]+ cells, more than 4,000,000,000: verify all of it, or on the"
    with pytest.raises(SampleTooLarge, match=told):
        verification.plan(asked, request, large, store.stored(searched))


def test_a_sample_is_no_more_than_all_and_lengths_no_more_than_these(store: JobStore, searched: str) -> None:
    request, target = store.request(searched)

    def checked(sample: int) -> float:
        asked = VerificationRequest(search=searched, sample=sample)
        return verification.plan(asked, request, target, store.stored(searched)).work.checked

    assert checked(target.size.subjects) == checked(10_000)
    change(store, searched, lambda result: result["results"][0]["hits"][0].update(length=10**400), seal=True)
    assert checked(0) < 10**6


def test_verifications_are_removed_to_make_room_as_searches_are(store: JobStore, searched: str, work: Work) -> None:
    job = submit(store, searched, None)
    work()
    assert make_room(store, 1) == 2
    assert not store.redis.exists(SearchKeys(job).meta, SearchKeys(searched).meta)
