import numpy as np
import pytest

from shardwater.profiles.building import Profile, implied, mixed, seen
from shardwater.profiles.weights import Observed, observe
from shardwater.scoring.scoring import MATRICES, load_matrix, own_matrix
from shardwater.sequences.alphabet import LETTERS, encode
from shardwater.statistics.background import WithoutGaps, background
from tests.support.stacks import rows_of

EVERY = LETTERS[:20]


def profile_of(name, query, *others):
    rows = rows_of(query, *others)
    return Profile.of(rows.rows[0], observe(rows), load_matrix(name))


@pytest.mark.parametrize("name", MATRICES)
def test_a_query_alone_scores_by_the_matrix(name):
    scores, query = profile_of(name, EVERY * 3).pssm.scores, encode(EVERY.encode() * 3)
    apart = np.abs(scores[:, :20] - load_matrix(name).scores[query][:, :20])
    # The frequencies that a matrix of rounded scores implies do not add up to the background's quite.
    assert apart.max() <= (0 if name == "BLOSUM62" else 2)


def test_what_is_seen_weighs_more_the_more_often_and_the_more_conserved():
    tryptophan, leucine = np.eye(20)[17], np.eye(20)[10]
    mixture = (np.eye(20)[:8].sum(axis=0) + background()) / 9
    frequencies = np.array([tryptophan, tryptophan, leucine, mixture, background(), tryptophan])
    weights = seen(Observed(frequencies, np.array([2.0, 20.0, 20.0, 20.0, 20.0, 0.0]), np.zeros(6)))
    assert weights[1] > weights[0] > 0
    assert weights[1] > weights[2] > weights[3] > 0
    # What is like the background, or was not seen, is left to the pseudocounts.
    assert weights[4:].tolist() == [0, 0]


def test_pseudocounts_are_those_of_the_paper():
    frequencies, n = np.eye(20)[[17]], 12.0
    near = (n * frequencies[0] + 5.5 * background()) / (n + 5.5)
    entropy = float((near * np.log(near / background())).sum())
    a = 0.0457 / entropy**0.8
    m = 500 * a / (1 - a)
    observed = Observed(frequencies, np.array([n]), np.array([7.0]))
    assert seen(observed).tolist() == pytest.approx([n / (n + m)])
    matrix = load_matrix("BLOSUM62")
    pseudo = implied(matrix)[17] * background()
    expected = (n * frequencies[0] + m * pseudo) / (n + m)
    assert mixed(observed, matrix)[0].tolist() == pytest.approx((expected / expected.sum()).tolist())
    profile = Profile.of(np.array([17], np.uint8), observed, matrix)
    assert (profile.frequencies.tolist(), profile.weight.tolist()) == (frequencies.tolist(), pytest.approx([7 / m]))


def test_implied_frequencies_are_those_of_the_matrix():
    matrix = load_matrix("BLOSUM62")
    expected = implied(matrix) * np.multiply.outer(background(), background())
    assert expected.sum() == pytest.approx(1)
    assert float((expected * matrix.scores[:20, :20]).sum()) == pytest.approx(
        1 / WithoutGaps.of(matrix.scores).alpha, rel=1e-6
    )


def test_a_profile_has_the_lambda_of_its_matrix():
    rng = np.random.default_rng(2)
    query = "".join(rng.choice(list(EVERY), 200))
    relatives = [
        "".join(letter if rng.random() < 0.5 else rng.choice(list(EVERY)) for letter in query) for _ in range(20)
    ]
    profile, lambda_ = profile_of("BLOSUM62", query, *relatives), WithoutGaps.of(load_matrix("BLOSUM62").scores).lambda_
    assert profile.ratios @ background() == pytest.approx(np.ones(200))
    assert float((background() / 200 * np.exp(lambda_ * profile.pssm.scores[:, :20])).sum()) == pytest.approx(
        1, rel=0.02
    )
    # What most relatives have scores more than what the matrix says, and what none has less.
    assert profile.pssm.scores[np.arange(200), encode(query.encode())].mean() > 4.5


def test_letters_that_are_no_residues_score_the_mean_of_what_they_stand_for():
    scores = profile_of("BLOSUM62", "ND").pssm.scores
    b, z, x, stop = (LETTERS.index(letter) for letter in "BZX*")
    residues = background()
    for letter, stands_for in ((b, "ND"), (z, "QE")):
        codes = [LETTERS.index(each) for each in stands_for]
        mean = (scores[:, codes] @ residues[codes]) / residues[codes].sum()
        assert np.abs(scores[:, letter] - mean).max() <= 1
    assert (scores[:, x] < 0).all() and (scores[:, stop] == -4).all()


def test_letters_of_the_query_that_are_no_residues_score_by_the_matrix():
    scores = profile_of("BLOSUM62", "BX*W", "NAAW").pssm.scores
    assert scores[:3].tolist() == load_matrix("BLOSUM62").scores[[LETTERS.index(each) for each in "BX*"]].tolist()


def test_scores_are_such_as_all_engines_hold():
    rows = [[1 if one == other == 17 else -100 for other in range(24)] for one in range(24)]
    matrix = own_matrix(tuple(map(tuple, rows)))
    assert np.abs(Profile.of(encode(b"WA"), observe(rows_of("WA")), matrix).pssm.scores).max() <= 100
