import math
import re
import shutil
import subprocess
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import gather
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_scores
from shardwater.sequences.fasta import Record, read_fasta
from shardwater.statistics.distribution import ROWS, SCORES, Counts
from shardwater.statistics.length_regression import (
    HIGHEST_Z_OF_PROFILES,
    LOWEST_Z,
    Fit,
    NoFitError,
    Range,
    expected_counts,
    fit_scores,
    zscores,
)

UNIT = Fit(rho=0.0, mu=0.0, variance=1.0, subjects=500_000, rejected=0)
SUBJECTS = 40_000
CUT_OFF = 0.0225
"""Of an extreme value distribution, above 2.5 standard deviations."""


def counted(lengths, scores):
    return Counts.of(np.asarray(lengths, np.int64), np.asarray(scores, np.int64))


def unrelated(subjects, rho=4.0, mu=6.5, variance=22.0, seed=1):
    """Lengths as proteins have them, and scores of the extreme value distribution around a line."""
    rng = np.random.default_rng(seed)
    lengths = np.clip(np.exp(rng.normal(5.7, 0.6, subjects)), 10, 30_000).astype(np.int64)
    gumbel = (rng.gumbel(size=subjects) - np.euler_gamma) * math.sqrt(6) / math.pi
    return lengths, np.maximum(0, np.rint(rho * np.log(lengths) + mu + gumbel * math.sqrt(variance))).astype(np.int64)


@pytest.mark.parametrize(("z", "subjects", "evalue"), [(120, 500_000, 35.4195), (50, 1000, 429.624)])
def test_evalue_of_a_zscore(z, subjects, evalue):
    score = (z - 50) // 10
    fit = Fit(0.0, 0.0, 1.0, subjects - 10, 10)
    assert zscores(fit.deviations([score], [300])) == [z]
    assert fit.evalue(score, 300) == pytest.approx(evalue, rel=2e-6)


@pytest.mark.parametrize(
    ("score", "length", "bits", "evalue"),
    [(563, 147, 225.9, 1.2e-59), (409, 145, 165.4, 2e-41), (99, 392, 43.5, 0.00027), (81, 147, 36.6, 0.012)],
)
def test_figures_are_those_that_ssearch_prints_for_its_own_fit(score, length, bits, evalue):
    # ssearch36 36.3.8i -z 1 -s BL62 -f -11 -g -1, query P02232 of 144 residues, 58,000 sequences of Swiss-Prot.
    fit = Fit(rho=4.0295, mu=6.5343, variance=22.1929, subjects=57_000, rejected=1000)
    assert fit.bits(fit.deviations([score], [length]), 144, [length]) == pytest.approx([bits], abs=0.06)
    assert fit.evalue(score, length) == pytest.approx(evalue, rel=0.05)


@pytest.mark.parametrize("subjects", [300, 3000])
def test_fit_is_as_uncertain_as_the_documents_say(subjects):
    found = []
    for seed in range(150):
        fit = fit_scores(counted(*unrelated(subjects, seed=seed)))
        score = round(4.0 * math.log(300) + 6.5 + 12 * math.sqrt(22.0))
        found.append(math.log(fit.evalue(score, 300)))
    told = 1.28 * math.sqrt((1 + 1.14 * 12 + 1.1 * 12**2) / subjects)
    assert np.std(found) == pytest.approx(told, rel=0.2)


def test_fit_finds_the_line_that_scores_were_drawn_around():
    fit = fit_scores(counted(*unrelated(SUBJECTS)))
    assert fit.rho == pytest.approx(4.0, abs=0.2)
    assert fit.rho * 5.7 + fit.mu == pytest.approx(4.0 * 5.7 + 6.5, abs=0.1)
    # Rounding to whole scores adds 1/12.
    assert fit.variance == pytest.approx(22.08, rel=0.03)
    assert fit.subjects + fit.rejected == SUBJECTS
    assert fit.rejected < 10


def test_fit_of_a_profile_finds_the_same_line_without_high_scores():
    fits = [fit_scores(counted(*unrelated(SUBJECTS, seed=seed)), profile=True) for seed in range(10)]
    assert np.mean([fit.variance for fit in fits]) == pytest.approx(22.08, rel=0.01)
    for fit in fits:
        assert fit.rho == pytest.approx(4.0, abs=0.2)
        assert fit.rho * 5.7 + fit.mu == pytest.approx(4.0 * 5.7 + 6.5, abs=0.15)
        assert fit.variance == pytest.approx(22.08, rel=0.05)
        assert fit.rejected / SUBJECTS == pytest.approx(CUT_OFF, rel=0.1)


def test_what_is_cut_off_of_a_profiles_scores_is_told_by_the_distribution():
    z = np.linspace(LOWEST_Z, HIGHEST_Z_OF_PROFILES, 1_000_001)
    y = math.pi / math.sqrt(6) * z + np.euler_gamma
    weights = np.exp(-y - np.exp(-y))
    weights /= weights.sum()
    mean = float((weights * z).sum())
    cut = Range.of(1000, profile=True)
    assert cut.mean == pytest.approx(mean, abs=1e-5)
    assert cut.variance == pytest.approx(float((weights * (z - mean) ** 2).sum()), abs=1e-5)


@pytest.mark.parametrize("share", [0.02, 0.05])
def test_distant_relatives_that_are_no_outliers_move_a_profiles_line_less(share):
    lengths, scores = unrelated(SUBJECTS)
    rng = np.random.default_rng(4)
    related = rng.random(SUBJECTS) < share
    raised = counted(lengths, scores + np.where(related, rng.integers(5, 25, SUBJECTS), 0))
    right = fit_scores(counted(lengths, scores)).evalue(85, 150)
    plain, profile = (fit_scores(raised, profile=each).evalue(85, 150) for each in (False, True))
    assert right < profile < plain
    assert math.log(profile / right) < 0.7 * math.log(plain / right)


def test_line_is_numpys_weighted_regression_of_the_bins():
    lengths, scores = unrelated(3000)
    scores = np.clip(scores, 20, 45)
    fit = fit_scores(counted(lengths, scores))
    rows = np.floor(10 * np.log(lengths)).astype(int)
    bins = [row for row in np.unique(rows) if (rows == row).sum() > 1]
    x = [(row + 0.5) / 10 for row in bins]
    means = [scores[rows == row].mean() for row in bins]
    weights = [(rows == row).sum() / max(0.1, scores[rows == row].var(ddof=1)) for row in bins]
    rho, mu = np.polyfit(x, means, 1, w=np.sqrt(weights))
    residuals = np.concatenate([scores[rows == row] - rho * at - mu for row, at in zip(bins, x, strict=True)])
    assert (fit.rho, fit.mu) == (pytest.approx(rho, rel=1e-9), pytest.approx(mu, rel=1e-9))
    assert fit.variance == pytest.approx((residuals**2).mean(), rel=1e-9)
    assert fit.subjects == len(residuals)


@pytest.mark.parametrize("related", [40, 400, 2000, 8000])
def test_a_family_of_related_subjects_is_rejected(related):
    lengths, scores = unrelated(SUBJECTS)
    alone = fit_scores(counted(lengths, scores))
    rng = np.random.default_rng(2)
    with_family = fit_scores(
        counted([*lengths, *rng.integers(140, 160, related)], [*scores, *rng.integers(120, 800, related)])
    )
    assert with_family.rejected == alone.rejected + related
    assert (with_family.rho, with_family.mu) == (alone.rho, alone.mu)
    assert with_family.variance == alone.variance


@pytest.mark.parametrize(
    ("lengths", "scores", "reason"),
    [
        ([], [], "a fit needs 50 unrelated subjects and finds 0"),
        ([100] * 25 + [150] * 24, [30] * 49, "a fit needs 50 unrelated subjects and finds 49"),
        (
            [100, 150, 200, 300] * 30,
            list(range(20, 50)) * 4,
            "a fit needs 50 subjects in 5 classes of length with others, here are 120 in 4",
        ),
        (
            [round(math.exp(number / 10 + 0.05)) for number in range(30, 90)],
            [30, 31] * 30,
            "a fit needs 50 subjects in 5 classes of length with others, here are 0 in 0",
        ),
        ([100, 150, 200, 300, 400] * 20, [30] * 100, "the scores do not vary"),
        ([0] * 1000, list(range(20, 45)) * 40, "a fit needs 50 unrelated subjects and finds 0"),
        ([150, 200, 300, 400, 500] * 20, [2047] * 100, "a fit needs 50 unrelated subjects and finds 0"),
    ],
)
def test_where_no_fit_can_be_made_the_reason_is_said(lengths, scores, reason):
    with pytest.raises(NoFitError) as refusal:
        fit_scores(counted(lengths, scores))
    assert str(refusal.value) == reason


def test_expected_counts_add_up_to_subjects_and_evalues():
    lengths, scores = np.full(5000, 300), unrelated(5000)[1]
    counts = counted([*lengths, *unrelated(500)[0]], [*scores, *unrelated(500)[1]])
    fit = fit_scores(counts)
    expected = expected_counts(fit, counts, 2000)
    assert math.fsum(expected) == pytest.approx(5500, abs=0.1)
    of_one_length = counted(lengths, scores)
    expected = expected_counts(fit, of_one_length, 2000)
    # The middle of the bin that 300 lies in: 299 to 330.
    middle = round(math.exp(5.75))
    assert math.fsum(expected[45:]) == pytest.approx(fit.evalue(45, middle) * 5000 / 5500, rel=0.01)


def test_expected_counts_follow_those_of_unrelated_subjects():
    lengths, scores = unrelated(SUBJECTS)
    counts = counted(lengths, scores)
    expected = np.array(expected_counts(fit_scores(counts), counts, 100))
    found = np.bincount(scores, minlength=100)
    for first in range(20, 60, 5):
        # Scores are rounded, the curve is cut: half a score of shift is in the nature of both.
        assert found[first : first + 5].sum() == pytest.approx(expected[first : first + 5].sum(), rel=0.35, abs=30)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, ROWS - 1), st.integers(0, SCORES - 1), st.integers(1, 500)), max_size=60))
def test_any_counts_have_figures_that_are_finite_and_fall_with_the_score_or_no_fit(cells):
    table = np.zeros((ROWS, SCORES), np.int32)
    for row, score, subjects in cells:
        table[row, score] += subjects
    counts = Counts.in_table(table)
    try:
        fit = fit_scores(counts)
    except NoFitError:
        return
    assert fit.subjects + fit.rejected == counts.total
    for length in (0, 1, 300, 35_213):
        figures = [fit.evalue(score, length) for score in range(0, 3000, 50)]
        assert all(0 <= later <= earlier <= counts.total for earlier, later in pairwise(figures))
        assert all(map(math.isfinite, fit.bits(fit.deviations([0, 3000], [length] * 2), 100, [length] * 2)))
    expected = expected_counts(fit, counts, SCORES)
    assert min(expected) >= 0
    assert math.fsum(expected) <= counts.total + 0.2


SSEARCH = shutil.which("ssearch36")


@pytest.mark.shared
@pytest.mark.skipif(SSEARCH is None, reason="ssearch36 (Debian: fasta3) is the external oracle")
@pytest.mark.parametrize(("matrix", "name", "gaps"), [("BLOSUM62", "BL62", (11, 1)), ("BLOSUM50", "BL50", (11, 2))])
def test_evalues_are_near_those_of_ssearch(shared, tmp_path, matrix, name, gaps):
    query = read_fasta((shared / "queries20.fasta").read_bytes())[0]
    build_database([shared / "sprot_part.fasta.gz"], tmp_path, name="sprot")
    whole = Catalog(tmp_path).current("sprot")
    # SSEARCH fits to 60,000 subjects at most.
    fasta = "".join(f">{whole.accession(n)}\n{whole.sequence(n).decode()}\n" for n in range(0, len(whole), 4))
    (tmp_path / "part.fasta").write_text(fasta)
    (tmp_path / "query.fasta").write_text(f">q\n{query.residues.decode()}\n")
    command = [SSEARCH, "-q", "-z", "1", "-s", name, "-f", str(-gaps[0]), "-g", str(-gaps[1]), "-E", "5", "-d", "0"]
    done = subprocess.run(
        [*command, "-b", "500", tmp_path / "query.fasta", tmp_path / "part.fasta"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    theirs = re.findall(r"^(\S+) +\( *(\d+)\) +(\d+) +[\d.]+ +(\S+)$", done.stdout, re.MULTILINE)
    shard = whole.shard(0, 4)
    engine = CpuEngine(2)
    engine.load(shard)
    [survey] = gather(engine.survey([Record("q", query.residues)], Scoring(matrix, *gaps), [best_scores(500)]))
    fit, scores = fit_scores(survey.counts), {whole.accession(s.subject): s.score for s in survey.ranked}
    assert len(theirs) > 15
    for accession, length, score, evalue in theirs:
        assert scores[accession] == int(score)
        if 1e-8 < float(evalue) < 5:
            assert fit.evalue(int(score), int(length)) == pytest.approx(float(evalue), rel=0.5)
