"""What a score counts by: lambda of two stretches over that of the query, by its definition."""

import math

import numpy as np
import pytest

from shardwater.scoring.scoring import MATRICES, load_matrix
from shardwater.sequences.alphabet import encode
from shardwater.statistics.composition import BACKGROUND, BACKGROUND_RESIDUES, LEAST_SCALE, scales

SCORES = load_matrix("BLOSUM62").scores
USUAL = BACKGROUND / BACKGROUND.sum()
LETTERS = "ARNDCQEGHILKMFPSTWYV"
PROTEIN = (
    b"MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDFSAGEGLYTHMKALRPDEDRLSPLH"
)
COLLAGEN = b"GPPGPPGPKGPRGPPGEPGAPGPPGPRGLPGPPGKDGPPGPAGPPGAPGERGPAGPPGSP"


def frequencies(residues):
    counts = np.array([residues.upper().count(letter.encode()) for letter in LETTERS], float)
    found = counts + BACKGROUND_RESIDUES * BACKGROUND / BACKGROUND.sum()
    return found / found.sum()


def solution(one, other, scores):
    """lambda by halving; 0 where the mean score is not below 0."""
    table = scores[:20, :20].astype(float)

    def excess(scale):
        return one @ np.exp(scale * table) @ other - 1

    if one @ table @ other >= 0:
        return 0.0
    low, high = 1e-6, 4.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) > 0 else (middle, high)
    return low


def by_definition(query, one, other, scores=SCORES):
    own = solution(frequencies(query), BACKGROUND / BACKGROUND.sum(), scores)
    ratio = 1.06 * solution(frequencies(one), frequencies(other), scores) / own
    return min(1.0, max(0.15, ratio**2))


def scale(query, one, other, scores=SCORES):
    [found] = scales(encode(query), [(encode(one), encode(other))], scores)
    return found


@pytest.mark.parametrize("unit", [3, 9])
def test_scale_does_not_depend_on_the_unit_of_scores(unit):
    stretches = [(encode(COLLAGEN), encode(COLLAGEN[7:])), (encode(PROTEIN), encode(COLLAGEN))]
    assert scales(encode(PROTEIN), stretches, unit * SCORES) == scales(encode(PROTEIN), stretches, SCORES)


def test_scale_of_scores_with_a_large_lambda_is_that_of_the_definition():
    scores = np.where(np.eye(24, dtype=bool), 1, -2).astype(np.int32)
    assert scale(PROTEIN, COLLAGEN, COLLAGEN, scores) == pytest.approx(
        by_definition(PROTEIN, COLLAGEN, COLLAGEN, scores), abs=6e-5
    )


@pytest.mark.parametrize("matrix", MATRICES)
def test_scale_is_that_of_the_definition(matrix):
    scores = load_matrix(matrix).scores
    rng = np.random.default_rng(3)
    for kinds in (2, 4, 8, 20):
        one, other = ("".join(rng.choice(list(LETTERS[:kinds]), 80)).encode() for _ in range(2))
        expected = by_definition(PROTEIN, one, other, scores)
        assert scale(PROTEIN, one, other, scores) == pytest.approx(expected, abs=6e-5), kinds


def test_usual_composition_changes_nothing():
    rng = np.random.default_rng(4)
    other = "".join(rng.choice(list(LETTERS), 115, p=BACKGROUND / BACKGROUND.sum())).encode()
    assert scale(PROTEIN, PROTEIN, other) == 1.0


def test_few_kinds_of_letters_count_less_the_more_of_them_there_are():
    found = [scale(PROTEIN, COLLAGEN * times, COLLAGEN * times) for times in (1, 2, 4, 8)]
    assert found == sorted(found, reverse=True)
    assert found[0] == pytest.approx(0.3976)
    assert found[3] == LEAST_SCALE


def test_never_less_than_the_least():
    assert scale(b"Q" * 300, b"Q" * 300, b"Q" * 300) == LEAST_SCALE


def test_what_a_query_has_everywhere_is_its_own_scale():
    # Its fit knows already that it scores high with everything of usual composition.
    helix = b"LKELEKKLKEVEEKIKELEEKLKEVEKRLKELEEK"
    assert scale(helix, helix, helix) > scale(PROTEIN, helix, helix)


def test_case_and_letters_without_a_frequency_do_not_count():
    assert scale(PROTEIN.lower(), COLLAGEN.lower(), COLLAGEN) == scale(PROTEIN, COLLAGEN, COLLAGEN)
    assert scale(PROTEIN, COLLAGEN + b"XBZ*U-", COLLAGEN) == scale(PROTEIN, COLLAGEN, COLLAGEN)
    assert scale(b"XX", b"X", b"X") == 1.0


def test_each_stretch_alone_gives_what_many_do():
    stretches = [(encode(COLLAGEN[:n]), encode(COLLAGEN[n:])) for n in (5, 20, 40)] * 30
    together = scales(encode(PROTEIN), stretches, SCORES)
    assert together == [scales(encode(PROTEIN), [each], SCORES)[0] for each in stretches]
    assert scales(encode(PROTEIN), [], SCORES) == []


def test_positions_that_score_as_their_residues_count_as_these():
    codes, stretch = encode(PROTEIN + COLLAGEN), encode(COLLAGEN)
    ranges = [(60, 160), (120, 160)]
    of_letters = scales(codes, [(codes[first:last], stretch) for first, last in ranges], SCORES)
    places = np.arange(len(codes))
    assert scales(places, [(places[slice(*each)], stretch) for each in ranges], SCORES, SCORES[codes]) == of_letters
    assert max(of_letters) < 1 and of_letters[0] != of_letters[1]


def test_positions_count_by_what_they_score():
    codes = encode(PROTEIN)
    kinder = SCORES[codes].copy()
    kinder[:60, [LETTERS.index(each) for each in "GP"]] += 2
    places = np.arange(len(codes))
    stretches = [(places[:60], encode(COLLAGEN)), (places[60:], encode(COLLAGEN))]
    plain, other = (scales(places, stretches, SCORES, each) for each in (SCORES[codes], kinder))
    assert other[0] < plain[0]
    assert other[1] >= plain[1]


def scale_of_positions(rows, other):
    """lambda of these positions' scores and those of 100 usual residues with a stretch, added up one by one."""

    def excess(scale):
        own = [(1.0, row) for row in rows]
        own += [(BACKGROUND_RESIDUES * share, row) for share, row in zip(USUAL, SCORES[:20, :20], strict=True)]
        powers = (
            (weight, q * math.exp(scale * score)) for weight, row in own for q, score in zip(other, row, strict=True)
        )
        return sum(weight * power for weight, power in powers) / (len(rows) + BACKGROUND_RESIDUES) - 1

    low, high = 1e-6, 4.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) > 0 else (middle, high)
    return low


def test_scale_of_positions_is_that_of_the_definition():
    rng = np.random.default_rng(5)
    codes, stretch = encode(PROTEIN[:30] + COLLAGEN[:50]), encode(COLLAGEN)
    pssm = SCORES[codes] + rng.integers(-2, 2, (80, 24)).astype(np.int32)
    # Two positions have no residue, and count for nothing, however high they score.
    known = np.delete(np.arange(80), [10, 41])
    pssm[[10, 41]] = 99
    ranges = [(29, 78), (35, 50), (0, 60)]
    found = scales(known, [(known[slice(*each)], stretch) for each in ranges], SCORES, pssm)
    usual = scale_of_positions(pssm[known, :20].tolist(), USUAL)
    for (first, last), scale in zip(ranges, found, strict=True):
        own = scale_of_positions(pssm[known[first:last], :20].tolist(), frequencies(COLLAGEN))
        assert scale == pytest.approx((1.06 * own / usual) ** 2, abs=6e-5)
    assert LEAST_SCALE < min(found) < max(found) < 1


def test_lambda_of_usual_proteins_is_the_published_one():
    usual = solution(BACKGROUND / BACKGROUND.sum(), BACKGROUND / BACKGROUND.sum(), SCORES)
    # Published for BLOSUM62 without gaps: 0.3176.
    assert usual == pytest.approx(0.3176, abs=0.002)
