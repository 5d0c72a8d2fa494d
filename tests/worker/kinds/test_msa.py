"""MSAs of several chains, by workers and a front end in the test's own process."""

from collections.abc import Sequence
from pathlib import Path
from threading import Barrier, Thread

import pytest

from tests.support.families import family
from tests.support.merging import merge_answered
from tests.support.sharded_service import ShardedService
from worker.access.callers import Caller
from worker.jobs.composed import forget, give_up
from worker.jobs.msa_requests import MsaRequest
from worker.jobs.quotas import SEARCHES_AN_HOUR, Intake, QuotaExceeded
from worker.jobs.redis_names import ANSWERED, SearchKeys, jobs_key, live_searches
from worker.jobs.retention import make_room
from worker.jobs.states import Failure, SearchExpired, SearchNotFound, SearchNotReady, Submission
from worker.jobs.store import JobStore
from worker.jobs.submission import KeyReused, Retention, Submissions
from worker.jobs.targets import JobsTarget
from worker.kinds import chain, msa
from worker.kinds.msa import read_msas
from worker.queue.recovery import recover

FAMILY = family(length=60, members=12, others=10)
LINES = FAMILY.splitlines()
FIRST, SECOND, THIRD = LINES[1], LINES[3], LINES[27]


class Service(ShardedService):
    """MSAs of the family, and of a stranger."""

    def ask(self, *chains: str, store: JobStore | None = None, once: str = "", fresh: bool = False) -> Submission:
        """MSAs of complexes of one chain."""
        asked = MsaRequest.model_validate(
            {"queries": [{"chains": [one]} for one in chains], "databases": ["family"], "iterations": 2}
        )
        jobs = [chain.plan(each, self.target) for each in msa.chain_requests(asked, None)]
        taken = store or self.store
        return taken.submit_whole(jobs, lambda ids: msa.plan(asked, ids), fresh=fresh, once=once)

    def made(self, job: str) -> Sequence[str]:
        """What it is made of."""
        target = self.store.target(job)
        assert isinstance(target, JobsTarget)
        return target.jobs

    def finish(self) -> None:
        """Do all that waits."""
        self.do_all()


@pytest.fixture
def service(store: JobStore, tmp_path: Path) -> Service:
    return Service(store, tmp_path, FAMILY, 2)


def test_a_list_has_what_its_chains_have_found(service: Service) -> None:
    job = service.ask(FIRST, THIRD, FIRST.lower()).id
    # The same letters are searched for once.
    assert service.store.state(job).shards.total == 2
    assert service.store.state(job).state == "queued"
    service.finish()
    state = service.store.state(job)
    assert (state.state, state.progress, state.shards.done, state.error) == ("succeeded", 1.0, 2, None)
    result = read_msas(service.store.packed_result(job))
    assert result.jobs == tuple(service.made(job))
    assert [len(one.stages) for one in result.chains] == [1, 1]
    assert result.chains[0].stages[0].found > 1


def warned_of(service: Service, queries: list[dict[str, list[str]]], pairing: str) -> list[list[str]]:
    """The codes of what is told of each chain that differs."""
    asked = MsaRequest.model_validate(
        {"queries": queries, "databases": ["family"], "iterations": 1, "pairing": pairing}
    )
    jobs = [chain.plan(each, service.target) for each in msa.chain_requests(asked, None)]
    job = service.store.submit_whole(jobs, lambda ids: msa.plan(asked, ids)).id
    service.finish()
    merge_answered(service.store, service.data)
    found = read_msas(service.store.packed_result(job)).chains
    return [[warning.code for warning in one.stages[0].warnings] for one in found]


UNPAIRED = "pairing-without-taxids"


def test_pairs_of_a_database_without_taxids_are_warned_of(service: Service) -> None:
    queries = [{"chains": [THIRD]}, {"chains": [FIRST, SECOND.lower()]}]
    alone, *together = warned_of(service, queries, "greedy")
    assert UNPAIRED not in alone
    assert [codes.count(UNPAIRED) for codes in together] == [1, 1]
    # The same chains' jobs serve who pairs nothing.
    assert not any(UNPAIRED in codes for codes in warned_of(service, queries, "none"))


def test_pairs_of_a_database_with_taxids_are_not_warned_of(store: JobStore, tmp_path: Path) -> None:
    with_taxids = Service(store, tmp_path, FAMILY.replace("\n", " OX=9606\n", 1), 1)
    codes = warned_of(with_taxids, [{"chains": [FIRST, SECOND]}], "complete")
    assert not any(UNPAIRED in each for each in codes)


def test_results_of_several_chains_come_together_and_one_that_is_missing_is_named(service: Service) -> None:
    chains = service.made(service.ask(FIRST, THIRD).id)
    with pytest.raises(SearchNotReady, match="is queued"):
        service.store.packed_results(chains)
    service.finish()
    assert service.store.packed_results(chains) == [service.store.packed_result(each) for each in chains]
    service.store.redis.delete(SearchKeys(chains[1]).whole)
    with pytest.raises(SearchExpired):
        service.store.packed_results(chains)


def test_a_list_is_under_way_while_one_of_its_chains_is(service: Service) -> None:
    job = service.ask(FIRST, THIRD).id
    service.do_round()
    state = service.store.state(job)
    assert state.state == "running"
    assert 0 < state.progress < 1
    service.finish()
    assert service.store.state(job).state == "succeeded"


def test_the_same_request_is_the_same_list_and_the_same_chain_the_same_job(service: Service) -> None:
    first, second = service.ask(FIRST, SECOND), service.ask(SECOND, THIRD)
    assert service.made(first.id)[1] == service.made(second.id)[0]
    assert service.ask(FIRST, SECOND) == Submission(first.id, reused=True)
    anew = service.ask(FIRST, SECOND, fresh=True)
    assert not set(service.made(anew.id)) & set(service.made(first.id))
    service.finish()
    assert [service.store.state(one.id).state for one in (first, second, anew)] == ["succeeded"] * 3
    assert service.ask(SECOND, FIRST).reused is False
    # All its chains are there.
    merge_answered(service.store, service.data)
    assert service.store.state(service.ask(SECOND, FIRST).id).state == "succeeded"


def test_a_list_of_nothing_is_refused(service: Service) -> None:
    asked = MsaRequest.model_validate({"queries": FIRST, "databases": ["family"]})
    with pytest.raises(ValueError, match="of one at least"):
        service.store.submit_whole([], lambda ids: msa.plan(asked, ids))


def test_a_key_leads_to_its_list_and_nothing_else_begins(service: Service) -> None:
    first = service.ask(FIRST, once="key")
    service.store.cancel(first.id)
    give_up(service.store, service.made(first.id), first.id)
    assert service.ask(FIRST, once="key") == Submission(first.id, reused=True)
    assert live_searches(service.store.redis) == []
    with pytest.raises(KeyReused):
        service.ask(SECOND, once="key")


def test_many_who_ask_at_once_share_all(service: Service) -> None:
    together, found = Barrier(6), []

    def ask() -> None:
        together.wait()
        found.append(service.ask(FIRST, SECOND))

    threads = [Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({one.id for one in found}) == 1
    assert sum(not one.reused for one in found) == 1
    assert service.store.redis.zcard(jobs_key("chain")) == 2


def test_a_cancelled_list_takes_no_chain_of_another(service: Service) -> None:
    first, second = service.ask(FIRST, SECOND).id, service.ask(SECOND, THIRD).id
    alone, shared = service.made(first)
    service.store.cancel(first)
    give_up(service.store, service.made(first), first)
    assert service.store.outcomes([alone, shared]) == ["cancelled", None]
    service.finish()
    assert service.store.state(second).state == "succeeded"
    # What was done for it is done anew.
    again = service.ask(FIRST).id
    assert service.made(again) != [alone]


def test_a_deleted_list_leaves_what_others_have(service: Service) -> None:
    first, second = service.ask(FIRST, SECOND).id, service.ask(SECOND, THIRD).id
    alone, shared = service.made(first)
    service.finish()
    assert forget(service.store, [alone, shared], first, service.store.delete) == [alone]
    service.store.delete(first)
    with pytest.raises(SearchNotFound):
        service.store.state(alone)
    assert service.store.outcome(shared) == "succeeded"
    rest = list(service.made(second))
    assert forget(service.store, rest, second, service.store.delete) == rest


def test_who_asks_while_a_list_is_given_up_gets_chains_that_go_on(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transaction that has found a chain does not come through once that is given up."""
    first = service.ask(FIRST).id
    [alone] = service.made(first)
    look = Submissions.all_answering

    def given_up_after(submissions: Submissions, claims: Sequence[str]) -> list[str | None]:
        found = look(submissions, claims)
        if found == [alone]:
            give_up(service.store, [alone], first)
        return found

    monkeypatch.setattr(Submissions, "all_answering", given_up_after)
    second = service.ask(FIRST).id
    assert service.made(second) != [alone]
    service.finish()
    assert service.store.state(second).state == "succeeded"


def test_a_chain_that_fails_ends_the_list_and_what_else_it_asked_for(service: Service) -> None:
    job = service.ask(FIRST, FIRST, SECOND, THIRD).id
    one, two, three = service.made(job)
    service.store.fail(two, Failure("shard-failed", "its shard is broken"))
    merge_answered(service.store, service.data)
    state = service.store.state(job)
    assert state.state == "failed"
    assert state.error is not None
    # As the client counts them.
    assert state.error.detail == "chain 3: its shard is broken"
    assert service.store.outcomes([one, two, three]) == ["cancelled", "failed", "cancelled"]


def test_a_list_that_no_front_end_has_looked_at_is_found(service: Service) -> None:
    assert service.ask(FIRST).id in recover(service.store)


def test_quotas_take_all_chains_or_none(service: Service) -> None:
    quotas = JobStore(service.store.redis, intake=Intake({SEARCHES_AN_HOUR: 3})).of(Caller("lab"), "msa")
    first = service.ask(FIRST, SECOND, store=quotas)
    assert first.standings[0].used == 2
    with pytest.raises(QuotaExceeded):
        service.ask(SECOND, THIRD, "MKVLAAGWDEHH", store=quotas)
    # Of three chains one is there.
    assert len(live_searches(service.store.redis)) == 3
    assert service.ask(SECOND, THIRD, store=quotas).standings[0].used == 3
    assert service.ask(FIRST, SECOND, store=quotas).standings[0].used == 3


def test_a_list_whose_chains_are_all_there_costs_one(service: Service) -> None:
    service.ask(FIRST, SECOND)
    quotas = JobStore(service.store.redis, intake=Intake({SEARCHES_AN_HOUR: 1}))
    last = service.ask(SECOND, FIRST, store=quotas)
    assert (last.reused, last.standings[0].used) == (False, 1)
    kept = service.store.redis.zcard(jobs_key("msa"))
    with pytest.raises(QuotaExceeded):
        service.ask(FIRST, store=quotas)
    assert service.store.redis.zcard(jobs_key("msa")) == kept
    assert service.ask(SECOND, FIRST, store=quotas) == Submission(last.id, reused=True, standings=last.standings)


def test_chains_are_kept_as_long_as_the_list(store: JobStore, service: Service) -> None:
    short = JobStore(store.redis, Retention(search_s=1000))
    first = service.ask(FIRST, store=short).id
    service.finish()
    service.ask(FIRST, SECOND)
    [shared] = service.made(first)
    keys = SearchKeys(shared)
    for key in (keys.meta, keys.whole, keys.wholes, keys.known):
        assert store.redis.ttl(key) > 1000
    assert store.redis.ttl(SearchKeys(first).meta) <= 1000


def test_room_is_made_by_whole_lists(service: Service) -> None:
    first, second = service.ask(FIRST, SECOND).id, service.ask(SECOND, THIRD).id
    service.finish()
    alone, shared = service.made(first)
    _, last = service.made(second)
    # One list is not enough, and no chain goes before it.
    assert make_room(service.store, 1) == 2
    for job in (first, second, alone, shared, last):
        with pytest.raises(SearchExpired):
            service.store.state(job)


def test_a_list_whose_chain_is_gone_says_so(service: Service) -> None:
    job = service.ask(FIRST).id
    service.store.redis.delete(*SearchKeys(service.made(job)[0]).data)
    service.store.redis.rpush(ANSWERED, job)
    merge_answered(service.store, service.data)
    error = service.store.state(job).error
    assert error is not None
    assert error.detail.startswith("chain 1: ")


def test_anothers_list_cannot_be_read(service: Service) -> None:
    ours, theirs = (service.store.of(Caller(name, frozenset({"search"})), "msa") for name in ("lab", "other"))
    job = service.ask(FIRST, store=ours).id
    for look in (theirs.target, theirs.work, theirs.state):
        with pytest.raises(SearchNotFound):
            look(job)
    assert service.ask(FIRST, store=theirs).reused is False
