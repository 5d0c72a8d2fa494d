"""How good a fit is: figures that are usual where most subjects are unrelated, and that tell where they are not."""

import math

import numpy as np
import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import gather
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_scores
from shardwater.sequences.fasta import read_fasta
from shardwater.statistics.distribution import ROWS, Counts
from shardwater.statistics.length_regression import fit_scores
from tests.support.demo import DEMO


def crowd(count, share=0.0, height=0.0, seed=0, deviation=4.8):
    """Counts of a database by chance, of which this share is a family so many standard deviations above it."""
    rng = np.random.default_rng(seed)
    lengths = np.exp(rng.normal(5.7, 0.7, count)).astype(int) + 1
    usual = 4 * np.log(lengths) + 8
    scores = usual + (rng.gumbel(0, 1, count) - np.euler_gamma) * deviation * math.sqrt(6) / math.pi
    family = rng.random(count) < share
    scores[family] = usual[family] + deviation * (height + 0.5 * rng.normal(size=int(family.sum())))
    return Counts.of(lengths, np.maximum(0, np.round(scores)).astype(int))


def too_large(counts, clean):
    """By which factor the E-value is too large of a score that has 0.001 without the family."""
    fit, right = fit_scores(counts), fit_scores(clean)
    score = next(score for score in range(1000) if right.evalue(score, 300) < 1e-3)
    return fit.evalue(score, 300) / right.evalue(score, 300)


@pytest.mark.parametrize("count", [300, 3000, 30_000])
def test_chance_is_described_well(count):
    good = [fit_scores(crowd(count, seed=seed)).goodness for seed in range(20)]
    assert [each.is_poor(count) for each in good] == [False] * 20
    assert np.mean([each.distance for each in good]) < 0.1
    assert np.mean([each.spread for each in good]) == pytest.approx(1, abs=0.1)
    assert np.mean([each.tail for each in good]) == pytest.approx(1, abs=0.2)


def test_a_family_that_is_far_above_chance_and_few_does_no_harm():
    counts = crowd(20_000, 0.005, 40)
    assert too_large(counts, crowd(20_000)) == pytest.approx(1, abs=0.3)
    assert not fit_scores(counts).goodness.is_poor(20_000)


@pytest.mark.parametrize(
    ("count", "share", "height", "factor"),
    [(20_000, 0.5, 20, 1e5), (2000, 0.5, 10, 1e5), (300, 0.5, 10, 1e4), (20_000, 0.05, 6, 700), (2000, 0.1, 6, 700)],
)
def test_a_family_that_makes_evalues_too_large_is_told(count, share, height, factor):
    counts = crowd(count, share, height)
    assert too_large(counts, crowd(count)) > factor
    assert fit_scores(counts).goodness.is_poor(count)


def test_figures_are_those_of_the_definition():
    counts = crowd(3000, 0.05, 6)
    fit = fit_scores(counts)
    lengths = [math.exp(0.1 * (row - 0.5)) for row in range(ROWS)]
    by_row = counts.by_row()
    found = [int(counts.by_score()[score:].sum()) for score in range(1, 80)]
    expected = [
        sum(
            int(by_row[row])
            * -math.expm1(-math.exp(-math.pi / math.sqrt(6) * fit_z(fit, score - 0.5, lengths[row]) - 0.5772156649))
            for row in np.flatnonzero(by_row).tolist()
        )
        for score in range(1, 80)
    ]
    distance = max(abs(one - other) for one, other in zip(found, expected, strict=True)) / 3000
    assert fit.goodness.distance == pytest.approx(distance, abs=1e-4)
    first = next(place for place, many in enumerate(expected) if many < 30)
    assert fit.goodness.tail == pytest.approx(found[first - 1] / expected[first - 1], abs=1e-3)


def fit_z(fit, score, length):
    return (score - fit.rho * math.log(length) - fit.mu) / math.sqrt(fit.variance)


def test_real_queries_against_real_proteins_are_described_well(shared, tmp_path):
    build_database([DEMO / "proteins.fasta.gz"], tmp_path, name="demo")
    database, engine = Catalog(tmp_path).current("demo"), CpuEngine()
    engine.load(database.shard(0, 1))
    queries = read_fasta((shared / "queries20.fasta").read_bytes())[:6]
    queries += [query.part(1, length) for query in queries[:3] for length in (12, 20, 30)]
    surveys = gather(engine.survey(queries, Scoring("BLOSUM62", 11, 1), [best_scores(1)] * len(queries)))
    for query, survey in zip(queries, surveys, strict=True):
        good = fit_scores(survey.counts).goodness
        assert not good.is_poor(len(database)), (query.id, len(query.residues), good)
