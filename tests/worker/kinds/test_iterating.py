"""Searches in rounds, by workers and a front end in the test's own process."""

from collections.abc import Callable
from pathlib import Path

import pytest

from shardwater.engines.cpu import CpuEngine
from shardwater.formats.pssms.json_text import write_json
from shardwater.profiles import iterated
from shardwater.profiles.iterated import in_rounds
from shardwater.search.merge import NarrowShortlist, Searched, SearchResult
from shardwater.search.search import find_all_hits
from shardwater.steps import finish
from tests.support.families import family
from tests.support.merging import merge_answered, round_of
from tests.support.sharded_service import ShardedService
from worker.jobs.requests import SearchRequest
from worker.jobs.round_files import RoundFiles
from worker.jobs.store import JobStore
from worker.kinds import search, verification
from worker.kinds.verification import VerificationRequest, read_verification

FAMILY = family()
QUERY = FAMILY.partition(">m1")[0]


class Service(ShardedService):
    """Searches of the family."""

    def search(self, **fields: object) -> str:
        asked = {"sequence": QUERY, "database": "family", "iterations": 5, **fields}
        request = SearchRequest.model_validate(asked)
        return self.submit(search.plan(request, request.records(), self.target))

    def result(self, **fields: object) -> SearchResult:
        job = self.search(**fields)
        self.do_all()
        assert self.store.state(job).error is None
        return self.store.result(job)


@pytest.fixture
def service(store: JobStore, tmp_path: Path) -> Callable[[int], Service]:
    def make(shards: int) -> Service:
        folder = tmp_path / str(shards)
        folder.mkdir()
        return Service(store, folder, FAMILY, shards)

    return make


def members(result: SearchResult) -> set[str]:
    [one] = result.results
    return {hit.accession for hit in one.hits if hit.evalue is not None and hit.evalue <= 0.002}


def test_rounds_find_what_one_search_does_not(service: Callable[[int], Service]) -> None:
    two = service(2)
    once, often = two.result(iterations=1), two.result()
    assert members(once) < members(often)
    assert not any(name.startswith("s") for name in members(often))
    [one] = often.results
    assert once.results[0].rounds == ()
    assert [round_.number for round_ in one.rounds] == [*range(1, len(one.rounds) + 1)]
    assert set(one.rounds[0].new) == members(once)
    # It has ended because nothing new was found, and the hits are those of the last round.
    assert (one.rounds[-1].new, one.rounds[-1].included) == ((), len(members(often)))
    assert 2 < len(one.rounds) <= 5


@pytest.mark.parametrize("statistics", ["table", "fitted"])
def test_shards_do_not_show(service: Callable[[int], Service], statistics: str) -> None:
    fields = {"statistics": statistics, "iterations": 3, "max_target_seqs": 7, "alignments": 2, "min_bits": 30}
    one, three = (service(shards).result(**fields).results for shards in (1, 3))
    assert one == three


def test_one_process_finds_the_same(service: Callable[[int], Service]) -> None:
    two = service(2)
    served = two.result()
    engine, shard = CpuEngine(1), two.database.shard(0, 1)
    engine.load(shard)
    request = SearchRequest(sequence=QUERY, database="family", iterations=5)
    searched = Searched("here", served.databases, request.parameters, request.records())
    last, here = in_rounds(searched, request.parameters, lambda asked: finish(find_all_hits(engine, shard, [asked])))
    assert here.results[0].hits == served.results[0].hits
    assert here.results[0].rounds == served.results[0].rounds
    # The profile of the last round finds the same without rounds.
    saved = last.turns[0].saved(request.scoring)
    assert saved is not None
    again = two.result(sequence=None, pssm="".join(write_json(saved)), iterations=1)
    assert again.results[0].hits == served.results[0].hits
    assert again.results[0].query.profile == served.results[0].query.profile is not None


def test_a_search_of_one_round_or_without_hits_has_no_profile(service: Callable[[int], Service]) -> None:
    result = service(1).result(sequence="MKWMKWMKW", evalue=1e-9)
    [one] = result.results
    assert (one.query.profile, one.hits, [round_.included for round_ in one.rounds]) == (None, (), [0])


def test_what_comes_late_of_a_round_is_left_out(service: Callable[[int], Service]) -> None:
    two = service(2)
    job = two.search()
    first = [two.lease(0), two.lease(1)]
    answers = [two.do(part) for part in first if part]
    for part, answer in zip(first, answers, strict=True):
        assert part is not None
        two.answer(part, answer)
    merge_answered(two.store, two.data)
    assert round_of(two.store, job) == 2
    # A worker that counted as dead and was not.
    assert first[0] is not None
    two.answer(first[0], answers[0])
    assert two.store.answered_part(job, 0) is None
    two.do_all()
    assert members(two.store.result(job)) > {"m0", "m1"}


def test_shards_that_chose_by_another_line_search_the_same_round_again(
    service: Callable[[int], Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    two = service(2)
    usual = two.result()
    assemble, narrow = iterated.assemble, []

    def narrow_once(*given: object) -> SearchResult:
        if len(narrow) < 2:
            narrow.append(given)
            if len(narrow) == 2:
                raise NarrowShortlist
        return assemble(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(iterated, "assemble", narrow_once)
    job = two.search(title="again")
    two.do_all()
    assert two.store.result(job).results == usual.results
    assert round_of(two.store, job) == len(usual.results[0].rounds) + 1


def test_rounds_are_foreseen_and_what_is_told_never_falls(service: Callable[[int], Service]) -> None:
    two = service(2)
    job = two.search(iterations=4)
    told = [two.store.state(job)]
    while two.do_round():
        told.append(two.store.state(job))
    shares = [state.progress for state in told]
    assert shares == sorted(shares)
    assert shares[1] == pytest.approx(0.25)
    left = [state.estimate_s for state in told if state.estimate_s]
    assert left == sorted(left, reverse=True)


def test_a_search_in_rounds_is_verified_by_its_last_one(service: Callable[[int], Service]) -> None:
    two = service(2)
    job = two.search()
    two.do_all()
    for sample in (None, 5):
        asked = VerificationRequest(search=job, sample=sample)
        planned = verification.plan(asked, *two.store.request(job), two.store.stored(job))
        verified = two.store.submit(planned, fresh=True).id
        two.do_all()
        assert two.store.state(verified).error is None
        assert read_verification(two.store.packed_result(verified)).equal


def test_a_round_whose_profiles_are_gone_fails(service: Callable[[int], Service]) -> None:
    one = service(1)
    job = one.search()
    one.do_round()
    one.files.remove(job)
    part = one.lease(0)
    assert part is not None
    with pytest.raises(Exception, match="round 2 of the search is not kept any more"):
        one.do(part)


def test_rounds_are_kept_as_they_are(service: Callable[[int], Service]) -> None:
    one = service(1)
    job = one.search()
    one.do_round()
    records = SearchRequest(sequence=QUERY, database="family").records()
    kept = RoundFiles(one.files, job, records)
    [turn] = kept.last().turns
    assert turn.query.pssm is not None
    assert len(turn.rounds) == 1
    kept.keep(9, kept.last())
    [again] = kept.read(9).turns
    assert (again.query, again.rounds) == (turn.query, turn.rounds)
    assert again.made is not None and turn.made is not None
    assert (again.made.expected == turn.made.expected).all()
    assert (again.made.observed == turn.made.observed).all()
    assert (again.made.weight == turn.made.weight).all()
