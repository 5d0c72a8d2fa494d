"""Chains of MSAs, by workers and a front end in the test's own process."""

from collections.abc import Callable
from pathlib import Path

import pytest

from shardwater.msa.msa import Msa
from shardwater.sequences.alphabet import Codes
from shardwater.sequences.masking import tantan
from shardwater.sequences.masking.masks import Masks
from tests.support.families import family
from tests.support.merging import merge_answered
from tests.support.sharded_service import ShardedService
from worker.jobs.chain_requests import ChainRequest
from worker.jobs.files import JobFiles
from worker.jobs.folders import StorageFull
from worker.jobs.msa_files import MsaFiles
from worker.jobs.redis_names import ANSWERED, MARK, SearchKeys, text
from worker.jobs.room import bytes_in, notes_in
from worker.jobs.store import JobStore
from worker.kinds import chain
from worker.kinds.chain import ChainResult, read_chain

FAMILY = family()
QUERY = FAMILY.splitlines()[1]
REPEATED = QUERY[:20] + QUERY[:20] + QUERY


class Service(ShardedService):
    """MSAs of the family."""

    def ask(self, **fields: object) -> str:
        """Ask for the MSA of the first member; its job."""
        usual = {"iterations": 3, "evalue": 0.1, "inclusion_evalue": 0.002, "max_sequences": 1000, "filter": "none"}
        asked = ChainRequest.model_validate({"residues": QUERY, "database": "family", **usual, **fields})
        return self.submit(chain.plan(asked, self.target))

    def msa(self, **fields: object) -> tuple[str, ChainResult]:
        """The MSA of the first member: its job, and what is told of it."""
        job = self.ask(**fields)
        self.do_all()
        assert self.store.state(job).error is None
        return job, read_chain(self.store.packed_result(job))

    def rows(self, job: str, number: int = 0) -> Msa:
        return MsaFiles(self.files, job).msa(number)


@pytest.fixture
def service(store: JobStore, tmp_path: Path) -> Callable[[int], Service]:
    def make(shards: int) -> Service:
        folder = tmp_path / str(shards)
        folder.mkdir()
        return Service(store, folder, FAMILY, shards)

    return make


def names(msa: Msa) -> list[str]:
    return [row.name for row in msa]


def test_the_rows_are_what_the_last_round_has_found(service: Callable[[int], Service]) -> None:
    two = service(2)
    job, result = two.msa()
    msa = two.rows(job)
    assert msa.query.residues.decode() == QUERY
    assert {name for name in names(msa) if name.startswith("m")} == {f"m{number}" for number in range(40)}
    [stage] = result.stages
    assert (stage.found, stage.kept) == (len(msa), len(msa))
    assert [one.number for one in stage.rounds] == [1, 2, 3]
    assert msa.provenance is not None
    assert [each.name for each in msa.provenance.databases] == ["family"]
    # As the database has it, with the profile's alignment: the first row is the query itself.
    assert msa.a3m(0).decode() == QUERY


def test_other_databases_are_searched_once_with_the_profile(service: Callable[[int], Service]) -> None:
    two = service(2)
    job, result = two.msa(iterations=2, then=two.target)
    once, _ = two.msa(iterations=3)
    first, second = two.rows(job, 0), two.rows(job, 1)
    assert [len(stage.rounds) for stage in result.stages] == [2, 1]
    assert names(second) == names(two.rows(once))
    assert len(first) <= len(second)


def test_shards_do_not_show(service: Callable[[int], Service]) -> None:
    found = []
    for shards in (1, 3):
        made = service(shards)
        job, result = made.msa(max_sequences=30)
        msa = made.rows(job)
        found.append((names(msa), [msa.a3m(number) for number in range(len(msa))], msa.figures.tolist(), result))
    assert found[0] == found[1]
    assert len(found[0][0]) == 30


def test_a_chain_without_relatives_has_no_rows(service: Callable[[int], Service]) -> None:
    one = service(1)
    job, result = one.msa(residues="MKWMKWMKWMKW", evalue=1e-9, then=one.target)
    assert [len(one.rows(job, number)) for number in (0, 1)] == [0, 0]
    assert [stage.found for stage in result.stages] == [0, 0]


def test_what_is_asked_for_twice_is_made_once(service: Callable[[int], Service]) -> None:
    one = service(1)
    assert one.msa()[0] == one.msa()[0] != one.msa(iterations=1)[0]


def test_a_chain_that_there_is_no_room_for_fails_and_says_so(service: Callable[[int], Service]) -> None:
    one = service(1)
    asked = ChainRequest.model_validate(
        {"residues": QUERY, "database": "family", "iterations": 1, "evalue": 0.1, "inclusion_evalue": 0.002}
        | {"max_sequences": 1000, "filter": "none"}
    )
    job = one.submit(chain.plan(asked, one.target))
    part = one.lease(0)
    assert part is not None
    one.answer(part, one.do(part))
    one.files.keep_round("another", 2, b"all")
    merge_answered(one.store, one.data, room=3)
    error = one.store.state(job).error
    assert error is not None
    assert error.type == "storage-full"
    assert error.detail.startswith("no space is left for files of your jobs")
    assert not one.files.folder(job).joinpath("msas", "0").exists()
    assert one.store.redis.llen(ANSWERED) == 0


def test_an_msa_counts_for_the_account_of_its_chain_at_once(service: Callable[[int], Service]) -> None:
    one = service(1)
    job, _ = one.msa(iterations=1)
    account = notes_in(one.files.folder(job)).account
    assert account == text(one.store.redis.hget(SearchKeys(job).meta, "account"))
    kept = bytes_in(one.files.folder(job))
    # The bytes are known at the first look: nobody has swept the folders.
    files = JobFiles(one.data / "jobs", 4 * kept)
    files.check_room(kept, account)
    with pytest.raises(StorageFull):
        files.check_room(kept + 1, account)
    files.check_room(kept + kept // 2, "another")


@pytest.mark.parametrize("then", [False, True])
def test_repeats_are_looked_for_once_in_all_rounds(
    service: Callable[[int], Service], monkeypatch: pytest.MonkeyPatch, *, then: bool
) -> None:
    looked_at = list[bytes]()
    look = tantan.repeats

    def counted(codes: list[Codes], *options: float) -> list[Masks]:
        looked_at.extend(each.tobytes() for each in codes)
        return look(codes, *options)

    monkeypatch.setattr(tantan, "repeats", counted)
    two = service(2)
    # With a repeat, so that subjects are looked at, too.
    _, result = two.msa(residues=REPEATED, then=two.target if then else None)
    assert [len(stage.rounds) for stage in result.stages] == [3, 1][: 1 + then]
    assert len(looked_at) > 1
    assert len(looked_at) == len(set(looked_at))


@pytest.mark.parametrize("then", [False, True])
def test_a_chain_that_is_deleted_while_it_is_merged_leaves_nothing(
    service: Callable[[int], Service], monkeypatch: pytest.MonkeyPatch, then: bool
) -> None:
    one = service(1)
    keep, job = JobFiles.keep_round, one.ask(then=one.target if then else None)

    def deleted_before(files: JobFiles, merged: str, number: int, content: bytes) -> None:
        # As DELETE does it.
        one.store.delete(merged)
        one.files.remove(merged)
        keep(files, merged, number, content)

    monkeypatch.setattr(JobFiles, "keep_round", deleted_before)
    assert one.do_round()
    assert not one.files.folder(job).exists()


def test_a_chain_whose_data_redis_has_lost_keeps_its_folder(service: Callable[[int], Service]) -> None:
    """All of it may be put back."""
    one = service(1)
    job, _ = one.msa()
    one.store.redis.flushdb()
    one.store.redis.set(MARK, "others")
    one.files.remove_if_gone(one.store.redis, job)
    assert one.files.folder(job).exists()
