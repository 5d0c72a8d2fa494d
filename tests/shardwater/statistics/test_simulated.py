from dataclasses import replace

import pytest

from shardwater.errors import ScoringError
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import LETTERS
from shardwater.statistics import simulated, simulation
from shardwater.statistics.background import WithoutGaps
from shardwater.statistics.evalue import SearchSpace, Statistics, parameters
from shardwater.statistics.simulated import fit
from shardwater.statistics.simulation import BLOCKS, check_scoring, content_of
from shardwater.steps import finish
from tests.support.simulators import simulator
from tests.support.tiers import mostly_thorough

SCORING = Scoring("PAM30", 9, 1)


@pytest.fixture(scope="module")
def blocks():
    """Small ones."""
    with pytest.MonkeyPatch.context() as patch:
        small(patch)
        return [done(SCORING, number) for number in range(BLOCKS)]


def small(patch):
    patch.setattr(simulation, "SAMPLES", 128)
    patch.setattr(simulation, "TOGETHER", 64)
    patch.setattr(simulation, "PAIRS", 16)
    patch.setattr(simulation, "LENGTH", 300)
    patch.setattr(simulated, "LENGTH", 300)


def done(scoring, number, threads=2):
    return finish(simulator(threads).block(scoring, number))


def fitted(blocks):
    with pytest.MonkeyPatch.context() as patch:
        small(patch)
        return fit(SCORING, blocks)


def test_parameters_are_as_published(blocks):
    found, known = fitted(blocks), parameters(SCORING)
    # As certain as 1/16 of all samples make them.
    assert found.row.lambda_ == pytest.approx(known.lambda_, abs=3 * found.lambda_error)
    assert found.row.kappa == pytest.approx(known.kappa, abs=3 * found.kappa_error)
    assert 0.001 < found.lambda_error / found.row.lambda_ < 0.02
    assert 0.01 < found.kappa_error / found.row.kappa < 0.2
    assert found.row.entropy == pytest.approx(found.row.lambda_ / found.row.alpha, rel=1e-3)
    space = SearchSpace(250, 200_000_000, 600_000)
    evalues = [
        Statistics.of("simulated", SCORING, space, simulated=each).evalue(100, 300)
        for each in (found, replace(found, row=known))
    ]
    assert 2 / 3 < evalues[0] / evalues[1] < 1.5


def test_blocks_are_the_same_on_any_number_of_threads(blocks, monkeypatch):
    small(monkeypatch)
    monkeypatch.setattr(simulation, "TOGETHER", 32)
    assert done(SCORING, 3, 1) == done(SCORING, 3, 3)
    assert done(SCORING, 3) != done(SCORING, 4)


def test_cells_are_told_as_they_are_done(monkeypatch):
    small(monkeypatch)
    told = list(simulator().block(SCORING, 0))
    assert sum(told) == 16 * 300**2 + 128 * simulation.SAMPLE_CELLS
    # Of samples all at once, or nothing: a wait says nothing of what they cost.
    assert set(told[-4:]) <= {0, 64 * simulation.SAMPLE_CELLS}


@pytest.mark.parametrize("scores", mostly_thorough([(9, -5)], [(5, -4), (1, -1), (10, -10)]))
def test_scores_in_coarse_steps_have_their_own_parameters(monkeypatch, scores):
    small(monkeypatch)
    same, other = scores
    rows = tuple(tuple(same if one == two else other for two in LETTERS) for one in LETTERS)
    # No chance alignment has such a gap, so that all is as without any.
    scoring = Scoring("own", 1000, 1000, rows)
    found, known = fit(scoring, [done(scoring, number) for number in range(BLOCKS)]), WithoutGaps.of(scoring.scores)
    assert found.row.lambda_ == pytest.approx(known.lambda_, abs=3 * found.lambda_error)
    assert found.lambda_error < 0.005 * known.lambda_
    assert found.row.alpha == pytest.approx(known.alpha, rel=0.1)
    assert found.row.alpha_v == pytest.approx(known.alpha_v, rel=0.3)


@pytest.mark.thorough
def test_parameters_do_not_hang_on_the_unit(monkeypatch):
    small(monkeypatch)
    fits = []
    for unit in (1, 10):
        rows = tuple(tuple(unit if one == two else -unit for two in LETTERS) for one in LETTERS)
        scoring = Scoring("own", 2 * unit, unit, rows)
        fits.append(fit(scoring, [done(scoring, number) for number in range(BLOCKS)]).row)
    assert fits[0].lambda_ == pytest.approx(10 * fits[1].lambda_, rel=1e-3)
    assert fits[0].kappa == pytest.approx(fits[1].kappa, rel=1e-2)


def test_what_samples_hardly_reach_is_refused_at_once():
    # Of W alone, which is rare; and of C, with all else at 0: chance alignments never end.
    others = {"W": -100, "C": 0}
    for letter, other in others.items():
        code = LETTERS.index(letter)
        rows = [[other] * 24 for _ in range(24)]
        rows[code][code] = 1
        rows[0][1] = rows[1][0] = -1
        with pytest.raises(ScoringError, match="are too long to be simulated with this matrix"):
            check_scoring(Scoring("own", 100, 100, tuple(map(tuple, rows))))


def test_numbers_are_rounded_to_what_they_are_worth(blocks):
    found = fitted(blocks)
    assert found.row.lambda_ == round(found.row.lambda_, 5)
    assert found.row.beta == found.row.b


def test_costs_under_which_alignments_grow_with_the_sequences_are_refused():
    with pytest.raises(
        ScoringError, match=r"gaps of 6/1 cost so little .* score [0-9]+ from end to end, with a standard"
    ):
        done(Scoring("BLOSUM62", 6, 1), 0)


def test_uncertain_parameters_are_refused(blocks, monkeypatch):
    monkeypatch.setattr(simulated, "MOST_ERROR", 0.0)
    with pytest.raises(
        ScoringError, match=r"gaps of 9/1 cost so little .* nearly grow .* has a standard error of 0\.0"
    ):
        fitted(blocks)


def test_alignments_as_long_as_the_sequences_are_refused(blocks, monkeypatch):
    monkeypatch.setattr(simulated, "MOST_COVERED", 0.01)
    with pytest.raises(ScoringError, match="a chance alignment of 300 residues covers"):
        fitted(blocks)


def test_content_goes_by_scores_and_costs_alone():
    contents = [content_of(each) for each in (SCORING, Scoring("pam30", 9, 1), Scoring("PAM30", 10, 1))]
    assert contents[0] == contents[1]
    assert contents[0] != contents[2]
    assert content_of(Scoring("PAM70", 9, 1)) != contents[0]
