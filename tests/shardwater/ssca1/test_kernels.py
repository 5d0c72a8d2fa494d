"""The kernels against lists of all cells, plain recurrences and worked examples."""

from dataclasses import replace

import numpy as np
import pytest

from shardwater.alignment.alignment import Run
from shardwater.alignment.ends import EndPoint
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.cpu_end_points import CpuEndPoints
from shardwater.ssca1 import kernels, verification
from shardwater.ssca1.forms import CODONS, FORMS, Form
from shardwater.ssca1.kernels import GAP, Match
from shardwater.ssca1.problem import Problem
from tests.support.pair_oracle import best, ending_in, table

CPU, SCHEME, spell = CpuEndPoints(), CODONS.scheme, CODONS.spell


def ends_of(problem: Problem) -> list[EndPoint]:
    return kernels.find_ends(CodedPair(problem.query, problem.subject), problem.form, CPU)


def every_match(problem: Problem) -> list[Match]:
    return kernels.align(CodedPair(problem.query, problem.subject), ends_of(problem), problem.form, CPU)


@pytest.fixture(scope="module")
def problem() -> Problem:
    return Problem.of(14, 5)


@pytest.fixture(scope="module")
def found(problem: Problem) -> list[Match]:
    return kernels.distinct(every_match(problem))


def test_end_points_are_the_best_cells_that_are_apart(problem: Problem) -> None:
    h = np.array(table(problem.query.tolist(), problem.subject.tolist(), SCHEME))
    cells = sorted((-int(h[row, column]), row, column) for row, column in np.argwhere(h >= 20).tolist())
    expected: list[tuple[int, int, int]] = []
    for score, row, column in cells:
        if all(abs(row - one) >= 5 and abs(column - other) >= 5 for _, one, other in expected):
            expected.append((-score, row, column))
    assert ends_of(problem) == expected[:200]
    assert len(expected) > 5


def test_alignments_begin_where_those_of_the_whole_table_do(problem: Problem, found: list[Match]) -> None:
    query, subject = problem.query.tolist(), problem.subject.tolist()
    h = table(query, subject, SCHEME)
    for each in found:
        end = each.alignment.query_end, each.alignment.subject_end
        assert each.alignment == ending_in(*end, h, query, subject, SCHEME)
    assert found[0].alignment == best(query, subject, SCHEME)


def test_of_alignments_that_begin_together_the_best_is_kept(problem: Problem) -> None:
    ends, matches = ends_of(problem), kernels.distinct(every_match(problem))
    starts = [(each.alignment.query_start, each.alignment.subject_start) for each in matches]
    near = [max(abs(a - c), abs(b - d)) < 5 for a, b in starts for c, d in starts]
    assert sum(near) == len(starts) < len(ends)


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_what_is_planted_is_found_in_either_form(form: Form) -> None:
    problem = Problem.of(16, 9, form)
    assert not [*verification.check_planted(kernels.distinct(every_match(problem)), problem)]


def test_what_is_planted_is_found(problem: Problem, found: list[Match]) -> None:
    assert not [*verification.check_planted(found, problem)]
    assert len([*verification.check_planted(found[:1], problem)]) == 2


def test_each_alignment_has_its_matches(problem: Problem, found: list[Match]) -> None:
    sets = kernels.match_all(found, problem.subject, CODONS, CPU)
    assert not [*verification.check_matches_of_all(sets, found, problem.subject, CODONS)]
    assert max(len(each.told) for each in sets) > 1
    lies = [
        replace(sets[0], told=sets[0].told[:-1]),
        replace(sets[0], every=sets[0].every[:-1]),
        replace(sets[0], ends=sets[0].ends[::-1], every=sets[0].every[::-1]),
        replace(sets[0], ends=[], every=[], told=[]),
    ]
    for lie in lies:
        assert [*verification.check_matches_of_all([lie, *sets[1:]], found, problem.subject, CODONS)]


@pytest.mark.parametrize(
    ("one", "other", "cost"), [("GCCTCGC", "GCCATTGC", 3), ("ACGT", "TGCA", 4), ("ACGT", "ACGT", 0), ("A", "ACGT", 6)]
)
def test_costs_of_worked_examples(one: str, other: str, cost: int) -> None:
    sequences = [spell(one), spell(other)]
    assert kernels.compare(sequences, CODONS).tolist() == [[0, cost], [cost, 0]]
    assert verification.difference(one, other) == cost


def test_costs_of_a_set_equal_the_recurrence() -> None:
    rng = np.random.default_rng(2)
    sequences = [rng.integers(0, 6, size, np.uint8) for size in rng.integers(1, 25, 12)]
    expected = [[verification.difference(one.tolist(), other.tolist()) for one in sequences] for other in sequences]
    assert kernels.compare(sequences, CODONS).tolist() == expected


def test_a_multiple_alignment_is_along_the_centre() -> None:
    sequences = [spell(text) for text in ("STARTMIDEND", "STARTMIDSTEND", "STARTGAPMIDEND", "TARTMIDENDS")]
    costs = kernels.compare(sequences, CODONS)
    combined = kernels.combine(sequences, costs, CODONS)
    assert combined.centre == 0
    assert ["".join("-" if code == GAP else "*" for code in row) for row in combined.rows.tolist()] == [
        "*****---***--***-",
        "*****---********-",
        "***********--***-",
        "-****---***--****",
    ]
    assert not [*verification.check_alignment(sequences, costs, combined)]


def test_random_sets_are_combined_without_loss() -> None:
    rng = np.random.default_rng(4)
    for size in (1, 2, 30):
        sequences = [rng.integers(0, 3, length, np.uint8) for length in rng.integers(1, 20, size)]
        costs = kernels.compare(sequences, CODONS)
        assert not [*verification.check_alignment(sequences, costs, kernels.combine(sequences, costs, CODONS))]


def test_verification_sees_what_is_wrong(problem: Problem, found: list[Match]) -> None:
    query, subject = problem.query, problem.subject
    ends, matches = ends_of(problem), found
    assert not [*verification.check_ends(ends), *verification.check_matches(matches, query, subject, CODONS)]
    assert [*verification.check_ends(ends[::-1])]
    assert [*verification.check_ends([ends[0], ends[0]._replace(score=30, row=1)])]
    worse = [replace(matches[0], alignment=replace(matches[0].alignment, score=matches[0].alignment.score + 1))]
    assert [*verification.check_matches(worse, query, subject, CODONS)]
    shorter = replace(matches[0].alignment, runs=(*matches[0].alignment.runs, Run("M", 1)))
    assert [*verification.check_matches([replace(matches[0], alignment=shorter)], query, subject, CODONS)]
    assert [*verification.check_matches([replace(matches[0], query=matches[1].query)], query, subject, CODONS)]
    assert [*verification.check_matches_of_all([], matches, subject, CODONS)]
    sequences = [spell("STARTEND"), spell("STARTMID"), spell("STARTMID")]
    costs = kernels.compare(sequences, CODONS)
    combined = kernels.combine(sequences, costs, CODONS)
    assert [*verification.check_costs(0, sequences, costs + 1)]
    assert [*verification.check_costs(0, sequences, np.where(costs, 1, 0))]
    assert [*verification.check_alignment(sequences, costs, replace(combined, centre=0))]
    assert [*verification.check_alignment(sequences[::-1], costs, combined)]
    # Each in columns of its own: nothing is aligned.
    apart = np.full((3, 24), GAP, np.int16)
    for number, sequence in enumerate(sequences):
        apart[number, 8 * number : 8 * number + 8] = sequence
    assert [*verification.check_alignment(sequences, costs, replace(combined, rows=apart))]
    every = every_match(problem)
    assert not [*verification.check_ending(every, ends), *verification.check_distinct(found, every)]
    assert [*verification.check_ending(every[:-1], ends)]
    assert [*verification.check_ending(every, [ends[0]._replace(row=1), *ends[1:]])]
    assert [*verification.check_distinct(every, every)]
    assert [*verification.check_distinct(found[:-1], every)]
    assert not [*verification.check_whole(ends, query, subject, CODONS)]
    for lie in (ends[1:], ends[:-1], [*ends[:2], *ends[3:]], [ends[0], *ends[2:]]):
        assert [*verification.check_whole(lie, query, subject, CODONS)]
    assert not [*verification.check_costs(0, [], np.zeros((0, 0), np.int64))]
