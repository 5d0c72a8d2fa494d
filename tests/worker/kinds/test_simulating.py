"""Searches whose statistics are simulated, by workers and a front end in the test's own process."""

import json
from collections.abc import Callable, Iterator

import pytest

from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.errors import ScoringError
from shardwater.genomes.cpu import CpuGenomes
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.scoring import Scoring
from shardwater.search.merge import SearchResult
from shardwater.statistics import simulation
from shardwater.statistics.simulation import BLOCK_CELLS, BLOCKS, Simulator, content_of
from shardwater.steps import finish
from tests.support.merging import merge_answered
from tests.support.simulators import simulator
from tests.support.turns import ALONE, worker_of
from worker.jobs.files import JobFiles
from worker.jobs.ids import VERIFICATION
from worker.jobs.requests import SearchRequest
from worker.jobs.results.digested import parse_result
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds import kind_of, search, verification
from worker.kinds.kind import Workplace
from worker.kinds.verification import VerificationRequest, read_verification

REQUEST = SearchRequest(
    sequence=">q\nMKVLAAGWDEHHKLMNPQRSTVWY", database="small", matrix="PAM30", gap_open=11, gap_extend=1,
    statistics="simulated", evalue=1000,
)  # fmt: skip
CONTENT = content_of(Scoring("PAM30", 11, 1))


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "SAMPLES", 32)
    monkeypatch.setattr(simulation, "TOGETHER", 32)
    monkeypatch.setattr(simulation, "PAIRS", 2)


@pytest.fixture
def work(store: JobStore, target: SearchTarget, database: Database) -> Callable[[], None]:
    """Does all that waits for both shards, in turns, and merges it."""

    def each(index: int) -> Iterator[object]:
        loaded, shard = CpuEngine(1), database.shard(index, 2)
        loaded.load(shard)
        queue = worker_of(store, target, index)
        files = JobFiles(database.path / "jobs", 1 << 30)
        while parts := queue.lease(ALONE):
            kind = kind_of(parts[0].search)
            place = Workplace(loaded, CpuPairs(1), CpuGenomes(), simulator(), shard, store, files)
            [answer] = yield from kind.run(place, parts)
            store.store_part(parts[0].search, index, answer.packed, 2, parts[0].round)
            queue.finish(parts)

    def done() -> None:
        workers = [each(0), each(1)]
        while workers:
            workers = [one for one in workers if next(one, None) is not None]
        merge_answered(store, database.path.parents[1])

    return done


def submit(store: JobStore, target: SearchTarget) -> str:
    left = store.simulations.left(CONTENT)
    return store.submit(search.plan(REQUEST, REQUEST.records(), target, left), fresh=True).id


def result_of(store: JobStore, job: str) -> SearchResult:
    assert store.state(job).error is None
    return parse_result(store.result_json(job))[1]


def test_shards_share_a_simulation_and_later_searches_have_it(
    store: JobStore, target: SearchTarget, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    done, simulate = list[int](), Simulator.block

    def counted(self: Simulator, scoring: Scoring, number: int) -> Iterator[object]:
        done.append(number)
        return simulate(self, scoring, number)

    monkeypatch.setattr(Simulator, "block", counted)
    first = submit(store, target)
    work()
    # Of two that are at work at the end both may do the last one.
    assert set(done) == set(range(BLOCKS))
    assert len(done) <= BLOCKS + 1
    known = store.simulations.known(CONTENT)
    assert known is not None
    used = result_of(store, first).results[0].statistics
    assert (used.method, used.simulated, used.lambda_) == ("simulated", known, known.row.lambda_)
    assert (used.kappa, used.fit, used.fallback_reason) == (known.row.kappa, None, None)

    def never(*_: object) -> None:
        raise AssertionError("it is known")

    monkeypatch.setattr(Simulator, "block", never)
    second = submit(store, target)
    work()
    one, other = result_of(store, first), result_of(store, second)
    assert one.results == other.results
    assert one.results[0].hits
    plain = json.loads(store.result_json(first))
    assert "simulated" not in plain["parameters"]
    assert plain["results"][0]["statistics"]["simulated"]["row"]["lambda"] == known.row.lambda_

    for sample in (None, 2):
        asked = VerificationRequest(search=first, sample=sample)
        job = store.submit(verification.plan(asked, *store.request(first), store.stored(first)), fresh=True).id
        work()
        assert store.state(job).error is None
        found = read_verification(store.of(store.caller, VERIFICATION).packed_result(job))
        assert (found.equal, found.differences) == (True, ())


def test_what_is_to_be_simulated_is_charged(target: SearchTarget) -> None:
    known, unknown = (search.plan(REQUEST, REQUEST.records(), target, blocks) for blocks in (0, BLOCKS))
    assert unknown.cells - known.cells == BLOCKS * BLOCK_CELLS
    assert target.parts * (unknown.work.simulated - known.work.simulated) == BLOCKS * BLOCK_CELLS


def test_costs_without_statistics_fail_the_search_and_say_why(
    store: JobStore, target: SearchTarget, database: Database
) -> None:
    request = REQUEST.model_copy(update={"matrix": "BLOSUM62", "gap_open": 5})
    store.submit(search.plan(request, request.records(), target), fresh=True)
    engine, shard = CpuEngine(1), database.shard(0, 2)
    engine.load(shard)
    parts = worker_of(store, target).lease(ALONE)
    place = Workplace(
        engine, CpuPairs(1), CpuGenomes(), simulator(), shard, store, JobFiles(database.path / "jobs", 1 << 30)
    )
    with pytest.raises(ScoringError, match="gaps of 5/1 cost so little that alignments of random sequences"):
        finish(kind_of(parts[0].search).run(place, parts))
