"""How far a pass is, told while it runs."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.search.step import Step
from worker.jobs.costs import Costs, Experience, Work
from worker.jobs.progress import MOST_SHARE, PassProgress, SearchProgress, ShardProgress

WORK = Work(searches=1, queries=1, residues=100, aligned=10, aligned_residues=1000, rows=10)
COSTS = Costs(search=1, query=2, residue=0.02, alignment=0.2, aligned_residue=0.003, row=0.1)
"""4 s of scoring, 5 s of alignments, 2 s of merging."""


def test_alignments_and_merging_are_work_of_their_own() -> None:
    progress = PassProgress(WORK, 1000, Experience(COSTS))
    told = [progress.now]
    progress.scored(500, 2)
    told.append(progress.now)
    progress.scored(500, 4)
    told.append(progress.now)
    progress.aligned(0.5, 6.5)
    told.append(progress.now)
    progress.aligned(0.5, 9)
    progress.merging(9)
    told.append(progress.now)
    assert [now.phase for now in told] == ["scoring", "scoring", "aligning", "aligning", "merging"]
    assert [now.share for now in told] == pytest.approx([0, 2 / 11, 4 / 11, 6.5 / 11, 9 / 11])
    assert [now.left_s for now in told] == pytest.approx([11, 9, 7, 4.5, 2])


def test_time_left_follows_what_is_measured() -> None:
    progress, seconds = PassProgress(WORK, 1000, Experience(COSTS)), 0.0
    for _ in range(40):
        seconds += 2
        progress.scored(25, seconds)
    assert progress.now.share == pytest.approx(4 / 11)
    for _ in range(20):
        seconds += 5
        progress.aligned(0.025, seconds)
    # Forty times as slow as expected: the second half takes a hundred seconds, as the first has.
    assert progress.now.left_s == pytest.approx(100, rel=0.2)


def test_a_simulation_is_told_and_learned_by_itself() -> None:
    work, experience = replace(WORK, simulated=1e9), Experience(COSTS)
    progress = PassProgress(work, 1000, experience)
    told = []
    for second in (2, 4):
        progress.add(Step(simulated=500_000_000), second)
        told.append(progress.now)
    progress.add(Step(cells=1000), 8)
    told.append(progress.now)
    assert [now.share for now in told] == pytest.approx([2 / 15, 4 / 15, 8 / 15])
    assert [now.left_s for now in told] == pytest.approx([13, 11, 7])
    assert [now.phase for now in told] == ["scoring", "scoring", "aligning"]
    assert experience.costs.numbers == pytest.approx(COSTS.numbers)


def test_waiting_for_a_simulation_says_nothing_of_its_cost() -> None:
    experience = Experience(COSTS)
    progress = PassProgress(replace(WORK, simulated=1e9), 1000, experience)
    for second in range(100):
        progress.add(Step(), second)
    assert experience.costs == COSTS


def test_a_simulation_that_others_have_done_is_over_and_teaches_nothing() -> None:
    experience = Experience(COSTS)
    progress = PassProgress(replace(WORK, simulated=1e9), 1000, experience)
    progress.add(Step(simulated=250_000_000), 1)
    progress.add(Step(cells=500), 3)
    assert progress.now.share == pytest.approx(6 / 15)
    progress.add(Step(cells=500), 5)
    progress.merging(10)
    assert experience.costs.numbers == pytest.approx(COSTS.numbers)


def test_a_simulation_that_nobody_had_planned_is_learned_from() -> None:
    experience = Experience(COSTS)
    progress = PassProgress(WORK, 1000, experience)
    progress.add(Step(simulated=1_000_000_000), 8)
    progress.add(Step(cells=1000), 12)
    assert progress.now.share == pytest.approx(4 / 11)
    assert experience.costs.simulated > COSTS.simulated
    assert experience.costs.residue == COSTS.residue


def test_alignments_that_nobody_expected_teach_nothing_and_are_timed() -> None:
    experience = Experience(COSTS)
    progress = PassProgress(WORK, 1000, experience)
    progress.add(Step(cells=1000), 4)
    progress.add(Step(aligned=0.75), 7.75)
    assert progress.beyond == 0
    learned = experience.costs
    for number in range(1, 10):
        progress.add(Step(further=0.25 / 2**number), 7.75 + 5 * number)
    assert experience.costs == learned
    assert progress.now.share == pytest.approx(9 / 11, rel=0.001)
    assert progress.beyond == pytest.approx(45)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["scored", "aligned"]), st.floats(0, 0.3), st.floats(0, 50)), max_size=40))
def test_progress_never_falls_and_is_never_whole(steps: list[tuple[str, float, float]]) -> None:
    progress, seconds = PassProgress(WORK, 1000, Experience(COSTS)), 0.0
    shares, phases = [progress.now.share], [progress.now.phase]
    for what, share, took in steps:
        seconds += took
        if what == "scored":
            progress.scored(int(1000 * share), seconds)
        else:
            progress.aligned(share, seconds)
        shares.append(progress.now.share)
        phases.append(progress.now.phase)
    progress.merging(seconds)
    shares.append(progress.now.share)
    phases.append(progress.now.phase)
    assert all(before <= after <= MOST_SHARE for before, after in pairwise(shares))
    order = ["scoring", "aligning", "merging"]
    assert all(order.index(before) <= order.index(after) for before, after in pairwise(phases))


@pytest.mark.parametrize("progress", [ShardProgress(0.25, "aligning", 3.5), ShardProgress(0.0, "scoring", None)])
def test_progress_is_read_as_it_was_written(progress: ShardProgress) -> None:
    assert ShardProgress.from_text(progress.to_text()) == progress


def test_boxes_of_genomes_are_learned_by_letters_too() -> None:
    """Genomes with ten times the usual cells a letter: the next estimate, which knows the letters alone, is as long."""
    experience, letters = Experience(Costs.usual("cpu", 10_000, 100)), 1e6
    before = experience.costs.seconds(Work(boxed=letters))
    cells = 10_000 * letters
    progress = PassProgress(
        Work(searches=1, pairs=40, pair_cells=cells / 2, way_cells=cells / 2, ways=40, boxed=letters), 1000, experience
    )
    assert before == pytest.approx(1.2)
    progress.scored(1000, 14.0)
    progress.merging(14.0)
    assert experience.costs.seconds(Work(boxed=letters)) == pytest.approx(14, rel=0.1)


def test_letters_of_known_boxes_are_not_counted_twice() -> None:
    work = Work(searches=1, pairs=40, pair_cells=1e9, way_cells=1e9, ways=40)
    assert COSTS.seconds(replace(work, boxed=1e6)) == COSTS.seconds(work)
    assert COSTS.seconds(Work(boxed=1e6)) == pytest.approx(1.2)


def test_a_search_whose_shards_have_answered_is_merging_and_not_whole() -> None:
    found = SearchProgress.of({b"0": b"0.5 scoring 3", b"1": b"0.9 merging 1"}, [b"0", b"1"], 2)
    assert (found.phase, found.share) == ("merging", MOST_SHARE)
    waiting = SearchProgress.of({b"1": b"0.9 merging 1"}, [], 2)
    assert (waiting.phase, waiting.share) == ("scoring", 0.45)
