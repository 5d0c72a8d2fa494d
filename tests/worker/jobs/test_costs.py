"""The model of time against simulated workers, whose truth is known, and against what was measured."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.search.parameters import Parameters
from shardwater.sequences.fasta import Record
from worker.jobs.costs import Costs, Experience, Work
from worker.jobs.progress import PassProgress
from worker.runner.calibration import alignment_costs, measure_costs, scoring_costs

SHARD = (1_230_410, 3_183)
"""Residues and subjects of the demo."""
LENGTHS = (8, 36, 100, 300, 1000, 5000)


def search(length: int, queries: int = 1, aligned: int = 100) -> Work:
    records = [Record("q", b"M" * length)] * queries
    return Work.of(records, Parameters(alignments=aligned), SHARD[1])


# A CPU's pass over the demo: a worker's start by its own measurement of scoring is a part of the model.
TRUTH = Costs(8e-3, 12.5e-3, 115e-6, 150e-6, 1.5e-6, 30e-6)
PRIOR = Costs.usual("cpu", *SHARD)

lengths = st.sampled_from(LENGTHS)
searches = st.builds(search, lengths, st.sampled_from((1, 1, 1, 5, 38)), st.sampled_from((0, 100)))
noise = st.floats(0.75, 1.33)


def measured(truth: Costs) -> Costs:
    """What a worker knows that has loaded its shard."""
    short, long = ((length, truth.seconds(Work(queries=1, residues=length))) for length in (16, 1024))
    some = Work(aligned=8, aligned_residues=8 * 256)
    return alignment_costs(scoring_costs(PRIOR, short, long), some, truth.seconds(some))


def run(experience: Experience, work: Work, truth: Costs, factor: float = 1.0) -> list[float]:
    """Do a search on a worker with such costs; what it was estimated to take after each measurement."""
    told, clock = [], 0.0
    progress = PassProgress(work, int(work.residues) * SHARD[0], experience)
    for _ in range(10):
        clock += factor * truth.seconds(work.scoring) / 10
        progress.scored(int(work.residues) * SHARD[0] // 10, clock)
        told.append(experience.costs.seconds(work))
    for _ in range(10):
        clock += factor * truth.seconds(work.aligning) / 10
        progress.aligned(0.1, clock)
        told.append(experience.costs.seconds(work))
    progress.merging(clock)
    told.append(experience.costs.seconds(work))
    progress.ended(clock + factor * truth.seconds(work.merging))
    return [*told, experience.costs.seconds(work)]


@pytest.mark.parametrize("slower", [0.3, 1.0, 4.0])
@settings(deadline=None)
@given(history=st.lists(st.tuples(searches, noise), max_size=60), asked=searches)
def test_any_search_is_estimated_within_a_factor_of_two_after_any_others(
    slower: float, history: list[tuple[Work, float]], asked: Work
) -> None:
    truth = replace(TRUTH, query=slower * TRUTH.query, residue=slower * TRUTH.residue)
    experience = Experience(measured(truth))
    for work, factor in history:
        run(experience, work, truth, factor)
    assert 0.5 < experience.costs.seconds(asked) / truth.seconds(asked) < 2


@settings(deadline=None)
@given(history=st.lists(st.tuples(searches, st.floats(0.01, 100)), max_size=20), watched=searches)
def test_no_measurement_moves_an_estimate_by_more_than_two(history: list[tuple[Work, float]], watched: Work) -> None:
    experience = Experience(measured(TRUTH))
    for work, factor in history:
        before = experience.costs.seconds(watched)
        experience.learn(work, factor * TRUTH.seconds(work))
        assert 0.5 < experience.costs.seconds(watched) / before < 2


@pytest.mark.parametrize("length", LENGTHS)
def test_a_machine_that_has_become_slower_is_learned_from_any_searches(length: int) -> None:
    experience, slower = Experience(measured(TRUTH)), TRUTH.times(5)
    for _ in range(40):
        run(experience, search(length), slower)
    assert experience.costs.seconds(search(length)) == pytest.approx(slower.seconds(search(length)), rel=0.1)


def test_a_thousand_short_searches_say_nothing_of_a_long_one() -> None:
    experience = Experience(measured(TRUTH))
    for number in range(1000):
        run(experience, search((8, 12, 36)[number % 3]), TRUTH, (0.8, 1.2)[number % 2])
    long = search(300, queries=100)
    assert 0.7 < experience.costs.seconds(long) / TRUTH.seconds(long) < 1.5


@pytest.mark.parametrize(
    ("residues", "subjects", "milliseconds"),
    [
        (1_230_410, 3_183, {8: 13.2, 36: 16.3, 100: 23.2, 300: 41.9, 1000: 117.9, 5000: 582.4}),
        (12_299_723, 37_882, {8: 121.8, 36: 147.6, 100: 204.9, 300: 368.7, 1000: 965.2, 5000: 4801.3}),
    ],
)
def test_the_model_fits_what_was_measured_on_a_cpu(
    residues: int, subjects: int, milliseconds: dict[int, float]
) -> None:
    """One core of an AMD EPYC, scoring alone, the demo and ten times as much."""
    usual = Costs.usual("cpu", residues, subjects)
    costs = scoring_costs(usual, (8, milliseconds[8] / 1000), (1000, milliseconds[1000] / 1000))
    for length, taken in milliseconds.items():
        work = Work(queries=1, residues=length)
        assert 1000 * costs.seconds(work) == pytest.approx(taken, rel=0.2)
        assert 0.5 < 1000 * usual.seconds(work) / taken < 2


@pytest.mark.parametrize(("length", "milliseconds"), [(30, 1.44), (144, 4.75), (375, 11.1)])
def test_the_model_fits_what_was_measured_on_a_gpu(length: int, milliseconds: float) -> None:
    """An H200 and 206,858,779 residues in 569,793 subjects: benchmarks/RESULTS.md."""
    usual = Costs.usual("NVIDIA H200", 206_858_779, 569_793)
    assert 1000 * usual.seconds(Work(queries=1, residues=length)) == pytest.approx(milliseconds, rel=0.2)


@pytest.mark.parametrize(
    ("work", "microseconds"),
    [
        (Work(pairs=1), 95),
        (Work(pairs=2), 206),
        (Work(pairs=1, ways=1), 710),
        (Work(pairs=3, ways=1), 850),
    ],
)
def test_the_model_fits_what_was_measured_of_short_pairs_on_a_cpu(work: Work, microseconds: float) -> None:
    """Of 150 letters each, 4 % apart: scores, and alignments, of one strand and of both."""
    usual = Costs.usual("cpu", 0, 0)
    work = replace(work, pair_cells=min(2, work.pairs) * 150 * 150)
    assert 0.6 < 1e6 * usual.seconds(work) / microseconds < 1.5


def pairs_done(experience: Experience, work: Work, share: float, seconds: float) -> None:
    """Do a part of a job of pairs, which has such a share of the average of its job's parts."""
    cells = int(work.pair_cells)
    progress = PassProgress(work, cells, experience)
    for step in range(1, 11):
        progress.scored(int(share * cells / 10), seconds * step / 10)
    progress.merging(seconds)
    progress.ended(seconds)


@pytest.mark.parametrize("slower", [0.2, 1, 20])
@pytest.mark.parametrize("share", [0.4, 1])
def test_a_long_part_of_a_job_of_pairs_teaches_what_a_pair_costs(slower: float, share: float) -> None:
    experience = Experience(Costs.usual("cpu", 0, 0))
    before = experience.costs
    work = Work(searches=1, pairs=200_000, pair_cells=200_000 * 150 * 150, ways=200_000)
    seconds = slower * before.seconds(work)
    pairs_done(experience, work, share, share * seconds)
    assert experience.costs.seconds(work) == pytest.approx(seconds, rel=0.3)
    # One that takes a moment says little.
    moment = Experience(before)
    pairs_done(moment, work.times(1e-4), share, 1e-4 * share * seconds)
    assert 0.75 < moment.costs.seconds(work) / before.seconds(work) < 1.25


def test_one_measurement_of_a_large_shard_is_taken_in_the_usual_proportion() -> None:
    usual = Costs.usual("cpu", 10**9, 10**6)
    costs = scoring_costs(usual, (16, 30.0), (16, 30.0))
    assert costs.seconds(Work(queries=1, residues=16)) == pytest.approx(30)
    assert costs.query / costs.residue == pytest.approx(usual.query / usual.residue)


def test_what_seems_to_take_no_longer_for_more_costs_something() -> None:
    costs = scoring_costs(PRIOR, (16, 0.05), (4096, 0.04))
    assert 0 < costs.residue < 1e-4
    assert 0 < costs.query <= 0.05


@pytest.mark.parametrize("text", ["", "[]", "[1,2,3]", "[1,2,3,4,5,0]", "[1,2,3,4,5,NaN]", '["a",2,3,4,5,6]', "1", "{"])
def test_costs_that_are_none_are_not_read(text: str) -> None:
    assert Costs.from_json(text) is None
    assert Costs.from_json(TRUTH.to_json()) == TRUTH


def test_work_of_an_earlier_version_is_known_by_its_residues() -> None:
    assert Work.from_json("", 300) == Work(searches=1, queries=1, residues=300)
    work = search(100, queries=3)
    assert Work.from_json(work.to_json(), 0) == work
    simulating = replace(work, simulated=1e9)
    assert Work.from_json(simulating.to_json(), 0) == simulating


def test_a_simulation_says_nothing_of_other_work() -> None:
    before = Costs.usual("NVIDIA H200", 206_858_779, 569_793)
    after = before.learned(replace(search(300), simulated=1e10), 4.0)
    assert after.simulated > before.simulated
    assert replace(after, simulated=before.simulated) == before


def test_no_more_alignments_are_asked_for_than_there_are_subjects() -> None:
    work = Work.of([Record("q", b"MKV")], Parameters(alignments=100, max_target_seqs=500), 7)
    assert (work.aligned, work.aligned_residues, work.rows) == (7, 21, 7)


def test_a_second_alignment_of_each_is_expected_to_be_looked_for() -> None:
    one, two, many = (Work.of([Record("q", b"MKV")], Parameters(alignments=5, max_hsps=most), 7) for most in (1, 2, 90))
    assert (one.aligned, one.aligned_residues) == (5, 15)
    assert two == many
    assert (two.aligned, two.aligned_residues, two.rows) == (10, 30, one.rows)
    assert Work.of([Record("q", b"MKV")], Parameters(alignments=0, max_hsps=9), 7).aligned == 0


def test_a_worker_knows_its_costs_when_it_has_loaded(database: Database) -> None:
    engine, shard = CpuEngine(1), database.shard(0, 1)
    engine.load(shard)
    usual = Costs.usual("cpu", shard.residues, len(shard))
    costs = measure_costs(engine, shard, usual)
    assert (costs.search, costs.row) == (usual.search, usual.row)
    assert 0 < costs.residue < 1
    assert costs.aligned_residue / costs.alignment == pytest.approx(usual.aligned_residue / usual.alignment)


def test_an_empty_shard_has_costs(database: Database) -> None:
    engine, shard = CpuEngine(1), database.shard(4, 5)
    engine.load(shard)
    costs = measure_costs(engine, shard, Costs.usual("cpu", 0, 0))
    assert len(shard) == 0
    assert Costs.from_json(costs.to_json()) == costs
